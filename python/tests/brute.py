"""Judges: the answers by plain numpy, from the rules of docs/contract.md, sharing no code with the library."""

import itertools

import numpy as np


def painted(texels, at, linear=((1.0, 0.0), (0.0, 1.0)), anchor=(0.0, 0.0)):
    """Returns the set of world pixels that a sprite paints: those under whose centre its texel is solid."""
    at = [int(np.floor(256 * v + 0.5)) for v in at]
    anchor = [int(np.floor(256 * v + 0.5)) for v in anchor]
    (a, b), (c, d) = linear
    det = a * d - b * c
    if det == 0:
        return set()
    inverse = [[d / det, -b / det], [-c / det, a / det]]
    if np.abs(inverse).max() > 64:
        return set()
    (p, q), (r, s) = [[int(np.floor(2**16 * v + 0.5)) for v in row] for row in inverse]
    height, width = texels.shape
    reach = int(np.ceil(np.abs([a, b, c, d]).max() * 2 * (width + height + max(map(abs, anchor)) / 256))) + 2
    x0, y0 = at[0] >> 8, at[1] >> 8
    fx, fy = 256 * x0 + 128 - at[0], 256 * y0 + 128 - at[1]
    xs = np.arange(-reach, reach, dtype=np.int64)[None, :]
    ys = np.arange(-reach, reach, dtype=np.int64)[:, None]
    u = ((p * fx + q * fy) >> 8) + (anchor[0] << 8) + p * xs + q * ys >> 16
    v = ((r * fx + s * fy) >> 8) + (anchor[1] << 8) + r * xs + s * ys >> 16
    inside = (u >= 0) & (v >= 0) & (u < width) & (v < height)
    solid = np.zeros(u.shape, bool)
    solid[inside] = texels[v[inside], u[inside]]
    rows, columns = np.nonzero(solid)
    return set(zip((columns + x0 - reach).tolist(), (rows + y0 - reach).tolist()))


def pairs(pixels):
    """Returns the pairs of indices of those sets of pixels that share any, ascending."""
    return [[i, j] for i, j in itertools.combinations(range(len(pixels)), 2) if pixels[i] & pixels[j]]


def detail(a, b):
    """Returns area, bounds, first pixel and sums of the pixels that two sets share."""
    shared = sorted((y, x) for x, y in a & b)
    xs, ys = [x for _, x in shared], [y for y, _ in shared]
    bounds = [min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1]
    return len(shared), bounds, [shared[0][1], shared[0][0]], [sum(xs), sum(ys)]


def overlap(a, b, offset):
    """Returns the texels that are solid in both of two arrays, in the frame of the first."""
    both = np.zeros_like(a)
    for y, x in zip(*np.nonzero(b)):
        u, v = x + offset[0], y + offset[1]
        if 0 <= u < a.shape[1] and 0 <= v < a.shape[0]:
            both[v, u] = a[v, u]
    return both


def boxes(texels):
    """Returns the box of each set of solid texels that are connected, corners included."""
    left, found = set(zip(*np.nonzero(texels)[::-1])), []
    while left:
        component = flood = {left.pop()}
        while flood:
            flood = {(x + u, y + v) for x, y in flood for u in (-1, 0, 1) for v in (-1, 0, 1)} & left
            left -= flood
            component = component | flood
        (xs, ys) = zip(*component)
        found.append((min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1))
    return found
