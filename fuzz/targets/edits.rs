//! Fuzzes [`hitmask_fuzz::edits`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::edits::check(bytes));
