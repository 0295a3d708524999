"""Arrays of all kinds as arguments: right ones are read right, wrong ones are refused and change nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import hitmask
from hitmask import Linear, Shape, World

AT = np.arange(40, dtype=np.float64).reshape(10, 4)


def world_of(count):
    world = World()
    ball = world.add_shape(Shape.circle(1))
    return world, ball, world.add_all(ball, np.zeros((count, 2)))


def layouts(at):
    """Yields the same points in many layouts."""
    yield at
    yield at.tolist()
    yield [tuple(row) for row in at]
    yield np.asfortranarray(at)
    yield at.astype(np.float32)
    yield np.asfortranarray(at.astype(np.float32))
    yield at.astype(">f8")
    yield at.astype("<f4")[::-1][::-1]
    yield at.astype(np.longdouble)
    yield np.repeat(at, 3, axis=0)[::3]
    yield np.hstack([at, at])[:, :2]
    yield np.flip(np.flip(at).copy())
    unaligned = np.zeros(len(at), np.dtype([("pad", "u1"), ("at", "<f8", 2)]))
    unaligned["at"] = at
    yield unaligned["at"]
    frozen = at.copy()
    frozen.flags.writeable = False
    yield frozen
    yield np.ma.masked_array(at)
    if (at == at.astype(int)).all():
        yield at.astype(np.int16)
        yield at.astype(np.float16)


def test_every_layout_is_read_the_same():
    at = np.array([[1, 2], [-3, 4], [5, -6], [7, 8]], float)
    for layout in layouts(at):
        world, ball, ids = world_of(4)
        world.set_positions(layout)
        assert (world.positions() == at).all()
        world.set_moving(layout, layout, ids)
        assert world.body(ids[2]).motion == (5, -6)
        assert (world.positions(world.add_all(ball, layout)) == at).all()
        world.set_poses(layout, np.eye(2), layout, world.ids()[4:])
        assert (world.positions() == np.vstack([at, at])).all()


@given(hnp.arrays(st.sampled_from([np.float32, np.float64]), (7, 2), elements=st.floats(-2e6, 2e6, width=32)))
def test_positions_are_snapped_to_the_lattice(at):
    world, _, _ = world_of(7)
    world.set_positions(at)
    assert (world.positions() == np.floor(256 * at.astype(np.float64) + 0.5) / 256).all()


@pytest.mark.parametrize(
    ("at", "error"),
    [
        (np.zeros((3, 2)), hitmask.Error),
        (np.zeros((4, 3)), hitmask.Error),
        (np.zeros(4), hitmask.Error),
        (np.zeros(2), hitmask.Error),
        (np.zeros((1, 4, 2)), hitmask.Error),
        (np.zeros((0, 2)), hitmask.Error),
        (np.float64(1), hitmask.Error),
        (1, hitmask.Error),
        (np.full((4, 2), np.nan), hitmask.Error),
        (np.full((4, 2), np.inf), hitmask.Error),
        (np.full((4, 2), 3e6), hitmask.Error),
        (np.full((4, 2), np.nan, np.float32), hitmask.Error),
        (np.zeros((4, 2), complex), TypeError),
        (np.zeros((4, 2), bool), TypeError),
        (np.zeros((4, 2), "S3"), TypeError),
        (np.zeros((4, 2), object), TypeError),
        (np.zeros((4, 2), "M8[s]"), TypeError),
        (np.zeros((4, 2), [("x", float)]), TypeError),
        ([["1", "2"]] * 4, TypeError),
        ([[None, 1]] * 4, TypeError),
        ([[1, 2], [3]], ValueError),
        ("text", TypeError),
        (None, TypeError),
        ({}, TypeError),
    ],
)
def test_wrong_positions_change_nothing(at, error):
    world, ball, ids = world_of(4)
    before = world.copy()
    for call in (
        lambda: world.set_positions(at),
        lambda: world.set_positions(at, ids),
        lambda: world.set_moving(at, np.zeros((4, 2))),
        lambda: world.set_moving(np.zeros((4, 2)), at),
    ):
        with pytest.raises(error):
            call()
    if np.shape(at) not in [(3, 2), (0, 2)] if error is hitmask.Error else True:
        with pytest.raises(error):
            world.add_all(ball, at)
    assert world == before


def test_errors_say_which_body_and_why():
    world, _, ids = world_of(3)
    with pytest.raises(hitmask.Error) as caught:
        world.set_positions([[0, 0], [0, 1e9], [0, 0]])
    assert str(caught.value) == "body 1: `at.y` is 1000000000; it must lie within ±2097151.99609375 units"
    assert caught.value.kind == "Value" and caught.value.body.index == 1
    assert isinstance(caught.value, ValueError)
    world.remove(ids[0])
    with pytest.raises(hitmask.Error) as caught:
        world.remove(ids[0])
    assert caught.value.kind == "Gone" and caught.value.body is None
    with pytest.raises(hitmask.Error, match=r"`at` is of shape \(3, 3\); it must be of shape \(n, 2\)"):
        world.set_positions(np.zeros((3, 3)))


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("layers", -1, hitmask.Error),
        ("layers", 2**32, hitmask.Error),
        ("layers", 2**80, hitmask.Error),
        ("layers", 1.5, TypeError),
        ("layers", [1, 2], hitmask.Error),
        ("layers", np.ones((3, 1), int), hitmask.Error),
        ("layers", [1, -2, 3], hitmask.Error),
        ("mask", "all", TypeError),
        ("group", [0.0, 1.0, 2.0], TypeError),
        ("tag", -1, hitmask.Error),
        ("tag", 2**64, hitmask.Error),
        ("enabled", 1, TypeError),
        ("detector", 1, TypeError),
        ("detector", [0, 1, 0], TypeError),
        ("detector", [True, False], hitmask.Error),
        ("enabled", [True, False], hitmask.Error),
        ("linear", np.zeros((2, 3)), hitmask.Error),
        ("linear", np.full((2, 2), np.nan), hitmask.Error),
        ("linear", np.zeros((2, 2, 2)), hitmask.Error),
        ("motion", (1, 2, 3), hitmask.Error),
        ("motion", (1e9, 0), hitmask.Error),
        ("shape", 0, TypeError),
        ("shape", [0, 1, 2], TypeError),
        ("shape", np.zeros(3), TypeError),
        ("shape", np.zeros(3, hitmask.SHAPE_ID), hitmask.Error),
        ("shape", "ball", TypeError),
    ],
)
def test_wrong_columns_change_nothing(name, value, error):
    world, ball, _ = world_of(2)
    before = world.copy()
    columns = {"shape": ball, "at": np.zeros((3, 2)), name: value}
    with pytest.raises(error):
        world.add_all(**columns)
    assert world == before


def test_columns_are_one_for_all_or_one_for_each():
    world = World()
    shapes = world.add_shapes([Shape.circle(1), Shape.rect(2, 3)])
    assert shapes.dtype == hitmask.SHAPE_ID
    at = np.arange(6).reshape(3, 2)
    ids = world.add_all(
        shapes[[0, 1, 0]],
        at,
        linear=hitmask.linears([0, 90, 180], [1, 2, 3]),
        motion=[[1, 0], [0, 1], [2, 2]],
        layers=np.array([1, 2, 4], np.uint8),
        mask=[0xFFFFFFFF, 0, 7],
        detector=[False, True, True],
        group=5,
        enabled=[True, False, True],
        tag=np.array([2**64 - 1, 0, 7], np.uint64),
    )
    found = [world.body(id) for id in ids]
    assert [body.at for body in found] == [tuple(row) for row in at.tolist()]
    assert [body.shape.index for body in found] == [0, 1, 0]
    assert [body.linear for body in found] == [Linear(d, (s, s)) for d, s in [(0, 1), (90, 2), (180, 3)]]
    assert [body.motion for body in found] == [(1, 0), (0, 1), (2, 2)]
    assert [(body.layers, body.mask, body.group) for body in found] == [(1, 0xFFFFFFFF, 5), (2, 0, 5), (4, 7, 5)]
    assert [body.detector for body in found] == [False, True, True]
    assert [body.enabled for body in found] == [True, False, True]
    assert [body.tag for body in found] == [2**64 - 1, 0, 7]
    pair = [shapes[0], world.shapes()[1][0]]
    more = world.add_all(pair, at[:2], linear=Linear.from_degrees(90), motion=(1, 2), detector=True)
    assert [world.body(id).shape.index for id in more] == [0, 1]
    assert [world.body(id).detector for id in more] == [True, True]
    assert len(world.add_all(shapes[0], [])) == 0 and len(world.add_all([], np.zeros((0, 2)))) == 0


def test_handles_are_objects_or_elements():
    world, ball, ids = world_of(4)
    one = world.id(2)
    assert ids.dtype == hitmask.BODY_ID and (world.ids() == ids).all()
    assert int.from_bytes(ids[2].tobytes(), "little") == one.to_bits()
    assert hitmask.BodyId.from_bits(one.to_bits()) == one and hash(hitmask.BodyId.from_bits(one.to_bits())) == hash(one)
    assert one.index == 2 and world.id(0) < one and one in world and len({one, world.id(2)}) == 1
    for handle in (one, ids[2], ids[2:3][0], np.array(ids[2])):
        assert world.body(handle).at == (0, 0)
    for many in (ids, list(ids), [world.id(k) for k in range(4)], ids[::-1], [one]):
        assert world.positions(many).shape == (len(many), 2)
    assert world.positions([]).shape == (0, 2)
    for wrong in (2, "2", None, 2.0, np.zeros(1, np.uint32), np.zeros(4, [("index", "<u4")]), ball):
        with pytest.raises(TypeError):
            world.body(wrong)
    with pytest.raises(TypeError):
        world.positions([one, 3])
    with pytest.raises(hitmask.Error):
        world.positions(np.zeros((2, 2), hitmask.BODY_ID))
    with pytest.raises(hitmask.Error):
        hitmask.BodyId.from_bits(2**96)
    with pytest.raises(OverflowError):
        hitmask.BodyId.from_bits(2**200)
    assert world.body(np.zeros(1, hitmask.BODY_ID)[0]) is None
    assert world.id(99) is None
    with pytest.raises(hitmask.Error):
        world.remove_all(ids[[0, 0]])
    world.remove_all(ids[1:3])
    assert len(world) == 2 and ids[1] not in world and world.indices == 4


def test_free_indices_are_left_alone():
    world, _, ids = world_of(3)
    world.remove(ids[1])
    world.set_positions([[1, 1], [np.nan, 0], [3, 3]][:1] + [[0, 0], [3, 3]])
    assert world.positions(ids[[0, 2]]).tolist() == [[1, 1], [3, 3]]


def test_linears_are_those_of_one_each():
    degrees = np.linspace(-400, 400, 33)
    made = hitmask.linears(degrees, np.stack([degrees / 100, degrees / 90], 1), flip_x=degrees > 0, flip_y=True)
    for row, angle in zip(made, degrees):
        one = Linear(angle, (angle / 100, angle / 90), flip_x=bool(angle > 0), flip_y=True)
        assert (np.asarray(one) == row).all()
    assert hitmask.linears(90).tolist() == [[[0, -1], [1, 0]]]
    assert hitmask.linears().tolist() == [[[1, 0], [0, 1]]]
    assert np.asarray(Linear.from_radians(np.pi / 6)) == pytest.approx(np.asarray(Linear.from_degrees(30)))
    turned = Linear.scaled(2) @ Linear.from_degrees(90)
    assert turned.x == (0, -2) and turned.determinant() == 4
    for wrong in ({"degrees": [1, 2], "scale": [1, 2, 3]}, {"degrees": np.zeros((2, 2))}, {"scale": np.zeros((2, 3))}):
        with pytest.raises(hitmask.Error):
            hitmask.linears(**wrong)
    with pytest.raises(TypeError):
        hitmask.linears("90")


def test_the_layouts_of_structured_arrays():
    for dtype, size in [
        (hitmask.BODY_ID, 12),
        (hitmask.DETAIL, 56),
        (hitmask.RAY_HIT, 16),
        (hitmask.NEAREST_HIT, 24),
        (hitmask.BODY_HIT, 72),
        (hitmask.EVENT, 48),
        (hitmask.TAGGED_PAIR, 40),
        (hitmask.CONTACT, 40),
    ]:
        assert dtype.itemsize == size
