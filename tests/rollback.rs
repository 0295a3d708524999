//! The duel of `examples/rollback.rs`, rolled back by the crate `ggrs`: its session of tests goes back seven frames in
//! each frame, plays them again, and reports states that differ from those before.

#[path = "../examples/duel/mod.rs"]
#[allow(dead_code, reason = "the example uses all of it")]
mod duel;

use std::hash::{DefaultHasher, Hash, Hasher};

use duel::{Game, Input, Saved, script};
use ggrs::{Config, GgrsError, GgrsRequest, PredictRepeatLast, SessionBuilder};

const FRAMES: usize = 600;
const DISTANCE: usize = 7;

struct Duel;

impl Config for Duel {
    type Input = Input;
    type InputPredictor = PredictRepeatLast;
    type State = Saved;
    type Address = std::net::SocketAddr;
}

/// A part of the state that a game may forget to restore.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    World,
    Events,
    State,
}

/// Returns the checksum of the world and of all else that a step depends on.
fn checksum(saved: &Saved) -> u128 {
    let mut hasher = DefaultHasher::new();
    (saved.checksum, &saved.state).hash(&mut hasher);
    for event in saved.events.began().iter().chain(saved.events.stayed()) {
        (event.pair, event.tags).hash(&mut hasher);
    }
    hasher.finish().into()
}

/// Loads a state, all but a part.
fn load(game: &mut Game, mut saved: Saved, forgotten: Option<Part>) {
    match forgotten {
        Some(Part::World) => saved.world = game.save().unwrap().world,
        Some(Part::Events) => saved.events = game.events.clone(),
        Some(Part::State) => saved.state = game.state.clone(),
        None => {}
    }
    game.load(&saved).unwrap();
}

/// Plays the duel in a session of ggrs. Returns the game, and how often it was loaded and played a frame.
fn play(forgotten: Option<Part>) -> Result<(Game, [usize; 2]), GgrsError> {
    let mut session = SessionBuilder::<Duel>::new().with_check_distance(DISTANCE).start_synctest_session()?;
    let (mut game, mut loads, mut steps) = (Game::new().unwrap(), 0, 0);
    for inputs in script(FRAMES) {
        for (player, input) in inputs.into_iter().enumerate() {
            session.add_local_input(player, input)?;
        }
        for request in session.advance_frame()? {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let saved = game.save().unwrap();
                    let checksum = checksum(&saved);
                    cell.save(frame, Some(saved), Some(checksum));
                }
                GgrsRequest::LoadGameState { cell, .. } => {
                    load(&mut game, cell.load().unwrap(), forgotten);
                    loads += 1;
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    // A world refuses handles of another time. ggrs must report what was forgotten all the same.
                    let played = game.step([inputs[0].0, inputs[1].0]);
                    assert!(forgotten.is_some() || played.is_ok(), "{played:?}");
                    steps += 1;
                }
            }
        }
    }
    Ok((game, [loads, steps]))
}

#[test]
fn ggrs_finds_that_each_frame_played_again_is_the_same() {
    let (game, [loads, steps]) = play(None).unwrap();
    assert_eq!([loads, steps], [FRAMES - DISTANCE - 1, FRAMES + DISTANCE * (FRAMES - DISTANCE - 1)]);
    let mut straight = Game::new().unwrap();
    for inputs in script(FRAMES) {
        straight.step(inputs).unwrap();
    }
    assert_eq!((&game.world, &game.state), (&straight.world, &straight.state));
    assert_eq!(game.save().unwrap(), straight.save().unwrap());
}

/// The check is worth something: ggrs reports each part that is not restored.
#[test]
fn ggrs_finds_a_part_that_is_not_restored() {
    for part in [Part::World, Part::Events, Part::State] {
        match play(Some(part)) {
            Err(GgrsError::MismatchedChecksum { .. }) => {}
            other => panic!("{part:?}: {:?}", other.map(|(_, counts)| counts)),
        }
    }
}
