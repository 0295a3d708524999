// Draws the scene, pixel for pixel as engines see it. `base` is the world pixel in the window's corner. Coordinates are
// made relative to it as integers, before they become floats.

struct View {
    base: vec2<i32>,     // the world pixel in the window's corner
    shift: vec2<f32>,    // the number of its window pixels that lie outside
    size: vec2<f32>,     // the size of the window, in pixels
    zoom: f32,           // window pixels per world pixel
    line: f32,           // the width of lines, in window pixels
    square: i32,         // the side of the background's squares, in world pixels
    grid: f32,           // the brightness of a line around each world pixel
    pad: vec2<f32>,
}

@group(0) @binding(0) var<uniform> view: View;
// A bit for each body, set if it is in any pair: words of 32 bits, row by row.
@group(0) @binding(1) var flags: texture_2d<u32>;
// The brightness of each texel of all sprites, one sprite after another; 0 if it is not solid.
@group(0) @binding(2) var sheet: texture_2d<u32>;

const LATTICE: i32 = 256;

fn clip(at: vec2<f32>) -> vec4<f32> {
    let unit = at / view.size * 2.0 - 1.0;
    return vec4<f32>(unit.x, -unit.y, 0.0, 1.0);
}

// Converts a point of the lattice to a point of the window.
fn in_window(p: vec2<i32>) -> vec2<f32> {
    return vec2<f32>(p - view.base * LATTICE) / f32(LATTICE) * view.zoom - view.shift;
}

// Returns the world pixel under a point of the window, relative to `base`.
fn pixel_under(at: vec2<f32>) -> vec2<i32> {
    return vec2<i32>(floor((at + view.shift) / view.zoom));
}

// Returns a corner of a rectangle around world pixels, a little larger, so that no pixel is lost to rounding.
fn corner(vertex: u32, first: vec2<i32>, size: vec2<i32>) -> vec2<f32> {
    let side = vec2<i32>(i32(vertex & 1u), i32(vertex >> 1u));
    let at = vec2<f32>(first - view.base + side * size) * view.zoom - view.shift;
    return at + vec2<f32>(side * 2 - 1);
}

fn hits(body: u32) -> bool {
    let word = body / 32u;
    let width = textureDimensions(flags).x;
    return ((textureLoad(flags, vec2<u32>(word % width, word / width), 0).x >> (body % 32u)) & 1u) == 1u;
}

// The bit of a body's number that marks it as lit by a ray.
const SHONE: u32 = 0x80000000u;

// Returns a body's colour: that of light if a ray lights it, else a warm one if it hits, else a cool one. Warm and cool
// colours are those of `hitmask render`.
fn colour(body: u32) -> vec3<f32> {
    if (body & SHONE) != 0u {
        return vec3(0.69, 1.0, 0.55);
    }
    var warm = array<vec3<f32>, 4>(
        vec3(255.0, 122.0, 89.0),
        vec3(255.0, 164.0, 62.0),
        vec3(240.0, 92.0, 118.0),
        vec3(246.0, 196.0, 84.0),
    );
    var cool = array<vec3<f32>, 4>(
        vec3(92.0, 138.0, 214.0),
        vec3(74.0, 168.0, 190.0),
        vec3(124.0, 128.0, 206.0),
        vec3(98.0, 160.0, 154.0),
    );
    return select(cool[body % 4u], warm[body % 4u], hits(body)) / 255.0;
}

// The chequered background, with the edges of world pixels if these are large.

@vertex
fn ground_vertex(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn ground_fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = pixel_under(at.xy) + view.base;
    let square = vec2<i32>(floor(vec2<f32>(pixel) / f32(view.square)));
    var ground = select(vec3(19.0, 21.0, 33.0), vec3(23.0, 26.0, 40.0), ((square.x + square.y) & 1) == 1) / 255.0;
    let within = fract((at.xy + view.shift) / view.zoom) * view.zoom;
    if any(within < vec2<f32>(1.0)) {
        ground += vec3<f32>(view.grid);
    }
    return vec4<f32>(ground, 1.0);
}

// Sprites: each pixel shows the texel that the engine samples for it.

struct Sprite {
    @location(0) first: vec2<i32>,      // the first world pixel that it may paint
    @location(1) size: vec2<i32>,       // the number of these pixels
    @location(2) inverse: vec4<i32>,    // texels per pixel, 16 fractional bits, row by row
    @location(3) start: vec2<i32>,      // the texel coordinate under the first pixel's centre, its lower 32 bits
    @location(4) about: vec2<f32>,      // the same coordinate in full, rounded
    @location(5) texels: vec2<i32>,     // the mask's size
    @location(6) sheet: u32,            // the position at which its texels begin
    @location(7) body: u32,
    @location(8) alpha: f32,
}

struct SpriteAt {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) first: vec2<i32>,
    @location(1) @interpolate(flat) size: vec2<i32>,
    @location(2) @interpolate(flat) inverse: vec4<i32>,
    @location(3) @interpolate(flat) start: vec2<i32>,
    @location(4) @interpolate(flat) about: vec2<f32>,
    @location(5) @interpolate(flat) texels: vec2<i32>,
    @location(6) @interpolate(flat) sheet: u32,
    @location(7) @interpolate(flat) colour: vec4<f32>,
}

@vertex
fn sprite_vertex(@builtin(vertex_index) vertex: u32, sprite: Sprite) -> SpriteAt {
    let at = clip(corner(vertex, sprite.first, sprite.size));
    let colour = vec4<f32>(colour(sprite.body), sprite.alpha);
    return SpriteAt(
        at,
        sprite.first,
        sprite.size,
        sprite.inverse,
        sprite.start,
        sprite.about,
        sprite.texels,
        sprite.sheet,
        colour,
    );
}

@fragment
fn sprite_fragment(sprite: SpriteAt) -> @location(0) vec4<f32> {
    let pixel = pixel_under(sprite.at.xy) + view.base - sprite.first;
    if any(pixel < vec2<i32>(0)) || any(pixel >= sprite.size) {
        discard;
    }
    // 32 bits wrap around for a pixel far from the mask; comparing with floats detects that.
    let steps = sprite.inverse * pixel.xyxy;
    let coordinate = sprite.start + vec2<i32>(steps.x + steps.y, steps.z + steps.w);
    let wide = vec4<f32>(sprite.inverse) * vec4<f32>(pixel.xyxy);
    let about = sprite.about + vec2<f32>(wide.x + wide.y, wide.z + wide.w);
    let texel = coordinate >> vec2<u32>(16u);
    let wrapped = any(abs(about - vec2<f32>(coordinate)) > vec2<f32>(1e9));
    if wrapped || any(texel < vec2<i32>(0)) || any(texel >= sprite.texels) {
        discard;
    }
    let index = sprite.sheet + u32(texel.y) * u32(sprite.texels.x) + u32(texel.x);
    let width = textureDimensions(sheet).x;
    let light = textureLoad(sheet, vec2<u32>(index % width, index / width), 0).x;
    if light == 0u {
        discard;
    }
    return vec4<f32>(sprite.colour.rgb * (f32(light) / 255.0), sprite.colour.a);
}

// Fills: the interiors of polygons.

struct Fill {
    @location(0) at: vec2<i32>,         // in lattice steps
    @location(1) body: u32,
}

struct FillAt {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) colour: vec4<f32>,
}

@vertex
fn fill_vertex(fill: Fill) -> FillAt {
    return FillAt(clip(in_window(fill.at)), vec4<f32>(colour(fill.body), INSIDE));
}

@fragment
fn fill_fragment(fill: FillAt) -> @location(0) vec4<f32> {
    return fill.colour;
}

// Strokes: all points within a radius of a segment. Circles and capsules are strokes; outlines, bounds and paths are
// strokes of radius 0.

const INSIDE: f32 = 0.42;

struct Stroke {
    @location(0) ends: vec4<i32>,       // in lattice steps
    @location(1) radius: i32,           // in lattice steps
    @location(2) body: u32,
    @location(3) style: u32,
}

struct StrokeAt {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) ends: vec4<f32>,
    @location(1) @interpolate(flat) radius: f32,
    @location(2) @interpolate(flat) colour: vec4<f32>,
    @location(3) @interpolate(flat) inside: f32,
}

@vertex
fn stroke_vertex(@builtin(vertex_index) vertex: u32, stroke: Stroke) -> StrokeAt {
    let from_end = in_window(stroke.ends.xy);
    let to_end = in_window(stroke.ends.zw);
    let radius = f32(stroke.radius) / f32(LATTICE) * view.zoom;
    // A rectangle along the segment, with room for the line.
    let reach = radius + view.line + 1.0;
    let far = length(to_end - from_end);
    let along = select(vec2<f32>(1.0, 0.0), (to_end - from_end) / far, far > 0.0) * reach;
    let aside = vec2<f32>(-along.y, along.x);
    let end = select(from_end - along, to_end + along, (vertex & 1u) == 1u);
    let at = clip(select(end - aside, end + aside, (vertex >> 1u) == 1u));
    var inside = 0.0;
    var tint = vec4<f32>(1.0);
    switch stroke.style {
        case 0u: { tint = vec4<f32>(colour(stroke.body), 1.0); inside = INSIDE; }       // a body's interior and edge
        case 1u: { tint = vec4<f32>(colour(stroke.body), 1.0); }                        // a body's edge
        case 2u: { tint = vec4<f32>(colour(stroke.body), 0.45); }                       // a body at its end
        case 3u: { tint = vec4<f32>(0.62, 0.66, 0.78, 0.38); }                          // bounds
        case 4u: { tint = vec4<f32>(0.86, 0.66, 1.0, 0.85); }                          // candidates
        case 6u: { tint = vec4<f32>(0.42, 1.0, 0.47, 0.95); }                          // a laser beam
        case 7u: { tint = vec4<f32>(0.86, 0.87, 0.93, 0.3); }                          // the line to the nearest body
        default: { tint = vec4<f32>(1.0, 1.0, 1.0, 0.9); }                              // the bounds of the held body
    }
    return StrokeAt(at, vec4<f32>(from_end, to_end), radius, tint, inside);
}

@fragment
fn stroke_fragment(stroke: StrokeAt) -> @location(0) vec4<f32> {
    let from_end = stroke.at.xy - stroke.ends.xy;
    let along = stroke.ends.zw - stroke.ends.xy;
    let share = clamp(dot(from_end, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    let away = length(from_end - along * share) - stroke.radius;
    let line = clamp(view.line / 2.0 + 0.5 - abs(away), 0.0, 1.0);
    let inside = stroke.inside * clamp(0.5 - away, 0.0, 1.0);
    let alpha = max(line, inside) * stroke.colour.a;
    if alpha == 0.0 {
        discard;
    }
    return vec4<f32>(stroke.colour.rgb, alpha);
}

// The pixels that two bodies share.

struct Lit {
    @location(0) first: vec2<i32>,      // a world pixel
    @location(1) count: i32,            // the number of pixels, from it to the right
}

struct LitAt {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) first: vec2<i32>,
    @location(1) @interpolate(flat) count: i32,
}

@vertex
fn lit_vertex(@builtin(vertex_index) vertex: u32, lit: Lit) -> LitAt {
    return LitAt(clip(corner(vertex, lit.first, vec2<i32>(lit.count, 1))), lit.first, lit.count);
}

@fragment
fn lit_fragment(lit: LitAt) -> @location(0) vec4<f32> {
    let pixel = pixel_under(lit.at.xy) + view.base - lit.first;
    if any(pixel < vec2<i32>(0)) || any(pixel >= vec2<i32>(lit.count, 1)) {
        discard;
    }
    return vec4<f32>(255.0, 255.0, 226.0, 255.0) / 255.0;
}
