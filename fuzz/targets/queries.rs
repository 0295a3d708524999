//! Fuzzes [`hitmask_fuzz::queries`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::queries::check(bytes));
