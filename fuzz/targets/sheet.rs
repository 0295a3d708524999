//! Fuzzes [`hitmask_fuzz::sheet`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::sheet::check(bytes));
