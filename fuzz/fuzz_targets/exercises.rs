//! The target `exercises` of tests/fuzz under libFuzzer.

#![no_main]

#[path = "../../tests/fuzz/targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::input("exercises", data));
