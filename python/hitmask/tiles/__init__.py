"""Images and tables that do not fit into memory, tile by tile: instances stitched over tiles, and pairs of shapes.

`merge` and `overlaps` take a dask array of labels whose blocks overlap, such as the output of a model that runs on each
block of `dask.array.overlap.overlap(image, depth, boundary="none")`:

    labels = overlap(image, depth=64, boundary="none").map_blocks(segment, dtype="int32")
    labels.to_zarr(path)  # `merge` reads each block twice
    tiles.merge(da.from_zarr(path), depth=64, min_iou=0.3).to_zarr(merged)

The rule: two instances of different tiles are the same if their intersection over union, within the rectangle both
tiles cover, is at least `min_iou`. They must share a pixel. What lies outside the rectangle does not count, as only one
of the tiles has seen it; so an instance that a tile's edge cuts is compared by the part that both have seen. The rule
does not depend on the order of the tiles. Equality is transitive: instances that a chain of such pairs connects are
one, two of the same tile included. With `min_iou` above 0.5 an instance has at most one such partner in each other
tile.

An instance is known by its tile and its number there, never by where it lies; its pixels need not be connected.

`pairs` finds the pairs of shapes of tables of Arrow that hit each other, and `join` those of Parquet files: of boxes,
polygons and masks.

`merge`, `overlaps` and `join` need dask, `pairs` and `join` need pyarrow (`pip install "hitmask[tiles]"`). `match`,
`groups` and `components` need neither: they are functions of arrays, for any engine.
"""

from __future__ import annotations

from ._blocks import EDGE, match
from ._groups import INSTANCE, components, groups
from ._join import join
from ._labels import merge, overlaps
from ._pairs import pairs

__all__ = ["EDGE", "INSTANCE", "components", "groups", "join", "match", "merge", "overlaps", "pairs"]
