//! The time of each kernel on its own, by size and by instruction set:
//! `cargo bench -p hitmask --no-default-features --features internals [-- FILTER]`.
//!
//! To add a kernel, add a module and its call in `main`.

mod broad;
mod bulk;
mod edit;
mod index;
mod mask;
mod paint;
mod predicate;
mod saves;
mod sides;
mod steps;

use std::time::Duration;

use criterion::Criterion;

fn main() {
    // Short, because there are many: all of them take about two minutes.
    let short = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    let mut criterion = short.configure_from_args();
    broad::bench(&mut criterion);
    bulk::bench(&mut criterion);
    edit::bench(&mut criterion);
    index::bench(&mut criterion);
    mask::bench(&mut criterion);
    paint::bench(&mut criterion);
    predicate::bench(&mut criterion);
    saves::bench(&mut criterion);
    sides::bench(&mut criterion);
    steps::bench(&mut criterion);
    criterion.final_summary();
}
