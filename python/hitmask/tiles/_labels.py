"""Instances of labels over tiles, as dask's graphs.

    block -> cut for each neighbour -> match --------> edges -> join -+-> rows -> number
          -> survey -+-> border: of those with an edge ---------+     |             |
                     +-> firsts: of all ------------------------------+-> rows      |
                     +-> checksum                                           |       v
    block, once more ---------------------------------------------------------> renumber: the merged image's block

No task has more than one block, and the last waits for all others before it reads its block, so that none is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from .._hitmask import Error
from ._blocks import EDGE, cut, match_all, renumber, survey
from ._grid import Grid, Rect, Tile
from ._need import need
from ._numbers import border, checksum, firsts, join, number, places, row, table

if TYPE_CHECKING:
    from dask.array import Array

#: Pixels of border, along both axes, along each, or by axis as dask has it.
Depth = Union[int, Sequence[int], Mapping[int, int]]

#: What dask makes a graph of: a function and its arguments, which may be keys, by key.
_Tasks = dict[tuple[Any, ...], tuple[Any, ...]]


def overlaps(labels: Array, depth: Depth, min_iou: float = 0.3) -> Array:
    """Returns which instances of overlapping blocks are the same, as a lazy dask array with the dtype `EDGE`.

    `labels` is a dask array of integers with 2 axes, whose blocks overlap: each has `depth` pixels beyond its own on
    every side at which there is another, as `dask.array.overlap.overlap(image, depth, boundary="none")` makes them. A
    `depth` other than theirs gives a wrong answer; only blocks that are too small for it are refused. It is an integer,
    two of them, or a dict of one for each of the axes 0 and 1. An instance is a number other than 0 in a block. Each
    pair of instances is found once, by the task of the first of its tiles, which gets the borders of its neighbours.
    Edges ascend by the number of the first tile, then of the second, then by label; the length of the array is known
    once it is computed.
    """
    stitch = _Stitch(labels, depth, min_iou)
    chunks = ((np.nan,) * len(stitch.grid.tiles),)
    return stitch.array("edges", stitch.edges(), [labels], chunks, EDGE)


def merge(labels: Array, depth: Depth, min_iou: float = 0.3) -> Array:
    """Returns the image without borders, as a lazy dask array of int64: instances that are the same have one number.

    `labels` is that of `overlaps`. Each pixel is that of the tile whose core has it. Instances are numbered 1, 2, 3 and
    so on by their first pixels, row by row. Connected instances get the same numbers in every tiling if the tiles agree
    and `depth` is at least 1. Any part of the result reads the whole of `labels` once, then its own blocks again, which
    must have the same values both times; if they differ, `Error` is raised. So store what is slow to compute, or not
    the same each time.
    """
    stitch = _Stitch(labels, depth, min_iou)
    numbers = stitch.numbers()
    again = need("dask.graph_manipulation").bind(labels, numbers, seed=stitch.token)
    chunks = tuple(tuple(np.diff(starts).tolist()) for starts in stitch.grid.starts)
    return stitch.array("merged", stitch.renumbered(again.name), [again, numbers], chunks, np.int64)


class _Stitch:
    """The tasks that stitch an image, by their keys."""

    def __init__(self, labels: Array, depth: Depth, min_iou: float) -> None:
        array, base = need("dask.array"), need("dask.base")
        if not isinstance(labels, array.Array):
            raise TypeError(f"`labels` must be a dask array; it is a {type(labels).__name__}")
        if labels.ndim != 2 or labels.dtype.kind not in "biu":
            raise TypeError(f"`labels` must be integers with 2 axes; it is {labels.dtype} with {labels.ndim}")
        if np.isnan(labels.shape).any():
            raise Error("`labels` has blocks of unknown size; call its `compute_chunk_sizes()` first")
        if not 0 <= min_iou <= 1:
            raise Error(f"`min_iou` is {min_iou}; it must be 0 to 1")
        self.labels = labels
        self.min_iou = min_iou
        self.grid = Grid(labels.chunks, _pair(depth))
        self.token: str = base.tokenize(labels.name, self.grid.depth, min_iou)

    def key(self, name: str, *at: int) -> tuple[Any, ...]:
        return f"hitmask-{name}-{self.token}", *at

    def graph(self, name: str, tasks: _Tasks, needed: list[Any]) -> Any:
        graphs = need("dask.highlevelgraph").HighLevelGraph
        return graphs.from_collections(self.key(name)[0], tasks, dependencies=needed)

    def array(self, name: str, tasks: _Tasks, needed: list[Any], chunks: Any, dtype: npt.DTypeLike) -> Array:
        """Returns the array whose blocks are made by tasks of a name."""
        graph = self.graph(name, tasks, needed)
        array: Array = need("dask.array").Array(graph, self.key(name)[0], chunks, dtype=dtype)
        return array

    def edges(self) -> _Tasks:
        """Returns the tasks that find the edges of each tile."""
        grid, tasks = self.grid, _Tasks()
        for tile in grid.tiles:
            borders, pairs = [], []
            for other in grid.neighbours(tile):
                tasks[self.key("cut", *tile, *other)] = self.cut(tile, grid.shared(tile, other))
                if other > tile:
                    borders.append([self.key("cut", *tile, *other), self.key("cut", *other, *tile)])
                    pairs.append((grid.number(tile), grid.number(other)))
            tasks[self.key("edges", grid.number(tile))] = partial(match_all, pairs=pairs, least=self.min_iou), borders
        return tasks

    def cut(self, tile: Tile, part: Rect) -> tuple[Any, ...]:
        return partial(cut, of=self.grid.block(tile), part=part), (self.labels.name, *tile)

    def numbers(self) -> Any:
        """Returns the numbers of all components, as a delayed value whose graph has all that `renumbered` needs."""
        grid, tasks = self.grid, self.edges()
        for tile in grid.tiles:
            at, near = grid.number(tile), [grid.number(other) for other in [tile, *grid.neighbours(tile)]]
            work = partial(survey, of=grid.block(tile), core=grid.core(tile), width=grid.shape[1])
            tasks[self.key("survey", at)] = work, (self.labels.name, *tile)
            tasks[self.key("firsts", at)] = firsts, self.key("survey", at)
            tasks[self.key("checksum", at)] = checksum, self.key("survey", at)
            of_tile = [self.key("edges", other) for other in sorted(near) if other <= at]
            tasks[self.key("border", at)] = partial(border, at), self.key("survey", at), of_tile
        every = range(len(grid.tiles))
        edges, borders = [self.key("edges", at) for at in every], [self.key("border", at) for at in every]
        tasks[self.key("join")] = join, edges, borders
        rows = range(grid.sides[0])
        for at in rows:
            tasks[self.key("places", at)] = partial(places, pixels=self.pixels(at)), self.key("join"), self.firsts(at)
        tasks[self.key("number")] = number, [self.key("places", at) for at in rows]
        key, graph = self.key("number"), self.graph("number", tasks, [self.labels])
        return need("dask.delayed").Delayed(key, graph, layer=key[0])

    def firsts(self, row: int) -> list[Any]:
        """Returns the keys of the first pixels of a row of tiles."""
        return [self.key("firsts", self.grid.number((row, column))) for column in range(self.grid.sides[1])]

    def pixels(self, row: int) -> tuple[int, int]:
        """Returns the first pixel of a row of tiles, and the one behind its last."""
        first, end = self.grid.starts[0][row : row + 2]
        return first * self.grid.shape[1], end * self.grid.shape[1]

    def renumbered(self, blocks: str) -> _Tasks:
        """Returns the tasks that make the blocks of the merged image from an array of labels."""
        grid, tasks = self.grid, _Tasks()
        for at in range(grid.sides[0]):
            begin = partial(row, at=at, pixels=self.pixels(at))
            tasks[self.key("row", at)] = begin, self.key("join"), self.firsts(at), self.key("number")
        for tile in grid.tiles:
            at = grid.number(tile)
            tasks[self.key("table", at)] = table, self.key("join"), self.key("number"), at
            work = partial(renumber, of=grid.block(tile), core=grid.core(tile), width=grid.shape[1])
            given = (blocks, *tile), self.key("row", tile[0]), self.key("table", at), self.key("checksum", at)
            tasks[self.key("merged", *tile)] = work, *given
        return tasks


def _pair(depth: Depth) -> tuple[int, int]:
    """Returns the depth along each axis."""
    try:
        if isinstance(depth, Mapping):
            if depth.keys() != {0, 1}:
                raise ValueError
            depth = depth[0], depth[1]
        rows, columns = (index(each) for each in (depth if isinstance(depth, Sequence) else (depth, depth)))
    except (TypeError, ValueError):
        raise TypeError(f"`depth` must be an integer or two of them; it is {depth!r}") from None
    if min(rows, columns) < 0:
        raise Error(f"`depth` is {depth}; it must not be negative")
    return rows, columns
