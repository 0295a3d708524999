//! Tests that every loop of the shaders terminates by itself, because wgpu's loop counters are switched off on hardware
//! ([`Gpu::shader`](super::device::Gpu::shader)). A driver may assume that loops terminate, and remove code that would
//! reveal an endless one.
//!
//! Most loops count up by one to a fixed limit, which the tests verify. All others are listed with the reason.

use std::collections::BTreeSet;

use naga::{
    AddressSpace, BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Module, Statement,
    StorageAccess,
};

use super::modules::{self, Wide};
use super::twins;

/// The loops that terminate for a reason that the tests cannot see: the function, the loop up to its body, the reason.
const END: [(&str, &str, &str); 53] = [
    ("convex_pair", "loop", "each turn takes fuel, nothing gives any, and without any it ends"),
    ("count_hits", "for (var c = invocation(group, groups, local); c < count; c += invocations(groups))", STRIDE),
    ("find_contacts", "for (var c = first; c < header.pairs; c += stride)", STRIDE),
    ("find", "while any(left != vec2<u32>(0u, 0u))", BIT),
    ("detail_pairs", "for (var c = first; c < count; c += stride)", STRIDE),
    ("empty_queue", "for (var n = local; n < count; n += TILE)", "QUEUE / TILE turns at most"),
    ("find_deepest", "while (*now).first < count", "counts up to what stays, or ends before"),
    ("find_near", "while node < nodes_of(body.shape)", "a tree's node says that one farther on comes behind it"),
    (
        "find_nearest",
        "while (*now).first < count",
        "each turn takes SEARCH_FUEL, nothing gives any, and without any it ends",
    ),
    ("find_push", "while (*now).first < SQUARES", "each turn takes a band of a square, and without any fuel it ends"),
    ("leave", "loop", "each turn is at the next distance, and the last ends it"),
    (
        "leave_near",
        "while (*now).phase == NEAREST || (*now).phase == CROSSINGS",
        "each turn takes another phase, or without any fuel it ends",
    ),
    (
        "find_apart",
        "loop",
        "each turn but two at most, which ask on both sides of one edge, takes one of `turns`, and the last ends it",
    ),
    ("first_contact", "loop", "asks for the last tick and the first, then halves what is between"),
    ("hit_pixels", "while node < other.nodes.end", "a tree's node says that one farther on comes behind it"),
    ("hit_pixels", "for (var dy = -around; dy <= around; dy++)", "`around` is 0 or 1"),
    ("hit_pixels", "for (var dx = -around; dx <= around; dx++)", "`around` is 0 or 1"),
    ("is_seam", "while low < high", "halves"),
    ("join_all", "for (var half = TILE / 2u; half > 0u; half /= 2u)", "halves"),
    ("judge_large", "for (var n = first; ; n += stride)", STRIDE),
    ("judge_large", "for (var start = 0u; start < pair.words && !hit; start += GROUP * WORDS_EACH)", PIXELS),
    (
        "judge_large",
        "for (var k = start + local; k < min(start + GROUP * WORDS_EACH, pair.words); k += GROUP)",
        "WORDS_EACH turns at most",
    ),
    ("judge_list", "for (var n = first; n < count; n += stride)", STRIDE),
    ("judge_sampled", "for (var n = group_index(group, groups); ; n += stride)", STRIDE),
    ("judge_small", "for (var n = first; n < count; n += stride)", STRIDE),
    ("judge_small", "for (var k = 0u; k < pair.words && bits == 0u; k++)", "counts up to what stays, or ends before"),
    ("leave_pixels", "loop", "each turn but one for each stand takes STEP_FUEL, and without any fuel it ends"),
    (
        "leave_pixels",
        "while now.tried < words.x * words.y && fuel > 0",
        "each turn takes STEP_FUEL, and without any fuel it ends",
    ),
    (
        "look_for_pixel",
        "for (var turn = 0u; turn < turns && atomicLoad(&both_paint) == 0u; turn++)",
        "counts up to what stays, or ends before",
    ),
    ("order_few", "for (var row = local; row < params.bodies; row += LARGE_GROUP)", BODIES),
    ("order_few", "for (var c = local; c < count; c += LARGE_GROUP)", "FEW_CANDIDATES at most"),
    ("order_few", "for (var first = 0u; first < params.bodies; first += LARGE_GROUP)", BODIES),
    ("paint", "for (var k = first; k < count; k += params.parts * group_count(groups))", PARTS),
    ("paint", "for (var word = local; word < words; word += GROUP)", PIXELS),
    ("posed_convex", "while i >= end", "each turn goes on to the next node; the last leaf ends with the last vertex"),
    (
        "run",
        "loop",
        "each turn makes `low..=high`, `low..first` or `last..high` shorter, whatever is answered: 32 pixels",
    ),
    ("scan_group", "for (var reach = 1u; reach < lanes; reach *= 2u)", "doubles, up to LARGE_GROUP"),
    ("scatter_hits", "for (var c = invocation(group, groups, local); c < count; c += invocations(groups))", STRIDE),
    ("sieve", "for (var first = group_index(group, groups) * GROUP; first < count; first += stride)", STRIDE),
    ("sort_long", "for (var i = local; i < filled; i += LARGE_GROUP)", ROW),
    ("sort_long", "for (var run = 2u; run <= filled; run *= 2u)", ROW),
    ("sort_long", "for (var reach = run / 2u; reach > 0u; reach /= 2u)", "halves"),
    ("sort_long", "for (var i = local; i < filled / 2u; i += LARGE_GROUP)", ROW),
    ("sort_long", "for (var i = local; i < length; i += LARGE_GROUP)", ROW),
    ("sort_short", "while to > indices.x && pairs[to - 1u].y > pair.y", "`to` falls to `indices.x`"),
    ("sprite_pair", "loop", "each turn takes STEP_FUEL, nothing gives fuel, and without any it ends"),
    (
        "sweep",
        "for (var first_block = start / TILE / TILE * TILE; first_block * TILE < count; first_block += TILE)",
        BODIES,
    ),
    ("sweep", "while any(blocks != vec2<u32>(0u, 0u)) && next == ALL", BIT),
    ("sweep", "while any(tiles_left != vec2<u32>(0u, 0u))", BIT),
    ("sweep_all", "while rows != 0u", BIT),
    ("sweep_all", "while any(left != vec2<u32>(0u, 0u))", BIT),
    (
        "walk_on",
        "for (var k = 0u; k < edges && next_edge(walk) <= TICKS; k++)",
        "counts up to what stays, or ends before",
    ),
    ("word_of", "loop", "a turn for each pixel of a box of one or two a side"),
];

/// These counters cannot wrap around: each counted item has a place in a buffer, and there are fewer invocations.
const STRIDE: &str = "over a list, by the number of workgroups or invocations: fewer than 2^30, and 2^27";
const PARTS: &str = "over fewer than 2^30 bodies, by no more than there are bodies and parts";
const BODIES: &str = "over bodies, which are fewer than 2^30, by 256 at most";
const PIXELS: &str = "over words of pixels that lie in a buffer, fewer than 2^30, by 256 at most";
/// `sort_or_pick` does not pick longer rows.
const ROW: &str = "over a row of LONG_ROW at most";
const BIT: &str = "each turn takes a bit away";

/// A loop of a function.
struct Loop<'a> {
    module: &'a Module,
    function: &'a Function,
    body: &'a Block,
    continuing: &'a Block,
    /// The expressions that each iteration computes.
    within: BTreeSet<Handle<Expression>>,
    /// The variables that it writes, or that functions it calls may write.
    written: BTreeSet<Handle<LocalVariable>>,
}

impl<'a> Loop<'a> {
    fn new(module: &'a Module, function: &'a Function, body: &'a Block, continuing: &'a Block) -> Self {
        let (within, written) = (BTreeSet::new(), BTreeSet::new());
        let mut own = Self { module, function, body, continuing, within, written };
        own.enter(body);
        own.enter(continuing);
        own
    }

    /// Records the expressions and variables that a block computes and writes.
    fn enter(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Emit(range) => self.within.extend(range.clone()),
                Statement::Store { pointer, .. } => self.written.extend(self.variable(*pointer)),
                Statement::Call { arguments, result, .. } => {
                    let pointers = arguments.iter().filter_map(|argument| self.variable(*argument));
                    let pointers: Vec<_> = pointers.collect();
                    self.written.extend(pointers);
                    self.within.extend(result);
                }
                Statement::Atomic { result, .. } => self.within.extend(result),
                Statement::WorkGroupUniformLoad { result, .. } => _ = self.within.insert(*result),
                _ => {}
            }
            for inner in blocks(statement) {
                self.enter(inner);
            }
        }
    }

    /// Returns the variable that a pointer points into.
    fn variable(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => Some(variable),
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => self.variable(base),
            _ => None,
        }
    }

    /// Returns whether each iteration begins with a test that ends the loop unless a variable is below a limit, and
    /// ends by incrementing the variable, and nothing else in the loop writes the variable or the limit.
    fn counts_up(&self) -> bool {
        let Some((variable, limit)) = self.test() else { return false };
        let step = if self.continuing.is_empty() { own_step(self.body) } else { Some(self.continuing) };
        let Some(step) = step else { return false };
        let steps = step.iter().filter(|statement| self.is_step(statement, variable)).count();
        steps == 1
            && self.stores(self.body, variable) + self.stores(self.continuing, variable) == 1
            && self.stays(limit)
    }

    /// Returns the variable and the limit of the test with which each iteration begins.
    fn test(&self) -> Option<(Handle<LocalVariable>, Handle<Expression>)> {
        let first = self.body.iter().find(|statement| !matches!(statement, Statement::Emit(_)))?;
        let Statement::If { condition, accept, reject } = first else { return None };
        if !accept.is_empty() || !matches!(reject[..], [Statement::Break]) {
            return None;
        }
        let Expression::Binary { op: BinaryOperator::Less, left, right } = self.function.expressions[*condition] else {
            return None;
        };
        Some((self.loaded(left)?, right))
    }

    /// Returns the variable that an expression loads.
    fn loaded(&self, value: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        let Expression::Load { pointer } = self.function.expressions[value] else { return None };
        let Expression::LocalVariable(variable) = self.function.expressions[pointer] else { return None };
        Some(variable)
    }

    /// Returns whether a statement increments a variable. It cannot wrap around, because it was below a limit.
    fn is_step(&self, statement: &Statement, variable: Handle<LocalVariable>) -> bool {
        let Statement::Store { pointer, value } = *statement else { return false };
        let Expression::LocalVariable(stored) = self.function.expressions[pointer] else { return false };
        let Expression::Binary { op: BinaryOperator::Add, left, right } = self.function.expressions[value] else {
            return false;
        };
        let one = matches!(self.function.expressions[right], Expression::Literal(Literal::U32(1) | Literal::I32(1)));
        stored == variable && self.loaded(left) == Some(variable) && one
    }

    /// Counts the statements of a block that may write a variable.
    fn stores(&self, block: &Block, variable: Handle<LocalVariable>) -> usize {
        let each = block.iter().map(|statement| {
            let own = match statement {
                Statement::Store { pointer, .. } => usize::from(self.variable(*pointer) == Some(variable)),
                Statement::Call { arguments, .. } => {
                    arguments.iter().filter(|argument| self.variable(**argument) == Some(variable)).count()
                }
                _ => 0,
            };
            own + blocks(statement).into_iter().map(|inner| self.stores(inner, variable)).sum::<usize>()
        });
        each.sum()
    }

    /// Returns whether a value is the same in all iterations.
    fn stays(&self, value: Handle<Expression>) -> bool {
        let expression = &self.function.expressions[value];
        let computed = self.within.contains(&value);
        match *expression {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::ZeroValue(_)
            | Expression::FunctionArgument(_) => true,
            // Computed once, before the loop.
            _ if !computed && !self.is_place(expression) => true,
            // A load through a pointer argument is excluded: other code may write there too.
            Expression::Load { pointer } => self.is_place(&self.function.expressions[pointer]) && self.stays(pointer),
            Expression::LocalVariable(variable) => !self.written.contains(&variable),
            Expression::GlobalVariable(variable) => match self.module.global_variables[variable].space {
                AddressSpace::Uniform => true,
                AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
                _ => false,
            },
            Expression::Access { base, index } => self.stays(base) && self.stays(index),
            Expression::AccessIndex { base, .. } => self.stays(base),
            Expression::Binary { left, right, .. } => self.stays(left) && self.stays(right),
            Expression::Unary { expr, .. } | Expression::As { expr, .. } => self.stays(expr),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                self.stays(arg) && [arg1, arg2, arg3].into_iter().flatten().all(|argument| self.stays(argument))
            }
            _ => false,
        }
    }

    /// Returns whether an expression is a place in memory, which is never computed.
    fn is_place(&self, expression: &Expression) -> bool {
        match *expression {
            Expression::LocalVariable(_) | Expression::GlobalVariable(_) => true,
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                self.is_place(&self.function.expressions[base])
            }
            _ => false,
        }
    }
}

/// Returns the block of a `while` that every iteration runs to its end; `None` if a `continue` may leave it before.
fn own_step(body: &Block) -> Option<&Block> {
    fn goes_on(block: &Block) -> bool {
        // The `continue` of an inner loop does not count.
        let within = |statement: &Statement| match statement {
            Statement::Continue => true,
            Statement::Loop { .. } => false,
            other => blocks(other).into_iter().any(goes_on),
        };
        block.iter().any(within)
    }
    match body.last() {
        Some(Statement::Block(block)) if !goes_on(block) => Some(block),
        _ => None,
    }
}

/// Returns the blocks of a statement.
fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// Adds the loops of a block to `found`, each with its text up to the body.
fn loops<'a>(source: &str, block: &'a Block, found: &mut Vec<(String, &'a Block, &'a Block)>) {
    for (statement, span) in block.span_iter() {
        if let Statement::Loop { body, continuing, .. } = statement {
            let text = &source[span.to_range().expect("it is of the source")];
            let head = text.split('{').next().unwrap_or_default().split_whitespace();
            found.push((head.collect::<Vec<_>>().join(" "), body, continuing));
        }
        for inner in blocks(statement) {
            loops(source, inner, found);
        }
    }
}

/// Returns the number of loops of a shader, and the function and text of each that is not seen to terminate.
fn unseen(source: &str) -> (usize, Vec<(String, String)>) {
    let module = naga::front::wgsl::parse_str(source).unwrap();
    let entries = module.entry_points.iter().map(|entry| (entry.name.as_str(), &entry.function));
    let functions = module.functions.iter().map(|(_, function)| (function.name.as_deref().unwrap(), function));
    let (mut all, mut unseen) = (0, Vec::new());
    for (name, function) in functions.chain(entries) {
        let mut found = Vec::new();
        loops(source, &function.body, &mut found);
        all += found.len();
        for (head, body, continuing) in found {
            if !Loop::new(&module, function, body, continuing).counts_up() {
                unseen.push((name.to_owned(), head));
            }
        }
    }
    (all, unseen)
}

#[test]
fn every_loop_ends() {
    let (mut loops, mut found) = (0, BTreeSet::new());
    let modules = modules::ALL.iter().flat_map(|module| Wide::ALL.map(|wide| module.source(wide)));
    let self_tests = Wide::ALL.map(super::self_test::shader);
    let families = twins::families();
    let asked = families
        .iter()
        .flat_map(|family| family.twins.iter().flat_map(|twin| Wide::ALL.map(|wide| family.source(twin, 64, wide))));
    for source in modules.chain(self_tests).chain(asked) {
        let (all, unseen) = unseen(&source);
        loops += all;
        found.extend(unseen);
    }
    assert!(loops > 100, "{loops}");
    let known = END.iter().map(|(function, head, _)| ((*function).to_owned(), (*head).to_owned()));
    assert_eq!(found, known.collect(), "loops of which it is not seen that they end, and those that are known to end");
}

#[test]
fn what_may_not_end_is_found() {
    let of = |body: &str| {
        let source = format!(
            "struct P {{ end: u32 }}
            @group(0) @binding(0) var<uniform> p: P;
            @group(0) @binding(1) var<storage, read_write> words: array<u32>;
            fn change(v: ptr<function, u32>) {{ *v = 0u; }}
            fn asked(limit: u32, step: u32) {{ {body} }}"
        );
        unseen(&source).1.len()
    };
    let end = [
        "for (var i = 3u; i < limit; i++) { words[i] = 0u; }",
        "for (var i = 0u; i < min(limit + 1u, p.end); i++) { if words[i] == 0u { continue; } words[i] = 0u; }",
        "let end = words[0]; for (var i = 0u; i < end; i++) { words[i] = 0u; }",
        "var end = 9u; for (var i = 0u; i < end; i++) { words[i] = 0u; }",
        "var i = 0u; while i < limit { i++; }",
        "var i = 0u; while i < limit { for (var k = 0u; k < 3u; k++) { if k == limit { continue; } } i += 1u; }",
    ];
    let may_not = [
        "for (var i = 0u; i <= limit; i++) { words[i] = 0u; }",
        "for (var i = 0u; i < limit; i += step) { words[i] = 0u; }",
        "for (var i = 0u; i < limit; i += 2u) { words[i] = 0u; }",
        "for (var i = 0u; i < limit; i--) { words[i] = 0u; }",
        "for (var i = 0u; i != limit; i++) { words[i] = 0u; }",
        "for (var i = 0u; i < limit; i++) { i -= words[i]; }",
        "for (var i = 0u; i < limit; i++) { change(&i); }",
        "for (var i = 0u; i < words[0]; i++) { words[i] = 0u; }",
        "for (var i = 0u; i < limit && words[i] > 0u; i++) { }",
        "var end = 9u; for (var i = 0u; i < end; i++) { end += 1u; }",
        "var end = 9u; for (var i = 0u; i < end; i++) { change(&end); }",
        "var i = 0u; while i < limit { if words[i] == 0u { continue; } i++; }",
        "var i = 0u; while i < limit { if words[i] == 0u { i++; } }",
        "var i = 0u; var k = 0u; while i < limit { k++; }",
        "loop { if words[0] == 0u { break; } }",
        "} fn given(limit: ptr<function, u32>) { for (var i = 0u; i < *limit; i++) { *limit += 1u; }",
    ];
    assert_eq!(end.map(of), [0; 6]);
    assert_eq!(may_not.map(of), [1; 16]);
}
