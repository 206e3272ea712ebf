//! Listings with loops that nobody decides, as the form of a kernel has them.

use super::*;

/// A function of sm_75 with one instruction every 16 bytes.
fn function_of(name: &str, lines: &[&str]) -> String {
    let line = |(at, text): (usize, &&str)| {
        let address = at * 16;
        format!("        /*{address:04x}*/ {text} ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n")
    };
    let lines: String = lines.iter().enumerate().map(line).collect();
    format!("\tcode for sm_75\n\t\tFunction : {name}\n{lines}")
}

const TWO_LOOPS: [&str; 6] =
    ["MOV R1, c[0x0][0x28]", "FADD R2, R2, R1", "@P0 BRA 0x10", "FADD R3, R3, R1", "@P1 BRA 0x30", "EXIT"];

fn kernel(own: Value) -> Value {
    let mut kernel = json!({ "name": "k", "threads": 64, "sass": function_of("k", &TWO_LOOPS) });
    for (key, value) in own.as_object().into_iter().flatten() {
        kernel[key] = value.clone();
    }
    json!({ "warpspan": 1, "chain": { "device": { "sms": 1, "threads": 64, "threads_per_block": 64 }, "kernels": [kernel] } })
}

fn fields(tree: &Value) -> Vec<(String, String, String)> {
    let found = found(&asked(tree, 0));
    rounds(tree, 0, &found).into_iter().map(|own| (own.label, own.value, own.usual)).collect()
}

fn row(label: &str, value: &str, usual: &str) -> (String, String, String) {
    (label.to_owned(), value.to_owned(), usual.to_owned())
}

fn with(tree: &Value, key: &str, typed: &str) -> Value {
    with_rounds(tree, 0, &found(&asked(tree, 0)), key, typed)
}

fn loops(tree: &Value) -> Option<&Value> {
    tree["chain"]["kernels"][0].get("loops")
}

fn is_valid(tree: &Value) -> bool {
    crate::LINKED.from_tree(tree).is_ok()
}

#[test]
fn a_loop_that_nobody_decides_has_a_field() {
    let tree = kernel(json!({}));
    assert!(is_valid(&tree), "{:?}", crate::LINKED.from_tree(&tree));
    let once = [row("Rounds at 0x0010", "", "1"), row("Rounds at 0x0030", "", "1")];
    assert_eq!(fields(&tree), once);
    // What the text decides, and what is no loop, has none.
    let straight = kernel(json!({ "sass": function_of("k", &TWO_LOOPS[..1]) }));
    assert_eq!(fields(&straight), []);
    for nothing in [json!({ "sass": "no listing" }), json!({ "sass": 3 }), json!({ "function": "gone" })] {
        assert_eq!(fields(&kernel(nothing)), []);
    }
}

#[test]
fn rounds_are_written_by_address_and_taken_back() {
    let tree = kernel(json!({}));
    let one = with(&tree, "0x10", " 16");
    assert_eq!(loops(&one), Some(&json!({ "0x10": 16 })));
    assert!(is_valid(&one) && is_each(&one, 0) && !is_each(&tree, 0));
    assert_eq!(fields(&one)[0], row("Rounds at 0x0010", "16", "1"));
    let two = with(&one, "0x30", "4");
    assert_eq!(loops(&two), Some(&json!({ "0x10": 16, "0x30": 4 })));
    assert_eq!(with(&two, "0x30", ""), one);
    assert_eq!(with(&one, "0x10", " "), tree);
    // What is no number stays, for the reader to refuse.
    let often = with(&one, "0x30", "often");
    assert_eq!(loops(&often), Some(&json!({ "0x10": 16, "0x30": "often" })));
    assert!(!is_valid(&often));
    assert_eq!(fields(&often)[1].1, "often");
}

#[test]
fn a_number_for_all_becomes_one_for_each() {
    let tree = kernel(json!({ "loops": 8 }));
    assert_eq!(fields(&tree), [row("Rounds at 0x0010", "", "8"), row("Rounds at 0x0030", "", "8")]);
    assert_eq!(with(&tree, "0x10", ""), tree);
    let one = with(&tree, "0x10", "3");
    assert_eq!(loops(&one), Some(&json!({ "0x10": 3, "0x30": 8 })));
    let slot = for_all(0);
    assert_eq!(get(&tree, &slot.path), Some(&json!(8)));
}

/// Keys stay as they are written: addresses with noughts before them, labels, and what is no loop.
#[test]
fn what_is_written_is_kept() {
    let text = function_of("k", &TWO_LOOPS).replace("        /*0030*/", ".L_x_1:\n        /*0030*/");
    let tree = kernel(json!({ "sass": text, "loops": { "0x0010": 5, ".L_x_1": 6 } }));
    assert!(is_valid(&tree), "{:?}", crate::LINKED.from_tree(&tree));
    let each = [row("Rounds at 0x0010", "5", "1"), row("Rounds at 0x0030", "6", "1")];
    assert_eq!(fields(&tree), each);
    let keys: Vec<String> =
        rounds(&tree, 0, &found(&asked(&tree, 0))).into_iter().map(|own| own.key).collect();
    assert_eq!(keys, ["0x0010", ".L_x_1"]);
    let seven = with(&tree, ".L_x_1", "7");
    assert_eq!(loops(&seven), Some(&json!({ "0x0010": 5, ".L_x_1": 7 })));
    // Where no loop begins there is a field, too, so that it can be taken out.
    let wrong = kernel(json!({ "loops": { "0x20": 5 } }));
    assert!(!is_valid(&wrong));
    assert_eq!(fields(&wrong)[2], row("Rounds at 0x20", "5", ""));
    assert_eq!(loops(&with(&wrong, "0x20", "")), None);
    let told = |tree: &Value| problems(&crate::LINKED.from_tree(tree).err().unwrap_or_default(), 0);
    assert_eq!(told(&wrong), ["Rounds of loops: no loop begins at 0x0020. Expected 0x0010, 0x0030."]);
    let often = with(&kernel(json!({})), "0x10", "often");
    assert_eq!(told(&often), ["Rounds at 0x10: \"often\". Expected a whole number, 1 to 1000000."]);
    assert_eq!(told(&kernel(json!({ "loops": 0 })))[0][..20], *"Rounds of loops: 0. ");
}

#[test]
fn a_function_is_chosen_where_there_are_several() {
    let asks = |tree: &Value| {
        let asked = asked(tree, 0);
        let found = found(&asked);
        (function(&asked, &found), functions(&asked, &found))
    };
    let pair = |name: &str| (name.to_owned(), name.to_owned());
    assert_eq!(asks(&kernel(json!({}))), ("k".to_owned(), vec![]));
    let both = function_of("k", &TWO_LOOPS) + &function_of("other", &TWO_LOOPS[..3]);
    let tree = kernel(json!({ "sass": both, "loops": { "0x30": 4 } }));
    assert_eq!(asks(&tree), ("k".to_owned(), vec![pair("k"), pair("other")]));
    let other = with_function(&tree, 0, "other");
    assert_eq!(other["chain"]["kernels"][0]["function"], "other");
    assert_eq!(loops(&other), loops(&tree), "rounds are kept");
    assert_eq!(fields(&other), [row("Rounds at 0x0010", "", "1"), row("Rounds at 0x30", "4", "")]);
    let gone = with_function(&tree, 0, "gone");
    assert_eq!(asks(&gone).1[2], ("gone".to_owned(), "gone (not in the listing)".to_owned()));
}

#[test]
fn a_listing_says_which_multiprocessor_it_brings_along() {
    let said = |own: Value| {
        let tree = kernel(own);
        machine(&tree, 0, &found(&asked(&tree, 0)))
    };
    let own = said(json!({}));
    assert_eq!(
        own.as_deref(),
        Some("The listing is for sm_75: it brings the units and latencies of that along.")
    );
    let other = said(json!({ "architecture": 86 })).unwrap_or_default();
    assert!(other.contains("is for sm_75, and read as one for sm_86"), "{other}");
    assert_eq!(
        said(json!({ "architecture": 75 })).as_deref(),
        Some("Units and latencies are those of sm_75.")
    );
    let plain = function_of("k", &TWO_LOOPS).replace("\tcode for sm_75\n", "");
    let nobody = said(json!({ "sass": plain })).unwrap_or_default();
    assert!(nobody.contains("does not say what it is for"), "{nobody}");
    assert_eq!(said(json!({ "architecture": "new" })), None, "a mistake is told as one");
    assert_eq!(said(json!({ "sass": "" })), None);
}
