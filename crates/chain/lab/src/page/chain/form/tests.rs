//! Edits of a chain's document, as its form makes them.

use super::*;
use kit::scenario::builtin::BUILTINS;

fn tree() -> Value {
    json!({"warpspan": 1, "chain": {"order": ["a", "b"],
        "kernels": [{"name": "a", "kernel": "LCL", "threads": 32}, {"name": "b", "cycles": 9, "threads": 64}],
        "cores": [{"name": "x"}, {"name": "y"}],
        "tasks": [{"name": "t", "core": "y", "period": 1_500_000, "segments": [{"cpu": 1}, {"launch": "a"}, {"launch": "b"}]}]}})
}

fn is_valid(tree: &Value) -> bool {
    crate::LINKED.from_tree(tree).is_ok()
}

#[test]
fn what_is_added_is_valid() {
    let mut all = tree();
    assert!(is_valid(&all));
    for _ in 0..3 {
        all = with_new_task(&with_new_core(&all));
    }
    for does in Does::ALL {
        all = with_new_segment(&all, 1, does);
        let added = items(&all, &segments(1)).last().and_then(|segment| Does::of(segment, None));
        assert_eq!(added, Some(does));
    }
    assert!(is_valid(&all), "{:?}", crate::LINKED.from_tree(&all));
    let more = with_order(&with_new_kernel(&all), "worst");
    assert!(is_valid(&more) && order(&more) == "worst");
    assert_eq!((order(&all), order(&with_order(&more, "listed"))), ("listed", "listed"));
}

#[test]
fn names_are_followed_by_what_refers_to_them() {
    let after = renamed(&tree(), &KERNELS, 0, "blur");
    assert_eq!(after["chain"]["tasks"][0]["segments"][1], json!({"launch": "blur"}));
    assert_eq!(after["chain"]["order"], json!(["blur", "b"]));
    let after = renamed(&after, &CORES, 1, "big");
    assert_eq!(after["chain"]["tasks"][0]["core"], "big");
    assert!(is_valid(&after));
    // A name that another has would join what is not the same.
    let after = renamed(&tree(), &KERNELS, 0, "b");
    assert_eq!(after["chain"]["tasks"][0]["segments"][1], json!({"launch": "a"}));
    assert_eq!(renamed(&tree(), &KERNELS, 9, "z"), tree());
}

#[test]
fn a_source_takes_the_place_of_another() {
    let cycles = with_source(&tree(), 0, Source::Cycles);
    assert_eq!(cycles["chain"]["kernels"][0], json!({"name": "a", "cycles": 1000, "threads": 32}));
    assert!(is_valid(&cycles));
    assert_eq!(Source::of(Some(&cycles["chain"]["kernels"][0]), None), Source::Cycles);
    // While its number is being written there is none.
    let none = json!({"name": "a", "threads": 32});
    assert_eq!(Source::of(Some(&none), Some(Source::Cycles)), Source::Cycles);
    assert_eq!(Source::of(Some(&none), None), Source::String);
    assert_eq!(Does::of(&json!({}), Some(Does::Ticks)), Some(Does::Ticks));
    assert_eq!(Does::of(&json!({"cpu": 1, "ticks": 2}), Some(Does::Ticks)), None);
    let code = with_source(&cycles, 0, Source::Code);
    assert!(is_valid(&code), "{code}");
    assert_eq!(Source::of(Some(&code["chain"]["kernels"][0]), None), Source::Code);
    assert_eq!(with_source(&code, 0, Source::Cycles), cycles, "nothing of it is left");
    let listed = with_source(&code, 0, Source::Sass);
    assert_eq!(listed["chain"]["kernels"][0], json!({"name": "a", "sass": "", "threads": 32}));
    let back = with_source(&cycles, 0, Source::String);
    assert!(
        is_valid(&back)
            && Source::of(Some(&back["chain"]["kernels"][0]), Some(Source::Cycles)) == Source::String
    );
}

#[test]
fn heads_tell_the_gist() {
    let tree = tree();
    assert_eq!(about_kernel(&tree, 1), "1 × 64");
    assert_eq!(about_task(&tree, 0), "3 segments, every 1.5 ms");
    assert_eq!([about_core(&tree, 0), about_core(&tree, 1)], ["0 tasks", "1 task"]);
    assert_eq!(preset(&tree, "device", "jetson-tx2").as_deref(), Some("jetson-tx2"));
}

#[test]
fn every_example_can_be_edited() {
    for example in BUILTINS.iter().filter(|example| example.group == "Chain") {
        let Ok(tree) = kit::import::json::parse(example.text) else { unreachable!("{}", example.name) };
        for place in 0..items(&tree, &KERNELS).len() {
            let after = renamed(&tree, &KERNELS, place, "another name");
            assert!(is_valid(&after), "{}", example.name);
        }
        assert!(
            is_valid(&with_new_task(&with_new_core(&tree))) || tree.to_string().contains("priority"),
            "{}",
            example.name
        );
    }
}

#[test]
fn the_multiprocessor_says_what_it_is_for() {
    let with =
        |kernels: Value| machine_is_for(&json!({ "chain": { "kernels": kernels } })).unwrap_or_default();
    let (string, ptx) = (json!({ "kernel": "LC" }), json!({ "ptx": "" }));
    let (sass, cycles) = (json!({ "sass": "" }), json!({ "cycles": 9 }));
    assert_eq!(with(json!([string, ptx])), "");
    assert_eq!(with(json!([])), "");
    assert!(with(json!([string, sass])).starts_with("For kernels given as strings or PTX;"));
    assert!(
        with(json!([sass, cycles])).starts_with("Not used: this is for kernels given as strings or PTX.")
    );
}

#[test]
fn numbers_at_heads_have_their_digits_in_threes() {
    let tree =
        json!({ "chain": { "kernels": [{ "blocks": 10_000, "threads": 1_024 }, { "threads": "many" }] } });
    assert_eq!([about_kernel(&tree, 0), about_kernel(&tree, 1)], ["10,000 × 1,024", "1 × many"]);
}
