// The pieces of a shape in `atlas`, and the radii of its parts; `part_radius` is the twin of the function in
// src/world/pieces.rs.

// needs: wide

// The words of a node: four of its bounds relative to the anchor, the next node after its subtree, the first vertex of
// a leaf, the number of a leaf's vertices (0 for inner nodes), and the part to which a leaf's piece belongs.
const NODE_WORDS: u32 = 8u;

// The words of a part: its radius and its tag.
const PART_WORDS: u32 = 2u;

// The number of fractional bits of a body's scale.
const SCALE_BITS: u32 = 23u;

// Returns the index of the first part of a shape, given that of its first node and the number of nodes.
fn first_part(first: u32, nodes: u32) -> u32 {
    return first + NODE_WORDS * nodes;
}

// Returns the radius in the world of a part's radius, both in lattice steps, given the scale of a body.
fn part_radius(radius: i32, scale: i32) -> i32 {
    return wide_shift_low(wide_add(wide_mul_i32(radius, scale), wide(1 << (SCALE_BITS - 1u))), SCALE_BITS);
}
