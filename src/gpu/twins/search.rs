//! The predicate's search itself, on two cores: whether, and when, they hit.

use crate::ground::predicate::{self, can_overlap, first_contact, meets};
use crate::ground::touch::Touch;

use super::cores::{WORDS, fill, has_area};
use super::family::Family;
use super::twin::{LANDED, Twin};

/// The first contact reads the seams of a polygon.
const ATLAS: &str = "// needs: first_contact\n@group(0) @binding(3) var<storage, read> atlas: array<u32>;";

/// Returns the functions that answer for two cores, all run on the same inputs.
pub(in crate::gpu) fn search() -> Family {
    let first_contact = Twin::new(
        "first_contact",
        WORDS,
        "first_contact(core_a(), core_b(), point(2), int(1), touch(), false, NO_SEAMS)",
        |v| first_contact(v.core_a(), v.core_b(), v.point(2), v.int(1), v.touch()).unwrap_or(u32::MAX),
    );
    let find_apart = Twin::new("find_apart", WORDS, "find()", |v| {
        let (a, b, sweep, radius) = (v.core_a(), v.core_b(), v.point(2), v.int(1));
        let open = radius == 0 && v.touch() == Touch::Excluded;
        // Cores that cannot overlap must not be searched with touch excluded.
        let askable = !open || can_overlap(a, b, sweep);
        if askable { predicate::search(a, b, sweep, radius, v.touch()) } else { None }
    });
    let meets = Twin::new("meets", WORDS, "meets(core_a(), core_b(), point(2), int(1), touch())", |v| {
        meets(v.core_a(), v.core_b(), v.point(2), v.int(1), v.touch())
    });
    let twins = vec![has_area(), find_apart.fill(fill), first_contact.fill(fill), meets.fill(fill)];
    Family { files: &[LANDED, ATLAS], twins, ..Family::default() }
}
