"""Leaks: references and memory stay the same over many calls."""

import gc
import resource
import sys

import numpy as np

import hitmask
from hitmask import Ask, Body, Engine, Events, Mask, PointQuery, Queries, Shape, World


def work(world, engine, queries, events, at, texels, bad):
    ids = world.add_all(world.shapes()[0][0], at, motion=at)
    hits = engine.run(world, Ask.DETAILS)
    _ = hits.pairs, hits.details, hits.flags, world.contacts(hits)
    events.update(world, hits)
    _ = events.began, events.stayed, events.ended
    queries.on(world).all_of(PointQuery(at))[0]
    world.set_positions(at, ids)
    mask = Mask.from_array(texels)
    np.asarray(mask)
    Shape.sprite(mask)
    try:
        world.set_positions(bad, ids)
    except hitmask.Error as error:
        _ = error.body
    try:
        world.add_all(world.shapes()[0][0], "nothing")
    except TypeError:
        pass
    world.remove_all(ids)


def test_nothing_leaks():
    world, engine, queries, events = World(), Engine.cpu(threads=1), Queries(), Events()
    world.add(Body(world.add_shape(Shape.circle(1)), (0, 0)))
    at, texels, bad = np.random.default_rng(6).random((20, 2)), np.ones((40, 40), bool), np.full((20, 2), np.nan)
    arguments = (world, engine, queries, events, at, texels, bad)
    for _ in range(300):
        work(*arguments)
    gc.collect()
    references = [sys.getrefcount(thing) for thing in arguments]
    memory, most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 8 * 1024
    for _ in range(1_000):
        work(*arguments)
    gc.collect()
    assert [sys.getrefcount(thing) for thing in arguments] == references
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < most


def test_small_calls_do_not_leak():
    mask, other = Mask(8, 8, fill=True), Mask(8, 8, fill=True)
    world = World()
    id = world.add(Body(world.add_shape(Shape.circle(1)), (0, 0)))
    for _ in range(1000):
        mask.overlaps(other, (1, 1))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100_000):
        mask.overlaps(other, (1, 1))
        world.body(id)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 4 * 1024
