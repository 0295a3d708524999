// The flags of bodies that hit. Writes `header`.

fn raise(body: u32) {
    let bit = 1u << (body & 31u);
    // Most are raised already, and to ask is cheaper than to raise.
    if (atomicLoad(&header.flags[body / 32u]) & bit) == 0u {
        atomicOr(&header.flags[body / 32u], bit);
    }
}
