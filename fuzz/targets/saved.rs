//! Fuzzes [`hitmask_fuzz::saved`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::saved::check(bytes));
