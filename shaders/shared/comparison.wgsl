// One comparison of a pair with a sprite: the sprite's pixels, at some offset, against another body.

// needs: fuel, gather, pixels, progress, types, view, words
// expects: hit_pixels, rounds_of

// A sprite, `at` pixels from its start, and another body, which has moved `gone` pixels in the world.
struct Comparison {
    sprite: View,
    other: View,
    at: vec2<i32>,
    gone: vec2<i32>,
    // The step of one pixel by which the sprite has arrived there, if that matters.
    came: vec2<i32>,
}

// Returns whether the sprite hits, starting at word `(*now).cursor` of the overlap. With `gathers`, the pair is known
// to hit, and the overlap is added to `detail`.
fn compare(next: Comparison, gathers: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    let touch = select(params.touch, TOUCH_EXCLUDED, gathers);
    // A segment may run between pixels, so these are then compared joined with neighbours, too, and last each with the
    // place that it came from.
    let is_open = !gathers && touch == TOUCH_EXCLUDED;
    let arrives = u32(is_open && any(next.came != vec2<i32>(0, 0)));
    let rounds = select(1u, rounds_of(next.other), is_open) + arrives;
    // Of the two places, the one to the right or below.
    let last = next.at + max(-next.came, vec2<i32>(0, 0)) * i32(arrives);
    var region = overlap_box(next.sprite, next.other, next.at, touch);
    if arrives == 1u {
        region = join(region, overlap_box(next.sprite, next.other, last, touch));
    }
    let words = words_of(region);
    let count = words.x * words.y;
    for (var k = (*now).cursor; k < rounds * count; k++) {
        if fuel <= 0 {
            (*now).cursor = k;
            return UNFINISHED;
        }
        let round = i32(k / count);
        var joined = vec2<i32>(round & 1, round >> 1u);
        var painted = joined;
        var at = next.at;
        var other = next.other;
        if arrives == 1u && u32(round) + 1u == rounds {
            joined = abs(next.came);
            painted = vec2<i32>(0, 0);
            at = last;
            other.sweep.by = vec2<i32>(0, 0);
        }
        let word = word_of(next.sprite, at, region, k % count, painted);
        if word.bits == 0u {
            continue;
        }
        // The only call that compares pixels: drivers inline the whole function at each call.
        let bits = hit_pixels(other, word.at, word.bits, joined, touch);
        if gathers {
            take(detail, word.at + next.gone, bits);
        } else if bits != 0u {
            return HIT;
        }
    }
    return select(MISS, HIT, gathers);
}
