//! Any text as a replay: an error, or a replay that is the same when written and read again, and plays to its end or to
//! an error.

use std::cell::RefCell;

use hitmask::scene::Replay;
use hitmask::{Ask, cpu};

use crate::bytes::text;

thread_local! {
    static ENGINE: RefCell<cpu::Engine> =
        RefCell::new(cpu::Engine::with(&cpu::Options::default().threads(1)).expect("an engine"));
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let text = text(bytes);
    let nowhere = std::path::Path::new("/nowhere");
    let Ok(replay) = Replay::parse(text, nowhere) else { return };
    let written = replay.to_json().expect("what was read can be written");
    let again = Replay::parse(&written, nowhere).expect("what was written can be read");
    assert_eq!(again.to_json().expect("it is written again"), written);
    let Ok(mut play) = replay.play() else { return };
    while let Ok(true) = play.edit() {
        let Ok(hits) = ENGINE.with_borrow_mut(|engine| engine.run(play.world(), Ask::Details)) else { return };
        hits.validate(Ask::Details);
        if play.take(&hits).is_err() {
            return;
        }
    }
}
