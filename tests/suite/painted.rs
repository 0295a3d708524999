//! The pixels that sprites paint, as masks: [`World::painted`] and [`Mask::rotated`].

use hitmask::geometry::Flip;
use hitmask::{Body, Linear, Mask, Shape, World};
use hitmask_workbench::workloads::SplitMix64;

fn random_mask(random: &mut SplitMix64) -> Mask {
    let [width, height] = [1 + random.below(90), 1 + random.below(20)];
    let dense = 1 + random.below(4);
    Mask::from_fn(width, height, |_, _| random.below(4) < dense).unwrap()
}

/// A pixel is in the mask exactly if the sprite is solid at the texel that it shows, and the mask is as small as can
/// be.
#[test]
fn a_painted_mask_has_the_pixels_whose_texels_are_solid() {
    let (mut random, mut painted) = (SplitMix64(5), 0);
    for case in 0..300 {
        let mut world = World::default();
        let mask = random_mask(&mut random);
        let anchor = [0, 1].map(|_| f64::from(random.below(4000)) / 100.0);
        let shape = world.add_shape(Shape::sprite(mask.clone()).anchored(anchor).unwrap()).unwrap();
        let angle =
            f64::from(random.below(if case % 2 == 0 { 4 } else { 3600 })) * if case % 2 == 0 { 90.0 } else { 0.1 };
        let scale = [0, 1].map(|_| 0.5 + f64::from(random.below(100)) / 40.0);
        let linear = Linear::new(angle, scale, Flip { x: case % 3 == 0, y: case % 5 == 0 });
        let at = [0, 1].map(|_| f64::from(random.below(20_000)) / 256.0 - 40.0);
        let id = world.add(&Body::new(shape, at).posed(linear).moving([300, 0])).unwrap();
        let solid = |pixel: [i32; 2]| world.texel(id, pixel).is_some_and(|[u, v]| mask.get(u, v));
        let Some((found, [left, top])) = world.painted(id).unwrap() else {
            let mut all = (-300..300).flat_map(|y| (-300..300).map(move |x| [x, y]));
            assert!(!all.any(solid), "case {case}: {linear:?}");
            continue;
        };
        assert_eq!(found.bounds(), Some([0, 0, found.width(), found.height()]), "case {case}");
        let [width, height] = found.size().map(|side| side as i32);
        let mut count = 0;
        for [x, y] in (-30..height + 30).flat_map(|y| (-30..width + 30).map(move |x| [x, y])) {
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            let is_set = inside && found.get(x as u32, y as u32);
            assert_eq!(is_set, solid([left + x, top + y]), "case {case}: pixel {x}, {y}");
            count += u64::from(is_set);
        }
        assert_eq!(count, found.count());
        painted += count;
    }
    assert!(painted > 10_000, "{painted} pixels");
}

#[test]
fn what_paints_nothing_has_no_mask() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let clear = world.add_shape(Shape::sprite(Mask::new(3, 3).unwrap())).unwrap();
    let dot = world.add_shape(Shape::sprite(Mask::from_rows(&["#"]).unwrap())).unwrap();
    for body in [Body::new(ball, [0, 0]), Body::new(clear, [0, 0]), Body::new(dot, [0, 0]).posed(Linear::scaled(0.0))] {
        let id = world.add(&body).unwrap();
        assert_eq!(world.painted(id).unwrap(), None);
        world.remove(id).unwrap();
        assert_eq!(world.painted(id).unwrap(), None, "gone");
    }
    let mut wide = Mask::new(8192, 1).unwrap();
    wide.fill();
    let wide = world.add_shape(Shape::sprite(wide)).unwrap();
    let id = world.add(&Body::new(wide, [0, 0]).posed(Linear::scaled(2.0))).unwrap();
    let error = world.painted(id).unwrap_err().to_string();
    assert!(error.contains("16384") && error.contains("8192"), "{error}");
}

/// Quarter turns move each texel to one place; any turn keeps the centre where it is.
#[test]
fn a_rotated_mask_turns_about_its_centre() {
    let mut random = SplitMix64(6);
    for case in 0..200 {
        let mask = random_mask(&mut random);
        let [width, height] = mask.size();
        let quarter = mask.rotated(90.0).unwrap();
        assert_eq!(quarter, Mask::from_fn(height, width, |x, y| mask.get(y, height - 1 - x)).unwrap(), "case {case}");
        assert_eq!(mask.rotated(180.0).unwrap(), mask.flipped(Flip { x: true, y: true }));
        assert_eq!(quarter.rotated(-90.0).unwrap(), mask);
        assert_eq!(mask.rotated(360.0).unwrap(), mask);
        let angle = f64::from(random.below(3600)) / 10.0;
        let turned = mask.rotated(angle).unwrap();
        let mut world = World::default();
        let centre = mask.size().map(|side| f64::from(side) / 2.0);
        let shape = world.add_shape(Shape::sprite(mask).anchored(centre).unwrap()).unwrap();
        let at = turned.size().map(|side| f64::from(side) / 2.0);
        let id = world.add(&Body::new(shape, at).posed(Linear::from_degrees(angle))).unwrap();
        match world.painted(id).unwrap() {
            Some((painted, at)) => {
                let mut drawn = Mask::new(turned.width(), turned.height()).unwrap();
                drawn.draw(&painted, at);
                assert!(drawn == turned && drawn.count() == painted.count(), "case {case}: {angle} degrees");
            }
            None => assert_eq!(turned.count(), 0),
        }
    }
    let long = Mask::new(8192, 8192).unwrap();
    assert!(long.rotated(45.0).unwrap_err().to_string().contains("8192"));
    assert_eq!(long.rotated(f64::NAN).unwrap_err().to_string(), "`degrees` is NaN; it must be finite");
}
