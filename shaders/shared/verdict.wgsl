// The verdict on a candidate.

// needs: flags, types
// expects: candidates, verdicts

// Records whether a candidate is a hit; if it is, raises the flags of its bodies.
fn give_verdict(c: u32, hit: bool) {
    verdicts[c] = select(MISS, HIT, hit);
    if hit {
        let bodies = bodies_of(candidates[c]);
        raise(bodies.x);
        raise(bodies.y);
    }
}
