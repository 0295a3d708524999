"""Times of pygame's collision functions and of hitmask's, side by side, with the same answers. Prints JSON.

Usage: python sprites.py [--quick]
"""

import json
import os
import sys

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import numpy as np
import pygame
from timing import median_ms

import hitmask.pygame as fast


def sprites(count, size, field, seed):
    """Returns a group of sprites that share an image and a mask, as those of a game mostly do."""
    random = np.random.default_rng(seed)
    image = pygame.Surface((size, size), pygame.SRCALPHA)
    pygame.draw.circle(image, (255, 255, 255, 255), (size / 2, size / 2), size / 2)
    mask, group = pygame.mask.from_surface(image), pygame.sprite.Group()
    for x, y in random.integers(0, field, (count, 2)).tolist():
        sprite = pygame.sprite.Sprite(group)
        sprite.image, sprite.mask, sprite.rect = image, mask, pygame.Rect(x, y, size, size)
    return group


def groups(name, a, b, least, compared):
    """Times `groupcollide` of two groups, by rectangles and by masks."""
    rows = []
    for rule, theirs in [("rect", None), ("mask", pygame.sprite.collide_mask)]:
        ours = fast.groupcollide(a, b, False, False, theirs)
        row = {"case": name, "rule": rule, "a": len(a), "b": len(b), "hits": sum(map(len, ours.values()))}
        row["hitmask_ms"] = median_ms(lambda rule=theirs: fast.groupcollide(a, b, False, False, rule), least)
        if compared:
            if ours != pygame.sprite.groupcollide(a, b, False, False, theirs):
                raise AssertionError(f"{name}, {rule}: the answers differ")
            row["pygame_ms"] = median_ms(
                lambda rule=theirs: pygame.sprite.groupcollide(a, b, False, False, rule), least
            )
            row["times_faster"] = round(row["pygame_ms"] / row["hitmask_ms"], 1)
        rows.append(row)
    return rows


def alone(count, least, compared):
    """Times all pairs of one group; pygame has no function for that, and compares the group with itself."""
    group = sprites(count, 16, int(24 * count**0.5), 3)
    row = {"case": "all pairs of one group", "rule": "mask", "a": count, "hits": len(fast.collide(group))}
    row["hitmask_ms"] = median_ms(lambda: fast.collide(group), least)
    if compared:
        theirs = lambda: pygame.sprite.groupcollide(group, group, False, False, pygame.sprite.collide_mask)
        if (sum(map(len, theirs().values())) - count) / 2 != row["hits"]:
            raise AssertionError("the answers differ")
        row["pygame_ms"] = median_ms(theirs, 0)
    return row


def main():
    quick = "--quick" in sys.argv
    least = 0.02 if quick else 1.0
    scale = 10 if quick else 1
    rows = groups("bullets and ships", sprites(2000 // scale, 8, 1000, 1), sprites(50, 48, 1000, 2), least, True)
    rows += groups("crowds", sprites(2000 // scale, 16, 1000, 1), sprites(2000 // scale, 16, 1000, 2), least, True)
    rows.append(alone(1000 // scale, least, True))
    rows.append(alone(100_000 // scale, least, False))
    versions = {"python": sys.version.split()[0], "pygame-ce": pygame.version.ver}
    json.dump({"versions": versions, "rows": rows}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
