"""Masks, judged by numpy, by pygame.mask and by Pillow."""

import copy
import io
import pickle

import brute
import numpy as np
import pygame
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import hitmask
from hitmask import Mask

offsets = st.tuples(st.integers(-14, 14), st.integers(-14, 14))


def pygame_mask(texels):
    mask = pygame.mask.Mask(texels.shape[::-1])
    for y, x in zip(*np.nonzero(texels)):
        mask.set_at((int(x), int(y)))
    return mask


@given(strategies.texels(), strategies.texels(), offsets)
def test_overlaps_are_those_of_numpy_and_pygame(a, b, offset):
    here, there = Mask.from_array(a), Mask.from_array(b)
    both = brute.overlap(a, b, offset)
    assert here.overlaps(there, offset) == both.any()
    assert here.overlap_area(there, offset) == both.sum() == pygame_mask(a).overlap_area(pygame_mask(b), offset)
    assert (np.asarray(here.overlap(there, offset)) == both).all()
    first = np.argwhere(both)
    assert here.first_overlap(there, offset) == (tuple(first[0][::-1].tolist()) if len(first) else None)


@given(strategies.texels(), strategies.texels(), offsets)
def test_edits_are_those_of_pygame(a, b, offset):
    for name in ("draw", "erase"):
        mask, judge = Mask.from_array(a), pygame_mask(a)
        box = getattr(mask, name)(Mask.from_array(b), offset)
        getattr(judge, name)(pygame_mask(b), offset)
        now = np.array([[judge.get_at((x, y)) for x in range(a.shape[1])] for y in range(a.shape[0])], bool)
        assert (mask.to_array() == now).all()
        changed = np.argwhere(now != a)
        if not len(changed):
            assert box is None
        else:
            (top, left), (bottom, right) = changed.min(0), changed.max(0)
            assert box == (left, top, right - left + 1, bottom - top + 1)


@given(strategies.texels())
def test_measures(texels):
    mask = Mask.from_array(texels)
    judge = pygame_mask(texels)
    assert mask.size == judge.get_size() and mask.count() == texels.sum()
    boxes = sorted(tuple(box) for box in mask.bounding_boxes().tolist())
    assert boxes == sorted(brute.boxes(texels)) and len(mask.components()) == len(boxes)
    # pygame-ce 2.5.8 misses components of masks one texel wide, and writes beyond its memory.
    if texels.shape[1] > 1:
        assert boxes == sorted(tuple(rect) for rect in judge.get_bounding_rects())
    rows, columns = np.nonzero(texels)
    if len(rows):
        bounds = (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)
        assert mask.bounds() == bounds
        assert mask.centroid() == pytest.approx((columns.mean() + 0.5, rows.mean() + 0.5))
    else:
        assert mask.bounds() is None and mask.centroid() is None and mask.angle() is None
    assert mask.count_in((-3, -3, 6, 6)) == texels[:3, :3].sum()
    # The polygons along the edges have the area of the texels.
    area = sum(
        abs(shoelace(outline)) - sum(abs(shoelace(hole)) for hole in holes) for outline, holes in mask.polygons()
    )
    assert area == texels.sum()


def shoelace(corners):
    x, y = corners.astype(np.int64).T
    return (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2


@given(strategies.texels())
def test_all_ways_in_and_out(texels):
    mask = Mask.from_array(texels)
    assert Mask.from_rows(mask.to_rows()) == mask
    assert Mask.from_bytes(*mask.size, mask.to_bytes()) == mask
    assert (np.asarray(mask) == texels).all() and (mask.to_array() == texels).all()
    for other in (copy.copy(mask), copy.deepcopy(mask), pickle.loads(pickle.dumps(mask)), mask.copy()):
        assert other == mask and other is not mask
    packed = np.packbits(texels, axis=1, bitorder="little").tobytes()
    assert mask.to_bytes() == packed
    assert (mask.flipped(x=True).to_array() == texels[:, ::-1]).all()
    assert (mask.flipped(y=True).to_array() == texels[::-1]).all()
    mask.invert()
    assert (mask.to_array() == ~texels).all()
    assert [[mask.get(x, y) for x in range(-1, 3)] for y in range(-1, 0)] == [[False] * 4]


@given(st.integers(1, 255), st.integers(1, 40), st.integers(1, 40), st.randoms(use_true_random=False))
def test_alpha_is_solid_from_the_threshold_on(threshold, width, height, random):
    alpha = np.frombuffer(random.randbytes(width * height), np.uint8).reshape(height, width)
    rgba = np.dstack([alpha // 2, alpha // 3, alpha // 5, alpha])
    solid = alpha >= threshold
    for image in (alpha, rgba, rgba[..., 2:], Image.fromarray(rgba), Image.fromarray(rgba[..., 2:])):
        assert (np.asarray(Mask.from_image(image, threshold)) == solid).all()
    file = io.BytesIO()
    Image.fromarray(rgba).save(file, "PNG")
    assert (np.asarray(Mask.decode(file.getvalue(), threshold)) == solid).all()
    region = (width // 3, height // 3, max(width // 2, 1), max(height // 2, 1))
    x, y, w, h = region
    for mask in (Mask.from_image(rgba, threshold, region), Mask.decode(file.getvalue(), threshold, region)):
        assert (np.asarray(mask) == solid[y : y + h, x : x + w]).all()


def test_images_without_alpha_are_solid_and_palettes_have_one():
    assert Mask.from_image(Image.new("RGB", (3, 2))).count() == 6
    assert Mask.from_image(Image.new("L", (3, 2))).count() == 6
    image = Image.new("P", (2, 1))
    image.putpalette([0, 0, 0, 255, 255, 255])
    image.putpixel((1, 0), 1)
    image.info["transparency"] = 0
    assert Mask.from_image(image).to_rows() == [".#"]


def test_files(tmp_path):
    sheet = np.zeros((4, 9, 4), np.uint8)
    sheet[:, :4, 3] = 255
    path = tmp_path / "sheet.png"
    Image.fromarray(sheet).save(path)
    assert Mask.open(path).count() == 16
    assert [mask.count() for mask in Mask.open_frames(path, grid=(4, 4))] == [16, 0]
    assert [mask.count() for mask in Mask.open_frames(str(path), regions=[(3, 0, 2, 4)])] == [4]
    with pytest.raises(hitmask.Error) as caught:
        Mask.open(tmp_path / "none.png")
    assert caught.value.kind == "File" and "none.png" in str(caught.value)
    with pytest.raises(hitmask.Error, match="regions"):
        Mask.open_frames(path)
    with pytest.raises(hitmask.Error):
        Mask.decode(b"no image")


def test_an_image_may_be_larger_than_a_mask_if_its_region_is_not(tmp_path):
    image = Image.new("RGBA", (9000, 3))
    image.putpixel((8999, 1), (0, 0, 0, 255))
    image.save(tmp_path / "wide.png")
    region = (8998, 0, 2, 3)
    for made in [
        Mask.open(tmp_path / "wide.png", region=region),
        Mask.from_image(image, region=region),
        Mask.from_image(np.asarray(image)[..., 3], region=region),
    ]:
        assert made.to_rows() == ["..", ".#", ".."]
    for region in [None, (0, 0, 9000, 3)]:
        with pytest.raises(hitmask.Error, match="9000 x 3"):
            Mask.from_image(image, region=region)


def test_the_array_interface_stays_valid():
    view = np.asarray(Mask.from_rows(["#.", ".#"]))
    assert view.dtype == bool and view.tolist() == [[True, False], [False, True]] and not view.flags.writeable


def test_shapes_drawn_into_masks():
    mask = Mask(9, 9)
    assert mask.draw_disc((4.5, 4.5), 3) == (2, 2, 5, 5) or mask.count()
    ys, xs = np.mgrid[:9, :9] + 0.5
    assert (mask.to_array() == ((xs - 4.5) ** 2 + (ys - 4.5) ** 2 <= 9)).all()
    mask.clear()
    assert mask.draw_rect((-5, 2, 8, 3)) == (0, 2, 3, 3)
    assert mask.erase_rect((1, 0, 1, 9)) == (1, 2, 1, 3)
    mask.clear()
    assert mask.draw_polygon([[0, 0], [9.5, 0], [0, 9.5]]) is not None
    assert (mask.to_array() == (xs + ys <= 9)).all()
    assert mask.fill() is not None and mask.count() == 81
    assert mask.erase_disc((0, 0), 1.0) == (0, 0, 1, 1)
    assert mask.erase_polygon([[0, 0], [9, 0], [9, 9], [0, 9]]) is not None and mask.count() == 0


def test_turning_growing_and_scaling():
    mask = Mask.from_rows(["##.", "..."])
    assert mask.rotated(90).to_rows() == [".#", ".#", ".."]
    assert mask.scaled(6, 4).count() == 8
    assert mask.cropped((-1, -1, 3, 2)).to_rows() == ["...", ".##"]
    assert mask.grown(1).count() > 2 and mask.grown(1).shrunk(1).count() == 2
    assert Mask(2, 2, fill=True).overlap_offsets(Mask(2, 2, fill=True)).count() == 9
    assert mask.outline().tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (-5, 4), (9000, 9000), (2**40, -(2**40))])
def test_sizes_beyond_the_limit(size):
    # In the library's words, with the caller's values.
    with pytest.raises(hitmask.Error) as library:
        Mask.from_bytes(0, 4, b"")
    expected = str(library.value).replace("0 x 4", "{} x {}").format(*size)
    refused = [lambda: Mask(*size), lambda: Mask(1, 1).scaled(*size)]
    if min(size) >= 0:
        refused.append(lambda: Mask.from_array(np.broadcast_to(True, size[::-1])))
    for call in refused:
        with pytest.raises(hitmask.Error) as caught:
            call()
        assert caught.value.kind == "Mask" and str(caught.value) == expected


def test_texels_beyond_the_mask():
    mask = Mask(4, 4, fill=True)
    for x, y in [(4, 0), (0, -1), (-(2**40), 2**40)]:
        assert mask.get(x, y) is False
        with pytest.raises(hitmask.Error) as caught:
            mask.set(x, y)
        assert str(caught.value) == f"`texel` is ({x}, {y}); it must lie within the mask, 4 x 4 texels"


@pytest.mark.parametrize(
    ("image", "error"),
    [
        (np.zeros((2, 2)), TypeError),
        (np.zeros((2, 2), int), TypeError),
        (np.zeros((2, 2), object), TypeError),
        (np.zeros((2, 2), "S1"), TypeError),
        ("text", TypeError),
        (None, TypeError),
        (np.zeros(3, np.uint8), hitmask.Error),
        (np.zeros((2, 2, 3), np.uint8), hitmask.Error),
        (np.zeros((1, 2, 2, 4), np.uint8), hitmask.Error),
        (np.zeros((0, 4), bool), hitmask.Error),
        (np.broadcast_to(np.uint8(255), (2**31, 2**31)), hitmask.Error),
    ],
)
def test_bad_arrays(image, error):
    with pytest.raises(error):
        Mask.from_array(image)


def test_bad_values():
    mask = Mask(4, 4)
    for threshold in (0, 256, -1):
        with pytest.raises(hitmask.Error, match="threshold"):
            Mask.from_array(np.zeros((2, 2), np.uint8), threshold)
    for region in [(0, 0, 5, 1), (-1, 0, 1, 1), (0, 0, 0, 1), (2**62, 0, 2**62, 1)]:
        with pytest.raises(hitmask.Error, match="region"):
            Mask.from_image(np.zeros((4, 4), np.uint8), region=region)
    with pytest.raises(OverflowError):
        mask.set(2**70, 0)
    with pytest.raises(hitmask.Error):
        Mask.from_bytes(4, 4, b"12345")
    with pytest.raises(hitmask.Error):
        Mask.from_rows(["ab"])
    with pytest.raises(hitmask.Error, match="neighbours"):
        mask.components(5)
    with pytest.raises(hitmask.Error):
        mask.draw_disc((np.nan, 0), 1)
    with pytest.raises(hitmask.Error):
        mask.grown(-1)
    with pytest.raises(TypeError):
        hash(mask)
    assert mask != 1 and (mask == None) is False  # noqa: E711


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("step", [1, -1, 2])
def test_any_strides(order, step):
    alpha = np.asarray(np.arange(200, dtype=np.uint8).reshape(10, 20), order=order)[::step, ::step]
    alpha.flags.writeable = False
    assert (np.asarray(Mask.from_array(alpha)) == (alpha >= 128)).all()
    assert (np.asarray(Mask.from_array(alpha >= 128)) == (alpha >= 128)).all()
