//! Tests that shaders shift by less than the width of a word. naga passes larger amounts on unchanged, and the result
//! then depends on the GPU.

use std::collections::BTreeSet;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{BinaryOperator, Expression, Function, Handle, Literal, Module};

use super::modules::{self, Wide};

/// The shifts whose amount is small enough for a reason that the expression does not show: function, shift, reason.
const BELOW: [(&str, &str, &str); 18] = [
    (
        "key",
        "(NOWHERE_CLASS | (not_lone_bits() << CLASS_BITS)) << cell_bits",
        "the bits of both axes, which leave room for this",
    ),
    ("key", "(size_class | (not_lone << CLASS_BITS)) << cell_bits", "the bits of both axes, which leave room for this"),
    (
        "key",
        "vec2<u32>(centre(bound) - scale.corner) >> vec2<u32>(scale.cell, scale.cell)",
        "`find_scale` makes it less than 32, as an extent has no more bits",
    ),
    ("corner_bit", "1u << (2u * side.x + side.y)", "9 at most"),
    ("double_left", "words.x >> (32u - part)", "where the part is 0, it is not reached"),
    ("double_right", "words << vec2<u32>(32u - part)", "where the part is 0, it is not reached"),
    ("find_scale", "extent >> cell", "30 at most"),
    ("meet_columns", "u32(bounds_meet(own, columns[first + k], params.touch)) << k", "a column of 32"),
    ("sample", "texel(shape, uv >> vec2<u32>(16u, 16u)) << i", "a texel of a word"),
    ("slab", "behind >> slabs.shift", "21 at most, as a width has 32 bits"),
    ("slabs_of", "width >> shift", "21 at most, as a width has 32 bits"),
    ("snapped_single", "(number + (1 << (by - 1u))) >> by", "25 at most"),
    ("snapped_single", "1 << (by - 1u)", "from 1 to 25"),
    ("snapped_single", "number << u32(exponent)", "6 at most"),
    ("wide_shift_low", "a >> by", "asked for 1 to 31"),
    ("wide_shift_low", "a.x >> by", "asked for 1 to 31"),
    ("wide_shift_low", "a.y << (32u - by)", "asked for 1 to 31"),
    ("window", "row_word(painted, row, stride, k + 1) << (32u - shift)", "where the shift is 0, it is not reached"),
];

/// Returns whether an amount is always less than `bits`, the width of the shifted value: a constant, or `& 31u`.
fn is_masked(module: &Module, function: &Function, amount: Handle<Expression>, bits: u32) -> bool {
    let below = |handle| match function.expressions[handle] {
        Expression::Literal(Literal::U32(value)) => value < bits,
        Expression::Constant(constant) => {
            let value = &module.global_expressions[module.constants[constant].init];
            matches!(value, Expression::Literal(Literal::U32(value)) if *value < bits)
        }
        _ => false,
    };
    match &function.expressions[amount] {
        Expression::Binary { op: BinaryOperator::And, left, right } => below(*left) || below(*right),
        Expression::Splat { value, .. } => is_masked(module, function, *value, bits),
        Expression::Compose { components, .. } => components.iter().all(|one| is_masked(module, function, *one, bits)),
        Expression::ZeroValue(_) => true,
        _ => below(amount),
    }
}

#[test]
fn every_shift_is_by_less_than_a_word() {
    let mut found = BTreeSet::new();
    let mut shifts = 0;
    for (shader, wide) in modules::ALL.iter().flat_map(|shader| Wide::ALL.map(|wide| (shader, wide))) {
        let source = shader.source(wide);
        let module = naga::front::wgsl::parse_str(&source).unwrap();
        let info = Validator::new(ValidationFlags::all(), Capabilities::SHADER_INT64).validate(&module).unwrap();
        let entries = module.entry_points.iter().enumerate();
        let entries = entries.map(|(k, entry)| (entry.name.as_str(), &entry.function, info.get_entry_point(k)));
        let functions = module.functions.iter();
        let functions = functions.map(|(k, function)| (function.name.as_deref().unwrap(), function, &info[k]));
        for (name, function, info) in functions.chain(entries) {
            for (handle, expression) in function.expressions.iter() {
                let Expression::Binary { op: BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, left, right } =
                    *expression
                else {
                    continue;
                };
                shifts += 1;
                let bits = 8 * u32::from(info[left].ty.inner_with(&module.types).scalar_width().unwrap());
                if !is_masked(&module, function, right, bits) {
                    let shift = &source[function.expressions.get_span(handle).to_range().unwrap_or_default()];
                    found.insert((name.to_owned(), shift.to_owned()));
                }
            }
        }
    }
    assert!(shifts > 100, "{shifts}");
    let known = BELOW.map(|(function, amount, _)| (function.to_owned(), amount.to_owned()));
    assert_eq!(
        found,
        BTreeSet::from(known),
        "shifts by what may be 32 or more, as far as is seen, and those that are known"
    );
}
