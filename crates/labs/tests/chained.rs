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

const MATMUL: &str = include_str!("../../code/read/tests/fixtures/matmul-nvdisasm-sm_86.sass");
const SAXPY: &str = include_str!("../../code/read/tests/fixtures/saxpy-sm_75.sass");

/// The chain of a listing.
fn opened(text: &str, with: &Value) -> Value {
    let mut tree = code_lab::document(text).expect("a listing");
    tree["warps"]["method"] = json!({ "policy": "oldest-first" });
    for (key, value) in with.as_object().expect("an object") {
        tree["warps"][key] = value.clone();
    }
    let scenario = LINKED.from_tree(&tree).expect("a document");
    let report = LINKED.run(&scenario);
    let chain = as_chain(&tree, report.of::<CodeReport>().expect("a report on code"));
    assert_eq!(LINKED.from_tree(&chain).map(|_| ()), Ok(()));
    chain
}

/// What becomes of a chain.
fn told(chain: &Value) -> Value {
    let read = LINKED.from_tree(chain).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    serde_json::from_str(&LINKED.run(&read).line()).expect("JSON")
}

/// Of each kernel what it takes, and what of that is taken for granted.
fn taken(chain: &Value) -> (Value, Value, Vec<String>) {
    let chain = &chain["chain"];
    let kernel = &chain["kernels"][0];
    let granted = chain["assumed"].as_array().into_iter().flatten();
    let granted =
        granted.map(|own| own["path"].as_str().unwrap_or_default().replace("chain.kernels[0].", ""));
    (kernel["registers"].clone(), kernel["shared_memory"].clone(), granted.collect())
}

#[test]
fn what_a_block_takes_is_taken_along_as_far_as_it_is_known() {
    // nvdisasm states both.
    let chain = opened(MATMUL, &json!({ "count": 4 }));
    let (registers, shared, granted) = taken(&chain);
    assert!(registers.as_u64() > Some(0) && shared.as_u64() > Some(0), "{registers} {shared}");
    assert_eq!(granted, [""; 0]);
    let run = told(&chain);
    let limits = run["kernels"][0]["residency"]["limits"].as_array().expect("limits");
    for name in ["registers", "shared_memory"] {
        let own = limits.iter().find(|own| own["name"] == name).expect(name);
        assert!(own["blocks"].as_u64().is_some(), "{own}");
    }
    // What instructions name is the least there can be; nobody uses shared memory, so none is written.
    let chain = opened(SAXPY, &json!({}));
    assert_eq!(taken(&chain), (json!(10), Value::Null, vec!["registers".to_owned()]));
    let run = told(&chain);
    let said = run["warnings"].to_string() + &run["assumed"].to_string();
    assert!(said.contains("no instruction names one above R7"), "{said}");
    // What the document gives is known.
    let chain = opened(SAXPY, &json!({ "registers": 40, "shared": 2_048 }));
    assert_eq!(taken(&chain), (json!(40), json!(2_048), vec![]));
    // Shared memory that is used and not stated is not written as if it were known.
    let uses = SAXPY.replace("LDG.E.SYS R", "LDS R");
    assert_ne!(uses, SAXPY);
    let chain = opened(&uses, &json!({ "registers": 40 }));
    assert_eq!(taken(&chain), (json!(40), Value::Null, vec!["shared_memory".to_owned()]));
    // What fits no multiprocessor would make a document that is refused.
    let chain = opened(SAXPY, &json!({ "registers": 255, "count": 32 }));
    assert_eq!(taken(&chain), (Value::Null, Value::Null, vec![]));
}

/// The multiprocessor of strings is that of the listing, where a chain knows it.
#[test]
fn a_chain_of_a_listing_names_its_multiprocessor() {
    let mut tree = code_lab::document(SAXPY).expect("a listing");
    let mut is_known = |number: &u32| {
        tree["warps"]["architecture"] = json!(number);
        LINKED.from_tree(&tree).is_ok()
    };
    let numbers: Vec<u32> = (30..200).filter(|number| is_known(number)).collect();
    assert!(numbers.len() > 15, "{numbers:?}");
    for number in numbers {
        let chain = opened(SAXPY, &json!({ "architecture": number }));
        let preset = format!("cc-{}.{}", number / 10, number % 10);
        let known = warps_lab::scenario::warps::preset_named(&preset).is_some();
        let named = chain["chain"]["machine"]["preset"].as_str();
        assert_eq!(named, known.then_some(&preset[..]), "sm_{number}");
    }
    let run = told(&opened(SAXPY, &json!({ "architecture": 86 })));
    let rests = run["kernels"][0]["rests"].as_array().cloned().unwrap_or_default();
    assert!(
        !rests.is_empty() && rests.iter().all(|rest| rest["on"] != "device"),
        "no other multiprocessor: {rests:?}"
    );
}
