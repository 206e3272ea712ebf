//! Blocks of machine code for which there is no room at once.

#![allow(missing_docs)]

use chain_lab::LINKED;
use serde_json::{Value, json};
use warpspan_chain_lab as chain_lab;

/// The upper sides of a kernel and of one of its blocks: eight blocks of four warps fit on a multiprocessor.
fn upper(blocks: u64, sms: u64) -> (u64, u64) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../code/read/tests/fixtures/saxpy-sm_75.sass");
    let text = std::fs::read_to_string(path).expect("a fixture");
    let chain = json!({
        "device": { "sms": sms, "threads": 1024, "blocks": 8, "threads_per_block": 128 },
        "clock": 1_000_000_000, "effort": 1,
        "kernels": [{ "name": "k", "threads": 128, "blocks": blocks, "sass": text }],
    });
    let scenario = match LINKED.from_tree(&json!({ "warpspan": 1, "chain": chain })) {
        Ok(scenario) => scenario,
        Err(problems) => unreachable!("{problems:?}"),
    };
    let report: Value = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a line of JSON");
    let of = |key: &str| report["kernels"][0][key]["upper"]["value"].as_u64().expect("a number");
    (of("alone"), of("block"))
}

/// A listing that mostly waits for its loads: one block more than there is room for takes as long again and no more, where
/// all instructions one after the other are 51 times as long. A block never takes longer than its kernel.
#[test]
fn a_block_more_than_there_is_room_for_is_no_cliff() {
    for sms in [1, 3] {
        let (full, more) = (upper(8 * sms, sms), upper(8 * sms + 1, sms));
        assert!(full.0 <= more.0 && more.0 * 10 < full.0 * 25, "{full:?} {more:?}");
        for (kernel, block) in [full, more, upper(64 * sms, sms), upper(1000, 10)] {
            assert!(block <= kernel, "{block} {kernel}");
        }
    }
}
