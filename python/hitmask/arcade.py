"""Collision functions of arcade by the pixels of its sprites, turned, scaled and flipped ones included.

`check_for_collision`, `check_for_collision_with_list`, `check_for_collision_with_lists` and `get_sprites_at_point` take
the place of arcade's own, with the same arguments, errors and order of answers:

    from hitmask import arcade as hitmask_arcade
    coins = hitmask_arcade.check_for_collision_with_list(player, coin_list)

`collide` returns all pairs of thousands of sprites at once.

Two sprites collide if they paint the same pixel: a square between whole numbers in x and in y. A sprite paints a pixel
if the texel under the pixel's centre is solid. The texture is stretched to the sprite's `width` and `height`, flipped
if these are negative, and turned by its `angle`. A texel is solid if its alpha is above `threshold`, 127 by default.

Differences from arcade:

- arcade compares hit boxes, which are polygons. These functions ignore them: hollows are empty, a change of texture
  counts at once, and pixels outside the hit box count.
- An overlap of less than a pixel may paint no pixel twice, and then is none.
- `get_sprites_at_point` takes the pixel that contains the point; on an edge, the one to the right or above.
- Every `method` works without a window. 0 and 1 use the list's spatial hash, if it has one; all else compares all
  sprites of the list. The hash knows hit boxes, so it is asked for one cell more on each side; a sprite that paints
  farther from its hit box than that may be missed. With a hash, the order is undefined, as in arcade.
- A sprite that is drawn at less than 1/64 of its image's width or height paints nothing.
- `collide` raises `hitmask.Error` for a position that is NaN or beyond two million pixels. All functions raise it for
  an angle that is NaN, for a texture of more than 8192 pixels on a side, and for a width or height of millions.

As in arcade, `visible`, `alpha` and `color` of a sprite do not matter, and no sprite of a list collides with itself.

The masks of a texture are kept as long as the texture lives. After changing its image, call `forget(texture)`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import ceil, hypot
from threading import Lock
from typing import Any
from weakref import ref

import arcade
import numpy as np
from arcade import BasicSprite, SpriteType, Texture
from arcade.types import LRBT

from ._hitmask import MAX_SIDE, Body, Linear, Mask, World
from ._sprites import Placed, centred, pairs

__all__ = [
    "check_for_collision",
    "check_for_collision_with_list",
    "check_for_collision_with_lists",
    "collide",
    "forget",
    "from_texture",
    "get_sprites_at_point",
]

#: The largest entry of a linear part, and the largest product of scale and size at which a sprite's edges are exact to
#: a quarter of a pixel: the inverse of the scale has 16 fractional bits. Beyond, its mask gets more texels.
_MOST_SCALE = 127.0
_MOST_STRETCH = 65536.0

#: The most painted masks, and the most stencils for larger scales, that are kept of a texture.
_MOST_PAINTED = 64

#: The most that width and height are together of a sprite that is painted. Larger ones are faster in a world.
_MOST_SIZE = 512

#: How far a sprite paints from its centre, for each pixel of its size: a half, and 0.6 % for rounding.
_HALF = 0.503

#: A position in 1/256 pixel with y pointing down, an angle in degrees, and a scale in x and y.
_Pose = tuple[int, int, float, float, float]

#: A mask, and the column and row of its top-left texel among the world's pixels, with y pointing down.
_Painted = tuple[Mask, int, int]


class _Stencil:
    """The mask of a texture, and the pixels that it paints when it is turned and scaled."""

    def __init__(self, texels: Any) -> None:
        self.texels = texels
        self.mask = Mask.from_array(texels)
        self.height, self.width = texels.shape
        self.world = World()
        self.body = Body(self.world.add_shape(centred(self.mask)), (0, 0))
        self.id = self.world.add(self.body)
        self.lock = Lock()
        self.painted: dict[tuple[int, int, float, float, float], _Painted] = {}
        self.larger: dict[tuple[int, int], _Stencil] = {}

    def for_scale(self, x: float, y: float) -> _Stencil:
        """Returns one whose texels are repeated so often that a scale is within its limits."""
        if max(abs(x), abs(y)) <= _MOST_SCALE and max(x * x * self.width, y * y * self.height) <= _MOST_STRETCH:
            return self
        times = _times(x, self.width), _times(y, self.height)
        larger = self.larger.get(times)
        if larger is None:
            larger = _Stencil(self.texels.repeat(times[0], 1).repeat(times[1], 0))
            if len(self.larger) >= _MOST_PAINTED:
                self.larger.clear()
            self.larger[times] = larger
        return larger

    def paint(self, pose: _Pose) -> _Painted | None:
        """Returns the painted pixels; None if they are too many."""
        x, y, degrees, scale_x, scale_y = pose
        if scale_x == scale_y == 1 and not degrees:
            # The texel of a pixel is a whole number of columns and rows away.
            return self.mask, -((128 - x + 128 * self.width) >> 8), -((128 - y + 128 * self.height) >> 8)
        if self.width * abs(scale_x) + self.height * abs(scale_y) > _MOST_SIZE:
            return None
        key = x & 255, y & 255, degrees, scale_x, scale_y
        painted = self.painted.get(key)
        if painted is None:
            with self.lock:
                self.place(key)
                found = self.world.painted(self.id)
            mask, (left, top) = found or (Mask(1, 1), (0, 0))
            if len(self.painted) >= _MOST_PAINTED:
                self.painted.clear()
            painted = self.painted[key] = mask, left, top
        mask, left, top = painted
        return mask, left + (x >> 8), top + (y >> 8)

    def paints(self, x: int, y: int, pose: _Pose) -> bool:
        """Returns whether a pixel is painted."""
        with self.lock:
            self.place((pose[0] & 255, pose[1] & 255, *pose[2:]))
            texel = self.world.texel(self.id, (x - (pose[0] >> 8), y - (pose[1] >> 8)))
        return texel is not None and self.mask.get(*texel)

    def place(self, pose: _Pose) -> None:
        """Moves the body."""
        x, y, degrees, *scale = pose
        self.world.set(self.id, self.body.replace(at=(x / 256, y / 256), linear=Linear(degrees, (scale[0], scale[1]))))


def _times(scale: float, side: int) -> int:
    """Returns how often to repeat the texels along a side."""
    most = min(_MOST_SCALE, _MOST_STRETCH / max(abs(scale) * side, 1))
    return max(1, min(ceil(abs(scale) / most), MAX_SIDE // side))


#: Each texture that lives, by its address, and its stencils by threshold: a `WeakKeyDictionary` is much slower.
_kept: dict[int, tuple[ref[Texture], dict[int, _Stencil]]] = {}

#: The class that arcade's functions want of a list: since 3.1 a base of `SpriteList`.
_List: Any = getattr(arcade, "SpriteSequence", arcade.SpriteList)


def from_texture(texture: Texture, threshold: int = 127) -> Mask:
    """Makes a `hitmask.Mask` of a texture, flipped and turned as it is: of its alpha above the threshold."""
    return Mask.from_array(_texels(texture, threshold))


def forget(texture: Texture) -> None:
    """Forgets the masks of a texture whose image was changed; they are made anew when they are next needed."""
    _kept.pop(id(texture), None)


def check_for_collision(sprite1: BasicSprite, sprite2: BasicSprite, *, threshold: int = 127) -> bool:
    """Returns whether two sprites paint the same pixel; in place of `arcade.check_for_collision`."""
    if not (isinstance(sprite1, BasicSprite) and isinstance(sprite2, BasicSprite)):
        return arcade.check_for_collision(sprite1, sprite2)  # which raises
    return bool(_overlapping(sprite1, _near(sprite1, [sprite2]), threshold))


def check_for_collision_with_list(
    sprite: BasicSprite, sprite_list: Collection[SpriteType], method: int = 0, *, threshold: int = 127
) -> list[SpriteType]:
    """Returns the sprites of a list that a sprite collides with; in place of `arcade.check_for_collision_with_list`."""
    if not (isinstance(sprite, BasicSprite) and isinstance(sprite_list, _List)):
        return arcade.check_for_collision_with_list(sprite, sprite_list, method)  # type: ignore[arg-type]
    return _colliding(sprite, sprite_list, method, threshold)


def check_for_collision_with_lists(
    sprite: BasicSprite, sprite_lists: Iterable[Collection[SpriteType]], method: int = 0, *, threshold: int = 127
) -> list[SpriteType]:
    """Returns the sprites of lists that a sprite collides with; in place of `arcade.check_for_collision_with_lists`."""
    if not isinstance(sprite, BasicSprite):
        return arcade.check_for_collision_with_lists(sprite, sprite_lists, method)
    return [other for each in sprite_lists for other in _colliding(sprite, each, method, threshold)]


def get_sprites_at_point(
    point: tuple[float, float], sprite_list: Collection[SpriteType], *, threshold: int = 127
) -> list[SpriteType]:
    """Returns the sprites of a list that paint the pixel of a point; in place of `arcade.get_sprites_at_point`."""
    if not isinstance(sprite_list, _List):
        return arcade.get_sprites_at_point(point, sprite_list)  # type: ignore[arg-type]
    x, y = point[0] // 1, point[1] // 1
    found = []
    for sprite in _around(x, y, 1, sprite_list, 0):
        at = sprite._position
        reach = _HALF * (abs(sprite._width) + abs(sprite._height)) + 2
        if not (abs(at[0] - x) < reach and abs(at[1] - y) < reach):
            continue
        stencil, pose = _pose(sprite, threshold)
        if stencil.paints(int(x), -1 - int(y), pose):
            found.append(sprite)
    return found


def collide(
    list_a: Iterable[SpriteType], list_b: Iterable[SpriteType] | None = None, *, threshold: int = 127
) -> list[tuple[SpriteType, SpriteType]]:
    """Returns all pairs of sprites that collide, in the order of the lists.

    Without a second list, the first is compared with itself: each pair once, the earlier sprite first. A sprite that is
    in both lists does not collide with itself. Any iterables of sprites do.
    """
    a = list(list_a)
    b = None if list_b is None else list(list_b)
    found = pairs(a, b, lambda sprites: _placed(sprites, threshold))
    return [pair for pair in found if pair[0] is not pair[1]]


def _texels(texture: Texture, threshold: int) -> Any:
    """Returns which texels of a texture are solid, as it is drawn upright."""
    texels = np.asarray(texture.image.convert("RGBA").getchannel("A")) > threshold
    # The corners of the image that lie at the upper left and upper right of the texture: 0 and 1 in its top row, 2 and
    # 3 in its bottom row.
    left, right = texture._vertex_order[:2]
    flip_x, flip_y = left & 1, left >> 1
    if left ^ right == 2:
        # A row of the texture is a column of the image.
        texels, flip_x, flip_y = texels.T, flip_y, flip_x
    return np.ascontiguousarray(texels[:: -1 if flip_y else 1, :: -1 if flip_x else 1])


def _stencil(texture: Texture, threshold: int) -> _Stencil:
    address = id(texture)
    kept = _kept.get(address)
    if kept is None:
        kept = _kept[address] = ref(texture, lambda _: _kept.pop(address, None)), {}
    stencil = kept[1].get(threshold)
    if stencil is None:
        stencil = kept[1][threshold] = _Stencil(_texels(texture, threshold))
    return stencil


def _pose(sprite: BasicSprite, threshold: int) -> tuple[_Stencil, _Pose]:
    """Returns a sprite's stencil and its pose."""
    stencil = _stencil(sprite._texture, threshold)
    width, height = sprite._width, sprite._height
    stencil = stencil.for_scale(width / stencil.width, height / stencil.height)
    x, y = sprite._position
    # Rounded as in a world.
    left, top = int((256 * x + 0.5) // 1), int((0.5 - 256 * y) // 1)
    return stencil, (left, top, sprite._angle, width / stencil.width, height / stencil.height)


def _paint(sprite: BasicSprite, threshold: int) -> _Painted | None:
    """Returns the pixels that a sprite paints; None if they are too many."""
    stencil, pose = _pose(sprite, threshold)
    return stencil.paint(pose)


def _overlapping(sprite: BasicSprite, others: list[SpriteType], threshold: int) -> list[SpriteType]:
    """Returns those of some sprites that paint a pixel of another."""
    if not others:
        return others
    painted = _paint(sprite, threshold)
    answers: list[bool | None] = [None] * len(others)
    if painted is not None:
        mask, left, top = painted
        for i, other in enumerate(others):
            by_other = _paint(other, threshold)
            if by_other is not None:
                answers[i] = mask.overlaps(by_other[0], (by_other[1] - left, by_other[2] - top))
    if None in answers:
        large: list[Any] = [other for other, answer in zip(others, answers) if answer is None]
        # Placed relative to a pixel near by, so that they fit into a world wherever they are.
        x, y = sprite._position
        place = lambda sprites: _placed(sprites, threshold, (x // 1, y // 1))
        found = {id(other) for _, other in pairs([sprite], large, place)}
        answers = [id(other) in found if answer is None else answer for other, answer in zip(others, answers)]
    return [other for other, answer in zip(others, answers) if answer]


def _near(sprite: BasicSprite, others: Iterable[SpriteType]) -> list[SpriteType]:
    """Returns those of some sprites that may paint a pixel that a sprite paints."""
    (x, y), width, height, turned = sprite._position, abs(sprite._width), abs(sprite._height), sprite._angle
    radius = _HALF * hypot(width, height) + 1
    right, up = (radius, radius) if turned else (_HALF * width + 1, _HALF * height + 1)
    near = []
    most, factor = 2 * radius * radius, 2 * _HALF * _HALF
    for other in others:
        at, width, height = other._position, other._width, other._height
        dx, dy = at[0] - x, at[1] - y
        # The square of a sum is at most twice the sum of the squares; most sprites end here.
        if dx * dx + dy * dy < most + factor * (width * width + height * height):
            if dx * dx + dy * dy >= (radius + _HALF * hypot(width, height)) ** 2:
                continue
            if other._angle or (abs(dx) < right + _HALF * abs(width) and abs(dy) < up + _HALF * abs(height)):
                near.append(other)
    return near


def _around(x: float, y: float, reach: float, sprite_list: Any, method: int) -> Iterable[Any]:
    """Returns the sprites of a list, or those that its spatial hash has around a point and in a cell more."""
    spatial_hash = sprite_list.spatial_hash
    if spatial_hash is None or method not in (0, 1):
        return sprite_list  # type: ignore[no-any-return]
    reach += spatial_hash.cell_size
    found: Iterable[Any] = spatial_hash.get_sprites_near_rect(LRBT(x - reach, x + reach, y - reach, y + reach))
    return found


def _colliding(sprite: BasicSprite, sprite_list: Any, method: int, threshold: int) -> list[Any]:
    """Returns the sprites of a list that a sprite collides with."""
    reach = _HALF * (abs(sprite._width) + abs(sprite._height)) + 1
    near = _near(sprite, _around(*sprite._position, reach, sprite_list, method))
    return _overlapping(sprite, [other for other in near if other is not sprite], threshold)


def _placed(sprites: list[Any], threshold: int, origin: tuple[float, float] = (0, 0)) -> Placed:
    """Returns where sprites are, relative to a corner of pixels, and the mask of each."""
    at = (np.array([sprite._position for sprite in sprites], np.float64) - origin) * (1, -1)
    degrees = np.array([sprite._angle for sprite in sprites], np.float64)
    sizes = np.array([(sprite._width, sprite._height) for sprite in sprites], np.float64)
    kept = {texture: _stencil(texture, threshold) for texture in {sprite._texture for sprite in sprites}}
    stencils = [kept[sprite._texture] for sprite in sprites]
    scale = sizes / [(stencil.width, stencil.height) for stencil in stencils]
    for i in np.flatnonzero(((np.abs(scale) > _MOST_SCALE) | (np.abs(scale * sizes) > _MOST_STRETCH)).any(1)).tolist():
        stencils[i] = stencils[i].for_scale(*scale[i])
        scale[i] = sizes[i] / (stencils[i].width, stencils[i].height)
    return [stencil.mask for stencil in stencils], at, degrees, scale
