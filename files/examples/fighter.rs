//! Two fighters from one sheet, with hit boxes, hurt boxes and push boxes that change with the frame. They fight by a
//! script, without a window.
//!
//! ```sh
//! cargo run --release -p hitmask-files --example fighter -- fight.png
//! ```
//!
//! ```text
//! a step:  start what each player wants, run, jump        Cast::play, Actor
//!          show the frames with their masks and boxes     Cast::update
//!          push the fighters apart                        World::push_along
//!          find the hit boxes that are in hurt boxes      Engine::run_into, Cast::part
//!          hurt each target once an attack                Strikes
//! ```
//!
//! The artist's file has all the numbers of an attack: how long its frames show, their boxes, and the damage of the hit
//! boxes. A fighter that turns round mirrors its boxes at its pivot. After a step push boxes may touch, but they never
//! overlap.
//!
//! Prints the fight, which is the same on every engine. If there is a path for a picture, it shows the last blow, with
//! masks and boxes.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hitmask::debug::{Draw, Line, Lines, Palette};
use hitmask::geometry::SUBPIXELS;
use hitmask::query::{PointQuery, Queries};
use hitmask::response::Axis;
use hitmask::{Ask, Engine, Hits, World};
use hitmask_files::{Actor, Cast, Filter, Sheet, Strikes, Tag};
use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The time of a step.
const STEP: Duration = Duration::from_millis(20);
/// The width of the stage in pixels, and the least distance of a pivot from its ends; the y of the floor.
const STAGE: f64 = 160.0;
const WALL: f64 = 12.0;
const FLOOR: f64 = 32.0;
/// Speeds in pixels a step, and what gravity adds to a fall in each.
const RUN: f64 = 1.5;
const LEAP: f64 = 4.5;
const GRAVITY: f64 = 0.25;
/// The part of the stage in the picture, in pixels, and the width of each in there.
const VIEW: [u32; 2] = [80, 40];
const SCALE: u32 = 12;
/// The health of a fighter at the start.
const HEALTH: u32 = 30;

const NAMES: [&str; 2] = ["blue", "red"];

/// Layers.
const MASK: u32 = 1;
const PUSH: u32 = 2;
const HIT: u32 = 4;
const HURT: u32 = 8;
const SCENERY: u32 = 16;

/// The keys that a player holds in a step.
type Input = u8;
const NONE: Input = 0;
const LEFT: Input = 1;
const RIGHT: Input = 2;
const JUMP: Input = 4;
const PUNCH: Input = 8;
const KICK: Input = 16;

/// The keys of blue and of red, and the number of steps for which they hold them.
const SCRIPT: [(u32, [Input; 2]); 22] = [
    (36, [RIGHT, LEFT]), // until they touch
    (6, [RIGHT, NONE]),  // blue pushes red
    (1, [PUNCH, NONE]),
    (30, [NONE, NONE]),
    (1, [NONE, KICK]),
    (30, [NONE, NONE]),
    (20, [NONE, LEFT]),
    (1, [PUNCH, PUNCH]), // a trade of blows
    (26, [NONE, NONE]),
    (1, [JUMP | RIGHT, NONE]), // blue jumps over red, and both turn round
    (20, [RIGHT, LEFT]),
    (18, [RIGHT, NONE]),
    (1, [KICK, NONE]), // too far away
    (30, [NONE, NONE]),
    (110, [LEFT, NONE]), // blue pushes red to the wall
    (1, [KICK, NONE]),
    (30, [NONE, NONE]),
    (1, [KICK, NONE]),
    (29, [NONE, NONE]),
    (6, [RIGHT, NONE]),
    (32, [KICK, NONE]), // while it is held, one attack follows another
    (30, [NONE, NONE]),
];

pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) cast: Cast,
    /// Blue and red. The entity of an actor is its place here.
    pub(crate) actors: [Actor; 2],
    pub(crate) health: [u32; 2],
    /// The speeds of the falls, in pixels a step.
    falls: [f64; 2],
    strikes: Strikes,
    engine: Engine,
    hits: Hits,
    /// The number of the step, from 1.
    step: u32,
    counts: Counts,
    log: Vec<String>,
}

/// The counts that the example prints.
#[derive(Default)]
struct Counts {
    attacks: u32,
    blows: u32,
    /// Steps in which a hit box was in a hurt box.
    meetings: u32,
    /// Steps in which push boxes overlapped before they were pushed apart.
    pushes: u32,
}

/// Returns the layers that a mask, or the boxes of a name, are on and hit.
fn filter(part: Option<&str>) -> Option<Filter> {
    let [layers, mask] = match part {
        None => [MASK, SCENERY], // there is none on this stage
        Some("push") => [PUSH, PUSH],
        Some("hit") => [HIT, HURT],
        Some("hurt") => [HURT, HIT],
        Some(_) => return None,
    };
    Some(Filter { layers, mask, ..Filter::default() })
}

impl Game {
    fn new(engine: Engine) -> Result<Self> {
        let sheet = Sheet::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fighter.aseprite"))?;
        let mut world = World::default();
        // The frame in which a fighter lies has no boxes, and so no pivot of its own.
        let mut cast = Cast::new(&mut world, sheet, [10.0, 20.0], filter)?;
        let mut actors = [cast.add(&mut world, 0)?, cast.add(&mut world, 1)?];
        for (actor, x) in actors.iter_mut().zip([30.0, 130.0]) {
            actor.at = [x, FLOOR].into();
            actor.flip.x = actor.entity == 1;
            cast.play(actor, "stand")?;
        }
        Ok(Self {
            world,
            cast,
            actors,
            health: [HEALTH; 2],
            falls: [0.0; 2],
            strikes: Strikes::default(),
            engine,
            hits: Hits::default(),
            step: 0,
            counts: Counts::default(),
            log: Vec::new(),
        })
    }

    fn advance(&mut self, inputs: [Input; 2]) -> Result<()> {
        self.step += 1;
        for player in [0, 1] {
            self.steer(player, inputs[player])?;
        }
        self.cast.update(&mut self.world, &mut self.actors)?;
        self.push_apart()?;
        self.engine.run_into(&self.world, Ask::Pairs, &mut self.hits)?;
        self.strike()
    }

    /// Starts what a player wants, and moves the fighter. One that attacks or is hurt can do nothing else until its tag
    /// has ended.
    fn steer(&mut self, player: usize, input: Input) -> Result<()> {
        let Self { cast, actors, health, falls, .. } = self;
        let other = actors[1 - player].at.x;
        let (actor, fall) = (&mut actors[player], &mut falls[player]);
        let holds = |key: Input| input & key != 0;
        let run = RUN * f64::from(i8::from(holds(RIGHT)) - i8::from(holds(LEFT)));
        actor.elapsed += STEP;
        let end = playing(cast, actor).and_then(|tag| cast.sheet().duration(tag));
        let is_free = health[player] > 0 && end.is_none_or(|end| end <= actor.elapsed);
        if is_free && actor.at.y == FLOOR {
            if actor.flip.x != (other < actor.at.x) {
                actor.flip.x = !actor.flip.x;
                self.log.push(format!("step {:3}: {} turns round", self.step, NAMES[player]));
            }
            let tag = match input {
                _ if holds(PUNCH) => "punch",
                _ if holds(KICK) => "kick",
                _ if holds(JUMP) => "jump",
                LEFT | RIGHT => "walk",
                _ => "stand",
            };
            let is_attack = holds(PUNCH | KICK);
            if is_attack || playing(cast, actor).is_none_or(|now| now.name != tag) {
                cast.play(actor, tag)?;
            }
            self.counts.attacks += u32::from(is_attack);
            if tag == "jump" {
                *fall = -LEAP;
            }
        }
        if playing(cast, actor).is_some_and(|tag| ["walk", "jump"].contains(&tag.name.as_str())) {
            actor.at.x = on_stage(actor.at.x + run);
        }
        *fall += GRAVITY;
        actor.at.y = (actor.at.y + *fall).min(FLOOR);
        if actor.at.y == FLOOR {
            *fall = 0.0;
        }
        Ok(())
    }

    /// Moves the fighters apart until their push boxes only touch: each by half the way, or one by less, if it is at a
    /// wall, and the other by the rest.
    fn push_apart(&mut self) -> Result<()> {
        let push_box = |actor| self.cast.parts(actor).find(|part| part.name == Some("push"));
        let [Some(a), Some(b)] = self.actors.each_ref().map(push_box) else { return Ok(()) };
        let Some(way) = self.world.push_along(a.body, b.body, Axis::X)? else { return Ok(()) };
        let [blue, red] = &mut self.actors;
        // In whole lattice steps, as the way is, so that nothing is rounded.
        let half = (way.x * f64::from(SUBPIXELS) / 2.0).trunc() / f64::from(SUBPIXELS);
        let ahead = on_stage(blue.at.x + half) - blue.at.x;
        let back = on_stage(red.at.x + ahead - way.x) - red.at.x;
        (blue.at.x, red.at.x) = (blue.at.x + way.x + back, red.at.x + back);
        self.counts.pushes += 1;
        Ok(self.cast.update(&mut self.world, &mut self.actors)?)
    }

    /// Takes the damage of hit boxes from the health of those whom they hit.
    fn strike(&mut self) -> Result<()> {
        let Self { world, cast, actors, health, .. } = self;
        let mut meets = false;
        for pair in &self.hits.pairs {
            let parts = pair.map(|index| world.id(index).and_then(|body| cast.part(body)));
            let (hit, hurt) = match parts {
                [Some(a), Some(b)] if a.name == Some("hit") => (a, b),
                [Some(a), Some(b)] if b.name == Some("hit") => (b, a),
                _ => continue,
            };
            meets = true;
            if !self.strikes.hits(&hit, &hurt) {
                continue;
            }
            let damage = hit.data.strip_prefix("damage=").ok_or("a hit box without damage")?;
            let [by, to] = [hit.entity, hurt.entity].map(|entity| entity as usize);
            let tag = cast.sheet().tags.iter().find(|tag| tag.frames.contains(&hit.frame)).ok_or("no tag")?;
            health[to] = health[to].saturating_sub(damage.parse()?);
            self.log.push(format!(
                "step {:3}: the {} of {} hits the {} of {}, whose health is {}",
                self.step, tag.name, NAMES[by], hurt.data, NAMES[to], health[to]
            ));
            self.counts.blows += 1;
            // It shows from the next step on.
            cast.play(&mut actors[to], if health[to] > 0 { "hurt" } else { "down" })?;
        }
        self.counts.meetings += u32::from(meets);
        Ok(())
    }

    /// Draws the fighters, and over them the masks and boxes as the engine sees them: those that hit are orange.
    fn draw(&self) -> Result<RgbImage> {
        let [width, height] = VIEW;
        let middle = f64::midpoint(self.actors[0].at.x, self.actors[1].at.x);
        let left = (middle - f64::from(width) / 2.0).clamp(0.0, STAGE - f64::from(width)).floor();
        let mut view = RgbImage::from_fn(width, height, |_, y| Rgb([if f64::from(y) < FLOOR { 72 } else { 104 }; 3]));
        let mut queries = Queries::new();
        let search = queries.on(&self.world);
        for (x, y, pixel) in view.enumerate_pixels_mut() {
            let at = [left as i32 + x as i32, y as i32];
            let centre = at.map(|v| f64::from(v) + 0.5);
            let Some(body) = search.first(&PointQuery::new(centre).hitting(MASK))? else { continue };
            let texel = self.world.texel(body, at);
            let (Some([u, v]), Some(part)) = (texel, self.cast.part(body)) else { continue };
            let [r, g, b, _] = self.cast.sheet().frames[part.frame].image.get_pixel(u, v).0;
            // Only the shirt is blue in the sheet.
            *pixel = Rgb(if part.entity == 1 && b > r { [b, g, r] } else { [r, g, b] });
        }
        let mut picture = imageops::resize(&view, width * SCALE, height * SCALE, FilterType::Nearest);
        // Bodies of boxes that the frame does not have are switched off.
        let palette = Palette { disabled: [0; 4], ..Palette::default() };
        let mut lines = Lines::new();
        Draw { palette, origin: [left, 0.0].into(), ..Draw::default() }.step(&self.world, &self.hits, &mut lines)?;
        for line in lines.as_slice() {
            stroke(&mut picture, line);
        }
        Ok(picture)
    }
}

/// Returns the tag that an actor plays.
fn playing<'a>(cast: &'a Cast, actor: &Actor) -> Option<&'a Tag> {
    cast.sheet().tags.get(actor.tag?)
}

/// Returns the x on the stage that is nearest to one.
fn on_stage(x: f64) -> f64 {
    x.clamp(WALL, STAGE - WALL)
}

/// Draws a line, one pixel wide.
fn stroke(picture: &mut RgbImage, line: &Line) {
    let [r, g, b, alpha] = line.color;
    let [from, to] = [line.from, line.to].map(|point| point.map(|v| v * SCALE as f32));
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = way[0].abs().max(way[1].abs()).ceil();
    for k in 0..=length as u32 {
        let [x, y] = [0, 1].map(|i| (from[i] + way[i] * k as f32 / length.max(1.0)) as u32);
        if let Some(pixel) = picture.get_pixel_mut_checked(x, y).filter(|_| alpha > 0) {
            *pixel = Rgb([r, g, b]);
        }
    }
}

/// Plays the script, and passes the game to `watch` after each step. Returns the log.
pub(crate) fn play(engine: Engine, mut watch: impl FnMut(&Game)) -> Result<String> {
    let mut game = Game::new(engine)?;
    for (steps, inputs) in SCRIPT {
        for _ in 0..steps {
            game.advance(inputs)?;
            watch(&game);
        }
    }
    let Counts { attacks, blows, meetings, pushes } = game.counts;
    game.log.push(format!("{attacks} attacks, {blows} blows; hit boxes were in hurt boxes in {meetings} steps"));
    game.log.push(format!("push boxes were pushed apart in {pushes} of {} steps", game.step));
    Ok(game.log.join("\n"))
}

/// Plays the script, and draws the last blow if there is a path for it. Returns the log.
pub(crate) fn run(picture: Option<&Path>) -> Result<String> {
    let mut last = None;
    let log = play(Engine::cpu()?, |game| {
        if last.is_none() && game.health.contains(&0) && picture.is_some() {
            last = Some(game.draw());
        }
    })?;
    if let (Some(path), Some(drawn)) = (picture, last) {
        drawn?.save(path)?;
    }
    Ok(log)
}

fn main() -> Result<()> {
    println!("{}", run(std::env::args_os().nth(1).map(PathBuf::from).as_deref())?);
    Ok(())
}
