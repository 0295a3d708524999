// Pairs of two convex bodies or polygons.

// needs: convex, progress, ticks, types, view

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 0u;

// Returns whether two bodies hit; continues from `now`, and saves there how far it came. With `carries`, also fills in
// `detail`; its time is 0 and 0 while no pieces are known to hit.
fn pair(a: View, b: View, carries: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    let timed = carries && (moves(a.body) || moves(b.body));
    if carries && !timed {
        return HIT;
    }
    var first = select((*detail).time.x, NEVER, (*detail).time.y == 0u);
    let answer = convex_pair(a, b, timed, &first, now);
    if timed && first != NEVER {
        (*detail).time = vec2<u32>(first, TICKS);
    }
    return answer;
}
