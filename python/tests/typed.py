"""Code that a type checker accepts as it is; never run."""

from typing import Any

import numpy as np
import numpy.typing as npt

import hitmask
from hitmask import Ask, Body, Engine, Linear, Mask, Queries, RayCast, Shape, Walker, World


def use(world: World, at: npt.NDArray[np.float32]) -> list[tuple[Mask, tuple[int, int]]]:
    ship = world.add_shape(Shape.sprite(Mask.from_array(np.ones((3, 3), np.bool_))).anchored((1.5, 1.5)))
    ids = world.add_all(ship, at, linear=hitmask.linears(np.arange(len(at))), motion=(4, 0), layers=1)
    one: hitmask.BodyId = world.add(Body(ship, (1, 2), linear=Linear.from_degrees(30), detector=True))
    world.add_all(ship, at, detector=np.zeros(len(at), np.bool_))
    world.set_detector(one, world.sees(one, one))
    hits = Engine.auto().run(world, Ask.DETAILS)
    pairs: npt.NDArray[np.uint32] = hits.pairs
    ticks: npt.NDArray[Any] = hits.details["tick"]
    search = Queries().on(world).except_([one])
    found, _first = search.first_of(RayCast(at, at + 1, radius=0.5))
    stop = search.sweep(Body(ship, at[0])).stop
    assert stop is None or stop.impact.other in world
    ground = Walker(up=(0, -1)).step(search, Body(ship, at[0]), 1, 0, one_way=ids).ground
    assert ground is None or ground.body in world
    for part in world.split(ship, (0, 0, 3, 3)):
        world.set_positions(at, part.bodies[:, 1])
    world.set_positions(at, ids)
    return [
        painted for id in world.ids() if (painted := world.painted(id)) and found.any() and len(pairs) == len(ticks)
    ]
