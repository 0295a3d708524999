//! Fuzzes [`hitmask_fuzz::polygon`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::polygon::check(bytes));
