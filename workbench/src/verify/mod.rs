//! The comparison of engines: random scenes of all families, and the first difference between two answers.
//!
//! ```
//! use hitmask::Engine;
//! use hitmask_workbench::verify;
//!
//! let mut engines = [Engine::reference(), Engine::cpu()?];
//! for seed in 0..10 {
//!     let world = verify::random_scene(seed).world()?;
//!     assert_eq!(verify::compare(&world, &mut engines)?, None);
//! }
//! # Ok::<(), hitmask::Error>(())
//! ```

mod brink;
mod parts;
mod random;
mod swarm;

use std::fmt;

use hitmask::scene::Scene;
use hitmask::{Ask, Detail, Engine, Hits, Result, World};

pub use parts::random_scene_of_parts;
pub use random::random_scene;
pub use swarm::swarm_scene;

/// Maximum number of bodies of a scene that [`shrink`] makes smaller body by body.
const MAX_SHRUNK: usize = 2000;

/// The first difference between the answers of two engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The requested level of detail.
    pub ask: Ask,
    /// The two engines: name and device.
    pub engines: [String; 2],
    /// The difference between their answers.
    pub difference: Difference,
}

/// A difference between two answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The second answer breaks a rule that every answer must keep, whatever the first says.
    Rule(&'static str),
    /// Only one of the two answers flags this body.
    Flag {
        /// The body.
        body: u32,
        /// Whether the first answer is the one that flags it.
        first: bool,
    },
    /// Only one of the two answers has this pair.
    Pair {
        /// The pair.
        pair: [u32; 2],
        /// Whether the first answer is the one that has it.
        first: bool,
    },
    /// The two answers give different details for a pair.
    Detail {
        /// The pair.
        pair: [u32; 2],
        /// The details in the first and in the second answer.
        details: Box<[Detail; 2]>,
    },
}

impl Mismatch {
    /// Returns the bodies that the difference is about, ascending.
    #[must_use]
    pub fn bodies(&self) -> Vec<u32> {
        match &self.difference {
            Difference::Rule(_) => Vec::new(),
            Difference::Flag { body, .. } => vec![*body],
            Difference::Pair { pair, .. } | Difference::Detail { pair, .. } => pair.to_vec(),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.engines;
        let asked = match self.ask {
            Ask::Flags => "flags",
            Ask::Pairs => "pairs",
            Ask::Details => "details",
        };
        let alone = |first: bool| if first { a } else { b };
        write!(f, "{a} and {b} differ, asked for {asked}: ")?;
        match &self.difference {
            Difference::Rule(rule) => write!(f, "{b} breaks the rule that {rule}"),
            Difference::Flag { body, first } => write!(f, "body {body} hits something by {} alone", alone(*first)),
            Difference::Pair { pair: [i, j], first } => {
                write!(f, "the pair {i}, {j} is found by {} alone", alone(*first))
            }
            Difference::Detail { pair: [i, j], details } => {
                let [by_a, by_b] = &**details;
                write!(f, "the pair {i}, {j} carries {by_a:?} by {a} and {by_b:?} by {b}")
            }
        }
    }
}

/// Runs every engine for flags, pairs and details, and returns the first difference from the first engine, or between
/// the first engine's own answers.
pub fn compare(world: &World, engines: &mut [Engine]) -> Result<Option<Mismatch>> {
    // The first engine's previous answer, with which its next one must agree.
    let mut before: Option<Hits> = None;
    for ask in [Ask::Flags, Ask::Pairs, Ask::Details] {
        let mut first: Option<(String, Hits)> = None;
        for engine in &mut *engines {
            let name = format!("{} ({})", engine.name(), engine.device());
            let hits = engine.run(world, ask)?;
            let other = first.as_ref().map_or_else(|| name.clone(), |(name, _)| name.clone());
            let wrong = match (hits.broken_rule(ask), &first) {
                (Some(rule), _) => Some(Difference::Rule(rule)),
                (None, Some((_, expected))) => difference(expected, &hits),
                (None, None) => before.as_ref().and_then(|before| grown(before, &hits)),
            };
            if let Some(difference) = wrong {
                return Ok(Some(Mismatch { ask, engines: [other, name], difference }));
            }
            first.get_or_insert((name, hits));
        }
        before = first.map(|(_, hits)| hits);
    }
    Ok(None)
}

/// Returns the first difference between two answers to the same question.
#[must_use]
pub fn difference(a: &Hits, b: &Hits) -> Option<Difference> {
    flags_differ(a, b).or_else(|| pairs_differ(a, b)).or_else(|| {
        let (i, (x, y)) = a.details.iter().zip(&b.details).enumerate().find(|(_, (x, y))| x != y)?;
        Some(Difference::Detail { pair: a.pairs[i], details: Box::new([*x, *y]) })
    })
}

/// Returns the first difference between an answer and a more detailed one of the same engine.
fn grown(less: &Hits, more: &Hits) -> Option<Difference> {
    // An answer with only flags has no pairs.
    let pairs = || if less.pairs.is_empty() { None } else { pairs_differ(less, more) };
    flags_differ(less, more).or_else(pairs)
}

fn flags_differ(a: &Hits, b: &Hits) -> Option<Difference> {
    let words = a.flags.len().max(b.flags.len());
    let word = |hits: &Hits, i: usize| hits.flags.get(i).copied().unwrap_or(0);
    let i = (0..words).find(|&i| word(a, i) != word(b, i))?;
    let body = 32 * i + (word(a, i) ^ word(b, i)).trailing_zeros() as usize;
    Some(Difference::Flag { body: body as u32, first: a.flag(body) })
}

fn pairs_differ(a: &Hits, b: &Hits) -> Option<Difference> {
    let same = a.pairs.iter().zip(&b.pairs).take_while(|(x, y)| x == y).count();
    // Both lists ascend, so the smaller pair is missing from the other.
    match (a.pairs.get(same), b.pairs.get(same)) {
        (None, None) => None,
        (Some(&x), Some(&y)) => Some(Difference::Pair { pair: x.min(y), first: x < y }),
        (Some(&pair), None) => Some(Difference::Pair { pair, first: true }),
        (None, Some(&pair)) => Some(Difference::Pair { pair, first: false }),
    }
}

/// Returns a self-contained scene in which engines differ, with as few bodies as it finds sufficient.
///
/// Keeps only the bodies of the mismatch if these suffice. Otherwise leaves out halves, quarters and so on while the
/// rest still shows a difference (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002). A
/// scene of more than 2,000 bodies is kept whole instead. An error while trying counts as no difference.
#[must_use]
pub fn shrink(scene: &Scene, mismatch: &Mismatch, engines: &mut [Engine]) -> Scene {
    let mut differs = |scene: &Scene| {
        let compared = scene.world().and_then(|world| compare(&world, engines));
        matches!(compared, Ok(Some(_)))
    };
    let named = mismatch.bodies().iter().filter_map(|&body| scene.bodies.get(body as usize).cloned()).collect();
    let named = scene.with_bodies(named);
    if differs(&named) {
        return named;
    }
    let mut least = scene.with_bodies(scene.bodies.clone());
    if least.bodies.len() > MAX_SHRUNK {
        return least;
    }
    let mut chunk = least.bodies.len().div_ceil(2);
    while chunk > 0 {
        let mut start = 0;
        while start < least.bodies.len() {
            let mut bodies = least.bodies.clone();
            bodies.drain(start..(start + chunk).min(bodies.len()));
            let smaller = least.with_bodies(bodies);
            if differs(&smaller) {
                least = smaller;
            } else {
                start += chunk;
            }
        }
        chunk /= 2;
    }
    least
}

#[cfg(test)]
mod tests {
    use hitmask::geometry::{MAX_COORDINATE, Piece, Vec2};
    use hitmask::scene::Form;
    use hitmask::{Body, Linear, Shape};

    use super::*;

    fn answer() -> Hits {
        let mut detail = Detail::default();
        (detail.time, detail.area) = (Some([1, 4]), Some(0));
        let mut hits = Hits::default();
        (hits.flags, hits.pairs) = (vec![7, 1 << 8], vec![[0, 2], [1, 40]]);
        hits.details = vec![Detail::default(), detail];
        hits
    }

    #[test]
    fn equal_answers_do_not_differ() {
        assert_eq!(difference(&answer(), &answer()), None);
        let mut flags = Hits::default();
        flags.flags = answer().flags;
        assert_eq!(grown(&flags, &answer()), None);
    }

    #[test]
    fn a_wrong_flag_is_found() {
        let mut wrong = answer();
        wrong.flags[1] ^= 1 << 3;
        assert_eq!(difference(&answer(), &wrong), Some(Difference::Flag { body: 35, first: false }));
        assert_eq!(difference(&wrong, &answer()), Some(Difference::Flag { body: 35, first: true }));
        assert_eq!(grown(&wrong, &answer()), Some(Difference::Flag { body: 35, first: true }));
        assert_eq!(wrong.broken_rule(Ask::Details), Some("flags agree with the pairs"));
    }

    #[test]
    fn a_wrong_pair_is_found() {
        let mut wrong = answer();
        wrong.pairs[1] = [1, 8];
        assert_eq!(difference(&answer(), &wrong), Some(Difference::Pair { pair: [1, 8], first: false }));
        wrong.pairs.truncate(1);
        assert_eq!(difference(&answer(), &wrong), Some(Difference::Pair { pair: [1, 40], first: true }));
        assert_eq!(grown(&wrong, &answer()), Some(Difference::Pair { pair: [1, 40], first: false }));
        wrong.pairs[0] = [2, 0];
        wrong.details.truncate(1);
        assert_eq!(wrong.broken_rule(Ask::Details), Some("a pair has its lower index first"));
        wrong.pairs[0] = [0, 64];
        assert_eq!(wrong.broken_rule(Ask::Details), Some("a pair is of two bodies"));
    }

    #[test]
    fn a_wrong_detail_is_found() {
        let mut wrong = answer();
        wrong.details[1].time = Some([2, 4]);
        let found = difference(&answer(), &wrong);
        let details = Box::new([answer().details[1], wrong.details[1]]);
        assert_eq!(found, Some(Difference::Detail { pair: [1, 40], details }));
        let engines = ["cpu (2 threads)".to_owned(), "gpu (X)".to_owned()];
        let text = Mismatch { ask: Ask::Details, engines, difference: found.unwrap() }.to_string();
        assert!(
            text.starts_with("cpu (2 threads) and gpu (X) differ, asked for details: the pair 1, 40 carries"),
            "{text}"
        );
        wrong.details.pop();
        assert_eq!(wrong.broken_rule(Ask::Details), Some("there is a detail for each pair, if requested"));
    }

    #[test]
    fn random_scenes_are_worlds_and_the_same_each_time() {
        let mut found = 0;
        for seed in 0..500 {
            let scene = random_scene(seed);
            let json = scene.to_json().unwrap();
            assert_eq!(json, random_scene(seed).to_json().unwrap());
            let world = scene.world().unwrap_or_else(|error| panic!("seed {seed}: {error}\n{json}"));
            let again = Scene::parse(&json, ".".as_ref()).unwrap();
            // Handles of shapes differ between worlds, so compare indices.
            let told = |Body { shape, at, linear, motion, layers, mask, detector, group, enabled, .. }: Body| {
                (shape.index(), at, linear, motion, [layers, mask, group], [detector, enabled])
            };
            let bodies = |world: &World| world.ids().map(|id| told(world.body(id).unwrap())).collect::<Vec<_>>();
            assert_eq!(bodies(&again.world().unwrap()), bodies(&world), "seed {seed} is written as it is");
            found += usize::from(!Engine::reference().run(&world, Ask::Pairs).unwrap().pairs.is_empty());
        }
        assert!(found > 300, "{found} of 500 scenes have hits");
    }

    /// Checks that there is what other random scenes lack: groups, parts and huge masks.
    #[test]
    fn scenes_of_the_swarm_are_worlds_with_what_others_lack() {
        let (mut groups, mut parts, mut huge, mut found) = (0, 0, 0, 0);
        for seed in 0..500 {
            let scene = swarm_scene(seed);
            assert_eq!(scene.to_json().unwrap(), swarm_scene(seed).to_json().unwrap());
            let world = scene.world().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            groups += usize::from(scene.bodies.iter().any(|body| body.group > 0));
            parts += usize::from(scene.shapes.iter().any(|(_, shape)| matches!(shape.form, Form::Parts(_))));
            huge += usize::from(world.shapes().filter_map(|(_, shape)| shape.mask()).any(|mask| mask.width() > 80));
            found += usize::from(!Engine::reference().run(&world, Ask::Pairs).unwrap().pairs.is_empty());
        }
        assert!(
            found > 250 && [groups, parts, huge].iter().all(|&count| count > 8),
            "{found}, {groups}, {parts}, {huge}"
        );
    }

    /// Checks that every family of scenes occurs, and that its bodies hit.
    #[test]
    fn random_scenes_are_of_every_family() {
        let mut seen = std::collections::BTreeMap::new();
        for seed in 0..1500 {
            let scene = random_scene(seed);
            let world = scene.world().unwrap();
            let hits = Engine::reference().run(&world, Ask::Details).unwrap();
            let bodies: Vec<Body> = world.ids().map(|id| world.body(id).unwrap()).collect();
            let mask = |body: &Body| world.shape(body.shape).and_then(Shape::mask);
            let mut see = |what: &'static str, there: bool| *seen.entry(what).or_insert(0) += usize::from(there);
            see("a crowd", bodies.len() > 25);
            see("one body or none", bodies.len() < 2);
            see("an empty mask", bodies.iter().filter_map(mask).any(|mask| mask.count() == 0));
            see("filters", bodies.iter().any(|body| body.layers > 4));
            see(
                "the world's edge",
                bodies.iter().any(|body| body.at.x.abs() > f64::from(MAX_COORDINATE - 8192) / 256.0),
            );
            see("several moving", bodies.iter().filter(|body| body.motion != Vec2::default()).count() > 2);
            for (&pair, detail) in hits.pairs.iter().zip(&hits.details) {
                let [a, b] = pair.map(|body| &bodies[body as usize]);
                let masks = [a, b].map(mask);
                let landed = pair.map(|body| world.id(body).and_then(|id| world.landed(id)));
                let sprites = masks.iter().flatten().count();
                let [convex, mixed, sprite] = [0, 1, 2].map(|count| sprites == count);
                let later = detail.time.is_some_and(|[k, _]| k > 0);
                let turned = |body: &Body| mask(body).is_some() && body.linear != Linear::IDENTITY;
                see("convex on convex", convex);
                see("sprite on convex", mixed);
                see("sprite on sprite", sprite);
                see("convex, later", convex && later);
                see("sprite on convex, later", mixed && later);
                see("sprite on sprite, later", sprite && later);
                see("pixels that only touch", detail.area == Some(0));
                see("a turned sprite", turned(a) || turned(b));
                see("rows of several words", masks.iter().flatten().filter(|mask| mask.stride() > 1).count() == 2);
                see("several pieces", convex && landed.iter().flatten().any(|pieces| pieces.len() > 1));
                let vanished = |pieces: &Vec<Piece>| pieces[0].radius == 0 && pieces[0].vertices.len() < 3;
                see("a radius that vanished", convex && landed.iter().flatten().any(vanished));
                see("two on one spot", a.at == b.at && a.shape == b.shape);
                see("far and fast", a.motion.x.abs().max(b.motion.x.abs()) > 4096.0);
            }
        }
        let rare: Vec<_> = seen.iter().filter(|(_, count)| **count < 8).collect();
        assert!(rare.is_empty(), "{rare:?} of {seen:?}");
    }
}
