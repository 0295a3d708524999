"""The dtypes of the structured arrays that the package takes and returns."""

import numpy as np

#: A handle of a body: its index in the world, and a number by which it never names another body.
BODY_ID = np.dtype([("index", "<u4"), ("serial", "<u8")])

#: A handle of a shape, likewise.
SHAPE_ID = np.dtype([("index", "<u4"), ("serial", "<u8")])

#: The details of a pair: `Hits.details`.
DETAIL = np.dtype(
    {
        # `tick` is that of first contact, 0 to 65,536; `moving` whether a body of the pair moves, without which the
        # tick is 0. `area` is the number of shared pixels, -1 for a pair without a sprite; `bounds` is their box, x, y,
        # width, height, `first` the leftmost of the top row, and `sums` the sums of their x and of their y. All three
        # are 0 if there are no shared pixels.
        "names": ["tick", "moving", "area", "bounds", "first", "sums"],
        "formats": ["<u4", "?", "<i8", ("<i4", 4), ("<i4", 2), ("<i8", 2)],
        "offsets": [0, 4, 8, 16, 32, 40],
        "itemsize": 56,
    }
)

#: An answer to a `RayCast`: the body, and the tick of the ray's length at which it is hit, 0 to 65,536.
RAY_HIT = np.dtype([("body", BODY_ID), ("tick", "<u4")])

#: An answer to a `Nearest`: the body, and its distance in units.
NEAREST_HIT = np.dtype({"names": ["body", "distance"], "formats": [BODY_ID, "<f8"], "offsets": [0, 16], "itemsize": 24})

#: An answer to a `BodyQuery`: the body of the world, and the detail of the pair, in which it comes second.
BODY_HIT = np.dtype({"names": ["body", "detail"], "formats": [BODY_ID, DETAIL], "offsets": [0, 16], "itemsize": 72})

#: A pair that began or stayed: its bodies, their tags, and its row in `Hits.pairs`.
EVENT = np.dtype([("pair", BODY_ID, 2), ("tags", "<u8", 2), ("hit", "<u8")])

#: A pair that ended: its bodies, which may be gone, and their tags.
TAGGED_PAIR = np.dtype([("pair", BODY_ID, 2), ("tags", "<u8", 2)])

#: Two masks of images that overlap, by index; the pixels that both share, and these over those of either.
OVERLAP = np.dtype([("i", "<u4"), ("j", "<u4"), ("intersection", "<u4"), ("iou", "<f8")])

#: A way out of a hit: the unit direction in which the first body leaves the second, the distance, and a translation in
#: whole lattice steps that ends the hit; all in units.
CONTACT = np.dtype([("normal", "<f8", 2), ("depth", "<f8"), ("push", "<f8", 2)])
