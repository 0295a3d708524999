//! Fuzzes [`hitmask_fuzz::png_mask`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::png_mask::check(bytes));
