//! Any world: the CPU engine gives the same answers in both broad phases, with each instruction set, and as a stream,
//! and for some of the bodies the reference's answers.

use std::cell::RefCell;
use std::ops::ControlFlow;

use hitmask::cpu::{Broad, Engine, Options, Simd};
use hitmask::{Ask, Touch, World};

use crate::bytes::Bytes;
use crate::few::{compare, some_of};

/// Maximum number of bodies: two blocks of vectors.
const BODIES: usize = 32;

thread_local! {
    static ENGINES: RefCell<Vec<Engine>> = RefCell::new(
        Simd::available()
            .into_iter()
            .flat_map(|simd| [Broad::AllPairs, Broad::Sorted].map(|broad| (simd, broad)))
            .map(|(simd, broad)| {
                Engine::with(&Options::default().threads(1).simd(simd).broad(broad)).expect("an engine")
            })
            .collect(),
    );
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let (which, memory) = (usize::from(bytes.byte()), u64::from(bytes.byte()) * 64);
    let mut world = World::new(if which % 2 == 0 { Touch::Excluded } else { Touch::Included });
    let shapes = bytes.shapes(&mut world);
    for _ in 0..bytes.few(BODIES) {
        // Bodies that reach out of the world are refused.
        let _ = world.add(&bytes.body(&shapes));
    }
    ENGINES.with_borrow_mut(|engines| {
        let count = engines.len();
        let expected = engines[0].run(&world, Ask::Details).expect("an answer");
        compare(&expected, &some_of(&world, which));
        let engine = &mut engines[which / 2 % count];
        assert_eq!(engine.run(&world, Ask::Details).expect("an answer"), expected);
        assert_eq!(engine.run(&world, Ask::Flags).expect("flags").flags, expected.flags);
        let (mut pairs, mut details) = (Vec::new(), Vec::new());
        let streamed = engine.stream(&world, Ask::Details, memory, |run, carried| {
            pairs.extend_from_slice(run);
            details.extend_from_slice(carried);
            ControlFlow::<()>::Continue(())
        });
        assert!(streamed.expect("a stream").is_continue());
        assert!(pairs == expected.pairs && details == expected.details);
    });
}
