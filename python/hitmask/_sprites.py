"""All pairs of turned and scaled sprites, for the modules of game libraries."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from ._hitmask import Engine, Mask, Shape, World, linears

_Floats = npt.NDArray[np.float64]

#: The mask of each sprite, and its position, angle in degrees, and scale in x and y, with y pointing down.
Placed = tuple[list[Mask], _Floats, _Floats, _Floats]

_engine: list[Engine] = []


def centred(mask: Mask) -> Shape:
    """Returns a sprite that is placed by its centre and turns about it."""
    width, height = mask.size
    return Shape.sprite(mask).anchored((width / 2, height / 2))


def pairs(a: list[Any], b: list[Any] | None, place: Callable[[list[Any]], Placed]) -> list[tuple[Any, Any]]:
    """Returns the pairs of sprites that share a pixel, in the order of the lists: of `a` with itself if `b` is None."""
    world = World()
    shapes: dict[int, Any] = {}
    groups = [(a, 1, 3 if b is None else 2), (b or [], 2, 1)]
    # Kept until the end, as shapes are found by the addresses of masks.
    placed = [(place(sprites), layers, hit) for sprites, layers, hit in groups if sprites]
    for (masks, at, degrees, scale), layers, hit in placed:
        for mask in masks:
            if id(mask) not in shapes:
                shapes[id(mask)] = world.add_shape(centred(mask))
        used = [shapes[id(mask)] for mask in masks]
        world.add_all(used, at, linear=linears(degrees, scale), layers=layers, mask=hit)
    if not _engine:
        _engine.append(Engine.auto())
    both = a if b is None else a + b
    found = _engine[0].run(world).pairs.tolist()
    return [(both[i], both[j]) for i, j in found]
