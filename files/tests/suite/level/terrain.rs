//! Bodies of levels: that they stand where the tiles do, hit what single tiles hit, and follow edits.

use std::collections::BTreeSet;

use hitmask::{Ask, Body, Engine, Linear, Mask, Shape, Touch, World};
use hitmask_files::Filter;
use hitmask_files::level::{Cells, Content, Flips, Tile};
use hitmask_files::terrain::{Merge, Solids, Source, Terrain};
use hitmask_files::{Error, Level};
use proptest::prelude::*;

use super::tmx::{self, Files, Format, files, layer, map, tileset};

/// Tiles with shapes of all kinds, whose edges do not cross those of other tiles.
const SHAPES: &str = r#"
<tile id="0"><objectgroup><object id="1" width="16" height="16"/></objectgroup></tile>
<tile id="1"><objectgroup><object id="1"><polygon points="0,16 16,0 16,16"/></object></objectgroup></tile>
<tile id="2"><objectgroup><object id="1"><polygon points="0,16 16,8 16,16"/></object></objectgroup></tile>
<tile id="3"><objectgroup><object id="1" x="2" y="3" width="12" height="10"><ellipse/></object></objectgroup></tile>
<tile id="4"><objectgroup><object id="1" y="8" width="16" height="8"/><object id="2" x="8" width="8" height="16"/>
 </objectgroup></tile>
<tile id="5"><objectgroup><object id="1"><polyline points="0,8 16,8"/></object><object id="2" x="3"><point/></object>
 </objectgroup></tile>
<tile id="6"><objectgroup><object id="1"><polygon points="0,0 16,0 16,16 0,16 0,12 8,12 8,4 0,4"/></object>
 </objectgroup></tile>
<tile id="7"><objectgroup><object id="1" x="4" y="4" width="6" height="3" rotation="30"/></objectgroup></tile>
<tile id="8"><objectgroup><object id="1"><polygon points="0,0 16,16 16,0 0,16"/></object></objectgroup></tile>
<tile id="10"><objectgroup><object id="1" x="-9" y="-4" width="30" height="22"/></objectgroup></tile>
<tile id="11"><objectgroup><object id="1"><polygon points="0,-20 4,0 12,-20 20,0 0,30"/></object></objectgroup>
 </tile>"#;

/// A level of these tiles, with its picture.
fn level(columns: u32, gids: &[u32]) -> Level {
    let rows = gids.len() as u32 / columns;
    let text = tileset(1, 16, SHAPES) + &layer("ground", columns, rows, gids, Format::Csv);
    files(map(columns, rows, &text)).read("a.tmx").unwrap()
}

fn gids(columns: u32, rows: u32) -> impl Strategy<Value = Vec<u32>> {
    let gid = prop_oneof![2 => Just(0), 1 => Just(1), 3 => (1_u32..11, 0_u32..8).prop_map(|(n, f)| n | f << 29)];
    proptest::collection::vec(gid, (columns * rows) as usize)
}

/// Bodies that are tried against the terrain: their place, size and motion.
fn boxes() -> impl Strategy<Value = Vec<([f64; 2], [f64; 2], [f64; 2])>> {
    let quarter = |range: std::ops::Range<i32>| range.prop_map(|v| f64::from(v) / 4.0);
    let still = Just([0.0, 0.0]);
    let moving = [quarter(-200..200), quarter(-200..200)];
    let one = (
        [quarter(-40..520), quarter(-40..400)],
        [quarter(1..80), quarter(1..80)],
        prop_oneof![1 => still, 1 => moving],
    );
    proptest::collection::vec(one, 1..12)
}

/// The cells that bodies hit, by body, found with a terrain.
fn cells_hit(
    level: &Level,
    solids: &Solids,
    touch: Touch,
    boxes: &[([f64; 2], [f64; 2], [f64; 2])],
) -> Vec<BTreeSet<[i32; 2]>> {
    let mut world = World::new(touch);
    let terrain = level.add_to(&mut world, solids).unwrap();
    hit_cells(level, &mut world, &terrain, boxes)
}

fn hit_cells(
    level: &Level,
    world: &mut World,
    terrain: &Terrain,
    boxes: &[([f64; 2], [f64; 2], [f64; 2])],
) -> Vec<BTreeSet<[i32; 2]>> {
    let mut probes = Vec::new();
    for (at, [width, height], motion) in boxes {
        let shape = world.add_shape(Shape::rect(*width, *height).unwrap()).unwrap();
        // On a layer of their own, so that they do not hit each other.
        probes.push(world.add(&Body::new(shape, *at).moving(*motion).grouped(1)).unwrap());
    }
    let hits = Engine::reference().run(world, Ask::Pairs).unwrap();
    let mut cells = vec![BTreeSet::new(); boxes.len()];
    for pair in hits.pairs {
        let found = terrain.tiles_hit(level, world, pair).unwrap();
        assert!(!found.is_empty(), "a hit of no tile: {pair:?}");
        assert!(found.is_sorted_by_key(|hit| hit.detail.tick()));
        let probe = probes.iter().position(|probe| pair.contains(&probe.index())).unwrap();
        cells[probe].extend(found.iter().map(|hit| hit.cell));
    }
    for probe in probes {
        let shape = world.remove(probe).unwrap().shape;
        world.remove_shape(shape).unwrap();
    }
    cells
}

/// The cells that bodies hit, from the bodies of single tiles, whose tags tell their cells.
fn naive(
    level: &Level,
    source: Source,
    touch: Touch,
    boxes: &[([f64; 2], [f64; 2], [f64; 2])],
) -> Vec<BTreeSet<[i32; 2]>> {
    let tag = |[x, y]: [i32; 2]| (u64::from(x as u32) << 32) | u64::from(y as u32);
    let rule = move |subject: &hitmask_files::terrain::Subject<'_>| {
        Some(Filter { tag: tag(subject.cell?), ..Filter::default() })
    };
    let mut world = World::new(touch);
    level.add_to(&mut world, &Solids::default().source(source).merge(Merge::None).rule(rule)).unwrap();
    let mut probes = Vec::new();
    for (at, [width, height], motion) in boxes {
        let shape = world.add_shape(Shape::rect(*width, *height).unwrap()).unwrap();
        probes.push(world.add(&Body::new(shape, *at).moving(*motion).grouped(1)).unwrap());
    }
    let hits = Engine::reference().run(&world, Ask::Pairs).unwrap();
    let mut cells = vec![BTreeSet::new(); boxes.len()];
    for pair in hits.pairs {
        let place = |index: u32| probes.iter().position(|probe| probe.index() == index);
        let (probe, tile) = match (place(pair[0]), place(pair[1])) {
            (Some(probe), _) => (probe, pair[1]),
            (_, Some(probe)) => (probe, pair[0]),
            _ => continue,
        };
        let tag = world.body(world.id(tile).unwrap()).unwrap().tag;
        cells[probe].insert([(tag >> 32) as i32, tag as i32]);
    }
    cells
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn merged_bodies_hit_what_single_tiles_hit(
        gids in gids(8, 6), boxes in boxes(), touches in any::<bool>(), sector in proptest::option::of(1_u32..5),
    ) {
        let level = level(8, &gids);
        let touch = if touches { Touch::Included } else { Touch::Excluded };
        for source in [Source::Shapes, Source::Boxes] {
            let mut solids = Solids::default().source(source).merge(Merge::Polygons);
            if let Some(sector) = sector {
                solids = solids.sector(sector);
            }
            let expected = naive(&level, source, touch, &boxes);
            prop_assert_eq!(cells_hit(&level, &solids, touch, &boxes), expected.clone(), "{:?}", source);
            let solids = Solids::default().source(source).merge(Merge::None);
            prop_assert_eq!(cells_hit(&level, &solids, touch, &boxes), expected, "{:?}", source);
        }
    }

    #[test]
    fn shapes_that_reach_into_other_cells_are_merged_too(
        gids in proptest::collection::vec(
            prop_oneof![2 => Just(0), 3 => (proptest::sample::select(vec![1_u32, 2, 3, 5, 9, 11]), 0_u32..8)
                .prop_map(|(number, flips)| number | flips << 29)], 48),
        boxes in boxes(),
        touches in any::<bool>(),
    ) {
        // Their edges cross at points of the lattice.
        let level = level(8, &gids);
        let touch = if touches { Touch::Included } else { Touch::Excluded };
        let solids = Solids::default().merge(Merge::Polygons);
        let expected = naive(&level, Source::Shapes, touch, &boxes);
        prop_assert_eq!(cells_hit(&level, &solids, touch, &boxes), expected);
    }

    #[test]
    fn any_shapes_can_be_merged(gids in proptest::collection::vec(0_u32..13, 48), flips in 0_u32..8) {
        let gids: Vec<u32> = gids.into_iter().map(|gid| if gid == 0 { 0 } else { gid | flips << 29 }).collect();
        for source in [Source::Shapes, Source::Pixels] {
            let solids = Solids::default().source(source).merge(Merge::Polygons);
            level(8, &gids).add_to(&mut World::default(), &solids).unwrap();
        }
    }

    #[test]
    fn masks_hit_what_the_pixels_of_single_tiles_hit(gids in gids(8, 6), boxes in boxes(), touches in any::<bool>()) {
        let level = level(8, &gids);
        let touch = if touches { Touch::Included } else { Touch::Excluded };
        let solids = Solids::default().source(Source::Pixels);
        prop_assert_eq!(cells_hit(&level, &solids, touch, &boxes), naive(&level, Source::Pixels, touch, &boxes));
    }

    #[test]
    fn the_outlines_of_pixels_hit_what_the_pixels_hit(gids in gids(8, 6), boxes in boxes()) {
        // At rest and with whole pixels, a box overlaps a polygon of pixels exactly if it overlaps a pixel.
        let boxes: Vec<_> = boxes.into_iter().map(|(at, size, _)| (at, size, [0.0; 2])).collect();
        let level = level(8, &gids);
        let solids = Solids::default().source(Source::Pixels).merge(Merge::Polygons);
        let expected = naive(&level, Source::Pixels, Touch::Excluded, &boxes);
        prop_assert_eq!(cells_hit(&level, &solids, Touch::Excluded, &boxes), expected);
    }

    #[test]
    fn terrain_that_moves_hits_exactly_by_its_tiles(
        gids in gids(4, 3),
        boxes in boxes(),
        ground in boxes(),
        merge in proptest::sample::select(&[Merge::Masks, Merge::Polygons, Merge::None][..]),
        source in proptest::sample::select(&[Source::Shapes, Source::Pixels, Source::Boxes][..]),
    ) {
        let level = level(4, &gids);
        let mut world = World::default();
        let terrain = level.add_to(&mut world, &Solids::default().source(source).merge(merge)).unwrap();
        let own: Vec<_> = world.ids().collect();
        for (id, (at, _, motion)) in own.iter().zip(ground.iter().cycle()) {
            let body = world.body(*id).unwrap();
            world.set(*id, &Body { at: [body.at.x + at[0], body.at.y + at[1]].into(), ..body }.moving(*motion)).unwrap();
        }
        let mut probes = Vec::new();
        for (at, [width, height], motion) in boxes {
            let shape = world.add_shape(Shape::rect(width, height).unwrap()).unwrap();
            probes.push(world.add(&Body::new(shape, at).moving(motion).grouped(1)).unwrap());
        }
        let hits = Engine::reference().run(&world, Ask::Details).unwrap();
        for pair in own.iter().flat_map(|id| probes.iter().map(|probe| [id.index(), probe.index()])) {
            let tick = hits.pairs.iter().position(|hit| *hit == pair).map(|k| hits.details[k].tick());
            let found = terrain.tiles_hit(&level, &world, pair).unwrap().first().map(|hit| hit.detail.tick());
            prop_assert_eq!(tick.is_some(), found.is_some(), "{:?}", pair);
            // Bisection finds another tick where a body grazes a polygon, whose pieces are not those of its tiles. Half
            // a lattice step is rounded to the other side for the other body of a pair.
            let is_near = tick.zip(found).is_none_or(|(tick, found)| tick.abs_diff(found) <= 1);
            prop_assert!(merge == Merge::Polygons || is_near, "{:?}: {:?}, {:?}", pair, tick, found);
        }
    }

    #[test]
    fn edits_leave_what_a_new_terrain_has(
        gids in gids(8, 6),
        edits in proptest::collection::vec(((-3_i32..12, -3_i32..9), proptest::option::of((0_u32..10, 0_u32..8))), 1..12),
        boxes in boxes(),
        merge in proptest::sample::select(&[Merge::Masks, Merge::Polygons, Merge::None][..]),
        source in proptest::sample::select(&[Source::Shapes, Source::Pixels, Source::Boxes][..]),
        sector in proptest::option::of(1_u32..5),
    ) {
        let mut level = level(8, &gids);
        // Odd tiles hit on another layer, so that edits move tiles from one body to another.
        let mut solids = Solids::default().source(source).merge(merge).rule(|subject| {
            let layers = subject.tile?.id % 2 + 1;
            Some(Filter { layers, ..Filter::default() })
        });
        if let Some(sector) = sector {
            solids = solids.sector(sector);
        }
        let mut world = World::default();
        let mut terrain = level.add_to(&mut world, &solids).unwrap();
        for ((x, y), tile) in edits {
            let tile = tile.map(|(id, flips)| Tile {
                flips: Flips { diagonal: flips & 1 == 1, x: flips & 2 == 2, y: flips & 4 == 4 },
                ..Tile::new(0, id)
            });
            let old = level.layers[0].cells().unwrap().get([x, y]);
            prop_assert_eq!(terrain.set_tile(&mut level, &mut world, 0, [x, y], tile).unwrap(), old);
            prop_assert_eq!(level.layers[0].cells().unwrap().get([x, y]), tile);
        }
        let edited = hit_cells(&level, &mut world, &terrain, &boxes);
        prop_assert_eq!(edited, cells_hit(&level, &solids, Touch::Excluded, &boxes));
        prop_assert_eq!(terrain.bodies().count(), world.len());
        terrain.remove_from(&mut world).unwrap();
        prop_assert!(world.is_empty() && world.shapes().next().is_none());
    }
}

#[test]
fn a_layer_becomes_few_bodies_and_large_ones_stand_side_by_side() {
    let solid = level(600, &vec![1; 600 * 3]);
    let count = |merge| {
        let mut world = World::default();
        solid.add_to(&mut world, &Solids::default().merge(merge)).unwrap();
        world.len()
    };
    // 9600 x 48 pixels: two masks, or one polygon.
    assert_eq!([count(Merge::Masks), count(Merge::Polygons), count(Merge::None)], [2, 1, 1800]);
    let mut world = World::default();
    let terrain = solid.add_to(&mut world, &Solids::default()).unwrap();
    let shot = world.add_shape(Shape::rect(4.0, 4.0).unwrap()).unwrap();
    let shot = world.add(&Body::new(shot, [8190, -1])).unwrap();
    let hits = Engine::reference().run(&world, Ask::Pairs).unwrap();
    assert!(hits.pairs.iter().all(|pair| pair.contains(&shot.index())));
    assert_eq!(tiles_of(&solid, &world, &terrain, &hits.pairs), [[[511, 0]], [[512, 0]]]);
}

/// The cells that each pair hits.
fn tiles_of(level: &Level, world: &World, terrain: &Terrain, pairs: &[[u32; 2]]) -> Vec<Vec<[i32; 2]>> {
    let cells = |pair: &[u32; 2]| {
        let found = terrain.tiles_hit(level, world, *pair).unwrap();
        found.iter().map(|hit| hit.cell).collect()
    };
    pairs.iter().map(cells).collect()
}

#[test]
fn a_pair_has_the_tiles_of_its_own_body() {
    // Two islands, and two polygons of one island, whose corners touch.
    for (columns, gids, at) in [(3, &[1, 0, 1][..], [24, 8]), (2, &[1, 0, 0, 1], [16, 16])] {
        let level = level(columns, gids);
        let last = [columns as i32 - 1, gids.len() as i32 / columns as i32 - 1];
        for merge in [Merge::Polygons, Merge::None] {
            let mut world = World::default();
            let terrain = level.add_to(&mut world, &Solids::default().merge(merge)).unwrap();
            let ball = world.add_shape(Shape::circle(12.0).unwrap()).unwrap();
            world.add(&Body::new(ball, at)).unwrap();
            let pairs = |world: &World| Engine::reference().run(world, Ask::Pairs).unwrap().pairs;
            let found = tiles_of(&level, &world, &terrain, &pairs(&world));
            assert_eq!(found, [[[0, 0]], [last]], "{merge:?}");
            // Where one has been moved away, nothing of the other is.
            let first = world.id(0).unwrap();
            let body = world.body(first).unwrap();
            world.set(first, &Body { at: [body.at.x + 20.0, body.at.y + 100.0].into(), ..body }).unwrap();
            world.add(&Body::new(ball, [at[0] + 20, at[1] + 100]).grouped(1)).unwrap();
            let pairs = pairs(&world);
            assert_eq!(pairs, [[0, 3], [1, 2]], "{merge:?}");
            assert_eq!(tiles_of(&level, &world, &terrain, &pairs), [[[0, 0]], [last]], "{merge:?}");
        }
    }
}

#[test]
fn a_tile_in_two_masks_is_hit_in_each_by_its_own_part() {
    let mut gids = [0; 600];
    (gids[0], gids[512]) = (1, 11); // from 9 pixels before the second mask
    let level = level(600, &gids);
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &Solids::default()).unwrap();
    let shot = world.add_shape(Shape::rect(2.0, 2.0).unwrap()).unwrap();
    let shot = world.add(&Body::new(shot, [8220, 4]).moving([-60, 0])).unwrap();
    let hits = Engine::reference().run(&world, Ask::Details).unwrap();
    assert_eq!(hits.pairs, [[0, shot.index()], [1, shot.index()]]);
    for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
        let found = terrain.tiles_hit(&level, &world, *pair).unwrap();
        let found: Vec<_> = found.iter().map(|hit| (hit.cell, hit.detail.tick())).collect();
        assert_eq!(found, [([512, 0], detail.tick())]);
    }
}

#[test]
fn a_segment_between_two_tiles_hits_both() {
    let level = level(1, &[1, 1]);
    for (merge, expected) in [(Merge::Masks, 1), (Merge::Polygons, 1), (Merge::None, 0)] {
        let mut world = World::default();
        let terrain = level.add_to(&mut world, &Solids::default().merge(merge)).unwrap();
        let segment = world.add_shape(Shape::capsule([0.0, 0.0], [4.0, 0.0], 0.0).unwrap()).unwrap();
        world.add(&Body::new(segment, [2, 16])).unwrap();
        let pairs = Engine::reference().run(&world, Ask::Pairs).unwrap().pairs;
        let found = tiles_of(&level, &world, &terrain, &pairs);
        assert_eq!(found, vec![vec![[0, 0], [0, 1]]; expected], "{merge:?}");
    }
}

/// A mask moves by whole pixels: at once to the pixel above, before the ball has left.
#[test]
fn a_platform_that_moves_hits_by_its_tiles() {
    let level = level(2, &[1, 1, 1, 0]);
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &Solids::default()).unwrap();
    let platform = world.id(0).unwrap();
    let body = world.body(platform).unwrap();
    world.set(platform, &Body { at: [4, 8].into(), ..body }.moving([5, -1])).unwrap();
    let ball = world.add_shape(Shape::circle(2.0).unwrap()).unwrap();
    world.add(&Body::new(ball, [28, 6]).moving([1, -3])).unwrap();
    let hits = Engine::reference().run(&world, Ask::Details).unwrap();
    let found = terrain.tiles_hit(&level, &world, hits.pairs[0]).unwrap();
    let found: Vec<_> = found.iter().map(|hit| (hit.cell, hit.detail.tick())).collect();
    assert_eq!(found, [([1, 0], hits.details[0].tick())]);
}

#[test]
fn a_checkerboard_and_a_ring_are_polygons_without_seams() {
    let mut world = World::default();
    let board: Vec<u32> = (0..49).map(|k| (k + 1) % 2).collect();
    level(7, &board).add_to(&mut world, &Solids::default().merge(Merge::Polygons)).unwrap();
    assert_eq!(world.len(), 25); // corners that touch join nothing
    let mut world = World::default();
    let ring: Vec<u32> = (0..49).map(|k| u32::from(k != 24)).collect();
    level(7, &ring).add_to(&mut world, &Solids::default().merge(Merge::Polygons)).unwrap();
    let outline = world.outline(world.ids().next().unwrap()).unwrap();
    assert_eq!((world.len(), outline.iter().map(Vec::len).collect::<Vec<_>>()), (1, vec![4, 4]));
    let mut world = World::default();
    let slope = [0, 0, 2, 0, 2, 1, 2, 1, 1];
    level(3, &slope).add_to(&mut world, &Solids::default().merge(Merge::Polygons)).unwrap();
    let outline = world.outline(world.ids().next().unwrap()).unwrap();
    assert_eq!((world.len(), outline[0].len()), (1, 3)); // three slopes are one edge
}

#[test]
fn a_polygon_of_too_many_points_is_made_of_halves() {
    // Combs of 70,000 points that are joined at the top.
    let teeth: Vec<u32> =
        (0..900 * 40).map(|k| if k < 900 || (k / 900) % 2 == 1 && k % 2 == 0 { 4 } else { 1 }).collect();
    let level = level(900, &teeth);
    let mut world = World::default();
    level.add_to(&mut world, &Solids::default().merge(Merge::Polygons)).unwrap();
    assert!((2..10_000).contains(&world.len()), "{}", world.len());
}

/// The bounds of all bodies of a level, in units.
fn bounds(level: &Level, solids: &Solids) -> Vec<[f64; 4]> {
    let mut world = World::default();
    level.add_to(&mut world, solids).unwrap();
    let bounds = world.ids().map(|id| world.bounds(id).unwrap());
    bounds.map(|bounds| [bounds.min.units(), bounds.max.units()]).map(|[[a, b], [c, d]]| [a, b, c, d]).collect()
}

#[test]
fn tiles_stand_on_the_lower_edge_of_their_cells_with_all_offsets() {
    let set = "<tileset firstgid=\"1\" tilewidth=\"8\" tileheight=\"40\" tilecount=\"1\">\
        <tileoffset x=\"2\" y=\"-3\"/><image source=\"a.png\" width=\"64\" height=\"64\"/></tileset>";
    for (gid, tile) in [(1_u32, [8.0, 40.0]), (1 | 1 << 29, [40.0, 8.0])] {
        let layer = layer("a", 2, 3, &[0, 0, 0, 0, 0, gid], Format::Csv);
        let layer = layer.replace("name=\"a\"", "name=\"a\" offsetx=\"0.5\" offsety=\"100\"");
        let level = files(map(2, 3, &(set.to_owned() + &layer))).read("a.tmx").unwrap();
        let [left, bottom] = [16.0 + 2.0 + 0.5, 48.0 - 3.0 + 100.0];
        let expected = vec![[left, bottom - tile[1], left + tile[0], bottom]];
        for merge in [Merge::Polygons, Merge::None] {
            assert_eq!(bounds(&level, &Solids::default().source(Source::Boxes).merge(merge)), expected);
        }
        // Of a mask the pixels move by whole pixels.
        assert_eq!(bounds(&level, &Solids::default().source(Source::Boxes)).len(), 1);
    }
}

#[test]
fn rules_decide_groups_by_class_properties_and_layer() {
    let tiles = "<tile id=\"1\" type=\"lava\"><objectgroup><object width=\"16\" height=\"16\"/></objectgroup></tile>\
        <tile id=\"2\"><properties><property name=\"hits\" value=\"player\"/></properties>\
        <objectgroup><object width=\"16\" height=\"16\"/></objectgroup></tile>\
        <tile id=\"3\"><objectgroup><object width=\"16\" height=\"16\"/></objectgroup></tile>";
    let gids = [2, 2, 3, 3, 4, 0];
    let text = tileset(1, 16, tiles) + &layer("a", 3, 2, &gids, Format::Csv) + &layer("b", 3, 2, &gids, Format::Csv);
    let level = files(map(3, 2, &text)).read("a.tmx").unwrap();
    let solids = Solids::default().rule(|subject| {
        if subject.layer.name == "b" || subject.object.is_some() {
            return None;
        }
        let filter = Filter { tag: u64::from(subject.tile?.id), ..Filter::default() };
        match (subject.class, subject.properties.text("hits")) {
            ("lava", _) => Some(Filter { layers: 2, ..filter }),
            (_, Some("player")) => Some(Filter { mask: 4, group: 9, ..filter }),
            _ => None,
        }
    });
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &solids).unwrap();
    let made: Vec<_> = world.ids().map(|id| world.body(id).unwrap()).collect();
    let made: Vec<_> = made.iter().map(|body| (body.layers, body.mask, body.group, body.tag)).collect();
    assert_eq!(made, [(2, u32::MAX, Filter::GROUP, 1), (1, 4, 9, 2)]);
    assert!(terrain.bodies().all(|body| terrain.layer(body) == Some(0)));
    assert_eq!(terrain.tile_at(&level, [20.0, 8.0]), Some((0, [1, 0], Tile::new(0, 1))));
    assert_eq!(terrain.tile_at(&level, [20.0, 20.0]), None); // tile 3 is not solid
    for far in [-1.0, f64::NAN, f64::INFINITY, -1e300] {
        assert_eq!(terrain.tile_at(&level, [far, 8.0]), None);
    }
}

/// Lava is a detector by its tiles' class, a zone by its object's property. The ground is neither.
#[test]
fn a_rule_makes_detectors_of_tiles_and_objects() {
    let square = "<objectgroup><object width=\"16\" height=\"16\"/></objectgroup>";
    let tiles = format!("<tile id=\"0\">{square}</tile><tile id=\"1\" type=\"lava\">{square}</tile>");
    let zone = "<properties><property name=\"detector\" type=\"bool\" value=\"true\"/></properties>";
    let object = |id: u32, of: &str| {
        format!("<object id=\"{id}\" x=\"{}\" y=\"4\" width=\"8\" height=\"8\">{of}</object>", 40 * id)
    };
    let objects = format!("<objectgroup name=\"zones\">{}{}</objectgroup>", object(1, zone), object(2, ""));
    let text = tileset(1, 16, &tiles) + &layer("ground", 2, 1, &[1, 2], Format::Csv) + &objects;
    for merge in [Merge::Masks, Merge::Polygons, Merge::None] {
        let mut level = files(map(2, 1, &text)).read("a.tmx").unwrap();
        let solids = Solids::default().merge(merge).rule(|subject| {
            let detector = subject.class == "lava" || subject.properties.bool("detector") == Some(true);
            Some(Filter { layers: 2, mask: 1, detector, ..Filter::default() })
        });
        let mut world = World::default();
        let mut terrain = level.add_to(&mut world, &solids).unwrap();
        let detectors: Vec<bool> = world.ids().map(|id| world.body(id).unwrap().detector).collect();
        assert_eq!(detectors, [false, true, true, false], "{merge:?}");

        // A hero that lies over all of it, and hits nothing itself.
        let shape = world.add_shape(Shape::rect(200.0, 2.0).unwrap()).unwrap();
        let hero = world.add(&Body::new(shape, [0, 7]).filtered(1, 0)).unwrap();
        let pairs = |world: &World| Engine::reference().run(world, Ask::Pairs).unwrap().pairs;
        assert_eq!(pairs(&world), [[1, hero.index()], [2, hero.index()]], "{merge:?}");
        let found = terrain.tiles_hit(&level, &world, [1, hero.index()]).unwrap();
        assert_eq!(found.iter().map(|hit| hit.cell).collect::<Vec<_>>(), [[1, 0]]);
        let zone = terrain.object(&level, world.id(2).unwrap()).unwrap();
        assert_eq!((zone.0, zone.1.id), (1, 1));

        // An edit makes detectors too.
        terrain.set_tile(&mut level, &mut world, 0, [0, 0], Some(Tile::new(0, 1))).unwrap();
        let mut cells = Vec::new();
        for pair in pairs(&world) {
            cells.extend(terrain.tiles_hit(&level, &world, pair).unwrap().iter().map(|hit| hit.cell));
        }
        cells.sort_unstable();
        assert_eq!(cells, [[0, 0], [1, 0]], "{merge:?}");
    }
}

#[test]
fn hidden_layers_and_objects_are_out_unless_asked_for() {
    let text = tileset(1, 16, SHAPES)
        + &layer("a", 1, 1, &[1], Format::Csv).replace("name=\"a\"", "name=\"a\" visible=\"0\"")
        + "<objectgroup name=\"o\"><object id=\"1\" x=\"50\" width=\"5\" height=\"5\" visible=\"0\"/></objectgroup>";
    let level = files(map(1, 1, &text)).read("a.tmx").unwrap();
    let solids = Solids::default().rule(|_| Some(Filter::default()));
    assert_eq!(bounds(&level, &solids).len(), 0);
    assert_eq!(bounds(&level, &solids.hidden(true)).len(), 2);
}

#[test]
fn objects_stand_as_drawn() {
    let objects = "<objectgroup name=\"o\" offsetx=\"100\">\
        <object id=\"1\" x=\"10\" y=\"20\" width=\"8\" height=\"4\" rotation=\"90\"/>\
        <object id=\"2\" x=\"10\" y=\"20\"><polygon points=\"0,0 6,0 0,-5\"/></object>\
        <object id=\"3\" x=\"10\" y=\"20\"><polyline points=\"0,0 6,0 6,8\"/></object>\
        <object id=\"4\" x=\"10\" y=\"20\" width=\"8\" height=\"4\"><ellipse/></object>\
        <object id=\"5\" x=\"10\" y=\"20\"><point/></object>\
        <object id=\"6\" gid=\"1\" x=\"10\" y=\"20\" width=\"32\" height=\"8\"/>\
        <object id=\"7\" gid=\"2\" x=\"10\" y=\"20\" width=\"32\" height=\"32\" rotation=\"90\"/></objectgroup>";
    let level = files(map(1, 1, &(tileset(1, 16, SHAPES) + objects))).read("a.tmx").unwrap();
    let solids = Solids::default().line_width(2.0).rule(|subject| subject.object.map(|_| Filter::default()));
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &solids).unwrap();
    let found: Vec<_> = world
        .ids()
        .map(|id| {
            let [[a, b], [c, d]] = [world.bounds(id).unwrap().min.units(), world.bounds(id).unwrap().max.units()];
            (terrain.object(&level, id).unwrap().1.id, [a, b, c, d])
        })
        .collect();
    assert_eq!(
        found,
        [
            (1, [106.0, 20.0, 110.0, 28.0]),
            (2, [110.0, 15.0, 116.0, 20.0]),
            (3, [109.0, 19.0, 117.0, 21.0]),
            (3, [115.0, 19.0, 117.0, 29.0]),
            (4, [110.0, 20.0, 118.0, 24.0]),
            (6, [110.0, 12.0, 142.0, 20.0]),
            (7, [110.0, 20.0, 142.0, 52.0]),
        ]
    );
    let pixels = solids.source(Source::Pixels);
    assert_eq!(bounds(&level, &pixels).len(), 7);
}

#[test]
fn a_line_of_width_0_is_a_chain_of_segments() {
    let points = "0,0 6,0 6,0.001 6,8";
    let objects = format!(
        "<objectgroup name=\"o\"><object id=\"1\" x=\"10\" y=\"20\"><polyline points=\"{points}\"/></object>\
         <object id=\"2\" x=\"10\" y=\"20\" rotation=\"90\"><polyline points=\"0,0 0,-9\"/></object>\
         <object id=\"3\" x=\"10\" y=\"20\"><polyline points=\"0,0 0.001,0\"/></object></objectgroup>"
    );
    let level = files(map(1, 1, &(tileset(1, 16, SHAPES) + &objects))).read("a.tmx").unwrap();
    let solids = Solids::default().line_width(0.0).rule(|subject| subject.object.map(|_| Filter::default()));
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &solids).unwrap();
    let mut found: Vec<_> = terrain
        .bodies()
        .map(|id| {
            let [min, max] = world.bounds(id).map(|bounds| [bounds.min.units(), bounds.max.units()]).unwrap();
            let parts = world.shape(world.body(id).unwrap().shape).unwrap().part_tags().count();
            (terrain.object(&level, id).unwrap().1.id, min, max, parts)
        })
        .collect();
    found.sort_unstable_by_key(|(id, ..)| *id);
    assert_eq!(found, [(1, [10.0, 20.0], [16.0, 28.0], 2), (2, [10.0, 20.0], [19.0, 20.0], 1)]);
    // A box across the second segment hits it; one that touches it does not.
    let tile = world.add_shape(Shape::rect(2.0, 2.0).unwrap()).unwrap();
    let [across, beside] = [[15.0, 24.0], [16.0, 26.0]].map(|at| world.add(&Body::new(tile, at)).unwrap());
    let hits = Engine::reference().run(&world, Ask::Pairs).unwrap();
    assert_eq!((hits.pairs.len(), world.id(hits.pairs[0][1])), (1, Some(across)));
    world.remove(beside).unwrap();
    terrain.remove_from(&mut world).unwrap();
    assert_eq!((world.ids().count(), world.shapes().count()), (1, 1));
    // Lines of tiles have no area to merge.
    let line = "<tile id=\"0\"><objectgroup><object><polyline points=\"0,0 9,9\"/></object></objectgroup></tile>";
    let level = files(map(1, 1, &(tileset(1, 16, line) + &layer("a", 1, 1, &[1], Format::Csv)))).read("a.tmx").unwrap();
    for merge in [Merge::Masks, Merge::Polygons, Merge::None] {
        let count = |width: f64| bounds(&level, &Solids::default().merge(merge).line_width(width)).len();
        assert_eq!([count(1.0), count(0.0)], [1, 0], "{merge:?}");
    }
}

#[test]
fn the_tiles_of_a_moving_hit_come_in_the_order_of_time() {
    let level = level(5, &[1; 5]);
    for merge in [Merge::Masks, Merge::Polygons] {
        let mut world = World::default();
        let terrain = level.add_to(&mut world, &Solids::default().merge(merge)).unwrap();
        let ball = world.add_shape(Shape::rect(2.0, 2.0).unwrap()).unwrap();
        world.add(&Body::new(ball, [90, 5]).moving([-60, 0])).unwrap();
        let hits = Engine::reference().run(&world, Ask::Details).unwrap();
        let found = terrain.tiles_hit(&level, &world, hits.pairs[0]).unwrap();
        let cells: Vec<_> = found.iter().map(|hit| hit.cell[0]).collect();
        assert_eq!(cells, [4, 3, 2, 1], "{merge:?}"); // to x = 30
        assert_eq!(found[0].detail.tick(), hits.details[0].tick(), "{merge:?}");
        assert_eq!(found[0].info(&level).shapes.len(), 1);
    }
}

#[test]
fn a_body_of_the_terrain_may_be_moved_and_turned() {
    let level = level(3, &[0, 1, 0]);
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &Solids::default().merge(Merge::Polygons)).unwrap();
    let ground = terrain.bodies().next().unwrap();
    let ball = world.add_shape(Shape::rect(2.0, 2.0).unwrap()).unwrap();
    let body = world.body(ground).unwrap();
    for (body, at) in [
        (Body { at: [1000.0, 500.0].into(), ..body }, [1008, 508]),
        (Body { at: [0.0, 0.0].into(), ..body }.posed(hitmask::Linear::from_degrees(180.0)), [-9, -9]),
    ] {
        world.set(ground, &body).unwrap();
        let probe = world.add(&Body::new(ball, at)).unwrap();
        let pairs = Engine::reference().run(&world, Ask::Pairs).unwrap().pairs;
        let found = terrain.tiles_hit(&level, &world, pairs[0]).unwrap();
        assert_eq!(found.iter().map(|hit| hit.cell).collect::<Vec<_>>(), [[1, 0]]);
        world.remove(probe).unwrap();
    }
}

#[test]
fn on_an_error_the_world_is_as_it_was() {
    let mut level = level(2, &[1, 2]);
    let Content::Tiles(cells) = &mut level.layers[0].content else { panic!("no tiles") };
    cells.set([200_000, 0], Some(Tile::new(0, 0)));
    for merge in [Merge::Masks, Merge::Polygons, Merge::None] {
        let mut world = World::default();
        let error = level.add_to(&mut world, &Solids::default().merge(merge)).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("layer \"ground\": the cell 200000, 0 lies at 3200000, 0"), "{error}");
        assert!(world.is_empty() && world.shapes().next().is_none());
    }
}

#[test]
fn edits_of_what_is_not_there_are_errors() {
    let mut level = level(1, &[1]);
    let mut world = World::default();
    let mut terrain = level.add_to(&mut world, &Solids::default()).unwrap();
    let message = |result: Result<Option<Tile>, Error>| result.unwrap_err().to_string();
    let tile = Some(Tile::new(0, 16));
    let error = "layer \"ground\": tile 16 of tileset 0 in cell 0, 0: the tileset has no such tile";
    assert_eq!(message(terrain.set_tile(&mut level, &mut world, 0, [0, 0], tile)), error);
    let tile = Some(Tile::new(9, 0));
    let error = "layer \"ground\": tile 0 of tileset 9 in cell 0, 0: the level has no such tileset";
    assert_eq!(message(terrain.set_tile(&mut level, &mut world, 0, [0, 0], tile)), error);
    let error = "layer 3: no tile in cell 0, 0: it is not a tile layer";
    assert_eq!(message(terrain.set_tile(&mut level, &mut world, 3, [0, 0], None)), error);
    let mut cells = Cells::new([16, 16]);
    assert_eq!(cells.set([0, 0], None), None);
}

#[test]
fn tall_tiles_overlap_their_neighbours_and_leave_them_when_erased() {
    let picture = Mask::from_fn(16, 48, |_, _| true).unwrap();
    let set = "<tileset firstgid=\"1\" tilewidth=\"16\" tileheight=\"48\" tilecount=\"1\">\
        <image source=\"b.png\" width=\"16\" height=\"48\"/></tileset>";
    let text = map(1, 4, &(set.to_owned() + &layer("a", 1, 4, &[0, 0, 1, 1], Format::Csv)));
    let mut level = Files::default().add("a.tmx", text).add("b.png", tmx::png(&picture)).read("a.tmx").unwrap();
    let solids = Solids::default().source(Source::Pixels);
    let mut world = World::default();
    let mut terrain = level.add_to(&mut world, &solids).unwrap();
    let count = |world: &World| world.shapes().map(|(_, shape)| shape.mask().unwrap().count()).sum::<u64>();
    assert_eq!(count(&world), 16 * 64);
    terrain.set_tile(&mut level, &mut world, 0, [0, 2], None).unwrap();
    assert_eq!(count(&world), 16 * 48);
    terrain.set_tile(&mut level, &mut world, 0, [0, -5], Some(Tile::new(0, 0))).unwrap();
    assert_eq!((count(&world), world.len()), (2 * 16 * 48, 2)); // above the first mask
    assert_eq!(terrain.tile_at(&level, [3.0, -90.0]), Some((0, [0, -5], Tile::new(0, 0))));
}

#[test]
fn a_mask_that_grows_keeps_its_body_where_it_was_put() {
    // A quarter turn, which takes a column's pixel from (x, y) to (-y, x).
    let turned = Linear { x: [0.0, -1.0], y: [1.0, 0.0] };
    for (linear, at, layers) in [(Linear::IDENTITY, 0.0, 1), (turned, 300.0, 4)] {
        // The first tile is in the second column: the mask grows on either side.
        let mut level = level(4, &[0, 1, 0, 0]);
        let mut world = World::default();
        let mut terrain = level.add_to(&mut world, &Solids::default()).unwrap();
        let id = world.ids().next().unwrap();
        let from = world.body(id).unwrap().at;
        let moved = [at + linear.x[0] * from.x, at + linear.y[0] * from.x];
        let body = Body { at: moved.into(), linear, layers, ..world.body(id).unwrap() };
        world.set(id, &body).unwrap();
        let middle = |column: f64| {
            let [x, y] = [16.0 * column + 8.0, 8.0];
            [linear.x, linear.y].map(|row| row[0] * x + row[1] * y).map(|v| v + at)
        };
        terrain.set_tile(&mut level, &mut world, 0, [3, 0], Some(Tile::new(0, 0))).unwrap();
        let columns = [1.0, 2.0, 3.0].map(|column| world.bodies_at(middle(column)).unwrap());
        assert_eq!(columns, [vec![id], vec![], vec![id]], "{linear:?}");
        let after = world.body(id).unwrap();
        assert_eq!(Body { shape: body.shape, ..after }, body, "the first column is the same");
        // The tile is found where it is now.
        assert_eq!(terrain.bodies().count(), 1);
        let shape = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let hit = terrain.tiles_hit_by(&level, &world, id, &Body::new(shape, middle(3.0))).unwrap();
        assert_eq!(hit.iter().map(|hit| hit.cell).collect::<Vec<_>>(), [[3, 0]]);
        // Where it grows to, the world ends: nothing changes.
        let edge = Body { at: [2_097_151.0 - 48.0, 0.0].into(), linear: Linear::IDENTITY, ..after };
        world.set(id, &edge).unwrap();
        let before = content(&world);
        terrain.set_tile(&mut level, &mut world, 0, [9, 0], Some(Tile::new(0, 0))).unwrap_err();
        assert_eq!(content(&world), before);
    }
}

/// All bodies and shapes of a world.
fn content(world: &World) -> (Vec<(hitmask::BodyId, Body)>, Vec<hitmask::ShapeId>) {
    let bodies = world.ids().map(|id| (id, world.body(id).unwrap())).collect();
    (bodies, world.shapes().map(|(shape, _)| shape).collect())
}

#[test]
fn bodies_that_the_world_does_not_take_leave_no_shapes() {
    let mut far = level(2, &[1, 2]);
    far.layers[0].offset = [9_000_000.0, 0.0];
    for merge in [Merge::Masks, Merge::Polygons, Merge::None] {
        let mut world = World::default();
        far.add_to(&mut world, &Solids::default().merge(merge)).map(|_| ()).unwrap_err();
        assert!(world.is_empty() && world.shapes().next().is_none(), "{merge:?}");
    }
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    for merge in [Merge::Masks, Merge::Polygons, Merge::None] {
        let mut level = level(2, &[1, 1]);
        // The last tile, and so each edit, changes two groups.
        let solids = Solids::default()
            .merge(merge)
            .rule(|subject| Some(Filter { layers: if subject.tile?.id == 2 { 2 } else { 1 }, ..Filter::default() }));
        let mut world = World::default();
        let mut terrain = level.add_to(&mut world, &solids).unwrap();
        let before = (level.clone(), content(&world));
        level.layers[0].offset = [9_000_000.0, 0.0];
        for tile in [Tile::new(0, 2), Tile::new(0, 3)] {
            // Beyond the mask.
            let edited = terrain.set_tile(&mut level, &mut world, 0, [900, 0], Some(tile));
            assert!(edited.is_err(), "{merge:?}");
        }
        if merge != Merge::Masks {
            terrain.set_tile(&mut level, &mut world, 0, [0, 0], Some(Tile::new(0, 3))).unwrap_err();
        }
        terrain.set_tile(&mut level, &mut world, 0, [0, 0], Some(Tile::new(0, 2))).unwrap_err();
        level.layers[0].offset = [0.0; 2];
        let after = (level.clone(), content(&world));
        assert_eq!(before.0, after.0, "{merge:?}");
        assert_eq!(before.1.0, after.1.0, "{merge:?}");
        // The terrain goes on as before.
        for tile in [Some(Tile::new(0, 2)), None, Some(Tile::new(0, 3))] {
            terrain.set_tile(&mut level, &mut world, 0, [0, 0], tile).unwrap();
        }
        assert_eq!(terrain.bodies().count(), world.len());
        terrain.remove_from(&mut world).unwrap();
        assert!(world.is_empty() && world.shapes().next().is_none(), "{merge:?}");
    }
}

#[test]
fn a_stamp_that_cannot_be_made_stops_an_edit_only_if_the_tile_is_solid() {
    let away = SHAPES.to_owned()
        + "<tile id=\"12\"><objectgroup><object x=\"99999\" width=\"1\" height=\"1\"/></objectgroup></tile>";
    let text = tileset(1, 16, &away) + &layer("ground", 1, 1, &[1], Format::Csv);
    let level = files(map(1, 1, &text)).read("a.tmx").unwrap();
    for is_solid in [true, false] {
        let mut level = level.clone();
        let solids = Solids::default().rule(move |subject| (is_solid || subject.tile?.id == 0).then(Filter::default));
        let mut world = World::default();
        let mut terrain = level.add_to(&mut world, &solids).unwrap();
        let edited = terrain.set_tile(&mut level, &mut world, 0, [0, 0], Some(Tile::new(0, 12)));
        assert_eq!(edited.is_err(), is_solid);
        let id = if is_solid { 0 } else { 12 };
        assert_eq!(level.layers[0].cells().unwrap().get([0, 0]), Some(Tile::new(0, id)));
        let pixels: u64 = world.shapes().map(|(_, shape)| shape.mask().unwrap().count()).sum();
        assert_eq!(pixels, if is_solid { 256 } else { 0 });
    }
}

#[test]
fn a_layer_that_was_added_later_is_an_error() {
    let mut level = level(1, &[1]);
    let mut world = World::default();
    let mut terrain = level.add_to(&mut world, &Solids::default()).unwrap();
    level.layers.push(level.layers[0].clone());
    let error = terrain.set_tile(&mut level, &mut world, 1, [0, 0], None).unwrap_err().to_string();
    assert_eq!(error, "layer \"ground\": no tile in cell 0, 0: it does not belong to the terrain");
    terrain.set_tile(&mut level, &mut world, 0, [i32::MAX, 0], None).unwrap_err();
}

#[test]
fn tile_objects_share_the_mask_of_their_tile() {
    let objects = (0..9).map(|k| format!("<object id=\"{k}\" gid=\"{}\" x=\"{}\" width=\"20\"/>", 6 + k % 2, 20 * k));
    let objects = format!("<objectgroup name=\"o\">{}</objectgroup>", objects.collect::<String>());
    let text = map(1, 1, &(tileset(1, 16, "") + &objects + &objects));
    let level = files(text).read("a.tmx").unwrap();
    let solids = Solids::default().source(Source::Pixels).rule(|_| Some(Filter::default()));
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &solids).unwrap();
    assert_eq!((world.len(), world.shapes().count()), (18, 2));
    terrain.remove_from(&mut world).unwrap();
    assert!(world.shapes().next().is_none());
}

#[test]
fn an_island_may_reach_from_end_to_end_of_the_world() {
    let set = "<tileset firstgid=\"1\" tilewidth=\"8192\" tileheight=\"8192\"><tile id=\"0\"><objectgroup>\
        <object width=\"8192\" height=\"8192\"/></objectgroup></tile></tileset>";
    let text = map(1, 1, set).replace("\"16\"", "\"8192\"");
    let mut level = files(text).read("a.tmx").unwrap();
    let mut cells = Cells::new([8192, 8192]);
    for x in -255..255 {
        cells.set([x, 0], Some(Tile::new(0, 0)));
    }
    let ground = files(map(1, 1, &(tileset(1, 16, "") + &layer("a", 1, 1, &[1], Format::Csv)))).read("a.tmx").unwrap();
    level.layers = ground.layers;
    level.layers[0].content = Content::Tiles(cells);
    let found = bounds(&level, &Solids::default().merge(Merge::Polygons));
    assert!((1..9).contains(&found.len()), "{found:?}");
    assert_eq!(found.iter().map(|[left, ..]| *left).fold(0.0, f64::min), -2_088_960.0);
}
