"""Instances over tiles, held against a judge that sees the whole image: sets of pixels, in plain Python."""

import hashlib
import itertools
import os
import subprocess
import sys
import time

import dask
import dask.array as da
import numpy as np
import pytest
from cluster import kill_a_worker
from dask.array.overlap import overlap
from distributed import Event
from hypothesis import given, settings
from hypothesis import strategies as st

import hitmask
from hitmask import tiles

#: The cluster of other tests may be up meanwhile.
pytestmark = pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler:UserWarning")


def chunked(sizes, depth):
    """Returns the sizes of overlapping blocks with cores of some sizes."""
    return tuple(size + depth * ((k > 0) + (k < len(sizes) - 1)) for k, size in enumerate(sizes))


def rectangles(rows, columns, depth):
    """Returns the core and the block of each tile, as (top, left, bottom, right)."""
    spans = []
    for sizes, deep in zip((rows, columns), depth):
        ends = np.cumsum([0, *sizes]).tolist()
        spans.append([(a, b, max(a - deep, 0), min(b + deep, ends[-1])) for a, b in zip(ends, ends[1:])])
    return [
        ((top, left, bottom, right), (above, before, below, after))
        for (top, bottom, above, below), (left, right, before, after) in itertools.product(*spans)
    ]


def judge(blocks, places, min_iou):
    """Returns the edges as rows, and the merged image."""
    pixels = []
    for block, (_, (top, left, *_)) in zip(blocks, places):
        of_tile = {}
        for (y, x), label in np.ndenumerate(block):
            if label:
                of_tile.setdefault(int(label), set()).add((top + y, left + x))
        pixels.append(of_tile)
    edges, linked = [], {(t, label): {(t, label)} for t, of_tile in enumerate(pixels) for label in of_tile}
    for t, u in itertools.combinations(range(len(blocks)), 2):
        (_, a), (_, b) = places[t], places[u]
        both = {
            (y, x) for y in range(max(a[0], b[0]), min(a[2], b[2])) for x in range(max(a[1], b[1]), min(a[3], b[3]))
        }
        for one, other in itertools.product(sorted(pixels[t]), sorted(pixels[u])):
            p, q = pixels[t][one] & both, pixels[u][other] & both
            if p & q and len(p & q) / len(p | q) >= min_iou:
                edges.append((t, one, u, other, len(p & q), len(p & q) / len(p | q)))
                together = linked[t, one] | linked[u, other]
                for each in together:
                    linked[each] = together
    height, width = places[-1][0][2:]
    merged, numbers = np.zeros((height, width), np.int64), {}
    for y, x in itertools.product(range(height), range(width)):
        for t, ((top, left, bottom, right), (above, before, *_)) in enumerate(places):
            if top <= y < bottom and left <= x < right and blocks[t][y - above, x - before]:
                component = min(linked[t, int(blocks[t][y - above, x - before])])
                merged[y, x] = numbers.setdefault(component, len(numbers) + 1)
    return edges, merged


@st.composite
def tilings(draw):
    """Draws the blocks of an image with its tiling: instances that each tile sees a little differently."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    depth = tuple(random.integers(0, 5, 2).tolist())
    rows, columns = [random.integers(max(deep, 1), max(deep, 1) + 8, random.integers(1, 4)).tolist() for deep in depth]
    image = np.zeros((sum(rows), sum(columns)), np.int64)
    for label in range(1, int(random.integers(1, 12))):
        y, x = random.integers(0, image.shape)
        high, wide = random.integers(1, 12, 2)
        image[y : y + high, x : x + wide] = label
    dtype = random.choice([np.int64, np.int32, np.uint16, np.uint64, np.int8])
    blocks, places = [], rectangles(rows, columns, depth)
    for _, (top, left, bottom, right) in places:
        block = image[top:bottom, left:right]
        # Other numbers, of which some may be equal: then two instances are one here.
        names = random.choice(np.arange(-60, 60) if np.dtype(dtype).kind == "i" else np.arange(1, 120), 13)
        block = np.where(block, names[block], 0)
        if random.random() < 0.7:
            block = np.where(random.random(block.shape) < 0.15, 0, block)
        if random.random() < 0.3:
            block = np.where(random.random(block.shape) < 0.1, names[0], block)
        blocks.append(block.astype(dtype))
    return blocks, places, rows, columns, depth


def assembled(blocks, rows, columns, depth):
    """Returns the dask array of blocks."""
    table = [blocks[k * len(columns) : (k + 1) * len(columns)] for k in range(len(rows))]
    return da.from_array(np.block(table), chunks=(chunked(rows, depth[0]), chunked(columns, depth[1])))


@settings(max_examples=100)
@given(tilings(), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8, 1.0]))
def test_edges_and_merged_images_are_those_of_the_whole_image(tiling, min_iou):
    blocks, places, rows, columns, depth = tiling
    edges, merged = judge(blocks, places, min_iou)
    labels = assembled(blocks, rows, columns, depth)
    with dask.config.set(scheduler="synchronous"):
        found = tiles.overlaps(labels, depth, min_iou).compute()
        image = tiles.merge(labels, depth, min_iou)
        assert image.shape == merged.shape and image.dtype == np.int64
        assert image.numblocks == labels.numblocks
        computed = image.compute()
    assert found.dtype == tiles.EDGE
    assert found.tolist() == edges
    assert (computed == merged).all()


def truth(top, left, bottom, right):
    """Returns a part of an image of cells, numbered by their squares."""
    y, x = np.mgrid[top:bottom, left:right]
    row, along = y // 9, x + y // 9 * 4
    solid = (y % 9 - 4) ** 2 + (along % 9 - 4) ** 2 < 18
    return np.where(solid, row * 1000 + along // 9 + 1, 0)


def cells(rows, columns, depth, wait=None):
    """Returns the labels of an image of cells in a tiling. Workers make them, each tile with numbers of its own."""

    def make(block_id=None):
        if wait:
            time.sleep(0.05)
            if sum(block_id) == 3:
                Event(wait).wait()
        block = truth(*places[block_id[0] * len(columns) + block_id[1]][1])
        names = np.random.default_rng(block_id).permutation(block.max() + 1) + 1
        return np.where(block, names[block], 0)

    places = rectangles(rows, columns, (depth, depth))
    chunks = chunked(rows, depth), chunked(columns, depth)
    return da.map_blocks(make, chunks=chunks, dtype=np.int64, meta=np.zeros((0, 0), np.int64))


def digest(image):
    return hashlib.sha256(np.ascontiguousarray(image)).hexdigest()


def digest_of_truth(height, width):
    """Returns the digest of the whole image, whose cells are numbered by their first pixels."""
    whole = truth(0, 0, height, width)
    labels, first, inverse = np.unique(whole, return_index=True, return_inverse=True)
    first[labels == 0] = -1
    return digest(first.argsort().argsort()[inverse].reshape(whole.shape))


@settings(max_examples=40)
@given(st.lists(st.integers(12, 40), min_size=1, max_size=4), st.lists(st.integers(12, 40), min_size=1, max_size=4))
def test_every_tiling_gives_the_image_of_the_whole(rows, columns):
    with dask.config.set(scheduler="synchronous"):
        image = tiles.merge(cells(rows, columns, 12), 12).compute()
    assert digest(image) == digest_of_truth(sum(rows), sum(columns))


def test_blocks_lie_as_overlap_of_dask_has_them():
    image = truth(0, 0, 100, 77)
    labels = overlap(da.from_array(image, chunks=(30, 20)), depth=9, boundary="none")
    assert labels.chunks == (chunked([30, 30, 30, 10], 9), chunked([20, 20, 20, 17], 9))
    edges = tiles.overlaps(labels, 9).compute()
    assert len(edges) and (edges["iou"] == 1).all() and (edges["label_a"] == edges["label_b"]).all()
    assert digest(tiles.merge(labels, 9).compute()) == digest_of_truth(100, 77)


def test_numbers_may_be_any_integers():
    image = truth(0, 0, 40, 40)
    for dtype, offset in [(np.int64, -(2**63)), (np.int16, -7000), (np.int64, 2**62), (np.uint64, 5)]:
        shifted = np.where(image, image.astype(np.int64) + offset, 0).astype(dtype)
        labels = overlap(da.from_array(shifted, chunks=20), depth=9, boundary="none")
        assert digest(tiles.merge(labels, 9).compute()) == digest_of_truth(40, 40)
    ends = np.repeat([[2**62, -(2**62)]], 4, 0)
    apart = overlap(da.from_array(ends, chunks=2), depth=1, boundary="none")
    assert tiles.merge(apart, [1, 1]).compute().tolist() == [[1, 2]] * 4
    solid = overlap(da.ones((40, 40), chunks=20, dtype=bool), depth=4, boundary="none")
    assert (tiles.merge(solid, 4).compute() == 1).all()


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9))), st.randoms())
def test_groups_are_what_pairs_connect_in_any_order(pairs, random):
    linked = {number: {number} for pair in pairs for number in pair}
    for a, b in pairs:
        together = linked[a] | linked[b]
        for each in together:
            linked[each] = together
    random.shuffle(pairs)
    a, b = np.array(pairs, np.int64).reshape(-1, 2).T
    numbers, least = tiles.groups(a, b)
    assert dict(zip(numbers.tolist(), least.tolist())) == {each: min(linked[each]) for each in sorted(linked)}


def test_no_pairs_have_no_groups():
    assert [each.tolist() for each in tiles.groups([], [])] == [[], []]


def test_components_tell_equal_numbers_of_tiles_apart():
    edges = np.zeros(4, tiles.EDGE)
    ends = [((0, 7), (1, 2**40)), ((1, -1), (2, 7)), ((0, 2**40), (1, -1)), ((3, 1), (4, 1))]
    for edge, (a, b) in zip(edges, ends):
        edge["tile_a"], edge["label_a"], edge["tile_b"], edge["label_b"] = *a, *b
    instances, least = tiles.components(edges)
    assert instances.dtype == tiles.INSTANCE
    assert instances.tolist() == sorted({end for pair in ends for end in pair})
    together = {tuple(each): tuple(root) for each, root in zip(instances.tolist(), instances[least].tolist())}
    chain = {(0, 2**40): (0, 2**40), (1, -1): (0, 2**40), (2, 7): (0, 2**40)}
    assert together == {(0, 7): (0, 7), (1, 2**40): (0, 7), **chain, (3, 1): (3, 1), (4, 1): (3, 1)}
    assert [len(each) for each in tiles.components(edges[:0])] == [0, 0]


def test_each_form_of_depth_is_taken():
    labels = cells([20, 20], [30, 30], 9)
    same = {tiles.merge(labels, depth).name for depth in [9, (9, 9), [9, 9], {0: 9, 1: 9}, {1: np.int64(9), 0: 9}]}
    assert len(same) == 1
    with pytest.raises(TypeError, match="depth"):
        tiles.merge(labels)


@pytest.mark.parametrize("order", [1, -1])
def test_labels_that_change_when_read_again_are_refused(order):
    """The numbers of the same instances change their places, or one of them is another."""
    reads = {}

    def make(block_id=None):
        again = reads[block_id] = reads.get(block_id, 0) + 1
        block = np.zeros((24, 24), np.int64)
        block[4:8, 4:8], block[-8:-4, -8:-4] = (1, 2)[:: order if again == 2 and block_id == (1, 0) else 1]
        if again == 2 and order == 1:
            block[4, 4] = 3
        return block

    labels = da.map_blocks(make, chunks=((24, 24), (24, 24)), dtype=np.int64, meta=np.zeros((0, 0), np.int64))
    with dask.config.set(scheduler="synchronous"):
        with pytest.raises(hitmask.Error, match="`labels` gave other values when read again; store it first"):
            tiles.merge(labels, 2).compute()
        reads.update(dict.fromkeys(reads, 2))
        assert tiles.merge(labels, 2).max().compute() == 8


def test_a_part_reads_the_whole_once_and_its_own_blocks_again():
    reads = []

    def make(block_id=None):
        reads.append(block_id)
        return np.ones((24, 24), np.int64)

    labels = da.map_blocks(make, chunks=((24,) * 3, (24,) * 3), dtype=np.int64, meta=np.zeros((0, 0), np.int64))
    with dask.config.set(scheduler="synchronous"):
        merged = tiles.merge(labels, 2)
        assert not reads
        merged[:5, :5].compute()
    assert sorted(reads) == sorted([*itertools.product(range(3), range(3)), (0, 0)])


def test_a_long_chain_is_one_group():
    order = np.random.default_rng(1).permutation(100_000)
    numbers, least = tiles.groups(order[1:], order[:-1])
    assert (numbers == np.arange(100_000)).all() and not least.any()


BLOCKS = da.zeros((40, 40), chunks=20, dtype=np.int32)


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (lambda: tiles.merge(np.zeros((4, 4), int), 1), TypeError, "`labels` must be a dask array; it is a ndarray"),
        (lambda: tiles.merge(BLOCKS.astype(float), 4), TypeError, "must be integers with 2 axes; it is float64 with 2"),
        (lambda: tiles.merge(BLOCKS[None], 4), TypeError, "must be integers with 2 axes; it is int32 with 3"),
        (lambda: tiles.merge(BLOCKS[BLOCKS[:, 0] > 0], 4), hitmask.Error, "of unknown size"),
        (
            lambda: tiles.merge(BLOCKS, 11),
            hitmask.Error,
            "a block of 20 pixels along axis 0, at 0; it must have at least 22",
        ),
        (
            lambda: tiles.merge(BLOCKS, (4, 11)),
            hitmask.Error,
            "along axis 1, at 0; it must have at least 22: 11 of bord",
        ),
        (lambda: tiles.merge(BLOCKS, -1), hitmask.Error, "`depth` is -1; it must not be negative"),
        (lambda: tiles.merge(BLOCKS, 1.5), TypeError, "`depth` must be an integer or two of them; it is 1.5"),
        (lambda: tiles.merge(BLOCKS, (1, 2, 3)), TypeError, "`depth` must be an integer or two of them"),
        (lambda: tiles.merge(BLOCKS, {0: 4}), TypeError, "`depth` must be an integer or two of them; it is {0: 4}"),
        (lambda: tiles.merge(BLOCKS, {0: (1, 2), 1: 4}), TypeError, "`depth` must be an integer or two of them"),
        (lambda: tiles.overlaps(BLOCKS, 4, 1.1), hitmask.Error, "`min_iou` is 1.1; it must be 0 to 1"),
        (lambda: tiles.overlaps(BLOCKS, 4, np.nan), hitmask.Error, "`min_iou` is nan"),
        (
            lambda: tiles.merge(BLOCKS.map_blocks(lambda block: block[1:], dtype=int), 4).compute(),
            hitmask.Error,
            r"a block of `labels` is of shape \(19, 20\); it must be of shape \(20, 20\), as its chunks say",
        ),
        (
            lambda: tiles.merge(BLOCKS.astype(np.uint64) + np.uint64(2**63), 4).compute(),
            hitmask.Error,
            "has the number 9223372036854775808; it must be at most 9223372036854775807",
        ),
        (lambda: tiles.match(np.ones((2, 3), int), np.ones((3, 2), int)), hitmask.Error, r"`b` is of shape \(3, 2\)"),
        (
            lambda: tiles.merge(BLOCKS.map_blocks(lambda block: block / 2, dtype=int, meta=BLOCKS._meta), 4).compute(),
            hitmask.Error,
            "a block of `labels` is of float64; it must be of integers",
        ),
        (
            lambda: tiles.match(np.ones((2, 3), int), np.full((2, 3), 2**63, np.uint64)),
            hitmask.Error,
            "`b` has the number 9223372036854775808; it must be at most 9223372036854775807",
        ),
        (lambda: tiles.match(np.ones((2, 3)), np.ones((2, 3))), TypeError, "integers"),
        (lambda: tiles.groups([1, 2], [3]), TypeError, r"int64 of shape \(2,\) and int64 of shape \(1,\)"),
        (lambda: tiles.groups([1.5], [2.5]), TypeError, "float64"),
        (
            lambda: tiles.groups(np.ones(1, np.uint64), np.ones(1, int)),
            TypeError,
            "are uint64 and int64, which have no",
        ),
    ],
)
def test_bad_input_is_refused_by_name(act, error, message):
    with dask.config.set(scheduler="synchronous"), pytest.raises(error, match=message):
        act()


@pytest.mark.parametrize("call", ["tiles.merge(None, 1)", "tiles.overlaps(None, 1)"])
def test_without_dask_the_error_says_how_to_install_it(call, tmp_path):
    code = f"""
import sys
sys.modules["dask"] = None
import numpy as np
from hitmask import tiles
assert len(tiles.components(tiles.match(np.ones((2, 2), int), np.ones((2, 2), int)))[0]) == 2
try:
    {call}
except ImportError as error:
    assert str(error) == 'this function needs dask: pip install "hitmask[tiles]"', error
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_any_number_of_workers_gives_one_digest(client):
    client.wait_for_workers(8, timeout=60)
    workers = list(client.run(os.getpid))
    assert len(workers) == 8
    for count, sizes in [(1, [90, 90]), (2, [60, 60, 60]), (8, [30, 50, 40, 60])]:
        image = tiles.merge(cells(sizes, sizes[::-1], 12), 12)
        future = client.compute(image, workers=workers[:count], allow_other_workers=False)
        assert digest(future.result()) == digest_of_truth(180, 180)


def test_killed_workers_change_nothing(client):
    event = Event(client=client)
    future = client.compute(tiles.merge(cells([40] * 5, [40] * 5, 12, event.name), 12))
    kill_a_worker(client, "hitmask-survey", 8)
    event.set()
    kill_a_worker(client, "hitmask-merged", 1)
    assert digest(future.result()) == digest_of_truth(200, 200)
