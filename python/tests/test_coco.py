"""Masks of images, held against pycocotools, which shares no code with them."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as cocotools

import hitmask
from hitmask import coco

#: A warning about pycocotools' own code.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


def encoded(arrays):
    return cocotools.encode(np.asfortranarray(np.moveaxis(arrays, 0, 2).astype(np.uint8)))


@st.composite
def images(draw, most=6):
    """Arrays of masks, from empty to full, with blocks as things have them."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    height, width, count = (int(n) for n in random.integers(1, [24, 24, most + 1]))
    arrays = np.zeros((count, height, width), bool)
    for array in arrays:
        for _ in range(random.integers(0, 4)):
            (top, bottom), (left, right) = np.sort(random.integers(0, [[height + 1], [width + 1]], (2, 2)))
            array[top:bottom, left:right] ^= True
        if random.random() < 0.3:
            array ^= random.random((height, width)) < random.choice([0.02, 0.5])
    return arrays


@settings(max_examples=400, deadline=None)
@given(images())
def test_encodings_areas_and_boxes_are_those_of_pycocotools(arrays):
    theirs = encoded(arrays)
    masks = coco.Masks.from_array(arrays)
    assert masks.to_rle() == [{"size": list(rle["size"]), "counts": rle["counts"]} for rle in theirs]
    assert (masks.area == cocotools.area(theirs)).all()
    assert (masks.boxes == cocotools.toBbox(theirs)).all()
    assert (masks.to_array() == arrays).all()
    for counts in (lambda rle: rle["counts"], lambda rle: rle["counts"].decode()):
        again = coco.Masks.from_rle([{"size": rle["size"], "counts": counts(rle)} for rle in theirs])
        assert (again.to_array() == arrays).all()
    assert (pickle.loads(pickle.dumps(masks)).to_array() == arrays).all()


@settings(max_examples=400, deadline=None)
@given(images(), st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]))
def test_ratios_and_overlaps_are_those_of_pycocotools(arrays, seed, least):
    random = np.random.default_rng(seed)
    others = arrays[random.permutation(len(arrays))] ^ (random.random(arrays.shape) < 0.05)
    iscrowd = random.random(len(others)) < 0.3
    theirs = [encoded(masks) for masks in (arrays, others)]
    assert (coco.iou(arrays, others, iscrowd) == cocotools.iou(*theirs, iscrowd.astype(np.uint8))).all()

    dense = cocotools.iou(*theirs, [0] * len(others))
    shared = (arrays[:, None] & others).sum((2, 3))
    for found, right in [
        (coco.overlaps(theirs[0], others, least), (dense >= least) & (shared > 0)),
        (
            coco.overlaps(arrays, min_iou=least),
            np.triu(cocotools.iou(theirs[0], theirs[0], [0] * len(arrays)) >= least, 1)
            & ((arrays[:, None] & arrays).sum((2, 3)) > 0),
        ),
    ]:
        assert np.argwhere(right).tolist() == np.stack([found["i"], found["j"]], 1).tolist()
    found = coco.overlaps(arrays, others, least)
    assert (found["intersection"] == shared[found["i"], found["j"]]).all()
    assert (found["iou"] == dense[found["i"], found["j"]]).all()


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32))
def test_polygons_are_drawn_as_by_pycocotools(seed):
    random = np.random.default_rng(seed)
    height, width = (int(side) for side in random.integers(1, 40, 2))
    polygons = []
    for _ in range(random.integers(1, 4)):
        rings = []
        for _ in range(random.integers(1, 4)):
            ring = random.uniform(-5, 45, (random.integers(3, 9), 2))
            if random.random() < 0.5:
                ring = np.round(ring * 2) / 2
            rings.append(ring.reshape(-1).tolist())
        polygons.append(rings)
    theirs = [cocotools.merge(cocotools.frPyObjects(rings, height, width)) for rings in polygons]
    masks = coco.Masks.from_polygons(polygons, height, width)
    assert (masks.to_array() == np.moveaxis(cocotools.decode(theirs), 2, 0)).all()
    pairs = coco.Masks.from_polygons(
        [[np.reshape(ring, (-1, 2)) for ring in rings] for rings in polygons], height, width
    )
    assert pairs.to_rle() == masks.to_rle()


@given(st.integers(0, 2**32))
def test_labels_become_masks(seed):
    random = np.random.default_rng(seed)
    image = random.choice(random.integers(-3, 5, 4), tuple(random.integers(1, 12, 2)))
    masks, labels = coco.Masks.from_labels(image)
    right = np.unique(image[image != 0])
    assert labels.tolist() == right.tolist()
    assert (masks.to_array() == (image == right[:, None, None])).all()


@given(images(12), st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.booleans())
def test_suppression_and_merging_are_greedy(arrays, seed, limit, smaller):
    random = np.random.default_rng(seed)
    scores, classes = random.integers(0, 5, len(arrays)) / 4, random.integers(0, 2, len(arrays))
    shared = (arrays[:, None] & arrays).sum((2, 3)).astype(float)
    areas = arrays.sum((1, 2))
    either = np.minimum.outer(areas, areas) if smaller else np.add.outer(areas, areas) - shared
    ratios = np.divide(shared, either, where=shared > 0, out=np.zeros_like(shared))
    same = classes[:, None] == classes

    def groups(joined):
        left, found = np.argsort(-scores, kind="stable").tolist(), []
        while left:
            first, *left = left
            found.append([first] + sorted(other for other in left if joined[first, other]))
            left = [other for other in left if not joined[first, other]]
        return found

    merged = coco.merge(arrays, scores, limit, smaller, classes)
    right = groups(same & (shared > 0) & (ratios >= limit))
    assert [group.tolist() for group in merged] == right
    united = coco.Masks.from_array(arrays).union(merged).to_array()
    assert (united == np.array([arrays[group].any(0) for group in right])).all()
    if not smaller:
        kept = coco.nms(arrays, scores, limit, classes)
        assert kept.tolist() == [group[0] for group in groups(same & (ratios > limit))]
        assert (coco.Masks.from_array(arrays).take(kept).to_array() == arrays[kept]).all()


def test_masks_of_many_threads_are_those_of_one():
    random = np.random.default_rng(5)
    arrays = np.zeros((3000, 64, 64), bool)
    for array, (x, y) in zip(arrays, random.integers(0, 56, (3000, 2))):
        array[y : y + 8, x : x + 8] = random.random((8, 8)) < 0.7
    rles = coco.Masks.from_array(arrays).to_rle()
    masks = coco.Masks.from_rle(rles)
    assert masks.to_rle() == rles
    found = coco.overlaps(masks, min_iou=0.2)
    flat = arrays.reshape(3000, -1).astype(np.float32)
    shared = flat @ flat.T
    right = np.triu(shared / (np.add.outer(masks.area, masks.area) - shared) >= 0.2, 1)
    assert len(found) == right.sum() > 1000
    assert (shared[found["i"], found["j"]] == found["intersection"]).all()


@pytest.mark.parametrize("size", [[4_000_000_000, 1], [1, 4_000_000_000]])
def test_boxes_may_lie_beyond_31_bits(size):
    starts = [2**31 - 5, 2**31, 3_000_000_000, 3_000_000_007]
    masks = [{"size": size, "counts": [start, 10, size[0] * size[1] - start - 10]} for start in starts]
    assert coco.overlaps(masks, min_iou=0.01).tolist() == [(0, 1, 5, 5 / 15), (2, 3, 3, 3 / 17)]


def test_nothing_is_nothing():
    none = coco.Masks.from_rle([])
    some = coco.Masks.from_array(np.ones((2, 3, 4), bool))
    assert len(none) == 0
    assert (
        coco.overlaps(none, some).tolist() == coco.overlaps(some, none).tolist() == coco.overlaps(none).tolist() == []
    )
    assert coco.iou(some, none).shape == (2, 0)
    assert coco.nms(none, []).tolist() == [] == coco.merge(none, [])
    empty = coco.Masks.from_array(np.zeros((1, 3, 4), bool))
    assert (empty.boxes.tolist(), empty.area.tolist()) == ([[0, 0, 0, 0]], [0])
    assert coco.iou(some, empty).tolist() == [[0], [0]]
    for shape in [(1, 0, 0), (1, 0, 5), (1, 5, 0)]:
        assert coco.Masks.from_array(np.ones(shape, bool)).area.tolist() == [0]


def rle(counts, size=(2, 3)):
    return lambda: coco.Masks.from_rle([{"size": [2, 3], "counts": [6]}, {"size": list(size), "counts": counts}])


SQUARE = coco.Masks.from_array(np.ones((2, 3, 3), bool))


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (rle([2, 2]), r"^`masks\[1\]`: the counts add up to 4; the mask has 6 pixels$"),
        (rle([2, 5]), r"the first 2 counts add up to 7; the mask has 6 pixels"),
        (rle([2**62, 2**62, 2**62]), r"the first 1 counts add up to"),
        (rle([2**64]), r"^`masks\[1\]`: a count has more than 64 bits$"),
        (rle([3, -1, 4]), r"count 1 is -1; it must not be negative"),
        (rle(b"6" + b"o" * 9), "a count has more than 7 digits"),
        (rle(b"P"), "the text ends within a count"),
        (rle(b"6\x00"), "byte 0 is no digit"),
        (rle("6é"), "is no digit"),
        (rle(b"1", size=(4, 4)), r"`masks\[1\]` is of size \(4, 4\); it must be of size \(2, 3\), as the first"),
        (lambda: coco.Masks.from_rle([{"counts": b"6"}]), "without `size`"),
        (lambda: coco.Masks.from_rle([{"size": [1 << 20, 1 << 20], "counts": b"0"}]), "less than 4294967295 pixels"),
        (lambda: coco.Masks.from_rle([{"size": [1 << 40, 1 << 40], "counts": b"0"}]), "less than 4294967295 pixels"),
        (lambda: coco.Masks.from_rle([], (0, 2**40)), r"`size` is \(0, 1099511627776\); .*along each side"),
        (lambda: coco.Masks.from_polygons([], 2**32, 0), rf"`size` is \({2**32}, 0\)"),
        (lambda: coco.Masks.from_array(np.ones(3, bool)), r"of shape \(3,\); it must be of shape \(n, h, w\)"),
        (
            lambda: coco.Masks.from_labels(np.ones((1, 2, 3), int)),
            r"of shape \(1, 2, 3\); it must be of shape \(h, w\)",
        ),
        (lambda: coco.Masks.from_polygons([[[0, 0, 1, 1]]], 3, 3), "a ring of 4 numbers; it must have at least 6"),
        (lambda: coco.Masks.from_polygons([[[0, 0, 1, 1, 2, np.nan]]], 3, 3), "`polygons` is NaN"),
        (lambda: coco.Masks.from_polygons([[[0, 0, 1, 1, 2, 1e7]]], 3, 3), "it must lie within ±1000000"),
        (
            lambda: coco.overlaps(SQUARE, np.ones((1, 2, 2), bool)),
            r"of masks of \(2, 2\); it must be of masks of \(3, 3\)",
        ),
        (lambda: coco.overlaps(SQUARE, min_iou=1.5), "`min_iou` is 1.5; it must be 0 to 1"),
        (lambda: coco.overlaps(SQUARE, min_iou=np.nan), "`min_iou` is NaN"),
        (lambda: coco.iou(SQUARE, SQUARE, [True]), "`iscrowd`"),
        (lambda: coco.nms(SQUARE, [1.0]), "`scores`"),
        (lambda: coco.nms(SQUARE, [1.0, 1.0], classes=[1]), "`classes`"),
        (lambda: SQUARE.take([2]), "`index` is 2; it must be at least 0 and below 2, the number of masks"),
        (lambda: SQUARE.take([0, -1]), "`index` is -1; it must be at least 0 and below 2, the number of masks"),
        (lambda: SQUARE.take([2**64]), f"`index` is {2**64}; it must be at least 0"),
        (lambda: SQUARE.union([[0, 7]]), "`index` is 7"),
        (lambda: SQUARE.union([[0], [-1]]), "`index` is -1; it must be at least 0"),
    ],
)
def test_bad_input_is_refused_by_name(act, message):
    with pytest.raises(hitmask.Error, match=message):
        act()


@pytest.mark.parametrize(
    "act",
    [
        lambda: coco.Masks.from_rle([{"size": [2, 3], "counts": 6.5}]),
        lambda: coco.Masks.from_rle([7]),
        lambda: coco.Masks.from_array(np.ones((1, 2, 3))),
        lambda: coco.Masks.from_labels(np.ones((2, 3))),
        lambda: coco.Masks.from_polygons([3], 3, 3),
    ],
)
def test_wrong_types_are_type_errors(act):
    with pytest.raises(TypeError):
        act()


@given(st.lists(st.integers(0, 255), max_size=30).map(bytes))
def test_any_text_is_masks_or_an_error(text):
    try:
        masks = coco.Masks.from_rle([{"size": [7, 9], "counts": text}])
    except hitmask.Error:
        return
    assert masks.to_array().shape == (1, 7, 9)


def test_scores_that_are_no_numbers_are_refused_and_minus_zero_is_zero():
    masks = coco.Masks.from_polygons([[[0, 0, 8, 0, 8, 8, 0, 8]], [[1, 1, 9, 1, 9, 9, 1, 9]]], 40, 40)
    for call in [coco.nms, coco.merge]:
        for nan in [np.nan, -np.nan]:
            with pytest.raises(hitmask.Error, match=r"`scores\[1\]` is NaN; it must be a number"):
                call(masks, [0.5, nan])
    for scores in [[0.0, -0.0], [-0.0, 0.0]]:
        assert coco.nms(masks, scores).tolist() == [0]


def test_labels_that_no_int64_holds_are_refused():
    for label in [2**63, 2**64 - 1]:
        with pytest.raises(hitmask.Error, match=rf"`labels` is {label} in one place; it must be at most {2**63 - 1}"):
            coco.Masks.from_labels(np.array([[label, 1]], np.uint64))
    masks, numbers = coco.Masks.from_labels(np.array([[2**63 - 1, 1, 0]], np.uint64))
    assert numbers.tolist() == [1, 2**63 - 1] and len(masks) == 2
    assert coco.Masks.from_labels(np.zeros((0, 0), np.uint64))[1].tolist() == []


def test_no_masks_keep_their_size():
    masks = coco.Masks.from_array(np.ones((2, 40, 50), bool)).take([])
    for same in [copy.copy(masks), copy.deepcopy(masks), pickle.loads(pickle.dumps(masks))]:
        assert (same.size, same.to_array().shape) == ((40, 50), (0, 40, 50))
    encoded = coco.Masks.from_array(np.ones((1, 4, 5), bool)).to_rle()
    assert coco.Masks.from_rle(encoded, (4, 5)).size == (4, 5)
    with pytest.raises(
        hitmask.Error, match=r"`masks\[0\]` is of size \(4, 5\); it must be of size \(5, 4\), as `size`"
    ):
        coco.Masks.from_rle(encoded, (5, 4))


def test_counts_may_be_a_bytearray():
    [encoded] = coco.Masks.from_array(np.eye(9, dtype=bool)[None]).to_rle()
    same = coco.Masks.from_rle([{"size": encoded["size"], "counts": bytearray(encoded["counts"])}])
    assert (same.to_array()[0] == np.eye(9)).all()
