//! Recurring tasks: the program held against an oracle that tries everything. Exact demand by every sequence,
//! equation (1) by every path, verdicts by every interval.

#![cfg(not(target_arch = "wasm32"))]

mod against;
mod brute;
mod by_hand;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod honest;
mod small;
mod verdict;
