//! A platformer in a cave of one large mask, into which bombs blow holes.

mod figure;
mod level;

use std::sync::LazyLock;

use hitmask::geometry::{Flip, Vec2};
use hitmask::query::{Nearest, Queries};
use hitmask::scene::{Form, Image};
use hitmask::{Body, Linear, Mask, ShapeId, World};

use super::{Opened, Play, Seen};
use crate::cast::Cast;
use crate::input::Input;
use crate::random::Random;
use crate::shapes::{Look, Sheet};
use figure::{Figure, PLANK, SOLID};
use level::{Level, SIZE};

/// The hero's running and jumping speeds, in units per step.
const RUN: f64 = 1.4;
const JUMP: f64 = 4.1;
/// The steps until a bomb explodes, the radius of its blast, the height of the blast's centre above the bomb, and the
/// number of steps for which the blast is visible.
const FUSE: u32 = 60;
const BLAST: f64 = 22.0;
const LIFT: f64 = 13.0;
const FLASH: u32 = 7;
/// The minimum number of steps between two bombs.
const RELOAD: u32 = 20;
/// The layers.
const ROCK: u32 = 1;
const HERO: u32 = 2;
const COIN: u32 = 4;
const FIRE: u32 = 8;

/// The level, built once: its rock is a shape, and bodies stand on its floors.
static LEVEL: LazyLock<Level> = LazyLock::new(Level::new);

const CAVE: usize = 0;
const WOOD: usize = 1;
const MAN: usize = 2;
const BOMB: usize = 3;
const FLAME: usize = 4;
const GOLD: usize = 5;

#[rustfmt::skip]
const HERO_ROWS: [&str; 14] = [
    "..#####...",
    ".#######..",
    ".##.#.##..",
    ".#######..",
    "..#####...",
    "...###....",
    ".########.",
    "##.####.##",
    "##.####.##",
    "...####...",
    "...####...",
    "..##..##..",
    "..##..##..",
    ".###..###.",
];

#[rustfmt::skip]
const BOMB_ROWS: [&str; 8] = [
    "....##..",
    "...#....",
    "..####..",
    ".######.",
    ".######.",
    ".######.",
    ".######.",
    "..####..",
];

pub(super) fn shapes() -> Vec<Look> {
    let rows = |rows: &[&str]| Mask::from_rows(rows).expect("rows of one length");
    let threshold = hitmask::mask::DEFAULT_THRESHOLD;
    let sprite = |mask: &Mask| Form::Sprite { image: Image::Rows(mask.to_rows()), threshold, region: None };
    let mut cave = Look::plain("cave", sprite(&LEVEL.mask), [0.0; 2]);
    cave.image = Some(LEVEL.image.clone());
    vec![
        cave,
        Look::plain("plank", Form::Box([1.0, 3.0]), [0.0; 2]),
        Look::plain("hero", sprite(&rows(&HERO_ROWS)), [5.0, 14.0]),
        Look::plain("bomb", sprite(&rows(&BOMB_ROWS)), [4.0, 8.0]),
        Look::plain("blast", Form::Circle(BLAST), [0.0; 2]),
        Look::sprite("coin", Sheet::Bullets, [16, 0, 16, 16]),
    ]
}

/// A falling bomb, and the steps until it explodes.
struct Bomb {
    figure: Figure,
    fuse: u32,
}

struct Cave {
    queries: Queries,
    hero: Figure,
    looks_left: bool,
    bombs: Vec<Bomb>,
    /// Blasts, and the steps for which they remain visible.
    blasts: Vec<(usize, u32)>,
    /// Steps until the next bomb may be laid.
    reload: u32,
    coins: usize,
    taken: usize,
    blown: usize,
    /// The direction in which it goes while it plays itself, and for how many steps it has been blocked.
    way: f64,
    stuck: u32,
}

pub(super) fn open(count: usize, shapes: &[ShapeId]) -> Opened {
    let mut bodies = vec![Body::new(shapes[CAVE], [0.0; 2]).filtered(ROCK, HERO | FIRE).tagged(SOLID)];
    for (at, length) in LEVEL.planks() {
        let plank = Body::new(shapes[WOOD], at).posed(Linear::new(0.0, [length, 1.0], Flip::default()));
        bodies.push(plank.filtered(ROCK, HERO).tagged(PLANK));
    }
    let hero = bodies.len();
    bodies.push(Body::new(shapes[MAN], LEVEL.above(0, 40, 6.0)).filtered(HERO, ROCK | COIN));
    let (mut random, fixed) = (Random::new(7), bodies.len());
    let mut tries = 0;
    while bodies.len() < count.max(fixed + 1) && tries < 100 * count {
        tries += 1;
        let at = LEVEL.place(&mut random);
        let [left, top] = at.map(|v| v as i32 - 6);
        if LEVEL.mask.count_in([left, top, 12, 12]) == 0 {
            bodies.push(Body::new(shapes[GOLD], at).posed(Linear::scaled(0.6)).filtered(COIN, HERO));
        }
    }
    let game = Cave {
        queries: Queries::new(),
        hero: Figure::new(hero),
        looks_left: false,
        bombs: Vec::new(),
        blasts: Vec::new(),
        reload: 0,
        coins: bodies.len() - fixed,
        taken: 0,
        blown: 0,
        way: 1.0,
        stuck: 0,
    };
    (bodies, Box::new(game))
}

impl Cave {
    /// Returns the input while nobody plays: run to and fro, bomb obstacles, and keep away from bombs.
    fn plays_itself(&mut self, world: &World, step: u64) -> Input {
        let at = |body: usize| world.id(body as u32).and_then(|id| world.body(id)).map(|body| body.at);
        let Some(hero) = at(self.hero.body) else { return Input::default() };
        if hero.x < 30.0 {
            self.way = 1.0;
        } else if hero.x > f64::from(SIZE[0]) - 30.0 {
            self.way = -1.0;
        }
        self.stuck = if self.hero.blocked { self.stuck + 1 } else { 0 };
        let mut away = self.bombs.iter().filter_map(|bomb| at(bomb.figure.body)).map(|bomb| hero.x - bomb.x);
        let near = away.rfind(|away| away.abs() < BLAST + 14.0);
        let go = near.map_or(self.way, |away| if away < 0.0 { -1.0 } else { 1.0 });
        let waits = near.is_none() && !self.bombs.is_empty();
        Input {
            left: go < 0.0 && !waits,
            right: go > 0.0 && !waits,
            up: self.hero.blocked || step % 64 == 40,
            down: step % 512 > 480,
            act: self.stuck > 14 && self.bombs.is_empty(),
        }
    }

    /// Lays a bomb at the hero's feet.
    fn lay(&mut self, bodies: &mut Cast, seen: &Seen<'_>) {
        let Some(shape) = seen.shape(BOMB) else { return };
        let at = bodies[self.hero.body].at;
        let body = Body::new(shape, [at.x, at.y - 2.0]).filtered(HERO, ROCK);
        self.bombs.push(Bomb { figure: Figure::new(bodies.add(body)), fuse: FUSE });
        self.reload = RELOAD;
    }

    /// Explodes a bomb: makes a hole in the rock, removes coins, and shows a blast.
    fn burst(&mut self, bomb: &Bomb, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        let Vec2 { x, y } = bodies[bomb.figure.body].at;
        let middle = [x.round(), y.round() - LIFT];
        bodies.remove(bomb.figure.body);
        self.blown += 1;
        let side = 2 * BLAST as u32;
        let mut stamp = Mask::new(side, side)?;
        stamp.draw_disc([BLAST, BLAST], BLAST)?;
        // In texels of the rock, which may have been dragged.
        let rock = bodies[0].at;
        let corner = [middle[0] - BLAST - rock.x, middle[1] - BLAST - rock.y].map(|v| v.round() as i32);
        // Keep the edge of the cave.
        let rim = 4;
        let end = SIZE.map(|side| side as i32 - rim);
        let frame =
            [[0, 0, rim, end[1]], [end[0], 0, rim, end[1] + rim], [0, 0, end[0], rim], [0, end[1], end[0], rim]];
        for [left, top, width, height] in frame {
            stamp.erase_rect([left - corner[0], top - corner[1], width, height]);
        }
        bodies.erase(CAVE, stamp, corner);
        let mut lost = Vec::new();
        self.queries.on(seen.world).all(&Nearest::new(middle).within(BLAST).hitting(COIN), &mut lost)?;
        self.coins -= lost.iter().filter(|near| bodies.lives(near.body.index() as usize)).count();
        for near in &lost {
            bodies.remove(near.body.index() as usize);
        }
        if let Some(shape) = seen.shape(FLAME) {
            self.blasts.push((bodies.add(Body::new(shape, middle).filtered(FIRE, ROCK)), FLASH));
        }
        Ok(())
    }
}

impl Play for Cave {
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        let input = seen.input.unwrap_or_else(|| self.plays_itself(seen.world, seen.step));
        for (_, left) in &mut self.blasts {
            *left -= 1;
        }
        for (body, _) in self.blasts.extract_if(.., |&mut (_, left)| left == 0) {
            bodies.remove(body);
        }

        let search = self.queries.on(seen.world);
        for bomb in &mut self.bombs {
            bomb.fuse -= 1;
            if let Some(at) = bomb.figure.step(seen.world, search, 0.0, false)? {
                bodies[bomb.figure.body].at = at;
            }
        }
        if input.up && self.hero.stands() {
            self.hero.jump(JUMP);
        }
        if let Some(at) = self.hero.step(seen.world, search, RUN * input.across(), input.down)? {
            bodies[self.hero.body].at = at;
        }
        if input.across() != 0.0 {
            self.looks_left = input.across() < 0.0;
        }
        bodies[self.hero.body].linear = Linear::new(0.0, [1.0; 2], Flip { x: self.looks_left, y: false });

        // Take the coins at the new position.
        let mut met = Vec::new();
        let reach = bodies[self.hero.body].filtered(HERO, COIN);
        self.queries.on(seen.world).all(&reach, &mut met)?;
        for hit in &met {
            self.taken += 1;
            self.coins -= 1;
            bodies.remove(hit.body.index() as usize);
        }

        self.reload = self.reload.saturating_sub(1);
        if input.act && self.reload == 0 {
            self.lay(bodies, seen);
        }
        let gone: Vec<Bomb> = self.bombs.extract_if(.., |bomb| bomb.fuse == 0).collect();
        gone.iter().try_for_each(|bomb| self.burst(bomb, bodies, seen))
    }

    fn home(&self) -> [f64; 4] {
        [0.0, 0.0, f64::from(SIZE[0]), f64::from(SIZE[1])]
    }

    fn note(&self) -> String {
        format!("{} coins taken, {} left; {} holes blown", self.taken, self.coins, self.blown)
    }
}

#[cfg(test)]
mod tests {
    use hitmask::{Ask, Engine, Hits};

    use super::*;

    /// The cave, played step by step.
    struct Played {
        world: World,
        cast: Cast,
        play: Box<dyn Play>,
        engine: Engine,
        hero: u32,
        step: u64,
    }

    impl Played {
        fn new() -> Self {
            let mut world = World::default();
            let specs = shapes().into_iter().map(|look| (look.name, look.spec)).collect();
            let scene = hitmask::scene::Scene::new(hitmask::Touch::Excluded, specs, Vec::new()).world().unwrap();
            let ids: Vec<ShapeId> = scene.shapes().map(|(_, shape)| world.add_shape(shape.clone()).unwrap()).collect();
            let (bodies, play) = open(60, &ids);
            let hero = bodies.iter().position(|body| body.shape == ids[MAN]).unwrap() as u32;
            let mut cast = Cast::new(bodies);
            cast.enter(&mut world, false).unwrap();
            Self { world, cast, play, engine: Engine::cpu().unwrap(), hero, step: 0 }
        }

        fn at(&self) -> Vec2 {
            self.cast[self.hero as usize].at
        }

        /// Runs a step, and asserts that the hero is not in the rock.
        fn step(&mut self, input: Option<Input>) {
            let hits = Hits::default();
            let seen = Seen { world: &self.world, hits: &hits, step: self.step, held: None, input };
            self.play.step(&mut self.cast, &seen).unwrap();
            self.cast.follow(&mut self.world, false).unwrap();
            self.step += 1;
            let hits = self.engine.run(&self.world, Ask::Pairs).unwrap();
            assert!(!hits.pairs.contains(&[0, self.hero]), "step {}: {:?}", self.step, self.at());
        }
    }

    #[test]
    fn the_hero_climbs_hills_as_far_as_the_wall() {
        let mut played = Played::new();
        for _ in 0..160 {
            played.step(Some(Input { right: true, ..Input::default() }));
        }
        assert!((160.0..176.0).contains(&played.at().x), "{:?}", played.at());
    }

    #[test]
    fn planks_are_jumped_through_from_below_stood_upon_and_dropped_through() {
        let mut played = Played::new();
        let planks: Vec<Vec2> = played.cast.iter().filter(|body| body.tag == PLANK).map(|body| body.at).collect();
        // Start between the two lowest planks of the left shaft.
        let [upper, lower] = [planks[planks.len() - 2], planks[planks.len() - 1]];
        played.cast[played.hero as usize].at = Vec2 { x: upper.x + 20.0, y: lower.y };
        played.cast.follow(&mut played.world, false).unwrap();
        let rests = |played: &mut Played, input: Input, plank: Vec2| {
            for step in 0..90 {
                played.step(Some(if step < 8 { input } else { Input::default() }));
            }
            let y = played.at().y;
            assert!((y - plank.y).abs() <= 1.0, "{y} on {plank:?}");
        };
        rests(&mut played, Input::default(), lower);
        rests(&mut played, Input { up: true, ..Input::default() }, upper);
        rests(&mut played, Input { down: true, ..Input::default() }, lower);
    }

    #[test]
    fn a_bomb_blows_its_hole_where_it_explodes_also_in_a_rock_that_was_dragged() {
        let mut played = Played::new();
        let rock = Vec2 { x: 2.4, y: 30.6 };
        played.cast[0].at = rock;
        played.cast.follow(&mut played.world, false).unwrap();
        let mask = |played: &Played| played.world.shapes().next().unwrap().1.mask().unwrap().clone();
        let before = mask(&played);
        let flame = played.world.shapes().nth(FLAME).unwrap().0;
        let mut middle = None;
        for step in 0..200 {
            played.step(Some(Input { act: step == 60, ..Input::default() }));
            let blast =
                (0..played.cast.len()).find(|&body| played.cast.lives(body) && played.cast[body].shape == flame);
            middle = middle.or(blast.map(|body| played.cast[body].at));
        }
        let (after, middle) = (mask(&played), middle.expect("it explodes"));
        let [width, height] = before.size();
        let texels = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        let hole: Vec<[u32; 2]> = texels.filter(|&[x, y]| before.get(x, y) && !after.get(x, y)).collect();
        let far = |&[x, y]: &[u32; 2]| {
            (f64::from(x) + 0.5 + rock.x - middle.x).hypot(f64::from(y) + 0.5 + rock.y - middle.y) > BLAST + 1.0
        };
        assert!(hole.len() > 100 && !hole.iter().any(far), "{middle:?}: {hole:?}");
    }

    #[test]
    fn it_plays_itself_and_what_it_blows_up_is_gone() {
        let mut played = Played::new();
        let rock = |played: &Played| played.world.shapes().next().unwrap().1.mask().unwrap().count();
        let (before, coins) = (rock(&played), played.world.len());
        for _ in 0..1_500 {
            played.step(None);
        }
        assert!(rock(&played) + 2_000 < before && played.world.len() < coins, "{}", played.play.note());
    }
}
