// A scene, its world, and the answer of its step on the CPU.

/** The ticks of a step. */
export const TICKS = 65536;
/** How a file begins that `World.save` has written: "hitmask" and a control byte. */
const SAVED = Uint8Array.of(0x68, 0x69, 0x74, 0x6d, 0x61, 0x73, 0x6b, 0x1a);

let Scene;
let World;
let engine;

/** Loads the library. */
export async function load() {
  // Here, so that a module that is not built is an error that the page can show.
  const module = await import('./module/hitmask.js');
  await module.default();
  ({ Scene, World } = module);
  engine = module.Engine.cpu();
}

// The error of a full stack, which WebAssembly throws too; Firefox has its own.
const FullStack = globalThis.InternalError ?? RangeError;
/** Whether an error is a trap: a defect of the library, or no memory or stack left. The module cannot be used after it. */
export const isTrap = (error) => error instanceof WebAssembly.RuntimeError || error instanceof FullStack;

// Returns the result of `work` on an object of the library, and frees the object. A trap leaves it borrowed: freeing it
// would throw another error in place of the trap.
function using(object, work) {
  let result;
  try {
    result = work(object);
  } catch (error) {
    if (!isTrap(error)) object.free();
    throw error;
  }
  object.free();
  return result;
}

/** Whether a file is a saved world. */
export const isSaved = (bytes) => SAVED.every((byte, at) => bytes[at] === byte);

/** Returns the scene of a saved world as text. */
export function textOfSaved(bytes) {
  return using(World.load(bytes), (world) => using(Scene.ofWorld(world), (scene) => scene.toJson()));
}

// Writes an image file out into a scene. Returns whether a shape uses it.
function writeOut(scene, { name, bytes }) {
  try {
    return scene.writeOut(name, bytes) > 0;
  } catch (error) {
    if (isTrap(error)) throw error;
    throw new Error(`${name}: ${error.message}`);
  }
}

/** Returns the text of a scene with these image files written out, and the names of those that no shape uses. */
export function withImages(text, images) {
  return using(Scene.parse(text), (scene) => {
    const unused = images.filter((image) => !writeOut(scene, image)).map(({ name }) => name);
    return { text: scene.toJson(), unused };
  });
}

export class Step {
  /** Reads a scene and computes its step. Throws the words of `hitmask check`. */
  constructor(text) {
    this.text = text;
    this.scene = Scene.parse(text);
    try {
      this.world = this.scene.world();
      engine.runNow(this.world, 'details');
      this.#read();
    } catch (error) {
      if (!isTrap(error)) this.free();
      throw error;
    }
  }

  // Takes over what is asked for often.
  #read() {
    const { world } = this;
    [this.count, this.pairCount, this.pairs] = [world.count, world.pairCount, world.pairs];
    // The bodies that are in a pair, and the ticks of their first hits; else the end of the step.
    this.hits = new Uint8Array(this.count);
    this.ticks = new Uint32Array(this.count).fill(TICKS);
    // The boxes [x, y, width, height] around the pixels that pairs share; of no width if there are none.
    this.bounds = new Int32Array(4 * this.pairCount);
    this.area = 0;
    for (let pair = 0; pair < this.pairCount; pair++) {
      const { tick = TICKS, area = 0, bounds } = world.detail(pair);
      this.area += area;
      if (bounds) this.bounds.set(bounds, 4 * pair);
      for (const body of this.pairOf(pair)) {
        this.hits[body] = 1;
        this.ticks[body] = Math.min(this.ticks[body], tick);
      }
    }
    // The boxes around the bodies over the whole step; those of empty bodies are nowhere.
    this.boxes = new Float64Array(4 * this.count);
    this.around = [Infinity, Infinity, -Infinity, -Infinity];
    for (let body = 0; body < this.count; body++) {
      const box = world.bounds(body, true) ?? [Infinity, Infinity, -Infinity, -Infinity];
      this.boxes.set(box, 4 * body);
      const [x0, y0, x1, y1] = this.around;
      this.around = [Math.min(x0, box[0]), Math.min(y0, box[1]), Math.max(x1, box[2]), Math.max(y1, box[3])];
    }
  }

  get engine() {
    return engine.device;
  }

  pairOf(pair) {
    return this.pairs.subarray(2 * pair, 2 * pair + 2);
  }

  label(body) {
    return this.scene.label(body);
  }

  /** Returns how far a body has moved by a tick. */
  gone(body, tick) {
    const [[x0, y0], [x1, y1]] = [this.world.positionAt(body, 0), this.world.positionAt(body, tick)];
    return [x1 - x0, y1 - y0];
  }

  /** Returns the bodies that have a point at the start of the step. */
  at(x, y) {
    return this.world.atPoint(x, y).map((id) => this.world.index(id));
  }

  /** Returns the mean of the pixels that a pair shares when it hits; without any, the middle of where its boxes overlap. */
  middle(pair) {
    const { tick = 0, area, sums } = this.world.detail(pair);
    if (area) return sums.map((sum) => Number(sum) / area + 0.5);
    const boxes = [...this.pairOf(pair)].map((body) => {
      const [[x0, y0, x1, y1], [dx, dy]] = [this.world.bounds(body, false), this.gone(body, tick)];
      return [x0 + dx, y0 + dy, x1 + dx, y1 + dy];
    });
    const [[a, b, c, d], [e, f, g, h]] = boxes;
    return [(Math.max(a, e) + Math.min(c, g)) / 2, (Math.max(b, f) + Math.min(d, h)) / 2];
  }

  free() {
    this.world?.free();
    this.scene.free();
  }
}
