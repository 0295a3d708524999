//! Fuzzes [`hitmask_fuzz::replay`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::replay::check(bytes));
