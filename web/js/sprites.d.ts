import type { BodyId, BodyOptions, World } from './cpu/hitmask.js';
import type { Hitmask } from './hitmask.js';

/** The place at which a sprite is drawn, and its picture. */
export interface Drawn {
  image: HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | ImageBitmap;
  /** [x, y, width, height] of the image. */
  region: [number, number, number, number];
  /** The pixel of the region that lies at (x, y), from its top left corner. */
  anchor: [number, number];
  /** [a, b, c, d], which maps a pixel (x, y) to (a x + b y, c x + d y). */
  matrix: [number, number, number, number];
  x: number;
  y: number;
  /** Whether the sprite has a body in the step. For Pixi and Phaser: whether it and its parents are `visible`. */
  enabled: boolean;
}

/** Returns where Pixi 8 draws a sprite. */
export function pixi(sprite: object): Drawn;

/** Returns where Phaser 4 draws a sprite or an image, without the scroll of a camera. */
export function phaser(sprite: object): Drawn;

/** Pixel-perfect hits between sprites: each has a body that lies where the sprite is drawn. */
export class SpriteHits<Sprite extends object> {
  constructor(hitmask: Hitmask, drawn: (sprite: Sprite) => Drawn, options?: { threshold?: number });
  /** The world of the bodies: for queries, events and saving. */
  readonly world: World;
  /**
   * Adds a sprite, with options of its body such as `layers`, and returns the body's handle. Its shape, place, pose and
   * `enabled` are those of the sprite.
   */
  add(sprite: Sprite, options?: Omit<BodyOptions, keyof Drawn | 'shape'>): BodyId;
  /** Removes a sprite. Its shape goes with the last sprite that has it. */
  remove(sprite: Sprite): void;
  /** Returns the handle of a sprite's body. */
  body(sprite: Sprite): BodyId;
  /** Returns the sprite of a body. */
  sprite(id: BodyId): Sprite;
  /**
   * Moves all bodies to where their sprites are drawn. One that is not visible hits nothing. An error has the sprite that
   * it is about as its `sprite`, and no body has moved then. If something was thrown that cannot hold a `sprite`, such
   * as a string, the error has it as its `cause`.
   */
  update(): void;
  /** Updates, runs a step, and returns the pairs of sprites that share a pixel. Await it before the next. */
  run(): Promise<[Sprite, Sprite][]>;
  /** As `run`, at once, on the CPU. */
  runNow(): [Sprite, Sprite][];
  /** Returns the sprites that have a solid pixel at a point, as of the last update. */
  at(x: number, y: number): Sprite[];
  /** Frees the world. */
  free(): void;
}
