//! Polygons traced from masks, used as shapes: those of all sprites in `assets/` are valid, and hit what the sprite
//! hits.

use hitmask::mask::{Neighbours, Polygon};
use hitmask::{Ask, Body, Mask, Result, Shape, Touch, World, cpu};
use hitmask_workbench::workloads::{SplitMix64, blob};

const SPRITES: [(&str, usize); 7] =
    [("ship", 1), ("enemy", 1), ("bullets", 7), ("rotor", 1), ("asteroid", 1), ("font", 17), ("terrain", 1)];

fn shape(polygon: &Polygon) -> Result<Shape> {
    Shape::polygon_with_holes(&polygon.outline, &polygon.holes)
}

fn sprite(name: &str) -> Mask {
    let file = format!("{}/assets/{name}.png", env!("CARGO_MANIFEST_DIR"));
    Mask::open(file.as_ref(), 128, None).unwrap()
}

#[test]
fn every_component_of_the_sprites_is_a_shape() {
    for (name, count) in SPRITES {
        let mask = sprite(name);
        assert_eq!(mask.components(Neighbours::Four).len(), count, "{name}");
        let corners = |polygons: &[Polygon]| -> usize {
            assert_eq!(polygons.len(), count, "{name}");
            for polygon in polygons {
                assert!(shape(polygon).is_ok(), "{name}: {polygon:?}");
            }
            let rings = polygons.iter().flat_map(|polygon| std::iter::once(&polygon.outline).chain(&polygon.holes));
            rings.map(Vec::len).sum()
        };
        let exact = corners(&mask.polygons());
        let fewer = [0.5, 1.0, 2.0].map(|tolerance| corners(&mask.polygons_within(tolerance).unwrap()));
        println!("{name}: {exact} corners, {fewer:?}");
        assert!(fewer.is_sorted_by(|a, b| a >= b) && 5 * fewer[2] < 3 * exact, "{name}: {exact} corners, {fewer:?}");
    }
}

/// Checks that a mask at whole units and the polygons traced from it hit the same bodies. Returns the number of these.
fn check(mask: &Mask, touch: Touch, random: &mut SplitMix64) -> usize {
    const MOVERS: usize = 2000;
    let shapes: Vec<_> = mask.polygons().iter().map(|polygon| shape(polygon).unwrap()).collect();
    let count = shapes.len();
    let mut world = World::new(touch);
    for shape in [vec![Shape::sprite(mask.clone())], shapes].concat() {
        let shape = world.add_shape(shape).unwrap();
        world.add(&Body::new(shape, [-7, 5]).filtered(1, 2)).unwrap();
    }
    let sides = [[3.0, 2.0], [0.5, 0.5], [1.0 / 256.0, 1.0 / 256.0], [9.25, 0.25]];
    let movers = [
        sides.map(|[w, h]| world.add_shape(Shape::rect(w, h).unwrap()).unwrap()).to_vec(),
        vec![world.add_shape(Shape::circle(0.5).unwrap()).unwrap()],
    ]
    .concat();
    for k in 0..MOVERS {
        // Half of the positions are in lattice steps, half in whole units, where edges touch.
        let step = if k % 2 == 0 { 1.0 } else { 256.0 };
        let mut place = |least: f64, length: u32| {
            least - 10.0 + f64::from(random.below((length + 20) * (256.0 / step) as u32)) * step / 256.0
        };
        let at = [place(-7.0, mask.width()), place(5.0, mask.height())];
        world.add(&Body::new(movers[k / 2 % movers.len()], at).filtered(2, 1)).unwrap();
    }
    let hits = cpu::Engine::new().unwrap().run(&world, Ask::Pairs).unwrap();
    let mut hit = [vec![false; MOVERS], vec![false; MOVERS]];
    for &[ground, mover] in &hits.pairs {
        hit[usize::from(ground > 0)][mover as usize - 1 - count] = true;
    }
    assert_eq!(hit[0], hit[1], "{mask:?}, {touch:?}");
    hit[0].iter().filter(|&&hit| hit).count()
}

#[test]
fn polygons_are_hit_as_the_sprite_is() {
    let mut random = SplitMix64(37);
    let mut masks: Vec<Mask> = SPRITES.map(|(name, _)| sprite(name)).to_vec();
    masks.extend((0..6).map(|_| blob(&mut random, 30, 500).unwrap()));
    masks.extend([300, 600, 900].map(|permille| Mask::from_fn(30, 30, |_, _| random.below(1000) < permille).unwrap()));
    masks.push(Mask::from_fn(20, 20, |x, y| (x + y) % 2 == 0).unwrap());
    for mask in masks {
        for touch in [Touch::Excluded, Touch::Included] {
            let count = check(&mask, touch, &mut random);
            assert!((100..1900).contains(&count), "{count} of 2000 hit {mask:?}");
        }
    }
}
