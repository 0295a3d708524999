// The offsets at which two sprites were compared, so that sprites that jitter relative to each other are not compared
// at the same offset again; twin of src/cpu/narrow/seen.rs.

// The side of the square of offsets that are remembered. Two sprites stray by at most two pixels from their straight
// relative path.
const SIDE: i32 = 8;

// The latest of the tested offsets, within a square: a bit each.
struct Seen {
    corner: vec2<i32>,
    bits: vec2<u32>,
}

// Returns whether an offset is new, and records it.
fn see(seen: ptr<function, Seen>, at: vec2<i32>) -> bool {
    let place = at - (*seen).corner;
    if any(place < vec2<i32>(0, 0)) || any(place >= vec2<i32>(SIDE, SIDE)) {
        // Offsets that were left behind do not recur.
        *seen = Seen(at - SIDE / 2, vec2<u32>(0u, 0u));
    }
    let within = vec2<u32>(at - (*seen).corner);
    let bit = u32(SIDE) * within.y + within.x;
    let low = bit < 32u;
    let bits = vec2<u32>(select(0u, 1u << (bit & 31u), low), select(1u << (bit & 31u), 0u, low));
    let unseen = all(((*seen).bits & bits) == vec2<u32>(0u, 0u));
    (*seen).bits |= bits;
    return unseen;
}
