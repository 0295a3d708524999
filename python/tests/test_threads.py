"""Threads: the interpreter goes on during long calls, worlds are shared, and nothing waits for ever."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import hitmask
from hitmask import Ask, Engine, Mask, PointQuery, Queries, Shape, World


def crowd(count):
    random = np.random.default_rng(3)
    world = World()
    mask = Mask.from_array(random.random((32, 32)) < 0.3)
    world.add_all(world.add_shape(Shape.sprite(mask)), random.random((count, 2)) * 2000)
    return world


@pytest.mark.parametrize(
    "work",
    [
        lambda world: Engine.cpu(threads=1).run(world, Ask.DETAILS),
        lambda world: Queries().on(world).all_of(PointQuery(np.random.default_rng(4).random((200_000, 2)) * 2000)),
        lambda world: Mask(5000, 5000, fill=True).rotated(30),
        lambda world: [World.load(world.save()) for _ in range(10)],
    ],
    ids=["step", "queries", "mask", "saving"],
)
def test_other_threads_run_during_a_call(work):
    world = crowd(40_000)
    counts, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counts[0]
        deadline = time.monotonic() + 30
        while counts[0] - before < 50 and time.monotonic() < deadline:
            # With the interpreter held, the other thread would not run at all within one call.
            here = counts[0]
            work(world)
            if counts[0] - here > 20:
                break
        else:
            assert counts[0] - before >= 50
    finally:
        stop.set()
        thread.join()


def test_other_threads_run_while_one_waits_for_a_mask():
    mask = Mask(4000, 4000)
    # Drawn without the interpreter for some tenths of a second.
    outline = np.random.default_rng(6).random((3000, 2)) * 4000
    counts, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            edit = threading.Thread(target=mask.draw_polygon, args=(outline,))
            edit.start()
            time.sleep(0.02)
            here = counts[0]
            assert mask.size == (4000, 4000)
            waited = counts[0] - here
            edit.join()
            if waited > 500:
                break
        else:
            pytest.fail("no other thread ran")
    finally:
        stop.set()
        counter.join()


def test_edits_of_a_mask_by_several_threads_all_count():
    world = World()
    cave = world.add_shape(Shape.sprite(Mask(256, 64, fill=True)))
    errors = []

    def erase(first):
        try:
            for x in range(first, 256, 4):
                # Wider than a step, so that threads erase the same texels.
                world.edit_mask(cave, lambda mask: mask.erase_rect((x, 0, 3, 64)))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=erase, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors and world.shape(cave).mask.count() == 0


def test_a_world_is_shared_by_threads_that_change_and_read_it():
    world, errors = crowd(2000), []
    ids = world.ids()
    stop = time.monotonic() + 1.0

    def run(work):
        try:
            while time.monotonic() < stop:
                work()
        except BaseException as error:
            errors.append(error)

    engine, queries = Engine.cpu(), Queries()
    at = np.random.default_rng(5).random((2000, 2)) * 500
    ball = world.add_shape(Shape.circle(3))

    def come_and_go():
        world.remove_all(world.add_all(ball, at[:50]))

    others = [
        lambda: engine.run(world, Ask.DETAILS).checksum(),
        lambda: world.set_positions(at, ids),
        lambda: queries.on(world).all_of(PointQuery(at)),
        come_and_go,
        lambda: world == world.copy(),
        lambda: world.differences(world),
        lambda: (len(world), world.indices, world.body(ids[0]), repr(world)),
        lambda: np.copyto(at, at[::-1].copy()),
    ]
    threads = [threading.Thread(target=run, args=(work,)) for work in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors and not any(thread.is_alive() for thread in threads)
    assert len(world) == 2000


def test_arrays_that_change_during_a_call_are_read_once():
    world = World()
    world.add_all(world.add_shape(Shape.circle(1)), np.zeros((100_000, 2)))
    at = np.zeros((100_000, 2))
    stop = threading.Event()

    def change():
        while not stop.is_set():
            at[:] = np.nan
            at[:] = 5.0

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(30):
            try:
                world.set_positions(at)
            except hitmask.Error:
                pass
            assert np.isin(world.positions(), [0.0, 5.0]).all()
    finally:
        stop.set()
        thread.join()


def test_two_worlds_are_compared_both_ways_at_once():
    a, b = crowd(3000), crowd(3000)
    stop = time.monotonic() + 0.5

    def run(work):
        while time.monotonic() < stop:
            work()

    works = [
        lambda: a == b,
        lambda: b == a,
        lambda: a.set_positions(a.positions()),
        lambda: b.set_positions(b.positions()),
    ]
    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_is_an_error_not_a_hang(tmp_path):
    code = """
import os, sys, hitmask
world = hitmask.World()
ball = world.add_shape(hitmask.Shape.circle(1))
ids = world.add_all(ball, [[0, 0]] * 20000)
engine = hitmask.Engine.cpu(threads=2)
search = hitmask.Queries().on(world)
body = hitmask.Body(ball, (0, 0))
walker = hitmask.Walker()
few = hitmask.World()
few.add(hitmask.Body(few.add_shape(hitmask.Shape.circle(1)), (0, 0)))
worlds = hitmask.Worlds(few, 100)
worlds.run()
child = os.fork()
if child == 0:
    for call in (
        lambda: engine.run(world),
        lambda: engine.rebuild(),
        lambda: hitmask.Engine.cpu(),
        lambda: hitmask.Engine.auto(),
        lambda: hitmask.Engine.gpu(),
        lambda: world.add_all(ball, [[0, 0]]),
        lambda: world.remove_all(ids[:1]),
        lambda: world.set_positions([[0, 0]], ids[:1]),
        lambda: world.set_moving([[0, 0]], [[0, 0]], ids[:1]),
        lambda: world.set_poses([[0, 0]], hitmask.linears([0]), [[0, 0]], ids[:1]),
        lambda: world.set_linears(hitmask.linears([0]), ids[:1]),
        lambda: world.set_shapes(ball, ids[:1]),
        lambda: world.positions(),
        lambda: world.advance(),
        lambda: search.all_of(body),
        lambda: search.first_of(body),
        lambda: search.any_of(body),
        lambda: search.is_free(body),
        lambda: search.sweep(body),
        lambda: search.slide(body),
        lambda: walker.step(search, body, 0, 0),
        lambda: walker.ground,
        lambda: walker.leave(),
        lambda: walker.copy(),
        lambda: hitmask.Worlds(few, 1),
        lambda: worlds.replace(0, few),
        lambda: worlds.reset(),
        lambda: worlds.set_positions([[[0, 0]]] * 100),
        lambda: worlds.set_moving([[[0, 0]]] * 100, [[[0, 0]]] * 100),
        lambda: worlds.set_enabled([[True]] * 100),
        lambda: worlds.advance(),
        lambda: worlds.positions(),
        lambda: worlds.run(),
        lambda: worlds.copy(),
        lambda: worlds[0],
    ):
        try:
            call()
        except hitmask.Error as error:
            if "forked" in str(error):
                continue
        print("line", call.__code__.co_firstlineno, "does not raise", flush=True)
        os._exit(1)
    os._exit(7)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=60, cwd=tmp_path).returncode == 7


def test_an_interpreter_ends_while_a_step_runs(tmp_path):
    code = """
import threading, time, hitmask, numpy as np
world = hitmask.World()
world.add_all(world.add_shape(hitmask.Shape.circle(30)), np.random.default_rng(1).random((30000, 2)) * 1000)
started = threading.Event()
def run():
    engine = hitmask.Engine.cpu()
    while True:
        started.set()
        engine.run(world, hitmask.Ask.FLAGS)
threading.Thread(target=run, daemon=True).start()
started.wait()
time.sleep(0.05)
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=120, capture_output=True, cwd=tmp_path)
    assert done.returncode == 0 and b"panick" not in done.stderr, done.stderr
