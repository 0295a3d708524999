//! Asteroids: rocks that turn, split and wrap around the screen, and a ship that shoots the nearest one. Prints the
//! score.
//!
//! ```text
//! a rock is four bodies:  rock   copy      offset by the field's width and height:
//!                         copy   copy      the part that crosses an edge appears on the other side
//!
//! a frame:  place all rocks and shots               World::set_poses
//!           find the nearest rock                   Near
//!           find what each shot hits first          Engine::run, Detail::time
//!           split rocks                             World::remove, World::add
//! ```
//!
//! The field has no edge: if everything is shifted, the score stays the same, to the pixel. `asteroids [PICTURE.png]`
//! also writes the last frame.

mod picture;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use hitmask::geometry::{Flip, SUBPIXELS, Vec2};
use hitmask::query::{Nearest, Queries};
use hitmask::{Ask, Bodies, Body, BodyId, Engine, Hits, Linear, Mask, Result, Shape, ShapeId, World};
use image::{DynamicImage, Rgb, RgbImage};

const FRAMES: u32 = 600;
/// The field, in pixels.
const SIZE: [f64; 2] = [960.0, 540.0];
/// The number of rocks at the start, and the scale of a rock by how often it was split.
const ROCKS: u64 = 14;
const SCALES: [f64; 3] = [1.5, 0.9, 0.5];
/// Frames between shots, the life of a shot in frames, and its speed in units per frame.
const RELOAD: u32 = 10;
const LIFE: u32 = 40;
const SPEED: f64 = 11.0;

/// Layers.
const SHIP: u32 = 1;
const ROCK: u32 = 2;
const SHOT: u32 = 4;

/// Something that flies in a straight line.
#[derive(Clone, Copy, Debug)]
struct Flight {
    at: Vec2,
    /// In units per frame.
    motion: Vec2,
}

#[derive(Clone, Copy, Debug)]
struct Rock {
    flight: Flight,
    /// The angle, and its change per frame, in degrees.
    angle: f64,
    spin: f64,
    /// The number of splits that led to this rock.
    splits: usize,
    /// The rock itself and its three copies.
    bodies: [BodyId; 4],
}

#[derive(Clone, Copy, Debug)]
struct Shot {
    flight: Flight,
    body: BodyId,
    frames: u32,
}

/// The counts that the example prints, independent of where the field begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Score {
    fired: u32,
    /// Rocks hit, by number of splits.
    hit: [u64; 3],
    /// Hits of the ship by a rock, counted once per frame.
    bumps: u64,
    /// The pixels in which shots overlapped the rocks that they hit.
    pixels: u64,
}

struct Game {
    world: World,
    engine: Engine,
    queries: Queries,
    hits: Hits,
    /// The shapes of the ship, a rock and a shot.
    shapes: [ShapeId; 3],
    ship: BodyId,
    flight: Flight,
    rocks: BTreeMap<u64, Rock>,
    /// The number of rocks ever created, which is the tag of the next.
    born: u64,
    shots: Vec<Shot>,
    score: Score,
    /// Hits of a rock's copies.
    over_the_edge: u64,
}

impl Flight {
    fn new(at: Vec2, degrees: f64, speed: f64) -> Self {
        let Linear { x: [cos, _], y: [sin, _] } = Linear::from_degrees(degrees);
        Self::along([cos, sin], at, speed)
    }

    /// Flies along a unit direction. Speeds are whole lattice steps, so positions are exact wherever the field begins.
    fn along(way: [f64; 2], at: Vec2, speed: f64) -> Self {
        let steps = f64::from(SUBPIXELS);
        Self { at, motion: way.map(|v| (v * speed * steps).round() / steps).into() }
    }

    fn advance(&mut self) {
        self.at =
            [(self.at.x + self.motion.x).rem_euclid(SIZE[0]), (self.at.y + self.motion.y).rem_euclid(SIZE[1])].into();
    }
}

impl Rock {
    fn pose(&self) -> Linear {
        Linear::new(self.angle, [SCALES[self.splits]; 2], Flip::default())
    }

    /// Returns the positions of its bodies: in the field, and copies across the nearer edges.
    fn places(at: Vec2) -> [Vec2; 4] {
        let beside = |v: f64, size: f64| if v < size / 2.0 { v + size } else { v - size };
        let [x, y] = [beside(at.x, SIZE[0]), beside(at.y, SIZE[1])];
        [at, Vec2 { x, ..at }, Vec2 { y, ..at }, Vec2 { x, y }]
    }
}

impl Game {
    /// Creates the game with everything moved by `shift`.
    fn new(shift: [f64; 2]) -> Result<Self> {
        let mut world = World::default();
        let open = |name: &str| Mask::open(format!("assets/{name}").as_ref(), 128, None);
        let shapes = [
            world.add_shape(Shape::sprite(open("ship.png")?).anchored([16, 16])?)?,
            world.add_shape(Shape::sprite(open("asteroid.png")?).anchored([32, 32])?)?,
            world.add_shape(Shape::circle(1.5)?)?,
        ];
        let place = |x: f64, y: f64| Vec2 { x: (x + shift[0]) % SIZE[0], y: (y + shift[1]) % SIZE[1] };
        let flight = Flight::new(place(480.0, 270.0), 25.0, 3.0);
        let ship = world.add(&Body::new(shapes[0], flight.at).filtered(SHIP, ROCK))?;
        let mut game = Self {
            world,
            engine: Engine::cpu()?,
            queries: Queries::new(),
            hits: Hits::default(),
            shapes,
            ship,
            flight,
            rocks: BTreeMap::new(),
            born: 0,
            shots: Vec::new(),
            score: Score::default(),
            over_the_edge: 0,
        };
        for n in 0..ROCKS {
            let n = n as f64;
            game.add_rock(Flight::new(place(n * 107.0, n * 331.0 % SIZE[1]), n * 67.0, 1.0 + n / 8.0), 0)?;
        }
        Ok(game)
    }

    fn add_rock(&mut self, flight: Flight, splits: usize) -> Result<()> {
        let tag = self.born;
        let angle = tag as f64 * 41.0 % 360.0;
        let body = Body::new(self.shapes[1], flight.at).filtered(ROCK, SHIP | SHOT).tagged(tag);
        let mut add = |at: Vec2| self.world.add(&Body { at, ..body });
        let [here, x, y, both] = Rock::places(flight.at);
        let bodies = [add(here)?, add(x)?, add(y)?, add(both)?];
        let spin = (tag % 7) as f64 - 3.0;
        self.rocks.insert(tag, Rock { flight, angle, spin, splits, bodies });
        self.born += 1;
        Ok(())
    }

    /// Places all rocks, and all shots, in one call each.
    fn put(&mut self) -> Result<()> {
        let rocks = || self.rocks.values();
        let bodies: Vec<BodyId> = rocks().flat_map(|rock| rock.bodies).collect();
        let at: Vec<Vec2> = rocks().flat_map(|rock| Rock::places(rock.flight.at)).collect();
        let linear: Vec<Linear> = rocks().flat_map(|rock| [rock.pose(); 4]).collect();
        let motion: Vec<Vec2> = rocks().flat_map(|rock| [rock.flight.motion; 4]).collect();
        self.world.set_poses(Bodies::These(&bodies), &at, &linear, &motion)?;
        let bodies: Vec<BodyId> = self.shots.iter().map(|shot| shot.body).collect();
        let at: Vec<Vec2> = self.shots.iter().map(|shot| shot.flight.at).collect();
        let motion: Vec<Vec2> = self.shots.iter().map(|shot| shot.flight.motion).collect();
        self.world.set_moving(Bodies::These(&bodies), &at, &motion)
    }

    /// Turns the ship to the nearest rock, and shoots at it if `shoots`.
    fn aim(&mut self, shoots: bool) -> Result<()> {
        let Some(near) = self.queries.on(&self.world).first(&Nearest::new(self.flight.at).hitting(ROCK))? else {
            return Ok(());
        };
        let Some(target) = self.world.body(near.body) else { return Ok(()) };
        let from = self.flight.at;
        let to = target.at - from;
        let far = to.dot(to).sqrt().max(1.0);
        let [x, y] = [to.x / far, to.y / far];
        // In the picture the nose points up.
        let linear = Linear { x: [-y, -x], y: [x, -y] };
        let ship = Body::new(self.shapes[0], from).posed(linear).moving(self.flight.motion).filtered(SHIP, ROCK);
        self.world.set(self.ship, &ship)?;
        if shoots {
            let flight = Flight::along([x, y], from, SPEED);
            let body = self.world.add(&Body::new(self.shapes[2], from).moving(flight.motion).filtered(SHOT, ROCK))?;
            self.shots.push(Shot { flight, body, frames: 0 });
            self.score.fired += 1;
        }
        Ok(())
    }

    /// Splits the first rock that each shot hits.
    fn judge(&mut self) -> Result<()> {
        let mut first: BTreeMap<BodyId, (u32, u64, usize, BodyId)> = BTreeMap::new();
        for (hit, &pair) in self.hits.pairs.iter().enumerate() {
            let [Some(a), Some(b)] = pair.map(|index| self.world.id(index)) else { continue };
            let [Some(one), Some(other)] = [a, b].map(|id| self.world.body(id)) else { continue };
            let (id, body, by, rock) = if one.layers == ROCK { (b, other, a, one) } else { (a, one, b, other) };
            if body.layers == SHIP {
                self.score.bumps += 1;
                continue;
            }
            let tick = self.hits.details[hit].tick();
            let sooner = first.get(&id).is_none_or(|&(then, tag, ..)| (tick, rock.tag) < (then, tag));
            if sooner {
                first.insert(id, (tick, rock.tag, hit, by));
            }
        }
        // Sorted by time: if two shots hit one rock, the first one counts.
        let mut shots: Vec<_> = first.into_iter().collect();
        shots.sort_by_key(|&(shot, (tick, tag, ..))| {
            (tick, tag, self.shots.iter().position(|other| other.body == shot))
        });
        for (shot, (_, tag, hit, by)) in shots {
            let Some(rock) = self.rocks.remove(&tag) else { continue };
            self.score.hit[rock.splits] += 1;
            self.score.pixels += self.hits.details[hit].area.unwrap_or_default();
            self.over_the_edge += u64::from(by != rock.bodies[0]);
            for body in rock.bodies {
                self.world.remove(body)?;
            }
            self.world.remove(shot)?;
            self.shots.retain(|other| other.body != shot);
            if rock.splits + 1 < SCALES.len() {
                for side in [-40.0, 50.0] {
                    let degrees = rock.angle + side + 90.0 * (tag % 3) as f64;
                    self.add_rock(Flight::new(rock.flight.at, degrees, 1.5 + rock.splits as f64), rock.splits + 1)?;
                }
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<()> {
        self.flight.advance();
        for rock in self.rocks.values_mut() {
            rock.flight.advance();
            rock.angle += rock.spin;
        }
        for shot in &mut self.shots {
            shot.flight.advance();
            shot.frames += 1;
        }
        for shot in self.shots.extract_if(.., |shot| shot.frames >= LIFE) {
            self.world.remove(shot.body)?;
        }
        Ok(())
    }
}

/// Plays all frames, and checks that no rock is lost.
fn play(shift: [f64; 2]) -> Result<Game> {
    let mut game = Game::new(shift)?;
    for frame in 0..FRAMES {
        game.put()?;
        game.aim(frame % RELOAD == 0)?;
        game.engine.run_into(&game.world, Ask::Details, &mut game.hits)?;
        game.judge()?;
        assert_eq!(game.world.len(), 1 + 4 * game.rocks.len() + game.shots.len(), "frame {frame}");
        game.advance()?;
    }
    let [large, middle, small] = game.score.hit;
    assert_eq!(game.born, ROCKS + 2 * (large + middle), "all but small rocks split in two");
    assert_eq!(game.born, game.rocks.len() as u64 + large + middle + small, "no rock is lost");
    assert!(small > 0 && game.over_the_edge > 0, "{:?}", game.score);
    Ok(game)
}

/// Draws the field in the colours of its pictures.
fn draw(game: &Game) -> std::result::Result<RgbImage, Box<dyn Error>> {
    let open = |name: &str| image::open(format!("assets/{name}")).map(DynamicImage::into_rgba8);
    let (ship, rock) = (open("ship.png")?, open("asteroid.png")?);
    let colour = |body: Option<BodyId>, at: [i32; 2]| {
        let Some((id, body)) = body.and_then(|id| Some((id, game.world.body(id)?))) else {
            let star = ((at[0] * 7919) ^ (at[1] * 104_729)).rem_euclid(997) == 0;
            return if star { Rgb([120, 124, 150]) } else { Rgb([12, 12, 22]) };
        };
        let Some([x, y]) = game.world.texel(id, at) else { return Rgb([255, 236, 140]) };
        let [r, g, b, _] = if body.layers == SHIP { &ship } else { &rock }.get_pixel(x, y).0;
        Rgb([r, g, b])
    };
    Ok(picture::draw(&game.world, SIZE.map(|side| side as u32), colour)?)
}

/// Plays, and writes the last frame if there is a path for it. Returns the score as text.
pub(crate) fn run(picture: Option<&Path>) -> std::result::Result<String, Box<dyn Error>> {
    let game = play([0.0, 0.0])?;
    assert_eq!(game.score, play([333.0, 217.0])?.score, "the field has no edge");
    let text = format!(
        "{FRAMES} frames, {} rocks left: {:?}, {} hits over an edge",
        game.rocks.len(),
        game.score,
        game.over_the_edge
    );
    if let Some(path) = picture {
        draw(&game)?.save(path)?;
    }
    Ok(text)
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    println!("{}", run(std::env::args_os().nth(1).map(PathBuf::from).as_deref())?);
    Ok(())
}
