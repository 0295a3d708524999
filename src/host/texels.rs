//! The texels of sprites that hit, and their labels: computed on the host, exactly, from the answer of an engine or a
//! query.

use std::collections::BTreeMap;

use super::moment::{Moment, ascending, swept};
use super::runs::{Rows, Run, common};
use crate::ground::error::{Error, Result};
use crate::ground::handle::ShapeId;
use crate::ground::touch::Touch;
use crate::hits::Detail;
use crate::mask::Labels;
use crate::queries::BodyHit;
use crate::world::World;
use crate::world::body;
use crate::world::packed::{Body, EMPTY, OFF, Packed, SPRITE};
use crate::world::pose::texel::texel;

/// A pixel of a hit, and the texels of the two masks that are drawn there: from [`World::texels_hit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TexelHit {
    /// The world pixel, `[x, y]`, as drawn at the tick of the hit.
    pub pixel: [i32; 2],
    /// For each body, the column and row of its texel. `None` for a body that is not a sprite, and for a sprite that
    /// only touches this pixel.
    pub texels: [Option<[u32; 2]>; 2],
}

/// The pixels of a hit whose texels have the same labels: from [`World::labels_hit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LabelHit {
    /// The label of each body's texels. `None` for a body without labels, and where [`TexelHit::texels`] has none.
    pub labels: [Option<u32>; 2],
    /// The number of these pixels.
    pub pixels: u64,
    /// The first of them, in the order of [`World::texels_hit`].
    pub first: [i32; 2],
}

impl World {
    /// Returns the pixels at which two bodies first hit, with the texels of each sprite there: row by row, from left to
    /// right. `detail` is what an engine returned for the pair.
    ///
    /// These are the pixels that `detail.area` counts. If the bodies only touch (`detail.area` is 0), they are each
    /// sprite's painted pixels that touch the other body, with that sprite's texel alone. Takes time proportional to
    /// the number of pixels.
    ///
    /// Bodies, motions and shapes must be as they were in the step. Layers, masks and groups are ignored. Empty for two
    /// convex bodies, for a pair that does not hit at that tick, for a body that is switched off, and for an index
    /// without a body.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", ".##", "###"])?))?;
    /// let tile = world.add_shape(Shape::rect(2.0, 2.0)?)?;
    /// world.add(&Body::new(arrow, [10, 20]))?;
    /// world.add(&Body::new(tile, [10, 20]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let texels: Vec<_> = world.texels_hit(hits.pairs[0], &hits.details[0]).collect();
    /// assert_eq!((texels[0].pixel, texels[0].texels), ([11, 21], [Some([1, 1]), None]));
    /// assert_eq!(texels.len(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn texels_hit(&self, pair: [u32; 2], detail: &Detail) -> impl Iterator<Item = TexelHit> + use<'_> {
        let found = ascending(self.packed(), pair);
        let is_swapped = found.is_some_and(|(_, is_swapped)| is_swapped);
        let met = found.map(|(bodies, _)| Meeting::new(self, &bodies, detail)).unwrap_or_default();
        met.texels(self.packed()).map(move |mut hit| {
            if is_swapped {
                hit.texels.reverse();
            }
            hit
        })
    }

    /// As [`World::texels_hit`], for a body that is not in the world, which comes first. `body` is the body that the
    /// query was about, `hit` its answer.
    ///
    /// Fails as the query does, and with [`Error::Gone`] if the other body has been removed.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", ".##", "###"])?))?;
    /// let tile = world.add_shape(Shape::rect(2.0, 2.0)?)?;
    /// world.add(&Body::new(arrow, [10, 20]))?;
    /// let (mut queries, tile) = (Queries::new(), Body::new(tile, [10, 20]));
    /// let hit = queries.on(&world).first(&tile)?.unwrap();
    /// let texels: Vec<_> = world.probe_texels_hit(&tile, &hit)?.map(|hit| hit.texels).collect();
    /// assert_eq!(texels, [[None, Some([1, 1])]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn probe_texels_hit(
        &self,
        body: &body::Body,
        hit: &BodyHit,
    ) -> Result<impl Iterator<Item = TexelHit> + use<'_>> {
        let bodies = [self.pose_apart(body)?, self.standing(hit.body)?];
        Ok(Meeting::new(self, &bodies, &hit.detail).texels(self.packed()))
    }

    /// Counts the pixels at which two bodies first hit by the labels of their texels, those of body `pair[0]` and of
    /// body `pair[1]`: one [`LabelHit`] for each pair of labels, in ascending order. `labels` returns the labels of a
    /// shape, `None` for a shape without. See [`World::texels_hit`] for which pixels count, and for what else is
    /// needed.
    ///
    /// Returns [`Error::Mask`] for labels of another size than the mask of their shape.
    ///
    /// ```
    /// use hitmask::mask::Labels;
    /// use hitmask::{Ask, Body, Engine, Mask, Shape, World};
    ///
    /// const HEAD: u32 = 1;
    /// const BODY: u32 = 2;
    /// let mut world = World::default();
    /// let knight = world.add_shape(Shape::sprite(Mask::from_fn(16, 32, |_, _| true)?))?;
    /// let arrow = world.add_shape(Shape::rect(8.0, 4.0)?)?;
    /// let labels = Labels::from_fn(16, 32, |_, y| if y < 10 { HEAD } else { BODY })?;
    /// world.add(&Body::new(knight, [100, 100]))?;
    /// world.add(&Body::new(arrow, [80, 107]).moving([30, 0]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let of = |shape| (shape == knight).then_some(&labels);
    /// let hit = world.labels_hit(hits.pairs[0], &hits.details[0], of)?;
    /// let rows = hit.iter().map(|hit| (hit.labels, hit.pixels)).collect::<Vec<_>>();
    /// assert_eq!(rows, [([Some(HEAD), None], 3), ([Some(BODY), None], 1)]); // of the column that the arrow enters
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn labels_hit<'a>(
        &self,
        pair: [u32; 2],
        detail: &Detail,
        labels: impl Fn(ShapeId) -> Option<&'a Labels>,
    ) -> Result<Vec<LabelHit>> {
        let shapes = pair.map(|index| Some(self.body(self.id(index)?)?.shape));
        self.by_label(shapes, self.texels_hit(pair, detail), labels)
    }

    /// As [`World::labels_hit`], for a body that is not in the world, which comes first. `body` is the body that the
    /// query was about, `hit` its answer.
    ///
    /// Fails as [`World::labels_hit`] and [`World::probe_texels_hit`] do.
    pub fn probe_labels_hit<'a>(
        &self,
        body: &body::Body,
        hit: &BodyHit,
        labels: impl Fn(ShapeId) -> Option<&'a Labels>,
    ) -> Result<Vec<LabelHit>> {
        let shapes = [Some(body.shape), self.body(hit.body).map(|body| body.shape)];
        self.by_label(shapes, self.probe_texels_hit(body, hit)?, labels)
    }

    /// Counts pixels by the labels of their texels, which are those of two shapes.
    fn by_label<'a>(
        &self,
        shapes: [Option<ShapeId>; 2],
        texels: impl Iterator<Item = TexelHit>,
        labels: impl Fn(ShapeId) -> Option<&'a Labels>,
    ) -> Result<Vec<LabelHit>> {
        let mut own = [None; 2];
        for (own, shape) in own.iter_mut().zip(shapes) {
            *own = shape.and_then(&labels);
            if let (Some(shape), Some(labels)) = (shape, *own) {
                self.check_labels(shape, labels)?;
            }
        }
        let mut found = BTreeMap::new();
        for TexelHit { pixel, texels } in texels {
            let label = |k: usize| texels[k].zip(own[k]).and_then(|([x, y], labels)| labels.label(x, y));
            let labels = [label(0), label(1)];
            found.entry(labels).or_insert(LabelHit { labels, pixels: 0, first: pixel }).pixels += 1;
        }
        Ok(found.into_values().collect())
    }

    fn check_labels(&self, shape: ShapeId, labels: &Labels) -> Result<()> {
        let Some(mask) = self.shape(shape).and_then(|shape| shape.mask()) else { return Ok(()) };
        if labels.size() == mask.size() {
            return Ok(());
        }
        let ([width, height], [w, h], shape) = (labels.size(), mask.size(), shape.index());
        let problem = format!("labels of {width} x {height} texels for the mask of shape {shape}, which has {w} x {h}");
        Err(Error::Mask { problem })
    }
}

/// A run of pixels of one row, and the bodies whose texels count there.
struct Shown {
    y: i32,
    run: Run,
    whose: [bool; 2],
}

/// Two bodies as they stand at the tick of their hit, and the pixels of that hit.
#[derive(Default)]
struct Meeting {
    bodies: Option<[Body; 2]>,
    shown: Vec<Shown>,
}

impl Meeting {
    fn new(world: &World, bodies: &[Body; 2], detail: &Detail) -> Self {
        let [a, b] = bodies.each_ref().map(|body| body.is(SPRITE));
        if !(a || b) || bodies.iter().any(|body| body.is(EMPTY) || body.is(OFF)) {
            return Self::default();
        }
        let (packed, touch) = (world.packed(), world.touch());
        let moment = Moment::new(packed, bodies, detail.tick(), touch);
        let near = |k: usize| moment.bodies[1 - k].reach().grown(256);
        let rows = |k: usize, touch: Touch| {
            let body = &moment.bodies[k];
            let came = moment.came;
            if body.is(SPRITE) { Rows::sprite(packed, body, touch) } else { swept(packed, body, came, &near(k), touch) }
        };
        let painted = [a, b];
        let mut shown = common_rows(rows(0, Touch::Excluded), rows(1, Touch::Excluded), painted);
        if shown.is_empty() && touch == Touch::Included {
            for k in (0..2).filter(|&k| painted[k]) {
                let whose = [k == 0, k == 1];
                shown.extend(common_rows(rows(k, Touch::Excluded), rows(1 - k, touch), whose));
            }
            shown.sort_unstable_by_key(|shown| (shown.y, shown.run));
        }
        Self { bodies: Some(moment.bodies), shown }
    }

    /// Returns the pixels with their texels.
    fn texels(self, packed: &Packed) -> impl Iterator<Item = TexelHit> + use<'_> {
        let Self { bodies, shown } = self;
        let pixels =
            shown.into_iter().flat_map(|Shown { y, run, whose }| (run[0]..run[1]).map(move |x| ([x, y], whose)));
        pixels.map(move |(pixel, whose)| {
            let of = |k: usize| bodies.filter(|_| whose[k]).and_then(|bodies| texel(packed, &bodies[k], pixel));
            TexelHit { pixel, texels: [of(0), of(1)] }
        })
    }
}

/// Returns the runs that both have.
fn common_rows(mut a: Rows<'_>, mut b: Rows<'_>, whose: [bool; 2]) -> Vec<Shown> {
    let pixels = a.pixels().common(&b.pixels());
    let columns = [pixels.min.x, pixels.max.x];
    a.clip(columns);
    b.clip(columns);
    let rows = pixels.min.y..pixels.max.y;
    rows.flat_map(|y| common(a.row(y), b.row(y)).into_iter().map(move |run| Shown { y, run, whose })).collect()
}
