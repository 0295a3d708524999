"""After a hit: stops, slides, ways out, events."""

import pickle

import numpy as np
import pytest

import hitmask
from hitmask import Ask, Body, Engine, Events, Mask, Queries, Shape, Touch, World


@pytest.fixture
def room():
    """A floor whose top is at y = 20, and a box of 2 x 2 that falls onto it."""
    world = World()
    floor = world.add(Body(world.add_shape(Shape.rect(100, 10)), (0, 20)))
    man = world.add_shape(Shape.rect(2, 2))
    hero = world.add(Body(man, (0, 0), motion=(30, 30)))
    return world, floor, man, hero


def test_sweeps_and_slides(room):
    world, floor, man, hero = room
    search = Queries().on(world).except_([hero])
    sweep = search.sweep(world.body(hero))
    assert sweep.at == (18, 18) and sweep.started_inside is None
    assert sweep.stop.impact.other == floor and sweep.stop.impact.normal == (0, -1)
    assert sweep.stop.impact.lands() and not sweep.stop.impact.lands((0, 1))
    assert sweep.stop.impact.approach == (30, 30)
    slide = search.slide(world.body(hero))
    assert slide.at == (30, 18) and [stop.impact.other for stop in slide.stops] == [floor]
    assert sweep.stop.slide()[1] == 0 and sweep.stop.left[0] > 0
    free = search.slide(world.body(hero), ignore=[floor])
    assert free.at == (30, 30) and free.stops == []
    assert search.sweep(Body(man, (0, 21))).started_inside == floor


def test_a_body_of_the_world_meets_itself_unless_it_is_left_out(room):
    world, _, _, hero = room
    search, body = Queries().on(world), world.body(hero)
    for call in (search.sweep, search.slide):
        assert call(body).started_inside == hero and call(body).at == body.at
    assert not search.is_free(body) and search.all_of(body)[0]["body"]["index"].tolist() == [0, 1]
    search = search.except_(hero)
    for call in (search.sweep, search.slide):
        assert call(body).started_inside is None and call(body).at != body.at
    assert not search.is_free(body) and search.is_free(body.replace(motion=(0, 0)))
    assert not search.except_([]).is_free(body.replace(motion=(0, 0)))  # the new list replaces the other


def test_one_way_platforms(room):
    world, floor, man, hero = room
    search = Queries().on(world).except_(hero)
    assert search.sweep(Body(man, (5, 40), motion=(0, -40)), one_way=floor).at == (5, 0)
    assert search.sweep(Body(man, (5, 40), motion=(0, -40))).at == (5, 30)
    assert search.sweep(Body(man, (5, 0), motion=(0, 40)), one_way=[floor]).at == (5, 18)
    assert search.sweep(Body(man, (5, 0), motion=(0, 40)), one_way=[floor], up=(0, 1)).at == (5, 40)


def test_stops_in_a_step(room):
    world, floor, _, hero = room
    hits = Engine.cpu().run(world, Ask.DETAILS)
    stop = world.stop(hero, hits)
    assert stop.impact.hit == 0 and stop.at[1] == 18 and stop.slide()[1] == 0
    assert world.stop(hero, hits, ignore=[floor]) is None
    assert [impact.other for impact in world.impacts(hero, hits)] == [floor]
    assert world.before(hero, hits, 0)[1] == 18 and world.before(hero, hits, -1)[1] == 18
    for wrong in (1, -2, 10**9):
        with pytest.raises(IndexError):
            world.before(hero, hits, wrong)
    with pytest.raises(IndexError):
        world.overlap_mask(Engine.cpu().run(world), 0)  # run without details
    with pytest.raises(hitmask.Error, match="details"):
        world.stop(hero, Engine.cpu().run(world))
    other = World()
    other.add_all(other.add_shape(Shape.circle(1)), np.zeros((5, 2)))
    with pytest.raises(hitmask.Error):
        world.stop(hero, Engine.cpu().run(other, Ask.DETAILS))


def test_ways_out(room):
    world, floor, man, hero = room
    world.set(hero, Body(man, (5, 19.5)))
    hits = Engine.cpu().run(world, Ask.DETAILS)
    contact = world.contacts(hits)
    assert contact.dtype == hitmask.CONTACT and contact["depth"].tolist() == [1.5]
    # The floor comes first, so it is the one that leaves.
    assert contact["normal"].tolist() == [[0, 1]] and contact["push"].tolist() == [[0, 1.5]]
    assert world.pushed_out(hero, hits) == (5, 18)
    assert world.pushed_out(hero, hits, ignore=floor) == (5, 19.5)
    # Later, an index may name another body.
    later = world.copy()
    later.add(Body(man, (90, 90)))
    for other in (World(), later):
        for ask in (
            lambda: other.contacts(hits),
            lambda: other.before(hero, hits, 0),
            lambda: other.overlap_mask(hits, 0),
            lambda: other.parts_hit(hits, 0),
        ):
            with pytest.raises(hitmask.Error, match="`hits` is the answer of another world, or of this one before a"):
                ask()
    with pytest.raises(
        hitmask.Error, match=r"`hits` is of a step without details; it must be of a step with `Ask\.DETAILS`"
    ):
        world.contacts(Engine.cpu().run(world))


def test_shared_pixels_and_parts():
    world = World()
    sprite = world.add_shape(Shape.sprite(Mask.from_rows(["##", "##"])))
    world.add_all(sprite, [[0, 0], [1, 1]])
    hits = Engine.cpu().run(world, Ask.DETAILS)
    mask, at = world.overlap_mask(hits, 0)
    assert mask.to_rows() == ["#"] and at == (1, 1) and hits.details["first"].tolist() == [[1, 1]]
    assert world.parts_hit(hits, 0) == [(0, 0)]


def test_holds():
    world = World()
    zone = world.add(Body(world.add_shape(Shape.rect(10, 10)), (0, 0)))
    tank = world.add(Body(world.add_shape(Shape.rect(4, 2)), (6, 8)))
    assert world.holds(zone, tank) and not world.holds(tank, zone)
    world.set(tank, Body(world.body(tank).shape, (6.5, 8)))
    assert not world.holds(zone, tank)
    world.remove(tank)
    with pytest.raises(hitmask.Error):
        world.holds(zone, tank)


def test_events_by_body():
    world, engine, events = World(), Engine.cpu(), Events()
    ball = world.add_shape(Shape.circle(1))
    ship, shot = world.add(Body(ball, (0, 0), tag=7)), world.add(Body(ball, (9, 0), tag=8))
    for x, expected in [(9, (0, 0, 0)), (1, (1, 0, 0)), (1, (0, 1, 0)), (9, (0, 0, 1))]:
        world.set(shot, Body(ball, (x, 0), tag=8))
        events.update(world, engine.run(world))
        assert (len(events.began), len(events.stayed), len(events.ended)) == expected
        again = pickle.loads(pickle.dumps(events))
        assert (again.save() == events.save()) and len(again.ended) == len(events.ended)
    assert events.ended.dtype == hitmask.TAGGED_PAIR and events.began.dtype == hitmask.EVENT
    assert events.ended["tags"].tolist() == [[7, 8]]
    assert [hitmask.BodyId.from_bits(int.from_bytes(id.tobytes(), "little")) for id in events.ended["pair"][0]] == [
        ship,
        shot,
    ]
    with pytest.raises(hitmask.Error):
        events.update(World(Touch.INCLUDED), engine.run(world))
    with pytest.raises(hitmask.Error):
        Events.load(b"nothing")


def test_a_direction_up_must_have_a_length():
    world = hitmask.World()
    floor = world.add(hitmask.Body(world.add_shape(hitmask.Shape.rect(100, 10)), (0, 20)))
    box = hitmask.Body(world.add_shape(hitmask.Shape.rect(2, 2)), (5, 0), motion=(0, 30))
    moving = world.add(box)
    hits = hitmask.Engine.cpu().run(world, hitmask.Ask.DETAILS)
    search = hitmask.Queries().on(world)
    [impact] = world.impacts(moving, hits)
    for up in [(0, 0), (float("nan"), 0), (0, float("inf"))]:
        calls = [
            lambda: search.sweep(box, one_way=[floor], up=up),
            lambda: search.slide(box, one_way=[floor], up=up),
            lambda: world.stop(moving, hits, one_way=[floor], up=up),
            lambda: world.pushed_out(moving, hits, one_way=[floor], up=up),
            lambda: impact.lands(up),
        ]
        for call in calls:
            with pytest.raises(hitmask.Error, match=r"`up` is .* it must have a finite length greater than 0"):
                call()
