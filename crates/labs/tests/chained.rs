//! Machine code as one lab shows it, taken along into a chain.

#![allow(missing_docs)]

use code_lab::page::chained::as_chain;
use code_lab::report::CodeReport;
use serde_json::{Value, json};
use warpspan_labs::LINKED;

#[test]
fn every_kernel_of_the_gallery_opens_in_a_chain() {
    for text in [
        include_str!("../../../www/scenarios/code-saxpy.json"),
        include_str!("../../../www/scenarios/code-mandelbrot.json"),
        include_str!("../../../www/scenarios/code-barrier.json"),
        include_str!("../../../www/scenarios/code-scan.json"),
    ] {
        let mut tree: Value = serde_json::from_str(text).expect("JSON");
        tree["warps"]["method"] = json!({ "policy": "oldest-first" });
        let scenario = LINKED.from_tree(&tree).expect("an example");
        let report = LINKED.run(&scenario);
        let report = report.of::<CodeReport>().expect("a report on code");
        let chain = as_chain(&tree, report);
        let kernel = &chain["chain"]["kernels"][0];
        for key in ["sass", "loops", "code", "machine", "path"] {
            assert_eq!(kernel.get(key), tree["warps"].get(key), "{key}");
        }
        let blocks = kernel["blocks"].as_u64().expect("a number");
        let threads = kernel["threads"].as_u64().expect("a number");
        assert_eq!(blocks * threads, 32 * report.count as u64, "as many warps");
        let read = LINKED.from_tree(&chain).unwrap_or_else(|problems| panic!("{problems:?}"));
        let told = LINKED.run(&read).line();
        let told: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(told["verdict"]["schedulable"], json!(true), "the deadline has room: {told}");
    }
}
