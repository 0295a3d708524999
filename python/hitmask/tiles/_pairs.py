"""Pairs of the shapes of one tile: functions of tables of Arrow and arrays, which any engine can schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._hitmask import SUBPIXELS, Ask, Engine, Touch, World, _meetings
from ._shapes import polygons, shapes

_Numbers = npt.NDArray[np.int64]

#: A table of shapes, and their boxes in lattice steps.
Shapes = tuple[Any, _Numbers]


def pairs(a: Shapes, b: Shapes | None, tile: tuple[int, int], side: int, included: bool) -> _Numbers:
    """Returns the ids of the pairs that a tile owns: of a shape of `a` and one of `b`, or of two of `a`.

    The tile has the column and row `tile`, and a `side` in units. It owns a pair if the least corner of the rectangle
    that both boxes share is in it. `included` says whether shapes that only touch are a pair.
    """
    origin = np.array(tile, np.int64) * side
    first, second = a, b or a

    def is_own(rows: _Numbers) -> npt.NDArray[np.bool_]:
        corners = np.maximum(first[1][rows[:, 0], :2], second[1][rows[:, 1], :2])
        is_in: npt.NDArray[np.bool_] = corners // (side * SUBPIXELS) == tile
        return is_in[:, 0] & is_in[:, 1]

    if "geometry" in first[0].column_names and "geometry" in second[0].column_names:
        meeting, overlap = _meetings(polygons(*first, origin), None if b is None else polygons(*second, origin))
        found = meeting.astype(np.int64)
        own = is_own(found)
        found, overlap = found[own], overlap[own]
        if not included and not overlap.all():
            touching = found[~overlap]
            found = np.concatenate([found[overlap], touching[_hit(touching, first, b, origin)]])
    else:
        found = _by_world(first, b, origin, included)
        found = found[is_own(found)]
    ids = [table["id"].to_numpy().astype(np.int64) for table, _ in (first, second)]
    return np.stack([ids[0][found[:, 0]], ids[1][found[:, 1]]], 1)


def _hit(rows: _Numbers, a: Shapes, b: Shapes | None, origin: _Numbers) -> npt.NDArray[np.bool_]:
    """Returns whether the interiors overlap of shapes at pairs of rows."""
    if b is None:
        used, place = np.unique(rows, return_inverse=True)
        found, place = _by_world(_take(a, used), None, origin, False), place.reshape(rows.shape)
    else:
        (used, first), (others, second) = (np.unique(column, return_inverse=True) for column in rows.T)
        found, place = _by_world(_take(a, used), _take(b, others), origin, False), np.stack([first, second], 1)
    # Each pair as one number.
    wanted, known = (pair[:, 0] << 32 | pair[:, 1] for pair in (place, found))
    return np.isin(wanted, known)


def _take(shapes: Shapes, rows: _Numbers) -> Shapes:
    return shapes[0].take(rows), shapes[1][rows]


def _by_world(a: Shapes, b: Shapes | None, origin: _Numbers, included: bool) -> _Numbers:
    """Returns the rows of pairs that hit each other as bodies of a world."""
    world = World(Touch.INCLUDED if included else Touch.EXCLUDED)
    both = [a] if b is None else [a, b]
    for place, each in enumerate(both):
        made, at = shapes(*each)
        layers, mask = (1, 1) if b is None else (1 + place, 2 - place)
        world.add_all(world.add_shapes(made), at - origin, layers=layers, mask=mask)
    found = Engine.cpu(threads=1).run(world, Ask.PAIRS).pairs.astype(np.int64)
    return found if b is None else found - np.array([0, len(a[1])], np.int64)
