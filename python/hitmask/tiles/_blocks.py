"""Work on one block of labels: functions of arrays, which any engine can schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import coco
from .._hitmask import Error, _renumber, _survey
from ._grid import Rect

Labels = npt.NDArray[Any]
_Numbers = npt.NDArray[np.int64]

#: The largest number of an instance.
_MOST = np.iinfo(np.int64).max

#: Two instances of different tiles that are the same: the number of each tile, row by row, and of the instance there;
#: the pixels that both have within the rectangle that the tiles share, and these over the pixels of either within it.
EDGE = np.dtype(
    [
        ("tile_a", "<u4"),
        ("label_a", "<i8"),
        ("tile_b", "<u4"),
        ("label_b", "<i8"),
        ("intersection", "<u4"),
        ("iou", "<f8"),
    ]
)


def match(a: Labels, b: Labels, min_iou: float = 0.3, tiles: tuple[int, int] = (0, 1)) -> npt.NDArray[np.void]:
    """Returns which instances of two tiles are the same, ascending by their numbers, with the dtype `EDGE`.

    `a` and `b` are the labels that the tiles numbered `tiles` have of the same pixels: those that both cover. 0 is
    background.
    """
    if a.shape != b.shape:
        raise Error(f"`b` is of shape {b.shape}; it must be of shape {a.shape}, as `a`")
    _check_most(a, "a")
    _check_most(b, "b")
    masks_a, labels_a = coco.Masks.from_labels(a)
    masks_b, labels_b = coco.Masks.from_labels(b)
    found = coco.overlaps(masks_a, masks_b, min_iou)
    edges = np.empty(len(found), EDGE)
    edges["tile_a"], edges["tile_b"] = tiles
    edges["label_a"], edges["label_b"] = labels_a[found["i"]], labels_b[found["j"]]
    edges["intersection"], edges["iou"] = found["intersection"], found["iou"]
    return edges


def match_all(borders: list[list[Labels]], pairs: list[tuple[int, int]], least: float) -> npt.NDArray[np.void]:
    """Returns the edges of pairs of tiles, from the two cuts of each."""
    found = [match(a, b, least, tiles) for (a, b), tiles in zip(borders, pairs)]
    return np.concatenate([np.empty(0, EDGE), *found])


def cut(block: Labels, of: Rect, part: Rect) -> Labels:
    """Returns a copy of a part of a block: a view would keep all of it."""
    return np.array(_view(block, of, part), order="C")


def survey(block: Labels, of: Rect, core: Rect, width: int) -> tuple[_Numbers, _Numbers, int]:
    """Returns the instances of a tile's core, ascending, where the first pixel of each is in the image, and a checksum.

    Pixels are numbered row by row, in an image of a width. The checksum is that of the core.
    """
    labels, places, checksum = _survey(_view(block, of, core))
    rows, columns = np.divmod(places, max(core.right - core.left, 1))
    return labels, (core.top + rows) * width + core.left + columns, checksum


def renumber(
    block: Labels, row: _Numbers, table: tuple[_Numbers, _Numbers], checksum: int, of: Rect, core: Rect, width: int
) -> _Numbers:
    """Returns a tile's core with new numbers.

    `row` are the first pixels of all that begins in the row of tiles, after one number: that of the first of them.
    `table` has the numbers of instances with an edge. `checksum` is that of the core when it was surveyed.
    """
    origin = core.top * width + core.left
    # What dask has sent may lie at any address.
    known, numbers, firsts = (np.require(each, np.int64, ["C", "A"]) for each in (*table, row[1:]))
    image, found = _renumber(_view(block, of, core), known, numbers, firsts, int(row[0]), origin, width)
    if found != checksum:
        raise Error("`labels` gave other values when read again; store it first")
    return image


def _view(block: Labels, of: Rect, part: Rect) -> Labels:
    """Returns a part of a block, without a copy where that can be."""
    shape = of.bottom - of.top, of.right - of.left
    if block.shape != shape:
        raise Error(f"a block of `labels` is of shape {block.shape}; it must be of shape {shape}, as its chunks say")
    rows, columns = slice(part.top - of.top, part.bottom - of.top), slice(part.left - of.left, part.right - of.left)
    pixels = np.asarray(block[rows, columns])
    if pixels.dtype.kind not in "biu":
        raise Error(f"a block of `labels` is of {pixels.dtype}; it must be of integers, as `labels` is")
    if not (pixels.dtype.isnative and pixels.flags.aligned):
        pixels = pixels.astype(pixels.dtype.newbyteorder("="))
    _check_most(pixels, "labels")
    return pixels.view(np.uint8) if pixels.dtype == np.bool_ else pixels


def _check_most(pixels: Labels, name: str) -> None:
    """Raises if a number does not fit."""
    if pixels.dtype == np.uint64 and pixels.size and pixels.max() > _MOST:
        raise Error(f"`{name}` has the number {pixels.max()}; it must be at most {_MOST}")
