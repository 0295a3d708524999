"""Times of instances stitched over tiles, beside sopa, and of pairs of polygons, beside SedonaDB. Prints JSON.

Usage: python tiles.py [--quick]

sopa and SedonaDB (with shapely, and geoarrow-pyarrow) take part if they are installed; a row says if they are not.
"""

import functools
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

import dask.array as da
import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster, wait

from hitmask import Mask, Touch, tiles

#: Pixels of a cell's square, of which a disc is solid.
PITCH = 10
DEPTH = 30


def stamp(tile):
    """Returns the pixels of a cell as a tile draws it: a little larger or smaller, in turn."""
    square = (np.arange(PITCH) - 4.5) ** 2
    return np.add.outer(square, square) < (20 if sum(tile) % 2 else 16)


def cells(block_id=None, side=0, grid=0):
    """Returns the labels of a tile: cells of `side` by `side` squares, and of the borders, numbered at random."""
    (top, rows), (left, columns) = [
        (place * side * PITCH - DEPTH * (place > 0), side * PITCH + DEPTH * ((place > 0) + (place < grid - 1)))
        for place in block_id
    ]
    y, x = np.arange(top, top + rows, dtype=np.int32), np.arange(left, left + columns, dtype=np.int32)
    inside = stamp(block_id)[y % PITCH][:, x % PITCH]
    wide = columns // PITCH + 2
    square = np.add.outer((y // PITCH - top // PITCH) * wide, x // PITCH - left // PITCH)
    names = np.random.default_rng(block_id).permutation(int(square[-1, -1]) + 1).astype(np.int32) + 1
    return names[square] * inside


def labels(side, grid):
    """Returns the labels of `grid` by `grid` tiles."""
    sizes = tuple(side * PITCH + DEPTH * ((place > 0) + (place < grid - 1)) for place in range(grid))
    make = functools.partial(cells, side=side, grid=grid)
    return da.map_blocks(make, chunks=(sizes, sizes), dtype=np.int32, meta=np.zeros((0, 0), np.int32))


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


def outlines(side, grid):
    """Returns the outlines of the cells of all tiles, and the tile of each. No block cuts a cell."""
    from shapely import polygons

    found, of_tiles = [], []
    for tile in np.ndindex(grid, grid):
        outline = Mask.from_array(stamp(tile)).polygons()[0][0]
        least, most = [
            [place * side * PITCH + sign * DEPTH * (0 <= place + sign < grid) for place in tile] for sign in (-1, 1)
        ]
        rows, columns = [np.arange(start, end + side * PITCH, PITCH) for start, end in zip(least, most)]
        at = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 1, 2)
        found.append(polygons(at + outline))
        of_tiles.append(np.full(len(at), tile[0] * grid + tile[1]))
    return np.concatenate(found), np.concatenate(of_tiles)


def beside_sopa(client, side, grid):
    """Times the merged image, beside sopa's merged polygons of the same cells as polygons; all in memory.

    Which cells are the same, without an image, is timed alone.
    """
    try:
        from sopa.segmentation.resolve import solve_conflicts
    except ImportError as error:
        return {"sopa": f"not installed: {error}"}
    polygons, of_tiles = outlines(side, grid)
    start = time.perf_counter()
    found = len(solve_conflicts(list(polygons), 0.3, of_tiles))
    sopa = time.perf_counter() - start
    blocks = client.persist(labels(side, grid))
    wait(blocks)
    start = time.perf_counter()
    tiles.components(tiles.overlaps(blocks, DEPTH).compute())
    overlaps = time.perf_counter() - start
    start = time.perf_counter()
    number = int(tiles.merge(blocks, DEPTH).max().compute())
    merge = time.perf_counter() - start
    if not found == number == (side * grid) ** 2:
        raise AssertionError(f"{found} and {number} cells were found of {(side * grid) ** 2}")
    row = {"cells": number, "polygons": len(polygons), "sopa_s": round(sopa, 3), "merge_s": round(merge, 3)}
    return {**row, "times_faster": round(sopa / merge, 1), "overlaps_s": round(overlaps, 3)}


def rings(count, corners=12):
    """Returns the closed rings of polygons of which each meets about two others, on the lattice of 1/256."""
    random = np.random.default_rng(1)
    at = random.uniform(0, 20 * count**0.5, (count, 1, 2))
    angles = (np.arange(corners) + random.uniform(0, 0.8, (count, corners))) * 2 * np.pi / corners
    reach = 9 * random.uniform(0.7, 1.1, (count, corners))
    ring = at + np.stack([reach * np.cos(angles), reach * np.sin(angles)], -1)
    return np.round(np.concatenate([ring, ring[:, :1]], 1) * 256) / 256


def write(path, count):
    """Writes polygons to a Parquet file."""
    corners = rings(count)
    flat = pa.FixedSizeListArray.from_arrays(pa.array(corners.reshape(-1)), 2)
    lists = pa.ListArray.from_arrays(pa.array(np.arange(count + 1, dtype=np.int32) * corners.shape[1]), flat)
    column = pa.ListArray.from_arrays(pa.array(np.arange(count + 1, dtype=np.int32)), lists)
    pq.write_table(pa.table({"id": np.arange(count), "geometry": column}), path, row_group_size=1 << 17)


def joined(count):
    """Times the pairs of polygons of one table, from Parquet to Parquet, and from and to memory beside SedonaDB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        write(path, count)
        start = time.perf_counter()
        with Memory() as memory:
            pairs = tiles.join(path, None, Path(folder) / "pairs", touch=Touch.INCLUDED)
        seconds = time.perf_counter() - start
        table = pq.read_table(path)
    row = {"polygons": count, "pairs": pairs, "join_s": round(seconds, 2), "memory_mb": round(memory.most / 1e6)}
    start = time.perf_counter()
    found = len(tiles.pairs(table, touch=Touch.INCLUDED))
    seconds = time.perf_counter() - start
    if found != pairs:
        raise AssertionError(f"{pairs} pairs were found, in memory {found}")
    row["in_memory_s"] = round(seconds, 3)
    try:
        import sedonadb
        import shapely
    except ImportError as error:
        return {**row, "sedonadb": f"not installed: {error}"}
    table = pa.table({"id": np.arange(count), "wkb": shapely.to_wkb(shapely.polygons(rings(count)))})
    database = sedonadb.connect()
    database.create_data_frame(table).to_view("wkb")
    database.sql("SELECT id, ST_GeomFromWKB(wkb) AS shape FROM wkb").to_memtable().to_view("shapes")
    query = (
        "SELECT a.id, b.id AS other FROM shapes a JOIN shapes b ON ST_Intersects(a.shape, b.shape) WHERE a.id < b.id"
    )
    start = time.perf_counter()
    found = database.sql(query).to_arrow_table().num_rows
    sedona = time.perf_counter() - start
    if found != pairs:
        raise AssertionError(f"{pairs} pairs were found, by SedonaDB {found}")
    return {**row, "sedonadb_s": round(sedona, 2), "times_faster": round(sedona / seconds, 2)}


def main():
    quick = "--quick" in sys.argv
    rows = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for side, grid in [(20, 2)] if quick else [(316, 3), (316, 10)]:
            rows.append(stitched(client, side, grid))
        rows += [joined(2000 if quick else 1_000_000), beside_sopa(client, *((20, 2) if quick else (316, 3)))]
    json.dump(rows, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
