// Bodies as they are drawn: the pixels of a sprite, or the outlines of any other body.

import { colourOf } from './inks.js';
import { TICKS, isTrap } from './step.js';

/** The most pixels of a bitmap. Larger sprites are drawn as boxes. */
const MOST = 1 << 24;
/** The largest side of a bitmap: that of the library's masks. */
const MOST_SIDE = 8192;
/** The pixels of a bitmap that a coordinate of an outline counts as. */
const COORDINATE = 32;

// A colour as a word of an image, whose bytes are red, green, blue and alpha.
const wordOf = ([r, g, b]) => new Uint32Array(Uint8Array.of(r, g, b, 255).buffer)[0];

/** Returns a bitmap of pixels in strips; `word` returns the colour of the pixel at an index. */
function bitmapOf({ at, width, height, alpha }, strips, word) {
  const image = new ImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  for (let pixel = 0; pixel < words.length; pixel++) {
    if (alpha[pixel]) words[pixel] = word(pixel);
  }
  return { at, width, height, ...strips.add(image) };
}

/** Returns the bitmap of a sprite, whose edge is stronger than its inside. */
function spriteOf(pixels, strips, colour, { towards, part }) {
  const { width, height, alpha } = pixels;
  const [edge, inside] = [colour, colour.map((channel) => Math.round(towards + (channel - towards) * part))].map(wordOf);
  const isInside = (pixel) => {
    const x = pixel % width;
    const y = (pixel - x) / width;
    if (x === 0 || x === width - 1 || y === 0 || y === height - 1) return false;
    return alpha[pixel - 1] && alpha[pixel + 1] && alpha[pixel - width] && alpha[pixel + width];
  };
  return bitmapOf(pixels, strips, (pixel) => (isInside(pixel) ? inside : edge));
}

/** Returns the path of closed lines, from a point near them: far from it, a canvas rounds coordinates. */
function pathOf(lines, [x0, y0]) {
  const path = new Path2D();
  for (const line of lines) {
    path.moveTo(line[0] - x0, line[1] - y0);
    for (let at = 2; at < line.length; at += 2) path.lineTo(line[at] - x0, line[at + 1] - y0);
    path.closePath();
  }
  return path;
}

const rectangle = ([x0, y0, x1, y1]) => [[x0, y0, x1, y0, x1, y1, x0, y1]];

// Returns whether a box has too many pixels for a bitmap.
const isLarge = (width, height) => Math.max(width, height) > MOST_SIDE || width * height > MOST;

// Returns the path of a body, or the bitmap of a sprite, or its box; `undefined` if it takes more pixels than `room`.
function drawn(world, body, { box, at, room, strips, ink }) {
  if (room <= 0) return undefined;
  const lines = world.outlines(body);
  if (lines) return { path: pathOf(lines, at), size: COORDINATE * lines.reduce((sum, line) => sum + line.length, 0) };
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  if (isLarge(width, height)) return { path: pathOf(rectangle(box), at) };
  if (width * height > room) return undefined;
  try {
    const painted = world.painted(body);
    return painted ? spriteOf(painted, strips, ...ink) : {};
  } catch (error) {
    if (isTrap(error)) throw error;
    return { path: pathOf(rectangle(box), at) };
  }
}

/**
 * Returns a body as it is drawn, where it starts: `canvas`, or `path` from `at`. A moving body also has a `way`: how far
 * it has moved by its first hit and by the end, and where its ghost is. `isRough` is true if the body takes more than
 * `room` pixels, so that its box stands for it.
 */
export function figureOf(step, body, inks, { strips, room }) {
  const { world } = step;
  const colour = colourOf(inks, step.hits[body], body);
  const box = world.bounds(body, false);
  const at = [Math.floor(box[0]), Math.floor(box[1])];
  const parts = drawn(world, body, { box, at, room, strips, ink: [colour, inks.inner] });
  const figure = { colour, size: 0, at, ...(parts ?? { path: pathOf(rectangle(box), at), isRough: true }) };
  const end = step.gone(body, TICKS);
  if (end[0] !== 0 || end[1] !== 0) {
    const middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const hit = step.gone(body, step.ticks[body]);
    // A body that hits at once has no ghost.
    figure.way = { middle, hit, end, ghost: hit[0] === 0 && hit[1] === 0 ? undefined : hit };
  }
  return figure;
}

// Returns pixels with blocks of `side` by `side` in place of pixels; one is set if any of its pixels is.
function blocksOf({ at, width, height, alpha }, side) {
  const [left, top] = at.map((low) => Math.floor(low / side));
  const [right, end] = [Math.floor((at[0] + width - 1) / side), Math.floor((at[1] + height - 1) / side)];
  const wide = right - left + 1;
  const blocks = new Uint8Array(wide * (end - top + 1));
  for (let y = 0; y < height; y++) {
    const row = (Math.floor((at[1] + y) / side) - top) * wide - left;
    for (let x = 0; x < width; x++) {
      if (alpha[y * width + x]) blocks[row + Math.floor((at[0] + x) / side)] = 255;
    }
  }
  return { at: [left * side, top * side], width: wide, height: end - top + 1, alpha: blocks };
}

/**
 * Returns the pixels that a pair shares, as a bitmap of blocks of `side` by `side`, or their box if there are too many;
 * `isRough` is true if a bitmap takes more than `room` pixels.
 */
export function sharedOf(step, pair, inks, { side, strips, room }) {
  const [x, y, width, height] = step.bounds.subarray(4 * pair, 4 * pair + 4);
  const boxed = () => ({ at: [x, y], size: 0, path: pathOf(rectangle([x, y, x + width, y + height]), [x, y]) });
  if (isLarge(width, height)) return boxed();
  if (width * height > room) return { ...boxed(), isRough: true };
  const pixels = step.world.shared(pair);
  if (!pixels) return boxed();
  const word = wordOf(inks.shared);
  const bitmap = bitmapOf(side === 1 ? pixels : blocksOf(pixels, side), strips, () => word);
  return { ...bitmap, side, size: Math.max(bitmap.size, width * height) };
}
