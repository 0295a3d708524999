// The progress of the search for a way out of a union of sets. Between dispatches it lies in a RawContact.

// needs: differences, double, types, vector

struct Seeking {
    // The part of the search: DEEPEST, NEAREST, CROSSINGS or PUSHES.
    phase: u32,
    // The step of the distance around a body within which pieces are considered.
    around: u32,
    // The set that is examined; its element; the other set, and the element of it that may cross; the candidate of
    // these that is tested, and the number of sets that do not hold it. `holder` held the candidate before, so that it
    // mostly holds the next.
    first: u32,
    element: u32,
    second: u32,
    crossing: u32,
    candidate: u32,
    tested: u32,
    holder: u32,
    // No way out is shorter.
    least: Double,
    // The best way known, if there is one, and whether only the host can tell if it is free.
    has_best: bool,
    best: Way,
    needs_host: bool,
    // The shortest push known in the square that is searched, if there is one, from its middle.
    has_push: bool,
    push: vec2<i32>,
}

// Seeking.phase: seeks the longest of the ways out of each set, `first` after `first`; the shortest way to the boundary
// of the union, where it is nearest on an element, or where two cross; and the shortest push. For pushes, `first` is
// the square, and `element` its band.
const DEEPEST: u32 = 0u;
const NEAREST: u32 = 1u;
const CROSSINGS: u32 = 2u;
const PUSHES: u32 = 3u;

// Returns a search that begins.
fn seeking_from(around: u32) -> Seeking {
    var now: Seeking;
    now.around = around;
    now.best = NO_WAY;
    return now;
}

fn seeking_of(contact: RawContact) -> Seeking {
    let steps = contact.depth;
    let head = contact.state;
    let x = double_of_bits(contact.normal);
    let y = double_of_bits(bitcast<vec2<u32>>(contact.push));
    var now: Seeking;
    now.phase = extractBits(head, 2u, 2u);
    now.around = extractBits(head, 4u, 3u);
    now.tested = extractBits(head, 7u, 8u);
    now.holder = extractBits(head, 15u, 8u);
    now.least = rough_of(extractBits(head, 23u, 9u));
    // What needs the host ends at a corner.
    let kind = extractBits(steps, 0u, 2u);
    now.has_best = kind != 0u;
    now.needs_host = kind == 3u;
    now.first = extractBits(steps, 2u, 8u);
    now.element = extractBits(steps, 10u, 6u);
    now.second = extractBits(steps, 16u, 8u);
    now.crossing = extractBits(steps, 24u, 6u);
    now.candidate = extractBits(steps, 30u, 2u);
    now.best = Way(Vector(x, y), double_of_bits(contact.unused), kind > 1u);
    if now.phase == PUSHES {
        // Between -32 and 31 along both axes.
        now.has_push = now.candidate > 0u;
        now.push = vec2<i32>(i32(now.second), i32(now.crossing)) - 32;
        now.candidate = 0u;
        now.second = 0u;
        now.crossing = 0u;
    }
    return now;
}

fn save_seeking(now: Seeking, contact: ptr<function, RawContact>) {
    var other = vec3<u32>(now.second, now.crossing, now.candidate);
    if now.phase == PUSHES {
        other = vec3<u32>(vec2<u32>(now.push + 32), u32(now.has_push));
    }
    let kind = select(0u, 1u + u32(now.best.corner) + u32(now.needs_host), now.has_best);
    let steps = kind | (now.first << 2u) | (now.element << 10u) | (other.x << 16u) | (other.y << 24u)
        | (other.z << 30u);
    let head = (now.phase << 2u) | (now.around << 4u) | (now.tested << 7u) | (now.holder << 15u)
        | (rough(now.least) << 23u);
    let x = double_bits(now.best.normal.x);
    let y = bitcast<vec2<i32>>(double_bits(now.best.normal.y));
    *contact = RawContact(x, steps, head, y, double_bits(now.best.depth));
}

// Goes on to another part of the search.
fn begin_phase(phase: u32, now: ptr<function, Seeking>) {
    (*now).phase = phase;
    (*now).first = 0u;
    (*now).element = 0u;
    (*now).second = 0u;
}

// Returns a number from 0 to 2^32 in nine bits, rounded down: five for the exponent, and four digits.
fn rough(v: Double) -> u32 {
    if v.is_negative || double_is_zero(v) || v.exponent < -51 {
        return 0u;
    }
    return (u32(v.exponent + 52) << 4u) | extractBits(v.digits.y, 16u, 4u);
}

fn rough_of(bits: u32) -> Double {
    if bits < 16u {
        return DOUBLE_ZERO;
    }
    return Double(false, i32(bits >> 4u) - 52, vec2<u32>(0u, 0x100000u | (extractBits(bits, 0u, 4u) << 16u)));
}
