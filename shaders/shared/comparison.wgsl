// One comparison of a pair with a sprite: the sprite's pixels, at some offset, against another body.

// needs: fuel, gather, pixels, progress, types, view, words
// expects: hit_pixels, rounds_of

// A sprite, `at` pixels from its start, and another body, which has moved `gone` pixels in the world.
struct Comparison {
    sprite: View,
    other: View,
    at: vec2<i32>,
    gone: vec2<i32>,
}

// Returns whether the sprite hits, starting at word `(*now).cursor` of the overlap. With `gathers`, the pair is known
// to hit, and the overlap is added to `detail`.
fn compare(next: Comparison, gathers: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    let touch = select(params.touch, TOUCH_EXCLUDED, gathers);
    let region = overlap_box(next.sprite, next.other, next.at, touch);
    let words = words_of(region);
    let count = words.x * words.y;
    // A segment may run between pixels, so these are then compared joined with neighbours, too.
    let rounds = select(rounds_of(next.other), 1u, gathers || touch == TOUCH_INCLUDED);
    for (var k = (*now).cursor; k < rounds * count; k++) {
        if fuel <= 0 {
            (*now).cursor = k;
            return UNFINISHED;
        }
        let round = i32(k / count);
        let joined = vec2<i32>(round & 1, round >> 1u);
        let word = word_of(next.sprite, next.at, region, k % count, joined);
        if word.bits == 0u {
            continue;
        }
        // The only call that compares pixels: drivers inline the whole function at each call.
        let bits = hit_pixels(next.other, word.at, word.bits, joined, touch);
        if gathers {
            take(detail, word.at + next.gone, bits);
        } else if bits != 0u {
            return HIT;
        }
    }
    return select(MISS, HIT, gathers);
}
