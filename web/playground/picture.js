// The picture of a step on a canvas: bodies, their motion, and the pixels that pairs share.
//
// Below are translucent fills, then ghosts, sprites and outlines. Pixels that a pair shares are above all bodies; from a
// zoom at which lines separate the pixels, outlines are above them instead, to show why each is shared.

import { figureOf, sharedOf } from './figure.js';
import { css } from './inks.js';
import { Strips } from './strips.js';
import { View } from './view.js';

/** The least zoom at which lines separate the pixels. */
const GRID_ZOOM = 8;
/** The side of a square of the ground, in pixels of the world, and its least side, in pixels of the screen. */
const [SQUARE, SQUARE_LEAST] = [16, 24];
/** The most pixels of the bitmaps and paths in memory. When they are spent, boxes are drawn. */
const MOST = 1 << 26;
/** The pixels that a figure counts as besides its own, by the time that it takes: 65,000 figures take two seconds. */
const FIGURE = 1024;

export class Picture {
  // The figures of bodies by index, and the shared pixels of pairs by -1 - index.
  #kept = new Map();
  #size = 0;
  #strips = new Strips();
  // The side of the blocks in which shared pixels are kept.
  #side = 1;
  #drawing = 0;

  constructor(canvas, inks) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.inks = inks;
    this.view = new View();
    this.step = undefined;
    // What is drawn with a frame: bodies, and a pair.
    this.chosen = { bodies: [], pair: undefined };
    // Pixels of the screen for one of the page.
    this.ratio = 1;
    // Whether the view follows the scene, as nobody has moved it.
    this.follows = true;
    // Called when other things may be below the pointer.
    this.onDraw = () => {};
    // The browser has emptied the canvas, for example as the GPU was reset.
    canvas.addEventListener('contextrestored', () => this.draw());
  }

  /** Shows a step. */
  show(step) {
    this.step = step;
    this.#forget();
    if (this.follows) this.fit();
    this.draw();
  }

  /** Takes other colours. */
  paint(inks) {
    this.inks = inks;
    this.#forget();
    this.draw();
  }

  /** Takes a size in pixels of the screen, and how many of them are one of the page. */
  resize(width, height, ratio) {
    const { canvas, view } = this;
    view.move((width - canvas.width) / 2, (height - canvas.height) / 2);
    Object.assign(canvas, { width, height });
    this.ratio = ratio;
    if (this.follows) this.fit();
    // At once, since a canvas of a new size is empty.
    this.#draw();
  }

  /** Shows all bodies. */
  fit() {
    const { around } = this.step ?? {};
    const box = around && around[0] <= around[2] ? around : [0, 0, 100, 60];
    this.view.fit(box, this.canvas.width, this.canvas.height);
    this.follows = true;
    this.draw();
  }

  /** Shows a point of the world, if it is not in view. */
  reveal(x, y) {
    const { width, height } = this.canvas;
    const [u, v] = this.view.toScreen(x, y);
    if (u > 0 && v > 0 && u < width && v < height) return;
    this.view.centre(x, y, width, height);
    this.follows = false;
  }

  /** Draws before the browser shows the next frame. */
  draw() {
    this.#drawing ||= requestAnimationFrame(() => this.#draw());
  }

  // Forgets what is kept under keys.
  #forget(keys = [...this.#kept.keys()]) {
    for (const key of keys) {
      this.#size -= FIGURE + this.#kept.get(key).size;
      this.#kept.delete(key);
    }
  }

  // Returns what is kept under a key, or makes it in the room that is left.
  #keep(key, make) {
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = make({ strips: this.#strips, room: MOST - this.#size - FIGURE });
      // The next frame may have room for it.
      if (kept.isRough) return kept;
      this.#kept.set(key, kept);
      this.#size += FIGURE + kept.size;
    }
    return kept;
  }

  #draw() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = 0;
    const { canvas, view, step, inks } = this;
    canvas.dataset.view = [view.zoom, view.x, view.y].join(' ');
    this.onDraw();
    this.#ground();
    if (step === undefined) return;
    const [bodies, pairs] = [this.#bodies(), this.#pairs()];
    this.#makeRoom(bodies, pairs);
    // All are made before the first is drawn: a strip that changes after a bitmap of it was drawn is copied whole.
    const figures = bodies.map((body) => this.#keep(body, (where) => figureOf(step, body, inks, where)));
    const shared = pairs.map((pair) => this.#keep(-1 - pair, (where) => sharedOf(step, pair, inks, { side: this.#side, ...where })));
    for (const figure of figures) this.#fill(figure);
    for (const figure of figures) this.#ghost(figure);
    for (const figure of figures) if (figure.canvas) this.#bitmap(figure, figure.at);
    const isApart = view.zoom >= GRID_ZOOM;
    if (!isApart) for (const figure of figures) this.#outline(figure);
    for (const part of shared) this.#shared(part);
    if (isApart) {
      this.#grid();
      for (const figure of figures) this.#outline(figure);
    }
    for (const figure of figures) if (figure.way) this.#way(figure);
    this.#chosen();
  }

  // Returns whether a box of the world is in view.
  #sees(x0, y0, x1, y1) {
    const [[a, b], [c, d]] = [this.view.toScreen(x0, y0), this.view.toScreen(x1, y1)];
    // Outlines are drawn around their lines.
    return a < this.canvas.width + 4 && c > -4 && b < this.canvas.height + 4 && d > -4;
  }

  // Returns the bodies in view.
  #bodies() {
    const { count, boxes } = this.step;
    return Array.from({ length: count }, (_, body) => body).filter((body) => this.#sees(...boxes.subarray(4 * body, 4 * body + 4)));
  }

  // Returns the pairs that share pixels in view.
  #pairs() {
    const { pairCount, bounds } = this.step;
    return Array.from({ length: pairCount }, (_, pair) => pair).filter((pair) => {
      const [x, y, width, height] = bounds.subarray(4 * pair, 4 * pair + 4);
      return width > 0 && this.#sees(x, y, x + width, y + height);
    });
  }

  // Forgets what is out of view if memory runs short, and shared pixels in blocks of another size.
  #makeRoom(bodies, pairs) {
    const side = Math.max(1, 1 / this.view.zoom);
    if (side !== this.#side) this.#forget([...this.#kept.keys()].filter((key) => key < 0));
    this.#side = side;
    if (this.#size <= MOST / 2) return;
    const seen = new Set(bodies);
    for (const pair of pairs) seen.add(-1 - pair);
    this.#forget([...this.#kept.keys()].filter((key) => !seen.has(key)));
  }

  // Draws in units of the world, from a point of it. Near the point, since a canvas rounds coordinates.
  #at([x, y]) {
    const { zoom } = this.view;
    this.context.setTransform(zoom, 0, 0, zoom, ...this.view.toScreen(x, y));
  }

  // Draws in pixels of the screen.
  #flat() {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
  }

  #ground() {
    const { context, canvas, view, inks } = this;
    this.#flat();
    [context.fillStyle] = inks.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    [, context.fillStyle] = inks.ground;
    let side = SQUARE * view.zoom;
    while (side < SQUARE_LEAST) side *= 2;
    const [left, top] = [Math.floor(-view.x / side), Math.floor(-view.y / side)];
    for (let row = top; row * side + view.y < canvas.height; row++) {
      for (let column = left + ((left + row) & 1); column * side + view.x < canvas.width; column += 2) {
        context.fillRect(column * side + view.x, row * side + view.y, side, side);
      }
    }
  }

  #grid() {
    const { context, canvas, view, inks } = this;
    this.#flat();
    context.fillStyle = inks.grid;
    const first = (origin) => ((origin % view.zoom) + view.zoom) % view.zoom;
    for (let x = first(view.x); x < canvas.width; x += view.zoom) context.fillRect(x, 0, 1, canvas.height);
    for (let y = first(view.y); y < canvas.height; y += view.zoom) context.fillRect(0, y, canvas.width, 1);
  }

  // Draws a bitmap, in which `side` is the side of a pixel.
  #bitmap({ canvas, left, width, height, side = 1 }, at, alpha = 1) {
    const { context, view } = this;
    this.#at(at);
    // Pixels that are smaller than those of the screen are averaged.
    context.imageSmoothingEnabled = side * view.zoom < 1;
    context.globalAlpha = alpha;
    context.drawImage(canvas, left, 0, width, height, 0, 0, side * width, side * height);
    context.globalAlpha = 1;
  }

  #fill({ path, at, colour, way }) {
    if (!path) return;
    const { context } = this;
    this.#at(at);
    context.fillStyle = css(colour, 0.22);
    // By the nonzero rule: parts of a body may overlap, and holes wind opposite to outlines.
    context.fill(path);
    if (!way?.ghost) return;
    this.#at(moved(at, way.ghost));
    context.fillStyle = css(colour, 0.08);
    context.fill(path);
  }

  #ghost(figure) {
    const { path, canvas, at, colour, way } = figure;
    if (!way?.ghost) return;
    if (path) this.#stroke(path, moved(at, way.ghost), css(colour, 0.47), 1.5);
    else if (canvas) this.#bitmap(figure, moved(at, way.ghost), 0.32);
  }

  #outline({ path, at, colour }) {
    if (path) this.#stroke(path, at, css(colour), 2);
  }

  // Draws lines, half a pixel of the world wide, but from 1 to `most` pixels of the page.
  #stroke(path, at, ink, most) {
    const { context, view, ratio } = this;
    this.#at(at);
    context.strokeStyle = ink;
    context.lineJoin = 'round';
    context.lineWidth = Math.min(Math.max(0.5, ratio / view.zoom), (most * ratio) / view.zoom);
    context.stroke(path);
  }

  // Draws a line to the first hit, and a fainter one from there to an arrow at the end.
  #way({ colour, way: { middle, hit, end } }) {
    const [strong, faint] = [css(colour, 0.9), css(colour, 0.43)];
    const hasHit = hit[0] !== end[0] || hit[1] !== end[1];
    this.#line(middle, [[0, 0], hit], strong);
    if (hasHit) this.#line(middle, [hit, end], faint);
    this.#line(middle, this.#barbs(end), hasHit ? faint : strong);
  }

  // Returns the lines of the head of an arrow.
  #barbs([x, y]) {
    const length = Math.hypot(x, y);
    const side = Math.min((6 * this.ratio) / this.view.zoom, length / 2) / length;
    const [dx, dy] = [x * side, y * side];
    return [[x - dx + 0.6 * dy, y - dy - 0.6 * dx], [x, y], [x - dx - 0.6 * dy, y - dy + 0.6 * dx]];
  }

  #line(at, points, ink) {
    const path = new Path2D();
    for (const [x, y] of points) path.lineTo(x, y);
    this.#stroke(path, at, ink, 1.5);
  }

  #shared(shared) {
    if (shared.path) this.#stroke(shared.path, shared.at, css(this.inks.shared), 2);
    else this.#bitmap(shared, shared.at);
  }

  // Draws frames around chosen bodies, and the way out of a chosen pair.
  #chosen() {
    const { context, step, chosen, ratio, inks } = this;
    for (const body of chosen.bodies) {
      const box = step.world.bounds(body, false);
      if (!box) continue;
      const [[x0, y0], [x1, y1]] = [this.view.toScreen(box[0], box[1]), this.view.toScreen(box[2], box[3])];
      this.#flat();
      context.strokeStyle = inks.chosen;
      context.lineWidth = ratio;
      context.setLineDash([4 * ratio, 3 * ratio]);
      context.strokeRect(x0 - 3 * ratio, y0 - 3 * ratio, x1 - x0 + 6 * ratio, y1 - y0 + 6 * ratio);
      context.setLineDash([]);
    }
    if (chosen.pair === undefined) return;
    const middle = step.middle(chosen.pair);
    const { normal, depth } = step.world.contact(chosen.pair);
    const size = (5 * ratio) / this.view.zoom;
    this.#line(middle, [[-size, 0], [size, 0]], inks.out);
    this.#line(middle, [[0, -size], [0, size]], inks.out);
    const push = normal.map((part) => part * depth);
    if (Math.hypot(...push) * this.view.zoom < 2 * ratio) return;
    this.#line(middle, [[0, 0], push], inks.out);
    this.#line(middle, this.#barbs(push), inks.out);
  }
}

const moved = ([x, y], [dx, dy]) => [x + dx, y + dy];
