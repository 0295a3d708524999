// The lists that the sieve makes of candidates that bounds do not decide, one for each way to judge them. They have
// candidates' indices, and lie behind the verdicts, in parts that are as long as there is room for candidates; two
// lists share a part, and grow toward each other:
//
//     verdicts:  verdicts . . . . | small masks > . < convex | large masks > . < sprites | mixed > . < sampled |
//                0              room                      2 room                      3 room                4 room

// Two masks that stay as they are to each other, whose pixels lie ready as words; with a large overlap.
const SMALL_MASKS: u32 = 0u;
const LARGE_MASKS: u32 = 2u;
// Others: two convex bodies, two sprites, one of each.
const CONVEX: u32 = 1u;
const SPRITES: u32 = 3u;
const MIXED: u32 = 4u;
// Two turned sprites that are sampled where they overlap.
const SAMPLED_PAIRS: u32 = 5u;
// How many there are.
const LISTS: u32 = 6u;

// Where in `verdicts` the n-th entry of a list lies.
fn place_in(list: u32, n: u32) -> u32 {
    let part = (1u + list / 2u) * params.candidate_room;
    return select(part + n, part + params.candidate_room - 1u - n, (list & 1u) == 1u);
}
