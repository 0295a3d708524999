"""Times of overlaps of masks, decoding included, beside pycocotools, with the same answers. Prints JSON.

Usage: python coco.py [--quick]
"""

import json
import sys

import numpy as np
from pycocotools import mask as cocotools
from timing import median_ms

from hitmask import coco


def blobs(count, side, radius, seed):
    """Returns encodings of blobs like those of cells, in an image of `side` = (height, width)."""
    random = np.random.default_rng(seed)
    encodings = []
    for center in random.uniform(0, side, (count, 2)):
        angles = np.sort(random.uniform(0, 2 * np.pi, 12))
        reach = radius * random.uniform(0.5, 1.5) * random.uniform(0.5, 1.3, 12)
        ring = center[::-1] + np.stack([reach * np.cos(angles), reach * np.sin(angles)], 1)
        encodings += cocotools.frPyObjects([ring.reshape(-1).tolist()], *side)
    return encodings


def case(count, side, least):
    """Times one set of masks against itself."""
    masks = blobs(count, side, 20, 1)
    sparse = coco.overlaps(masks, min_iou=0.5)
    dense = cocotools.iou(masks, masks, [0] * count)
    if (dense >= 0.5).sum() != 2 * len(sparse) + count or (coco.iou(masks, masks) != dense).any():
        raise AssertionError("the answers differ")
    row = {"masks": count, "side": side, "pairs": len(sparse)}
    row["overlaps_ms"] = median_ms(lambda: coco.overlaps(masks, min_iou=0.5), least)
    row["iou_ms"] = median_ms(lambda: coco.iou(masks, masks), least)
    row["pycocotools_iou_ms"] = median_ms(lambda: cocotools.iou(masks, masks, [0] * count), least)
    row["times_faster"] = round(row["pycocotools_iou_ms"] / row["overlaps_ms"], 1)
    return row


def main():
    if "--quick" in sys.argv:
        rows = [case(200, (480, 640), 0.02)]
    else:
        rows = [case(1, (480, 640), 1.0), case(1000, (480, 640), 1.0), case(6000, (2048, 2048), 1.0)]
    json.dump(rows, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
