"""Masks of images, as computer vision has them: run-length encodings, polygons, arrays and label images of COCO.

>>> from hitmask import coco
>>> masks = coco.Masks.from_polygons([[[0, 0, 8, 0, 8, 8, 0, 8]], [[2, 2, 9, 2, 9, 9, 2, 9]]], height=10, width=10)
>>> masks.area.tolist()
[64, 49]
>>> coco.overlaps(masks, min_iou=0.4)["intersection"].tolist()
[36]

Answers are those of `pycocotools`, to the bit. Masks stay runs: no pixel is looked at where boxes do not meet, or where
areas alone decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._dtypes import OVERLAP
from ._hitmask import Masks, _groups, _iou, _overlaps

__all__ = ["OVERLAP", "Masks", "iou", "merge", "nms", "overlaps"]

#: Masks, a list of run-length encodings, or an array of bools of shape (n, height, width).
AnyMasks = Union[Masks, Sequence[dict[str, Any]], npt.NDArray[np.bool_], npt.NDArray[np.uint8]]


def overlaps(a: AnyMasks, b: AnyMasks | None = None, min_iou: float = 0.5) -> npt.NDArray[np.void]:
    """Returns the pairs of masks that share a pixel and whose intersection over union is at least `min_iou`, ascending.

    They are pairs of a mask of `a` and one of `b`; without `b`, pairs of two masks of `a`, each once. The array has the
    dtype `OVERLAP`: `i`, `j`, `intersection`, `iou`.
    """
    return _overlaps(_masks(a), None if b is None else _masks(b), min_iou)


def iou(a: AnyMasks, b: AnyMasks, iscrowd: npt.ArrayLike = False) -> npt.NDArray[np.float64]:
    """Returns the intersection over union of each mask of `a` with each of `b`, of shape (len(a), len(b)).

    Equals `pycocotools.mask.iou(a, b, iscrowd)`: where `iscrowd` is true for a mask of `b`, the intersection is divided
    by the area of the mask of `a` alone. `overlaps` takes far less memory.
    """
    crowds = np.asarray(iscrowd)
    if crowds.dtype.kind in "iu":
        crowds = crowds != 0
    return _iou(_masks(a), _masks(b), crowds)


def nms(
    masks: AnyMasks,
    scores: npt.ArrayLike,
    max_iou: float = 0.5,
    classes: npt.ArrayLike | None = None,
) -> npt.NDArray[np.uint32]:
    """Returns the indices of the masks that non-maximum suppression keeps, by descending score.

    A mask is suppressed by one of a higher score that is kept, if their intersection over union is above `max_iou` and
    they are of the same class. Of equal scores, the first comes first.
    """
    groups = _groups(_masks(masks), scores, max_iou, False, True, classes)
    return np.array([group[0] for group in groups], dtype=np.uint32)


def merge(
    masks: AnyMasks,
    scores: npt.ArrayLike,
    least: float = 0.5,
    smaller: bool = False,
    classes: npt.ArrayLike | None = None,
) -> list[npt.NDArray[np.uint32]]:
    """Returns groups of masks that are one thing, seen in several slices of an image: greedy non-maximum merging.

    By descending score, a mask that is in no group yet begins one, with all masks that are in no group, are of the same
    class, and overlap it by at least `least`: their intersection over union or, if `smaller`, over the smaller of the
    two. The mask of the highest score comes first in its group. `masks.union(groups)` makes a mask of each.
    """
    return _groups(_masks(masks), scores, least, smaller, False, classes)


def _masks(masks: AnyMasks) -> Masks:
    if isinstance(masks, Masks):
        return masks
    if isinstance(masks, np.ndarray):
        return Masks.from_array(masks)
    return Masks.from_rle(list(masks))
