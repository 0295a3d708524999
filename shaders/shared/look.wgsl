// What is looked at of a pair with a sprite: the pixels of the one, at some place, against another body.

// A sprite, `at` pixels from where it stands, and another body, which is `gone` pixels from there in the world.
struct Look {
    sprite: View,
    other: View,
    at: vec2<i32>,
    gone: vec2<i32>,
}

// Whether a sprite hits; from word `(*now).cursor` of the overlap on. Or, where it is known to hit, adds what overlaps.
fn look_at(look: Look, gathers: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    let touch = select(params.touch, TOUCH_EXCLUDED, gathers);
    let region = overlap_box(look.sprite, look.other, look.at, touch);
    let words = words_of(region);
    for (var k = (*now).cursor; k < words.x * words.y; k++) {
        if fuel <= 0 {
            (*now).cursor = k;
            return UNFINISHED;
        }
        let word = word_of(look.sprite, look.at, region, k);
        if word.bits == 0u {
            continue;
        }
        // The one place from which pixels are compared: drivers copy all of it to each.
        let bits = near(look.other, word.at, word.bits, touch);
        if gathers {
            take(detail, word.at + look.gone, bits);
        } else if bits != 0u {
            return HIT;
        }
    }
    return select(MISS, HIT, gathers);
}
