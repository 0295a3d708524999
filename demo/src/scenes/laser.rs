//! A room with a laser: mirrors reflect its beam, which ends at the first body that is no mirror and burns it.

use hitmask::geometry::Vec2;
use hitmask::query::{Nearest, Queries, RayCast};
use hitmask::scene::Form;
use hitmask::{Body, Linear, ShapeId, World};

use super::{Mark, Opened, Play, Seen, direction, field};
use crate::cast::Cast;
use crate::input::Input;
use crate::random::Random;
use crate::shapes::{Look, Sheet};

/// The side of the square in which each body stands, in units.
const CELL: f64 = 56.0;
/// The thickness of the walls.
const WALL: f64 = 10.0;
/// The length of a ray, in units, and the maximum number of rays in a beam.
const REACH: f64 = 4_096.0;
const LEGS: usize = 16;
/// The turn of the ship, in degrees per step, and its speed, in units per step.
const TURN: f64 = 1.5;
const SPEED: f64 = 1.6;
/// The distance from the ship's middle to the start of the beam.
const NOSE: f64 = 15.0;
/// The steps in the beam after which a body is removed, and the steps until another body is added.
const BURNT: u32 = 40;
const AGAIN: u32 = 60;
/// The number of places tried for it per step.
const TRIES: usize = 8;
/// The layers of the room, the ship, and the bodies that burn.
const ROOM: u32 = 1;
const SHIP: u32 = 2;
const GOAL: u32 = 4;
/// The tag of mirrors.
const MIRROR: u64 = 1;
/// The ship's group: a copy of the ship that tests for free space does not hit the ship itself.
const OWN: u32 = 1;

const UPRIGHT: usize = 0;
const LEVEL: usize = 1;
const FLYER: usize = 2;
const BAR: usize = 3;
const DOME: usize = 4;
/// The bodies that burn: their shapes and scales.
const GOALS: [(usize, f64); 4] = [(5, 0.5), (6, 1.4), (7, 0.75), (8, 1.0)];

pub(super) fn shapes() -> Vec<Look> {
    let crag =
        [[0.0, 0.0], [14.0, -6.0], [26.0, 2.0], [20.0, 12.0], [28.0, 24.0], [12.0, 30.0], [10.0, 20.0], [-4.0, 22.0]];
    vec![
        Look::plain("upright", Form::Box([WALL, 100.0]), [0.0; 2]),
        Look::plain("level", Form::Box([100.0, WALL]), [0.0; 2]),
        Look::sprite("ship", Sheet::Ship, [0, 0, 32, 32]),
        Look::plain("bar", Form::Capsule { from: [-18.0, 0.0], to: [18.0, 0.0], radius: 2.5 }, [0.0; 2]),
        Look::plain("dome", Form::Circle(11.0), [0.0; 2]),
        Look::sprite("asteroid", Sheet::Asteroid, [0, 0, 64, 64]),
        Look::sprite("beetle", Sheet::Enemy, [0, 0, 24, 24]),
        Look::sprite("rotor", Sheet::Rotor, [0, 0, 48, 48]),
        Look::plain("crag", Form::Polygon { outline: crag.to_vec(), holes: Vec::new(), radius: 0.0 }, [10.0, 12.0]),
    ]
}

/// A body that turns at its place.
#[derive(Clone, Copy)]
struct Turner {
    body: usize,
    angle: f64,
    /// Degrees per step.
    turn: f64,
    scale: f64,
    /// The number of steps for which it was in the beam.
    heat: u32,
}

struct Laser {
    queries: Queries,
    random: Random,
    field: [f64; 2],
    ship: usize,
    /// The direction of the ship, in degrees from rightward.
    heading: f64,
    fires: bool,
    turners: Vec<Turner>,
    /// Steps until each burnt body is replaced by another.
    coming: Vec<u32>,
    burnt: usize,
    /// The results of the last look at the world: marks, the body at the end of the beam, the number of reflections,
    /// and the distance of the nearest body that burns.
    marks: Vec<Mark>,
    shone: Option<usize>,
    thrown: usize,
    nearest: Option<f64>,
}

pub(super) fn open(count: usize, shapes: &[ShapeId]) -> Opened {
    let field = field(count.max(2), CELL * CELL).map(|side| (side / CELL).ceil() * CELL);
    let [columns, rows] = field.map(|side| (side / CELL) as usize);
    let mut random = Random::new(8);
    let wall = |shape: usize, at: [f64; 2], scale: [f64; 2]| {
        let linear = Linear { x: [scale[0], 0.0], y: [0.0, scale[1]] };
        Body::new(shapes[shape], at).posed(linear).filtered(ROOM, SHIP | GOAL)
    };
    let [across, along] = [(field[0] + 2.0 * WALL) / 100.0, field[1] / 100.0];
    let mut bodies = vec![
        wall(UPRIGHT, [-WALL, 0.0], [1.0, along]),
        wall(UPRIGHT, [field[0], 0.0], [1.0, along]),
        wall(LEVEL, [-WALL, -WALL], [across, 1.0]),
        wall(LEVEL, [-WALL, field[1]], [across, 1.0]),
    ];
    let ship = bodies.len();
    let home = columns / 2 + columns * (rows / 2);
    let middle = |cell: usize| [(cell % columns) as f64, (cell / columns) as f64].map(|v| (v + 0.5) * CELL);
    bodies.push(Body::new(shapes[FLYER], middle(home)).filtered(SHIP, ROOM | GOAL).grouped(OWN));
    let mut turners = Vec::new();
    for cell in (0..columns * rows).filter(|&cell| cell != home).take(count.saturating_sub(ship + 1).max(1)) {
        let at = middle(cell).map(|v| v + random.within(-8.0, 8.0));
        let (angle, turn) = (random.within(0.0, 360.0), random.within(-0.8, 0.8));
        let mirror = |shape: usize| Body::new(shapes[shape], at).filtered(ROOM, SHIP | GOAL).tagged(MIRROR);
        let (body, turn, scale) = match random.below(5) {
            0 => (mirror(DOME), 0.0, 1.0),
            1 | 2 => (mirror(BAR), turn / 2.0, 1.0),
            _ => {
                let (shape, scale) = GOALS[random.below(GOALS.len())];
                (goal(shapes[shape], at), turn, scale)
            }
        };
        let turner = Turner { body: bodies.len(), angle, turn, scale, heat: 0 };
        bodies.push(body.posed(turner.linear()));
        turners.push(turner);
    }
    let game = Laser {
        queries: Queries::new(),
        random,
        field,
        ship,
        heading: -90.0,
        fires: false,
        turners,
        coming: Vec::new(),
        burnt: 0,
        marks: Vec::new(),
        shone: None,
        thrown: 0,
        nearest: None,
    };
    (bodies, Box::new(game))
}

/// Creates a body that burns.
fn goal(shape: ShapeId, at: [f64; 2]) -> Body {
    Body::new(shape, at).filtered(GOAL, SHIP | ROOM | GOAL)
}

impl Turner {
    fn linear(&self) -> Linear {
        Linear::new(self.angle, [self.scale; 2], hitmask::geometry::Flip::default())
    }
}

impl Laser {
    /// Returns the input while nobody plays.
    fn plays_itself(step: u64) -> Input {
        let phase = step % 360;
        Input {
            left: phase >= 180 && step.is_multiple_of(3),
            right: phase < 200 && step.is_multiple_of(2),
            up: phase % 90 < 20,
            down: (200..230).contains(&phase),
            act: step % 100 < 80,
        }
    }

    /// Turns the ship and flies it, each if there is space. A body that turns into the ship pushes it away.
    fn fly(&mut self, body: &mut Body, input: Input, seen: &Seen<'_>) -> anyhow::Result<()> {
        if let Some(ship) = seen.world.id(self.ship as u32) {
            body.at = seen.world.pushed_out(ship, seen.hits, |_| true)?.unwrap_or(body.at);
        }
        let search = self.queries.on(seen.world);
        let heading = (self.heading + TURN * input.across()).rem_euclid(360.0);
        // The nose of the sprite points up.
        let turned = body.posed(Linear::from_degrees(heading + 90.0));
        if search.is_free(&turned)? {
            (*body, self.heading) = (turned, heading);
        }
        let by = direction(self.heading) * (-input.along() * SPEED);
        if search.is_free(&body.moving(by))? {
            body.at += by;
        }
        Ok(())
    }

    /// Heats the body in the beam, and removes it after a while.
    fn burn(&mut self, bodies: &mut Cast) {
        let Some(place) = self.turners.iter().position(|turner| Some(turner.body) == self.shone) else { return };
        self.turners[place].heat += 1;
        if self.turners[place].heat > BURNT {
            bodies.remove(self.turners[place].body);
            self.turners.remove(place);
            self.coming.push(AGAIN);
            self.burnt += 1;
        }
    }

    /// Adds a body that is due, if there is space for it.
    fn renew(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        self.coming.iter_mut().for_each(|left| *left = left.saturating_sub(1));
        let Some(due) = self.coming.iter().position(|&left| left == 0) else { return Ok(()) };
        for _ in 0..TRIES {
            let (index, scale) = GOALS[self.random.below(GOALS.len())];
            let Some(shape) = seen.shape(index) else { continue };
            let at = self.field.map(|side| self.random.within(0.0, side));
            let (angle, turn) = (self.random.within(0.0, 360.0), self.random.within(-0.8, 0.8));
            let mut turner = Turner { body: 0, angle, turn, scale, heat: 0 };
            let body = goal(shape, at).posed(turner.linear());
            if self.queries.on(seen.world).is_free(&body)? {
                turner.body = bodies.add(body);
                self.turners.push(turner);
                self.coming.remove(due);
                break;
            }
        }
        Ok(())
    }

    /// Traces the beam from mirror to mirror.
    fn shine(&mut self, world: &World, ship: Vec2) -> anyhow::Result<()> {
        let mut way = direction(self.heading);
        let mut from = way * NOSE + ship;
        let search = self.queries.on(world);
        for _ in 0..LEGS {
            let to = from + way * REACH;
            let ray = RayCast::new(from, to).hitting(ROOM | GOAL);
            let Some(hit) = search.first(&ray)? else {
                self.marks.push(Mark::Beam([from, to]));
                break;
            };
            let contact = world.ray_contact(&ray, &hit)?;
            self.marks.push(Mark::Beam([from, contact.at]));
            if world.body(hit.body).is_none_or(|body| body.tag != MIRROR) {
                self.marks.push(Mark::Shone(hit.body.index()));
                self.shone = Some(hit.body.index() as usize);
                break;
            }
            self.thrown += 1;
            way = contact.reflect(way);
            from = contact.beside;
        }
        Ok(())
    }
}

impl Play for Laser {
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        let input = seen.input.unwrap_or_else(|| Self::plays_itself(seen.step));
        self.fires = input.act;
        let mut ship = bodies[self.ship];
        self.fly(&mut ship, input, seen)?;
        bodies[self.ship] = ship;
        self.burn(bodies);
        self.renew(bodies, seen)?;
        for turner in self.turners.iter_mut().filter(|turner| turner.turn != 0.0) {
            turner.angle = (turner.angle + turner.turn).rem_euclid(360.0);
            bodies[turner.body].linear = turner.linear();
        }
        Ok(())
    }

    fn look(&mut self, world: &World) -> anyhow::Result<()> {
        self.marks.clear();
        (self.shone, self.thrown, self.nearest) = (None, 0, None);
        let Some(ship) = world.id(self.ship as u32).and_then(|id| world.body(id)) else { return Ok(()) };
        if let Some(near) = self.queries.on(world).first(&Nearest::new(ship.at).hitting(GOAL))? {
            self.nearest = Some(near.distance);
            if let Some(body) = world.body(near.body) {
                self.marks.push(Mark::Nearest([ship.at, body.at]));
            }
        }
        if self.fires { self.shine(world, ship.at) } else { Ok(()) }
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn home(&self) -> [f64; 4] {
        [-WALL, -WALL, self.field[0] + WALL, self.field[1] + WALL]
    }

    fn note(&self) -> String {
        let nearest = self.nearest.map_or_else(String::new, |far| format!("; the nearest {far:.1} away"));
        format!("{} burnt, reflected {} times{nearest}", self.burnt, self.thrown)
    }
}
