//! Fuzzes [`hitmask_fuzz::engines`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::engines::check(bytes));
