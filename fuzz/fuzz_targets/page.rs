//! The target `page` of tests/fuzz under libFuzzer.

#![no_main]

#[path = "../../tests/fuzz/targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::input("page", data));
