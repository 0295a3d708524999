"""Shapes in tables of Arrow: boxes, polygons and masks, each with an id.

| kind | columns besides `id` |
|---|---|
| boxes | `xmin`, `ymin`, `xmax`, `ymax` |
| polygons | `geometry`: lists of rings, the outline first, of corners: GeoArrow's polygons, `x` and `y` apart or not |
| masks | `x`, `y` (whole numbers, of the top left pixel), `height`, `width`, `counts` (COCO's run-length encoding) |
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import coco
from .._hitmask import SUBPIXELS, Error, Mask, Shape, _Polygons
from ._need import need

_Floats = npt.NDArray[np.float64]
_Numbers = npt.NDArray[np.int64]

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

#: What to do about geometries that are not read.
_HINT = (
    'geopandas makes them by `to_arrow(geometry_encoding="geoarrow")`, and writes them by the same argument of '
    "`to_parquet`; take MultiPolygons apart first, with `explode()`"
)

#: The types of geometries that are read.
_RIGHT = f"it must be lists of rings of corners: {_HINT}"


def columns(schema: Any, path: str) -> list[str]:
    """Returns the columns to read of a table's. Raises if one is there twice, or is of geometries but polygons."""
    names = schema.names
    read = next((["id", *kind] for kind in KINDS.values() if {"id", *kind} <= set(names)), None)
    if read is None:
        kinds = "; ".join(f"{kind} ({', '.join(names)})" for kind, names in KINDS.items())
        raise Error(f"{path} has the columns {', '.join(names)}; it must have `id` and those of a kind: {kinds}")
    for name in read:
        if names.count(name) > 1:
            raise Error(f"{path} has {names.count(name)} columns `{name}`; it must have one")
    if "geometry" in read:
        field = schema.field("geometry")
        # Extension types that pyarrow does not know are named in the metadata.
        named = (field.metadata or {}).get(b"ARROW:extension:name", b"geoarrow.polygon").decode()
        type = getattr(field.type, "extension_name", named)
        if type != "geoarrow.polygon":
            raise Error(f"{path}: `geometry` is of the type {type}; {_RIGHT}")
    return read


class Shapes:
    """The shapes of a table."""

    table: Any
    #: The polygons, if the table has them.
    polygons: _Polygons | None

    def __init__(self, table: Any, check: bool, threads: int = 0) -> None:
        """Reads a table.

        `check` says whether to raise for what only shows in the whole of a shape: a polygon with sides that cross each
        other, or counts of a mask that are not those of its size.
        """
        self.table = table = _without_views(table)
        self.polygons = None
        names = table.column_names
        for name in names:
            if table[name].null_count:
                whose = "a row" if name == "id" else _id(table, table[name].is_null().index(True).as_py())
                raise Error(f"`{name}` of {whose} is null")
        _check_ids(table)
        if "geometry" in names:
            self.polygons = _Polygons(_rings(table), table["id"].to_numpy(), check, threads)
            # A world may refuse these.
            self.made(self.polygons.unproven)
            return
        _check_sides(table, self.boxes, _MOST_PIXELS if "counts" in names else MOST_SIDE)
        if check and "counts" in names:
            # Raises for those that are wrong.
            _ = self.masks

    @cached_property
    def masks(self) -> list[coco.Masks]:
        """The mask of each, alone in its list, as sizes differ."""
        encodings = zip(*(self.table[name].to_pylist() for name in ("height", "width", "counts")))
        return [_mask(self.table, row, *encoding) for row, encoding in enumerate(encodings)]

    @cached_property
    def boxes(self) -> _Numbers:
        """The box of each in lattice steps: least x and y, then largest."""
        table = self.table
        if self.polygons is not None:
            return self.polygons.boxes
        if "counts" in table.column_names:
            # Whole numbers within the limit are exact.
            x, y, height, width = (_numbers(table, name).astype(np.float64) for name in ("x", "y", "height", "width"))
            return _lattice(table, np.stack([x, y, x + width, y + height], 1))
        return _lattice(table, np.stack([_numbers(table, name).astype(np.float64) for name in KINDS["boxes"]], 1))

    @property
    def extent(self) -> _Numbers:
        """The box around all, at least one."""
        if self.polygons is not None:
            return np.array(self.polygons.extent)
        return np.concatenate([self.boxes[:, :2].min(0), self.boxes[:, 2:].max(0)])

    def __len__(self) -> int:
        return len(self.table)

    def made(self, rows: npt.NDArray[Any]) -> tuple[list[Shape], _Floats]:
        """Returns the shapes at some rows, and where each lies, in units."""
        if not len(rows):
            return [], np.empty((0, 2))
        boxes = self.boxes[rows]
        whole = boxes[:, :2] // SUBPIXELS
        if self.polygons is not None:
            ids = self.table["id"].take(rows).to_pylist()
            return self.polygons.shapes(rows, ids), whole.astype(np.float64)
        if "counts" in self.table.column_names:
            made = [Shape.sprite(Mask.from_array(self.masks[row].to_array()[0])) for row in rows.tolist()]
            return made, whole.astype(np.float64)
        sides = (boxes[:, 2:] - boxes[:, :2]) / SUBPIXELS
        return [Shape.rect(width, height) for width, height in sides.tolist()], boxes[:, :2] / SUBPIXELS


def _without_views(table: Any) -> Any:
    """Returns a table without views of text, as polars has them: pyarrow cannot take rows of those."""
    arrow = need("pyarrow")
    types = {"binary_view": arrow.large_binary(), "string_view": arrow.large_string()}
    for place, field in enumerate(table.schema):
        if type := types.get(str(field.type)):
            table = table.set_column(place, field.name, table[field.name].cast(type))
    return table


def _rings(table: Any) -> list[tuple[_Floats, _Numbers, _Numbers]]:
    """Returns of each chunk of GeoArrow's polygons the corners, where rings begin, and where polygons begin."""
    found, before = [], 0
    for chunk in table["geometry"].chunks:
        if len(chunk):
            found.append(_rings_of(table, getattr(chunk, "storage", chunk), before))
            before += len(chunk)
    return found


def _rings_of(table: Any, array: Any, before: int) -> tuple[_Floats, _Numbers, _Numbers]:
    """Returns the corners of an array of polygons, where rings begin, and the ring at which each polygon begins.

    It is of the table, in which so many rows come before it.
    """
    arrow = need("pyarrow")
    levels: list[_Numbers] = []
    for what in ("ring", "corner"):
        if not (arrow.types.is_list(array.type) or arrow.types.is_large_list(array.type)):
            type = table["geometry"].type
            raise Error(f"`geometry` is of the type {type}; {_RIGHT}")
        offsets = array.offsets.to_numpy().astype(np.int64)
        # A slice of an array has the values of all of it.
        levels.append(offsets - offsets[0])
        array = array.values.slice(offsets[0], offsets[-1] - offsets[0])
        if array.null_count:
            place = array.is_null().index(True).as_py()
            for starts in reversed(levels):
                place = np.searchsorted(starts, place, "right") - 1
            raise Error(f"the polygon of {_id(table, before + place)} has a {what} that is null")
    if arrow.types.is_fixed_size_list(array.type) and array.type.list_size == 2:
        corners = array.flatten().to_numpy(zero_copy_only=False).reshape(-1, 2)
    elif arrow.types.is_struct(array.type) and [field.name for field in array.type] == ["x", "y"]:
        corners = np.stack([each.to_numpy(zero_copy_only=False) for each in array.flatten()], 1)
    else:
        raise Error(f"`geometry` has corners of the type {array.type}; they must be `x` and `y`, or two: {_HINT}")
    return np.require(corners, np.float64, ["C", "A"]), levels[1], levels[0]


def _mask(table: Any, place: int, height: int, width: int, counts: bytes | str) -> coco.Masks:
    """Reads a run-length encoding."""
    try:
        return coco.Masks.from_rle([{"size": [height, width], "counts": counts}])
    except (Error, TypeError) as error:
        raise Error(f"the mask of {_id(table, place)}: {str(error).removeprefix('`masks[0]`: ')}") from None


def _numbers(table: Any, name: str) -> npt.NDArray[Any]:
    """Returns a column of numbers."""
    array: npt.NDArray[Any] = table[name].to_numpy()
    if array.dtype.kind not in "iuf" or (name not in KINDS["boxes"] and array.dtype.kind == "f"):
        raise Error(f"`{name}` is of the type {table[name].type}")
    return array


def _lattice(table: Any, boxes: _Floats) -> _Numbers:
    """Returns boxes in lattice steps."""
    right = (np.abs(boxes) <= _MOST).all(1)
    if not right.all():
        place = int(right.argmin())
        raise Error(f"the shape of {_id(table, place)} has the coordinates {boxes[place].tolist()}; the limit is 2^40")
    return np.floor(boxes * SUBPIXELS + 0.5).astype(np.int64)


def _check_ids(table: Any) -> None:
    """Raises if an id is no integer of 64 bits."""
    if not need("pyarrow").types.is_integer(table["id"].type):
        first = f", the first {table['id'][0]}" if len(table) else ""
        raise Error(f"`id` is of the type {table['id'].type}{first}; it must be of integers")
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
