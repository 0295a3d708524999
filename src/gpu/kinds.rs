//! The kinds of bodies that a world has, and by that the shaders that its pairs need.

use crate::ground::touch::Touch;
use crate::world::packed::{Kind, Packed};

use super::pass::Pass;
use super::stream::Own;

/// The kinds of bodies that a world has, perhaps with some that it has not: what no pair needs is neither compiled nor
/// dispatched.
#[expect(clippy::struct_excessive_bools, reason = "each tells by itself what is needed")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// Convex bodies or polygons.
    pub(super) convex: bool,
    /// Among these some that are no aligned boxes or circles at rest, so that bounds do not decide all of their pairs.
    pub(super) hulls: bool,
    /// Sprites.
    pub(super) sprites: bool,
    /// Among these some of which words of pixels do not tell all, since they move, are too large to be painted ahead,
    /// or touch counts.
    pub(super) others: bool,
}

impl Kinds {
    /// The kinds of a world's bodies; `samples` says whether some turned sprite is not painted ahead, `own` what of
    /// bodies streams on the GPU have in place of the world.
    pub(super) fn of(packed: &Packed, touch: Touch, samples: bool, own: Own) -> Self {
        // Plain compares, so that they are made for many bodies at once.
        let [mut simple, mut hulls, mut sprites] = [false; 3];
        let mut moving = own > Own::Nothing;
        for kind in &packed.kinds {
            simple |= matches!(kind, Kind::Box | Kind::Disc);
            hulls |= *kind == Kind::Hull;
            sprites |= matches!(kind, Kind::Mask | Kind::Painted);
            moving |= *kind == Kind::Moving;
        }
        // What moves is of some shape that there is: all are taken for moving, as they are far fewer than bodies.
        let is_mask = |corners: u32| corners == 0;
        let moving_sprites = moving && packed.shapes.iter().any(|shape| is_mask(shape.corners));
        hulls |= moving && packed.shapes.iter().any(|shape| !is_mask(shape.corners));
        sprites |= moving_sprites;
        // Bodies may be of any shape, in any pose.
        let samples = samples || (own == Own::Forms && sprites);
        let others = sprites && (moving_sprites || samples || touch == Touch::Included);
        Self { convex: simple || hulls, hulls, sprites, others }
    }

    /// Whether bounds do not decide all pairs. Where they do, the sweep has to decide all: so what is [`Kind::Box`] or
    /// [`Kind::Disc`] is BOX or DISC to the shaders (`kind_of` in `tile.wgsl`).
    pub(super) fn are_judged(self) -> bool {
        self.hulls || self.sprites
    }

    /// The passes that judge what bounds do not decide, beside [`Pass::JudgeSampled`], which a step has or has not for
    /// other reasons.
    pub(super) fn judges(self) -> impl Iterator<Item = Pass> {
        let judges = [
            (Pass::JudgeMasks, self.sprites),
            (Pass::JudgeConvex, self.hulls),
            (Pass::JudgeSprites, self.others),
            (Pass::JudgeMixed, self.sprites && self.convex),
        ];
        judges.into_iter().filter_map(|(pass, needed)| needed.then_some(pass))
    }

    /// The passes that gather what pairs carry.
    pub(super) fn details(self) -> impl Iterator<Item = Pass> {
        let details = [
            (Pass::DetailConvex, self.convex),
            (Pass::DetailSprites, self.sprites),
            (Pass::DetailMixed, self.sprites && self.convex),
        ];
        details.into_iter().filter_map(|(pass, needed)| needed.then_some(pass))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Linear, Mask, Shape, World};

    fn kinds(touch: Touch, bodies: &[(Shape, f64, f64)]) -> (Vec<Pass>, Vec<Pass>) {
        own_kinds(touch, bodies, Own::Nothing)
    }

    fn own_kinds(touch: Touch, bodies: &[(Shape, f64, f64)], own: Own) -> (Vec<Pass>, Vec<Pass>) {
        let mut world = World::new(touch);
        for (shape, turned, speed) in bodies {
            let shape = world.add_shape(shape.clone()).unwrap();
            let body = Body::new(shape, [0.0, 0.0]).posed(Linear::turned(*turned)).moving([*speed, 0.0]);
            world.add(&body).unwrap();
        }
        let kinds = Kinds::of(world.packed(), touch, false, own);
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
        // What the GPU places may move.
        assert_eq!(own_kinds(out, &[(square(), 0.0, 0.0)], Own::Placements).0, [JudgeConvex]);
        assert_eq!(own_kinds(out, &[(sprite(), 0.0, 0.0)], Own::Placements).0, [JudgeMasks, JudgeSprites]);
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
