"""Shapes in tables of Arrow: boxes, polygons and masks, each with an id.

| kind | columns besides `id` |
|---|---|
| boxes | `xmin`, `ymin`, `xmax`, `ymax` |
| polygons | `geometry`: lists of rings, the outline first, of corners: GeoArrow's polygons, `x` and `y` apart or not |
| masks | `x`, `y` (whole numbers, of the top left pixel), `height`, `width`, `counts` (COCO's run-length encoding) |
"""

from __future__ import annotations

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

#: The columns of each kind.
KINDS = {
    "polygons": ["geometry"],
    "boxes": ["xmin", "ymin", "xmax", "ymax"],
    "masks": ["x", "y", "height", "width", "counts"],
}

#: The largest coordinate, in units: lattice steps are then exact in float64.
_MOST = float(2**40)

#: The longest side of a shape, in units: a world ends at two million.
MOST_SIDE = 2**20


def columns(names: list[str], path: str) -> list[str]:
    """Returns the columns to read of a table's."""
    for kind in KINDS.values():
        if {"id", *kind} <= set(names):
            return ["id", *kind]
    kinds = "; ".join(f"{kind} ({', '.join(names)})" for kind, names in KINDS.items())
    raise Error(f"{path} has the columns {', '.join(names)}; it must have `id` and those of a kind: {kinds}")


def boxes(table: Any, check: bool) -> _Numbers:
    """Returns the box of each shape in lattice steps: least x and y, then largest.

    `check` says whether to raise if sides of a polygon cross each other.
    """
    names = table.column_names
    for name in names:
        if table[name].null_count:
            raise Error(f"`{name}` of {_id(table, table[name].is_null().index(True).as_py())} is null")
    if "geometry" in names:
        rings = _rings(table["geometry"])
        empty = np.flatnonzero(np.diff(rings.of_polygons) == 0)
        if len(empty):
            raise Error(f"the polygon of {_id(table, empty[0])} is empty")
        starts = rings.of_polygons[:-1]
        lattice = _lattice(table, rings.corners, np.diff(rings.of_polygons))
        found = np.hstack([ufunc.reduceat(lattice, starts, axis=0) for ufunc in (np.minimum, np.maximum)])
    elif "counts" in names:
        x, y, height, width = (_numbers(table, name).astype(np.int64) for name in ("x", "y", "height", "width"))
        found = _lattice(table, np.stack([x, y, x + width, y + height], 1).astype(np.float64))
    else:
        corners = [_numbers(table, name) for name in KINDS["boxes"]]
        found = _lattice(table, np.stack(corners, 1).astype(np.float64))
    _check_sides(table, found)
    if check and "geometry" in names:
        local = lattice - np.repeat(found[:, :2], np.diff(rings.of_polygons), axis=0)
        if (place := _crossed((local, rings.starts, rings.first))) is not None:
            raise Error(f"the polygon of {_id(table, place)} has no area, or sides that cross each other")
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
        sizes = zip(*(table[name].to_pylist() for name in ("height", "width", "counts")))
        return [_sprite(table, place, *mask) for place, mask in enumerate(sizes)], whole.astype(np.float64)
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
    rings = _rings(table["geometry"])
    counts = np.diff(rings.of_polygons)
    return _lattice(table, rings.corners, counts) - np.repeat(origins, counts, axis=0), rings.starts, rings.first


def _rings(column: Any) -> _Rings:
    """Reads polygons of GeoArrow."""
    arrow = need("pyarrow")
    array = column.combine_chunks()
    array = getattr(array, "storage", array)
    levels = []
    for _ in range(2):
        if not (arrow.types.is_list(array.type) or arrow.types.is_large_list(array.type)):
            raise Error(f"`geometry` is of the type {column.type}; it must be lists of rings of corners")
        offsets = array.offsets.to_numpy().astype(np.int64)
        # A slice of an array has the values of all of it.
        levels.append(offsets - offsets[0])
        array = array.values.slice(offsets[0], offsets[-1] - offsets[0])
    if arrow.types.is_fixed_size_list(array.type) and array.type.list_size == 2:
        corners = array.flatten().to_numpy(zero_copy_only=False).reshape(-1, 2)
    elif arrow.types.is_struct(array.type) and [field.name for field in array.type] == ["x", "y"]:
        corners = np.stack([each.to_numpy(zero_copy_only=False) for each in array.flatten()], 1)
    else:
        raise Error(f"`geometry` has corners of the type {array.type}; they must be `x` and `y`, or lists of two")
    return _Rings(corners.astype(np.float64), levels[1], levels[0])


def _sprite(table: Any, place: int, height: int, width: int, counts: bytes | str) -> Shape:
    """Makes a sprite of a run-length encoding."""
    try:
        masks = coco.Masks.from_rle([{"size": [height, width], "counts": counts}])
        return Shape.sprite(Mask.from_array(masks.to_array()[0]))
    except Error as error:
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


def _check_sides(table: Any, boxes: _Numbers) -> None:
    """Raises if the sides of a box are not within the limits."""
    sides = boxes[:, 2:] - boxes[:, :2]
    if len(sides) and not (sides.min() > 0 and sides.max() <= MOST_SIDE * SUBPIXELS):
        place = int(((sides > 0) & (sides <= MOST_SIDE * SUBPIXELS)).all(1).argmin())
        wrong = (sides[place] / SUBPIXELS).tolist()
        raise Error(f"the shape of {_id(table, place)} has sides of {wrong}; each must be above 0, to 2^20")


def _id(table: Any, place: Any) -> str:
    return f"id {table['id'][int(place)]}"
