//! A duel of two fighters who run, jump and throw spinning blades. It can be rolled back, because a step reads nothing
//! but the saved state and the inputs of both players.
//!
//! ```text
//! a step:  spin the blades                            World::set_linears
//!          turn fighters to each other, run, jump     World::set
//!          throw blades                               World::add
//!          find collisions                            Engine::run_into
//!          wound fighters that a blade starts to hit  Events
//!          remove broken blades and dead fighters     World::remove_all, World::remove
//!
//! saved:   bodies                                     World::save_into
//!          pairs of the last step                     Events
//!          all else that a step changes               State
//! ```

use hitmask::geometry::{Flip, Vec2};
use hitmask::response::Events;
use hitmask::{Ask, Bodies, Body, BodyId, Engine, Hits, Linear, Mask, Result, Save, Shape, ShapeId, World};

/// The keys that a player holds in a frame.
pub(crate) type Input = u8;
pub(crate) const LEFT: Input = 1;
pub(crate) const RIGHT: Input = 2;
pub(crate) const JUMP: Input = 4;
pub(crate) const THROW: Input = 8;

/// The ends of the floor, and its height, in pixels.
const ENDS: [f64; 2] = [20.0, 300.0];
const FLOOR: f64 = 100.0;
/// The x of blades that have not left.
const STAGE: std::ops::Range<f64> = 0.0..320.0;
/// Pixels per frame, and degrees per frame of a blade.
const RUN: f64 = 2.0;
const FLIGHT: f64 = 3.0;
const SPIN: u32 = 25;
/// Quarters of a pixel per frame, and what gravity adds to them.
const LEAP: i32 = 22;
const GRAVITY: i32 = 1;
/// The health of a fighter, and frames from throw to throw.
const HEALTH: u32 = 3;
const RELOAD: u32 = 24;
/// The tag of a blade; that of a fighter is 0 or 1, the player.
const BLADE: u64 = 2;

const FIGHTER: [&str; 12] = [
    "...##....",
    "..####...",
    "..####...",
    "...##....",
    ".#######.",
    "#.####.##",
    "#.####..#",
    "..####...",
    "..#..#...",
    "..#..#...",
    ".##..##..",
    ".##..###.",
];
const BLADE_ROWS: [&str; 3] = ["##.......##", "###########", "##.......##"];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Fighter {
    body: BodyId,
    /// The speed of the fall, in quarters of a pixel per frame.
    fall: i32,
    health: u32,
    /// Frames until the next throw.
    reload: u32,
}

/// The state of the game beside the world. It holds handles: after a rollback, equal additions get equal ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    frame: u32,
    fighters: [Fighter; 2],
    blades: Vec<BodyId>,
    /// Rounds won, by player: those in which the other lost all health.
    pub(crate) won: [u32; 2],
    /// The seed of the next random number.
    seed: u32,
}

/// The whole state before a frame, to go back to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) world: Vec<u8>,
    pub(crate) events: Events,
    pub(crate) state: State,
    /// The checksum of the world, for the other player to compare.
    pub(crate) checksum: u64,
}

pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) events: Events,
    pub(crate) state: State,
    /// The shapes of a fighter and of a blade. Nothing edits them, so they need no saving.
    shapes: [ShapeId; 2],
    /// Memory that is used again in each step, and no part of the state.
    engine: Engine,
    hits: Hits,
}

/// Returns the next random number, below `below`.
pub(crate) fn random(seed: &mut u32, below: u32) -> u32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    ((u64::from(*seed) * u64::from(below)) >> 32) as u32
}

/// Returns the inputs of both players in each frame. Like people, they hold keys for some frames.
pub(crate) fn script(frames: usize) -> Vec<[Input; 2]> {
    const KEYS: [Input; 6] = [LEFT, RIGHT, THROW, JUMP | LEFT, JUMP | RIGHT, JUMP | THROW];
    let (mut seed, mut inputs) = (7, [0; 2]);
    let mut next = || {
        for input in &mut inputs {
            if random(&mut seed, 7) == 0 {
                *input = KEYS[random(&mut seed, KEYS.len() as u32) as usize];
            }
        }
        inputs
    };
    (0..frames).map(|_| next()).collect()
}

/// Adds the fighter of a player at the player's end of the floor.
fn enter(world: &mut World, shape: ShapeId, player: usize) -> Result<Fighter> {
    let body = Body::new(shape, [ENDS[player], FLOOR]).grouped(player as u32 + 1).tagged(player as u64);
    Ok(Fighter { body: world.add(&body)?, fall: 0, health: HEALTH, reload: 0 })
}

impl Game {
    pub(crate) fn new() -> Result<Self> {
        let mut world = World::default();
        let fighter = world.add_shape(Shape::sprite(Mask::from_rows(&FIGHTER)?).anchored([4.5, 12.0])?)?;
        let blade = world.add_shape(Shape::sprite(Mask::from_rows(&BLADE_ROWS)?).anchored([5.5, 1.5])?)?;
        let fighters = [enter(&mut world, fighter, 0)?, enter(&mut world, fighter, 1)?];
        let state = State { frame: 0, fighters, blades: Vec::new(), won: [0; 2], seed: 1 };
        let (events, hits) = (Events::default(), Hits::default());
        Ok(Self { world, events, state, shapes: [fighter, blade], engine: Engine::cpu()?, hits })
    }

    pub(crate) fn save(&self) -> Result<Saved> {
        let (events, state) = (self.events.clone(), self.state.clone());
        Ok(Saved { world: self.world.save(Save::State)?, events, state, checksum: self.world.checksum() })
    }

    /// Saves into memory that was used before.
    pub(crate) fn save_into(&self, to: &mut Saved) -> Result<()> {
        self.world.save_into(Save::State, &mut to.world)?;
        to.events.clone_from(&self.events);
        to.state.clone_from(&self.state);
        to.checksum = self.world.checksum();
        Ok(())
    }

    pub(crate) fn load(&mut self, saved: &Saved) -> Result<()> {
        self.world.load_into(&saved.world)?;
        self.events.clone_from(&saved.events);
        self.state.clone_from(&saved.state);
        Ok(())
    }

    /// Plays one frame.
    pub(crate) fn step(&mut self, inputs: [Input; 2]) -> Result<()> {
        self.spin()?;
        for player in [0, 1] {
            self.steer(player, inputs[player])?;
        }
        self.engine.run_into(&self.world, Ask::Pairs, &mut self.hits)?;
        self.events.update(&self.world, &self.hits)?;
        self.world.advance()?;
        self.judge()?;
        self.state.frame += 1;
        Ok(())
    }

    /// Turns all blades. The sine of an angle is the same on every machine.
    fn spin(&mut self) -> Result<()> {
        let turned = Linear::from_degrees(f64::from(self.state.frame * SPIN % 360));
        self.world.set_linears(Bodies::These(&self.state.blades), &vec![turned; self.state.blades.len()])
    }

    /// Moves a fighter, which always faces the other, and throws a blade.
    fn steer(&mut self, player: usize, input: Input) -> Result<()> {
        let Self { world, state, .. } = self;
        let [body, other] = [player, 1 - player].map(|player| world.body(state.fighters[player].body));
        let (Some(body), Some(other)) = (body, other) else { return Ok(()) };
        let fighter = &mut state.fighters[player];
        let holds = |key: Input| input & key != 0;
        let stands = body.at.y == FLOOR;
        fighter.fall = if stands && holds(JUMP) { -LEAP } else { fighter.fall + GRAVITY };
        let run = RUN * f64::from(i8::from(holds(RIGHT)) - i8::from(holds(LEFT)));
        let to = Vec2 {
            x: (body.at.x + run).clamp(ENDS[0], ENDS[1]),
            y: (body.at.y + f64::from(fighter.fall) / 4.0).min(FLOOR),
        };
        if to.y == FLOOR {
            fighter.fall = 0;
        }
        let flip = Flip { x: other.at.x < body.at.x, y: false };
        world.set(fighter.body, &body.posed(Linear::new(0.0, [1.0, 1.0], flip)).moving(to - body.at))?;
        fighter.reload = fighter.reload.saturating_sub(1);
        if holds(THROW) && fighter.reload == 0 {
            fighter.reload = RELOAD;
            let rise = f64::from(random(&mut state.seed, 5)) / 16.0;
            let motion = [if flip.x { -FLIGHT } else { FLIGHT }, -rise];
            let blade = Body::new(self.shapes[1], body.at - [0, 7]).moving(motion);
            state.blades.push(world.add(&blade.grouped(body.group).tagged(BLADE))?);
        }
        Ok(())
    }

    /// Wounds the fighters that a blade begins to hit: it flies through them, and wounds once. Removes blades that met
    /// each other or left, and respawns a fighter without health.
    fn judge(&mut self) -> Result<()> {
        let Self { world, events, state, shapes, .. } = self;
        let mut broken = Vec::new();
        for event in events.began() {
            match event.tags {
                [BLADE, BLADE] => broken.extend(event.pair),
                [player, BLADE] | [BLADE, player] => {
                    let fighter = &mut state.fighters[player as usize];
                    fighter.health = fighter.health.saturating_sub(1);
                }
                _ => {} // fighters pass each other
            }
        }
        let left = |blade| world.body(blade).is_none_or(|body| !STAGE.contains(&body.at.x));
        let gone: Vec<BodyId> =
            state.blades.extract_if(.., |&mut blade| broken.contains(&blade) || left(blade)).collect();
        world.remove_all(&gone)?;
        for player in [0, 1] {
            if state.fighters[player].health == 0 {
                world.remove(state.fighters[player].body)?;
                state.fighters[player] = enter(world, shapes[0], player)?;
                state.won[1 - player] += 1;
            }
        }
        Ok(())
    }
}
