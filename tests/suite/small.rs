//! Small worlds, all of them: every pair of masks up to 3 x 3 at every offset, flip and quarter turn; boxes, circles
//! and masks on a lattice of a quarter unit; motions of a few lattice steps. The expected answer is computed from whole
//! numbers, by code that shares nothing with the engines; for motions the definition is the judge.
//!
//! `./test` takes a part of each family, spread over all of it, and `./attack` takes every world.

use hitmask::{Ask, Body, Detail, Hits, Linear, Mask, Shape, ShapeId, Touch, World};

use crate::common::{self, Gpu, Runner, Setup};

const TOUCHES: [Touch; 2] = [Touch::Excluded, Touch::Included];
/// The distance between two pairs of one world, in units.
const APART: i32 = 32;
/// The most pairs of one world.
const CHUNK: usize = 100_000;
/// The most where the definition is the judge, which compares all bodies of a world with each other.
const DEFINED: usize = 250;

/// A family of worlds with two bodies each.
trait Family {
    /// The number of worlds.
    fn len(&self) -> u64;
    /// Adds all shapes of the family to a world.
    fn shapes(&self, world: &mut World) -> Vec<ShapeId>;
    /// Returns the two bodies of a world, in units from the place of the pair.
    fn bodies(&self, number: u64, shapes: &[ShapeId]) -> [Body; 2];
    /// Returns whether they hit, or `None` if the definition has to say.
    fn hit(&self, number: u64, touch: Touch) -> Option<bool>;
    /// Describes a world.
    fn tell(&self, number: u64) -> String;
}

/// Compares `count` worlds of a family with their answers, in an order that jumps through it and takes each once.
fn check(family: &dyn Family, count: u64, chunk: usize, runners: &mut [Runner]) {
    let len = family.len();
    let count = count.min(len);
    // Near the golden section, and without a factor that the number of worlds has.
    let step = (len * 618 / 1000..len).find(|step| gcd(*step, len) == 1).unwrap();
    let number = |k: u64| (u128::from(k) * u128::from(step) % u128::from(len)) as u64;
    for touch in TOUCHES {
        for from in (0..count).step_by(chunk) {
            let numbers: Vec<u64> = (from..count.min(from + chunk as u64)).map(number).collect();
            check_chunk(family, &numbers, touch, runners);
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn check_chunk(family: &dyn Family, numbers: &[u64], touch: Touch, runners: &mut [Runner]) {
    let mut world = World::new(touch);
    let shapes = family.shapes(&mut world);
    for (k, &number) in numbers.iter().enumerate() {
        let place = [k as i32 % 1024, k as i32 / 1024].map(|v| f64::from(v * APART));
        for body in family.bodies(number, &shapes) {
            world.add(&Body { at: body.at + place, ..body }).unwrap();
        }
    }
    let expected: Option<Vec<bool>> = numbers.iter().map(|&number| family.hit(number, touch)).collect();
    let defined = expected.is_none().then(|| Setup::Reference.runner().engine.run(&world, Ask::Details).unwrap());
    for Runner { setup, engine } in runners {
        let hits = engine.run(&world, Ask::Details).unwrap();
        hits.validate(Ask::Details);
        assert!(hits.pairs.iter().all(|[a, b]| a % 2 == 0 && b - a == 1), "only the two of a world hit, on {setup}");
        for (k, &number) in numbers.iter().enumerate() {
            let found = of_pair(&hits, k);
            let is_right = match (&expected, &defined) {
                (Some(expected), _) => found.is_some() == expected[k],
                (None, defined) => defined.as_ref().is_some_and(|defined| found == of_pair(defined, k)),
            };
            assert!(is_right, "{}, {touch:?}, on {setup}: {found:?}", family.tell(number));
        }
    }
}

/// Returns the details of the `k`-th pair of a world, if it hits.
fn of_pair(hits: &Hits, k: usize) -> Option<&Detail> {
    let index = hits.pairs.binary_search(&[2 * k as u32, 2 * k as u32 + 1]).ok()?;
    Some(&hits.details[index])
}

/// Checks worlds on each engine: fewer where it takes long.
fn check_on_all(family: &dyn Family) {
    let (small, mut large): (Vec<_>, Vec<_>) = common::runners().into_iter().partition(|runner| {
        // The reference compares all bodies with each other, and little room takes many runs.
        matches!(runner.setup, Setup::Reference | Setup::Gpu(Gpu::Cramped))
    });
    check(family, 20_000, CHUNK, &mut large);
    for runner in small {
        check(family, 500, CHUNK, &mut [runner]);
    }
}

/// The eight flips and quarter turns, as rows of a matrix.
const TURNS: [[[i32; 2]; 2]; 8] = [
    [[1, 0], [0, 1]],
    [[0, -1], [1, 0]],
    [[-1, 0], [0, -1]],
    [[0, 1], [-1, 0]],
    [[-1, 0], [0, 1]],
    [[1, 0], [0, -1]],
    [[0, 1], [1, 0]],
    [[0, -1], [-1, 0]],
];

fn linear(turn: usize) -> Linear {
    let [x, y] = TURNS[turn].map(|row| row.map(f64::from));
    Linear { x, y }
}

/// Takes the next digit of a number in a mixed base.
fn digit(number: &mut u64, base: usize) -> usize {
    let digit = *number % base as u64;
    *number /= base as u64;
    digit as usize
}

/// Returns whether a texel of a mask of `side` x `side` is solid; the mask's number has a bit for each.
fn texel(mask: usize, side: i32, x: i32, y: i32) -> bool {
    (0..side).contains(&x) && (0..side).contains(&y) && mask >> (side * y + x) & 1 == 1
}

fn mask(mask: usize, side: i32) -> Shape {
    let solid = |x, y| texel(mask, side, x as i32, y as i32);
    Shape::sprite(Mask::from_fn(side as u32, side as u32, solid).unwrap())
}

/// Returns the pixels within 4 of the origin, row by row, that a mask paints from a place in quarter units: those whose
/// centre is in a solid texel. The inverse of a turn is its transpose.
fn painted(number: usize, side: i32, turn: usize, at: [i32; 2]) -> u64 {
    let [[a, b], [c, d]] = TURNS[turn];
    let mut pixels = 0;
    for (bit, [x, y]) in (0..64).map(|bit| (bit, [bit % 8 - 4, bit / 8 - 4])) {
        let [x, y] = [4 * x + 2 - at[0], 4 * y + 2 - at[1]];
        let [u, v] = [(a * x + c * y).div_euclid(4), (b * x + d * y).div_euclid(4)];
        pixels |= u64::from(texel(number, side, u, v)) << bit;
    }
    pixels
}

/// All pairs of 512 masks of 3 x 3 texels, with those of fewer texels among them; at all offsets at which two of them
/// can touch; the first unturned or turned by a quarter, the second by each flip and turn.
struct Masks {
    /// The pixels of each mask in each turn, and those at most one away.
    still: Vec<[u64; 2]>,
    /// The pixels of each mask in each turn at each offset.
    moved: Vec<u64>,
}

impl Masks {
    /// Each mask covers at most 3 pixels on each side of its place.
    const OFFSETS: usize = 13;

    fn new() -> Self {
        let wide = |pixels: u64| {
            let (no_first, no_last) = (!0x0101_0101_0101_0101_u64, !0x8080_8080_8080_8080_u64);
            let row = pixels | (pixels & no_last) << 1 | (pixels & no_first) >> 1;
            row | row << 8 | row >> 8
        };
        let all = |from: fn(usize) -> [i32; 2], offsets: usize| {
            let turned = move |k: usize| painted(k / offsets / 8, 3, k / offsets % 8, from(k % offsets));
            (0..512 * 8 * offsets).map(turned)
        };
        let offset = |k| Self::offset(k).map(|v| 4 * v);
        Self {
            still: all(|_| [0, 0], 1).map(|pixels| [pixels, wide(pixels)]).collect(),
            moved: all(offset, Self::OFFSETS * Self::OFFSETS).collect(),
        }
    }

    /// Returns an offset by its number, in pixels.
    fn offset(number: usize) -> [i32; 2] {
        [number % Self::OFFSETS, number / Self::OFFSETS].map(|v| v as i32 - 6)
    }

    /// Returns the two masks, their turns, and the number of the offset.
    fn parts(mut number: u64) -> ([usize; 2], [usize; 2], usize) {
        let masks = [(); 2].map(|()| digit(&mut number, 512));
        let turns = [digit(&mut number, 2), digit(&mut number, 8)];
        (masks, turns, number as usize)
    }
}

impl Family for Masks {
    fn len(&self) -> u64 {
        512 * 512 * 2 * 8 * (Self::OFFSETS * Self::OFFSETS) as u64
    }

    fn shapes(&self, world: &mut World) -> Vec<ShapeId> {
        (0..512).map(|number| world.add_shape(mask(number, 3)).unwrap()).collect()
    }

    fn bodies(&self, number: u64, shapes: &[ShapeId]) -> [Body; 2] {
        let (masks, turns, offset) = Self::parts(number);
        let [a, b] = [0, 1].map(|k| Body::new(shapes[masks[k]], [0.0, 0.0]).posed(linear(turns[k])));
        [a, Body { at: Self::offset(offset).map(f64::from).into(), ..b }]
    }

    fn hit(&self, number: u64, touch: Touch) -> Option<bool> {
        let ([a, b], [turn_a, turn_b], offset) = Self::parts(number);
        let first = self.still[8 * a + turn_a][usize::from(touch == Touch::Included)];
        Some(first & self.moved[(8 * b + turn_b) * Self::OFFSETS * Self::OFFSETS + offset] != 0)
    }

    fn tell(&self, number: u64) -> String {
        let (masks, turns, offset) = Self::parts(number);
        let offset = Self::offset(offset);
        format!("masks {masks:?} of 3 x 3, turned by {:?}, at {offset:?}", turns.map(|turn| TURNS[turn]))
    }
}

/// The forms of the lattice of a quarter unit: boxes, circles, and all masks of 2 x 2 texels.
#[derive(Clone, Copy, Debug)]
enum Form {
    Box([i32; 2]),
    Circle(i32),
    Mask(usize),
}

fn forms() -> Vec<Form> {
    let boxes = (0..9).map(|k| Form::Box([1 + k % 3, 1 + k / 3]));
    boxes.chain((1..=3).map(Form::Circle)).chain((0..16).map(Form::Mask)).collect()
}

fn quarters(value: i32) -> f64 {
    f64::from(value) / 4.0
}

impl Form {
    fn shape(self) -> Shape {
        match self {
            Self::Box([w, h]) => Shape::rect(quarters(w), quarters(h)).unwrap(),
            Self::Circle(radius) => Shape::circle(quarters(radius)).unwrap(),
            Self::Mask(number) => mask(number, 2),
        }
    }

    /// Returns boxes `[x0, y0, x1, y1]` with a radius, in quarter units, whose union the form covers from a place.
    fn covers(self, turn: usize, at: [i32; 2]) -> Vec<([i32; 4], i32)> {
        let [[a, b], [c, d]] = TURNS[turn];
        match self {
            Self::Box([w, h]) => {
                let ([x, y], [u, v]) = (at, [at[0] + a * w + b * h, at[1] + c * w + d * h]);
                vec![([x.min(u), y.min(v), x.max(u), y.max(v)], 0)]
            }
            Self::Circle(radius) => vec![([at[0], at[1], at[0], at[1]], radius)],
            Self::Mask(number) => {
                let whole = at.map(|v| v.div_euclid(4));
                let pixels = painted(number, 2, turn, at.map(|v| v.rem_euclid(4)));
                let pixel = |bit: i32| [4 * (whole[0] + bit % 8 - 4), 4 * (whole[1] + bit / 8 - 4)];
                let solid = (0..64).filter(|bit| pixels >> bit & 1 == 1).map(pixel);
                solid.map(|[x, y]| ([x, y, x + 4, y + 4], 0)).collect()
            }
        }
    }
}

/// Returns whether two boxes with radii hit: by the distance of the boxes, or, without a radius, by their interiors.
fn boxes_hit((a, r): ([i32; 4], i32), (b, s): ([i32; 4], i32), touch: Touch) -> bool {
    let gap = [0, 1].map(|k| (a[k] - b[k + 2]).max(b[k] - a[k + 2]));
    let reach = r + s;
    match (touch, reach) {
        (Touch::Excluded, 0) => gap.iter().all(|gap| *gap < 0),
        (Touch::Excluded, _) => square(gap) < reach * reach,
        (Touch::Included, _) => square(gap) <= reach * reach,
    }
}

fn square(gap: [i32; 2]) -> i32 {
    gap.iter().map(|gap| gap.max(&0).pow(2)).sum()
}

/// All pairs of forms on the lattice of a quarter unit, at all offsets at which two of them can touch; the second by
/// each flip and turn.
struct Quarters(Vec<Form>);

impl Quarters {
    /// Each form covers at most 8 quarter units on each side of its place, and 2 more where pixels are rounded to.
    const OFFSETS: usize = 41;

    /// Returns the two forms, the second's turn, and the places of both in quarter units.
    fn parts(&self, mut number: u64) -> ([Form; 2], usize, [[i32; 2]; 2]) {
        let forms = [(); 2].map(|()| self.0[digit(&mut number, self.0.len())]);
        let turn = digit(&mut number, 8);
        let offset = [(); 2].map(|()| digit(&mut number, Self::OFFSETS) as i32 - 20);
        let first = [(); 2].map(|()| digit(&mut number, 4) as i32);
        (forms, turn, [first, [first[0] + offset[0], first[1] + offset[1]]])
    }
}

impl Family for Quarters {
    fn len(&self) -> u64 {
        (self.0.len() * self.0.len() * 8 * Self::OFFSETS * Self::OFFSETS * 16) as u64
    }

    fn shapes(&self, world: &mut World) -> Vec<ShapeId> {
        self.0.iter().map(|form| world.add_shape(form.shape()).unwrap()).collect()
    }

    fn bodies(&self, mut number: u64, shapes: &[ShapeId]) -> [Body; 2] {
        let (_, turn, places) = self.parts(number);
        let [a, b] = [(); 2].map(|()| shapes[digit(&mut number, shapes.len())]);
        let [p, q] = places.map(|place| place.map(quarters));
        [Body::new(a, p), Body::new(b, q).posed(linear(turn))]
    }

    fn hit(&self, number: u64, touch: Touch) -> Option<bool> {
        let ([a, b], turn, [p, q]) = self.parts(number);
        let (a, b) = (a.covers(0, p), b.covers(turn, q));
        Some(a.iter().any(|a| b.iter().any(|b| boxes_hit(*a, *b, touch))))
    }

    fn tell(&self, number: u64) -> String {
        let (forms, turn, places) = self.parts(number);
        format!("{forms:?}, the second turned by {:?}, at {places:?} quarter units", TURNS[turn])
    }
}

/// Pairs of small forms, a few lattice steps from touching, one of which moves by a few lattice steps.
struct Motions;

impl Motions {
    const FORMS: [Form; 4] = [Form::Box([4, 4]), Form::Circle(4), Form::Mask(0b0111), Form::Mask(0b1000)];
    /// Places of the second body, in quarter units: beside the first, below it, and where corners meet.
    const PLACES: [[i32; 2]; 6] = [[4, 0], [-4, 1], [0, 4], [4, 4], [8, 0], [-8, 8]];

    /// Returns the indices of the forms, the place of the second, and the motion of the first, in lattice steps.
    fn parts(mut number: u64) -> ([usize; 2], [i32; 2], [i32; 2]) {
        let forms = [(); 2].map(|()| digit(&mut number, Self::FORMS.len()));
        let place = Self::PLACES[digit(&mut number, Self::PLACES.len())].map(|v| 64 * v);
        let [x, y, u, v] = [(); 4].map(|()| digit(&mut number, 7) as i32 - 3);
        (forms, [place[0] + x, place[1] + y], [u, v])
    }
}

impl Family for Motions {
    fn len(&self) -> u64 {
        (Self::FORMS.len().pow(2) * Self::PLACES.len() * 7_usize.pow(4)) as u64
    }

    fn shapes(&self, world: &mut World) -> Vec<ShapeId> {
        Self::FORMS.iter().map(|form| world.add_shape(form.shape()).unwrap()).collect()
    }

    fn bodies(&self, number: u64, shapes: &[ShapeId]) -> [Body; 2] {
        let ([a, b], place, motion) = Self::parts(number);
        let [place, motion] = [place, motion].map(|point| point.map(|v| f64::from(v) / 256.0));
        [Body::new(shapes[a], [0.0, 0.0]).moving(motion), Body::new(shapes[b], place)]
    }

    fn hit(&self, _: u64, _: Touch) -> Option<bool> {
        None
    }

    fn tell(&self, number: u64) -> String {
        let (forms, place, motion) = Self::parts(number);
        let forms = forms.map(|form| Self::FORMS[form]);
        format!("{forms:?}, the second at {place:?} lattice steps, the first moving by {motion:?}")
    }
}

/// The CPU engine as it is opened by default.
fn cpu() -> [Runner; 1] {
    [Setup::threads(2).runner()]
}

#[test]
fn pairs_of_small_masks_hit_by_their_pixels() {
    check_on_all(&Masks::new());
}

#[test]
fn pairs_on_the_quarter_lattice_hit_by_whole_numbers() {
    check_on_all(&Quarters(forms()));
}

#[test]
fn small_motions_are_those_of_the_definition() {
    check(&Motions, 1_500, DEFINED, &mut common::contestants());
}

#[test]
#[ignore = "takes minutes; `./attack --only small` runs it"]
fn every_pair_of_small_masks() {
    check(&Masks::new(), u64::MAX, CHUNK, &mut cpu());
}

#[test]
#[ignore = "takes minutes; `./attack --only small` runs it"]
fn every_pair_on_the_quarter_lattice() {
    check(&Quarters(forms()), u64::MAX, CHUNK, &mut cpu());
}

#[test]
#[ignore = "takes minutes; `./attack --only small` runs it"]
fn every_small_motion() {
    check(&Motions, u64::MAX, DEFINED, &mut cpu());
}
