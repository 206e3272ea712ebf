//! The built-in examples, damaged by machine.

use std::fmt::Write;

use serde_json::{Value, json};
use warpspan::base::Seeded;
use warpspan::scenario::builtin::{BUILTINS, Builtin};

use super::refused;

/// All examples but studies, which are many scenarios each, and the large ones, which take their time wherever a mutation leaves them right.
fn quick() -> impl Iterator<Item = &'static Builtin> {
    let large =
        ["large", "many-blocks", "chain-camera", "chain-machine-code", "code-mandelbrot", "code-scan"];
    BUILTINS.iter().filter(move |example| example.group != "Studies" && !large.contains(&example.name))
}

/// Those that hold no file of the examiner or of a profiler, and no machine code: such files may lack much and say more
/// than anybody reads, and instructions may be more or fewer, with or without most of what they have.
fn own() -> impl Iterator<Item = &'static Builtin> {
    let others = ["\"examiner\"", "\"measured\"", "\"recorded\"", "\"code\"", "\"sass\""];
    quick().filter(move |example| !others.iter().any(|key| example.text.contains(key)))
}

/// How many of `texts` are refused; all must be dealt with soundly.
fn count(texts: impl IntoIterator<Item = String>) -> (usize, usize) {
    texts.into_iter().fold((0, 0), |(all, bad), text| (all + 1, bad + usize::from(refused(&text))))
}

/// A text cut at the nearest character boundary before `end`.
fn cut(text: &str, mut end: usize) -> &str {
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Longer examples are cut at about [`CUTS`] places only: every cut reads all before it.
const LONG: usize = 20_000;
const CUTS: usize = 4_000;

#[test]
fn cut_off_anywhere() {
    let mut all = 0;
    for example in BUILTINS {
        let text = example.text.trim_end();
        let step = if text.len() > LONG { text.len() / CUTS } else { 1 };
        for end in (0..text.len()).step_by(step) {
            assert!(refused(cut(text, end)), "{}: {}", example.name, cut(text, end));
            all += 1;
        }
    }
    assert!(all > 3_000);
}

#[test]
fn begun_too_late() {
    for example in own() {
        for start in example.text.char_indices().map(|(i, _)| i).skip(1).step_by(3) {
            assert!(refused(&example.text[start..]), "{}", &example.text[start..]);
        }
    }
}

/// Bytes flipped, deleted, doubled, swapped and thrown in; not every one of these does harm.
#[test]
fn scratched_anywhere() {
    let mut rng = Seeded::new(99, 0);
    let mut totals = (0, 0);
    for example in quick() {
        let texts = (0..400).map(|_| {
            let mut bytes = example.text.as_bytes().to_vec();
            for _ in 0..=rng.below(3) {
                scratch(&mut rng, &mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let (all, bad) = count(texts);
        totals = (totals.0 + all, totals.1 + bad);
    }
    assert!(totals.1 > 1_000, "{totals:?}");
}

fn scratch(rng: &mut Seeded, bytes: &mut Vec<u8>) {
    const THROWN: &[u8] = b"{}[]\",:0-9eE.LCSD( )\\\0\n\xff";
    let at = |rng: &mut Seeded, bytes: &[u8]| rng.below(bytes.len() as u32) as usize;
    let i = at(rng, bytes);
    match rng.below(6) {
        0 => bytes[i] ^= 1 << rng.below(8),
        1 => drop(bytes.remove(i)),
        2 => bytes.insert(i, THROWN[at(rng, THROWN)]),
        3 => bytes[i] = THROWN[at(rng, THROWN)],
        4 => {
            let j = at(rng, bytes);
            bytes.swap(i, j);
        }
        _ => {
            let end = (i + 1 + rng.below(20) as usize).min(bytes.len());
            let piece = bytes[i..end].to_vec();
            let j = at(rng, bytes);
            bytes.splice(j..j, piece);
        }
    }
}

/// Values of every type and some of every size, to stand where they do not belong.
fn strangers() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1),
        json!(0.5),
        json!(65),
        json!(1_000_001),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(-0.0),
        json!(""),
        json!("L"),
        json!("a\nb\u{1b}[2J\u{202e}"),
        json!("x".repeat(100_000)),
        json!([]),
        json!([[[]]]),
        json!([null]),
        json!([1, 2, 3]),
        json!({}),
        json!({"": 1}),
        json!({"L": 1}),
        json!({"preset": "cc-2.1"}),
        json!({"initial": "most-pending"}),
    ]
}

/// The places of all values in a tree, as JSON pointers; of a list, the first and the last only.
fn places(tree: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match tree {
        Value::Object(map) => {
            for (key, value) in map {
                places(value, &format!("{at}/{key}"), out);
            }
        }
        Value::Array(items) => {
            for (i, value) in items.iter().enumerate().filter(|(i, _)| *i == 0 || i + 1 == items.len()) {
                places(value, &format!("{at}/{i}"), out);
            }
        }
        _ => {}
    }
}

/// Each example as a tree, with the places in it.
fn trees(examples: impl Iterator<Item = &'static Builtin>) -> impl Iterator<Item = (Value, Vec<String>)> {
    examples.map(|example| {
        let tree: Value = serde_json::from_str(example.text).expect("examples are JSON");
        let mut found = Vec::new();
        places(&tree, "", &mut found);
        (tree, found)
    })
}

fn changed(tree: &Value, place: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut tree = tree.clone();
    change(tree.pointer_mut(place).expect("a place in the tree"));
    tree.to_string()
}

#[test]
fn every_value_replaced_by_every_stranger() {
    let (mut all, mut bad) = (0, 0);
    for (tree, places) in trees(quick()) {
        for place in &places {
            let texts = strangers().into_iter().map(|value| changed(&tree, place, |at| *at = value));
            let (more, refused) = count(texts);
            (all, bad) = (all + more, bad + refused);
        }
    }
    assert!(all > 2_000 && bad > all * 3 / 4, "{bad} of {all}");
}

#[test]
fn every_key_removed_renamed_and_given_twice() {
    for (tree, places) in trees(own()) {
        for (parent, key) in places.iter().filter_map(|place| place.rsplit_once('/')) {
            if !tree.pointer(parent).is_some_and(Value::is_object) {
                continue;
            }
            let without = changed(&tree, parent, |at| drop(at.as_object_mut().map(|map| map.remove(key))));
            let optional = ["title", "notes", "method", "seed", "path", "references", "memory"]
                .contains(&key)
                || parent.ends_with("/memory") && key == "misses"
                || parent.ends_with("/machine")
                || parent.ends_with("/anneal")
                || parent.ends_with("/beam")
                || parent.ends_with("/conjecture") && !["claim", "ranges"].contains(&key)
                || place_of_blocks(parent) && !["streams", "operations"].contains(&key)
                || parent.starts_with("/chain") && !NEEDED_OF_CHAINS.contains(&key)
                || parent.starts_with("/tasks") && ["name", "most", "fan", "seed", "horizon"].contains(&key);
            assert!(refused(&without) || optional, "{key}: {without}");
            let renamed = tree.to_string().replacen(&format!("\"{key}\":"), &format!("\"{key} \":"), 1);
            assert!(refused(&renamed), "{renamed}");
            let twice =
                tree.to_string().replacen(&format!("\"{key}\":"), &format!("\"{key}\":1,\"{key}\":"), 1);
            assert!(refused(&twice), "{twice}");
        }
    }
}

/// What no chain does without.
const NEEDED_OF_CHAINS: [&str; 5] = ["kernels", "kernel", "segments", "threads", "period"];

/// Whether an object is part of a blocks document, where most things have a default.
fn place_of_blocks(parent: &str) -> bool {
    parent.starts_with("/blocks")
}

#[test]
fn lists_shortened_lengthened_and_mixed() {
    let mut rng = Seeded::new(5, 0);
    for (tree, places) in trees(own()) {
        for place in &places {
            let Some(items) = tree.pointer(place).and_then(Value::as_array) else { continue };
            let without = changed(&tree, place, |at| drop(at.as_array_mut().and_then(Vec::pop)));
            let more = changed(&tree, place, |at| at.as_array_mut().expect("a list").push(items[0].clone()));
            let free = place.ends_with("/starts") || place.ends_with("/references");
            let fewer = free || place.ends_with("/sub_blocks"); // any boundary may be left out
            // A step may be there or not, and one more stream or operation does no harm.
            // So may a task or an edge that others do without, but none may be there twice.
            let either = place.contains("/ranges/")
                || place_of_blocks(place)
                || place.starts_with("/tasks")
                || place.starts_with("/chain");
            let found = (refused(&without), refused(&more));
            assert!(either || found == (!fewer, !free), "{without}\n{more}");
            assert!(!place.starts_with("/tasks") || place.ends_with("/sizes") || found.1, "{more}");
            for _ in 0..50 {
                let mut items = items.clone();
                rng.shuffle(&mut items);
                refused(&changed(&tree, place, |at| *at = Value::Array(items)));
            }
        }
    }
}

/// Kernel strings made of the right letters in any order: read or refused, never more.
#[test]
fn any_kernel_string() {
    const LETTERS: [&str; 12] = ["L", "C", "S", "D", "(", ")", "2", "0", "9", " ", "x", "10000"];
    let mut rng = Seeded::new(8, 0);
    let (all, bad) = count((0..2_000).map(|_| {
        let mut kernel = String::new();
        for _ in 0..=rng.below(12) {
            let _ = write!(kernel, "{}", LETTERS[rng.below(12) as usize]);
        }
        format!(
            r#"{{"warpspan":1,"warps":{{"kernel":"{kernel}","count":2,"machine":{{"preset":"cc-7.5"}}}}}}"#
        )
    }));
    assert!(bad > all / 2 && bad < all, "{bad} of {all}");
}
