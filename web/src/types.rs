//! The TypeScript types of plain objects.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The handle of a body. It never names another body, also after the body was removed. */
export type BodyId = bigint;
/** The handle of a shape. */
export type ShapeId = bigint;
/** Numbers; they are copied. */
export type Numbers = Float32Array | Float64Array | number[];
/** Whole numbers from 0 to 255; they are copied. */
export type Bytes = Uint8Array | Uint8ClampedArray | number[];
/** The indices of bodies; they are copied. */
export type Indices = Uint32Array | number[];
/** The parts of the answer that a step computes: which bodies hit; also all pairs; also the details of each pair. */
export type Ask = 'flags' | 'pairs' | 'details';

/** The fields of a body. Lengths are in pixels, y points down. */
export interface BodyOptions {
  shape?: ShapeId;
  x?: number;
  y?: number;
  /** The motion within the step. The body is tested on its whole way. */
  dx?: number;
  dy?: number;
  /** Clockwise. An option of the pose, like those up to `matrix`: `set` resets those of them that are not given. */
  degrees?: number;
  /** Clockwise; instead of `degrees`. */
  radians?: number;
  scale?: number;
  scaleX?: number;
  scaleY?: number;
  flipX?: boolean;
  flipY?: boolean;
  /** A matrix [a, b, c, d], which maps (x, y) to (a x + b y, c x + d y); instead of the angle, scale and flip. */
  matrix?: [number, number, number, number];
  /** The layers that the body is on, a bit each; 1 by default. */
  layers?: number;
  /** The layers that the body hits, a bit each; all by default. */
  mask?: number;
  /**
   * True if the body is a detector, such as a zone, a trigger or a field of view: it hits the bodies on the layers of
   * its mask even if they do not hit its own layers. False by default.
   */
  detector?: boolean;
  /** Bodies of the same group do not hit each other; 0, the default, is no group. */
  group?: number;
  enabled?: boolean;
  /** A number of your own, below 2^53. */
  tag?: number;
}

/** A body as the world has it. */
export interface BodyState {
  shape: ShapeId;
  x: number;
  y: number;
  dx: number;
  dy: number;
  matrix: [number, number, number, number];
  layers: number;
  mask: number;
  detector: boolean;
  group: number;
  enabled: boolean;
  tag: number;
}

/** The time at which a pair first hits within the step, and the pixels that the two bodies share at that time. */
export interface Detail {
  /** The tick of first contact, 0 to 65,536, the end of the step; `undefined` if neither body moves. */
  tick?: number;
  /**
   * The number of shared pixels: those that two sprites both paint, or those of one sprite that the other body has
   * overlapped by then. 0 if the two only touch; `undefined` for a pair without a sprite.
   */
  area?: number;
  /** [x, y, width, height] of the shared pixels in the world; `undefined` if there are none, as are `first` and `sums`. */
  bounds?: [number, number, number, number];
  /** The leftmost shared pixel of the top row, [x, y]. */
  first?: [number, number];
  /** The sums of the shared pixels' x and of their y. */
  sums?: [bigint, bigint];
}

/** The way out of a hit: moved by (pushX, pushY), the first body no longer hits the second. */
export interface Contact {
  normal: [number, number];
  depth: number;
  pushX: number;
  pushY: number;
}

/** The stop of a body at its first hit. */
export interface Stop {
  /** The body in the way. */
  other: BodyId;
  /** The position before the hit. */
  x: number;
  y: number;
  /** The tick of the hit, of 65,536 in the motion. */
  tick: number;
  normal: [number, number];
  /** The remaining motion. */
  leftX: number;
  leftY: number;
  /** The remaining motion along the side that was hit. */
  slideX: number;
  slideY: number;
}

/** The end of a body's way, and its stops. */
export interface Way {
  x: number;
  y: number;
  /** The stops on the way: at most one for a sweep, any number for a slide. */
  stops: Stop[];
}

/** A body that a ray hits. */
export interface RayHit {
  body: BodyId;
  /** The part of the ray before the hit, 0 to 1. */
  fraction: number;
  x: number;
  y: number;
  normal: [number, number];
}

/** A body near a point. */
export interface NearestHit {
  body: BodyId;
  distance: number;
}

/** A pair of bodies that began to hit, still hits, or no longer hits: an entry of `began`, `stayed` or `ended`. */
export interface Met {
  /** The body with the lower index. If the pair ended, either body may have been removed. */
  a: BodyId;
  b: BodyId;
  /** The tags of the two bodies at the last step in which they hit. */
  tags: [number, number];
  /** The index of the pair in `pairs`, for `detail` and `contact`; `undefined` for a pair that ended. */
  hit?: number;
}

/** The options of a question without a step. Each question ignores those that are not for it. */
export interface QueryOptions {
  /** The layers to search, a bit each; all by default. */
  mask?: number;
  /** Half the thickness of a ray. */
  radius?: number;
  /** The largest distance of the nearest bodies. */
  within?: number;
  /** The most bodies to return. */
  count?: number;
}
"#;
