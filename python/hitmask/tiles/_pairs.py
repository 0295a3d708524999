"""Pairs of shapes of tables of Arrow, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .._hitmask import SUBPIXELS, Ask, Engine, Error, Touch, World
from ._need import need
from ._shapes import MOST_SIDE, Shapes, columns

_Numbers = npt.NDArray[np.int64]

#: The longest side of a tile, in units, of which shapes reach out: two of polygons are compared by whole numbers of 32
#: bits, others in a world.
_SIDE_OF_POLYGONS = 2 * MOST_SIDE
_SIDE = MOST_SIDE // 2

#: Rows of tables, and pairs of rows.
_Rows = npt.NDArray[Any]

#: A tile of the plane, by column and row, in tiles.
Tile = tuple[int, int]


def pairs(a: Any, b: Any = None, *, touch: Touch = Touch.EXCLUDED) -> _Numbers:
    """Finds the pairs of shapes of two tables that hit each other: an array of ids of shape (n, 2), ascending.

    `a` and `b` are tables of pyarrow, or other objects with `__arrow_c_stream__`, with the columns that the files of
    `join` have; `GeoDataFrame.to_arrow(geometry_encoding="geoarrow")` returns one. Without `b`, pairs are of two shapes
    of `a`, each once, the lesser id first. Two shapes hit each other as bodies of a `World` of this `touch` do.

    Coordinates are rounded, and `Error` is raised, as for `join`. The message names the id, and the argument too unless
    a polygon is only refused where it is compared.
    """
    check_touch(touch)
    first, second = _read("a", a), None if b is None else _read("b", b)
    both = [first, first if second is None else second]
    if not all(map(len, both)):
        return np.empty((0, 2), np.int64)
    extents = np.stack([shapes.extent for shapes in both])
    origin = extents[:, :2].min(0) // SUBPIXELS
    end = extents[:, 2:].max(0) - origin * SUBPIXELS
    included = touch == Touch.INCLUDED
    side = _SIDE if any(shapes.polygons is None for shapes in both) else _SIDE_OF_POLYGONS
    if (end <= side * SUBPIXELS).all():
        return ascending(pairs_of_tile(first, second, origin, None, included), b is None)
    found = [np.empty((0, 2), np.int64)]
    for tile, of_a, of_b in _parts(first, second, origin, side):
        found.append(pairs_of_tile(of_a, of_b, origin + np.array(tile) * side, side, included))
    return ascending(np.concatenate(found), b is None)


def _parts(a: Shapes, b: Shapes | None, origin: _Numbers, side: int) -> Iterator[tuple[Tile, Shapes, Shapes | None]]:
    """Yields each tile that may have pairs, and the shapes of each table there."""
    both = [a] if b is None else [a, b]
    tables = [shapes.table.combine_chunks() for shapes in both]
    tiles = [dict(by_tile(shapes.boxes - np.tile(origin * SUBPIXELS, 2), side)) for shapes in both]
    for tile in tiles[0].keys() & tiles[-1].keys():
        rows = [of_table[tile] for of_table in tiles]
        if b is None and len(rows[0]) == 1:
            continue
        first, *other = (Shapes(table.take(some), False) for table, some in zip(tables, rows))
        yield tile, first, other[0] if other else None


def check_touch(touch: object) -> None:
    """Raises if an argument is no `Touch`."""
    if not isinstance(touch, Touch):
        raise TypeError(f"`touch` must be a `Touch`; it is {touch!r}")


def _read(name: str, argument: Any) -> Shapes:
    """Reads an argument, and names it if it is wrong."""
    arrow = need("pyarrow")
    try:
        table = arrow.table(argument)
    except (TypeError, ValueError) as error:
        raise TypeError(f"`{name}` must be a table of Arrow; it is {type(argument).__qualname__}") from error
    try:
        return Shapes(table.select(columns(table.schema, f"`{name}`")), True)
    except Error as error:
        raise Error(f"`{name}`: {error}" if not str(error).startswith(f"`{name}`") else str(error)) from None


def by_tile(boxes: _Numbers, side: int) -> Iterator[tuple[Tile, _Numbers]]:
    """Yields the rows of the boxes that meet each tile, whose `side` is in units."""
    tiles = boxes // (side * SUBPIXELS)
    wide, high = (tiles[:, 2:] - tiles[:, :2] + 1).T
    rows = np.repeat(np.arange(len(boxes), dtype=np.int64), wide * high)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(wide * high) - wide * high, wide * high)
    x = tiles[rows, 0] + place % wide[rows]
    y = tiles[rows, 1] + place // wide[rows]
    order = np.lexsort((rows, y, x))
    x, y, rows = x[order], y[order], rows[order]
    starts = np.flatnonzero(np.diff(x, prepend=x[0] - 1) | np.diff(y, prepend=y[0] - 1))
    for start, of_tile in zip(starts, np.split(rows, starts[1:])):
        yield (int(x[start]), int(y[start])), of_tile


def ascending(ids: _Numbers, itself: bool) -> _Numbers:
    """Returns pairs of ids in their order; those of one table with the lesser id first."""
    first, second = ids.T
    if itself and (first > second).any():
        ids.sort(1)
    rises = (first[1:] > first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] >= second[:-1]))
    return ids if rises.all() else ids[np.lexsort((second, first))]


def pairs_of_tile(
    a: Shapes, b: Shapes | None, origin: _Numbers, side: int | None, included: bool, threads: int = 0
) -> _Numbers:
    """Returns the ids of the pairs that a tile owns: of a shape of `a` and one of `b`, or of two of `a`.

    The tile begins at `origin` and has a `side`, both in units. It owns a pair if the least corner of the rectangle
    that both boxes share is in it; without a side, it owns all pairs. `included` says whether shapes that only touch
    are a pair.
    """
    first, second = a, b or a
    found: _Rows

    def owned(rows: _Rows) -> npt.NDArray[np.bool_] | slice:
        if side is None:
            return slice(None)
        corners = np.maximum(first.boxes[rows[:, 0], :2], second.boxes[rows[:, 1], :2]) - origin * SUBPIXELS
        is_in: npt.NDArray[np.bool_] = (corners >= 0) & (corners < side * SUBPIXELS)
        return is_in[:, 0] & is_in[:, 1]

    if first.polygons is not None and second.polygons is not None:
        found, hit = first.polygons.meetings(None if b is None else second.polygons, threads)
        kept = owned(found)
        found, hit = found[kept], hit[kept]
        if not included and not hit.all():
            hit[~hit] = _hit(found[~hit], a, b, threads)
            found = found[hit]
    else:
        all_of_a, all_of_b = (np.arange(len(shapes)) for shapes in (first, second))
        found = _by_world((first, all_of_a), None if b is None else (b, all_of_b), origin, included, threads)
        found = found[owned(found)]
    ids = [shapes.table["id"].to_numpy().astype(np.int64) for shapes in (first, second)]
    return np.stack([ids[0][found[:, 0]], ids[1][found[:, 1]]], 1)


def _hit(rows: _Rows, a: Shapes, b: Shapes | None, threads: int) -> npt.NDArray[np.bool_]:
    """Returns whether the interiors overlap of shapes at pairs of rows, whose closed boxes meet."""
    second = a if b is None else b
    corners = np.maximum(a.boxes[rows[:, 0], :2], second.boxes[rows[:, 1], :2])
    tiles, of_pair = np.unique(corners // (_SIDE * SUBPIXELS), axis=0, return_inverse=True)
    hit = np.empty(len(rows), np.bool_)
    for at, tile in enumerate(tiles):
        own = of_pair.reshape(-1) == at
        hit[own] = _hit_in_world(rows[own], a, b, tile * _SIDE, threads)
    return hit


def _hit_in_world(rows: _Rows, a: Shapes, b: Shapes | None, origin: _Numbers, threads: int) -> npt.NDArray[np.bool_]:
    """Does that for pairs that one world can have."""
    if b is None:
        used, place = np.unique(rows, return_inverse=True)
        found, place = _by_world((a, used), None, origin, False, threads), place.reshape(rows.shape)
    else:
        (used, first), (others, second) = (np.unique(column, return_inverse=True) for column in rows.T)
        found, place = _by_world((a, used), (b, others), origin, False, threads), np.stack([first, second], 1)
    # Each pair as one number.
    wanted, known = (pair[:, 0] << 32 | pair[:, 1] for pair in (place, found))
    return np.isin(wanted, known)


def _by_world(
    a: tuple[Shapes, _Rows], b: tuple[Shapes, _Rows] | None, origin: _Numbers, included: bool, threads: int
) -> _Numbers:
    """Returns the places in `rows` of shapes that hit each other as bodies of a world."""
    world = World(Touch.INCLUDED if included else Touch.EXCLUDED)
    both = [a] if b is None else [a, b]
    for place, (shapes, rows) in enumerate(both):
        made, at = shapes.made(rows)
        layers, mask = (1, 1) if b is None else (1 + place, 2 - place)
        world.add_all(world.add_shapes(made), at - origin, layers=layers, mask=mask)
    found = Engine.cpu(threads=threads).run(world, Ask.PAIRS).pairs.astype(np.int64)
    return found if b is None else found - np.array([0, len(a[1])], np.int64)
