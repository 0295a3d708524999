// Two bits for each body: whether it hits, and whether some candidate has it. Both lie behind the counts of `header`.

// The words with a bit for each body.
fn flag_words() -> u32 {
    return (params.bodies + 31u) / 32u;
}

// Sets the bit of a body that hits.
fn raise(body: u32) {
    set_bit(body / 32u, body);
}

// Sets the bit of a body that some candidate has, so that it is painted if it is a turned sprite.
fn mark(body: u32) {
    set_bit(flag_words() + body / 32u, body);
}

fn is_marked(body: u32) -> bool {
    return ((atomicLoad(&header.flags[flag_words() + body / 32u]) >> (body & 31u)) & 1u) == 1u;
}

fn set_bit(word: u32, body: u32) {
    let bit = 1u << (body & 31u);
    // Most are set already, and to ask is cheaper than to set.
    if (atomicLoad(&header.flags[word]) & bit) == 0u {
        atomicOr(&header.flags[word], bit);
    }
}
