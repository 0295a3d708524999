"""Times of instances stitched over tiles, beside sopa, and of pairs of polygons, beside SedonaDB. Prints JSON.

Usage: python tiles.py [--quick]

sopa and SedonaDB are compared with if they are installed; a row says if they are not.
"""

import functools
import json
import sys
import threading
import time

import dask.array as da
import numpy as np
import psutil
from distributed import Client, LocalCluster

from hitmask import tiles

#: Pixels of a cell's square, of which a disc is solid.
PITCH = 10
DEPTH = 32


def cells(block_id, side, grid):
    """Returns the labels of a tile: cells of `side` by `side` squares, and of the borders, numbered at random.

    Tiles draw the cells a little larger or smaller, in turn.
    """
    (top, rows), (left, columns) = [
        (place * side * PITCH - DEPTH * (place > 0), side * PITCH + DEPTH * ((place > 0) + (place < grid - 1)))
        for place in block_id
    ]
    y, x = np.arange(top, top + rows, dtype=np.int32), np.arange(left, left + columns, dtype=np.int32)
    radius = 20 if sum(block_id) % 2 else 16
    stamp = np.add.outer((np.arange(PITCH) - 4.5) ** 2, (np.arange(PITCH) - 4.5) ** 2) < radius
    inside = stamp[y % PITCH][:, x % PITCH]
    wide = columns // PITCH + 2
    square = np.add.outer((y // PITCH - top // PITCH) * wide, x // PITCH - left // PITCH)
    names = np.random.default_rng(block_id).permutation(int(square[-1, -1]) + 1).astype(np.int32) + 1
    return names[square] * inside


def labels(side, grid):
    """Returns the labels of `grid` by `grid` tiles."""
    sizes = tuple(side * PITCH + DEPTH * ((place > 0) + (place < grid - 1)) for place in range(grid))
    make = functools.partial(_cells, side=side, grid=grid)
    return da.map_blocks(make, chunks=(sizes, sizes), dtype=np.int32, meta=np.zeros((0, 0), np.int32))


def _cells(block_id=None, side=0, grid=0):
    return cells(block_id, side, grid)


class Memory:
    """The most memory that this process and those below it hold meanwhile, sampled."""

    def __enter__(self):
        self.most, self.done = 0, threading.Event()
        self.thread = threading.Thread(target=self.sample)
        self.thread.start()
        return self

    def sample(self):
        while not self.done.wait(0.1):
            total = 0
            for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
                try:
                    total += process.memory_info().rss
                except psutil.Error:
                    continue
            self.most = max(self.most, total)

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()


def stitched(client, side, grid):
    """Times one image, whose merged blocks are only reduced to their largest numbers."""
    image = tiles.merge(labels(side, grid), DEPTH)
    start = time.perf_counter()
    with Memory() as memory:
        found = int(client.compute(image.max()).result())
    seconds = time.perf_counter() - start
    if found != (side * grid) ** 2:
        raise AssertionError(f"{found} cells were found of {(side * grid) ** 2}")
    row = {"cells": found, "tiles": grid * grid, "pixels": (side * grid * PITCH) ** 2}
    return {**row, "merge_s": round(seconds, 2), "memory_mb": round(memory.most / 1e6)}


def main():
    quick = "--quick" in sys.argv
    rows = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for side, grid in [(20, 2)] if quick else [(316, 3), (316, 10)]:
            rows.append(stitched(client, side, grid))
    json.dump(rows, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
