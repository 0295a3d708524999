"""Pairs of tables, held against a judge that compares all convex pieces of all shapes, in whole lattice steps."""

import itertools
import os
import signal
import threading
import time
from functools import partial
from pathlib import Path
from unittest import mock

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as cocotools

import hitmask
from hitmask import Touch, tiles
from hitmask.tiles import _join
from hitmask.tiles._pairs import pairs_of_tile

#: The cluster of other tests may be up meanwhile.
pytestmark = pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler:UserWarning")


def separated(a, b, touch):
    """Returns whether a line along a side of one convex polygon parts it from another."""
    if touch == Touch.INCLUDED:
        apart = (a.max(0) < b.min(0)) | (b.max(0) < a.min(0))
    else:
        apart = (a.max(0) <= b.min(0)) | (b.max(0) <= a.min(0))
    if apart.any():
        return True
    for first, second in [(a, b), (b, a)]:
        along = np.roll(first, -1, 0) - first
        # Of each side and each corner, on which side of it the corner lies; those of the polygon itself are inside.
        sides = lambda corners: (
            along[:, :1] * (corners[:, 1] - first[:, 1:]) - along[:, 1:] * (corners[:, 0] - first[:, :1])
        )
        outside = -np.sign(sides(first).sum(1))[:, None] * sides(second)
        if ((outside > 0) if touch == Touch.INCLUDED else (outside >= 0)).all(1).any():
            return True
    return False


def rectangle(x0, y0, x1, y1):
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.int64)


def beside(random, lattice):
    """Returns coordinates in units that are snapped to lattice steps."""
    return (lattice + random.choice([-0.4, 0, 0.4], lattice.shape)) / 256


def some_boxes(random, count):
    """Returns columns of boxes, and the convex pieces of each."""
    least = random.integers(-30 * 256, 30 * 256, (count, 2))
    sides = random.choice([1, 128, 256, 700, 2048], (count, 2))
    if random.random() < 0.5:
        least, sides = least // 256 * 256, np.maximum(sides // 256 * 256, 256)
    columns = np.hstack([least, least + sides])
    names = ["xmin", "ymin", "xmax", "ymax"]
    return dict(zip(names, beside(random, columns.T))), [[rectangle(*row)] for row in columns]


def some_masks(random, count):
    """Returns columns of masks, of which each pixel is a piece."""
    rows, pieces = [], []
    for _ in range(count):
        x, y = random.integers(-30, 30, 2).tolist()
        texels = random.random(random.integers(1, 5, 2)) < 0.7
        counts = cocotools.encode(np.asfortranarray(texels.astype(np.uint8)))["counts"]
        rows.append((x, y, *texels.shape, counts))
        squares = [(x + column, y + row) for row, column in np.argwhere(texels).tolist()]
        pieces.append([rectangle(u * 256, v * 256, u * 256 + 256, v * 256 + 256) for u, v in squares])
    return dict(zip(["x", "y", "height", "width", "counts"], zip(*rows))), pieces


def some_polygons(random, count, coarse=False):
    """Returns a column of triangles, concave polygons and frames, and the pieces of each. Many coarse ones touch."""
    polygons, pieces = [], []
    for _ in range(count):
        if coarse:
            x, y = random.integers(0, 8, 2) * 256
            a, b, c, d = np.cumsum(random.integers(1, 3, 4)) * 256 - [1, 0, 0, 0]
        else:
            x, y = random.integers(-30 * 256, 30 * 256, 2)
            a, b, c, d = np.sort(random.integers(0, 2000, 4)) + [0, 1, 2, 3]
        kind = random.integers(3)
        if kind == 0:
            rings = [np.array([[x, y], [x + b, y + a], [x - c, y + d]])]
            found = [rings[0]]
        elif kind == 1:
            rings = [np.array([[x, y], [x + d, y], [x + d, y + a + 1], [x + b, y + a + 1], [x + b, y + d], [x, y + d]])]
            found = [rectangle(x, y, x + d, y + a + 1), rectangle(x, y, x + b, y + d)]
        else:
            rings = [rectangle(x, y, x + d, y + d), rectangle(x + a + 1, y + a + 1, x + c, y + c)[::-1]]
            found = [
                rectangle(x, y, x + d, y + a + 1),
                rectangle(x, y + c, x + d, y + d),
                rectangle(x, y, x + a + 1, y + d),
                rectangle(x + c, y, x + d, y + d),
            ]
        polygons.append([beside(random, np.concatenate([ring, ring[:1]])) for ring in rings])
        pieces.append(found)
    if random.random() < 0.5:
        corner = pa.list_(pa.float64(), 2)
        rows = [[ring.tolist() for ring in rings] for rings in polygons]
    else:
        corner = pa.struct([("x", pa.float64()), ("y", pa.float64())])
        rows = [[[{"x": x, "y": y} for x, y in ring.tolist()] for ring in rings] for rings in polygons]
    return {"geometry": pa.array(rows, pa.list_(pa.list_(corner)))}, pieces


def tables(random, folder, name, kinds):
    """Writes a table of one of some kinds to several files, in any order; returns their paths, and the pieces by id."""
    count = int(random.integers(1, 25))
    columns, pieces = kinds[random.integers(len(kinds))](random, count)
    ids = random.permutation(1000)[:count] - 500
    table = pa.table({"id": ids, "unused": ids, **columns}).take(random.permutation(count))
    half = int(random.integers(0, count + 1))
    paths = []
    for part in [table[:half], table[half:]]:
        paths.append(folder / f"{name}{len(paths)}.parquet")
        pq.write_table(part, paths[-1], row_group_size=int(random.integers(1, 20)))
    return paths, dict(zip(ids.tolist(), pieces))


def judge(a, b, touch):
    """Returns the pairs of ids."""
    pairs = itertools.combinations(sorted(a), 2) if b is None else itertools.product(sorted(a), sorted(b))
    other = a if b is None else b
    hits = lambda i, j: any(not separated(p, q, touch) for p in a[i] for q in other[j])
    return [[i, j] for i, j in pairs if hits(i, j)]


def whole(paths):
    """Returns the table of some files."""
    return pa.concat_tables(map(pq.read_table, paths))


def read(folder):
    """Returns the pairs of each file."""
    tables = [pq.read_table(path) for path in sorted(folder.iterdir())]
    return [np.stack([table["a"].to_numpy(), table["b"].to_numpy()], 1).tolist() for table in tables]


KINDS = [[some_boxes, some_masks, some_polygons], [partial(some_polygons, coarse=True)]]


@settings(max_examples=60)
@given(
    st.integers(0, 2**32),
    st.booleans(),
    st.booleans(),
    st.integers(2, 60),
    st.sampled_from(KINDS),
    st.sampled_from([(1, 1), (7, 3), (_join._BATCH, _join._SORTED)]),
)
def test_pairs_are_those_of_all_pieces_in_any_tiling_and_order(
    tmp_path_factory, seed, itself, included, most, kinds, at_once
):
    random, folder = np.random.default_rng(seed), tmp_path_factory.mktemp("join")
    touch = Touch.INCLUDED if included else Touch.EXCLUDED
    paths, a = tables(random, folder, "a", kinds)
    others, b = (None, None) if itself else tables(random, folder, "b", kinds)
    with dask.config.set(scheduler="synchronous"), mock.patch.multiple(_join, _BATCH=at_once[0], _SORTED=at_once[1]):
        count = tiles.join(paths, others, folder / "pairs", touch=touch, most=most)
    parts, right = read(folder / "pairs"), judge(a, b, touch)
    assert all(part == sorted(part) and part for part in parts)
    assert sorted(itertools.chain(*parts)) == right
    assert count == sum(map(len, parts))
    assert tiles.pairs(whole(paths), None if itself else whole(others), touch=touch).tolist() == right


def many(folder):
    """Writes a table of boxes, and returns its path and the pairs."""
    random = np.random.default_rng(3)
    least = random.integers(0, 300 * 256, (4000, 2))
    least[:400] //= 8  # a tenth of all lies in a corner
    box = np.hstack([least, least + random.integers(1, 3000, (4000, 2))])
    names = ["xmin", "ymin", "xmax", "ymax"]
    pq.write_table(pa.table({"id": np.arange(4000), **dict(zip(names, box.T / 256))}), folder / "a", row_group_size=500)
    apart = [
        np.minimum.outer(box[:, axis + 2], box[:, axis + 2]) <= np.maximum.outer(box[:, axis], box[:, axis])
        for axis in (0, 1)
    ]
    return folder / "a", np.argwhere(np.triu(~(apart[0] | apart[1]), 1)).tolist()


@pytest.mark.parametrize("itself", [True, False])
def test_a_task_compares_at_most_so_many_shapes(tmp_path, monkeypatch, itself):
    path, right = many(tmp_path)
    sizes = []

    def counted(a, b, *rest):
        sizes.append(len(a) + (0 if b is None else len(b)))
        return pairs_of_tile(a, b, *rest)

    monkeypatch.setattr(_join, "pairs_of_tile", counted)
    with dask.config.set(scheduler="synchronous"):
        count = tiles.join(path, None if itself else path, tmp_path / "pairs", most=300)
    assert count == (len(right) if itself else 2 * len(right) + 4000)
    assert 250 < max(sizes) <= 300


def test_any_number_of_workers_gives_the_same_pairs(client, tmp_path):
    path, right = many(tmp_path)
    client.wait_for_workers(8, timeout=60)
    workers = list(client.run(os.getpid))
    for count, most in [(1, 1000), (2, 400), (8, 150)]:
        with dask.annotate(workers=workers[:count], allow_other_workers=False):
            assert tiles.join(path, None, tmp_path / f"{count}", most=most) == len(right)
        parts = read(tmp_path / f"{count}")
        assert len(parts) > 4 and sorted(itertools.chain(*parts)) == right


def test_a_killed_worker_changes_no_pair(client, tmp_path):
    path, right = many(tmp_path)
    client.wait_for_workers(8, timeout=60)
    pids = client.run(os.getpid)
    killed = []

    def kill():
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".hitmask-*/pairs-*")):
            if time.monotonic() > deadline:
                return
            time.sleep(0.01)
        killed.append(next(iter(pids.values())))
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    count = tiles.join(path, None, tmp_path / "pairs", most=60)
    killer.join()
    assert killed, "no tile had pairs in time"
    assert count == len(right) and sorted(itertools.chain(*read(tmp_path / "pairs"))) == right
    assert {path.name for path in tmp_path.iterdir()} == {"a", "pairs"}


def polygon(*rings):
    return {"geometry": pa.array([list(rings)], pa.list_(pa.list_(pa.list_(pa.float64(), 2))))}


SQUARE = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
BOX = {"xmin": [0.0], "ymin": [0.0], "xmax": [4.0], "ymax": [4.0]}
TALL = [cocotools.encode(np.zeros((8193, 2), np.uint8, "F"))["counts"]]
MASK = {"x": [0], "y": [0], "height": [2], "width": [2], "counts": [b"04"]}


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"id": [7.5], **BOX}, {}, "`id` is of the type double, the first 7.5; it must be of integers"),
        ({"id": ["x7"], **BOX}, {}, "`id` is of the type string, the first x7; it must be of integers"),
        (
            {"id": np.array([2**63], np.uint64), **BOX},
            {},
            f"`id` has the number {2**63}; it must be at most {2**63 - 1}",
        ),
        ({"id": pa.array([None], pa.int64()), **BOX}, {}, "`id` of a row is null"),
        ({"x": [1]}, {}, r"has the columns id, x; it must have `id` and those of a kind: polygons \(geometry\); boxes"),
        (BOX, {"most": 1}, "`most` is 1; it must be at least 2"),
        ({**BOX, "xmax": [None]}, {}, "`xmax` of id 7 is null"),
        ({**BOX, "xmax": [np.nan]}, {}, r"the shape of id 7 has the coordinates \[0.0, 0.0, nan, 4.0\]"),
        ({**BOX, "xmax": [2.0**41]}, {}, "the limit is 2\\^40"),
        (
            {**BOX, "xmax": [2.0**21]},
            {},
            r"the shape of id 7 has sides of \[2097152.0, 4.0\]; each must be above 0, at most 1048576",
        ),
        ({**BOX, "xmax": [0.0]}, {}, "each must be above 0"),
        ({**BOX, "xmax": ["4"]}, {}, "`xmax` is of the type string"),
        (
            {"geometry": [b"wkb"]},
            {},
            "`geometry` is of the type binary; it must be lists of rings of corners: .*geoarrow",
        ),
        ({"geometry": [[[SQUARE]]]}, {}, "`geometry` has corners of the type list.*: .*MultiPolygons"),
        ({"geometry": [[[1.0, 2.0]]]}, {}, "`geometry` has corners of the type double"),
        (polygon(), {}, "the polygon of id 7 is empty"),
        (
            polygon([[0, 0], [4, 4], [4, 0], [0, 4]]),
            {},
            "the polygon of id 7 has no area, or sides that cross",
        ),
        (polygon([[0, 0], [4, 4], [2, 2]]), {}, "each other"),
        # A star, whose sides wind twice around its middle.
        (polygon([[50, 0], [79, 90], [2, 35], [98, 35], [21, 90]]), {}, "each other"),
        (polygon(SQUARE, [[1, 1], [5, 1], [1, 2]]), {}, "each other"),
        ({**MASK, "x": [0.5]}, {}, "`x` is of the type double"),
        ({**MASK, "counts": [b"0"]}, {}, "the mask of id 7: the counts add up to 0; the mask has 4 pixels$"),
        ({**MASK, "counts": [b"05"]}, {}, "the mask of id 7: the first 2 counts add up to 5; "),
        ({**MASK, "counts": [5.5]}, {}, "the mask of id 7: `counts` must be bytes, a str or a list of integers"),
        ({**MASK, "x": np.array([2**64 - 1], np.uint64)}, {}, "the limit is 2\\^40"),
        ({**MASK, "height": [8193], "counts": TALL}, {}, r"id 7 has sides of \[2.0, 8193.0\]; each .* at most 8192"),
        (polygon(SQUARE, None), {}, "the polygon of id 7 has a ring that is null"),
        # Some versions of pyarrow cannot read it.
        (polygon([*SQUARE, None]), {}, "the polygon of id 7 has a corner that is null|/a cannot be read: "),
        (polygon([*SQUARE, [2, None]]), {}, "id 7 has the coordinates .2.0, nan."),
        (polygon([*SQUARE, [0, 8], [0, 4]]), {}, "polygon of id 7: edge 3"),  # a spike
        (polygon([[0, 0], [4, 0], [2, 0], [2, 4]]), {}, "polygon of id 7: edge 0"),
        (polygon([[0, 0], [4, 4], [8, 8], [8, 0], [4, 4], [0, 6]]), {}, "polygon of id 7: edge 0"),
        (polygon(SQUARE, [[8, 8], [9, 8], [9, 9]]), {}, "polygon of id 7: hole 0 does not lie within the outline"),
        (polygon(SQUARE, SQUARE), {}, "polygon of id 7: edge 0 .* hole 0"),
    ],
)
@pytest.mark.parametrize("touch", [Touch.INCLUDED, Touch.EXCLUDED])
def test_bad_tables_are_refused_by_id_before_all_else_and_leave_nothing(
    tmp_path, monkeypatch, columns, options, message, touch
):
    monkeypatch.setattr(_join, "_scatter", None)
    table = pa.table({**{"id": [7]}, **columns})
    pq.write_table(table, tmp_path / "a")
    pq.write_table(pa.table({"id": [8], **BOX}), tmp_path / "b")
    with dask.config.set(scheduler="synchronous"), pytest.raises(hitmask.Error, match=message) as caught:
        tiles.join(tmp_path / "a", tmp_path / "b", tmp_path / "pairs", touch=touch, scratch=tmp_path, **options)
    assert "most" in options or str(tmp_path / "a") in str(caught.value)
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}
    if not options and "/a cannot be read" not in str(caught.value):
        other = pa.table({"id": [8], **BOX})
        for given in [(table, other), (other, table)]:
            with pytest.raises(hitmask.Error, match=message) as caught:
                tiles.pairs(*given, touch=touch)
            assert str(caught.value).startswith(f"`{'ab'[given[1] is table]}`")


@pytest.mark.parametrize("name", ["geoarrow.multilinestring", "geoarrow.polygon"])
def test_lists_of_lists_that_are_no_polygons_are_refused(tmp_path, name):
    class Named(pa.ExtensionType):
        """A type that `pairs` is given, and that Parquet files name in their metadata."""

        def __init__(self):
            super().__init__(polygon()["geometry"].type, name)

        def __arrow_ext_serialize__(self):
            return b""

    geometry = pa.ExtensionArray.from_storage(Named(), polygon(SQUARE)["geometry"])
    table = pa.table({"id": [7], "geometry": geometry})
    pq.write_table(table, tmp_path / "a")
    assert pq.read_schema(tmp_path / "a").field("geometry").type == Named().storage_type
    calls = {
        "`a`": lambda: len(tiles.pairs(table, table)),
        "`b`": lambda: len(tiles.pairs(pa.table({"id": [8], **BOX}), pq.read_table(tmp_path / "a"))),
        tmp_path / "a": lambda: tiles.join(tmp_path / "a", tmp_path / "a", tmp_path / "pairs"),
    }
    for named, call in calls.items():
        if name == "geoarrow.polygon":
            assert call() == 1
            continue
        with pytest.raises(hitmask.Error) as caught:
            call()
        right = "it must be lists of rings of corners: geopandas makes them"
        assert str(caught.value).startswith(f"{named}: `geometry` is of the type {name}; {right}")


@pytest.mark.parametrize("type", [pa.binary_view(), pa.string_view(), pa.large_string(), pa.large_binary()])
def test_text_may_be_of_any_type(tmp_path, type):
    # The last is in another tile.
    columns = {"x": [0, 1, 2**21], **{name: MASK[name] * 3 for name in ["y", "height", "width"]}}
    table = pa.table({"id": [7, 8, 9], **columns, "counts": pa.array(["04"] * 3, type)})
    pq.write_table(table, tmp_path / "a")
    assert tiles.pairs(table).tolist() == [[7, 8]]
    assert tiles.join(tmp_path / "a", None, tmp_path / "pairs") == 1


def test_columns_of_one_name_are_refused(tmp_path):
    table = pa.Table.from_arrays([pa.array([7])] * 2 + list(map(pa.array, BOX.values())), ["id", "id", *BOX])
    pq.write_table(table, tmp_path / "a")
    for whose, call in {
        "`a`": lambda: tiles.pairs(table),
        tmp_path / "a": lambda: tiles.join(tmp_path / "a", None, tmp_path / "pairs"),
    }.items():
        with pytest.raises(hitmask.Error, match=f"^{whose} has 2 columns `id`; it must have one$"):
            call()


def write(path, columns):
    pq.write_table(pa.table({"id": [7], **columns}), path)
    return path


def test_files_of_one_table_have_the_same_types(tmp_path):
    first = write(tmp_path / "a.parquet", BOX)
    other = write(tmp_path / "b.parquet", {**BOX, "xmax": [4]})
    with pytest.raises(
        hitmask.Error, match=rf"{other} has the columns .*`xmax` int64.*; .* those of {first}: .*double"
    ):
        tiles.join([first, other], None, tmp_path / "pairs")
    with pytest.raises(hitmask.Error, match=f"{other} has the columns"):
        tiles.join(tmp_path, None, tmp_path / "pairs")
    (tmp_path / "c.parquet").write_text("id,xmin")
    with pytest.raises(hitmask.Error, match=f"{tmp_path / 'c.parquet'} cannot be read: "):
        tiles.join(tmp_path / "c.parquet", None, tmp_path / "pairs")
    # What no value depends on may differ.
    field = pa.field("id", pa.int64(), nullable=False, metadata={"a": "b"})
    table = pa.table({"id": [7], **BOX})
    pq.write_table(table.cast(pa.schema([field, *list(table.schema)[1:]])), other)
    assert tiles.join(first, [first, other], tmp_path / "pairs") == 2


def test_a_directory_stands_for_its_files(tmp_path):
    folder = tmp_path / "a"
    (folder / "part=1").mkdir(parents=True)
    with pytest.raises(hitmask.Error, match=f"the directory {folder} has no file"):
        tiles.join(folder, None, tmp_path / "pairs")
    write(folder / "part=1" / "a.parquet", BOX)
    write(folder / "b.parquet", BOX)
    for ignored in [".c.parquet", "_d.parquet", "readme.md"]:
        (folder / ignored).write_text("")
    assert tiles.join(folder, folder / "b.parquet", tmp_path / "pairs") == 2


@pytest.mark.skipif(os.name == "nt", reason="there is no umask")
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_what_is_written_may_be_read_by_whom_the_umask_lets(tmp_path, umask):
    path = write(tmp_path / "a", BOX)
    before = os.umask(umask)
    try:
        with dask.config.set(scheduler="synchronous"):
            tiles.join(path, path, tmp_path / "pairs")
            (tmp_path / "own").mkdir(mode=0o700)
            tiles.join(path, path, tmp_path / "own")
    finally:
        os.umask(before)
    (file,) = (tmp_path / "pairs").iterdir()
    assert (tmp_path / "pairs").stat().st_mode & 0o777 == 0o777 & ~umask
    assert file.stat().st_mode & 0o777 == 0o666 & ~umask
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o700


def test_where_to_write_is_checked_first(tmp_path):
    path = write(tmp_path / "a", {**BOX, "xmax": [0.0]})
    with pytest.raises(hitmask.Error, match=f"`to` is {path}, which is no directory"):
        tiles.join(path, None, path)
    with pytest.raises(OSError, match=str(path)):
        tiles.join(path, None, path / "pairs")


@pytest.mark.skipif(os.name == "nt", reason="links take a privilege")
@pytest.mark.parametrize("to", [".", "link", "away", "own"])
def test_a_directory_that_is_there_is_kept(tmp_path, monkeypatch, to):
    path = write(tmp_path / "a", BOX)
    own = tmp_path / "own"
    own.mkdir()
    before = own.stat()
    (tmp_path / "link").symlink_to(own, target_is_directory=True)
    (tmp_path / "away").symlink_to(tmp_path / "new" / "pairs", target_is_directory=True)
    monkeypatch.chdir(own if to == "." else tmp_path)
    assert tiles.join(path, path, to) == 1
    assert read(Path(to)) == [[[7, 7]]] and (tmp_path / to).is_symlink() == (to in ["link", "away"])
    assert (own.stat().st_ino, own.stat().st_mode) == (before.st_ino, before.st_mode)
    assert len(list(own.iterdir())) == (to != "away")


@pytest.mark.parametrize("is_there", [True, False])
def test_an_error_leaves_nothing(tmp_path, monkeypatch, is_there):
    path, wrong = write(tmp_path / "a", BOX), write(tmp_path / "b", {**BOX, "xmax": [0.0]})
    to = tmp_path / "new" / "deep" / "pairs"
    if is_there:
        to.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(hitmask.Error, match="sides"):
        tiles.join(path, wrong, to)
    assert sorted(tmp_path.rglob("*")) == before

    def refuse(file, target, replace=os.replace):
        if Path(target).parent in [to, to.parent]:
            raise OSError("full")
        replace(file, target)

    monkeypatch.setattr(os, "replace", refuse)
    with dask.config.set(scheduler="synchronous"), pytest.raises(OSError, match="full"):
        tiles.join(path, path, to)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("touch", ["INCLUDED", True, 1, None])
def test_touch_is_one(tmp_path, touch):
    with pytest.raises(TypeError, match=f"`touch` must be a `Touch`; it is {touch!r}"):
        tiles.join(write(tmp_path / "a", BOX), None, tmp_path / "pairs", touch=touch)
    with pytest.raises(TypeError, match=f"`touch` must be a `Touch`; it is {touch!r}"):
        tiles.pairs(pa.table({"id": [7], **BOX}), touch=touch)


def test_coordinates_are_rounded_to_a_256th(tmp_path):
    near, far = ({**BOX, "xmin": [4 + step / 256], "xmax": [8.0]} for step in (0.4, 0.6))
    a, b, c = (write(tmp_path / name, columns) for name, columns in [("a", BOX), ("b", near), ("c", far)])
    counts = [tiles.join(a, other, tmp_path / f"{other.name}-pairs", touch=Touch.INCLUDED) for other in (b, c)]
    assert counts == [1, 0]


@pytest.mark.parametrize(
    "rings",
    [
        [[*SQUARE, SQUARE[0]]],
        [[SQUARE[0], *SQUARE, SQUARE[3], SQUARE[0]]],
        [[*SQUARE[:2], [4.0, 2.0], *SQUARE[2:]]],
        [SQUARE, [[0, 0], [2, 1], [1, 2]]],
        [SQUARE, [[0, 2], [2, 1], [1, 2]]],
        [SQUARE, [[1, 1], [2, 1], [2, 2]], [[2, 2], [3, 2], [3, 3]]],
        [[[0, 0], [4, 4], [8, 0], [8, 8], [4, 4], [0, 8]]],
    ],
)
def test_repeated_corners_and_holes_that_touch_at_points_are_valid(tmp_path, rings):
    a, b = write(tmp_path / "a", polygon(*rings)), write(tmp_path / "b", BOX)
    hitmask.Shape.polygon(rings[0], rings[1:])
    assert [tiles.join(a, other, tmp_path / f"pairs-{other.name}") for other in (a, b)] == [1, 1]


def test_a_corner_on_another_side_is_valid(tmp_path):
    a = write(tmp_path / "a", polygon([[0, 0], [8, 0], [8, 8], [4, 0], [0, 8]]))
    b = write(tmp_path / "b", polygon([[8, 0], [12, 0], [12, 5], [8, 5]]))
    assert tiles.join(a, b, tmp_path / "pairs", touch=Touch.INCLUDED) == 1
    assert tiles.join(a, b, tmp_path / "others") == 0


def test_crossing_at_a_corner_on_another_side_is_not_looked_for(tmp_path):
    crossed = [[0, 0], [8, 0], [8, 4], [4, 0], [2, -4], [0, -4]]
    with pytest.raises(hitmask.Error, match="edge 0"):
        hitmask.Shape.polygon(crossed)
    assert tiles.join(write(tmp_path / "a", polygon(crossed)), None, tmp_path / "pairs") == 0


def triangles_far_apart(random, count, reach):
    """Returns a table of triangles in places that are far apart, the corners of each in lattice steps, and ids."""
    places = np.random.default_rng(5).integers(-reach, reach, (12, 2)) * 256
    corners = places[random.integers(0, 12, count)][:, None] + random.integers(0, 4000, (count, 1, 2))
    corners = corners + [[0, 0], [900, 0], [0, 900]] + random.integers(0, 400, (count, 3, 2))
    ids = random.permutation(2 * count)[:count]
    rows = [[ring] for ring in (corners / 256).tolist()]
    return pa.table({"id": ids, "geometry": pa.array(rows, polygon()["geometry"].type)}), corners, ids


@pytest.mark.parametrize("touch", [Touch.INCLUDED, Touch.EXCLUDED])
@pytest.mark.parametrize("reach", [30, 2**19, 2**39])
@pytest.mark.parametrize("itself", [True, False])
def test_pairs_in_memory_may_be_many_and_far_apart(reach, itself, touch):
    random = np.random.default_rng(reach)
    (a, corners, ids), (b, others, names) = (triangles_far_apart(random, count, reach) for count in (600, 520))
    if itself:
        b, others, names = None, corners, ids
    near = (corners.min(1)[:, None] <= others.max(1)) & (others.min(1) <= corners.max(1)[:, None])
    found = [(i, j) for i, j in np.argwhere(near.all(2)).tolist() if not separated(corners[i], others[j], touch)]
    right = sorted(
        {tuple(sorted((ids[i], ids[j]))) for i, j in found if i != j}
        if itself
        else {(ids[i], names[j]) for i, j in found}
    )
    assert len(right) > 300
    assert tiles.pairs(a, b, touch=touch).tolist() == [list(pair) for pair in right]


def test_tables_in_memory_may_have_no_tile_in_common():
    far = {**BOX, "xmin": [2.0**20], "xmax": [2.0**20 + 4]}
    a, b = (pa.table({"id": [7], **columns}) for columns in (BOX, far))
    assert tiles.pairs(a, b).shape == tiles.pairs(pa.concat_tables([a, b])).shape == (0, 2)
    assert tiles.pairs(a, pa.concat_tables([b, a])).tolist() == [[7, 7]]


@pytest.mark.parametrize("itself", [True, False])
def test_many_polygons_of_all_sizes_in_several_chunks(itself):
    random = np.random.default_rng(7)
    least = random.integers(0, 2000 * 256, (6000, 2))
    sides = (256 * random.choice([6, 9, 30, 700], (6000, 1), p=[0.5, 0.4, 0.09, 0.01])).astype(np.int64)
    boxes = np.hstack([least, least + sides])
    boxes[-1] = [-(2**27), 0, 2**27, 256]  # as long as a shape may be
    x0, y0, x1, y1 = boxes.T / 256
    rows = np.stack([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]).transpose(2, 0, 1).tolist()
    table = pa.table({"id": np.arange(6000), "geometry": pa.array([[r] for r in rows], polygon()["geometry"].type)})
    table = pa.concat_tables([table[:0], table[:2500], table[2500:2500], table[2500:]])
    a, b = (table, None) if itself else (table[:3500], table[3500:])
    first, second = (boxes, boxes) if itself else (boxes[:3500], boxes[3500:])
    meet = [
        np.minimum.outer(first[:, axis + 2], second[:, axis + 2]) > np.maximum.outer(first[:, axis], second[:, axis])
        for axis in (0, 1)
    ]
    right = np.argwhere(np.triu(meet[0] & meet[1], 1) if itself else meet[0] & meet[1]) + [0, 0 if itself else 3500]
    assert len(right) > 10_000
    assert (tiles.pairs(a, b) == right).all()


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan, 1e300, -(2.0**41)])
@pytest.mark.parametrize("place", [0, 1, 2999])
def test_a_coordinate_that_is_too_large_is_named_in_any_chunk(wrong, place):
    rows = [[[[x, 0.0], [x + 4, 0.0], [x, 4.0]]] for x in range(3000)]
    rows[place][0][0][0] = wrong
    table = pa.table({"id": np.arange(3000), "geometry": pa.array(rows, polygon()["geometry"].type)})
    with pytest.raises(hitmask.Error, match=f"`a`: the shape of id {place} has the coordinates .*; the limit is 2.40"):
        tiles.pairs(pa.concat_tables([table[:1000], table[1000:]]))


def test_boxes_in_memory_may_be_far_apart():
    x = np.array([8 - 2.0**40, 0, 2.0**39, 2.0**39 + 3, 11.5 - 2.0**40, 2.0**40 - 4])
    table = pa.table({"id": np.arange(6), "xmin": x, "ymin": -x, "xmax": x + 4, "ymax": 4 - x})
    assert tiles.pairs(table).tolist() == [[0, 4], [2, 3]]


def refused(work):
    try:
        work()
    except hitmask.Error:
        return True
    return False


@settings(max_examples=600)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=8))
def test_a_polygon_is_refused_as_its_shape_is(corners):
    def on_a_side(corner):
        return any(
            (x - a) * (d - b) == (y - b) * (c - a) and min(a, c) <= x <= max(a, c) and min(b, d) <= y <= max(b, d)
            for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1])
            for x, y in [corner]
            if corner not in [(a, b), (c, d)]
        )

    is_refused = refused(lambda: tiles.pairs(pa.table({"id": [7], **polygon(corners)})))
    assert is_refused == refused(lambda: hitmask.Shape.polygon(corners)) or any(map(on_a_side, corners))


def ring(random, kind, count):
    """Returns about `count` corners of a ring of some kind, whole numbers."""
    steps = np.arange(count)
    if kind == "disc":
        angles = 2 * np.pi * steps / count
        return np.round((500 + random.integers(0, 30, (count, 1))) * np.stack([np.cos(angles), np.sin(angles)], 1))
    if kind == "coast":
        return np.vstack([np.stack([steps, np.cumsum(random.integers(-2, 3, count))], 1), [[count, -99], [0, -99]]])
    if kind == "comb":
        teeth = np.stack([np.array([0, 400, 400, 0])[steps % 4], steps // 4 * 4 + steps // 2 % 2 * 2], 1)
        return np.vstack([teeth, [[-9, teeth[-1, 1]], [-9, 0]]])
    return random.integers(0, 400, (count, 2))


def signs(line, points):
    """Returns on which side of each line each point lies."""
    along = np.diff(line, axis=1)
    to = points[None] - line[:, :1]
    return np.sign(along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0])


def compare(first, second):
    """Returns how the closed boundaries of two rings meet: pairs of sides that share a point, and those that cross."""
    lines = [np.stack([corners, np.roll(corners, -1, 0)], 1).astype(np.int64) for corners in (first, second)]
    boxes = [(line.min(1), line.max(1)) for line in lines]
    near = ((boxes[0][0][:, None] <= boxes[1][1][None]) & (boxes[1][0][None] <= boxes[0][1][:, None])).all(2)
    of_first = signs(lines[0], lines[1][:, 0]) * signs(lines[0], lines[1][:, 1])
    of_second = (signs(lines[1], lines[0][:, 0]) * signs(lines[1], lines[0][:, 1])).T
    return near & (of_first <= 0) & (of_second <= 0), near & (of_first < 0) & (of_second < 0)


def is_inside(ring, corner):
    """Returns whether a corner that is on no side lies in a ring."""
    (x, y), ends = corner, np.roll(ring, -1, 0)
    down = ring[:, 1] <= y
    turns = signs(np.stack([ring, ends], 1), np.array([[x, y]]))[:, 0] > 0
    return bool(((down != (ends[:, 1] <= y)) & (turns == down)).sum() % 2)


@settings(max_examples=60)
@given(
    st.integers(0, 2**32),
    st.tuples(*[st.sampled_from(["disc", "coast", "comb", "any"])] * 2),
    st.tuples(*[st.sampled_from([20, 500, 530, 700])] * 2),
)
def test_polygons_of_many_sides_meet_as_all_their_sides_do(seed, kinds, counts):
    random = np.random.default_rng(seed)
    a, b = (ring(random, kind, count) for kind, count in zip(kinds, counts))
    if random.random() < 0.5:
        a = a[:, ::-1]
    if random.random() < 0.5:
        # Near the other, or a copy of it.
        b = a * random.choice([1, 1, 2]) + random.integers(-3, 4, 2)
    b = b + random.integers(-400, 400, 2) * random.choice([0, 0, 1])
    read = lambda ring, check=False: hitmask._hitmask._Polygons(
        [(ring / 256, np.array([0, len(ring)]), np.array([0, 1]))], np.array([7]), check
    )
    meet, cross = compare(a, b)
    _, hit = read(a).meetings(read(b))
    if cross.any():
        assert hit.tolist() == [True]
    elif meet.any():
        assert hit.tolist() == [False]
    else:
        assert hit.tolist() == [True] * (is_inside(a, b[0]) or is_inside(b, a[0]))
    is_crossed = compare(a, a)[1].any()
    assert is_crossed == refused(lambda: read(a, True))


def coast(count, up):
    """Returns a coast of many corners, above which there is land, or below."""
    y = np.cumsum(np.random.default_rng(1).normal(0, 0.5, count))
    far = y.max() + 9 if up else y.min() - 9
    return np.vstack([np.stack([np.arange(count), y + 0.4 * up], 1), [[count, far], [0, far]]])


def comb(count, turned, other):
    """Returns a comb of level teeth, or of upright ones, that lie between those of the other."""
    corner = np.arange(count)
    x, y = np.array([0.0, 9999, 9999, 0])[corner % 4], corner // 4 * 4 + corner // 2 % 2
    teeth = np.vstack([np.stack([x, y], 1), [[-1, y[-1]], [-1, 0]]])
    teeth = [10_005, 2] + teeth * [-1, 1] if other else teeth
    return teeth[:, ::-1] if turned else teeth


@pytest.mark.parametrize(
    "rings",
    [
        [coast(80_000, True), coast(80_000, False)],
        [comb(80_000, False, False), comb(80_000, False, True)],
        [comb(80_000, True, False), comb(80_000, True, True)],
    ],
    ids=["coasts", "level", "upright"],
)
def test_polygons_of_many_corners_do_not_take_the_square_of_them(rings):
    corners = np.concatenate(rings)
    ends = np.cumsum([0, *map(len, rings)])
    lists = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.FixedSizeListArray.from_arrays(corners.ravel(), 2))
    geometry = pa.ListArray.from_arrays(pa.array(np.arange(len(rings) + 1), pa.int32()), lists)
    table = pa.table({"id": np.arange(len(rings)), "geometry": geometry})
    start = time.process_time()
    assert len(tiles.pairs(table)) == 0
    # Some 0.1 s, and 10 to 100 times as much for all pairs of sides.
    assert time.process_time() - start < 2


def test_a_table_in_memory_is_one_of_arrow():
    for wrong in [7, "a.parquet", np.zeros((2, 4)), [1, 2]]:
        with pytest.raises(TypeError, match="`b` must be a table of Arrow; it is "):
            tiles.pairs(pa.table({"id": [7], **BOX}), wrong)
    batch = pa.record_batch({"id": [7], "unused": [1], **BOX})

    class Stream:
        """Has nothing but the stream, as what geopandas' `to_arrow` returns."""

        def __arrow_c_stream__(self, schema=None):
            return pa.table(batch).__arrow_c_stream__(schema)

    assert tiles.pairs(batch, batch).tolist() == tiles.pairs(Stream(), batch).tolist() == [[7, 7]]
    assert tiles.pairs(batch).shape == tiles.pairs(batch.slice(1), batch).shape == (0, 2)
    with pytest.raises(hitmask.Error, match="`a`: `id` is of the type null; it must be of integers"):
        tiles.pairs(pa.table({"id": [], **{name: [] for name in BOX}}))


def test_pairs_are_not_mixed_with_other_files(tmp_path):
    pq.write_table(pa.table({"id": [7], **BOX}), tmp_path / "a")
    with pytest.raises(hitmask.Error, match="is not empty"):
        tiles.join(tmp_path / "a", None, tmp_path)


def test_nothing_has_no_pairs(tmp_path):
    table = pa.table({"id": [7], **BOX})
    pq.write_table(table, tmp_path / "a")
    pq.write_table(table[:0], tmp_path / "b")
    with dask.config.set(scheduler="synchronous"):
        for a, b in ["aa", "ab", "ba", "bb"]:
            count = tiles.join(tmp_path / a, tmp_path / b, tmp_path / "pairs" / (a + b))
            assert count == (a + b == "aa") == len(read(tmp_path / "pairs" / (a + b)))
        assert tiles.join(tmp_path / "b", None, tmp_path / "none") == 0
