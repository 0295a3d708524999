// Bodies as they are drawn: the pixels of a sprite, or the outlines of any other body.

import { colourOf } from './inks.js';
import { TICKS } from './step.js';

/** The most pixels of a bitmap. Larger sprites are drawn as boxes. */
const MOST = 1 << 24;

// A colour as a word of an image, whose bytes are red, green, blue and alpha.
const wordOf = ([r, g, b]) => new Uint32Array(Uint8Array.of(r, g, b, 255).buffer)[0];

/** Returns a bitmap of pixels; `word` returns the colour of the pixel at an index. */
function bitmapOf({ at, width, height, alpha }, word) {
  const image = new ImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  for (let pixel = 0; pixel < words.length; pixel++) {
    if (alpha[pixel]) words[pixel] = word(pixel);
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d').putImageData(image, 0, 0);
  return { at, canvas, size: width * height };
}

/** Returns the bitmap of a sprite, whose edge is stronger than its inside. */
function spriteOf(pixels, colour, { towards, part }) {
  const { width, height, alpha } = pixels;
  const [edge, inside] = [colour, colour.map((channel) => Math.round(towards + (channel - towards) * part))].map(wordOf);
  const isInside = (pixel) => {
    const x = pixel % width;
    const y = (pixel - x) / width;
    if (x === 0 || x === width - 1 || y === 0 || y === height - 1) return false;
    return alpha[pixel - 1] && alpha[pixel + 1] && alpha[pixel - width] && alpha[pixel + width];
  };
  return bitmapOf(pixels, (pixel) => (isInside(pixel) ? inside : edge));
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

/**
 * Returns a body as it is drawn, where it starts: `bitmap`, or `path` from `at`. A moving body also has a `way`: how far
 * it has moved by its first hit and by the end, and where its ghost is.
 */
export function figureOf(step, body, inks) {
  const { world } = step;
  const colour = colourOf(inks, step.hits[body], body);
  const box = world.bounds(body, false);
  const figure = { colour, size: 0, at: [Math.floor(box[0]), Math.floor(box[1])] };
  const lines = world.outlines(body);
  if (lines) {
    figure.path = pathOf(lines, figure.at);
  } else if ((box[2] - box[0]) * (box[3] - box[1]) > MOST) {
    figure.path = pathOf(rectangle(box), figure.at);
  } else {
    const painted = world.painted(body);
    if (painted) Object.assign(figure, spriteOf(painted, colour, inks.inner));
  }
  const end = step.gone(body, TICKS);
  if (end[0] !== 0 || end[1] !== 0) {
    const middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const hit = step.gone(body, step.ticks[body]);
    // A sprite moves by whole pixels. A body that hits at once has no ghost.
    const ghost = figure.path ? hit : hit.map(Math.trunc);
    figure.way = { middle, hit, end, ghost: ghost[0] === 0 && ghost[1] === 0 ? undefined : ghost };
  }
  return figure;
}

/** Returns the bitmap of the pixels that a pair shares; `undefined` if there are none, or too many to draw. */
export function sharedOf(step, pair, inks) {
  if (step.bounds[4 * pair + 2] * step.bounds[4 * pair + 3] > MOST) return undefined;
  const pixels = step.world.shared(pair);
  const word = wordOf(inks.shared);
  return pixels && bitmapOf(pixels, () => word);
}
