"""Sprites of pygame-ce: its collision functions with the same answers, for thousands of sprites.

`groupcollide`, `spritecollide`, `spritecollideany` and `collide_mask` take the place of those of `pygame.sprite`:

    from hitmask import pygame as hitmask_pygame
    hits = hitmask_pygame.groupcollide(bullets, ships, True, False, hitmask_pygame.collide_mask)

`collide` returns all pairs, and can turn and scale sprites by attributes, without rotated surfaces.

pygame compares each sprite with each other; here only those are compared whose boxes meet. Whole numbers are compared
here, and pygame's own rectangles decide about real ones. Masks that many sprites share are compared as `hitmask.Mask`,
all others by pygame. A sprite without a `mask` gets that of its image, which is kept as long as the image lives: after
drawing on an image, call `forget(image)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Callable
from weakref import WeakKeyDictionary

import numpy as np
import pygame
from pygame.mask import from_surface as _pygame_mask
from pygame.sprite import AbstractGroup
from pygame.sprite import collide_mask as _pygame_collide_mask
from pygame.sprite import collide_rect as _pygame_collide_rect
from pygame.sprite import groupcollide as _pygame_groupcollide
from pygame.sprite import spritecollide as _pygame_spritecollide
from pygame.sprite import spritecollideany as _pygame_spritecollideany

from ._hitmask import Mask, _collisions, _pairs
from ._sprites import Placed
from ._sprites import pairs as turned_pairs

__all__ = [
    "collide",
    "collide_mask",
    "forget",
    "from_surface",
    "groupcollide",
    "mask_of",
    "spritecollide",
    "spritecollideany",
]

#: The mask of pygame, and that of hitmask, of each image that was asked for.
_pygame_masks: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
_masks: WeakKeyDictionary[Any, Mask] = WeakKeyDictionary()
#: Stands for the mask of an image without pixels; a `Mask` has at least one pixel.
_NOTHING = Mask.from_rows(["."])

#: The type of rectangles in whole numbers, and the property `rect` of sprites, a function in Python, which is passed by
#: where a class has no other.
_TYPES = pygame.Rect, getattr(pygame.sprite.Sprite, "rect", None)

_Collided = Callable[[Any, Any], Any]


def mask_of(surface: pygame.Surface) -> pygame.mask.Mask:
    """Returns pygame's mask of an image, as `pygame.mask.from_surface` makes it; kept as long as the image lives."""
    mask = _pygame_masks.get(surface)
    if mask is None:
        mask = _pygame_masks[surface] = _pygame_mask(surface)
    return mask


def from_surface(surface: pygame.Surface, threshold: int = 127) -> Mask:
    """Makes a `hitmask.Mask` of an image: of its alpha above the threshold, or of all but its colour key."""
    return _converted(_pygame_mask(surface, threshold))


def forget(surface: pygame.Surface) -> None:
    """Forgets the masks of an image that was drawn on; they are made anew when they are next needed."""
    _pygame_masks.pop(surface, None)
    _masks.pop(surface, None)


def collide_mask(left: Any, right: Any) -> tuple[int, int] | None:
    """Returns where two sprites share a pixel, as `pygame.sprite.collide_mask` does, with kept masks of images."""
    offset = right.rect[0] - left.rect[0], right.rect[1] - left.rect[1]
    point: tuple[int, int] | None = _own_mask(left).overlap(_own_mask(right), offset)
    return point


def groupcollide(
    groupa: Any, groupb: Any, dokilla: bool, dokillb: bool, collided: _Collided | None = None
) -> dict[Any, list[Any]]:
    """Returns each sprite of the first group that collides, with those of the second that it collides with.

    As `pygame.sprite.groupcollide`, with the same order. `collided` may be any function; `collide_mask` and
    `collide_rect` of pygame, `collide_mask` of this module, and None are fast.
    """
    if not _is_fast(collided):
        return _pygame_groupcollide(groupa, groupb, dokilla, dokillb, collided)
    found = _collisions(_listed(groupa), _listed(groupb), _TYPES, _mask_rule(collided))
    if dokillb:
        # A sprite that one of the first group has killed is no longer there for the next.
        for sprite, others in list(found.items()):
            others[:] = [other for other in others if other in groupb]
            for other in others:
                other.kill()
            if not others:
                del found[sprite]
    if dokilla:
        for sprite in found:
            sprite.kill()
    return found


def spritecollide(sprite: Any, group: Any, dokill: bool, collided: _Collided | None = None) -> list[Any]:
    """Returns the sprites of a group that a sprite collides with, as `pygame.sprite.spritecollide` does."""
    if not _is_mask(collided):
        # One rectangle against a list is fastest in pygame itself.
        return _pygame_spritecollide(sprite, group, dokill, collided)
    found = [other for _, other in _pairs([sprite], _listed(group), _TYPES, _SOURCE)]
    if dokill:
        for other in found:
            other.kill()
    return found


def spritecollideany(sprite: Any, group: Any, collided: _Collided | None = None) -> Any:
    """Returns the first sprite of a group that a sprite collides with, as `pygame.sprite.spritecollideany` does."""
    if not _is_mask(collided):
        return _pygame_spritecollideany(sprite, group, collided)
    found = _pairs([sprite], _listed(group), _TYPES, _SOURCE)
    return found[0][1] if found else None


def collide(
    group_a: Iterable[Any], group_b: Iterable[Any] | None = None, *, mask: bool = True, turned: bool = False
) -> list[tuple[Any, Any]]:
    """Returns all pairs of sprites that collide, in the order of the groups: by their pixels, or by their rectangles.

    Without a second group, the first is compared with itself: each pair once, the earlier sprite first.

    With `turned`, sprites are turned by their attribute `angle`, in degrees counterclockwise as in
    `pygame.transform.rotate`, and scaled by `scale`, a number or one in x and one in y; each is optional. A sprite then
    has its unturned image in `image`, whose centre lies in the middle of `rect`: for odd sides, half a pixel beyond
    `rect.center`, which pygame rounds. Its own `mask`, if any, is of that image.
    """
    a = _listed(group_a)
    b = None if group_b is None else _listed(group_b)
    if not turned:
        return _pairs(a, b, _TYPES, _SOURCE if mask else None)
    if not mask:
        raise ValueError("turned sprites collide by their pixels: `mask` must be True")
    masks: dict[int, Mask] = {}
    return turned_pairs(a, b, lambda sprites: _placed(sprites, masks))


def _placed(sprites: list[Any], masks: dict[int, Mask]) -> Placed:
    """Returns where turned and scaled sprites are, with the masks that were not made yet."""
    rects = [sprite.rect for sprite in sprites]
    at = np.array([(rect[0] + rect[2] / 2, rect[1] + rect[3] / 2) for rect in rects], np.float64).reshape(-1, 2)
    degrees = np.array([-getattr(sprite, "angle", 0.0) for sprite in sprites], np.float64)
    scales: list[Any] = [getattr(sprite, "scale", 1.0) for sprite in sprites]
    scale = np.array([(s, s) if np.ndim(s) == 0 else tuple(s) for s in scales], np.float64)
    return [_turned_mask(sprite, masks) for sprite in sprites], at, degrees, scale


def _turned_mask(sprite: Any, masks: dict[int, Mask]) -> Mask:
    """Returns a sprite's own mask, or that of its image; `masks` has those of this call by what they were made of."""
    own = getattr(sprite, "mask", None)
    source = sprite.image if own is None else own
    made = masks.get(id(source))
    if made is None:
        if not isinstance(source, Mask) and 0 in source.get_size():
            made = _NOTHING
        elif own is None:
            made = _masks.get(source)
            if made is None:
                made = _masks[source] = from_surface(source)
        else:
            made = own if isinstance(own, Mask) else _converted(own)
        masks[id(source)] = made
    return made


def _converted(mask: Any) -> Mask:
    """Returns a mask of pygame as one of hitmask."""
    width, height = mask.get_size()
    if width == 0 or height == 0:
        return Mask.from_array(np.zeros((height, width), bool))
    # pygame keeps its texels in columns of words, the leftmost in the lowest bit.
    words = np.asarray(memoryview(mask))
    size = words.dtype.itemsize * 8
    little = words.astype(words.dtype.newbyteorder("<")).T.copy().view(np.uint8)
    texels = np.unpackbits(little.reshape(height, -1), axis=1, bitorder="little", count=words.shape[0] * size)
    return Mask.from_array(texels[:, :width].astype(bool))


def _listed(sprites: Any) -> list[Any]:
    """Returns sprites in a new list."""
    group = type(sprites)
    if getattr(group, "__iter__", None) is AbstractGroup.__iter__ and group.sprites is AbstractGroup.sprites:
        # Iterating over a group of pygame makes this list, to copy it once more.
        listed: list[Any] = sprites.sprites()
        return listed
    return list(sprites)


def _own_mask(sprite: Any) -> Any:
    """Returns the mask of a sprite: its own, or that of its image."""
    try:
        return sprite.mask
    except AttributeError:
        return mask_of(sprite.image)


def _is_mask(collided: _Collided | None) -> bool:
    return collided is collide_mask or collided is _pygame_collide_mask


def _is_fast(collided: _Collided | None) -> bool:
    return collided is None or collided is _pygame_collide_rect or _is_mask(collided)


def _mask_rule(collided: _Collided | None) -> Any:
    return _SOURCE if _is_mask(collided) else None


#: How masks are found.
_SOURCE = pygame.mask.Mask, mask_of, _converted
