//! The switch of mutants: `HITMASK_MUTANT` has the number of the one that is on. `HITMASK_REACHED` names a file that
//! gets the number of each mutant whose place is reached, as four bytes, the lowest first.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Instead of a number: the variables have not been read, places are recorded, all mutants are off.
const UNREAD: u32 = u32::MAX;
const RECORD: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

static ON: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; MUTANTS] = [const { AtomicBool::new(false) }; MUTANTS];
static FILE: OnceLock<std::fs::File> = OnceLock::new();

#[inline(always)]
pub(crate) fn is_on(number: u32) -> bool {
    let on = ON.load(Relaxed);
    if on < RECORD { on == number } else { is_on_or_recorded(number) }
}

#[cold]
#[inline(never)]
fn is_on_or_recorded(number: u32) -> bool {
    if ON.load(Relaxed) == UNREAD {
        if let Some(path) = std::env::var_os("HITMASK_REACHED") {
            FILE.get_or_init(|| std::fs::File::options().append(true).create(true).open(path).unwrap());
            ON.store(RECORD, Relaxed);
        } else {
            let number = std::env::var("HITMASK_MUTANT").ok().map_or(NONE, |number| number.parse().unwrap());
            ON.store(number, Relaxed);
        }
        return is_on(number);
    }
    if !REACHED[number as usize].swap(true, Relaxed) {
        FILE.get().unwrap().write_all(&number.to_le_bytes()).unwrap();
    }
    false
}
