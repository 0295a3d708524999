// Two bits for each body: whether it hits, and whether it is marked because it has a candidate that is neither decided
// nor sampled. Both lie behind the counts of `header`.

// expects: header, params

// Returns the number of words for one bit per body.
fn flag_words() -> u32 {
    return (params.bodies + 31u) / 32u;
}

// The index of the first word of the flags.
const FLAGS: u32 = 0u;

// Returns the index of the first word of the marks. Turned sprites that are marked are painted.
fn marks() -> u32 {
    return flag_words();
}

// Sets the flag of a body that hits.
fn raise(body: u32) {
    set_bit(FLAGS, body);
}

fn is_marked(body: u32) -> bool {
    return ((atomicLoad(&header.flags[marks() + body / 32u]) >> (body & 31u)) & 1u) == 1u;
}

// Sets a body's bit in the bits that begin at word `first`.
fn set_bit(first: u32, body: u32) {
    let word = first + body / 32u;
    let bit = 1u << (body & 31u);
    // Most bits are set already, and a load is cheaper than an atomic write.
    if (atomicLoad(&header.flags[word]) & bit) == 0u {
        atomicOr(&header.flags[word], bit);
    }
}
