// The package's entry for browsers: loads one of the two modules, and creates an engine.

const ENGINES = ['auto', 'cpu', 'gpu'];
// A module with a function that returns a vector of 128 bits, and one that returns an object of JavaScript.
const PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], ...[1, 9, 2, 96, 0, 1, 123, 96, 0, 1, 111], ...[3, 3, 2, 0, 1],
  ...[10, 13, 2, 6, 0, 65, 0, 253, 15, 11, 4, 0, 208, 111, 11],
);

export class Hitmask {
  /**
   * Loads the module and creates an engine. `engine` is `auto` (the default: the CPU, and the GPU where it is faster),
   * `cpu` (a smaller download) or `gpu` (an error without one). `software` allows a GPU that computes in software.
   * `module` is the module itself, as bytes or a response, instead of the file beside this one.
   */
  static async create({ engine = 'auto', software = false, module } = {}) {
    if (!ENGINES.includes(engine)) throw new Error(`\`engine\` is \`${engine}\`; it must be one of ${ENGINES.join(', ')}`);
    if (!WebAssembly.validate(PROBE)) {
      throw new Error('no WebAssembly SIMD (simd128) here: it takes Chrome 96, Firefox 105, Safari 16.4, Node 17.2 or later');
    }
    // Without a GPU there is nothing to choose.
    const withGpu = engine === 'gpu' || (engine === 'auto' && Boolean(await globalThis.navigator?.gpu?.requestAdapter()));
    const bindings = withGpu ? await import('./gpu/hitmask.js') : await import('./cpu/hitmask.js');
    const source = module ?? (await Hitmask.source?.(withGpu ? 'gpu' : 'cpu'));
    const { memory } = await bindings.default(source === undefined ? undefined : { module_or_path: await source });
    const { Engine } = bindings;
    if (engine === 'gpu') return new Hitmask(bindings, memory, await Engine.gpu(software));
    return new Hitmask(bindings, memory, withGpu ? Engine.auto() : Engine.cpu());
  }

  constructor({ World, Mask, Shape }, memory, engine) {
    Object.assign(this, { World, Mask, Shape, memory, engine });
  }

  /** Runs a step, on the CPU or the GPU. Await it before the next. Its answer is in the world: `pairs`, `detail`, ... */
  run(world, ask = 'pairs') {
    return this.engine.run(world, ask);
  }

  /** Runs a step at once, on the CPU: `auto` stays on the CPU for it, and an engine on a GPU throws. */
  runNow(world, ask = 'pairs') {
    this.engine.runNow(world, ask);
  }

  /** The engine that answered the last step: `cpu` or `gpu`. While a step is in flight, that of the step before. */
  get name() {
    return this.engine.name;
  }

  /** The device that engine runs on: its threads and vectors, or the name of the GPU. */
  get device() {
    return this.engine.device;
  }

  /** The pairs of the last answer without a copy: a view of the module's memory, valid until the next call of anything. */
  pairsOf(world) {
    return new Uint32Array(this.memory.buffer, world.pairsAddress, 2 * world.pairCount);
  }

  /**
   * Makes a mask of anything that a canvas can draw (an image, a canvas, a bitmap), or of an ImageData. `region` is
   * [x, y, width, height] of a sheet. A pixel is solid if its alpha is at least `threshold`.
   */
  mask(source, { region, threshold = 128 } = {}) {
    if (typeof ImageData !== 'undefined' && source instanceof ImageData && region === undefined) {
      return this.Mask.fromRgba(source.data, source.width, source.height, threshold);
    }
    if (typeof OffscreenCanvas === 'undefined') throw new Error('there is no canvas here to read an image with: use `Mask.fromRgba`');
    if (source.complete === false || source.naturalWidth === 0) {
      throw new Error('the image is not loaded: await `image.decode()` first');
    }
    const [x, y, width, height] = region ?? [0, 0, source.naturalWidth ?? source.width, source.naturalHeight ?? source.height];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (typeof ImageData !== 'undefined' && source instanceof ImageData) context.putImageData(source, -x, -y);
    else context.drawImage(source, -x, -y);
    return this.Mask.fromRgba(context.getImageData(0, 0, width, height).data, width, height, threshold);
  }

  /** Frees the engine. Worlds, masks and shapes have a `free` of their own; without it, they go with the garbage. */
  free() {
    this.engine.free();
  }
}
