"""Queries, judged by numpy on circles and pixels, and by the definition."""

import brute
import numpy as np
import pytest

import hitmask
from hitmask import (
    Body,
    BodyQuery,
    Engine,
    Mask,
    Nearest,
    PointQuery,
    Queries,
    RayCast,
    RegionQuery,
    Shape,
    World,
)


@pytest.fixture
def balls():
    random = np.random.default_rng(1)
    at = random.integers(-100 * 256, 100 * 256, (300, 2)) / 256
    world = World()
    ids = world.add_all(world.add_shape(Shape.circle(5)), at, layers=np.arange(300) % 2 + 1)
    points = random.integers(-110 * 256, 110 * 256, (200, 2)) / 256
    return world, ids, at, points


def test_points(balls):
    world, ids, at, points = balls
    search = Queries().on(world)
    near = np.hypot(*(points[:, None] - at[None]).T).T <= 5
    answers = search.all_of(PointQuery(points))
    assert len(answers) == len(points) and answers.offsets.tolist() == [0, *np.cumsum(near.sum(1)).tolist()]
    for k in range(len(points)):
        assert answers[k]["index"].tolist() == np.flatnonzero(near[k]).tolist()
    assert (answers[-1] == answers[len(points) - 1]).all()
    assert (search.any_of(PointQuery(points)) == near.any(1)).all()
    found, first = search.first_of(PointQuery(points))
    assert (found == near.any(1)).all() and (first["index"][found] == near.argmax(1)[found]).all()
    even = search.any_of(PointQuery(points, mask=1))
    assert (even == near[:, ::2].any(1)).all()
    with pytest.raises(IndexError):
        answers[len(points)]
    one = search.except_(ids[near[np.argmax(near.sum(1))]]).all_of(PointQuery(points[np.argmax(near.sum(1))]))
    assert len(one) == 1 and len(one.values) == 0


def test_regions(balls):
    world, _, at, points = balls
    size = np.array([20, 12.5])
    answers = Queries().on(world).all_of(RegionQuery(points, points + size))
    for k, point in enumerate(points):
        gap = np.maximum(np.maximum(point - at, at - (point + size)), 0)
        assert answers[k]["index"].tolist() == np.flatnonzero((gap**2).sum(1) < 25).tolist()


def test_rays(balls):
    world, _, at, points = balls
    start = points[:100]
    end = start + (points[100:] - start) / 8
    found, first = Queries().on(world).first_of(RayCast(start, end))
    for k in range(100):
        way = end[k] - start[k]
        along = np.clip(((at - start[k]) @ way) / (way @ way), 0, 1)
        gap = np.hypot(*(start[k] + along[:, None] * way - at).T)
        assert found[k] == (gap < 5).any()
        if found[k]:
            # Along the ray, the distance to the body that is hit first falls to its radius.
            body = first["body"]["index"][k]
            gone = start[k] + way * (first["tick"][k] / hitmask.TICKS)
            inside = np.hypot(*(start[k] - at[body])) < 5
            assert (first["tick"][k] == 0) == inside or not inside
            assert inside or np.hypot(*(gone - at[body])) == pytest.approx(5, abs=0.1)
    thick = Queries().on(world).any_of(RayCast(start, end, radius=3))
    assert (thick >= found).all() and thick.sum() > found.sum()


def test_nearest(balls):
    world, _, at, points = balls
    answers = Queries().on(world).all_of(Nearest(points, count=3))
    distances = np.maximum(np.hypot(*(points[:, None] - at[None]).T).T - 5, 0)
    for k in range(len(points)):
        order = np.lexsort((np.arange(300), distances[k]))[:3]
        assert answers[k]["distance"] == pytest.approx(distances[k][order], abs=1e-9)
        assert answers[k]["body"]["index"].tolist() == order.tolist()
    assert (Queries().on(world).any_of(Nearest(points, within=2.5)) == (distances <= 2.5).any(1)).all()


def test_bodies_outside_the_world():
    world = World()
    texels = np.random.default_rng(2).random((20, 20)) < 0.3
    sprite = world.add_shape(Shape.sprite(Mask.from_array(texels)))
    world.add(Body(sprite, (0, 0)))
    at = np.stack(np.meshgrid(np.arange(-21, 22), np.arange(-21, 22)), -1).reshape(-1, 2)
    here = brute.painted(texels, (0, 0))
    areas = np.array([len(here & {(x + u, y + v) for x, y in here}) for u, v in at.tolist()])
    answers = Queries().on(world).all_of(BodyQuery(sprite, at))
    assert (np.diff(answers.offsets) == (areas > 0)).all()
    assert (answers.values["detail"]["area"] == areas[areas > 0]).all()
    search = Queries().on(world)
    assert search.is_free(Body(sprite, (20, 0))) and not search.is_free(Body(sprite, (0, 0)))
    assert search.any_of(Body(sprite, (0, 0))).tolist() == [True]
    assert len(search.all_of(Body(sprite, (0, 0), mask=2))[0]) == 0


def test_bodies_that_are_detectors_find_what_does_not_hit_them():
    world = World()
    ball = world.add_shape(Shape.circle(2))
    world.add(Body(ball, (0, 0), layers=1, mask=2))
    search = Queries().on(world)
    assert search.any_of(Body(ball, (1, 0), layers=4, mask=1, detector=True)).tolist() == [True]
    query = BodyQuery(ball, [[1, 0], [1, 0], [9, 0]], layers=4, mask=1, detector=[False, True, True])
    assert search.any_of(query).tolist() == [False, True, False]
    # A detector of the world is in nobody's way.
    world.add(Body(ball, (20, 0), layers=4, mask=1, detector=True))
    assert search.is_free(Body(ball, (20, 0), layers=1, mask=2))


def test_the_definition_agrees(balls):
    world, _, _, points = balls
    ball = world.shapes()[0][0]
    for query in (
        PointQuery(points),
        RegionQuery(points, points + 7),
        RayCast(points[:50], points[50:100], radius=1),
        Nearest(points, count=2, within=20),
        BodyQuery(ball, points, motion=(30, 5)),
    ):
        fast, slow = Queries().on(world).all_of(query), Queries.reference().on(world).all_of(query)
        assert (fast.values == slow.values).all() and (fast.offsets == slow.offsets).all() and len(fast) == len(query)


def test_a_search_sees_the_world_as_it_is():
    world = World()
    ball = world.add_shape(Shape.circle(1))
    search = Queries().on(world)
    assert search.any_of(PointQuery((0, 0))).tolist() == [False]
    id = world.add(Body(ball, (0, 0)))
    assert search.any_of(PointQuery((0, 0))).tolist() == [True]
    assert search.except_([id]).any_of(PointQuery((0, 0))).tolist() == [False]
    world.remove(id)
    with pytest.raises(hitmask.Error) as caught:
        search.except_(id).any_of(PointQuery((0, 0)))
    assert caught.value.kind == "Gone"


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: PointQuery((1, 2, 3)), hitmask.Error),
        (lambda: PointQuery("here"), TypeError),
        (lambda: PointQuery([[0, 0]], mask=[1, 2]), hitmask.Error),
        (lambda: PointQuery([[0, 0]], mask=-1), hitmask.Error),
        (lambda: RayCast([[0, 0], [1, 1]], [[1, 1], [2, 2], [3, 3]]), hitmask.Error),
        (lambda: Nearest((0, 0), count=-1), hitmask.Error),
        (lambda: Nearest((0, 0), count=1.5), TypeError),
    ],
)
def test_wrong_queries(make, error):
    with pytest.raises(error):
        make()


def test_wrong_values_name_the_field():
    world = World()
    search = Queries().on(world)
    ball = world.add_shape(Shape.circle(1))
    for query in (
        PointQuery((np.nan, 0)),
        RegionQuery((0, 0), (0, 0)),
        RayCast((0, 0), (1e7, 0)),
        RayCast((0, 0), (1, 0), radius=-1),
        Nearest((np.inf, 0)),
        BodyQuery(ball, [[np.nan, 0]]),
    ):
        for ask in (search.all_of, search.first_of, search.any_of):
            with pytest.raises(hitmask.Error):
                ask(query)
    for ask in (search.all_of, search.first_of, search.any_of):
        for wrong, name in [([0, 0], "list"), (3, "int")]:
            with pytest.raises(TypeError, match=f"`queries` is of the type {name}; it must be queries, or a `Body`"):
                ask(wrong)
    for query in (PointQuery([]), RegionQuery([], []), RayCast([], []), Nearest(np.zeros((0, 2)))):
        assert len(search.all_of(query)) == 0 and len(search.any_of(query)) == 0


def test_engines_and_queries_of_one_world():
    world = World()
    world.add_all(world.add_shape(Shape.circle(1)), [[0, 0], [1, 0]])
    assert Engine.cpu().run(world).pairs.tolist() == [[0, 1]]
    assert len(Queries().on(world).all_of(PointQuery((0.5, 0)))[0]) == 2
