"""Connected components of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_Integers = npt.NDArray[Any]


def groups(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[_Integers, _Integers]:
    """Returns the numbers that occur in pairs `(a[k], b[k])`, ascending, and of each the least that it is connected to.

    Connected are the two of a pair, and all that a chain of pairs connects. The answer does not depend on the order of
    the pairs.
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.ndim != 1 or not (a.dtype.kind in "iu" and b.dtype.kind in "iu"):
        raise TypeError(f"`a` and `b` must be integers of one shape (n,); they are {_kind(a)} and {_kind(b)}")
    numbers, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    return numbers, numbers[roots(len(numbers), places[: len(a)], places[len(a) :])]


def roots(count: int, a: _Integers, b: _Integers) -> _Integers:
    """Returns of each of the numbers below `count` the least that it is connected to by pairs."""
    root = np.arange(count)
    while True:
        # A root with a neighbour below it hangs itself under one of them; at least a root of each pair does.
        low, high = np.minimum(root[a], root[b]), np.maximum(root[a], root[b])
        differ = low != high
        if not differ.any():
            return root
        a, b = a[differ], b[differ]
        np.minimum.at(root, high[differ], low[differ])
        while (root[root] != root).any():
            root = root[root]


def _kind(array: _Integers) -> str:
    return f"{array.dtype} of shape {array.shape}"
