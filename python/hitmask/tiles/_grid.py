"""Where the tiles of an image lie.

  core of A   core of B
|-----------|-----------|
AAAAAAAAAAAAAAAA             A's block: its core, and `depth` pixels beyond it
        BBBBBBBBBBBBBBBB     B's block
        |------|             the rectangle that both share
"""

from __future__ import annotations

from typing import NamedTuple

from .._hitmask import Error

#: A tile, by row and column.
Tile = tuple[int, int]


class Rect(NamedTuple):
    """Pixels of the image: the first row and column, and those behind the last."""

    top: int
    left: int
    bottom: int
    right: int


class Grid:
    """The tiles of an image, by the sizes of overlapping blocks along each axis."""

    def __init__(self, chunks: tuple[tuple[int, ...], ...], depth: tuple[int, int]) -> None:
        self.depth = depth
        self.starts = [_starts(sizes, depth[axis], axis) for axis, sizes in enumerate(chunks)]
        self.shape = (self.starts[0][-1], self.starts[1][-1])
        self.sides = (len(chunks[0]), len(chunks[1]))
        self.tiles = [(row, column) for row in range(self.sides[0]) for column in range(self.sides[1])]

    def number(self, tile: Tile) -> int:
        """Returns the number of a tile, row by row."""
        return tile[0] * self.sides[1] + tile[1]

    def core(self, tile: Tile) -> Rect:
        """Returns the pixels that are the tile's alone: the cores of all tiles are the image."""
        (rows, columns), (row, column) = self.starts, tile
        return Rect(rows[row], columns[column], rows[row + 1], columns[column + 1])

    def block(self, tile: Tile) -> Rect:
        """Returns the pixels that the tile's block has."""
        core, (deep, wide), (height, width) = self.core(tile), self.depth, self.shape
        return Rect(
            max(core.top - deep, 0),
            max(core.left - wide, 0),
            min(core.bottom + deep, height),
            min(core.right + wide, width),
        )

    def shared(self, tile: Tile, other: Tile) -> Rect:
        """Returns the pixels that the blocks of two tiles share; none if it is empty or inside out."""
        a, b = self.block(tile), self.block(other)
        return Rect(max(a.top, b.top), max(a.left, b.left), min(a.bottom, b.bottom), min(a.right, b.right))

    def neighbours(self, tile: Tile) -> list[Tile]:
        """Returns the other tiles whose blocks share pixels with that of a tile, ascending."""
        # A core is at least as long as `depth`, so that borders reach over at most one core, and meet in the next.
        rows, columns = [range(max(place - 2, 0), min(place + 3, side)) for place, side in zip(tile, self.sides)]
        found = []
        for other in [(row, column) for row in rows for column in columns if (row, column) != tile]:
            shared = self.shared(tile, other)
            if shared.top < shared.bottom and shared.left < shared.right:
                found.append(other)
        return found


def _starts(sizes: tuple[int, ...], depth: int, axis: int) -> list[int]:
    """Returns where the cores of blocks begin along an axis, and the end of the last."""
    starts = [0]
    for place, size in enumerate(sizes):
        borders = depth * ((place > 0) + (place < len(sizes) - 1))
        if len(sizes) > 1 and size - borders < max(depth, 1):
            raise Error(
                f"`labels` has a block of {size} pixels along axis {axis}, at {place}; it must have at least "
                f"{borders + max(depth, 1)}: {borders} of borders, and no fewer than `depth` of its own"
            )
        starts.append(starts[-1] + size - borders)
    return starts
