// The part of the world that a picture shows, and how large. Pixels of the world are whole pixels of the screen, or
// halves, quarters, ..., so that all are equally large.

const ZOOMS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];
/** The level at which the whole world, 2^22 pixels wide, fits in a picture of 128 pixels of the screen. */
const LEAST = -15;
/** The level from which the view does not come closer by itself. */
const NEAR = ZOOMS.indexOf(16);
/** The space around all bodies, in pixels of the world. */
const MARGIN = 6;

export class View {
  // The place of the world's origin in pixels of the screen and parts of them. Small moves add up to whole pixels.
  #exact = [0, 0];

  constructor() {
    this.level = 0;
  }

  /** The place of the world's origin, in whole pixels of the screen from the picture's top left corner. */
  get x() {
    return Math.round(this.#exact[0]);
  }

  get y() {
    return Math.round(this.#exact[1]);
  }

  /** The pixels of the screen for one of the world. */
  get zoom() {
    return this.level < 0 ? 2 ** this.level : ZOOMS[this.level];
  }

  /** Shows a box [x0, y0, x1, y1] of the world in a picture of this size. */
  fit([x0, y0, x1, y1], width, height) {
    const [wide, high] = [x1 - x0 + 2 * MARGIN, y1 - y0 + 2 * MARGIN];
    this.level = NEAR;
    while (this.level > LEAST && (wide * this.zoom > width || high * this.zoom > height)) this.level--;
    this.centre((x0 + x1) / 2, (y0 + y1) / 2, width, height);
  }

  /** Shows a point of the world in the middle of a picture of this size. */
  centre(x, y, width, height) {
    this.#exact = [width / 2 - x * this.zoom, height / 2 - y * this.zoom];
  }

  /** Comes closer by some levels, or goes away, so that the world stays where it is at a point of the screen. */
  closer(levels, x, y) {
    const before = this.zoom;
    this.level = Math.min(Math.max(this.level + levels, LEAST), ZOOMS.length - 1);
    const [left, top] = this.#exact;
    const times = this.zoom / before;
    this.#exact = [x - (x - left) * times, y - (y - top) * times];
  }

  move(dx, dy) {
    this.#exact = [this.#exact[0] + dx, this.#exact[1] + dy];
  }

  toWorld(x, y) {
    return [(x - this.x) / this.zoom, (y - this.y) / this.zoom];
  }

  toScreen(x, y) {
    return [x * this.zoom + this.x, y * this.zoom + this.y];
  }
}
