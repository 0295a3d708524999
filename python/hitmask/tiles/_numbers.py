"""The numbers of instances in a stitched image: 1, 2, 3, ... by the first pixel of each, row by row.

They are found without a list of all instances in one place. Only instances with an edge meet in one task; the others
are counted for each row of tiles, in which the first pixels of all its instances lie.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._groups import roots

_Numbers = npt.NDArray[np.int64]
_Edges = npt.NDArray[np.void]

#: What `survey` returns of a tile's core.
Surveyed = tuple[_Numbers, _Numbers, int]

#: In place of the first pixel of an instance that has none in its tile's core.
_NOWHERE = np.iinfo(np.int64).max


class Joined(NamedTuple):
    """The instances that have an edge, and what they become."""

    #: Of each tile, the instances, ascending.
    labels: list[_Numbers]
    #: Of each tile, the place in `keys` of what each instance becomes.
    components: list[_Numbers]
    #: The first pixel of each connected component, ascending; at most one is `_NOWHERE`.
    keys: _Numbers
    #: The first pixels of instances that are not that of their component, ascending.
    lost: _Numbers


def border(tile: int, surveyed: Surveyed, edges: list[_Edges]) -> tuple[_Numbers, _Numbers]:
    """Returns the instances of a tile that have an edge, ascending, and the first pixel of each."""
    ends = [each[f"label_{end}"][each[f"tile_{end}"] == tile] for each in edges for end in "ab"]
    labels = np.unique(np.concatenate([np.empty(0, np.int64), *ends]))
    known, first, _ = surveyed
    places = np.searchsorted(known, labels)
    found = np.isin(labels, known)
    at = np.full(len(labels), _NOWHERE)
    at[found] = first[places[found]]
    return labels, at


def join(edges: list[_Edges], borders: list[tuple[_Numbers, _Numbers]]) -> Joined:
    """Returns the connected components of all edges."""
    labels = [each[0] for each in borders]
    first = np.concatenate([each[1] for each in borders])
    starts = np.cumsum([0] + [len(each) for each in labels], dtype=np.int64)
    ends: dict[str, list[Any]] = {"a": [], "b": []}
    for each in edges:
        for end, found in ends.items():
            found.append(_places(each[f"tile_{end}"], each[f"label_{end}"], labels, starts))
    root = roots(len(first), np.concatenate(ends["a"]), np.concatenate(ends["b"]))
    least = np.full(len(first), _NOWHERE)
    np.minimum.at(least, root, first)
    keys, components = np.unique(least[root], return_inverse=True)
    lost = np.sort(first[(first != least[root]) & (first != _NOWHERE)])
    return Joined(labels, np.split(components, starts[1:-1]), keys, lost)


def _places(tiles: npt.NDArray[Any], labels: npt.NDArray[Any], known: list[_Numbers], starts: _Numbers) -> _Numbers:
    """Returns the place of each instance among those of all tiles."""
    places = np.empty(len(tiles), np.int64)
    for tile in np.unique(tiles).tolist():
        of_tile = tiles == tile
        places[of_tile] = starts[tile] + np.searchsorted(known[tile], labels[of_tile])
    return places


def firsts(surveyed: Surveyed) -> _Numbers:
    """Returns the first pixels of all instances of a tile's core."""
    return surveyed[1]


def checksum(surveyed: Surveyed) -> int:
    """Returns the checksum of a tile's core."""
    return surveyed[2]


def places(joined: Joined, of_tiles: list[_Numbers], pixels: tuple[int, int]) -> tuple[int, _Numbers]:
    """Returns how many instances of the image begin in a row of tiles, and the place there of each component.

    `of_tiles` are the first pixels of each tile's instances; `pixels` are the first of the row and the one behind it.
    """
    found = _begin(joined, of_tiles, pixels)
    return len(found), np.searchsorted(found, joined.keys[slice(*np.searchsorted(joined.keys, pixels))])


def number(rows: list[tuple[int, _Numbers]]) -> tuple[_Numbers, _Numbers]:
    """Returns the first number of each row of tiles, and the number of each component."""
    start = 1 + np.cumsum([0] + [count for count, _ in rows], dtype=np.int64)
    components = [begin + of_row for begin, (_, of_row) in zip(start, rows)]
    # A component without a pixel in any core comes last and has no number.
    return start, np.concatenate([*components, np.zeros(1, np.int64)])


def row(
    joined: Joined, of_tiles: list[_Numbers], numbers: tuple[_Numbers, _Numbers], at: int, pixels: tuple[int, int]
) -> _Numbers:
    """Returns the first number of a row of tiles, then the first pixels of all that begins there, ascending."""
    return np.concatenate([numbers[0][at : at + 1], _begin(joined, of_tiles, pixels)])


def table(joined: Joined, numbers: tuple[_Numbers, _Numbers], tile: int) -> tuple[_Numbers, _Numbers]:
    """Returns the instances of a tile that have an edge, ascending, and their numbers."""
    return joined.labels[tile], numbers[1][joined.components[tile]]


def _begin(joined: Joined, of_tiles: list[_Numbers], pixels: tuple[int, int]) -> _Numbers:
    """Returns the first pixels of the instances of the image that begin in a row of tiles, ascending."""
    lost = joined.lost[slice(*np.searchsorted(joined.lost, pixels))]
    return np.sort(np.setdiff1d(np.concatenate(of_tiles), lost, assume_unique=True))
