//! A reader of saved files that knows nothing but `docs/save-format.md`.

use hitmask::geometry::SUBPIXELS;
use hitmask::scene::Replay;
use hitmask::{Ask, Body, BodyId, Engine, Linear, Save, Shape, ShapeId, Touch, World};

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().unwrap();
        self.0 = rest;
        *taken
    }

    fn u8(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    fn point(&mut self) -> [f64; 2] {
        [0, 1].map(|_| f64::from(i32::from_le_bytes(self.take())) / f64::from(SUBPIXELS))
    }

    fn column<T: Clone>(&mut self, count: usize, none: T, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        if self.u8() == 0 { vec![none; count] } else { (0..count).map(|_| one(self)).collect() }
    }

    fn numbers(&mut self, count: usize, below: usize) -> Vec<usize> {
        let mut number = || match below {
            0 | 1 => 0,
            2..=256 => self.u8().into(),
            257..=65_536 => u16::from_le_bytes(self.take()).into(),
            _ => self.u32() as usize,
        };
        (0..count).map(|_| number()).collect()
    }
}

/// Reads the header of a file with this content; returns its version, the number of its elements and the rest.
fn header(file: &[u8], content: u32) -> (u32, usize, Reader<'_>) {
    let mut from = Reader(file);
    assert_eq!(&from.take::<8>(), b"hitmask\x1a");
    let version = from.u32();
    assert!((1..=2).contains(&version) && from.u32() == content);
    assert_eq!(from.u64(), file.len() as u64);
    let (_digest, _shapes) = (from.u64(), from.u64());
    let (count, _touch) = (from.u32() as usize, from.u32());
    (version, count, from)
}

/// Reads the bodies and handles of a whole world.
fn read(file: &[u8]) -> Vec<(BodyId, Body)> {
    let (version, count, mut from) = header(file, 1);

    let behind = file.len() - from.0.len();
    let shapes_end = behind + from.u64() as usize;
    let _past = from.u64();
    let shapes = from.u32() as usize;
    let shape_serials: Vec<u64> = (0..shapes)
        .map(|_| {
            let serial = from.u64();
            if serial == 0 {
                return 0;
            }
            let (kind, _anchor) = (from.u8(), from.point());
            let ring = |from: &mut Reader<'_>| {
                for _ in 0..from.u32() {
                    from.point();
                }
            };
            match kind {
                1 => {
                    from.u32();
                    ring(&mut from);
                }
                2 => (0..from.u32()).for_each(|_| ring(&mut from)),
                4 => {
                    for _ in 0..from.u32() {
                        let _radius_and_tag = [from.u32(), from.u32()];
                        (0..from.u32()).for_each(|_| ring(&mut from));
                    }
                }
                3 => {
                    let [width, height] = [from.u32(), from.u32()];
                    for _ in 0..width.div_ceil(64) * height {
                        from.u64();
                    }
                }
                other => panic!("{other}"),
            }
            serial
        })
        .collect();
    assert_eq!(file.len() - from.0.len(), shapes_end);

    let _past = from.u64();
    let serials: Vec<u64> = (0..count).map(|_| from.u64()).collect();
    let positions: Vec<[f64; 2]> = (0..count).map(|_| from.point()).collect();
    let motions = from.column(count, [0.0; 2], Reader::point);
    let tags = from.column(count, 0, Reader::u64);
    let off = from.column(count.div_ceil(8), 0, Reader::u8);
    let detectors =
        if version == 1 { vec![0; count.div_ceil(8)] } else { from.column(count.div_ceil(8), 0, Reader::u8) };
    let has = |bits: &[u8], index: usize| bits[index / 8] >> (index % 8) & 1 == 1;
    let shape = from.numbers(count, shapes);
    let filters: Vec<[u32; 3]> = (0..from.u32()).map(|_| [from.u32(), from.u32(), from.u32()]).collect();
    let filter = from.numbers(count, filters.len());
    let forms = from.column(count, 0, Reader::u8);
    let linears: Vec<Linear> = forms
        .iter()
        .map(|form| {
            let mut take = || from.f64();
            let [x, y] = match form {
                0 => [[1.0, 0.0], [0.0, 1.0]],
                1 => {
                    let [a, b] = [take(), take()];
                    [[a, b], [-b, a]]
                }
                2 => {
                    let [a, b] = [take(), take()];
                    [[a, b], [b, -a]]
                }
                3 => [[take(), 0.0], [0.0, take()]],
                4 => [[take(), take()], [take(), take()]],
                other => panic!("{other}"),
            };
            Linear { x, y }
        })
        .collect();
    assert!(from.0.is_empty());
    let id = |index: usize| BodyId::from_bits(u128::from(serials[index]) << 32 | index as u128).unwrap();
    let of = |index: usize| u128::from(shape_serials[shape[index]]) << 32 | shape[index] as u128;
    let body = |index: usize| {
        let [layers, mask, group] = filters[filter[index]];
        Body::new(ShapeId::from_bits(of(index)).unwrap(), positions[index])
            .moving(motions[index])
            .posed(linears[index])
            .filtered(layers, mask)
            .grouped(group)
            .tagged(tags[index])
            .enabled(!has(&off, index))
            .detector(has(&detectors, index))
    };
    (0..count).filter(|&index| serials[index] != 0).map(|index| (id(index), body(index))).collect()
}

/// Pairs with their tags.
type Pairs = Vec<([BodyId; 2], [u64; 2])>;

/// Reads events: the pairs of the last step, of each whether it began and its place among the hits, and those that
/// ended.
fn read_events(file: &[u8]) -> (Pairs, Vec<(bool, usize)>, Pairs) {
    let (_, count, mut from) = header(file, 3);
    let ended = from.u32() as usize;
    let mut pair = || {
        let (indices, serials) = ([from.u32(), from.u32()], [from.u64(), from.u64()]);
        let id = |k: usize| BodyId::from_bits(u128::from(serials[k]) << 32 | u128::from(indices[k])).unwrap();
        ([id(0), id(1)], [from.u64(), from.u64()])
    };
    let pairs = (0..count).map(|_| pair()).collect();
    let ended = (0..ended).map(|_| pair()).collect();
    let places = (0..count).map(|_| from.u32()).map(|place| (place % 2 == 1, place as usize / 2)).collect();
    assert!(from.0.is_empty());
    (pairs, places, ended)
}

#[test]
fn events_are_as_documented() {
    let (events, _) = super::events::events();
    let (pairs, places, ended) = read_events(&events.save().unwrap());
    assert!(ended.into_iter().eq(events.ended().iter().map(|ended| (ended.pair, ended.tags))));
    for (is_new, events) in [(true, events.began()), (false, events.stayed())] {
        let read = pairs.iter().zip(&places).filter(|(_, place)| place.0 == is_new);
        let read = read.map(|(&(pair, tags), place)| (pair, tags, place.1));
        assert!(read.eq(events.iter().map(|event| (event.pair, event.tags, event.hit))));
    }
}

#[test]
fn a_moment_is_as_documented() {
    let text = r#"{"shapes": {"a": {"circle": 1}}, "bodies": [{"shape": "a", "at": [0, 0], "name": "ship"}]}
{"add": [{"shape": "a", "at": [1, 0], "name": "über"}]}"#;
    let replay = Replay::parse(text, ".".as_ref()).unwrap();
    let mut play = replay.play().unwrap();
    play.edit().unwrap();
    let hits = Engine::reference().run(play.world(), Ask::Pairs).unwrap();
    play.take(&hits).unwrap();
    let file = play.moment().save().unwrap();
    let (_, _, mut from) = header(&file, 4);
    let mut part = || {
        let length = from.u64() as usize;
        let (part, rest) = from.0.split_at(length);
        from.0 = rest;
        part
    };
    let (world, events) = (part(), part());
    assert!(World::load(world).unwrap() == *play.world());
    assert_eq!(read_events(events).0.len(), 1);
    assert_eq!(from.u64(), 1, "the step");
    let mut names = || {
        let name = |from: &mut Reader<'_>| {
            let bits = u128::from(from.u32()) | u128::from(from.u64()) << 32;
            let length = from.u32();
            (bits, String::from_utf8((0..length).map(|_| from.u8()).collect()).unwrap())
        };
        (0..from.u32()).map(|_| name(&mut from)).collect::<Vec<_>>()
    };
    let (shapes, bodies) = (names(), names());
    assert!(from.0.is_empty());
    let shape = play.world().shapes().next().unwrap().0;
    assert_eq!(shapes, [(shape.to_bits(), "a".to_owned())]);
    let ids: Vec<_> = play.world().ids().map(BodyId::to_bits).collect();
    assert_eq!(bodies, [(ids[0], "ship".to_owned()), (ids[1], "über".to_owned())]);
}

#[test]
fn the_format_is_as_documented() {
    let check = |world: &World| {
        let file = world.save(Save::Whole).unwrap();
        assert!(World::load(&file).unwrap() == *world);
        let read = read(&file);
        assert!(read.iter().map(|(id, _)| *id).eq(world.ids()));
        for (id, body) in &read {
            assert_eq!(world.body(*id), Some(*body));
        }
    };
    check(&super::world_of_parts(Touch::Included));
    check(&World::default());
    // More shapes and filters than a byte counts, and more filters than two bytes do.
    let mut world = World::default();
    for k in 1..=300_u32 {
        let shape = world.add_shape(Shape::circle(k.into()).unwrap()).unwrap();
        world.add(&Body::new(shape, [k as i32, 0]).filtered(k, u32::MAX)).unwrap();
    }
    check(&world);
    let shape = world.shapes().next().unwrap().0;
    let bodies = (0..65_600).map(|k| Body::new(shape, [k % 1000, k / 1000]).filtered(k as u32, u32::MAX));
    world.add_all(&bodies.collect::<Vec<_>>()).unwrap();
    check(&world);
}
