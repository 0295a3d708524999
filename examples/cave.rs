//! A platformer in a cave of one large mask; its hero shoots holes into it to get through.
//!
//! ```text
//! a frame:  move the hero                        Walker::step
//!           jump through planks from below       Surface::OneWay
//!           find what the rocket hits            Ray
//!           blow up rock, drop loose pieces      World::edit_mask, Mask::components
//! ```
//!
//! The hero plays by himself: he runs to the right, jumps if he is blocked, and shoots if that does not help. Prints
//! his score. `cave [PICTURE.png]` also writes the last frame.

mod picture;

use std::error::Error;
use std::path::{Path, PathBuf};

use hitmask::geometry::Vec2;
use hitmask::mask::Neighbours;
use hitmask::query::{Queries, RayCast};
use hitmask::response::{Side, Surface, Walker};
use hitmask::{Body, BodyId, Mask, Result, Shape, ShapeId, World};
use image::{Rgb, RgbImage};

/// The cave, in pixels.
const SIZE: [u32; 2] = [960, 240];
/// Two walls of rock that divide the cave, and the x at which the hero has won.
const WALLS: [std::ops::Range<u32>; 2] = [330..372, 640..700];
const GOAL: f64 = 920.0;
/// Rocks on the floor: their left and right sides, and the height of their tops.
const ROCKS: [(std::ops::Range<u32>, u32); 3] = [(240..254, 130), (560..570, 140), (850..862, 120)];
/// The left ends and heights of the planks, and their length.
const PLANKS: [[f64; 2]; 6] =
    [[60.0, 190.0], [96.0, 164.0], [132.0, 138.0], [450.0, 194.0], [486.0, 168.0], [770.0, 180.0]];
const PLANK: f64 = 44.0;

/// Layers.
const HERO: u32 = 1;
const ROCK: u32 = 2;
const WOOD: u32 = 4;

/// Speeds and gravity in units per frame, and the radius of a blast.
const RUN: f64 = 1.3;
const JUMP: f64 = 4.0;
const GRAVITY: f64 = 0.23;
const BLAST: f64 = 16.0;
/// Frames without progress after which the hero shoots.
const PATIENCE: u32 = 60;

#[derive(Clone, Copy, Debug)]
struct Hero {
    id: BodyId,
    walker: Walker,
    /// The speed of his fall, in units per frame.
    fall: f64,
}

struct Game {
    world: World,
    queries: Queries,
    rock: ShapeId,
    cave: BodyId,
    hero: Hero,
}

/// The counts that the example prints.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    frames: u32,
    blasts: u32,
    /// Texels blown up, and texels that fell because nothing held them.
    blown: u64,
    fallen: u64,
    /// Times he came up through a plank, and frames in which he stood on one.
    through: u32,
    on_wood: u32,
}

/// Returns the height of the rock at a column, up to 30 pixels: smooth noise, interpolated between points 24 pixels
/// apart.
fn rough(x: u32, seed: u32) -> u32 {
    let height = |i: u32| {
        let mixed = (i * 31 + seed).wrapping_mul(0x9E37_79B1);
        (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA77) >> 27
    };
    (height(x / 24) * (24 - x % 24) + height(x / 24 + 1) * (x % 24)) / 24
}

fn cave() -> Result<Mask> {
    let [width, height] = SIZE;
    Mask::from_fn(width, height, |x, y| {
        let open = (16 + rough(x, 1)..height - 16 - rough(x, 2)).contains(&y) && (8..width - 8).contains(&x);
        let wall = WALLS.iter().any(|wall| (wall.start + rough(y, 3)..wall.end + rough(y, 4)).contains(&x));
        let rock = ROCKS.iter().any(|(rock, top)| y >= *top && rock.contains(&(x + (y / 9) % 3)));
        !open || wall || rock
    })
}

impl Game {
    fn new() -> Result<Self> {
        let mut world = World::default();
        let hero = Mask::from_rows(&[
            "..###..", ".#####.", ".#####.", "..###..", "#######", "#######", ".#####.", ".#####.", ".##.##.",
            ".##.##.",
        ])?;
        let hero = world.add_shape(Shape::sprite(hero).anchored([3.5, 10.0])?)?;
        let id = world.add(&Body::new(hero, [40.0, 150.0]).filtered(HERO, ROCK | WOOD))?;
        let plank = world.add_shape(Shape::rect(PLANK, 3.0)?)?;
        for at in PLANKS {
            world.add(&Body::new(plank, at).filtered(WOOD, HERO))?;
        }
        let rock = world.add_shape(Shape::sprite(cave()?))?;
        let cave = world.add(&Body::new(rock, [0, 0]).filtered(ROCK, HERO))?;
        let hero = Hero { id, walker: Walker::new(), fall: 0.0 };
        Ok(Self { world, queries: Queries::new(), rock, cave, hero })
    }

    fn body(&self) -> Body {
        self.world.body(self.hero.id).expect("a hero")
    }

    fn layer(&self, id: BodyId) -> u32 {
        self.world.body(id).map_or(0, |body| body.layers)
    }

    /// Returns whether the hero is clear of rock.
    fn is_free(&mut self) -> Result<bool> {
        let body = Body { mask: ROCK, ..self.body() };
        self.queries.on(&self.world).is_free(&body)
    }

    /// Returns whether there is a plank above him within the height of a jump.
    fn is_under_wood(&mut self) -> Result<bool> {
        let Vec2 { x, y } = self.body().at;
        let up = RayCast::new([x, y - 10.0], [x, y - JUMP * JUMP / GRAVITY / 2.0]);
        self.queries.on(&self.world).any(&up.hitting(WOOD))
    }

    /// Runs, jumps on request, and falls. Returns what he then stands on.
    fn go(&mut self, run: f64, jump: bool) -> Result<Option<Side>> {
        let (own, world, hero) = ([self.hero.id], &mut self.world, &mut self.hero);
        let Some(body) = world.body(hero.id) else { return Ok(None) };
        let search = self.queries.on(world).except(&own)?;
        let surface = |id: BodyId| match world.body(id).map(|body| body.layers) {
            Some(WOOD) => Surface::OneWay,
            _ => Surface::Solid,
        };
        let fall = if jump && hero.walker.ground().is_some() { -JUMP } else { hero.fall + GRAVITY };
        let walk = hero.walker.step(search, &body, run, fall, surface)?;
        hero.fall = walk.fall;
        world.set(hero.id, &Body { at: walk.at, ..body })?;
        Ok(walk.ground)
    }

    /// Shoots a rocket to the right, which explodes where it hits rock. Returns the number of texels that it destroyed,
    /// and that fell afterwards.
    fn shoot(&mut self) -> Result<[u64; 2]> {
        let from = self.body().at;
        let ray = RayCast::new([from.x, from.y - 6.0], [from.x + 100.0, from.y - 6.0]).hitting(ROCK);
        let Some(hit) = self.queries.on(&self.world).first(&ray)? else { return Ok([0; 2]) };
        let at = self.world.ray_contact(&ray, &hit)?.at;
        let Some(centre) = self.world.local(self.cave, at) else { return Ok([0; 2]) };
        self.world.edit_mask(self.rock, |mask| {
            let whole = mask.count();
            mask.erase_disc([centre.x, centre.y], BLAST)?;
            let holed = mask.count();
            let pieces = mask.components(Neighbours::Four);
            let largest = pieces.largest().map(|piece| piece.bounds());
            for piece in pieces.iter().filter(|piece| Some(piece.bounds()) != largest) {
                let [x, y, ..] = piece.bounds();
                mask.erase(&piece.mask(), [x as i32, y as i32]);
            }
            Ok([whole - holed, holed - mask.count()])
        })?
    }
}

/// Plays to the end. Checks that the hero is never in the rock, and that all rock is accounted for.
fn play() -> Result<(Game, Score)> {
    let (mut game, mut score) = (Game::new()?, Score::default());
    let solid = cave()?.count();
    let (mut farthest, mut waited) = (0.0, 0);
    while game.body().at.x < GOAL {
        score.frames += 1;
        assert!(score.frames < 5_000, "he is stuck at {:?}: {score:?}", game.body().at);
        let before = game.body().at;
        // He jumps onto planks, and when he is blocked.
        let jump = waited > 3 || game.is_under_wood()?;
        let ground = game.go(RUN, jump)?;
        let at = game.body().at;
        assert!(game.is_free()?, "frame {}: in the rock at {at:?}", score.frames);
        waited = if at.x > farthest { 0 } else { waited + 1 };
        farthest = at.x.max(farthest);
        if waited > PATIENCE {
            let [blown, fallen] = game.shoot()?;
            (waited, score.blasts) = (0, score.blasts + 1);
            (score.blown, score.fallen) = (score.blown + blown, score.fallen + fallen);
        }
        let wood = |[x, y]: [f64; 2]| (x..x + PLANK).contains(&at.x) && at.y < y && y <= before.y;
        score.through += u32::from(PLANKS.into_iter().any(wood));
        score.on_wood += u32::from(ground.is_some_and(|ground| game.layer(ground.body) == WOOD));
    }
    let left = game.world.shape(game.rock).and_then(Shape::mask).map_or(0, Mask::count);
    assert_eq!(solid, left + score.blown + score.fallen, "all rock is accounted for");
    assert!(score.blasts > 2 && score.fallen > 0 && score.through > 0 && score.on_wood > 0, "{score:?}");
    Ok((game, score))
}

/// Draws the cave; blown-up rock is darker than what was always open.
fn draw(game: &Game) -> Result<RgbImage> {
    let whole = cave()?;
    let colour = |body: Option<BodyId>, [x, y]: [i32; 2]| {
        let was = |x: i32, y: i32| y < 0 || whole.get(x as u32, y as u32);
        let light = [1, 2, 4].iter().filter(|&&d| was(x, y - d)).count() as u8;
        match body.map(|id| game.layer(id)) {
            Some(HERO) => Rgb([250, 210, 80]),
            Some(WOOD) => Rgb([176, 112, 60]),
            Some(_) => Rgb([150 - 22 * light, 128 - 20 * light, 120 - 20 * light]),
            None if was(x, y) => Rgb([58, 30, 34]),
            None => Rgb([22, 24, 40]),
        }
    };
    picture::draw(&game.world, SIZE, colour)
}

/// Plays, and writes the last frame if there is a path for it. Returns the score as text.
pub(crate) fn run(picture: Option<&Path>) -> std::result::Result<String, Box<dyn Error>> {
    let (game, score) = play()?;
    let text = format!("through a cave of {} x {}: {score:?}", SIZE[0], SIZE[1]);
    if let Some(path) = picture {
        draw(&game)?.save(path)?;
    }
    Ok(text)
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    println!("{}", run(std::env::args_os().nth(1).map(PathBuf::from).as_deref())?);
    Ok(())
}
