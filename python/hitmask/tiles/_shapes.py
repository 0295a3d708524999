"""Shapes in tables of Arrow: boxes, polygons and masks, each with an id.

| kind | columns besides `id` |
|---|---|
| boxes | `xmin`, `ymin`, `xmax`, `ymax` |
| polygons | `geometry`: lists of rings, the outline first, of corners: GeoArrow's polygons, `x` and `y` apart or not |
| masks | `x`, `y` (whole numbers, of the top left pixel), `height`, `width`, `counts` (COCO's run-length encoding) |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import coco
from .._hitmask import SUBPIXELS, Error, Mask, Shape, _crossed, _polygons
from ._need import need

_Floats = npt.NDArray[np.float64]
_Numbers = npt.NDArray[np.int64]

#: Corners, where rings begin, and where polygons begin.
Arrays = tuple[npt.NDArray[Any], _Numbers, _Numbers]

#: The columns of each kind, besides `id`.
KINDS = {
    "polygons": ["geometry"],
    "boxes": ["xmin", "ymin", "xmax", "ymax"],
    "masks": ["x", "y", "height", "width", "counts"],
}

#: The largest coordinate, in units: lattice steps are then exact in float64.
_MOST = float(2**40)

#: The largest id.
_MOST_ID = np.iinfo(np.int64).max

#: The longest side of a shape, in units: a world ends at two million.
MOST_SIDE = 2**20

#: The longest side of a mask, in pixels.
_MOST_PIXELS = 8192

#: Odd numbers that part equal corners of different polygons, modulo 2^64.
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64).view(np.int64)

#: What to do about geometries that are not read.
_HINT = (
    'geopandas writes what is read by `to_parquet(path, geometry_encoding="geoarrow")`; '
    "take MultiPolygons apart first, with `explode()`"
)


def columns(names: list[str], path: str) -> list[str]:
    """Returns the columns to read of a table's."""
    for kind in KINDS.values():
        if {"id", *kind} <= set(names):
            return ["id", *kind]
    kinds = "; ".join(f"{kind} ({', '.join(names)})" for kind, names in KINDS.items())
    raise Error(f"{path} has the columns {', '.join(names)}; it must have `id` and those of a kind: {kinds}")


def boxes(table: Any, check: bool) -> _Numbers:
    """Returns the box of each shape in lattice steps: least x and y, then largest.

    `check` says whether to raise for what only shows in the whole of a shape: a polygon with sides that cross each
    other, or counts of a mask that are not those of its size.
    """
    names = table.column_names
    for name in names:
        if table[name].null_count:
            raise Error(f"`{name}` of {_id(table, table[name].is_null().index(True).as_py())} is null")
    _check_ids(table)
    if "geometry" in names:
        rings = _rings(table)
        empty = np.flatnonzero(np.diff(rings.of_polygons) == 0)
        if len(empty):
            raise Error(f"the polygon of {_id(table, empty[0])} is empty")
        starts = rings.of_polygons[:-1]
        lattice = _lattice(table, rings.corners, np.diff(rings.of_polygons))
        found = np.hstack([ufunc.reduceat(lattice, starts, axis=0) for ufunc in (np.minimum, np.maximum)])
    elif "counts" in names:
        # Whole numbers within the limit are exact.
        x, y, height, width = (_numbers(table, name).astype(np.float64) for name in ("x", "y", "height", "width"))
        found = _lattice(table, np.stack([x, y, x + width, y + height], 1))
    else:
        corners = [_numbers(table, name) for name in KINDS["boxes"]]
        found = _lattice(table, np.stack(corners, 1).astype(np.float64))
    _check_sides(table, found, _MOST_PIXELS if "counts" in names else MOST_SIDE)
    if check and "counts" in names:
        for row, mask in enumerate(_encodings(table)):
            _mask(table, row, *mask)
    if check and "geometry" in names:
        local = lattice - np.repeat(found[:, :2], np.diff(rings.of_polygons), axis=0)
        if (place := _crossed((local, rings.starts, rings.first))) is not None:
            raise Error(f"the polygon of {_id(table, place)} has no area, or sides that cross each other")
        doubtful = _doubtful(local, rings)
        shapes(table.take(doubtful), found[doubtful])
    return found


def polygons(table: Any, boxes: _Numbers, origin: _Numbers) -> Arrays:
    """Returns the corners of polygons in lattice steps from an origin in units, and where rings and polygons begin."""
    return _local(table, np.broadcast_to(origin * SUBPIXELS, (len(boxes), 2)))


def shapes(table: Any, boxes: _Numbers) -> tuple[list[Shape], _Floats]:
    """Returns each shape, and where it lies, in units."""
    names, whole = table.column_names, boxes[:, :2] // SUBPIXELS
    if "geometry" in names:
        corners, rings, starts = _local(table, whole * SUBPIXELS)
        made = _polygons((corners / SUBPIXELS, rings, starts), table["id"].to_pylist())
        return made, whole.astype(np.float64)
    if "counts" in names:
        return [_sprite(table, place, *mask) for place, mask in enumerate(_encodings(table))], whole.astype(np.float64)
    sides = (boxes[:, 2:] - boxes[:, :2]) / SUBPIXELS
    return [Shape.rect(width, height) for width, height in sides.tolist()], boxes[:, :2] / SUBPIXELS


class _Rings(NamedTuple):
    """The corners of polygons."""

    corners: _Floats
    #: The corner at which each ring begins, and the end of the last.
    starts: _Numbers
    #: The ring at which each polygon begins, and the end of the last.
    first: _Numbers

    @property
    def of_polygons(self) -> _Numbers:
        """The corner at which each polygon begins, and the end of the last."""
        return self.starts[self.first]


def _local(table: Any, origins: _Numbers) -> Arrays:
    """Returns the corners of polygons in lattice steps, each from an origin, and where rings and polygons begin."""
    rings = _rings(table)
    counts = np.diff(rings.of_polygons)
    return _lattice(table, rings.corners, counts) - np.repeat(origins, counts, axis=0), rings.starts, rings.first


def _doubtful(corners: _Numbers, rings: _Rings) -> _Numbers:
    """Returns the polygons with holes, spikes, or a corner that is met twice, and perhaps others, ascending.

    A world may refuse these, though no sides cross. `corners` are in lattice steps, each from its polygon's origin.
    """
    lengths = np.diff(rings.starts)
    of_ring = np.repeat(np.arange(len(lengths)), lengths)
    # Repeated corners of a ring, as that which closes it, are no corners.
    following = np.arange(1, len(corners) + 1)
    following[rings.starts[1:][lengths > 0] - 1] = rings.starts[:-1][lengths > 0]
    kept = (corners != corners[following]).any(1)
    corners, of_ring = corners[kept], of_ring[kept]
    starts = np.searchsorted(of_ring, np.arange(len(lengths) + 1))
    is_some = np.diff(starts) > 0
    following = np.arange(1, len(corners) + 1)
    following[starts[1:][is_some] - 1] = starts[:-1][is_some]
    along = corners[following] - corners
    x, y = along.T
    next_x, next_y = along[following].T
    of_polygon = np.searchsorted(rings.first, of_ring, "right") - 1
    is_spike = (x * next_y == y * next_x) & (x * next_x + y * next_y < 0)
    # One number for each corner, equal for equal corners: the others of which that is true cost time alone.
    keys = (of_polygon * _MIX[0] + corners[:, 0]) * _MIX[1] + corners[:, 1]
    ascending = np.sort(keys)
    is_shared = np.isin(keys, ascending[1:][ascending[1:] == ascending[:-1]])
    has_holes = np.flatnonzero(np.diff(rings.first) > 1)
    return np.unique(np.concatenate([has_holes, of_polygon[is_spike | is_shared]]))


def _rings(table: Any) -> _Rings:
    """Reads polygons of GeoArrow."""
    arrow, column = need("pyarrow"), table["geometry"]
    array = column.combine_chunks()
    array = getattr(array, "storage", array)
    levels: list[_Numbers] = []
    for what in ("ring", "corner"):
        if not (arrow.types.is_list(array.type) or arrow.types.is_large_list(array.type)):
            raise Error(f"`geometry` is of the type {column.type}; it must be lists of rings of corners: {_HINT}")
        offsets = array.offsets.to_numpy().astype(np.int64)
        # A slice of an array has the values of all of it.
        levels.append(offsets - offsets[0])
        array = array.values.slice(offsets[0], offsets[-1] - offsets[0])
        if array.null_count:
            place = array.is_null().index(True).as_py()
            for starts in reversed(levels):
                place = np.searchsorted(starts, place, "right") - 1
            raise Error(f"the polygon of {_id(table, place)} has a {what} that is null")
    if arrow.types.is_fixed_size_list(array.type) and array.type.list_size == 2:
        corners = array.flatten().to_numpy(zero_copy_only=False).reshape(-1, 2)
    elif arrow.types.is_struct(array.type) and [field.name for field in array.type] == ["x", "y"]:
        corners = np.stack([each.to_numpy(zero_copy_only=False) for each in array.flatten()], 1)
    else:
        raise Error(f"`geometry` has corners of the type {array.type}; they must be `x` and `y`, or two: {_HINT}")
    return _Rings(corners.astype(np.float64), levels[1], levels[0])


def _encodings(table: Any) -> Iterator[tuple[int, int, bytes | str]]:
    """Returns the height, the width and the run-length encoding of each mask."""
    return zip(*(table[name].to_pylist() for name in ("height", "width", "counts")))


def _sprite(table: Any, place: int, height: int, width: int, counts: bytes | str) -> Shape:
    """Makes a sprite of a run-length encoding."""
    return Shape.sprite(Mask.from_array(_mask(table, place, height, width, counts).to_array()[0]))


def _mask(table: Any, place: int, height: int, width: int, counts: bytes | str) -> coco.Masks:
    """Reads a run-length encoding."""
    try:
        return coco.Masks.from_rle([{"size": [height, width], "counts": counts}])
    except (Error, TypeError) as error:
        raise Error(f"the mask of {_id(table, place)}: {error}") from None


def _numbers(table: Any, name: str) -> npt.NDArray[Any]:
    """Returns a column of numbers."""
    array: npt.NDArray[Any] = table[name].to_numpy()
    if array.dtype.kind not in "iuf" or (name not in KINDS["boxes"] and array.dtype.kind == "f"):
        raise Error(f"`{name}` is of the type {table[name].type}")
    return array


def _lattice(table: Any, points: _Floats, counts: npt.NDArray[Any] | None = None) -> _Numbers:
    """Returns coordinates in lattice steps. `counts` is how many rows of points each shape has, by default one."""
    right = np.abs(points) <= _MOST
    if not right.all():
        point = int(right.all(1).argmin())
        place = point if counts is None else int(np.searchsorted(np.cumsum(counts), point, "right"))
        raise Error(f"the shape of {_id(table, place)} has the coordinates {points[point].tolist()}; the limit is 2^40")
    return np.floor(points * SUBPIXELS + 0.5).astype(np.int64)


def _check_ids(table: Any) -> None:
    """Raises if an id is no integer of 64 bits."""
    if not need("pyarrow").types.is_integer(table["id"].type):
        raise Error(f"`id` is of the type {table['id'].type}, the first {table['id'][0]}; it must be of integers")
    ids = table["id"].to_numpy()
    if ids.dtype == np.uint64 and ids.max(initial=0) > _MOST_ID:
        raise Error(f"`id` has the number {ids[int((ids > _MOST_ID).argmax())]}; it must be at most {_MOST_ID}")


def _check_sides(table: Any, boxes: _Numbers, most: int) -> None:
    """Raises if the sides of a box are not within the limits."""
    sides = boxes[:, 2:] - boxes[:, :2]
    if len(sides) and not (sides.min() > 0 and sides.max() <= most * SUBPIXELS):
        place = int(((sides > 0) & (sides <= most * SUBPIXELS)).all(1).argmin())
        wrong = (sides[place] / SUBPIXELS).tolist()
        raise Error(f"the shape of {_id(table, place)} has sides of {wrong}; each must be above 0, at most {most}")


def _id(table: Any, place: Any) -> str:
    return f"id {table['id'][int(place)]}"
