"""Connected components of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_Integers = npt.NDArray[Any]

#: An instance: the number of its tile, row by row, and its number there.
INSTANCE = np.dtype([("tile", "<u4"), ("label", "<i8")])


def groups(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[_Integers, _Integers]:
    """Returns the numbers that occur in pairs `(a[k], b[k])`, ascending, and of each the least that it is connected to.

    Connected are the two of a pair, and all that a chain of pairs connects. The answer does not depend on the order of
    the pairs.
    """
    a, b = (_integers(each) for each in (a, b))
    if a.shape != b.shape or a.ndim != 1 or not (a.dtype.kind in "iu" and b.dtype.kind in "iu"):
        raise TypeError(f"`a` and `b` must be integers of one shape (n,); they are {_kind(a)} and {_kind(b)}")
    if np.result_type(a, b).kind not in "iu":
        raise TypeError(f"`a` and `b` are {a.dtype} and {b.dtype}, which have no integers in common; cast one of them")
    numbers, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    return numbers, numbers[roots(len(numbers), places[: len(a)], places[len(a) :])]


def components(edges: npt.NDArray[np.void]) -> tuple[npt.NDArray[np.void], _Integers]:
    """Returns the instances that have an edge, and of each the place of the least that it is connected to.

    `edges` are those of `overlaps` and `match`. Instances have the dtype `INSTANCE` and ascend by tile, then by label.
    """
    tiles, labels = (np.concatenate([edges[f"{name}_{end}"] for end in "ab"]) for name in ("tile", "label"))
    order = np.lexsort((labels, tiles))
    tiles, labels = tiles[order], labels[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = (tiles[1:] != tiles[:-1]) | (labels[1:] != labels[:-1])
    places = np.empty(len(order), np.int64)
    places[order] = np.cumsum(first) - 1
    instances = np.empty(np.count_nonzero(first), INSTANCE)
    instances["tile"], instances["label"] = tiles[first], labels[first]
    return instances, roots(len(instances), places[: len(edges)], places[len(edges) :])


def roots(count: int, a: _Integers, b: _Integers) -> _Integers:
    """Returns of each of the numbers below `count` the least that it is connected to by pairs."""
    root = np.arange(count, dtype=np.int64)
    while True:
        # Each root with a smaller neighbour is attached to one of them.
        low, high = np.minimum(root[a], root[b]), np.maximum(root[a], root[b])
        differ = low != high
        if not differ.any():
            return root
        a, b = a[differ], b[differ]
        np.minimum.at(root, high[differ], low[differ])
        while (root[root] != root).any():
            root = root[root]


def _integers(values: npt.ArrayLike) -> _Integers:
    array = np.asarray(values)
    # An empty list has no type.
    return array if array.size else array.astype(np.int64)


def _kind(array: _Integers) -> str:
    return f"{array.dtype} of shape {array.shape}"
