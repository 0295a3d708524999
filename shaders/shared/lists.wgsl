// The lists that the sieve makes of candidates that bounds do not decide, one for each way to judge them. They hold
// candidates' indices. They lie behind the verdicts, in parts with room for all candidates; two lists share a part, and
// grow toward each other:
//
//     verdicts:  verdicts . . . . | small masks > . < convex | large masks > . < sprites | mixed > . < sampled |
//                0              room                      2 room                      3 room                4 room

// expects: params

// Two sprites at a constant offset, whose pixels are available as words, with a small overlap or a large one.
const SMALL_MASKS: u32 = 0u;
const LARGE_MASKS: u32 = 2u;
// Other pairs: two convex bodies, two sprites, one of each.
const CONVEX: u32 = 1u;
const SPRITES: u32 = 3u;
const MIXED: u32 = 4u;
// Two turned sprites that are sampled where they overlap.
const SAMPLED_PAIRS: u32 = 5u;
// The number of lists.
const LISTS: u32 = 6u;

// Returns the index in `verdicts` of the n-th entry of a list.
fn place_in(list: u32, n: u32) -> u32 {
    let part = (1u + list / 2u) * params.candidate_room;
    return select(part + n, part + params.candidate_room - 1u - n, (list & 1u) == 1u);
}
