//! A life is a random sequence of edits and steps of a world. It runs on engines that keep data between steps, and on
//! the reference, which gets a new world at each step.

use std::collections::BTreeMap;

#[cfg(feature = "internals")]
use hitmask::Save;
use hitmask::geometry::{SUBPIXELS, snap};
use hitmask::scene::{BodySpec, Edits, Form, Image, PartSpec, Pose, Replay, Scene, ShapeSpec, Stamp};
use hitmask::{Ask, Bodies, Body, BodyId, Engine, Hits, Linear, Mask, Part, Shape, ShapeId, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

use crate::common::Runner;

/// An edit of a world. An edit that names a missing body is ignored, so any part of a life can be cut.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Remove(String),
    Add(BodySpec),
    Set(BodySpec),
    /// Sets a body's shape.
    Frame(String, String),
    Enable(String, bool),
    /// Sets the positions of bodies, and as `what` says their motions and poses: of all bodies, or only of these.
    Bulk {
        what: What,
        all: bool,
        bodies: Vec<BodySpec>,
    },
    /// A bulk edit with an invalid body, which must change nothing.
    Refused(What, Vec<BodySpec>),
    Replace(String, ShapeSpec),
    Stamp(Stamp),
    Clear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Positions,
    Moving,
    Poses,
}

/// A world at its start, the edits before each step, and whether the world advances after the step.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    pub(crate) touch: Touch,
    pub(crate) shapes: Vec<(String, ShapeSpec)>,
    pub(crate) bodies: Vec<BodySpec>,
    pub(crate) steps: Vec<(Vec<Op>, bool)>,
}

/// The world as the library holds it.
pub(crate) struct Lived {
    pub(crate) world: World,
    shapes: BTreeMap<String, ShapeId>,
    pub(crate) bodies: BTreeMap<String, BodyId>,
}

/// An independent model of the world's contents.
#[derive(Clone)]
pub(crate) struct Model {
    shapes: BTreeMap<String, ShapeSpec>,
    bodies: BTreeMap<String, (BodySpec, bool)>,
}

fn name(body: &BodySpec) -> &str {
    body.name.as_deref().unwrap()
}

fn rows(shape: &ShapeSpec) -> Option<&Vec<String>> {
    match &shape.form {
        Form::Sprite { image: Image::Rows(rows), .. } => Some(rows),
        _ => None,
    }
}

fn shape(spec: &ShapeSpec) -> Shape {
    let shape = match &spec.form {
        Form::Box([w, h]) => Shape::rect(*w, *h),
        Form::Circle(radius) => Shape::circle(*radius),
        Form::Capsule { from, to, radius } => Shape::capsule(*from, *to, *radius),
        Form::Polygon { outline, .. } => Shape::polygon(outline),
        Form::Parts(parts) => {
            let part = |part: &PartSpec| Part::new(shape(&part.shape), part.at).tagged(part.tag);
            Shape::parts(&parts.iter().map(part).collect::<Vec<_>>())
        }
        Form::Sprite { .. } => Mask::from_rows(rows(spec).unwrap()).map(Shape::sprite),
    };
    shape.unwrap().anchored(spec.anchor).unwrap()
}

fn linear(pose: Pose) -> Linear {
    match pose {
        Pose::Turned { angle, scale, flip } => Linear::new(angle, scale, flip),
        Pose::Matrix(matrix) => matrix.into(),
    }
}

/// Returns a position or motion, snapped to the lattice.
fn snapped(v: [f64; 2]) -> [f64; 2] {
    v.map(|v| snap(v) / f64::from(SUBPIXELS))
}

impl Model {
    pub(crate) fn apply(&mut self, op: &Op) {
        match op {
            Op::Remove(name) => drop(self.bodies.remove(name)),
            Op::Add(body) => drop(self.bodies.insert(name(body).to_owned(), (body.clone(), true))),
            Op::Set(body) => {
                if let Some(now) = self.bodies.get_mut(name(body)) {
                    *now = (body.clone(), true);
                }
            }
            Op::Frame(body, shape) => {
                if let Some((body, _)) = self.bodies.get_mut(body) {
                    body.shape.clone_from(shape);
                }
            }
            Op::Enable(body, on) => {
                if let Some((_, now)) = self.bodies.get_mut(body) {
                    *now = *on;
                }
            }
            Op::Bulk { what, bodies, .. } => {
                for to in bodies {
                    let Some((body, _)) = self.bodies.get_mut(name(to)) else { continue };
                    body.at = to.at;
                    if *what != What::Positions {
                        body.motion = to.motion;
                    }
                    if *what == What::Poses {
                        body.pose = to.pose;
                    }
                }
            }
            Op::Refused(..) => {}
            Op::Replace(name, shape) => drop(self.shapes.insert(name.clone(), shape.clone())),
            Op::Stamp(stamp) => {
                let Form::Sprite { image: Image::Rows(rows), .. } =
                    &mut self.shapes.get_mut(&stamp.shape).unwrap().form
                else {
                    return;
                };
                let Image::Rows(texels) = &stamp.image else { return };
                for (y, row) in texels.iter().enumerate() {
                    for (x, _) in row.bytes().enumerate().filter(|(_, texel)| *texel == b'#') {
                        let [x, y] = [stamp.at[0] + x as i32, stamp.at[1] + y as i32];
                        if let Some(row) = usize::try_from(y).ok().and_then(|y| rows.get_mut(y))
                            && (0..row.len() as i32).contains(&x)
                        {
                            let texel = if stamp.erase { "." } else { "#" };
                            row.replace_range(x as usize..=x as usize, texel);
                        }
                    }
                }
            }
            Op::Clear => self.bodies.clear(),
        }
    }

    pub(crate) fn advance(&mut self) {
        for (body, _) in self.bodies.values_mut() {
            let (at, motion) = (snapped(body.at), snapped(body.motion));
            body.at = [at[0] + motion[0], at[1] + motion[1]];
        }
    }

    /// Returns a body as engines see it: one that is switched off is on no layer.
    fn counts(&self, name: &str) -> BodySpec {
        let (body, on) = &self.bodies[name];
        if *on { body.clone() } else { BodySpec { layers: 0, mask: 0, ..body.clone() } }
    }
}

impl Lived {
    pub(crate) fn new(life: &Life) -> Self {
        let mut lived = Self { world: World::new(life.touch), shapes: BTreeMap::new(), bodies: BTreeMap::new() };
        for (name, spec) in &life.shapes {
            lived.shapes.insert(name.clone(), lived.world.add_shape(shape(spec)).unwrap());
        }
        life.bodies.iter().for_each(|body| lived.apply(&Op::Add(body.clone())));
        lived
    }

    fn body(&self, spec: &BodySpec) -> Body {
        let body = Body::new(self.shapes[&spec.shape], spec.at).posed(linear(spec.pose)).moving(spec.motion);
        body.filtered(spec.layers, spec.mask).detector(spec.detector).grouped(spec.group)
    }

    pub(crate) fn apply(&mut self, op: &Op) {
        match op {
            Op::Remove(name) => {
                if let Some(id) = self.bodies.remove(name) {
                    self.world.remove(id).unwrap();
                    assert!(self.world.remove(id).is_err() && self.world.body(id).is_none());
                }
            }
            Op::Add(spec) => {
                let id = self.world.add(&self.body(spec)).unwrap();
                self.bodies.insert(name(spec).to_owned(), id);
            }
            Op::Set(spec) => {
                if let Some(&id) = self.bodies.get(name(spec)) {
                    self.world.set(id, &self.body(spec)).unwrap();
                }
            }
            Op::Frame(body, shape) => {
                if let Some(&id) = self.bodies.get(body) {
                    self.world.set_shape(id, self.shapes[shape]).unwrap();
                }
            }
            Op::Enable(body, on) => {
                if let Some(&id) = self.bodies.get(body) {
                    self.world.set_enabled(id, *on).unwrap();
                }
            }
            Op::Bulk { what, all, bodies } => self.bulk(*what, *all, bodies).unwrap(),
            Op::Refused(what, bodies) => {
                if bodies.iter().any(|body| self.bodies.contains_key(name(body))) {
                    assert!(self.bulk(*what, true, bodies).is_err() && self.bulk(*what, false, bodies).is_err());
                }
            }
            Op::Replace(name, to) => self.world.replace_shape(self.shapes[name], shape(to)).unwrap(),
            Op::Stamp(stamp) => {
                let Image::Rows(texels) = &stamp.image else { return };
                let texels = Mask::from_rows(texels).unwrap();
                let edit = |mask: &mut Mask| {
                    if stamp.erase { mask.erase(&texels, stamp.at) } else { mask.draw(&texels, stamp.at) }
                };
                // The shape may have been replaced by one without a mask.
                let _ = self.world.edit_mask(self.shapes[&stamp.shape], edit);
            }
            Op::Clear => {
                self.world.clear();
                self.bodies.clear();
            }
        }
    }

    fn bulk(&mut self, what: What, all: bool, bodies: &[BodySpec]) -> hitmask::Result<()> {
        let there: Vec<(BodyId, &BodySpec)> =
            bodies.iter().filter_map(|body| Some((*self.bodies.get(name(body))?, body))).collect();
        let ids: Vec<BodyId> = there.iter().map(|(id, _)| *id).collect();
        let mut wanted: Vec<_> = there.iter().map(|(_, body)| (body.at, linear(body.pose), body.motion)).collect();
        if all {
            let stays = |index| {
                let body = self.world.body(self.world.id(index)?)?;
                Some(([body.at.x, body.at.y], body.linear, [body.motion.x, body.motion.y]))
            };
            // Values at a free index are ignored.
            let nothing = ([f64::NAN; 2], Linear::scaled(f64::NAN), [f64::INFINITY; 2]);
            let mut every: Vec<_> =
                (0..self.world.indices() as u32).map(|index| stays(index).unwrap_or(nothing)).collect();
            for (id, wanted) in ids.iter().zip(&wanted) {
                every[id.index() as usize] = *wanted;
            }
            wanted = every;
        }
        let at: Vec<_> = wanted.iter().map(|wanted| wanted.0).collect();
        let linear: Vec<_> = wanted.iter().map(|wanted| wanted.1).collect();
        let motion: Vec<_> = wanted.iter().map(|wanted| wanted.2).collect();
        let of = if all { Bodies::All } else { Bodies::These(&ids) };
        match what {
            What::Positions => self.world.set_positions(of, &at),
            What::Moving => self.world.set_moving(of, &at, &motion),
            What::Poses => self.world.set_poses(of, &at, &linear, &motion),
        }
    }
}

impl Life {
    pub(crate) fn model(&self) -> Model {
        let bodies = self.bodies.iter().map(|body| (name(body).to_owned(), (body.clone(), true)));
        Model { shapes: self.shapes.iter().cloned().collect(), bodies: bodies.collect() }
    }

    /// Runs the life on these engines. Returns the number of colliding pairs.
    ///
    /// # Errors
    ///
    /// The first difference from the reference.
    pub(crate) fn live(&self, runners: &mut [Runner]) -> Result<usize, String> {
        let (mut lived, mut model, mut pairs) = (Lived::new(self), self.model(), 0);
        for (step, (ops, advance)) in self.steps.iter().enumerate() {
            for op in ops {
                model.apply(op);
                lived.apply(op);
            }
            let ask = ask(step);
            let expected = expected(&lived, &model, self.touch, ask);
            pairs += expected.pairs.len();
            for Runner { setup, engine } in &mut *runners {
                let hits = engine.run(&lived.world, ask).map_err(|error| format!("step {step} on {setup}: {error}"))?;
                if hits != expected {
                    return Err(format!("step {step}, {ask:?}, on {setup}: {hits:?}, and not {expected:?}"));
                }
            }
            if *advance {
                model.advance();
                lived.world.advance().unwrap();
            }
        }
        Ok(pairs)
    }

    /// Lives twice: straight on, and saved and loaded again and again, after steps that are undone. Both must stay the
    /// same, with the same handles and answers. Returns the number of loads.
    ///
    /// # Panics
    ///
    /// Panics at the first difference.
    #[cfg(feature = "internals")]
    pub(crate) fn live_and_save(&self, runners: &mut [[Runner; 2]], seed: u64) -> usize {
        let (mut lived, mut saved, mut loads) = (Lived::new(self), Lived::new(self), 0);
        let (mut random, mut state, mut whole) = (SplitMix64(seed), Vec::new(), Vec::new());
        for (step, (ops, advance)) in self.steps.iter().enumerate() {
            if random.below(3) == 0 {
                let bodies = saved.bodies.clone();
                saved.world.save_into(Save::State, &mut state).unwrap();
                saved.world.save_into(Save::Whole, &mut whole).unwrap();
                let shapes_stay = ops.iter().all(|op| !matches!(op, Op::Replace(..) | Op::Stamp(_)));
                for op in ops {
                    saved.apply(op);
                }
                // Engines see what is undone.
                for [_, Runner { engine, .. }] in &mut *runners {
                    engine.run(&saved.world, Ask::Flags).unwrap();
                }
                match random.below(4) {
                    0 if shapes_stay => saved.world.load_into(&state).unwrap(),
                    1 => saved.world = World::load(&whole).unwrap(),
                    2 => saved.world.clone_from(&lived.world),
                    _ => saved.world.load_into(&whole).unwrap(),
                }
                saved.bodies = bodies;
                loads += 1;
                saved.world.validate();
            }
            let before = lived.world.clone();
            for op in ops {
                lived.apply(op);
                saved.apply(op);
            }
            saved.world.validate();
            assert_eq!(before == lived.world, before.differences(&lived.world).is_empty(), "step {step}: differences");
            assert_eq!(lived.world.differences(&saved.world), [], "step {step}");
            let files = [&lived.world, &saved.world].map(|world| world.save(Save::Whole).unwrap());
            assert!(files[0] == files[1], "step {step}: bytes of equal worlds");
            assert_eq!(lived.bodies, saved.bodies, "step {step}: handles");
            for (id, again) in lived.world.ids().zip(saved.world.ids()) {
                assert_eq!(lived.world.body(id), saved.world.body(again), "step {step}");
            }
            lived.world.validate();
            assert_eq!(lived.world.indices(), saved.world.indices(), "step {step}");
            assert!(lived.world == saved.world, "step {step}: worlds");
            assert_eq!(lived.world.checksum(), saved.world.checksum(), "step {step}");
            let ask = ask(step);
            for pair in &mut *runners {
                let setup = format!("step {step} on {}", pair[0].setup);
                let straight = pair[0].engine.run(&lived.world, ask).unwrap();
                let again = pair[1].engine.run(&saved.world, ask).unwrap();
                assert_eq!(straight, again, "{setup}");
                assert_eq!(straight.checksum(), again.checksum(), "{setup}");
            }
            if *advance {
                lived.world.advance().unwrap();
                saved.world.advance().unwrap();
            }
        }
        loads
    }

    /// Returns the number of colliding pairs in all steps, by the reference.
    pub(crate) fn pairs(&self) -> usize {
        let mut lived = Lived::new(self);
        let steps = self.steps.iter().map(|(ops, advance)| {
            for op in ops {
                lived.apply(op);
            }
            let pairs = Engine::reference().run(&lived.world, Ask::Pairs).unwrap().pairs.len();
            if *advance {
                lived.world.advance().unwrap();
            }
            pairs
        });
        steps.sum()
    }

    /// Returns a smaller life that still `differs`: it leaves out steps, then edits, then bodies.
    pub(crate) fn shrink(mut self, mut differs: impl FnMut(&Self) -> bool) -> Self {
        let last =
            (1..=self.steps.len()).find(|&end| differs(&Self { steps: self.steps[..end].to_vec(), ..self.clone() }));
        self.steps.truncate(last.unwrap_or(self.steps.len()));
        for step in (0..self.steps.len()).rev() {
            let mut less = self.clone();
            less.steps.remove(step);
            if differs(&less) {
                self = less;
            }
        }
        self.shrink_edits(differs)
    }

    /// Returns a life of the same number of steps that still `differs`: it leaves out edits, then bodies.
    pub(crate) fn shrink_edits(mut self, mut differs: impl FnMut(&Self) -> bool) -> Self {
        for step in 0..self.steps.len() {
            for op in (0..self.steps[step].0.len()).rev() {
                let mut less = self.clone();
                less.steps[step].0.remove(op);
                if differs(&less) {
                    self = less;
                }
            }
        }
        for body in (0..self.bodies.len()).rev() {
            let mut less = self.clone();
            less.bodies.remove(body);
            if differs(&less) {
                self = less;
            }
        }
        self
    }

    /// Returns the life as a replay. Bulk edits, switches and frames become bodies that are set; a replaced shape
    /// becomes a new shape that its bodies get.
    pub(crate) fn replay(&self) -> Replay {
        let scene = Scene::new(self.touch, self.shapes.clone(), self.bodies.clone());
        let mut model = self.model();
        // The current name of each shape.
        let mut called: BTreeMap<String, String> =
            self.shapes.iter().map(|(name, _)| (name.clone(), name.clone())).collect();
        let mut steps = Vec::new();
        for (step, (ops, advance)) in self.steps.iter().enumerate() {
            let (before, called_before) = (model.clone(), called.clone());
            let mut edits = Edits { advance: *advance, ..Edits::default() };
            for op in ops {
                model.apply(op);
                match op {
                    Op::Replace(name, spec) => {
                        let new = format!("{name}@{step}");
                        edits.shapes.retain(|(name, _)| *name != new);
                        edits.masks.retain(|stamp| stamp.shape != called[name]);
                        edits.shapes.push((new.clone(), spec.clone()));
                        called.insert(name.clone(), new);
                    }
                    Op::Stamp(stamp) if rows(&model.shapes[&stamp.shape]).is_some() => {
                        edits.masks.push(Stamp { shape: called[&stamp.shape].clone(), ..stamp.clone() });
                    }
                    _ => {}
                }
            }
            edits.remove = before.bodies.keys().filter(|name| !model.bodies.contains_key(*name)).cloned().collect();
            for name in model.bodies.keys() {
                let told = |model: &Model, called: &BTreeMap<String, String>| {
                    let body = model.counts(name);
                    BodySpec { shape: called[&body.shape].clone(), ..body }
                };
                let now = told(&model, &called);
                if !before.bodies.contains_key(name) {
                    edits.add.push(now);
                } else if told(&before, &called_before) != now {
                    edits.set.push(now);
                }
            }
            steps.push(edits);
            if *advance {
                model.advance();
            }
        }
        Replay::new(scene, steps)
    }
}

/// Returns what a step is asked for.
pub(crate) fn ask(step: usize) -> Ask {
    [Ask::Pairs, Ask::Details, Ask::Flags][step % 3]
}

/// Returns the reference's answer for a new world of only these bodies, in the same order.
pub(crate) fn expected(lived: &Lived, model: &Model, touch: Touch, ask: Ask) -> Hits {
    let mut order: Vec<(u32, &String)> = lived.bodies.iter().map(|(name, id)| (id.index(), name)).collect();
    order.sort_unstable();
    assert_eq!(order.len(), model.bodies.len());
    let bodies = order.iter().map(|(_, name)| model.counts(name)).collect();
    let scene = Scene::new(touch, model.shapes.clone().into_iter().collect(), bodies);
    let mut hits = Engine::reference().run(&scene.world().unwrap(), ask).unwrap();
    let mut flags = vec![0; lived.world.indices().div_ceil(32)];
    for (k, (index, _)) in order.iter().enumerate() {
        flags[*index as usize / 32] |= u32::from(hits.flag(k)) << (index % 32);
    }
    hits.flags = flags;
    hits.pairs.as_flattened_mut().iter_mut().for_each(|k| *k = order[*k as usize].0);
    hits
}

/// Returns a random life: of few bodies with many edits, or of more bodies with few edits, so that steps mostly reuse
/// the step before.
pub(crate) fn random(seed: u64, steps: usize) -> Life {
    let mut dice = Dice { random: SplitMix64(seed), names: 0, convex: false, moves: false };
    dice.convex = dice.below(3) == 0;
    let calm = dice.below(8) == 0;
    dice.moves = dice.convex || (!calm && dice.below(50) == 0);
    let bodies = if calm { 40 + dice.below(20) } else { 2 + dice.below(9) };
    let touch = if dice.below(2) == 0 { Touch::Excluded } else { Touch::Included };
    let shapes: Vec<_> = (0..6).map(|k| (format!("s{k}"), dice.shape())).collect();
    let bodies: Vec<BodySpec> = (0..bodies).map(|_| dice.body(None, calm)).collect();
    let mut names: Vec<String> = bodies.iter().map(|body| name(body).to_owned()).collect();
    let steps = (0..steps).map(|_| {
        let ops = if calm { dice.below(3) / 2 + dice.below(2) } else { dice.below(6) };
        let ops = (0..ops).map(|_| dice.op(&mut names, calm)).collect();
        (ops, dice.below(if calm { 20 } else { 2 }) == 0)
    });
    let steps = steps.collect();
    Life { touch, shapes, bodies, steps }
}

struct Dice {
    random: SplitMix64,
    names: u32,
    /// Whether shapes exclude sprites.
    convex: bool,
    /// Whether bodies may move. With sprites this is rare, as the reference follows them pixel by pixel.
    moves: bool,
}

impl Dice {
    fn below(&mut self, n: u32) -> u32 {
        self.random.below(n)
    }

    /// Returns a multiple of 1/16 within `0..n`.
    fn sixteenth(&mut self, n: u32) -> f64 {
        f64::from(self.below(16 * n)) / 16.0
    }

    fn texels(&mut self, most: [u32; 2]) -> Vec<String> {
        let [width, height] = most.map(|most| 1 + self.below(most));
        let row = |dice: &mut Self| (0..width).map(|_| if dice.below(3) > 0 { '#' } else { '.' }).collect();
        (0..height).map(|_| row(self)).collect()
    }

    fn shape(&mut self) -> ShapeSpec {
        let form = match self.below(if self.convex { 5 } else { 8 }) {
            0 => Form::Box([1.0 + self.sixteenth(8), 1.0 + self.sixteenth(8)]),
            1 => Form::Circle(0.5 + self.sixteenth(4)),
            2 => Form::Capsule { from: [0.0; 2], to: [self.sixteenth(8), 3.0], radius: 1.0 },
            3 => {
                let outline = vec![[0.0, 0.0], [6.0, 0.0], [6.0, 2.0], [2.0, 2.0], [2.0, 6.0], [0.0, 6.0]];
                Form::Polygon { outline, holes: Vec::new(), radius: 0.0 }
            }
            4 => {
                let circle = ShapeSpec::new(Form::Circle(0.5 + self.sixteenth(2)));
                let outline = vec![[0.0, 0.0], [6.0, 0.0], [6.0, 2.0], [2.0, 2.0], [2.0, 6.0]];
                let bent = ShapeSpec::new(Form::Polygon { outline, holes: Vec::new(), radius: 0.0 });
                let part = |shape, x, tag| PartSpec { shape, at: [x, 0.0], tag };
                Form::Parts(vec![part(circle, self.sixteenth(6), self.below(3)), part(bent, 0.0, 5)])
            }
            _ => {
                // Some sprites have several words per row.
                let most = if self.below(20) == 0 { [150, 3] } else { [7, 7] };
                Form::Sprite { image: Image::Rows(self.texels(most)), threshold: 128, region: None }
            }
        };
        ShapeSpec { anchor: [self.sixteenth(5), self.sixteenth(5)], ..ShapeSpec::new(form) }
    }

    fn body(&mut self, named: Option<String>, calm: bool) -> BodySpec {
        let name = named.unwrap_or_else(|| {
            self.names += 1;
            format!("b{}", self.names)
        });
        let side = if calm { 90 } else { 24 };
        let mut body = BodySpec::new(format!("s{}", self.below(6)), [self.sixteenth(side), self.sixteenth(side)]);
        if self.below(3) == 0 {
            let scale = [[1.0; 2], [1.5; 2], [0.5; 2], [-1.0, 1.0], [0.0; 2]][self.below(5) as usize];
            body.pose = Pose::Turned {
                angle: f64::from(self.below(24)) * 15.0,
                scale,
                flip: hitmask::geometry::Flip::default(),
            };
        }
        if self.moves && self.below(3) == 0 {
            body.motion = [self.sixteenth(12) - 6.0, self.sixteenth(12) - 6.0];
        }
        if self.below(4) == 0 {
            (body.layers, body.mask) = (self.below(4), self.below(8));
            body.detector = self.below(3) == 0;
        }
        if self.below(3) == 0 {
            body.group = self.below(3);
        }
        body.name = Some(name);
        body
    }

    fn op(&mut self, names: &mut Vec<String>, calm: bool) -> Op {
        if names.is_empty() || self.below(8) == 0 {
            let body = self.body(None, calm);
            names.push(name(&body).to_owned());
            return Op::Add(body);
        }
        let one = self.below(names.len() as u32) as usize;
        let shape = format!("s{}", self.below(6));
        let what = [What::Positions, What::Moving, What::Poses][self.below(3) as usize];
        match self.below(if calm { 100 } else { 40 }) {
            0..=3 => Op::Remove(names.swap_remove(one)),
            4 | 5 => Op::Frame(names[one].clone(), shape),
            6..=8 => Op::Enable(names[one].clone(), self.below(2) == 0),
            9..=15 => {
                let all = self.below(2) == 0;
                let few = if calm { 2 } else { 6 };
                let bodies = (0..self.below(few)).map(|_| self.below(names.len() as u32) as usize).collect::<Vec<_>>();
                let bodies = bodies.into_iter().map(|k| self.body(Some(names[k].clone()), calm)).collect();
                Op::Bulk { what, all, bodies }
            }
            16 => {
                let mut bodies = vec![self.body(Some(names[one].clone()), calm)];
                bodies[0].at[1] = f64::NAN;
                Op::Refused(what, bodies)
            }
            17 => Op::Replace(shape, self.shape()),
            18..=23 => {
                let (image, erase) = (Image::Rows(self.texels([4, 4])), self.below(2) == 0);
                Op::Stamp(Stamp { shape, image, erase, at: [self.below(12) as i32 - 2, self.below(12) as i32 - 2] })
            }
            24 if self.below(10) == 0 => {
                names.clear();
                Op::Clear
            }
            _ => Op::Set(self.body(Some(names[one].clone()), calm)),
        }
    }
}
