//! Coordinates: Bevy's y points up, the library's points down.
//!
//! ```text
//!   Bevy     (x, y)  ─>  (x, -y)   the library      row 0 of a mask is the top row in both
//!   matrix  [ a  b ]     [  a -b ]
//!           [ c  d ] ─>  [ -c  d ]                  flip, then the matrix, then flip
//! ```

use bevy_math::{Affine2, Affine3A, Mat2, Vec2};
use bevy_transform::components::GlobalTransform;
use hitmask::Linear;
use hitmask::geometry::snap;

/// Units for a lattice step.
const STEP: f64 = 1.0 / hitmask::geometry::SUBPIXELS as f64;

/// Converts a point or a vector to the library's units.
pub(crate) fn down(v: Vec2) -> [f64; 2] {
    [f64::from(v.x), -f64::from(v.y)]
}

/// Converts a point or a vector of the library to Bevy's units.
pub(crate) fn up(v: impl Into<[f64; 2]>) -> Vec2 {
    let [x, y] = v.into();
    Vec2::new(x as f32, -y as f32)
}

/// Returns the motion from one point to another, both snapped to the lattice, so that it ends exactly at the second.
pub(crate) fn motion(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    std::array::from_fn(|k| (snap(to[k]) - snap(from[k])) * STEP)
}

/// Returns the map from points of the world to an entity's own points at a height. `None` if the entity's x and y axes
/// span no area, as with a scale of 0. The z axis may be of any length.
pub(crate) fn to_local(place: &GlobalTransform, z: f32) -> Option<Affine2> {
    let Affine3A { matrix3: axes, translation } = place.affine();
    let plane = Mat2::from_cols(axes.x_axis.truncate(), axes.y_axis.truncate()).try_inverse()?;
    let origin = (translation + axes.z_axis * z).truncate();
    Some(Affine2::from_mat2_translation(plane, -(plane * origin))).filter(Affine2::is_finite)
}

/// The pose of an entity: the part of its [`GlobalTransform`] in the plane. z is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub(crate) at: Vec2,
    matrix: Mat2,
}

impl Pose {
    pub(crate) fn new(transform: &GlobalTransform) -> Self {
        let affine = transform.affine();
        let (x, y) = (affine.matrix3.x_axis, affine.matrix3.y_axis);
        let at = Vec2::new(affine.translation.x, affine.translation.y);
        Self { at, matrix: Mat2::from_cols_array(&[x.x, x.y, y.x, y.y]) }
    }

    /// Checks whether another pose differs in its place alone.
    pub(crate) fn is_parallel(&self, other: &Self) -> bool {
        self.matrix == other.matrix
    }

    /// Returns the linear part for the library. `texel` is the size of a texel in the entity's own units, negative
    /// along an axis that is flipped; (1, 1) for a shape without texels.
    pub(crate) fn linear(&self, texel: Vec2) -> Linear {
        let [a, c, b, d] = self.matrix.to_cols_array().map(f64::from);
        let [u, v] = [texel.x, texel.y].map(f64::from);
        Linear { x: [a * u, -b * v], y: [-c * u, d * v] }
    }
}
