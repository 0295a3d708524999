"""Steps, judged pixel by pixel."""

import brute
import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

import hitmask
from hitmask import Ask, Engine, Linear, Mask, Shape, World

ENGINES = {
    "cpu": Engine.cpu(),
    "one thread": Engine.cpu(threads=1),
    "auto": Engine.auto(),
    "reference": Engine.reference(),
}


@settings(max_examples=150)
@given(st.lists(st.tuples(strategies.texels(), strategies.points, strategies.turns), min_size=2, max_size=7))
def test_sprites_hit_where_they_share_a_pixel(bodies):
    world, pixels = World(), []
    for texels, at, (degrees, scale, flip_x, flip_y) in bodies:
        anchor = (texels.shape[1] / 2, texels.shape[0] / 2)
        shape = world.add_shape(Shape.sprite(Mask.from_array(texels)).anchored(anchor))
        linear = Linear(degrees, scale, flip_x=flip_x, flip_y=flip_y)
        world.add(hitmask.Body(shape, at, linear=linear))
        pixels.append(brute.painted(texels, at, np.asarray(linear).tolist(), anchor))
    right = brute.pairs(pixels)
    for name, engine in ENGINES.items():
        hits = engine.run(world, Ask.DETAILS)
        assert hits.pairs.tolist() == right, name
        assert np.flatnonzero(hits.flags).tolist() == sorted({body for pair in right for body in pair})
        for (i, j), found in zip(right, hits.details):
            area, bounds, first, sums = brute.detail(pixels[i], pixels[j])
            assert found["area"] == area
            assert found["bounds"].tolist() == bounds
            assert found["first"].tolist() == first
            assert found["sums"].tolist() == sums
            assert (found["tick"], found["moving"]) == (0, False)


@given(strategies.texels(), strategies.texels(), st.integers(-20, 20), st.integers(-4, 4), st.integers(-40, 40))
def test_a_sprite_that_moves_sideways_hits_all_in_its_way(still, moving, x, y, motion):
    world = World()
    world.add(hitmask.Body(world.add_shape(Shape.sprite(Mask.from_array(still))), (0, 0)))
    world.add(hitmask.Body(world.add_shape(Shape.sprite(Mask.from_array(moving))), (x, y), motion=(motion, 0)))
    here, step = brute.painted(still, (0, 0)), 1 if motion > 0 else -1
    way = [x + step * k for k in range(abs(motion) + 1)]
    met = [at for at in way if here & brute.painted(moving, (at, y))]
    hits = Engine.cpu().run(world, Ask.DETAILS)
    assert bool(met) == (len(hits) == 1)
    if met:
        # The sprite shows at each pixel from the tick on at which it has gone that far, rounded to its lattice.
        gone = abs(met[0] - x)
        tick = int(hits.details["tick"][0])
        assert hits.details["moving"][0] == (motion != 0)
        if gone == 0:
            assert tick == 0
        else:
            assert abs(tick / hitmask.TICKS * abs(motion) - gone) <= 1 + 1 / 128
        assert hits.details["area"][0] == len(here & brute.painted(moving, (met[0], y)))


@given(st.lists(st.tuples(strategies.points, st.integers(1, 1000).map(lambda r: r / 256)), min_size=2, max_size=9))
def test_circles_hit_if_they_are_closer_than_their_radii(circles):
    for touch in (hitmask.Touch.EXCLUDED, hitmask.Touch.INCLUDED):
        world = World(touch)
        for at, radius in circles:
            world.add(hitmask.Body(world.add_shape(Shape.circle(radius)), at))
        right = []
        for i, (p, r) in enumerate(circles):
            for j, (q, s) in enumerate(circles[i + 1 :], i + 1):
                # In integers of lattice steps, so that nothing is rounded.
                square = sum(int(256 * (u - v)) ** 2 for u, v in zip(p, q))
                reach = int(256 * (r + s)) ** 2
                if square < reach or (touch == hitmask.Touch.INCLUDED and square == reach):
                    right.append([i, j])
        assert Engine.cpu().run(world).pairs.tolist() == right


def test_what_is_not_asked_for_is_empty():
    world = World()
    world.add_all(world.add_shape(Shape.circle(1)), [[0, 0], [1, 0], [9, 0]])
    flags = Engine.cpu().run(world, Ask.FLAGS)
    assert flags.flags.tolist() == [True, True, False]
    assert flags and len(flags) == 0 and flags.pairs.shape == (0, 2) and flags.details.shape == (0,)
    pairs = Engine.cpu().run(world)
    assert pairs.pairs.dtype == np.uint32 and pairs.details.shape == (0,)
    assert Engine.cpu().run(World()).pairs.shape == (0, 2)
    assert not Engine.cpu().run(World())


def test_answers_are_read_only_and_made_once():
    world = World()
    world.add_all(world.add_shape(Shape.circle(1)), [[0, 0], [1, 0]])
    hits = Engine.cpu().run(world, Ask.DETAILS)
    assert hits.pairs is hits.pairs and hits.details is hits.details and hits.flags is hits.flags
    for array in (hits.pairs, hits.details, hits.flags):
        assert not array.flags.writeable
    assert hits.details.dtype == hitmask.DETAIL
    assert hits.details["area"][0] == -1  # no sprite in the pair
    assert hits == Engine.reference().run(world, Ask.DETAILS)
    assert hits.checksum() == Engine.reference().run(world, Ask.DETAILS).checksum()


def test_engines_say_what_they_are():
    assert ENGINES["cpu"].name == "cpu" and ENGINES["reference"].name == "reference"
    assert ENGINES["auto"].name in ("cpu", "gpu")
    assert ENGINES["cpu"].device and ENGINES["auto"].status
    world = World()
    world.add_all(world.add_shape(Shape.circle(1)), np.zeros((50, 2)))
    engine = Engine.cpu()
    assert len(engine.run(world)) == 50 * 49 // 2
    assert engine.bytes > 0 and all(seconds >= 0 for _, seconds in engine.profile())


def test_bad_engines_are_refused():
    with pytest.raises(hitmask.Error, match="threads"):
        Engine.cpu(threads=10**6)
    with pytest.raises(OverflowError):
        Engine.cpu(threads=-1)
    with pytest.raises(TypeError):
        ENGINES["cpu"].run(World(), "pairs")
    with pytest.raises(TypeError):
        ENGINES["cpu"].run(None)
