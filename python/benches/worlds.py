"""Times of frames of many small worlds: set all positions from an array, run a step, read the pairs. Prints JSON.

Each world has bodies of about 14 units: boxes or sprites at rest, moving boxes, or all kinds (boxes, circles and turned
sprites), moving. With a spacing of 32 units there are about 36 pairs for each 100 bodies, with 64 about 9.
`frame_cpu_ms` is the time of a frame on all cores together, which other programs hardly change; `load` is the average
number of threads that were busy or waiting in the minute before.

Usage: python worlds.py [--quick]
"""

import json
import os
import platform
import sys
import time

import numpy as np
from timing import median_ms

import hitmask
from hitmask import Ask, Engine, Mask, Shape, World, Worlds


def world_of(bodies, side, kind, moving):
    """Returns a world of boxes, of sprites, or of boxes, circles and turned sprites, and its motions."""
    random = np.random.default_rng(1)
    mask = Mask(16, 16)
    mask.draw_disc((8, 8), 8)
    world = World()
    box, circle, sprite = Shape.rect(12, 12), Shape.circle(7), Shape.sprite(mask).anchored((8, 8))
    shapes = {"boxes": [box], "sprites": [sprite], "all": [box, circle, sprite]}[kind]
    shapes = world.add_shapes(shapes)[np.arange(bodies) % len(shapes)]
    motion = (random.random((bodies, 2)) * 4 - 2) * moving
    turned = hitmask.linears(random.random(bodies) * 360 * (kind == "all") * (np.arange(bodies) % 3 == 2))
    world.add_all(shapes, random.random((bodies, 2)) * side, motion=motion, linear=turned)
    return world, motion


def frames(count, bodies, spacing, kind, moving, dtype, least):
    """Times frames of `count` worlds."""
    side = spacing * bodies**0.5
    world, motion = world_of(bodies, side, kind, moving)
    start = time.perf_counter()
    worlds = Worlds(world, count)
    made = 1000 * (time.perf_counter() - start)
    random = np.random.default_rng(2)
    frames = [(random.random((count, bodies, 2)) * side).astype(dtype) for _ in range(2)]
    motion = np.broadcast_to(motion.astype(dtype), (count, bodies, 2)).copy()
    turn = 0

    def at():
        nonlocal turn
        turn ^= 1
        return frames[turn]

    def frame():
        worlds.set_positions(at())
        return worlds.run().pairs

    def cpu_ms(work):
        work()
        start, turns = time.process_time(), 5
        for _ in range(turns):
            work()
        return round(1000 * (time.process_time() - start) / turns, 4)

    def moving_frame():
        worlds.set_moving(at(), motion)
        return worlds.run().pairs

    def details():
        return worlds.run(Ask.DETAILS).details

    # A loop over some worlds, for comparison: the same work with one engine, one call for each world.
    few = min(count, 256)
    singles, engine = [worlds[i] for i in range(few)], Engine.cpu(threads=1)

    def loop():
        for world, row in zip(singles, at()):
            world.set_positions(row)
            _ = engine.run(world).pairs

    return {
        "worlds": count,
        "bodies": bodies,
        "spacing": spacing,
        "kind": kind,
        "moving": moving,
        "dtype": np.dtype(dtype).name,
        "pairs": len(frame()),
        "make_ms": round(made, 4),
        "frame_ms": median_ms(frame, least),
        "frame_cpu_ms": cpu_ms(frame),
        "moving_frame_ms": median_ms(moving_frame, least),
        "set_positions_ms": median_ms(lambda: worlds.set_positions(at()), least),
        "run_ms": median_ms(worlds.run, least),
        "details_ms": median_ms(details, least),
        "positions_ms": median_ms(worlds.positions, least),
        "reset_ms": median_ms(worlds.reset, least),
        "loop_of_worlds_ms": round(median_ms(loop, least) * count / few, 4),
    }


def main():
    quick = "--quick" in sys.argv
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    sizes = [(64, 20, 32)] if quick else [(4096, 100, 32), (4096, 100, 64), (4096, 20, 32), (256, 100, 32)]
    sizes = [(*size, "all", True) for size in sizes]
    if not quick:
        sizes += [(4096, 100, 32, "boxes", False), (4096, 100, 32, "boxes", True), (4096, 100, 32, "sprites", False)]
    least = 0.02 if quick else 0.5
    rows = [frames(*size, dtype, least) for size in sizes for dtype in (np.float32, np.float64)]
    machine = {
        "cpu": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "device": Engine.cpu().device,
        "load": load,
    }
    versions = {"python": platform.python_version(), "numpy": np.__version__, "hitmask": hitmask.__version__}
    json.dump({"machine": machine, "versions": versions, "frames": rows}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
