"""Times of arcade's collision functions and of hitmask's, side by side. Prints JSON.

Upright sprites are full squares, of which both have the same answers. Turned ones are circles: hitmask compares their
pixels, and arcade the polygons of their hit boxes. `arcade_hashed_ms` is arcade's time with a spatial hash, which takes
more time whenever a sprite moves.

Usage: python arcade.py [--quick]
"""

import json
import os
import sys

os.environ.setdefault("ARCADE_HEADLESS", "True")
# This file too is called arcade.
sys.path.append(sys.path.pop(0))

import arcade
import numpy as np
from PIL import Image, ImageDraw
from timing import median_ms

import hitmask.arcade as fast


def sprites(count, size, field, seed, turned):
    """Returns a list of sprites that share a texture, as those of a game mostly do."""
    random = np.random.default_rng(seed)
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0) if turned else "white")
    if turned:
        ImageDraw.Draw(image).ellipse((0, 0, size - 1, size - 1), "white")
    texture = arcade.Texture(image)
    made = arcade.SpriteList()
    for x, y in random.integers(0, field, (count, 2)).tolist():
        angle = random.uniform(0, 360) if turned else 0
        made.append(arcade.Sprite(texture, 1, x, y, angle))
    return made


def hashed(sprite_list):
    """Returns a list of the same sprites with a spatial hash."""
    made = arcade.SpriteList(use_spatial_hash=True)
    made.extend(sprite_list)
    return made


def each(module, a, b):
    """Returns the sprites of one list that each of another collides with; 3 compares all where there is no hash."""
    return [module.check_for_collision_with_list(sprite, b, 3 if b.spatial_hash is None else 1) for sprite in a]


def row(name, a, b, turned, least):
    """Times all pairs of two lists, or of one with itself if `b` is None."""
    other = a if b is None else b
    spatial = hashed(other)
    found = fast.collide(a, b)
    hits = sum(map(len, each(fast, a, other)))
    if hits != len(found) * (2 if b is None else 1):
        raise AssertionError(f"{name}: the answers differ")
    theirs = sum(map(len, each(arcade, a, other)))
    if not turned and hits != theirs:
        raise AssertionError(f"{name}: {hits} hits, and {theirs} in arcade")
    return {
        "case": name,
        "sprites": "turned circles" if turned else "upright squares",
        "hits": hits,
        "arcade_hits": theirs,
        "collide_ms": median_ms(lambda: fast.collide(a, b), least),
        "hitmask_ms": median_ms(lambda: each(fast, a, other), least),
        "hitmask_hashed_ms": median_ms(lambda: each(fast, a, spatial), least),
        "arcade_ms": median_ms(lambda: each(arcade, a, other), least),
        "arcade_hashed_ms": median_ms(lambda: each(arcade, a, spatial), least),
    }


def main():
    quick = "--quick" in sys.argv
    least = 0.02 if quick else 1.0
    count = 200 if quick else 2000
    rows = []
    for turned in (False, True):
        bullets, ships = sprites(count, 8, 1000, 1, turned), sprites(50, 48, 1000, 2, turned)
        rows.append(row(f"{count} bullets and 50 ships", bullets, ships, turned, least))
        crowd = sprites(count, 16, int(24 * count**0.5), 3, turned)
        rows.append(row(f"all pairs of {count}", crowd, None, turned, least))
    versions = {"python": sys.version.split()[0], "arcade": arcade.__version__}
    json.dump({"versions": versions, "rows": rows}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
