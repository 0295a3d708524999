// Tells which candidates hit.

// needs: types

@group(0) @binding(7) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(9) var<storage, read> verdicts: array<u32>;

// Returns whether candidate `c`, whose words are `pair`, is a hit.
fn is_hit(pair: vec2<u32>, c: u32) -> bool {
    return pair.y >= DECIDED || verdicts[c] == HIT;
}
