"""Values beyond all limits: each call raises an exception that a program can catch, or returns; none panics."""

import copy
import pickle

import numpy as np
import pytest

import hitmask
from hitmask import Ask, Body, Engine, Mask, Nearest, Part, PointQuery, Queries, Shape, Walker, World, tiles

NAN, HUGE = float("nan"), 1e308


@pytest.fixture(scope="module")
def world():
    made = World()
    ball = made.add_shape(Shape.circle(1))
    made.add_all(ball, np.zeros((3, 2)))
    made.add(Body(made.add_shape(Shape.sprite(Mask(3, 3, fill=True))), (0, 0)))
    return made


#: Calls with a world, the handle of a ball, and that of its shape.
CALLS = [
    lambda w, b, s: w.set_positions(np.broadcast_to(np.float64(0), (2**50, 2))),
    lambda w, b, s: w.add_all(s, np.broadcast_to(np.float32(0), (2**50, 2))),
    lambda w, b, s: PointQuery(np.broadcast_to(0, (2**50, 2))),
    lambda w, b, s: hitmask.linears(np.broadcast_to(0.0, 2**50)),
    lambda w, b, s: Queries().on(w).all_of(Nearest((0, 0), count=2**32 - 1)),
    lambda w, b, s: Queries().on(w).all_of(Nearest((0, 0), within=NAN)),
    lambda w, b, s: Queries().on(w).slide(Body(s, (0, 0), motion=(HUGE, 0))),
    lambda w, b, s: Queries().on(w).sweep(Body(s, (0, 0), motion=(5, 0)), up=(NAN, NAN), one_way=w.ids()),
    lambda w, b, s: Queries().on(w).is_free(Body(s, (NAN, 0))),
    lambda w, b, s: w.id(-1),
    lambda w, b, s: w.id(2**33),
    lambda w, b, s: w.texel(b, (2**31, 0)),
    lambda w, b, s: w.local(b, (NAN, HUGE)),
    lambda w, b, s: w.bodies_at((HUGE, -HUGE)),
    lambda w, b, s: w.distance(b, b),
    lambda w, b, s: w.holds(b, b),
    lambda w, b, s: w.push_along(b, b, "x"),
    lambda w, b, s: w.part_tag(b, 2**32 - 1),
    lambda w, b, s: w.contacts(Engine.cpu().run(World(), Ask.DETAILS)),
    lambda w, b, s: w.edit_mask(s, lambda mask: mask.clear()),
    lambda w, b, s: w.split(w.shapes()[1][0], (2**32 - 1, 2**32 - 1, 2**32 - 1, 2**32 - 1)),
    lambda w, b, s: w.split(w.shapes()[1][0], (0, 0, 2**32 - 1, 2**32 - 1)),
    lambda w, b, s: Walker(up=(HUGE, HUGE), step_height=16384, snap=16384).step(
        Queries().on(w), w.body(b), 65536, 65536
    ),
    lambda w, b, s: Walker(up=(NAN, 0)),
    lambda w, b, s: Walker(max_slope=NAN),
    lambda w, b, s: Walker().step(Queries().on(w), Body(s, (NAN, 0)), 0, 0),
    lambda w, b, s: Walker().step(Queries().on(w), w.body(b), HUGE, 0),
    lambda w, b, s: w.load_into(b"x" * 1000),
    lambda w, b, s: Body(s, (0, 0), layers=-1),
    lambda w, b, s: Body(s, (0, 0), tag=2**64),
    lambda w, b, s: w.copy().add(Body(s, (0, 0), linear=hitmask.Linear(NAN, (HUGE, NAN)))),
    lambda w, b, s: w.copy().set_linears(np.full((2, 2), np.inf)),
    lambda w, b, s: Mask.from_rows([]),
    lambda w, b, s: Mask.from_rows(["#" * 10**6]),
    lambda w, b, s: Mask.from_bytes(2**31, 2**31, b""),
    lambda w, b, s: Mask.open("/"),
    lambda w, b, s: Mask.open("\0"),
    lambda w, b, s: Mask(3, 3).draw_rect((2**31, 0, 1, 1)),
    lambda w, b, s: Mask(3, 3).draw_rect((-(2**31), -(2**31), 2**31 - 1, 2**31 - 1)),
    lambda w, b, s: Mask(3, 3).overlaps(Mask(1, 1), (-(2**31), 2**31 - 1)),
    lambda w, b, s: Mask(3, 3).overlaps(Mask(1, 1), (0.5, 0)),
    lambda w, b, s: Mask(3, 3).cropped((-(2**31), -(2**31), 8192, 8192)),
    lambda w, b, s: Mask(8192, 8192).overlap_offsets(Mask(8192, 8192)),
    lambda w, b, s: Mask(3, 3).draw_polygon([[HUGE, 0], [0, HUGE], [NAN, NAN]]),
    lambda w, b, s: Mask(3, 3).draw_disc((0, 0), HUGE),
    lambda w, b, s: Mask(3, 3).rotated(NAN),
    lambda w, b, s: Mask(3, 3).scaled(0, -1),
    lambda w, b, s: Mask(3, 3).polygons(-1),
    lambda w, b, s: Mask(3, 3).grown(HUGE),
    lambda w, b, s: Shape.polygon(np.full((5, 2), NAN)),
    lambda w, b, s: Shape.polygon([[0, 0], [9, 0], [9, 9]], [[]]),
    lambda w, b, s: Shape.capsule((NAN, 0), (0, 0), 1),
    lambda w, b, s: Shape.parts([Part(Shape.circle(1), (HUGE, 0))]),
    lambda w, b, s: Engine.cpu(threads=2**40),
    lambda w, b, s: Engine(),
    lambda w, b, s: hitmask.Hits(),
]


@pytest.mark.parametrize("call", CALLS)
def test_nothing_panics(world, call):
    before = world.checksum()
    try:
        call(world, world.id(0), world.body(world.id(0)).shape)
    except Exception as error:
        # A panic of Rust is a `BaseException`, and would not come here.
        assert str(error)
    assert world.checksum() == before


def test_a_gpu_answers_as_the_cpu_does_or_there_is_none():
    world = World()
    mask = Mask.from_array(np.random.default_rng(8).random((16, 16)) < 0.4)
    world.add_all(world.add_shape(Shape.sprite(mask)), np.random.default_rng(9).random((300, 2)) * 120)
    right = Engine.cpu().run(world, Ask.DETAILS)
    try:
        engine = Engine.gpu()
    except hitmask.Error as error:
        assert error.kind.startswith("Gpu")
    else:
        assert engine.run(world, Ask.DETAILS) == right and len(right) > 100


def test_what_has_no_state_is_pickled_and_copied():
    part = hitmask.Part(hitmask.Shape.circle(2.0), (3, 4), tag=7)
    shape = hitmask.Shape.parts([part])
    for again in [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]:
        for kind in [hitmask.Touch, hitmask.Ask, hitmask.Pace]:
            for name in [name for name in vars(kind) if name.isupper()]:
                assert again(getattr(kind, name)) == getattr(kind, name)
        assert pickle.dumps(hitmask.Shape.parts([again(part)])) == pickle.dumps(shape)


def test_each_error_has_a_kind_and_a_body():
    assert (hitmask.Error.kind, hitmask.Error.body) == ("Value", None)
    with pytest.raises(hitmask.Error) as raised:
        tiles.match(np.zeros((2, 2), int), np.zeros((3, 2), int))
    assert (raised.value.kind, raised.value.body) == ("Value", None)
    world = hitmask.World()
    ball = world.add(hitmask.Body(world.add_shape(hitmask.Shape.circle(1.0)), (0, 0)))
    world.remove(ball)
    with pytest.raises(hitmask.Error) as raised:
        world.remove(ball)
    assert raised.value.kind == "Gone"


def test_integers_beyond_64_bits_are_named():
    world = hitmask.World()
    ball = world.add_shape(hitmask.Shape.circle(1.0))
    for tag in [2**64, [2**64]]:
        with pytest.raises(hitmask.Error, match=rf"`tag` is {2**64}; it must be 0 to {2**64 - 1}"):
            world.add_all(ball, [[0, 0]], tag=tag)
    with pytest.raises(TypeError, match="`tag` holds object; it must hold integers"):
        world.add_all(ball, [[0, 0]], tag=[None])


def test_a_linear_part_is_no_view():
    with pytest.raises(ValueError, match="copy"):
        np.asarray(hitmask.Linear(), copy=False)
