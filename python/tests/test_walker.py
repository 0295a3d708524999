"""The character controller: each line of its stub."""

import copy

import numpy as np
import pytest

import hitmask
from hitmask import Body, Pace, Queries, Shape, Walker, World


class Level:
    """A world with boxes, each `[x, y, width, height]`, and a hero of 8 x 12 that is not in it."""

    def __init__(self, *boxes, at):
        self.world = World()
        self.ids = [self.world.add(Body(self.world.add_shape(Shape.rect(*size)), (x, y))) for x, y, *size in boxes]
        self.hero = Body(self.world.add_shape(Shape.rect(8, 12)), at)
        self.search = Queries().on(self.world)
        self.fall = 0.0

    def step(self, walker, run=0.0, fall=None, **options):
        walk = walker.step(self.search, self.hero, run, self.fall + 0.25 if fall is None else fall, **options)
        self.hero, self.fall = self.hero.replace(at=walk.at), walk.fall
        return walk


def slope(degrees, at):
    """Returns a level with a floor at y = 100, and from x = 60 on a slope."""
    level = Level((-200, 100, 260, 40), at=at)
    top = 100 - 100 * np.tan(np.radians(degrees))
    level.ids.append(
        level.world.add(Body(level.world.add_shape(Shape.polygon([[0, 0], [100, top - 100], [100, 0]])), (60, 100)))
    )
    return level


def test_it_walks_uphill_as_fast_as_on_level_ground():
    for pace, x in [(Pace.ACROSS, 130), (Pace.ALONG, 126.6)]:
        level, walker = Level(at=(10, 85)), Walker(pace=pace)
        hill = Shape.polygon([[0, 100], [60, 100], [160, 70], [160, 140], [0, 140]])
        hill = level.world.add(Body(level.world.add_shape(hill), (0, 0)))
        assert walker.ground is None
        for _ in range(60):
            walk = level.step(walker, run=2)
        assert walk.at[0] == pytest.approx(x, abs=0.1)
        assert walk.ground.body == hill == walker.ground.body and walk.ground.normal == walker.ground.normal
        assert walk.ground.normal == pytest.approx((-0.2873, -0.9578), abs=1e-4)
        assert walk.fall == 0 and walk.wall is None and walk.ceiling is None and walk.started_inside is None
    assert Walker().step(level.search, level.hero, 2, 0.25).at[0] - walk.at[0] == 2  # the default
    assert Pace.ACROSS != Pace.ALONG and len({Pace.ACROSS, Pace.ALONG, Pace.ACROSS}) == 2


def test_stairs_up_to_the_step_height():
    for height, options, climbs in [
        (4, {}, True),
        (5, {}, False),
        (5, {"step_height": 5}, True),
        (1, {"step_height": 0}, False),
    ]:
        level = Level((0, 100, 400, 20), (60, 100 - height, 50, height), at=(20, 88))
        walker = Walker(**options)
        walks = [level.step(walker, run=2) for _ in range(20)]
        assert (walks[-1].at[1] == 88 - height) == climbs and (walks[-1].wall is None) == climbs
        if not climbs:
            assert walks[-1].wall.body == level.ids[1] and walks[-1].wall.normal == (-1, 0) and walks[-1].at[0] == 52


def test_slopes_up_to_the_limit():
    for degrees, options, climbs in [
        (45, {}, True),
        (55, {}, False),
        (55, {"max_slope": 60}, True),
        (45, {"max_slope": 40}, False),
    ]:
        level, walker = slope(degrees, at=(20, 88)), Walker(**options)
        for _ in range(20):
            walk = level.step(walker, run=2)
        assert (walk.at[1] < 88) == climbs and (walk.wall is None) == climbs
    # It slides down a steep one.
    for slides in (True, False):
        level, walker = slope(55, at=(80, 20)), Walker(slide=slides)
        for _ in range(60):
            walk = level.step(walker)
        assert (walk.at[1] == 88) == slides and (walk.at[0] == 80) == (not slides)
        assert (walk.ground is None) == (not slides)


def test_it_stays_on_ground_that_drops_by_up_to_the_snap():
    for drop, options, stays in [(4, {}, True), (8, {}, False), (8, {"snap": 8}, True), (4, {"snap": 0}, False)]:
        level, walker = Level((0, 100, 60, 40), (60, 100 + drop, 60, 40), at=(50, 88)), Walker(**options)
        assert all(level.step(walker, run=2).ground for _ in range(8)) == stays


def test_it_jumps_and_meets_ceilings_and_walls():
    level, walker = Level((0, 100, 400, 20), (0, 60, 400, 10), (60, 70, 10, 30), at=(20, 88)), Walker()
    assert level.step(walker).ground.body == level.ids[0]
    jump = level.step(walker, fall=-3)
    assert jump.at == (20, 85) and jump.ground is None and walker.ground is None and jump.fall == -3
    bump = level.step(walker, fall=-30)
    assert (
        bump.at == (20, 70) and bump.ceiling.body == level.ids[1] and bump.ceiling.normal == (0, 1) and bump.fall == 0
    )
    wall = level.step(walker, run=100)
    assert wall.at[0] == 52 and wall.wall.body == level.ids[2]
    back = Level((0, 100, 400, 20), at=(20, 88))
    assert back.step(Walker(), run=-5).at == (15, 88)


def test_up_may_point_anywhere():
    level = Level((0, 0, 20, 400), at=(20, 50))  # a wall on the left is the ground
    walker = Walker(up=(3, 0))
    walk = level.step(walker, run=5)
    assert walk.ground.normal == (1, 0) and walk.at == (20, 55)  # right, turned clockwise, is down


def test_platforms_carry_it():
    level, walker = Level((0, 100, 40, 3), at=(20, 88)), Walker()
    level.step(walker)
    lift = level.world.body(level.ids[0])
    level.world.set(level.ids[0], lift.replace(at=(1, 98)))
    other = walker.copy()
    before = level.world.checksum()
    walk = walker.step(level.search, level.hero.replace(motion=(9, 9)), 0, 0)
    assert walk.at == (21, 86) and walk.carried == (1, -2) and level.world.checksum() == before
    # Copies have the same ground, and options; what one forgets, the others keep.
    other.leave()
    assert other.ground is None and walker.ground is not None
    for same in (walker.copy(), copy.copy(walker), copy.deepcopy(walker)):
        assert same.ground.body == level.ids[0]
    level.world.set(level.ids[0], lift.replace(at=(3, 98)))
    assert walker.copy().step(level.search, level.hero.replace(at=walk.at), 0, 0).carried == (2, 0)
    walker.leave()
    assert walker.step(level.search, level.hero.replace(at=walk.at), 0, 0).carried == (0, 0)
    assert Walker(up=(1, 0)).copy().step(level.search, level.hero.replace(at=(50, 50)), 5, 0).at == (50, 55)


def test_one_way_platforms_and_bodies_to_ignore():
    level, walker = Level((0, 100, 400, 20), (0, 80, 400, 2), at=(20, 88)), Walker()
    plank = level.ids[1]
    level.step(walker)
    assert level.step(walker, fall=-30).ceiling.body == plank
    for _ in range(20):
        level.step(walker)
    assert level.step(walker, fall=-30, one_way=[plank]).at == (20, 58)  # from below
    level.fall = 0.0
    for _ in range(20):
        walk = level.step(walker, one_way=plank)
    assert walk.at == (20, 68) and walk.ground.body == plank
    for _ in range(20):
        walk = level.step(walker, one_way=[plank], ignore=[plank])
    assert walk.at == (20, 88) and walk.ground.body == level.ids[0]
    # It overlaps the plank already, so the plank is not solid for it.
    level.hero = level.hero.replace(at=(20, 75))
    assert level.step(Walker(), fall=5, one_way=[plank]).at == (20, 80)


def test_solid_bodies_push_it_out_or_crush_it():
    level, walker = Level((0, 100, 400, 20), (30, 80, 10, 20), at=(20, 88)), Walker()
    level.step(walker)
    level.world.set(level.ids[1], level.world.body(level.ids[1]).replace(at=(27, 80)))
    walk = level.step(walker)
    assert walk.at == (19, 88) and walk.started_inside == level.ids[1] and not walk.stuck
    crushed = Level((0, 0, 100, 50), (0, 58, 100, 50), at=(50, 48))
    walk = crushed.step(Walker(), run=5)
    assert walk.stuck and walk.at == (50, 48) and walk.fall == 0 and walk.started_inside == crushed.ids[0]


def test_a_body_of_the_world_is_in_its_own_way_unless_it_is_left_out():
    level = Level((0, 100, 400, 20), at=(20, 88))
    hero = level.world.add(level.hero)
    assert Walker().step(level.search, level.hero, 2, 0.25).started_inside == hero
    walk = Walker().step(level.search.except_(hero), level.hero, 2, 0.25)
    assert walk.at == (22, 88) and walk.started_inside is None


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda level: Walker(up=(0, 0)), "up"),
        (lambda level: Walker(max_slope=91), "max_slope"),
        (lambda level: Walker(step_height=-1), "step_height"),
        (lambda level: Walker(snap=float("inf")), "snap"),
        (lambda level: level.step(Walker(), run=1e6), "run"),
        (lambda level: level.step(Walker(), fall=float("nan")), "fall"),
    ],
)
def test_wrong_values_name_the_option(call, field):
    with pytest.raises(hitmask.Error, match=f"^`{field}` is "):
        call(Level((0, 100, 400, 20), at=(20, 88)))
