//! Fuzzes [`hitmask_fuzz::scene_json`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hitmask_fuzz::scene_json::check(bytes));
