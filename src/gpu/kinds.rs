//! The kinds of bodies in a world, and the shaders that its pairs therefore need.

use crate::ground::touch::Touch;
use crate::world::packed::{Kind, Packed, Shape};

use super::pass::Pass;
use super::stream::Own;

/// The kinds of shapes in a world, possibly with some that it has had before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ShapeKinds {
    /// True if there are convex shapes or polygons.
    pub(super) convex: bool,
    /// True if there are masks.
    pub(super) masks: bool,
}

impl ShapeKinds {
    /// Adds the kind of a shape.
    pub(super) fn add(&mut self, shape: &Shape) {
        self.convex |= shape.corners > 0;
        self.masks |= shape.size.x > 0;
    }

    /// Returns the kinds of all shapes.
    pub(super) fn of(shapes: &[Shape]) -> Self {
        let mut kinds = Self::default();
        for shape in shapes {
            kinds.add(shape);
        }
        kinds
    }
}

/// The kinds of bodies in a world, possibly with some that it lacks. Shaders that no pair needs are neither compiled
/// nor dispatched.
#[expect(clippy::struct_excessive_bools, reason = "each tells by itself what is needed")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// Whether there are convex bodies or polygons.
    pub(super) convex: bool,
    /// True if some of these are not aligned boxes or circles at rest, or are detectors, so that bounds do not decide
    /// all their pairs.
    pub(super) hulls: bool,
    /// Whether there are sprites.
    pub(super) sprites: bool,
    /// Whether comparing words of pixels is not enough for some sprites, because they move, are too large to be painted
    /// ahead, or touch counts.
    pub(super) others: bool,
}

impl Kinds {
    /// Returns the kinds of a world's bodies, which have these kinds of shapes. `samples` says whether some turned
    /// sprite is not painted ahead, `own` which columns come from streams on the GPU instead of the world, and `moves`
    /// whether a stream gives motions.
    pub(super) fn of(packed: &Packed, touch: Touch, samples: bool, shapes: ShapeKinds, own: Own, moves: bool) -> Self {
        // Plain comparisons, so that the compiler vectorizes them.
        let [mut simple, mut hulls, mut sprites] = [false; 3];
        let mut moving = moves;
        for kind in &packed.kinds {
            simple |= matches!(kind, Kind::Box | Kind::Disc);
            hulls |= *kind == Kind::Hull;
            sprites |= matches!(kind, Kind::Mask | Kind::Painted);
            moving |= kind.moves();
        }
        // Streams may give a body any shape and any pose, and a moving body has one of the world's shapes.
        let any_form = own == Own::Forms;
        if moving || any_form {
            hulls |= shapes.convex;
            sprites |= shapes.masks;
        }
        // The shaders know detectors by their kind, which then says nothing of their shape.
        hulls |= simple && packed.detecting;
        let others = sprites && (moving || any_form || samples || touch == Touch::Included);
        Self { convex: simple || hulls, hulls, sprites, others }
    }

    /// Returns whether bounds leave some pairs undecided. If not, the sweep has to decide all pairs, so every
    /// [`Kind::Box`] or [`Kind::Disc`] must be BOX or DISC to the shaders (`kind_of` in `tile.wgsl`), unless it is a
    /// detector.
    pub(super) fn are_judged(self) -> bool {
        self.hulls || self.sprites
    }

    /// Returns the passes that judge candidates that bounds do not decide, except [`Pass::JudgeSampled`], which depends
    /// on other things.
    pub(super) fn judges(self) -> impl Iterator<Item = Pass> {
        let judges = [
            (Pass::JudgeMasks, self.sprites),
            (Pass::JudgeConvex, self.hulls),
            (Pass::JudgeSprites, self.others),
            (Pass::JudgeMixed, self.sprites && self.convex),
        ];
        judges.into_iter().filter_map(|(pass, needed)| needed.then_some(pass))
    }

    /// Returns the passes that gather the details of pairs.
    pub(super) fn details(self) -> impl Iterator<Item = Pass> {
        self.needed([Pass::DetailConvex, Pass::DetailSprites, Pass::DetailMixed])
    }

    /// Returns the passes that find the ways out of pairs.
    pub(super) fn contacts(self) -> impl Iterator<Item = Pass> {
        self.needed([Pass::ContactConvex, Pass::ContactSprites, Pass::ContactMixed])
    }

    /// Returns the needed ones of the passes for two convex bodies, two sprites, and one of each.
    fn needed(self, passes: [Pass; 3]) -> impl Iterator<Item = Pass> {
        let needed = [self.convex, self.sprites, self.sprites && self.convex];
        passes.into_iter().zip(needed).filter_map(|(pass, needed)| needed.then_some(pass))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Linear, Mask, Shape, World};

    fn kinds(touch: Touch, bodies: &[(Shape, f64, f64)]) -> (Vec<Pass>, Vec<Pass>) {
        own_kinds(touch, bodies, Own::Nothing, false)
    }

    fn own_kinds(touch: Touch, bodies: &[(Shape, f64, f64)], own: Own, moves: bool) -> (Vec<Pass>, Vec<Pass>) {
        let mut world = World::new(touch);
        for (shape, turned, speed) in bodies {
            let shape = world.add_shape(shape.clone()).unwrap();
            let body = Body::new(shape, [0.0, 0.0]).posed(Linear::from_degrees(*turned)).moving([*speed, 0.0]);
            world.add(&body).unwrap();
        }
        let shapes = ShapeKinds::of(&world.packed().shapes);
        let kinds = Kinds::of(world.packed(), touch, false, shapes, own, moves);
        (kinds.judges().collect(), kinds.details().collect())
    }

    #[test]
    fn a_world_needs_the_shaders_of_its_kinds() {
        use Pass::{DetailConvex, DetailMixed, DetailSprites, JudgeConvex, JudgeMasks, JudgeMixed, JudgeSprites};
        let square = || Shape::rect(4.0, 4.0).unwrap();
        let ball = || Shape::circle(3.0).unwrap();
        let sprite = || Shape::sprite(Mask::from_rows(&["##", "##"]).unwrap());
        let out = Touch::Excluded;
        assert_eq!(kinds(out, &[]), (vec![], vec![]));
        assert_eq!(kinds(out, &[(square(), 0.0, 0.0)]), (vec![], vec![DetailConvex]));
        assert_eq!(kinds(out, &[(ball(), 0.0, 0.0)]), (vec![], vec![DetailConvex]));
        for convex in [(square(), 1.0, 0.0), (square(), 0.0, 1.0), (ball(), 0.0, 1.0)] {
            assert_eq!(kinds(out, &[convex]), (vec![JudgeConvex], vec![DetailConvex]));
        }
        for turned in [0.0, 1.0] {
            assert_eq!(kinds(out, &[(sprite(), turned, 0.0)]), (vec![JudgeMasks], vec![DetailSprites]));
            assert_eq!(kinds(out, &[(sprite(), turned, 1.0)]), (vec![JudgeMasks, JudgeSprites], vec![DetailSprites]));
        }
        // Bodies placed on the GPU move if it has their motions; those posed there may have any pose.
        for (own, moves, any) in
            [(Own::Placements, false, false), (Own::Placements, true, true), (Own::Forms, false, true)]
        {
            let convex: &[Pass] = if any { &[JudgeConvex] } else { &[] };
            let sprites: &[Pass] = if any { &[JudgeMasks, JudgeSprites] } else { &[JudgeMasks] };
            assert_eq!(own_kinds(out, &[(square(), 0.0, 0.0)], own, moves).0, convex);
            assert_eq!(own_kinds(out, &[(sprite(), 0.0, 0.0)], own, moves).0, sprites);
            assert_eq!(
                own_kinds(out, &[(square(), 0.0, 1.0)], own, moves).0,
                [JudgeConvex],
                "the world's motions count"
            );
        }
        let mut world = World::new(out);
        let ball = world.add_shape(ball()).unwrap();
        world.add(&Body::new(ball, [0, 0]).detector(true)).unwrap();
        let shapes = ShapeKinds::of(&world.packed().shapes);
        let kinds_of = Kinds::of(world.packed(), out, false, shapes, Own::Nothing, false);
        assert_eq!(kinds_of.judges().collect::<Vec<_>>(), [JudgeConvex], "bounds do not decide for detectors");
        let included = kinds(Touch::Included, &[(sprite(), 0.0, 0.0)]).0;
        assert!(included.contains(&JudgeSprites), "{included:?}");
        assert_eq!(
            kinds(out, &[(sprite(), 0.0, 0.0), (square(), 0.0, 0.0)]),
            (vec![JudgeMasks, JudgeMixed], vec![DetailConvex, DetailSprites, DetailMixed])
        );
        assert_eq!(
            kinds(out, &[(sprite(), 0.0, 1.0), (square(), 0.0, 0.0)]).0,
            [JudgeMasks, JudgeConvex, JudgeSprites, JudgeMixed]
        );
    }
}
