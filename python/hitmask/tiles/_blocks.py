"""Work on one block of labels: functions of arrays, which any engine can schedule."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import coco
from .._hitmask import Error
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
    shape = of.bottom - of.top, of.right - of.left
    if block.shape != shape:
        raise Error(f"a block of `labels` is of shape {block.shape}; it must be of shape {shape}, as its chunks say")
    rows, columns = slice(part.top - of.top, part.bottom - of.top), slice(part.left - of.left, part.right - of.left)
    pixels = np.array(block[rows, columns], order="C")
    if pixels.dtype.kind not in "biu":
        raise Error(f"a block of `labels` is of {pixels.dtype}; it must be of integers, as `labels` is")
    _check_most(pixels, "labels")
    return pixels.view(np.uint8) if pixels.dtype == np.bool_ else pixels


def survey(block: Labels, of: Rect, core: Rect, width: int) -> tuple[_Numbers, _Numbers, int]:
    """Returns the instances of a tile's core, ascending, where the first pixel of each is in the image, and a checksum.

    Pixels are numbered row by row, in an image of a width. The checksum is that of the core.
    """
    pixels = cut(block, of, core)
    labels, first, _ = _instances(pixels, core, width)
    return labels, first, zlib.crc32(pixels.data)


def renumber(
    block: Labels, row: _Numbers, table: tuple[_Numbers, _Numbers], checksum: int, of: Rect, core: Rect, width: int
) -> _Numbers:
    """Returns a tile's core with new numbers.

    `row` are the first pixels of all that begins in the row of tiles, after one number: that of the first of them.
    `table` has the numbers of instances with an edge. `checksum` is that of the core when it was surveyed.
    """
    pixels = cut(block, of, core)
    if zlib.crc32(pixels.data) != checksum:
        raise Error("`labels` gave other values when read again; store it first")
    labels, first, runs = _instances(pixels, core, width)
    numbers = row[0] + np.searchsorted(row[1:], first)
    known = np.isin(labels, table[0], assume_unique=True)
    numbers[known] = table[1][np.searchsorted(table[0], labels[known])]
    low, high = _range(labels)
    if _is_dense(low, high, pixels.size):
        new = np.zeros(high - low + 1, np.int64)
        new[labels] = numbers
        return new[pixels]
    starts, values = runs
    each = np.zeros(len(values), np.int64)
    each[values != 0] = numbers[np.searchsorted(labels, values[values != 0])]
    return np.repeat(each, np.diff(starts, append=pixels.size)).reshape(pixels.shape)


def _instances(pixels: Labels, core: Rect, width: int) -> tuple[_Numbers, _Numbers, tuple[_Numbers, _Numbers]]:
    """Returns the instances of a core, ascending, and the first pixel of each in the image.

    The third is where runs of equal pixels begin, row by row, and their values.
    """
    flat = pixels.reshape(-1)
    starts = np.concatenate([np.zeros(min(1, len(flat)), np.int64), np.flatnonzero(flat[1:] != flat[:-1]) + 1])
    values = flat[starts].astype(np.int64)
    low, high = _range(values)
    if _is_dense(low, high, len(values)):
        places = np.full(high - low + 1, _MOST, np.int64)
        np.minimum.at(places, values, starts)
        labels = np.flatnonzero(places < _MOST)
        labels = np.sort(np.where(labels > high, labels - len(places), labels))
        places = places[labels]
    else:
        labels, places = np.unique(values, return_index=True)
        places = starts[places]
    labels, places = labels[labels != 0], places[labels != 0]
    columns = max(core.right - core.left, 1)
    first = (core.top + places // columns) * width + core.left + places % columns
    return labels, first, (starts, values)


def _check_most(pixels: Labels, name: str) -> None:
    """Raises if a number does not fit."""
    if pixels.dtype == np.uint64 and pixels.size and pixels.max() > _MOST:
        raise Error(f"`{name}` has the number {pixels.max()}; it must be at most {_MOST}")


def _range(numbers: _Numbers) -> tuple[int, int]:
    """Returns the least and the largest of some numbers and 0."""
    return int(numbers.min(initial=0)), int(numbers.max(initial=0))


def _is_dense(low: int, high: int, count: int) -> bool:
    """Returns whether a table from `low` to `high` is worth it; its negative indices count from the end."""
    return high - low <= 4 * count
