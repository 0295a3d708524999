//! A radix sort: for the order of bodies along a curve, and for pairs where many hit the same body.

use std::mem::offset_of;
use std::sync::Arc;

use crate::ground::error::Result;
use crate::hits::Ask;

use super::buffers::{DIGIT_COUNTS, ELEMENTS, HEADER, PAIRS, SUMS};
use super::params::{Header, Params};
use super::pass::Passes;
use super::record::{Groups, Recording};
use super::scan;
use super::shared::Frame;
use super::step::Step;

/// Bits of a digit.
#[doc(hidden)]
pub const DIGIT_BITS: u32 = 8;
/// Elements of a block of the sort.
#[doc(hidden)]
pub const SORT_BLOCK: u32 = 2048;
/// Bodies that a workgroup measures.
const MEASURED: u32 = 1024;
/// Passes over a key.
const PASSES: u32 = 32 / DIGIT_BITS;

/// The bytes that the counts of digits take.
pub(super) fn digit_count_bytes(elements: u64) -> u64 {
    elements.div_ceil(SORT_BLOCK.into()) << (DIGIT_BITS + 2)
}

/// Measures the bodies, makes their keys, and sorts them; those passes that the keys do not need end at once.
pub(super) fn record<'a>(to: &mut Recording<'a>, passes: &'a Passes, params: Params) {
    to.dispatch(&passes.measure, Groups::Of(params.bodies.div_ceil(MEASURED)), params);
    to.dispatch(&passes.plan_keys, Groups::Of(1), params);
    to.dispatch(&passes.make_keys, Groups::Of(params.bodies.div_ceil(256)), params);
    let params = Params { count: params.bodies, first: 0, ..params };
    for pass in 0..PASSES {
        let [source, sink] = [pass & 1, (pass + 1) & 1].map(|half| half * params.count);
        record_pass(to, passes, Params { shift: pass * DIGIT_BITS, source, sink, ..params });
    }
}

/// A pass over `count` elements, by the digit from bit `shift` on of their first word, or of their second where `first` is 1, from
/// `source` to `sink`.
pub(super) fn record_pass<'a>(to: &mut Recording<'a>, passes: &'a Passes, params: Params) {
    let blocks = params.count.div_ceil(SORT_BLOCK);
    to.dispatch(&passes.count_digits, Groups::Of(blocks), params);
    scan::record(to, passes, DIGIT_COUNTS, Params { count: blocks << DIGIT_BITS, ..params });
    to.dispatch(&passes.scatter_digits, Groups::Of(blocks), params);
}

/// Passes over all digits of one of an element's words, below `end`, each from where the last has left them: 0 is the first half, 1
/// the second. Where that is at the end.
fn record_word<'a>(to: &mut Recording<'a>, passes: &'a Passes, params: Params, end: u32, mut half: u32) -> u32 {
    let bits = u32::BITS - end.saturating_sub(1).leading_zeros();
    for shift in (0..bits).step_by(DIGIT_BITS as usize) {
        let [source, sink] = [half, 1 - half].map(|half| half * params.count);
        record_pass(to, passes, Params { shift, source, sink, ..params });
        half = 1 - half;
    }
    half
}

impl Step {
    /// Puts all pairs in order, if they fit twice in a buffer; whether they do. The order of the bodies is lost.
    pub(super) async fn sort_pairs(&mut self, params: Params, count: u32) -> Result<bool> {
        let bytes = u64::from(count) * 8;
        if 2 * bytes > self.frame.buffers.limit() {
            return Ok(false);
        }
        self.make_sorting_room(count)?;
        self.reset(offset_of!(Header, longest_rows));
        let passes = Arc::clone(&self.shared.passes);
        let mut recording = Recording::default();
        recording.stage("order");
        recording.copy(PAIRS, ELEMENTS, bytes);
        // As many passes for the one word as for the other, so that they end where they began.
        let half = record_word(&mut recording, &passes, Params { count, first: 1, ..params }, params.bodies, 0);
        record_word(&mut recording, &passes, Params { count, first: 0, ..params }, params.bodies, half);
        recording.copy(ELEMENTS, PAIRS, bytes);
        if self.ask == Ask::Pairs {
            recording.dispatch(&passes.conclude, Groups::Of(1), params);
        }
        self.finish(&recording, &[(HEADER, 0, size_of::<Header>() as u64)], |_| true).await
    }

    /// Makes room for two halves of `count` elements and for the counts of their digits, none of whose passes is idle.
    pub(super) fn make_sorting_room(&mut self, count: u32) -> Result<()> {
        let counts = digit_count_bytes(count.into());
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        buffers.ensure(&shared.device, ELEMENTS, 2 * u64::from(count) * 8)?;
        buffers.ensure(&shared.device, DIGIT_COUNTS, counts)?;
        buffers.ensure(&shared.device, SUMS, scan::sum_bytes(counts / 4))?;
        self.reset(offset_of!(Header, idle_passes));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::super::Engine;
    use super::*;
    use crate::world::World;
    use hitmask_workbench::workloads::SplitMix64;

    /// The key of an element among so many.
    type Key = fn(&mut SplitMix64, u32, u32) -> u32;

    /// Elements sorted on the GPU by their first word.
    fn sorted(engine: &Engine, elements: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let count = elements.len() as u32;
        let mut step = Step::new(&engine.shared, &World::default(), Ask::Flags).unwrap();
        step.make_sorting_room(count).unwrap();
        let Step { shared, frame, .. } = &mut step;
        frame.buffers.write((&shared.device, &shared.queue), ELEMENTS, elements).unwrap();
        let passes = Arc::clone(&shared.passes);
        let mut recording = Recording::default();
        let half =
            record_word(&mut recording, &passes, Params { count, groups: 65_535, ..Params::default() }, u32::MAX, 0);
        assert_eq!(half, 0, "an even number of passes");
        let bytes = elements.len() as u64 * 8;
        let parts = if bytes == 0 { vec![(HEADER, 0, 8)] } else { vec![(ELEMENTS, 0, bytes)] };
        let mut words = pin!(step.finish(&recording, &parts, bytemuck::pod_collect_to_vec));
        let words: Vec<[u32; 2]> = loop {
            match words.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(words) => break words.unwrap(),
                Poll::Pending => engine.shared.poll(wgpu::PollType::wait_indefinitely()).unwrap(),
            }
        };
        words[..elements.len()].to_vec()
    }

    #[test]
    fn sorts_as_the_standard_library_does() {
        let engine = Engine::new(None).expect("a GPU; `./test` installs one in software");
        let mut random = SplitMix64(1);
        let kinds: [(&str, Key); 5] = [
            ("random", |random, _, _| random.next_u64() as u32),
            ("few", |random, _, _| random.below(3) << 15),
            ("equal", |_, _, _| 77),
            ("sorted", |_, i, _| i * 7),
            ("reversed", |_, i, n| (n - i) * 3),
        ];
        for n in [0, 1, 255, 256, 257, 2047, 2048, 2049, 65_537, 1_000_000] {
            for (kind, key) in kinds {
                // Payloads tell equal keys apart.
                let elements: Vec<[u32; 2]> = (0..n).map(|i| [key(&mut random, i, n), i]).collect();
                let mut expected = elements.clone();
                expected.sort_by_key(|element| element[0]);
                assert!(sorted(&engine, &elements) == expected, "{n} {kind} keys");
            }
        }
    }
}
