// Canvases that hold bitmaps side by side. A canvas takes more time and memory than a small bitmap.

/** The width of a strip, and the largest sides of a bitmap that goes into one, in pixels. */
const [WIDTH, MOST_WIDTH, MOST_HEIGHT] = [4096, 1024, 256];
/** The least pixels that a bitmap with a canvas of its own counts as: 2,000 such canvases take a second. */
const ALONE = 1 << 15;

// Returns an empty strip. Its canvas is not on the GPU, where each small bitmap takes longer.
function empty(width, height) {
  const canvas = new OffscreenCanvas(width, height);
  return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }), used: 0 };
}

export class Strips {
  // The strips that have space, by height: a power of two. Only their bitmaps keep full ones in memory.
  #open = new Map();

  /** Returns the canvas that holds a bitmap, from `left` and its top; `size` is how many pixels it counts as. */
  add(image) {
    const { width, height } = image;
    const isAlone = width > MOST_WIDTH || height > MOST_HEIGHT;
    const strip = isAlone ? empty(width, height) : this.#strip(width, 2 ** Math.ceil(Math.log2(height)));
    const { canvas, context, used: left } = strip;
    context.putImageData(image, left, 0);
    strip.used += width;
    return { canvas, left, size: isAlone ? Math.max(ALONE, width * height) : width * height };
  }

  // Returns a strip of a height that has space for a width.
  #strip(width, height) {
    const strip = this.#open.get(height);
    if (strip && strip.used + width <= WIDTH) return strip;
    const next = empty(WIDTH, height);
    this.#open.set(height, next);
    return next;
  }
}
