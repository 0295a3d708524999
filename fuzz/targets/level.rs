//! Fuzzes [`hitmask_fuzz::level`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::level::check(bytes));
