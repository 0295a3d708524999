"""The types of the extension module. Coordinates are in units (world pixels), y points down, angles are in degrees.

A value that the library refuses raises `Error`, a `ValueError`; a value of the wrong type raises `TypeError`. Python's
own conversions come first: a sequence of the wrong length raises `ValueError`, and an integer that its argument cannot
hold, such as -1 as `layers` of `Body`, `OverflowError`; `Error` if the argument may be an array too, as that of
`World.add_all`. Arrays may have any strides and be read-only; public functions copy them when they are passed in.
"""

import os
from collections.abc import Sequence
from typing import Any, Callable, TypeVar, Union, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "MAX_SIDE",
    "SUBPIXELS",
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
    "Masks",
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
    "_Polygons",
    "__version__",
    "_after_fork",
    "_collisions",
    "_groups",
    "_iou",
    "_overlaps",
    "_pairs",
    "_renumber",
    "_survey",
    "linears",
]
__version__: str
#: The ticks of a step.
TICKS: int
#: The lattice steps of a unit.
SUBPIXELS: int
#: The most texels along a side of a mask.
MAX_SIDE: int

_R = TypeVar("_R")
_Floats = npt.ArrayLike
_Box = tuple[int, int, int, int]
_Pair = tuple[float, float]
#: A handle: an object, or an element of the structured array that a bulk call returns.
_Id = Union["BodyId", np.void, npt.NDArray[np.void]]
_Ids = Union["BodyId", Sequence["BodyId"], npt.NDArray[np.void]]
_Shape = Union["ShapeId", np.void, npt.NDArray[np.void]]
_Shapes = Union["ShapeId", Sequence["ShapeId"], npt.NDArray[np.void]]
_Structured = npt.NDArray[np.void]

class Error(ValueError):
    """A value that the library refuses; the message names the thing, the field, the value and the limit.

    `kind` is the name of the variant in the Rust library, such as "Gone"; for most errors it is "Value". `body` is the
    `BodyId` that the error is about, or None. A call that raises has changed nothing.
    """

    kind: str
    body: BodyId | None

@final
class Touch:
    """The rule for bodies that only touch: they hit each other, or they do not."""

    EXCLUDED: Touch
    INCLUDED: Touch
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Ask:
    """The part of the answer that an engine computes: flags; flags and pairs; or these and the details."""

    FLAGS: Ask
    PAIRS: Ask
    DETAILS: Ask
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class BodyId:
    """A handle of a body. Once the body is removed, using it raises; it never names another body."""

    @property
    def index(self) -> int:
        """The index by which answers name the body while it exists."""

    def to_bits(self) -> int:
        """Returns the handle as a number below 2^96."""

    @staticmethod
    def from_bits(bits: int) -> BodyId:
        """Makes the handle of a number that `to_bits` returned."""

    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: BodyId, /) -> bool: ...
    def __le__(self, other: BodyId, /) -> bool: ...
    def __gt__(self, other: BodyId, /) -> bool: ...
    def __ge__(self, other: BodyId, /) -> bool: ...

@final
class ShapeId:
    """A handle of a shape. Once the shape is removed, using it raises; it never names another shape."""

    @property
    def index(self) -> int:
        """The index of the shape in its world."""

    def to_bits(self) -> int:
        """Returns the handle as a number below 2^96."""

    @staticmethod
    def from_bits(bits: int) -> ShapeId:
        """Makes the handle of a number that `to_bits` returned."""

    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: ShapeId, /) -> bool: ...
    def __le__(self, other: ShapeId, /) -> bool: ...
    def __gt__(self, other: ShapeId, /) -> bool: ...
    def __ge__(self, other: ShapeId, /) -> bool: ...

@final
class Linear:
    """The linear part of a pose: flip, then scale, then rotation. Positive angles turn +x toward +y.

    It maps a local point `(x, y)` to `(a x + b y, c x + d y)`, where `x` is its first row `(a, b)` and `y` its second
    row `(c, d)`. Entries are at most 127. The default `scale` is (1, 1).
    """

    def __new__(
        cls, degrees: float = 0.0, scale: _Pair = ..., *, flip_x: bool = False, flip_y: bool = False
    ) -> Linear: ...
    @staticmethod
    def from_degrees(degrees: float) -> Linear:
        """Makes a rotation. Multiples of 90 degrees are exact; all others are the same on every machine."""

    @staticmethod
    def from_radians(angle: float) -> Linear:
        """Makes a rotation by an angle in radians."""

    @staticmethod
    def scaled(scale: float) -> Linear:
        """Makes a scaling by the same factor in x and y."""

    @staticmethod
    def from_matrix(matrix: Linear | _Floats) -> Linear:
        """Makes the linear part of a matrix of shape (2, 2)."""

    @property
    def x(self) -> _Pair: ...
    @property
    def y(self) -> _Pair: ...
    def determinant(self) -> float:
        """Returns the determinant, `ad - bc`."""

    def __matmul__(self, other: Linear, /) -> Linear:
        """Returns the linear part that applies `other` first, then this one."""

    def __rmatmul__(self, other: Linear, /) -> Linear: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.float64]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def linears(
    degrees: _Floats | None = None,
    scale: _Floats | None = None,
    *,
    flip_x: npt.ArrayLike | None = None,
    flip_y: npt.ArrayLike | None = None,
) -> npt.NDArray[np.float64]:
    """Makes the linear parts of many bodies, of shape (n, 2, 2), each as `Linear` makes one.

    Each argument has one value for all, or one for each: `scale` of shape (n,), or (n, 2) for x and y.
    """

@final
class Mask:
    """A mask of solid texels, at most 8192 by 8192. Column 0 is on the left, row 0 at the top.

    Offsets are as in pygame: the position of the other mask's top-left corner in the frame of this one. Edits return
    the box of the texels that changed, `(x, y, width, height)`, or None if none did. `numpy.asarray(mask)` returns its
    texels as a read-only array of bool, of shape (height, width).
    """

    def __new__(cls, width: int, height: int, fill: bool = False) -> Mask: ...
    @staticmethod
    def from_rows(rows: Sequence[str]) -> Mask:
        """Makes a mask of rows of text, in which `#` is solid and `.` is empty."""

    @staticmethod
    def from_array(array: npt.ArrayLike, threshold: int = 128) -> Mask:
        """Makes a mask of bool of shape (height, width), or of alpha as uint8, solid from `threshold` (1 to 255) on.

        Alpha has the shape (height, width), or is the last of 2 or 4 channels, (height, width, 4).
        """

    @staticmethod
    def from_image(image: Any, threshold: int = 128, region: Sequence[int] | None = None) -> Mask:
        """Makes a mask of the alpha of an image of Pillow, or of an array as `from_array` takes it.

        `region` is the part to take, `[x, y, width, height]` in pixels. An image without alpha is solid. It may be
        larger than a mask if its region is not.
        """

    @staticmethod
    def open(path: str | os.PathLike[str], threshold: int = 128, region: Sequence[int] | None = None) -> Mask:
        """Reads an image file: PNG, BMP, GIF, QOI, TGA or WebP."""

    @staticmethod
    def decode(file: bytes, threshold: int = 128, region: Sequence[int] | None = None) -> Mask:
        """Reads the bytes of an image file, as `open` does."""

    @staticmethod
    def open_frames(
        path: str | os.PathLike[str],
        threshold: int = 128,
        *,
        regions: Sequence[Sequence[int]] | None = None,
        grid: Sequence[int] | None = None,
        margin: int = 0,
        spacing: int = 0,
        count: int | None = None,
    ) -> list[Mask]:
        """Reads the frames of a sprite sheet: at `regions`, or in a `grid` of cells of this width and height."""

    @staticmethod
    def from_bytes(width: int, height: int, bits: bytes) -> Mask:
        """Makes a mask of the bytes that `to_bytes` returned."""

    def to_bytes(self) -> bytes:
        """Returns the texels as bits: each row in whole bytes, the leftmost texel in the lowest bit."""

    def to_rows(self) -> list[str]:
        """Returns the texels as rows of text, as `from_rows` takes them."""

    def to_array(self) -> npt.NDArray[np.bool_]:
        """Returns the texels as an array of shape (height, width), which may be written to."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def size(self) -> tuple[int, int]: ...
    def get(self, x: int, y: int) -> bool:
        """Returns whether a texel is solid; False outside the mask."""

    def set(self, x: int, y: int, solid: bool = True) -> None:
        """Makes a texel solid or empty. Raises `Error` outside the mask."""

    def fill(self) -> _Box | None:
        """Makes every texel solid."""

    def clear(self) -> _Box | None:
        """Makes every texel empty."""

    def invert(self) -> _Box | None:
        """Makes solid texels empty, and empty ones solid."""

    def draw(self, other: Mask, offset: Sequence[int] = ...) -> _Box | None:
        """Makes every texel solid that is solid in the other mask."""

    def erase(self, other: Mask, offset: Sequence[int] = ...) -> _Box | None:
        """Makes every texel empty that is solid in the other mask."""

    def intersect(self, other: Mask, offset: Sequence[int] = ...) -> _Box | None:
        """Makes every texel empty that is not solid in the other mask."""

    def xor(self, other: Mask, offset: Sequence[int] = ...) -> _Box | None:
        """Inverts every texel that is solid in the other mask."""

    def draw_rect(self, rectangle: Sequence[int]) -> _Box | None:
        """Makes the texels of a rectangle, `[x, y, width, height]`, solid. It may reach outside the mask."""

    def erase_rect(self, rectangle: Sequence[int]) -> _Box | None:
        """Makes the texels of a rectangle, `[x, y, width, height]`, empty. It may reach outside the mask."""

    def draw_disc(self, centre: _Floats, radius: float) -> _Box | None:
        """Makes every texel solid whose centre lies within `radius` texels of a point."""

    def erase_disc(self, centre: _Floats, radius: float) -> _Box | None:
        """Makes every texel empty whose centre lies within `radius` texels of a point."""

    def draw_polygon(self, outline: _Floats) -> _Box | None:
        """Makes every texel solid whose centre lies inside a polygon, with corners of shape (n, 2) in texels."""

    def erase_polygon(self, outline: _Floats) -> _Box | None:
        """Makes every texel empty whose centre lies inside a polygon, with corners of shape (n, 2) in texels."""

    def overlaps(self, other: Mask, offset: Sequence[int] = ...) -> bool:
        """Returns whether any texel is solid in both masks."""

    def first_overlap(self, other: Mask, offset: Sequence[int] = ...) -> tuple[int, int] | None:
        """Returns the topmost, then leftmost texel that is solid in both masks, in the frame of this one."""

    def overlap_area(self, other: Mask, offset: Sequence[int] = ...) -> int:
        """Returns the number of texels that are solid in both masks."""

    def overlap(self, other: Mask, offset: Sequence[int] = ...) -> Mask:
        """Returns the texels that are solid in both masks, as a mask of the size of this one."""

    def overlap_offsets(self, other: Mask) -> Mask:
        """Returns all offsets at which the other mask overlaps this one, as a mask.

        Its texel at column i and row j is that of the offset (i + 1 - other.width, j + 1 - other.height).
        """

    def count(self) -> int:
        """Returns the number of solid texels."""

    def count_in(self, rectangle: Sequence[int]) -> int:
        """Returns the number of solid texels in a rectangle, `[x, y, width, height]`."""

    def bounds(self) -> _Box | None:
        """Returns the bounding box of the solid texels; None if there are none."""

    def centroid(self) -> _Pair | None:
        """Returns the mean of the centres of the solid texels, in texels; None if there are none."""

    def angle(self) -> float | None:
        """Returns the direction in which the solid texels extend farthest, in degrees; None if there is no such one."""

    def outline(self) -> npt.NDArray[np.uint32]:
        """Returns the texels along the outer border of the first component, of shape (n, 2)."""

    def polygons(self, tolerance: float = 0.0) -> list[tuple[npt.NDArray[np.int32], list[npt.NDArray[np.int32]]]]:
        """Returns polygons along the edges of the solid texels: an outline of shape (n, 2), and a list of holes.

        With a tolerance, in texels, corners that close to a simpler outline are left out.
        """

    def bounding_boxes(self, neighbours: int = 8) -> npt.NDArray[np.uint32]:
        """Returns the box of each connected component, of shape (n, 4): x, y, width, height."""

    def components(self, neighbours: int = 8) -> list[tuple[Mask, tuple[int, int]]]:
        """Returns each connected component as a mask, with its place in this one."""

    def scaled(self, width: int, height: int) -> Mask:
        """Returns the mask scaled to this many texels, by nearest-neighbour sampling."""

    def flipped(self, *, x: bool = False, y: bool = False) -> Mask:
        """Returns the mask mirrored in x, in y, or in both."""

    def cropped(self, rectangle: Sequence[int]) -> Mask:
        """Returns the texels of a rectangle, `[x, y, width, height]`; outside the mask all are empty."""

    def rotated(self, degrees: float) -> Mask:
        """Returns the mask rotated about its centre, just large enough for it. Positive angles turn +x toward +y."""

    def grown(self, radius: float) -> Mask:
        """Returns the mask grown by a radius in texels, and larger by the whole part of it on each side."""

    def shrunk(self, radius: float) -> Mask:
        """Returns the mask shrunk by a radius in texels, in the same size."""

    def copy(self) -> Mask:
        """Returns a copy; edits of either leave the other as it is."""

    def __copy__(self) -> Mask: ...
    def __deepcopy__(self, _memo: Any, /) -> Mask: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Part:
    """A part of a shape of several: a shape without pixels, where its anchor lies, and a number of your choice."""

    def __new__(cls, shape: Shape, at: _Floats, tag: int = 0) -> Part: ...

@final
class Shape:
    """A shape: a box, a circle, a capsule, a polygon, a sprite, or several parts."""

    @staticmethod
    def rect(width: float, height: float) -> Shape:
        """Makes a box whose top-left corner is the local origin."""

    @staticmethod
    def circle(radius: float) -> Shape:
        """Makes a circle around the local origin."""

    @staticmethod
    def capsule(start: _Floats, end: _Floats, radius: float) -> Shape:
        """Makes all points within `radius` of a segment; with 0 the segment itself, which hits what it crosses."""

    @staticmethod
    def polygon(outline: _Floats, holes: Sequence[_Floats] = ...) -> Shape:
        """Makes a simple polygon, convex or concave, from corners of shape (n, 2), with holes likewise."""

    @staticmethod
    def rounded_polygon(outline: _Floats, radius: float) -> Shape:
        """Makes a convex polygon inflated by a radius."""

    @staticmethod
    def chain(line: _Floats, radius: float, closed: bool = False) -> Shape:
        """Makes all points within `radius`, 0 or more, of a polyline; each segment is a part."""

    @staticmethod
    def parts(parts: Sequence[Part]) -> Shape:
        """Makes a shape of several parts. A body of it is in a pair at most once."""

    @staticmethod
    def sprite(mask: Mask) -> Shape:
        """Makes a sprite of the solid texels of a mask, as they are now; its top-left corner is the local origin."""

    @staticmethod
    def sprites(masks: Sequence[Mask], anchor: _Floats | None = None) -> list[Shape]:
        """Makes a sprite of each mask, such as the frames of an animation."""

    def anchored(self, anchor: _Floats) -> Shape:
        """Returns the shape with the local point that lands at a body's position, about which the body turns."""

    @property
    def anchor(self) -> _Pair: ...
    @property
    def mask(self) -> Mask | None:
        """A copy of the mask of a sprite; None for any other shape."""

    @property
    def area(self) -> float: ...
    @property
    def part_tags(self) -> list[int]: ...
    @staticmethod
    def _load(saved: bytes) -> Shape: ...

@final
class Body:
    """A body to add to a world, or to ask a query about.

    `at` is where the shape's anchor lands; `motion` is how far the body moves within the step, at most 65,536 along
    each axis. `layers` are those it is on, and `mask` those it hits, one bit each: two bodies can hit only if each is
    on a layer of the other's mask, or if one is a detector. A detector, such as a zone, a trigger or a field of view,
    hits the bodies on the layers of its mask even if they do not hit its own layers. Bodies of the same `group` other
    than 0 do not hit each other. `tag` is a number of your choice.
    """

    def __new__(
        cls,
        shape: _Shape,
        at: _Floats,
        *,
        linear: Linear | _Floats | None = None,
        motion: _Floats | None = None,
        layers: int = 1,
        mask: int = 0xFFFFFFFF,
        detector: bool = False,
        group: int = 0,
        enabled: bool = True,
        tag: int = 0,
    ) -> Body: ...
    def replace(
        self,
        *,
        shape: _Shape | None = None,
        at: _Floats | None = None,
        linear: Linear | _Floats | None = None,
        motion: _Floats | None = None,
        layers: int | None = None,
        mask: int | None = None,
        detector: bool | None = None,
        group: int | None = None,
        enabled: bool | None = None,
        tag: int | None = None,
    ) -> Body:
        """Returns a copy with some fields changed."""

    @property
    def shape(self) -> ShapeId: ...
    @property
    def at(self) -> _Pair: ...
    @property
    def linear(self) -> Linear: ...
    @property
    def motion(self) -> _Pair: ...
    @property
    def layers(self) -> int: ...
    @property
    def mask(self) -> int: ...
    @property
    def detector(self) -> bool: ...
    @property
    def group(self) -> int: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def tag(self) -> int: ...
    @staticmethod
    def _load(parts: Any) -> Body: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Hits:
    """The answer of a step: the same on every engine and every machine. Its arrays are read-only."""

    @property
    def flags(self) -> npt.NDArray[np.bool_]:
        """True for each body index that is in a pair; of shape (world.indices,)."""

    @property
    def pairs(self) -> npt.NDArray[np.uint32]:
        """The pairs, ascending, the lower index first; of shape (n, 2). Empty if only flags were asked for."""

    @property
    def details(self) -> _Structured:
        """The details of each pair, with the dtype `DETAIL`. Empty if they were not asked for."""

    def checksum(self) -> int:
        """Returns a checksum of flags, pairs and details, the same on every machine."""

    def __len__(self) -> int:
        """Returns the number of pairs."""

    def __bool__(self) -> bool:
        """Returns whether any body hits another."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class World:
    """Shapes and bodies, checked and snapped to the lattice of 1/256 unit.

    A body keeps its index as long as it lives; one that is added takes the lowest free index. An edit is applied whole
    or not at all. Several threads may use a world: an edit waits for the calls that read it.

    Bulk edits take arrays of float32 or float64 of any strides, and `ids` as a list of handles or as the array that
    `add_all` returned. Without `ids` they apply to all bodies, in the order of their indices: such arrays have
    `world.indices` rows, and rows of free indices are ignored.
    """

    def __new__(cls, touch: Touch = ...) -> World: ...
    @property
    def touch(self) -> Touch: ...
    def __len__(self) -> int:
        """Returns the number of bodies."""

    def __bool__(self) -> bool:
        """Returns True."""

    def __contains__(self, id: _Id, /) -> bool:
        """Returns whether a handle names a body of this world."""

    @property
    def indices(self) -> int:
        """The number of body indices, free ones included."""

    def add_shape(self, shape: Shape) -> ShapeId:
        """Adds a shape, for any number of bodies."""

    def add_shapes(self, shapes: Sequence[Shape]) -> _Structured:
        """Adds several shapes, and returns an array of handles. On an error none is added."""

    def replace_shape(self, id: _Shape, shape: Shape) -> None:
        """Replaces a shape for all bodies that use it."""

    def remove_shape(self, id: _Shape) -> Shape:
        """Removes a shape that no body uses."""

    def shape(self, id: _Shape) -> Shape | None:
        """Returns a shape; None if it was removed."""

    def shapes(self) -> list[tuple[ShapeId, Shape]]:
        """Returns all shapes with their handles, in the order of their indices."""

    def edit_mask(self, id: _Shape, edit: Callable[[Mask], _R]) -> _R:
        """Passes a copy of a sprite's mask to `edit`, then changes the same texels for all bodies of the shape.

        Returns what `edit` returned; if it raises, the mask stays. `edit` may use the world, and other threads may edit
        the same mask meanwhile: all edits count, and a texel that several change is as the last one leaves it. Raises
        `Error` if `edit` changed a texel and the shape was removed meanwhile, or replaced by one of another size. The
        largest masks take some milliseconds, because they are copied twice.
        """

    def split(self, id: _Shape, around: Sequence[int], neighbours: int = 8) -> list[Fragment]:
        """Makes bodies of the parts of a sprite that an edit within `around`, `[x, y, width, height]`, has cut off.

        The parts are the connected components with texels in that box or next to it, but for the largest of them. Each
        becomes a new shape, and each body with the sprite gets a new body of that shape: otherwise a copy of the old
        one, its tag included. No pixel moves. With `Touch.EXCLUDED` a fragment does not hit the body that it was cut
        off from; with `INCLUDED` it may, unless both are in one group. Remove a fragment's shape when its bodies are
        gone. `neighbours` is 4 or 8: 8 joins texels at corners too.
        """

    def add(self, body: Body) -> BodyId:
        """Adds a body."""

    def add_all(
        self,
        shape: _Shapes,
        at: _Floats,
        *,
        linear: Linear | _Floats | None = None,
        motion: _Floats | None = None,
        layers: npt.ArrayLike | None = None,
        mask: npt.ArrayLike | None = None,
        detector: npt.ArrayLike | None = None,
        group: npt.ArrayLike | None = None,
        enabled: npt.ArrayLike | None = None,
        tag: npt.ArrayLike | None = None,
    ) -> _Structured:
        """Adds many bodies, at `at` of shape (n, 2), and returns an array of n handles.

        All else has one value for all bodies, or one for each, and means what it does in `Body`. On an error no body
        is added.
        """

    def set(self, id: _Id, body: Body) -> None:
        """Replaces all of a body but its handle."""

    def remove(self, id: _Id) -> Body:
        """Removes a body and returns it."""

    def remove_all(self, ids: _Ids) -> None:
        """Removes many bodies. On an error none is removed."""

    def clear(self) -> None:
        """Removes all bodies; the shapes stay."""

    def set_enabled(self, id: _Id, enabled: bool) -> None:
        """Switches a body on or off. A body that is off hits nothing, and no query finds it."""

    def set_filter(self, id: _Id, layers: int, mask: int, group: int) -> None:
        """Sets a body's layers, the layers that it hits, and its group."""

    def set_detector(self, id: _Id, detector: bool) -> None:
        """Makes a body a detector, or no longer one; everything else stays."""

    def set_shape(self, id: _Id, shape: _Shape) -> None:
        """Gives a body another shape, such as the next frame of an animation."""

    def set_positions(self, at: _Floats, ids: _Ids | None = None) -> None:
        """Sets positions of shape (n, 2); everything else stays."""

    def set_moving(self, at: _Floats, motion: _Floats, ids: _Ids | None = None) -> None:
        """Sets positions and motions, each of shape (n, 2)."""

    def set_poses(self, at: _Floats, linear: _Floats, motion: _Floats, ids: _Ids | None = None) -> None:
        """Sets positions, linear parts of shape (n, 2, 2), and motions; each may be one for all bodies."""

    def set_linears(self, linear: _Floats, ids: _Ids | None = None) -> None:
        """Sets linear parts of shape (n, 2, 2), or one of shape (2, 2) for all bodies."""

    def set_shapes(self, shapes: _Shapes, ids: _Ids | None = None) -> None:
        """Gives each body another shape, or one shape to all of them."""

    def advance(self) -> None:
        """Moves every body to where its motion ends; motions stay."""

    def positions(self, ids: _Ids | None = None) -> npt.NDArray[np.float64]:
        """Returns positions, of shape (n, 2). Without `ids`, rows of free indices are 0."""

    def ids(self) -> _Structured:
        """Returns the handles of all bodies, in the order of their indices."""

    def id(self, index: int) -> BodyId | None:
        """Returns the handle of the body with an index."""

    def body(self, id: _Id) -> Body | None:
        """Returns a body; None if it was removed."""

    def sees(self, body: _Id, other: _Id) -> bool:
        """Returns whether a body sees another: of a pair with a detector, it tells which noticed the other.

        It sees the other if it hits a layer of it, the other hits one of its own or `body` is a detector, and they are
        not in one group. Switches, positions and shapes are ignored.
        """

    def bounds(self, id: _Id) -> tuple[float, float, float, float] | None:
        """Returns the box of a body at the start of the step: least x and y, then largest."""

    def swept_bounds(self, id: _Id) -> tuple[float, float, float, float] | None:
        """Returns the box of all that a body reaches within the step."""

    def local(self, id: _Id, at: _Floats) -> _Pair | None:
        """Returns a point of the world in the frame of a body's shape."""

    def texel(self, id: _Id, pixel: Sequence[int]) -> tuple[int, int] | None:
        """Returns the texel that a sprite shows at a pixel of the world."""

    def painted(self, id: _Id) -> tuple[Mask, tuple[int, int]] | None:
        """Returns the pixels that a sprite paints, and the pixel at the top left of that mask."""

    def bodies_at(self, at: _Floats) -> _Structured:
        """Returns the handles of the bodies at a point; `Queries` are faster for many points."""

    def parts_at(self, id: _Id, at: _Floats) -> list[int]:
        """Returns the parts of a body that contain a point."""

    def part_tag(self, id: _Id, part: int) -> int | None:
        """Returns the tag of a part of a body; None if it has no such part, or was removed."""

    def distance(self, a: _Id, b: _Id) -> tuple[float, list[_Pair] | None] | None:
        """Returns the distance of two bodies, and their closest points if they are apart."""

    def holds(self, outer: _Id, inner: _Id) -> bool:
        """Returns whether one body lies entirely within another."""

    def push_along(self, id: _Id, other: _Id, axis: str) -> _Pair | None:
        """Returns the shortest translation along "x" or "y" by which a body leaves another."""

    def contacts(self, hits: Hits) -> _Structured:
        """Returns the shortest way out of each hit, for the first body of its pair, with the dtype `CONTACT`.

        `hits` must be of a step with `Ask.DETAILS`.
        """

    def before(self, id: _Id, hits: Hits, hit: int) -> _Pair | None:
        """Returns the position of a body one tick before a hit, given by its row in `hits.pairs`."""

    def overlap_mask(self, hits: Hits, hit: int) -> tuple[Mask, tuple[int, int]] | None:
        """Returns the pixels that a pair shares, and the pixel at the top left of that mask."""

    def parts_hit(self, hits: Hits, hit: int) -> list[tuple[int, int]]:
        """Returns the parts of the first and of the second body that hit each other."""

    def impacts(self, id: _Id, hits: Hits) -> list[Impact]:
        """Returns all hits of a body, as it sees them."""

    def stop(
        self, id: _Id, hits: Hits, *, ignore: _Ids | None = None, one_way: _Ids | None = None, up: _Pair = ...
    ) -> Stop | None:
        """Returns the stop of a body at its first hit; None if nothing stops it.

        Bodies of `ignore` do not stop it, and those of `one_way` only if it lands on them, coming down against `up`, by
        default (0, -1).
        """

    def pushed_out(
        self, id: _Id, hits: Hits, *, ignore: _Ids | None = None, one_way: _Ids | None = None, up: _Pair = ...
    ) -> _Pair | None:
        """Returns where a body is free of all that it hits; None if there is no way out."""

    def save(self, *, bodies_only: bool = False) -> bytes:
        """Returns the world as bytes: whole, or its bodies alone, for a world with the same shapes."""

    @staticmethod
    def load(saved: bytes) -> World:
        """Makes the world that was saved whole."""

    def load_into(self, saved: bytes) -> None:
        """Makes this world the one that was saved; with bodies alone, it must have the same shapes."""

    def checksum(self) -> int:
        """Returns a checksum of all content and handles: equal worlds have equal ones, on every machine.

        Two worlds that differ have different ones, but for a chance of about 1 in 2^64.
        """

    def differences(self, other: World) -> list[str]:
        """Returns all differences of two worlds in words; none if they are equal."""

    def copy(self) -> World:
        """Returns a snapshot that knows the same handles."""

    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: Any, /) -> World: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Worlds:
    """Many worlds that are edited and stepped in one call, on all cores.

    They are for reinforcement learning, or to try out levels. `Worlds(world, count)` makes `count` copies of a world,
    in which the same handles name the same bodies. It raises `Error` if there is no memory for them.

    Edits take arrays whose first axis is that of the worlds, and otherwise mean what they do in `World`: without `ids`
    the second axis has `worlds.indices` elements, and those of free indices are ignored. `which` names the worlds of an
    edit, as a mask of bool or as indices from 0, each once; the first axis then has one element for each of them, in
    that order. An edit is applied to all its worlds or, if one refuses it, to none; the error names the world and the
    body.
    """

    def __new__(cls, world: World, count: int) -> Worlds: ...
    def __len__(self) -> int:
        """Returns the number of worlds."""

    def __bool__(self) -> bool:
        """Returns True."""

    def __getitem__(self, world: int, /) -> World:
        """Returns a copy of one world."""

    @property
    def indices(self) -> int:
        """The number of body indices of each world, free ones included."""

    def replace(self, world: int, by: World) -> None:
        """Replaces a world by a copy of another, which may differ in all but the number of indices."""

    def reset(self, which: npt.ArrayLike | None = None) -> None:
        """Makes worlds copies of the first world again: the one that `Worlds` was made of, as it was then."""

    def set_positions(self, at: _Floats, ids: _Ids | None = None, *, which: npt.ArrayLike | None = None) -> None:
        """Sets positions of shape (worlds, n, 2); everything else stays."""

    def set_moving(
        self, at: _Floats, motion: _Floats, ids: _Ids | None = None, *, which: npt.ArrayLike | None = None
    ) -> None:
        """Sets positions and motions, each of shape (worlds, n, 2)."""

    def set_enabled(
        self, enabled: npt.ArrayLike, ids: _Ids | None = None, *, which: npt.ArrayLike | None = None
    ) -> None:
        """Switches bodies on or off, from bools of shape (worlds, n)."""

    def advance(self) -> None:
        """Moves every body of every world to where its motion ends; motions stay."""

    def positions(self, ids: _Ids | None = None) -> npt.NDArray[np.float64]:
        """Returns positions, of shape (worlds, n, 2). Without `ids`, rows of free indices are 0."""

    def run(self, ask: Ask = ...) -> WorldsHits:
        """Runs a step of every world: finds pairs, or what `ask` says. Other threads go on meanwhile."""

    def copy(self) -> Worlds:
        """Returns a snapshot of all worlds, and of the first world."""

    def __copy__(self) -> Worlds: ...
    def __deepcopy__(self, _memo: Any, /) -> Worlds: ...

@final
class WorldsHits:
    """The answers of a step of many worlds: in each world what `Engine.run` returns. The arrays are read-only.

    `hits[i]` is the pairs of world i, of shape (n, 2).
    """

    @property
    def flags(self) -> npt.NDArray[np.bool_]:
        """True for each body that is in a pair; of shape (worlds, worlds.indices)."""

    @property
    def pairs(self) -> npt.NDArray[np.uint32]:
        """The rows [world, a, b], ascending, with a < b; of shape (n, 3). Empty if only flags were asked for."""

    @property
    def details(self) -> _Structured:
        """The details of each pair, with the dtype `DETAIL`. Empty if they were not asked for."""

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """The row of `pairs` at which those of each world begin, and last the end of all."""

    def __len__(self) -> int:
        """Returns the number of worlds."""

    def __getitem__(self, world: int, /) -> npt.NDArray[np.uint32]: ...

@final
class Fragment:
    """A part that was cut off a sprite."""

    @property
    def shape(self) -> ShapeId:
        """The new shape: the part's texels within their bounding box, with its anchor where the old shape has it."""

    @property
    def bounds(self) -> _Box:
        """The box of the part's texels in the old mask."""

    @property
    def pivot(self) -> _Pair:
        """The centre of mass of the part, from the local origin of the new shape: an anchor for turning it."""

    @property
    def bodies(self) -> _Structured:
        """The handles of the bodies that had the old shape, each with the new body, of shape (n, 2)."""

@final
class Engine:
    """An engine, which finds the bodies that hit each other. All engines return the same answer."""

    @staticmethod
    def cpu(*, threads: int = 0) -> Engine:
        """Makes an engine on the CPU, with this many threads; 0 for one on each core."""

    @staticmethod
    def auto() -> Engine:
        """Makes an engine that uses a GPU where that is faster. Without the feature `gpu`, it is that of the CPU."""

    @staticmethod
    def gpu() -> Engine:
        """Makes an engine on a GPU. Raises `Error` if there is none."""

    @staticmethod
    def reference() -> Engine:
        """Makes the definition of a hit as plain, slow code, for tests."""

    def run(self, world: World, ask: Ask = ...) -> Hits:
        """Runs a step: finds pairs, or what `ask` says. Other threads go on meanwhile."""

    @property
    def name(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def status(self) -> str:
        """The engine that answers, and why, in words."""

    @property
    def bytes(self) -> int:
        """The memory that the engine keeps for its next step."""

    def profile(self) -> list[tuple[str, float]]:
        """Returns the stages of the last step, and the seconds that each took."""

    def rebuild(self) -> None:
        """Opens the GPU again after an `Error` of the kind "GpuLost"."""

@final
class PointQuery:
    """Queries for the bodies at points of shape (n, 2). Answers are handles."""

    def __new__(cls, at: _Floats, *, mask: npt.ArrayLike | None = None) -> PointQuery: ...
    def __len__(self) -> int: ...

@final
class RegionQuery:
    """Queries for the bodies that hit boxes between two corners, each of shape (n, 2). Answers are handles."""

    def __new__(cls, min: _Floats, max: _Floats, *, mask: npt.ArrayLike | None = None) -> RegionQuery: ...
    def __len__(self) -> int: ...

@final
class RayCast:
    """Queries for the bodies that rays hit, as thick as `radius`. Answers have the dtype `RAY_HIT`."""

    def __new__(
        cls, start: _Floats, end: _Floats, *, radius: _Floats | None = None, mask: npt.ArrayLike | None = None
    ) -> RayCast: ...
    def __len__(self) -> int: ...

@final
class Nearest:
    """Queries for the `count` bodies nearest to points, at most `within` away. Answers have the dtype `NEAREST_HIT`."""

    def __new__(
        cls,
        at: _Floats,
        *,
        count: npt.ArrayLike | None = None,
        within: _Floats | None = None,
        mask: npt.ArrayLike | None = None,
    ) -> Nearest: ...
    def __len__(self) -> int: ...

@final
class BodyQuery:
    """Queries for what bodies hit that are not in the world. Answers have the dtype `BODY_HIT`."""

    def __new__(
        cls,
        shape: _Shapes,
        at: _Floats,
        *,
        linear: Linear | _Floats | None = None,
        motion: _Floats | None = None,
        layers: npt.ArrayLike | None = None,
        mask: npt.ArrayLike | None = None,
        detector: npt.ArrayLike | None = None,
        group: npt.ArrayLike | None = None,
    ) -> BodyQuery: ...
    def __len__(self) -> int: ...

_Query = PointQuery | RegionQuery | RayCast | Nearest | BodyQuery | Body

@final
class Answers:
    """All answers to some queries: `answers[i]` are those to query i."""

    @property
    def values(self) -> _Structured:
        """The answers to all queries, those to the first query first."""

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """The row of `values` at which the answers to each query begin, and last the end of all."""

    def __len__(self) -> int: ...
    def __getitem__(self, query: int, /) -> _Structured: ...

@final
class Queries:
    """An index of a world's bodies, which follows them as they move. Keep it from step to step."""

    def __new__(cls) -> Queries: ...
    @staticmethod
    def reference() -> Queries:
        """Makes one without an index, which is slow, for tests."""

    @property
    def bytes(self) -> int: ...
    def on(self, world: World) -> Search:
        """Returns a view of a world for queries. It sees the bodies as they are when it is asked."""

@final
class Search:
    """A view of a world for queries. It sees the bodies at rest, at the start of the step.

    A body that is in the world meets itself: leave it out with `except_`.
    """

    def except_(self, ids: _Ids) -> Search:
        """Returns a view without some bodies, such as the one that asks; keep the list short.

        The list replaces that of this view.
        """

    def all_of(self, queries: _Query) -> Answers:
        """Returns all answers to each query."""

    def first_of(self, queries: _Query) -> tuple[npt.NDArray[np.bool_], _Structured]:
        """Returns whether each query has an answer, and the first: lowest tick or distance, then lowest index."""

    def any_of(self, queries: _Query) -> npt.NDArray[np.bool_]:
        """Returns whether each query has an answer."""

    def is_free(self, body: Body) -> bool:
        """Returns whether a body would hit nothing, neither where it stands nor along its motion.

        A body that is in the world hits itself unless `except_` leaves it out.
        """

    def sweep(self, body: Body, *, ignore: _Ids | None = None, one_way: _Ids | None = None, up: _Pair = ...) -> Sweep:
        """Moves a body by its motion until something stops it ("move and collide"). The world does not change.

        A body that is in the world meets itself, and stays, unless `except_` leaves it out. Bodies of `ignore` do not
        stop it, and those of `one_way` only if it lands on them, coming down against `up`, by default (0, -1).
        """

    def slide(self, body: Body, *, ignore: _Ids | None = None, one_way: _Ids | None = None, up: _Pair = ...) -> Slide:
        """Moves a body as `sweep` does, and slides it along what stops it ("move and slide").

        A body that is in the world meets itself, and stays, unless `except_` leaves it out.
        """

@final
class Impact:
    """A hit, as one body of the pair sees it."""

    @property
    def hit(self) -> int:
        """The row of the hit in `Hits.pairs`."""

    @property
    def other(self) -> BodyId: ...
    @property
    def tick(self) -> int: ...
    @property
    def normal(self) -> _Pair:
        """The outward unit normal of the side that the body meets; (0, 0) if they hit from the start."""

    @property
    def approach(self) -> _Pair:
        """The body's motion relative to the other."""

    def lands(self, up: _Pair = ...) -> bool:
        """Returns whether the body comes down onto the other against `up`, by default (0, -1)."""

@final
class Stop:
    """The stop of a body at a hit."""

    @property
    def impact(self) -> Impact: ...
    @property
    def at(self) -> _Pair:
        """The position of the body one tick before the hit."""

    @property
    def left(self) -> _Pair:
        """The motion that is left."""

    def slide(self) -> _Pair:
        """Returns the motion that is left along the side."""

@final
class Sweep:
    """The path of a body until something stopped it."""

    @property
    def at(self) -> _Pair:
        """The position at which the body ends."""

    @property
    def stop(self) -> Stop | None:
        """The stop; None if nothing stopped the body."""

    @property
    def started_inside(self) -> BodyId | None:
        """The body that it overlapped at the start, so that it stayed: itself, if it was not left out of the search."""

@final
class Slide:
    """The path of a body that slid along what stopped it."""

    @property
    def at(self) -> _Pair:
        """The position at which the body ends."""

    @property
    def stops(self) -> list[Stop]:
        """The stops, in order."""

    @property
    def started_inside(self) -> BodyId | None:
        """The body that it overlapped at the start, so that it stayed: itself, if it was not left out of the search."""

@final
class Pace:
    """The direction along which a walker keeps its speed on slopes.

    With `ACROSS`, at a right angle to up, it is as fast over a hill as on level ground. With `ALONG`, the steeper the
    slope, the slower it moves across; slopes drawn in pixels have level sides, and count as level.
    """

    ACROSS: Pace
    ALONG: Pace
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Walker:
    """A character controller: moves a body that runs, climbs slopes and stairs, jumps and falls.

    `step` returns where the body ends within a step; you set it there. A walker holds only its options and what the
    body stood on, so that a platform can carry it. Keep one for each character, and copy it along with the world for
    rollback. It cannot be pickled.

    `up` is the direction against gravity, of any length, by default (0, -1). The walker climbs slopes of up to
    `max_slope` degrees (0 to 90) and stairs of up to `step_height` units, and slides down steeper slopes. If `snap` is
    above 0, it stays on the ground down such slopes and down stairs of up to `snap` units. `pace` is by default
    `Pace.ACROSS`. With `slide=False` it stops at steep slopes and slanted ceilings instead of sliding along them.
    """

    def __new__(
        cls,
        *,
        up: _Pair = ...,
        max_slope: float = 50.0,
        step_height: float = 4.0,
        snap: float = 4.0,
        pace: Pace = ...,
        slide: bool = True,
    ) -> Walker: ...
    @property
    def ground(self) -> Side | None:
        """The ground on which the walker stood at the end of the last step; None if there is none."""

    def leave(self) -> None:
        """Forgets the ground: nothing carries the walker, and it does not snap. Call it after a teleport."""

    def step(
        self,
        search: Search,
        body: Body,
        run: float,
        fall: float,
        *,
        ignore: _Ids | None = None,
        one_way: _Ids | None = None,
    ) -> Walk:
        """Moves a body by `run` units along the ground and by `fall` units down, and returns where it ends.

        The ground's direction is that of up, turned clockwise on the screen: to the right by default. With a negative
        `fall` the body jumps. `body.motion` is ignored, and the world does not change.

        Bodies of `ignore` are not in the way. Those of `one_way` are platforms: solid from above only, and only to a
        walker that does not overlap them already. To drop through one, pass it in `ignore` while the key is held. A
        body that is in the world is in its own way, and moves out of itself, unless `Search.except_` leaves it out.

        A solid body that has moved into the walker pushes it out by the shortest way.
        """

    def copy(self) -> Walker:
        """Returns a copy, with the same options and the same ground."""

    def __copy__(self) -> Walker: ...
    def __deepcopy__(self, _memo: Any, /) -> Walker: ...

@final
class Walk:
    """The result of a walker's step."""

    @property
    def at(self) -> _Pair:
        """The new position of the body."""

    @property
    def ground(self) -> Side | None:
        """The ground on which it stands; None in the air, on a slope that is too steep, and while it jumps."""

    @property
    def wall(self) -> Side | None:
        """The side that blocked it sideways; None if there is none."""

    @property
    def ceiling(self) -> Side | None:
        """The side that blocked it from above; None if there is none."""

    @property
    def fall(self) -> float:
        """The fall to continue with in the next step, before you add gravity.

        It is 0 on the ground, under a ceiling and when stuck, otherwise unchanged.
        """

    @property
    def carried(self) -> _Pair:
        """The motion by which the ground has carried it."""

    @property
    def started_inside(self) -> BodyId | None:
        """The solid body that it overlapped after the ground had carried it: itself, if it was not left out."""

    @property
    def stuck(self) -> bool:
        """True inside a solid body with no way out, as when it is crushed; then only the ground has moved it."""

@final
class Side:
    """A side of a body that a walker has met."""

    @property
    def body(self) -> BodyId: ...
    @property
    def normal(self) -> _Pair:
        """The outward unit normal of the side."""

@final
class Events:
    """A tracker of colliding pairs from step to step, by body: those that began, stayed and ended."""

    def __new__(cls) -> Events: ...
    def update(self, world: World, hits: Hits) -> None:
        """Records the answer of the next step. Call it before bodies are added."""

    @property
    def began(self) -> _Structured:
        """The pairs that hit in the last step but not in the one before, with the dtype `EVENT`."""

    @property
    def stayed(self) -> _Structured:
        """The pairs that hit in both of the last two steps, with the dtype `EVENT`."""

    @property
    def ended(self) -> _Structured:
        """The pairs that hit in the step before but not in the last, with the dtype `TAGGED_PAIR`."""

    def save(self) -> bytes:
        """Returns the pairs of the last steps as bytes."""

    @staticmethod
    def load(saved: bytes) -> Events:
        """Makes the tracker that was saved."""

@final
class Masks:
    """Masks of images, all of one size, as runs of solid pixels: `hitmask.coco.Masks`."""

    @staticmethod
    def from_rle(masks: Sequence[dict[str, Any]], size: tuple[int, int] | None = None) -> Masks:
        """Makes masks of COCO's run-length encodings: `size` is [height, width], `counts` text or a list of numbers.

        All must have the same size: `size`, `(height, width)`, or that of the first. Without masks and
        without `size`, it is (0, 0).
        """

    @staticmethod
    def from_array(array: npt.NDArray[np.bool_] | npt.NDArray[np.uint8]) -> Masks:
        """Makes masks of an array of shape (n, height, width), or one of shape (height, width). All but 0 is solid."""

    @staticmethod
    def from_labels(array: npt.NDArray[Any]) -> tuple[Masks, npt.NDArray[np.int64]]:
        """Makes a mask of each number but 0 in an image of integers, and returns the numbers, ascending."""

    @staticmethod
    def from_polygons(polygons: Sequence[Any], height: int, width: int) -> Masks:
        """Makes a mask of each list of rings x, y, x, y, ..., solid within any of its rings.

        Pixels are those of `pycocotools.mask.frPyObjects` and `merge`. Coordinates lie within ±1,000,000.
        """

    @property
    def size(self) -> tuple[int, int]:
        """The height and the width of each mask."""

    @property
    def area(self) -> npt.NDArray[np.uint32]:
        """The number of solid pixels of each mask."""

    @property
    def boxes(self) -> npt.NDArray[np.float64]:
        """The bounding box of each mask, x, y, width, height: an array of shape (n, 4)."""

    def to_rle(self) -> list[dict[str, Any]]:
        """Returns COCO's compressed run-length encodings."""

    def to_array(self) -> npt.NDArray[np.bool_]:
        """Returns an array of shape (n, height, width)."""

    def take(self, indices: npt.ArrayLike) -> Masks:
        """Returns the masks at some indices."""

    def union(self, groups: Sequence[npt.ArrayLike]) -> Masks:
        """Returns a mask for each list of indices, solid where any of the masks at these is."""

    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Masks], tuple[list[dict[str, Any]], tuple[int, int]]]: ...

@final
class _Polygons:
    """Polygons with corners in lattice steps."""

    def __new__(
        cls,
        arrays: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]],
        ids: npt.NDArray[Any],
        check: bool,
        threads: int = 0,
    ) -> _Polygons:
        """Reads polygons of several arrays.

        Each array is of the corners in units, floats that nobody changes meanwhile; where their rings begin; and the
        ring at which each polygon begins. Errors name polygons by `ids`. `check` says whether to raise for sides that
        cross. Uses at most `threads` threads, 0 for one on each core.
        """

    @property
    def extent(self) -> list[int] | None:
        """The box around all in lattice steps: least x and y, then largest; None without a polygon."""

    @property
    def boxes(self) -> npt.NDArray[np.int64]:
        """The box of each in lattice steps: least x and y, then largest; an array of shape (n, 4)."""

    @property
    def unproven(self) -> npt.NDArray[np.uint32]:
        """The rows of polygons with a hole, a spike or a repeated corner, ascending; empty without `check`.

        A world may refuse them though no sides cross.
        """

    def shapes(self, rows: npt.NDArray[Any], ids: list[int]) -> list[Shape]:
        """Makes shapes of polygons, each from the least whole unit of its box on. An error names its id."""

    def meetings(
        self, others: _Polygons | None = None, threads: int = 0
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.bool_]]:
        """Returns the rows of polygons whose closed sets meet, and whether their interiors surely overlap.

        Pairs are of these and others, or of two of these, each once, and ascend. All boxes must lie within 2^30 lattice
        steps. Uses at most `threads` threads, 0 for one on each core.
        """

def _after_fork() -> None: ...
def _collisions(
    a: list[Any], b: list[Any], types: tuple[Any, Any], source: tuple[Any, Any, Any] | None = None
) -> dict[Any, list[Any]]: ...
def _groups(
    masks: Masks, scores: npt.ArrayLike, limit: float, smaller: bool, above: bool, classes: npt.ArrayLike | None
) -> list[npt.NDArray[np.uint32]]: ...
def _iou(a: Masks, b: Masks, iscrowd: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
def _overlaps(a: Masks, b: Masks | None, min_iou: float) -> _Structured: ...
def _pairs(
    a: list[Any], b: list[Any] | None, types: tuple[Any, Any], source: tuple[Any, Any, Any] | None = None
) -> list[tuple[Any, Any]]: ...
def _renumber(
    pixels: npt.NDArray[Any],
    known: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    firsts: npt.NDArray[np.int64],
    base: int,
    origin: int,
    width: int,
) -> tuple[npt.NDArray[np.int64], int]: ...
def _survey(pixels: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]: ...
