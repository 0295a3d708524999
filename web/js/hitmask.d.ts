import type { Ask, Mask, Shape, World } from './cpu/hitmask.js';

export type * from './cpu/hitmask.js';

export interface CreateOptions {
  /** `auto`, the default: the CPU, and the GPU where that is faster. `cpu`: a smaller download. `gpu`: or an error. */
  engine?: 'auto' | 'cpu' | 'gpu';
  /** Whether `gpu` may be a driver that computes in software. */
  software?: boolean;
  /** The WebAssembly module, instead of the file beside the package's JavaScript. */
  module?: BufferSource | WebAssembly.Module | Response | Promise<Response> | URL | string;
}

/** The library: its classes, and an engine. */
export class Hitmask {
  /** Loads the module and creates an engine. */
  static create(options?: CreateOptions): Promise<Hitmask>;
  readonly World: typeof World;
  readonly Mask: typeof Mask;
  readonly Shape: typeof Shape;
  readonly memory: WebAssembly.Memory;
  /** Runs a step, on the CPU or the GPU. Await it before the next. Its answer is in the world. */
  run(world: World, ask?: Ask): Promise<void>;
  /** Runs a step at once, on the CPU. An engine on a GPU throws. */
  runNow(world: World, ask?: Ask): void;
  /** The engine that answered the last step. While a step is in flight, that of the step before. */
  readonly name: 'cpu' | 'gpu';
  /** The device that engine runs on: its threads and vectors, or the name of the GPU. */
  readonly device: string;
  /** The pairs of the last answer without a copy: valid until the next call of anything. */
  pairsOf(world: World): Uint32Array;
  /** Makes a mask of an image, a canvas, a bitmap or an ImageData. */
  mask(
    source: ImageData | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | ImageBitmap,
    options?: { region?: [number, number, number, number]; threshold?: number },
  ): Mask;
  /** Frees the engine. */
  free(): void;
}
