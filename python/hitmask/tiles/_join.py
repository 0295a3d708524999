"""Pairs of shapes of tables that do not fit into memory.

measure: the extent of each row group -> the side of tiles
scatter: each shape into all tiles that its box meets -> files, sorted by tile
hit: the shapes of a tile -> a world -> pairs whose box's least corner is in the tile -> a file
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from .._hitmask import SUBPIXELS, Error, Touch
from ._need import need
from ._pairs import Tile, ascending, by_tile, check_touch, pairs_of_tile
from ._shapes import MOST_SIDE, Shapes, columns

_Numbers = npt.NDArray[np.int64]

#: A Parquet file or a directory of them, or several with the same columns.
Paths = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

#: The rows that are read at once, and the most shapes in tiles that are sorted at once, but for one shape alone.
_BATCH = 1 << 16
_SORTED = 1 << 18


class _Group(NamedTuple):
    """A row group of a Parquet file of the first table, or of the second."""

    table: int
    path: str
    group: int


class _Part(NamedTuple):
    """Shapes of a tile: a batch of a file of Arrow, and its rows."""

    path: str
    batch: int
    start: int
    end: int


class _Extent(NamedTuple):
    """The box of some shapes in lattice steps, how many they are, and the sum of their longer sides."""

    rows: int
    box: list[int]
    sides: int


def join(
    a: Paths,
    b: Paths | None,
    to: str | os.PathLike[str],
    *,
    touch: Touch = Touch.EXCLUDED,
    most: int = 200_000,
    scratch: str | os.PathLike[str] | None = None,
) -> int:
    """Finds the pairs of shapes of two tables that hit each other, and returns how many they are.

    `a` and `b` are Parquet files, or directories of `.parquet` files, with a column `id` of integers and with boxes
    (`xmin`, `ymin`, `xmax`, `ymax`), polygons (`geometry`, GeoArrow's polygons), or masks (`x`, `y`, `height`, `width`,
    and `counts`, COCO's run-length encoding). The kinds may differ. ids must be unique; this is not checked. Without
    `b`, pairs are of two shapes of `a`, each once, the lesser id first. Two shapes hit each other as bodies of a
    `World` of this `touch` do.

    Coordinates are in units and rounded to 1/256 of one, so scale degrees first. `geometry` is what geopandas writes
    with `to_parquet(path, geometry_encoding="geoarrow")`; MultiPolygons and WKB are refused.

    `Error` is raised for a box or polygon without area, a shape longer than 2^20 units, and a polygon whose sides
    cross, also where corners meet. It names the file and the id. Polygons must be valid, as for `Shape.polygon`:
    `Error` is raised too for a spike and a hole outside the outline. Outlines may touch themselves at points. One that
    crosses itself where a corner lies on another of its sides is not looked for: it may have pairs, or raise `Error`.
    After an error, nothing is written.

    Pairs are written to Parquet files in the directory `to`, which must be new or empty, with columns `a` and `b` of
    ids, ascending in each file; a tile of the plane has a file, if it has pairs. A pair is found by the tile that has
    the least corner of the rectangle that both boxes share, so by one. The files appear when all are written.

    Tasks run on dask's scheduler, such as that of a `distributed.Client`. Shapes are written once more to the directory
    `scratch`, by default one for temporary files; workers of several machines need one that they share, as for `a`, `b`
    and `to`.

    A task that reads a table has 65,536 rows at a time, whatever their size, and one that compares has at most `most`
    shapes at once. Not bounded are the pairs of a tile, which its task keeps until it has all, and what the caller's
    process keeps: about 400 bytes for each tile that each 65,536 rows of a table meet, and dask's copies of them. A
    table that is sorted by place, as along a Hilbert curve, needs the least.
    """
    dask = need("dask")
    need("pyarrow")
    check_touch(touch)
    if most < 2:
        raise Error(f"`most` is {most}; it must be at least 2")
    # Absolute, as workers may run in other directories.
    to = Path(to).absolute().resolve()
    if to.exists() and not to.is_dir():
        raise Error(f"`to` is {to}, which is no directory")
    if to.exists() and any(to.iterdir()):
        raise Error(f"the directory {to} is not empty")
    # Made first, as it may be refused.
    with _unfinished(to) as unfinished:
        count = _run(dask, a, b, unfinished, touch == Touch.INCLUDED, most, scratch)
        _finish(unfinished, to)
    return count


def _run(
    dask: Any,
    a: Paths,
    b: Paths | None,
    to: Path,
    included: bool,
    most: int,
    scratch: str | os.PathLike[str] | None,
) -> int:
    """Writes the pairs to a directory, and returns how many they are."""
    groups = list(chain(_groups(0, a), [] if b is None else _groups(1, b)))
    side = _side(dask.compute(*[dask.delayed(_measure)(group) for group in groups]), most)
    with tempfile.TemporaryDirectory(prefix="hitmask-", dir=scratch and Path(scratch).absolute()) as folder:
        scatter = dask.delayed(partial(_scatter, side=side, folder=folder))
        tiles: dict[Tile, tuple[list[_Part], list[_Part]]] = {}
        for group, found in zip(groups, dask.compute(*[scatter(number, group) for number, group in enumerate(groups)])):
            for tile, part in found:
                tiles.setdefault(tile, ([], []))[group.table].append(part)
        of_both = [(tile, parts) for tile, parts in sorted(tiles.items()) if parts[0] and (b is None or parts[1])]
        hit = dask.delayed(partial(_hit, side=side, itself=b is None, included=included, most=most, to=str(to)))
        return sum(dask.compute(*[hit(tile, *parts) for tile, parts in of_both]))


@contextlib.contextmanager
def _unfinished(to: Path) -> Iterator[Path]:
    """Makes a directory in `to`, or beside it if `to` is new, and removes what is left of it."""
    parents = [parent for parent in to.parents if not parent.exists()]
    # Unlike those of `tempfile`, it may be read by whom the caller's umask lets.
    folder = (to if to.exists() else to.parent) / f".hitmask-{uuid.uuid4().hex}"
    try:
        folder.mkdir(parents=True)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        for parent in parents:
            # Those that are not empty stay.
            with contextlib.suppress(OSError):
                parent.rmdir()


def _finish(unfinished: Path, to: Path) -> None:
    """Moves files into a directory, all or none, and all at once if the directory is new."""
    for left in unfinished.glob(".*"):
        left.unlink()
    if unfinished.parent != to:
        os.replace(unfinished, to)
        return
    files = list(unfinished.iterdir())
    try:
        for file in files:
            os.replace(file, to / file.name)
    except BaseException:
        for file in files:
            (to / file.name).unlink(missing_ok=True)
        raise


def _groups(table: int, paths: Paths) -> list[_Group]:
    """Returns the row groups of Parquet files, whose columns must have the same types."""
    found: list[_Group] = []
    first: tuple[Path, dict[str, Any]] | None = None
    for path in _files(paths):
        with _opened(path) as file:
            types = {name: file.schema_arrow.field(name).type for name in columns(file.schema_arrow, str(path))}
            found += [_Group(table, str(path), group) for group in range(file.num_row_groups)]
        first = first or (path, types)
        if types != first[1]:
            shown, right = (", ".join(f"`{name}` {type}" for name, type in each.items()) for each in (types, first[1]))
            raise Error(f"{path} has the columns {shown}; they must be those of {first[0]}: {right}")
    return found


def _files(paths: Paths) -> Iterator[Path]:
    """Yields Parquet files, and those of directories in order."""
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = Path(path).absolute()
        if not path.is_dir():
            yield path
            continue
        # Names that begin so are of what is unfinished, or not data.
        files = [file for file in sorted(path.rglob("*.parquet")) if file.is_file()]
        files = [file for file in files if not any(part[0] in "._" for part in file.relative_to(path).parts)]
        if not files:
            raise Error(f"the directory {path} has no file *.parquet")
        yield from files


@contextlib.contextmanager
def _opened(path: str | Path) -> Iterator[Any]:
    """Opens a Parquet file, and names it if it cannot be read."""
    arrow, parquet = need("pyarrow"), need("pyarrow.parquet")
    try:
        with parquet.ParquetFile(path) as file:
            yield file
    except arrow.ArrowInvalid as error:
        raise Error(f"{path} cannot be read: {error}") from None


def _batches(group: _Group, check: bool) -> Iterator[Shapes]:
    """Yields the shapes of a row group."""
    arrow = need("pyarrow")
    with _opened(group.path) as file:
        names = columns(file.schema_arrow, group.path)
        for batch in file.iter_batches(_BATCH, row_groups=[group.group], columns=names):
            # Without what may differ from file to file, such as metadata.
            table = arrow.table({name: batch.column(name) for name in names})
            if not len(table):
                continue
            try:
                yield Shapes(table, check, threads=1)
            except Error as error:
                raise Error(f"{group.path}: {error}") from None


def _measure(group: _Group) -> _Extent:
    """Returns the extent of a row group, and checks its shapes."""
    rows, sides, least, most = 0, 0, [], []
    for shapes in _batches(group, True):
        found = shapes.boxes
        rows += len(found)
        sides += int((found[:, 2:] - found[:, :2]).max(1).sum())
        least.append(found[:, :2].min(0))
        most.append(found[:, 2:].max(0))
    box = [*np.min(least, 0).tolist(), *np.max(most, 0).tolist()] if rows else [0] * 4
    return _Extent(rows, box, sides)


def _side(extents: Sequence[_Extent], most: int) -> int:
    """Returns the side of tiles in units, so that a tile has half as many shapes as a task may, if they lie evenly."""
    some = [extent for extent in extents if extent.rows]
    if not some:
        return 1
    rows = sum(extent.rows for extent in some)
    box = np.array([extent.box for extent in some])
    width, height = ((box[:, 2:].max(0) - box[:, :2].min(0)) / SUBPIXELS).tolist()
    wanted = max(1.0, 2 * rows / most)
    side: float = max(math.sqrt(width * height / wanted), width / wanted, height / wanted)
    # Tiles that are not larger than shapes would have each shape in many of them.
    typical = sum(extent.sides for extent in some) / rows / SUBPIXELS
    return math.ceil(min(max(side, 4 * typical), MOST_SIDE / 2))


def _scatter(number: int, group: _Group, side: int, folder: str) -> list[tuple[Tile, _Part]]:
    """Writes the shapes of a row group sorted by tile, and returns where those of each tile are."""
    arrow = need("pyarrow")
    path, writer = Path(folder) / f"{number}.arrow", None
    found: list[tuple[Tile, _Part]] = []
    # A task that runs once more, after its worker is lost, must not write into the file of the first.
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        for shapes in _batches(group, False):
            writer = writer or arrow.ipc.new_file(file, shapes.table.schema)
            for some in _split(shapes.boxes, side):
                for tile, rows in by_tile(shapes.boxes[some], side):
                    for batch in shapes.table.take(some.start + rows).combine_chunks().to_batches():
                        found.append((tile, _Part(str(path), len(found), 0, batch.num_rows)))
                        writer.write_batch(batch)
        if writer:
            writer.close()
    os.replace(file.name, path)
    return found


def _split(boxes: _Numbers, side: int) -> Iterator[slice]:
    """Yields rows of boxes that meet few tiles together, or one row."""
    tiles = boxes // (side * SUBPIXELS)
    counts = np.cumsum((tiles[:, 2:] - tiles[:, :2] + 1).prod(1))
    start = before = 0
    while start < len(boxes):
        end = max(int(np.searchsorted(counts, before + _SORTED, "right")), start + 1)
        yield slice(start, end)
        start, before = end, int(counts[end - 1])


def _hit(
    tile: Tile, a: list[_Part], b: list[_Part], side: int, itself: bool, included: bool, most: int, to: str
) -> int:
    """Writes the pairs of a tile, and returns how many they are."""
    arrow, parquet = need("pyarrow"), need("pyarrow.parquet")
    at_once = most if itself and sum(part.end - part.start for part in a) <= most else most // 2
    chunks, origin = _chunks(a, at_once), np.array(tile, np.int64) * side
    found = []
    for place, chunk in enumerate(chunks):
        first = _read(chunk)
        if itself:
            found.append(pairs_of_tile(first, None, origin, side, included, 1))
        for other in chunks[place + 1 :] if itself else _chunks(b, at_once):
            found.append(pairs_of_tile(first, _read(other), origin, side, included, 1))
    ids = ascending(np.concatenate(found), itself)
    if len(ids):
        part = Path(to) / f".{uuid.uuid4().hex}"
        parquet.write_table(arrow.table({"a": ids[:, 0], "b": ids[:, 1]}), part)
        os.replace(part, Path(to) / "pairs-{}-{}.parquet".format(*tile))
    return len(ids)


def _chunks(parts: list[_Part], most: int) -> list[list[_Part]]:
    """Returns the rows of parts in lists of at most so many."""
    chunks: list[list[_Part]] = [[]]
    room = most
    for part in parts:
        start = part.start
        while start < part.end:
            if not room:
                chunks.append([])
                room = most
            end = min(part.end, start + room)
            chunks[-1].append(part._replace(start=start, end=end))
            start, room = end, room - (end - start)
    return chunks


def _read(parts: list[_Part]) -> Shapes:
    """Reads shapes of a tile."""
    arrow = need("pyarrow")
    tables = []
    for part in parts:
        with arrow.memory_map(part.path) as file:
            batch = arrow.ipc.open_file(file).get_batch(part.batch)
            tables.append(arrow.Table.from_batches([batch.slice(part.start, part.end - part.start)]))
    return Shapes(arrow.concat_tables(tables), False, threads=1)
