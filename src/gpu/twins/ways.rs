//! Functions of `shaders/shared/differences.wgsl` and `square.wgsl`: the shortest way out of a hit of two cores.

use crate::ground::predicate::Core;
use crate::host::contact::convex::{Way, differences, way_out};
use crate::host::contact::push::Pieces;
use crate::host::near::Near;
use crate::world::pose::land::Piece;

use super::cores::{WORDS, fill};
use super::family::Family;
use super::input::{Input, Random};
use super::twin::{LANDED, Twin};

/// WGSL that asks for ways out and turns them into words.
const ASK: &str = "
// needs: differences, double, predicate, square, types, vector

fn pieces_of() -> Set {
    return Set(Differences(core_a(), core_b(), vec2<i32>(0, 0)), int(1));
}

fn way_of() -> Way {
    find_edges(TESTED_SET, pieces_of().among);
    return way_out(TESTED_SET, int(1), ORIGIN);
}

fn way_in_words(way: Way) -> vec4<u32> {
    let normal = vec2<u32>(double_to_single(way.normal.x), double_to_single(way.normal.y));
    return vec4<u32>(normal, double_to_single(way.depth), u32(way.corner));
}

fn push_in_words() -> vec4<u32> {
    let way = way_of();
    for (var turn = 0u; turn < 2u; turn++) {
        var band = Band(vec2<i32>(0, 0), vec2<u32>(1u, 1u));
        var least = NO_WAY;
        if turn == 1u {
            band = Band(lattice_end(way) - 4, vec2<u32>(9u, 9u));
            least = way;
        }
        clear_places();
        mark_hits(pieces_of(), band, point(2u), touch());
        let push = nearest_unmarked(band, least, NO_PUSH);
        if push.exists {
            return vec4<u32>(bitcast<vec2<u32>>(push.by), 1u, 0u);
        }
    }
    return vec4<u32>(0u);
}
";

fn in_words(words: [u32; 4]) -> u128 {
    bytemuck::cast(words)
}

fn way_of(v: Input<'_>) -> Way {
    let [a, b] = hulls(v);
    way_out(&differences(&a.vertices, &b.vertices), f64::from(v.int(1)), [0.0; 2])
}

/// Returns two cores as pieces, the first of which has both radii.
fn hulls(v: Input<'_>) -> [Piece; 2] {
    [(v.core_a(), v.int(1)), (v.core_b(), 0)].map(|(core, radius)| match core {
        Core::Hull(vertices) | Core::Segment(vertices) => Piece::hull(vertices.to_vec(), radius),
        Core::Square(_) => panic!("an input has hulls only"),
    })
}

/// Makes two hulls whose differences fit 32 bits, and a small offset of the first in place of the sweep.
fn fill_hulls(random: &mut Random, v: &mut [u32]) {
    loop {
        fill(random, v);
        let (counts, words) = ([v[0] & 15, v[0] >> 4 & 15], &*v);
        let wide = |(k, count): (usize, u32)| {
            let along = |axis: usize| (0..count as usize).map(move |i| words[k + 2 * i + axis] as i32);
            (0..2).any(|axis| along(axis).max() > along(axis).min().map(|low| low.saturating_add(1 << 28)))
        };
        if !counts.contains(&0) && ![4, 16].into_iter().zip(counts).any(wide) {
            break;
        }
    }
    v[2..4].fill_with(|| random.of(&[0, 0, 1, -1]) as u32);
}

/// Returns the functions that find the way out of two cores, all run on the same inputs.
pub(in crate::gpu) fn ways() -> Family {
    let way = Twin::new("way_out", WORDS, "way_in_words(way_of())", |v| {
        let Way { normal: [x, y], depth, corner } = way_of(v);
        in_words([(x as f32).to_bits(), (y as f32).to_bits(), (depth as f32 + 0.0).to_bits(), corner.into()])
    });
    let push = Twin::new("nearest_unmarked", WORDS, "push_in_words()", |v| {
        let [a, b] = hulls(v);
        let [a, b] = [a, b].map(|piece| Near::apart(vec![piece]));
        let push = Pieces::new(&a, &b, v.touch(), v.point(2)).push_nearby(&way_of(v));
        in_words(push.map_or([0; 4], |push| [push.x as u32, push.y as u32, 1, 0]))
    });
    Family { files: &[LANDED, ASK], twins: vec![way.fill(fill_hulls), push.fill(fill_hulls)], ..Family::default() }
}
