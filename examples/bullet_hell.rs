//! A bullet hell: 20,000 bullets that come and go, four enemies that shoot them, and a ship that shoots back. Prints
//! the score.
//!
//! ```text
//! a frame:  remove expired bullets, add as many new    World::remove, World::add
//!           find who hits whom                         Engine::run_into
//!           remove what has begun to hit               Events, Body::tag
//!           move everything else on                    World::advance
//! ```
//!
//! Enemies and their bullets are in one group, the ship and its shots in another, so they never hit their own.
//! `bullet_hell [PICTURE.png]` also writes the last frame.

mod picture;

use std::error::Error;
use std::path::{Path, PathBuf};

use hitmask::geometry::Vec2;
use hitmask::response::Events;
use hitmask::{Ask, Body, BodyId, Engine, Hits, Linear, Mask, Result, Shape, ShapeId, World};
use image::{DynamicImage, Rgb, RgbImage, RgbaImage};

const FRAMES: usize = 240;
const BULLETS: usize = 20_000;
/// The arena, in pixels.
const SIZE: [u32; 2] = [1920, 1080];
const ENEMIES: [[f64; 2]; 4] = [[480.0, 300.0], [1440.0, 300.0], [700.0, 720.0], [1220.0, 720.0]];
/// Groups.
const THEIRS: u32 = 1;
const OURS: u32 = 2;
/// An upper limit on a bullet's life in frames; a bullet lives at least half as long.
const LIFE: usize = 200;
/// A shot's speed in units per frame, and its life in frames.
const SHOT: f64 = 14.0;
const REACH: usize = 60;

/// The kind of a body, stored as its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Ship,
    Shot,
    Enemy,
    Bullet,
}

impl Kind {
    fn of(world: &World, id: BodyId) -> Option<Self> {
        let tag = world.body(id)?.tag;
        [Self::Ship, Self::Shot, Self::Enemy, Self::Bullet].into_iter().find(|&kind| kind as u64 == tag)
    }
}

/// The counts that the example prints.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    /// Bullets that were created, expired, hit the ship, and were hit by shots.
    born: usize,
    faded: usize,
    taken: usize,
    shot: usize,
    /// Shots that hit an enemy.
    scored: usize,
    began: usize,
    ended: usize,
}

struct Game {
    world: World,
    ship: BodyId,
    /// One per kind.
    shapes: [ShapeId; 4],
    /// The bodies that expire in a frame, by frame modulo `LIFE`. Some are already removed by then.
    ends: Vec<Vec<BodyId>>,
    bullets: usize,
    frame: usize,
    score: Score,
}

/// Returns the folder of the pictures, whatever the working directory is.
fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// Returns the motion at an angle in degrees. It is the same on every machine, as are the poses of bodies.
fn toward(degrees: f64, speed: f64) -> Vec2 {
    let turned = Linear::from_degrees(degrees);
    [turned.x[0] * speed, turned.y[0] * speed].into()
}

/// Returns the ship's position in a frame: it circles around the middle.
fn course(frame: usize) -> Vec2 {
    let Vec2 { x, y } = toward(frame as f64 * 1.5, 1.0);
    [960.0 + 620.0 * x, 540.0 + 330.0 * y].into()
}

impl Game {
    fn new() -> Result<Self> {
        let mut world = World::default();
        let sprite = |name: &str, region: [u32; 4], anchor: [i32; 2]| {
            let mask = Mask::open(&assets().join(name), 128, Some(region))?;
            Shape::sprite(mask).anchored(anchor)
        };
        let shapes = [
            world.add_shape(sprite("ship.png", [0, 0, 32, 32], [16, 16])?)?,
            world.add_shape(sprite("bullets.png", [64, 0, 16, 8], [8, 4])?)?,
            world.add_shape(sprite("enemy.png", [0, 0, 24, 24], [12, 12])?)?,
            world.add_shape(sprite("bullets.png", [64, 8, 8, 8], [4, 4])?)?,
        ];
        let ship = world.add(&Body::new(shapes[0], course(0)).grouped(OURS).tagged(Kind::Ship as u64))?;
        for at in ENEMIES {
            let pose = Linear::scaled(2.0);
            world.add(&Body::new(shapes[2], at).posed(pose).grouped(THEIRS).tagged(Kind::Enemy as u64))?;
        }
        let ends = vec![Vec::new(); LIFE];
        Ok(Self { world, ship, shapes, ends, bullets: 0, frame: 0, score: Score::default() })
    }

    /// Removes the bodies that expire now and still exist. The handle of a removed body never names another body.
    fn fade(&mut self) -> Result<()> {
        let due = std::mem::take(&mut self.ends[self.frame % LIFE]);
        for id in due {
            match Kind::of(&self.world, id) {
                Some(Kind::Bullet) => self.score.faded += 1,
                Some(_) => {}
                None => continue,
            }
            self.remove(id)?;
        }
        Ok(())
    }

    fn remove(&mut self, id: BodyId) -> Result<()> {
        self.bullets -= usize::from(Kind::of(&self.world, id) == Some(Kind::Bullet));
        self.world.remove(id).map(drop)
    }

    fn spawn(&mut self, kind: Kind, body: Body, frames: usize) -> Result<()> {
        let id = self.world.add(&body.tagged(kind as u64))?;
        self.ends[(self.frame + frames) % LIFE].push(id);
        Ok(())
    }

    /// Lets enemies replace missing bullets, turning by the golden angle from bullet to bullet, and the ship shoot a
    /// fan of shots.
    fn shoot(&mut self) -> Result<()> {
        while self.bullets < BULLETS {
            let n = self.score.born;
            let motion = toward(n as f64 * 137.507_764, 2.0 + (n % 7) as f64 / 2.0);
            let life = LIFE / 2 + n * 31 % (LIFE / 2);
            let at = Vec2::from(ENEMIES[n % ENEMIES.len()]);
            // The first bullets are all created at once, so they start part of the way along.
            let age = if self.frame == 0 { n / 4 % life } else { 0 };
            let at = at + motion * age as f64;
            self.spawn(Kind::Bullet, Body::new(self.shapes[3], at).moving(motion).grouped(THEIRS), life - age)?;
            self.score.born += 1;
            self.bullets += 1;
        }
        let at = course(self.frame);
        for degrees in [-10.0, 0.0, 10.0] {
            let degrees = self.frame as f64 * 1.5 + 180.0 + degrees;
            let body = Body::new(self.shapes[1], at).posed(Linear::from_degrees(degrees)).moving(toward(degrees, SHOT));
            self.spawn(Kind::Shot, body.grouped(OURS), REACH)?;
        }
        Ok(())
    }

    fn steer(&mut self) -> Result<()> {
        let [from, to] = [course(self.frame), course(self.frame + 1)];
        let body = Body::new(self.shapes[0], from).moving(to - from);
        let turned = Linear::from_degrees(self.frame as f64 * 1.5 - 90.0);
        self.world.set(self.ship, &body.posed(turned).grouped(OURS).tagged(Kind::Ship as u64))
    }

    /// Removes what has begun to hit. A shot that hits two bullets removes the one of the first pair.
    fn judge(&mut self, events: &Events) -> Result<()> {
        self.score.began += events.began().len();
        self.score.ended += events.ended().len();
        for event in events.began() {
            let [a, b] = event.pair;
            let (Some(first), Some(second)) = (Kind::of(&self.world, a), Kind::of(&self.world, b)) else { continue };
            let ((kind, one), (other, another)) =
                if first < second { ((first, a), (second, b)) } else { ((second, b), (first, a)) };
            match (kind, other) {
                (Kind::Ship, Kind::Bullet) => self.score.taken += 1,
                (Kind::Shot, Kind::Bullet) => self.score.shot += 1,
                (Kind::Shot, Kind::Enemy) => self.score.scored += 1,
                (Kind::Ship, Kind::Enemy) => {}
                same => panic!("{same:?} are of one group"),
            }
            for (kind, id) in [(kind, one), (other, another)] {
                if matches!(kind, Kind::Shot | Kind::Bullet) {
                    self.remove(id)?;
                }
            }
        }
        Ok(())
    }
}

/// Plays all frames, and checks that the counts add up.
fn play() -> Result<Game> {
    let mut game = Game::new()?;
    let (mut engine, mut hits, mut events, mut most) = (Engine::cpu()?, Hits::default(), Events::default(), 0);
    while game.frame < FRAMES {
        game.fade()?;
        game.shoot()?;
        game.steer()?;
        most = game.world.len().max(most);
        assert_eq!(game.bullets, BULLETS);
        assert_eq!(game.world.indices(), most, "what goes leaves its index to the next");
        engine.run_into(&game.world, Ask::Pairs, &mut hits)?;
        events.update(&game.world, &hits)?;
        game.judge(&events)?;
        game.world.advance()?;
        game.frame += 1;
    }
    let Score { born, faded, taken, shot, began, ended, .. } = game.score;
    assert_eq!(born, faded + taken + shot + game.bullets, "every bullet is somewhere");
    assert_eq!(began, ended + hits.pairs.len(), "what began has ended, or goes on");
    let lives = |id: &&BodyId| game.world.body(**id).is_some();
    let dated = game.ends.iter().flatten().filter(lives).count();
    assert_eq!(game.world.len(), 1 + ENEMIES.len() + dated, "whatever is there will go");
    assert!(taken > 0 && shot > 0 && game.score.scored > 0 && faded > BULLETS, "{:?}", game.score);
    Ok(game)
}

/// Draws what is left, in the colours of its pictures.
fn draw(game: &Game) -> std::result::Result<RgbImage, Box<dyn Error>> {
    let open = |name: &str| image::open(assets().join(name)).map(DynamicImage::into_rgba8);
    let (ship, bullets, enemy) = (open("ship.png")?, open("bullets.png")?, open("enemy.png")?);
    let texel = |image: &RgbaImage, [x, y]: [u32; 2]| {
        let [r, g, b, _] = image.get_pixel(x, y).0;
        Rgb([r, g, b])
    };
    let colour = |body: Option<BodyId>, at: [i32; 2]| {
        let seen = body.and_then(|id| Some((Kind::of(&game.world, id)?, game.world.texel(id, at)?)));
        match seen {
            None => Rgb([10, 12, 24]),
            Some((Kind::Ship, at)) => texel(&ship, at),
            Some((Kind::Enemy, at)) => texel(&enemy, at),
            Some((Kind::Shot, [x, y])) => texel(&bullets, [64 + x, y]),
            Some((Kind::Bullet, [x, y])) => texel(&bullets, [64 + x, 8 + y]),
        }
    };
    Ok(picture::draw(&game.world, SIZE, colour)?)
}

/// Plays, and writes the last frame if there is a path for it. Returns the score as text.
pub(crate) fn run(picture: Option<&Path>) -> std::result::Result<String, Box<dyn Error>> {
    let game = play()?;
    let text = format!("{FRAMES} frames of {BULLETS} bullets: {:?}", game.score);
    if let Some(path) = picture {
        draw(&game)?.save(path)?;
    }
    Ok(text)
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    println!("{}", run(std::env::args_os().nth(1).map(PathBuf::from).as_deref())?);
    Ok(())
}
