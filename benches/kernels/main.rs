//! The time of each kernel by itself, by size and by set of vector instructions:
//! `cargo bench -p hitmask --no-default-features --features internals [-- FILTER]`.
//!
//! A kernel is a module; a new one is a line in `main` besides.

mod broad;
mod bulk;
mod edit;
mod mask;
mod paint;
mod predicate;

use std::time::Duration;

use criterion::Criterion;

fn main() {
    // Short, because there are many: the whole of it takes some two minutes.
    let short = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    let mut criterion = short.configure_from_args();
    broad::bench(&mut criterion);
    bulk::bench(&mut criterion);
    edit::bench(&mut criterion);
    mask::bench(&mut criterion);
    paint::bench(&mut criterion);
    predicate::bench(&mut criterion);
    criterion.final_summary();
}
