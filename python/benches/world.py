"""Times of frames of worlds: set all positions from an array, run a step, and read the pairs. Prints JSON.

Usage: python world.py [--quick]
"""

import json
import platform
import sys
import time

import numpy as np
from timing import median_ms

import hitmask
from hitmask import Ask, Engine, Mask, PointQuery, Queries, Shape, World


def frames(bodies, dtype, least):
    """Times frames of turned sprites of 16 x 16 pixels, about one hit for each."""
    random = np.random.default_rng(1)
    side = 24 * bodies**0.5
    mask = Mask(16, 16)
    mask.draw_disc((8, 8), 8)
    world, engine = World(), Engine.cpu()
    at = (random.random((bodies, 2)) * side).astype(dtype)
    shape = world.add_shape(Shape.sprite(mask).anchored((8, 8)))
    start = time.perf_counter()
    world.add_all(shape, at, linear=hitmask.linears(random.random(bodies) * 360))
    added = 1000 * (time.perf_counter() - start)
    motion = (random.random((bodies, 2)) - 0.5).astype(dtype)

    def frame():
        nonlocal at
        at = at + motion
        world.set_positions(at)
        return engine.run(world).pairs

    queries, points = Queries(), random.random((bodies, 2)) * side
    return {
        "bodies": bodies,
        "dtype": np.dtype(dtype).name,
        "pairs": len(frame()),
        "add_all_ms": round(added, 4),
        "frame_ms": median_ms(frame, least),
        "set_positions_ms": median_ms(lambda: world.set_positions(at), least),
        "step_at_rest_ms": median_ms(lambda: engine.run(world), least),
        "details_ms": median_ms(lambda: engine.run(world, Ask.DETAILS).details, least),
        "points_ms": median_ms(lambda: queries.on(world).first_of(PointQuery(points)), least),
    }


def main():
    quick = "--quick" in sys.argv
    sizes = [100, 1000] if quick else [1000, 10_000, 100_000]
    rows = [frames(size, dtype, 0.02 if quick else 1.0) for size in sizes for dtype in (np.float32, np.float64)]
    machine = {"cpu": platform.processor() or platform.machine(), "device": Engine.cpu().device}
    versions = {"python": platform.python_version(), "numpy": np.__version__, "hitmask": hitmask.__version__}
    json.dump({"machine": machine, "versions": versions, "frames": rows}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
