"""Many worlds in one call: the answers and edits are those of single worlds, and a refused edit changes none."""

import copy
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import coordinates

import hitmask
from hitmask import Ask, Body, Engine, Linear, Mask, Shape, Touch, World, Worlds

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAR = (2**29 - 1) / 256


def small(touch=Touch.EXCLUDED, bodies=6, spare=True):
    """Returns a world of boxes, circles and sprites, with a free index if `spare`, and the handles of its bodies."""
    world = World(touch)
    mask = Mask(5, 5)
    mask.draw_disc((2.5, 2.5), 2.5)
    shapes = world.add_shapes([Shape.rect(3, 2), Shape.circle(1.5), Shape.sprite(mask).anchored((2, 2))])
    at = np.arange(2 * (bodies + spare)).reshape(-1, 2) % 7
    ids = world.add_all(shapes[np.arange(len(at)) % 3], at, motion=at[::-1] - 3)
    if spare:
        world.remove_all(ids[1:2])
        ids = np.delete(ids, 1)
    return world, ids


def check(worlds, singles):
    """Checks that worlds, and their answers, are those of single ones."""
    assert len(worlds) == len(singles)
    assert list(worlds) == singles
    for ask in (Ask.FLAGS, Ask.PAIRS, Ask.DETAILS):
        hits = worlds.run(ask)
        assert len(hits) == len(singles) and hits.offsets.shape == (len(singles) + 1,)
        assert hits.flags.shape == (len(singles), worlds.indices) and hits.flags.dtype == np.bool_
        assert hits.pairs.shape == (hits.offsets[-1], 3) and hits.pairs.dtype == np.uint32
        assert hits.details.dtype == hitmask.DETAIL
        assert not any(array.flags.writeable for array in (hits.flags, hits.pairs, hits.details, hits.offsets))
        for i, world in enumerate(singles):
            rows = slice(hits.offsets[i], hits.offsets[i + 1])
            for engine in (Engine.cpu(threads=1), Engine.reference()):
                single = engine.run(world, ask)
                assert (hits.flags[i] == single.flags).all()
                assert (hits[i] == single.pairs).all() and hits[i].shape == single.pairs.shape
                assert (hits.pairs[rows, 0] == i).all()
                assert (hits.details[rows] == single.details).all()
                assert len(hits.details[rows]) == len(single.details)


@given(st.data())
def test_worlds_are_as_single_ones(data):
    world, ids = small(data.draw(st.sampled_from([Touch.EXCLUDED, Touch.INCLUDED])), data.draw(st.integers(1, 9)))
    # More than a thread takes at a time, at times.
    count = data.draw(st.sampled_from([0, 1, 2, 5, 40]))
    worlds, singles = Worlds(world, count), [world.copy() for _ in range(count)]
    seed = data.draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)

    def numbers(rows, columns):
        dtype = data.draw(st.sampled_from([np.float32, np.float64, np.int32]))
        return random.uniform(-6, 6, (rows, columns, 2)).astype(dtype)

    for _ in range(data.draw(st.integers(1, 4))):
        which = data.draw(st.sampled_from([None, "mask", "indices"]))
        some = random.permutation(count)[: data.draw(st.integers(0, count))] if which else np.arange(count)
        if which == "mask":
            some.sort()
            which = np.isin(np.arange(count), some)
        elif which:
            which = some
        chosen = data.draw(st.sampled_from([None, "some"]))
        chosen = random.permutation(ids)[: data.draw(st.integers(0, len(ids)))] if chosen else None
        columns = world.indices if chosen is None else len(chosen)
        edit = data.draw(st.sampled_from(["positions", "moving", "enabled", "advance", "reset"]))
        if edit == "positions":
            at = numbers(len(some), columns)
            worlds.set_positions(at, chosen, which=which)
            for row, i in enumerate(some):
                singles[i].set_positions(at[row], chosen)
        elif edit == "moving":
            at, motion = numbers(len(some), columns), numbers(len(some), columns)
            worlds.set_moving(at, motion, chosen, which=which)
            for row, i in enumerate(some):
                singles[i].set_moving(at[row], motion[row], chosen)
        elif edit == "enabled":
            enabled = random.random((len(some), columns)) < 0.5
            worlds.set_enabled(enabled, chosen, which=which)
            for row, i in enumerate(some):
                for column in range(columns):
                    id = singles[i].id(column) if chosen is None else chosen[column]
                    if id is not None:
                        singles[i].set_enabled(id, bool(enabled[row, column]))
        elif edit == "advance":
            worlds.advance()
            for single in singles:
                single.advance()
        else:
            worlds.reset(which)
            for i in some:
                singles[i] = world.copy()
        for of in (None, ids):
            positions = worlds.positions(of)
            assert positions.shape == (count, world.indices if of is None else len(ids), 2)
            assert all((row == single.positions(of)).all() for row, single in zip(positions, singles))
    check(worlds, singles)


@given(st.lists(st.tuples(coordinates, coordinates), min_size=6, max_size=6))
def test_arrays_of_any_strides_are_read(points):
    world, ids = small(spare=False)
    worlds = Worlds(world, 3)
    at = np.asfortranarray(np.broadcast_to(np.array(points), (3, 6, 2)))
    worlds.set_positions(at[::-1, ::-1], ids[::-1])
    assert (worlds.positions(ids) == at).all()
    worlds.set_positions(at.tolist())
    assert (worlds.positions() == at).all()


def test_detectors_stay_so_in_each_world():
    world = World()
    ball = world.add_shape(Shape.circle(2))
    world.add_all(ball, [[0, 0], [1, 0]], layers=[1, 4], mask=[2, 1], detector=[False, True])
    worlds = Worlds(world, 3)
    assert worlds.run().pairs.tolist() == [[0, 0, 1], [1, 0, 1], [2, 0, 1]]
    assert worlds[2].body(worlds[2].id(1)).detector and worlds[1] == world


def test_worlds_that_differ_are_answered_each():
    world, ids = small()
    worlds = Worlds(world, 20)
    level = World()
    shape = level.add_shape(Shape.rect(4, 4))
    level.add_all(shape, np.zeros((world.indices, 2)))
    worlds.replace(3, level)
    worlds.replace(-1, level)
    assert worlds[3] == level == worlds[19] and worlds[2] == world
    check(worlds, [level if i in (3, 19) else world for i in range(20)])
    level.clear()  # the worlds hold copies
    assert len(worlds[3]) == world.indices
    with pytest.raises(hitmask.Error, match=r"^world 3: place 0 of the list: body 0 was removed") as error:
        worlds.set_positions(np.full((20, 6, 2), 9), ids)
    assert error.value.kind == "Gone" and worlds[0] == worlds[18] == world
    with pytest.raises(hitmask.Error, match=r"^`by` is a world of 0 indices; it must have as many indices as all"):
        worlds.replace(0, World())
    worlds.reset([3])
    assert worlds[3] == world and worlds[19] != world


def test_the_first_world_stays_as_it_was():
    world, ids = small()
    worlds, first = Worlds(world, 2), world.copy()
    world.clear()
    worlds.set_positions(np.ones((2, len(ids), 2)), ids)
    worlds.reset()
    assert list(worlds) == [first, first]


def edges(worlds, ids):
    """Returns edits that must be refused, with the message of each."""
    fine = np.zeros((5, 6, 2))
    bad = []

    def but(value, array=fine):
        changed = array.copy()
        changed[3, 2, 1] = value
        return changed

    def edit(message, call):
        bad.append((message, call))

    moving = lambda at, motion: worlds.set_moving(at, motion, ids)
    edit("world 3: place 2 of the list: body 3: `at.y` is NaN", lambda: worlds.set_positions(but(np.nan), ids))
    edit("world 3: place 2 of the list: body 3: `at.y` is NaN", lambda: moving(but(np.nan), fine))
    edit("world 3: place 2 of the list: body 3: `motion.y` is inf", lambda: moving(fine, but(np.inf)))
    edit("world 3: place 2 of the list: body 3: `motion.y` is 65537", lambda: moving(fine, but(65537)))
    edit("world 3: place 2 of the list: body 3: `at.y` is 3000000", lambda: worlds.set_positions(but(3e6), ids))
    edit("world 3: place 2 of the list: body 3: `at` is", lambda: worlds.set_positions(but(FAR), ids))
    narrow = but(-np.inf, np.zeros((5, 7, 2), np.float32))
    edit("world 3: body 2: `at.y` is -inf", lambda: worlds.set_positions(narrow))
    edit(
        "world 4: place 2 of the list: body 3: `at.y` is NaN",
        lambda: worlds.set_positions(but(np.nan), ids, which=[0, 1, 2, 4, 3]),
    )
    edit("`at` is of shape (6, 2); it must be of shape (5, 6, 2)", lambda: worlds.set_positions(fine[0], ids))
    edit("`at` is of shape (5, 6, 2); it must be of shape (5, 7, 2)", lambda: worlds.set_positions(fine))
    edit("`at` is of shape (4, 6, 2)", lambda: worlds.set_positions(fine[1:], ids))
    edit(
        "`at` is of shape (5, 6, 2); it must be of shape (2, 6, 2)",
        lambda: worlds.set_positions(fine, ids, which=[1, 3]),
    )
    edit("`at` is of shape (5, 6, 3)", lambda: worlds.set_positions(np.zeros((5, 6, 3)), ids))
    edit("`motion` is of shape (5, 5, 2)", lambda: moving(fine, fine[:, 1:]))
    edit("`enabled` is of shape (6,)", lambda: worlds.set_enabled(np.zeros(6, bool), ids))
    edit("`which` is of length 4; it must have one value for each of 5 worlds", lambda: worlds.reset([True] * 4))
    edit("`which` is true; it must be a mask or indices", lambda: worlds.reset(True))
    edit("`which` is 5; it must be 0 to 4", lambda: worlds.reset([1, 5]))
    edit("`which` is -1; it must be 0 to 4", lambda: worlds.reset(np.array([-1])))
    edit("`which` is world 2 twice; it must have each world once", lambda: worlds.reset([2, 3, 2]))
    return bad


def test_refused_edits_change_nothing():
    world, ids = small()
    worlds = Worlds(world, 5)
    worlds.set_positions(np.arange(60).reshape(5, 6, 2), ids)
    before = list(worlds)
    for message, call in edges(worlds, ids):
        with pytest.raises(hitmask.Error) as error:
            call()
        assert str(error.value).startswith(message)
        assert error.value.body == (
            world.id(3) if "body 3" in message else world.id(2) if "body 2" in message else None
        )
        assert error.value.kind == "Value"
        assert list(worlds) == before
    for call in (
        lambda: worlds.set_positions(np.zeros((5, 6, 2), complex), ids),
        lambda: worlds.set_positions([[["a", "b"]] * 6] * 5, ids),
        lambda: worlds.set_enabled(np.zeros((5, 6)), ids),
        lambda: worlds.set_positions(np.zeros((5, 6, 2)), [1] * 6),
        lambda: worlds.reset([0.5]),
        lambda: worlds.replace(0, 7),
        lambda: Worlds(7, 5),
    ):
        with pytest.raises(TypeError):
            call()
        assert list(worlds) == before
    # Rows of free indices are ignored.
    at = np.zeros((5, 7, 2))
    at[:, 1] = np.nan
    worlds.set_positions(at)


def test_a_body_that_would_leave_its_world_stops_all():
    world, _ = small(spare=False)
    worlds = Worlds(world, 40)
    at = np.zeros((40, 6, 2))
    at[7, 4] = FAR - 20, 0
    motion = np.broadcast_to([6.0, 0], at.shape)
    worlds.set_moving(at, motion)
    worlds.advance()
    worlds.advance()
    before = list(worlds)
    with pytest.raises(hitmask.Error, match=r"^world 7: body 4: `at` is") as error:
        worlds.advance()
    assert error.value.body == world.id(4) and list(worlds) == before
    # A body as large as a world can only be where it fits.
    large = World()
    large.add(Body(large.add_shape(Shape.rect(16384, 16384)), (0, 0), linear=Linear(scale=(100, 100))))
    worlds = Worlds(large, 3)
    before = list(worlds)
    at = np.full((3, 1, 2), 5.0)
    at[2, 0, 0] = 1e6
    for edit in (lambda: worlds.set_positions(at), lambda: worlds.set_moving(at, np.zeros_like(at))):
        with pytest.raises(hitmask.Error, match=r"^world 2: body 0: `at` is"):
            edit()
        assert list(worlds) == before


def test_no_worlds_and_empty_ones():
    for world, count in ((World(), 3), (World(), 0), (small()[0], 0)):
        worlds = Worlds(world, count)
        worlds.set_positions(np.zeros((count, world.indices, 2)))
        worlds.set_moving(*np.zeros((2, count, world.indices, 2)))
        worlds.set_enabled(np.zeros((count, world.indices), bool))
        worlds.advance()
        worlds.reset()
        worlds.reset(np.zeros(count, bool))
        assert worlds.positions().shape == (count, world.indices, 2)
        assert bool(worlds) and len(worlds) == count
        check(worlds, [world] * count)
    with pytest.raises(IndexError, match="there are 0 worlds"):
        worlds[0]
    with pytest.raises(IndexError):
        worlds.run()[0]
    with pytest.raises(IndexError):
        worlds.replace(0, world)
    with pytest.raises(hitmask.Error, match=r"^`which` is 0; it must be below the number of worlds, 0$"):
        Worlds(world, 0).reset([0])
    with pytest.raises(hitmask.Error, match=r"^`count` is 1099511627776; it must be 0 to 4294967295$"):
        Worlds(world, 2**40)
    with pytest.raises(OverflowError):
        Worlds(world, -1)


def test_memory_that_is_not_there_is_an_error():
    world = World()
    ids = world.add_all(world.add_shape(Shape.circle(1)), np.zeros((2**16, 2)))
    with pytest.raises(hitmask.Error, match=r"^the list of worlds needs \d{15,} bytes, but the memory") as error:
        Worlds(world, 2**32 - 1)
    assert error.value.kind == "Capacity"
    worlds, most = Worlds(small()[0], 2**14), np.repeat(ids[:1], 2**22)
    with pytest.raises(hitmask.Error, match=r"^the array of positions needs 1099511627776 bytes, but the") as error:
        worlds.positions(most)
    assert error.value.kind == "Capacity"


def test_indices_from_the_end():
    world, ids = small()
    worlds = Worlds(world, 4)
    worlds.set_positions(np.ones((1, 6, 2)), ids, which=3)
    assert worlds[-1] == worlds[3] != worlds[0]
    hits = worlds.run()
    assert (hits[-1] == hits[3]).all() and len(hits[3]) != len(hits[0])
    for i in (4, -5):
        for call in (lambda: worlds[i], lambda: hits[i], lambda: worlds.replace(i, world)):
            with pytest.raises(IndexError, match="there are 4 worlds"):
                call()
    assert repr(worlds) == "<hitmask.Worlds, 4 of 7 indices>" and repr(hits) == "<hitmask.WorldsHits of 4 worlds>"


def test_copies_are_independent():
    world, ids = small()
    worlds = Worlds(world, 3)
    worlds.set_positions(np.ones((3, 6, 2)), ids)
    moved = list(worlds)
    for other in (worlds.copy(), copy.copy(worlds), copy.deepcopy(worlds)):
        assert list(other) == moved
        other.reset()
        assert list(other) == [world] * 3
        assert list(worlds) == moved
    with pytest.raises(TypeError):
        pickle.dumps(worlds)


def test_other_threads_run_during_a_step():
    random = np.random.default_rng(3)
    mask = Mask.from_array(random.random((32, 32)) < 0.3)
    bodies, ticks, stop = 200, [], threading.Event()
    failure = "no step took long enough"

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            world = World()
            world.add_all(world.add_shape(Shape.sprite(mask)), random.random((bodies, 2)) * 400)
            worlds = Worlds(world, 50)
            start = time.perf_counter()
            worlds.run(Ask.DETAILS)
            took = time.perf_counter() - start
            if took < 0.1:
                bodies *= 2
                continue
            failure = "no other thread ran"
            # Away from both ends of the call, at which the other thread would run even with the interpreter held.
            if any(start + took / 4 < at < start + took * 3 / 4 for at in ticks):
                break
        else:
            pytest.fail(failure)
    finally:
        stop.set()
        thread.join()


def test_worlds_are_shared_by_threads():
    world, ids = small()
    worlds, errors = Worlds(world, 50), []
    at, stop = np.zeros((50, 7, 2)), time.monotonic() + 0.5

    def run(work):
        try:
            while time.monotonic() < stop:
                work()
        except BaseException as error:
            errors.append(error)

    def set_all():
        worlds.set_positions(at + np.random.default_rng().integers(100))

    def read():
        # Every edit is seen whole; only world 0 may be as another was before.
        positions = worlds.positions(ids)[1:]
        assert (positions == positions[0, 0]).all()

    worlds.set_positions(at)
    works = [set_all, set_all, read, worlds.run, lambda: worlds[7], lambda: worlds.replace(0, worlds[1]), worlds.copy]
    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors and not any(thread.is_alive() for thread in threads)


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="this system does not tell what is resident")
def test_nothing_leaks(tmp_path):
    code = """
import gc, sys, numpy as np, hitmask
world = hitmask.World()
ids = world.add_all(world.add_shape(hitmask.Shape.circle(1)), [[0, 0]] * 6)
worlds, at, bad = hitmask.Worlds(world, 4), np.zeros((4, 6, 2)), np.full((4, 6, 2), np.nan)
arguments = worlds, at, bad, ids

def work(times):
    for _ in range(times):
        worlds.set_positions(at, ids)
        hits = worlds.run(hitmask.Ask.DETAILS)
        _ = hits.flags, hits.pairs, hits.details, hits.offsets, hits[3], worlds[3], worlds.positions(ids)
        worlds.reset([1, 2])
        try:
            worlds.set_moving(at, bad, ids)
        except hitmask.Error:
            pass
    gc.collect()
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    return pages, [sys.getrefcount(thing) for thing in arguments]

before, references = work(500)
after, references_after = work(2000)
print(after - before, "pages more")
sys.exit(references != references_after or after - before >= 50)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_worlds_go_when_nothing_refers_to_them():
    worlds = Worlds(small()[0], 5)
    gone = weakref.ref(worlds)
    del worlds
    assert gone() is None


@pytest.fixture
def dodge(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    import dodge

    return dodge


def test_an_episode_of_the_example_ends_when_its_player_is_hit(dodge):
    envs, single = dodge.Dodge(30), Engine.cpu(threads=1)
    observations, _ = envs.reset(seed=5)
    assert (observations == dodge.Dodge(30).reset(seed=5)[0]).all()
    over, starts, hits = np.zeros(30, bool), 0, 0
    random = np.random.default_rng(6)
    for _ in range(60):
        before, actions = observations, random.integers(0, 5, 30)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        assert infos == {} and not truncated.any()
        # A new episode starts in the step after the end of another, with the player at the centre and at rest.
        assert (observations[over, 0] == [32, 32, 0, 0]).all() and not (terminated & over).any()
        assert (observations[~over, :, :2] == before[~over, :, :2]).all() == (not (~over).any())
        hit = np.array([single.run(world).flags[0] for world in envs.worlds])
        assert (terminated == hit & ~over).all()
        assert (rewards == (~over & ~hit)).all()
        starts, hits = starts + over.sum(), hits + terminated.sum()
        over = terminated
    assert hits > 20 and starts > 20


def test_an_episode_of_the_example_is_cut_off(dodge):
    envs = dodge.Dodge(3, balls=0)
    envs.reset(seed=1)
    for step in range(1, dodge.LIMIT + 3):
        observations, rewards, terminated, truncated, _ = envs.step(np.full(3, 1))
        assert not terminated.any()
        assert (truncated == (step == dodge.LIMIT)).all() and (rewards == (step != dodge.LIMIT + 1)).all()
        if 20 < step <= dodge.LIMIT:
            assert (observations[:, 0] == [2, 32, 0, 0]).all()  # at the wall


def test_gymnasium_takes_the_example(dodge):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    class One(gymnasium.Env):
        """An environment of the example, as gymnasium's checker takes it: on its own."""

        def __init__(self):
            self.envs = dodge.Dodge(1)
            self.observation_space, self.action_space = (
                self.envs.single_observation_space,
                self.envs.single_action_space,
            )

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            observations, infos = self.envs.reset(seed=seed)
            return observations[0], infos

        def step(self, action):
            *arrays, infos = self.envs.step(np.array([action]))
            observation, reward, terminated, truncated = (array[0] for array in arrays)
            return observation, float(reward), bool(terminated), bool(truncated), infos

    # gymnasium cannot make an environment to test pictures, of which there are none.
    check_env(One(), skip_render_check=True)

    gymnasium.register("Dodge-v0", vector_entry_point=dodge.Dodge)
    envs = RecordEpisodeStatistics(gymnasium.make_vec("Dodge-v0", num_envs=20))
    observations, _ = envs.reset(seed=3)
    envs.action_space.seed(3)
    lengths = []
    for _ in range(100):
        assert observations in envs.observation_space
        observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
        for array, dtype in ((rewards, np.float64), (terminated, np.bool_), (truncated, np.bool_)):
            assert array.shape == (20,) and array.dtype == dtype
        if "episode" in infos:
            ended = infos["_episode"]
            assert (ended == terminated).all()
            # The last step of an episode is worth 0, all others 1.
            assert (infos["episode"]["r"][ended] == infos["episode"]["l"][ended] - 1).all()
            lengths += infos["episode"]["l"][ended].tolist()
    assert len(lengths) > 20
    envs.close()
