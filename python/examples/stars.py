"""Turned stars over a grid of discs; draws those that hit red, and the pixels that they share white.

Usage: python stars.py [PICTURE.png]
"""

import sys

import numpy as np

import hitmask
from hitmask import Ask, Engine, Mask, Shape, World

SIZE = (720, 300)


def star(points=5, outer=26.0, inner=11.0):
    """Returns the mask of a star."""
    angle = np.arange(2 * points) * np.pi / points
    radius = np.where(np.arange(2 * points) % 2, inner, outer)
    mask = Mask(int(2 * outer) + 1, int(2 * outer) + 1)
    mask.draw_polygon(outer + 0.5 + np.stack([radius * np.sin(angle), -radius * np.cos(angle)], axis=1))
    return mask


def disc(radius=9.0):
    """Returns the mask of a disc."""
    mask = Mask(int(2 * radius), int(2 * radius))
    mask.draw_disc((radius, radius), radius)
    return mask


def scene():
    """Returns a world of discs, and of stars on another layer."""
    random, world = np.random.default_rng(7), World()
    grid = np.stack(np.meshgrid(np.arange(30, SIZE[0], 60), np.arange(30, SIZE[1], 60)), -1).reshape(-1, 2)
    world.add_all(world.add_shape(Shape.sprite(disc()).anchored((9, 9))), grid, layers=1, mask=2)
    shape = world.add_shape(Shape.sprite(star()).anchored((26.5, 26.5)))
    turned = hitmask.linears(random.random(40) * 360, 0.6 + random.random(40) * 0.7)
    world.add_all(shape, random.random((40, 2)) * SIZE, linear=turned, layers=2, mask=1)
    return world


def draw(world, hits):
    """Returns a picture of a step."""
    picture = np.full((SIZE[1], SIZE[0], 3), 24, np.uint8)

    def paint(mask, at, colour):
        rows, columns = np.nonzero(np.asarray(mask))
        x, y = columns + at[0], rows + at[1]
        inside = (x >= 0) & (y >= 0) & (x < SIZE[0]) & (y < SIZE[1])
        picture[y[inside], x[inside]] = colour

    for id in world.ids():
        painted = world.painted(id)
        if painted:
            paint(*painted, (214, 76, 60) if hits.flags[id["index"]] else (58, 104, 168))
    for hit in range(len(hits)):
        paint(*world.overlap_mask(hits, hit), (255, 255, 255))
    return picture


def main():
    world = scene()
    hits = Engine.auto().run(world, Ask.DETAILS)
    print(f"{len(hits)} hits, {hits.details['area'].sum()} shared pixels, checksum {hits.checksum():#018x}")
    if len(sys.argv) > 1:
        from PIL import Image

        Image.fromarray(draw(world, hits)).save(sys.argv[1])


if __name__ == "__main__":
    main()
