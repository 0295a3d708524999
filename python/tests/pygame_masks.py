"""pygame's class `Mask`, made of `hitmask.Mask`: for pygame's own tests of masks."""

import numpy as np
import pygame

import hitmask

NUMBERS = (int, float)


def pair(value):
    """Returns two numbers as integers, as pygame reads them."""
    if not hasattr(value, "__getitem__") or isinstance(value, (str, dict)) or len(value) != 2:
        raise TypeError("invalid position")
    if not all(isinstance(v, NUMBERS) for v in value):
        raise TypeError("invalid position")
    return tuple(int(v) for v in value)


class Mask:
    """A mask with pygame's methods. A mask without texels has no `hitmask.Mask`."""

    def __init__(self, size, fill=False):
        width, height = pair(size)
        if width < 0 or height < 0:
            raise ValueError("cannot create mask with negative size")
        self.width, self.height = width, height
        self.mask = hitmask.Mask(width, height, fill=bool(fill)) if width and height else None

    @classmethod
    def of(cls, mask):
        made = cls(mask.size)
        made.mask = mask
        return made

    def copy(self):
        made = type(self)((self.width, self.height))
        if self.mask:
            made.mask = self.mask.copy()
        return made

    __copy__ = copy

    def get_size(self):
        return self.width, self.height

    def get_rect(self, **attributes):
        rect = pygame.Rect(0, 0, self.width, self.height)
        for name, value in attributes.items():
            if not hasattr(rect, name):
                raise AttributeError(name)
            setattr(rect, name, value)
        return rect

    def _inside(self, pos):
        x, y = pair(pos)
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"{x}, {y} is out of bounds")
        return x, y

    def get_at(self, pos):
        x, y = self._inside(pos)
        return int(self.mask.get(x, y))

    def set_at(self, pos, value=1):
        x, y = self._inside(pos)
        self.mask.set(x, y, bool(value))

    def _both(self, other, offset):
        if not isinstance(other, Mask):
            raise TypeError("argument 1 must be a mask")
        offset = pair(offset)
        return offset if self.mask and other.mask else None

    def overlap(self, other, offset):
        offset = self._both(other, offset)
        return offset and self.mask.first_overlap(other.mask, offset)

    def overlap_area(self, other, offset):
        offset = self._both(other, offset)
        return self.mask.overlap_area(other.mask, offset) if offset else 0

    def overlap_mask(self, other, offset):
        offset = self._both(other, offset)
        return Mask.of(self.mask.overlap(other.mask, offset)) if offset else Mask((self.width, self.height))

    def fill(self):
        if self.mask:
            self.mask.fill()

    def clear(self):
        if self.mask:
            self.mask.clear()

    def invert(self):
        if self.mask:
            self.mask.invert()

    def scale(self, scale):
        width, height = pair(scale)
        if width < 0 or height < 0:
            raise ValueError("cannot scale mask to negative size")
        if not width or not height or not self.mask:
            return Mask((width, height))
        return Mask.of(self.mask.scaled(width, height))

    def draw(self, other, offset):
        offset = self._both(other, offset)
        if offset:
            self.mask.draw(other.mask, offset)

    def erase(self, other, offset):
        offset = self._both(other, offset)
        if offset:
            self.mask.erase(other.mask, offset)

    def count(self):
        return self.mask.count() if self.mask else 0

    def centroid(self):
        centre = self.mask and self.mask.centroid()
        # pygame takes the mean of the texels' corners, and rounds down.
        return tuple(int(v - 0.5) for v in centre) if centre else (0, 0)

    def angle(self):
        angle = self.mask and self.mask.angle()
        return -angle if angle else 0.0

    def outline(self, every=1):
        points = [tuple(point) for point in self.mask.outline().tolist()] if self.mask else []
        return (points + points[:1] if len(points) > 1 else points)[::every]

    def convolve(self, other, output=None, offset=(0, 0)):
        if not isinstance(other, Mask) or not (output is None or isinstance(output, Mask)):
            raise TypeError("argument must be a mask")
        offset = pair(offset)
        size = max(self.width + other.width - 1, 0), max(self.height + other.height - 1, 0)
        made = Mask(size) if output is None else output
        if made.mask and self.mask and other.mask:
            made.mask.draw(self.mask.overlap_offsets(other.mask), offset)
        return made

    def connected_component(self, pos=None):
        components = self.mask.components() if self.mask else []
        at = None if pos is None else self._inside(pos)
        made = Mask((self.width, self.height))
        if at is not None:
            x, y = at
            components = [(mask, (u, v)) for mask, (u, v) in components if mask.get(x - u, y - v)]
        if components:
            largest, corner = max(components, key=lambda component: component[0].count())
            made.mask.draw(largest, corner)
        return made

    def connected_components(self, minimum=0):
        found = []
        for mask, corner in self.mask.components() if self.mask else []:
            if mask.count() >= minimum:
                found.append(Mask((self.width, self.height)))
                found[-1].mask.draw(mask, corner)
        return found

    def get_bounding_rects(self):
        return [pygame.Rect(box) for box in self.mask.bounding_boxes().tolist()] if self.mask else []

    def texels(self):
        return self.mask.to_array() if self.mask else np.zeros((self.height, self.width), bool)


def from_surface(surface, threshold=127):
    """Makes a mask of a surface."""
    made = pygame_from_surface(surface, threshold)
    if not all(made.get_size()):
        return Mask(made.get_size())
    from hitmask.pygame import _converted

    return Mask.of(_converted(made))


pygame_from_surface = pygame.mask.from_surface
