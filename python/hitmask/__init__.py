"""Exact, pixel-perfect 2D collision for whole scenes, with numpy's arrays.

A `World` holds shapes (boxes, circles, capsules, polygons, sprites with masks) and bodies in poses, at rest or moving.
An `Engine` finds all pairs of bodies that hit each other, and the details of each pair on request.

>>> import hitmask
>>> world = hitmask.World()
>>> ball = world.add_shape(hitmask.Shape.circle(1.0))
>>> ids = world.add_all(ball, [[0, 0], [1, 0], [9, 0]])
>>> hitmask.Engine.cpu().run(world).pairs
array([[0, 1]], dtype=uint32)
"""

import os as _os

from ._dtypes import (
    BODY_HIT,
    BODY_ID,
    CONTACT,
    DETAIL,
    EVENT,
    NEAREST_HIT,
    RAY_HIT,
    SHAPE_ID,
    TAGGED_PAIR,
)
from ._hitmask import (
    MAX_SIDE,
    SUBPIXELS,
    TICKS,
    Answers,
    Ask,
    Body,
    BodyId,
    BodyQuery,
    Engine,
    Error,
    Events,
    Fragment,
    Hits,
    Impact,
    Linear,
    Mask,
    Nearest,
    Pace,
    Part,
    PointQuery,
    Queries,
    RayCast,
    RegionQuery,
    Search,
    Shape,
    ShapeId,
    Side,
    Slide,
    Stop,
    Sweep,
    Touch,
    Walk,
    Walker,
    World,
    Worlds,
    WorldsHits,
    __version__,
    _after_fork,
    linears,
)

__all__ = [
    "BODY_HIT",
    "BODY_ID",
    "CONTACT",
    "DETAIL",
    "EVENT",
    "MAX_SIDE",
    "NEAREST_HIT",
    "RAY_HIT",
    "SHAPE_ID",
    "SUBPIXELS",
    "TAGGED_PAIR",
    "TICKS",
    "Answers",
    "Ask",
    "Body",
    "BodyId",
    "BodyQuery",
    "Engine",
    "Error",
    "Events",
    "Fragment",
    "Hits",
    "Impact",
    "Linear",
    "Mask",
    "Nearest",
    "Pace",
    "Part",
    "PointQuery",
    "Queries",
    "RayCast",
    "RegionQuery",
    "Search",
    "Shape",
    "ShapeId",
    "Side",
    "Slide",
    "Stop",
    "Sweep",
    "Touch",
    "Walk",
    "Walker",
    "World",
    "Worlds",
    "WorldsHits",
    "__version__",
    "linears",
]

if hasattr(_os, "register_at_fork"):
    # Threads do not survive a fork: a step in the child raises instead of waiting for them for ever.
    _os.register_at_fork(after_in_child=_after_fork)
