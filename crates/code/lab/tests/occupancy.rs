//! Occupancy: from documents to what the page shows of it.

#![allow(missing_docs)]

use code_lab::page::{Seen, edits, occupancy};
use code_lab::report::OccupancyReport;
use code_lab::{LINKED, document};
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

const SAXPY: &str = include_str!("../../read/tests/fixtures/saxpy-sm_75.sass");
const SECTIONS: &str = include_str!("../../read/tests/fixtures/matmul-nvdisasm-sm_86.sass");

fn listed(text: &str, with: &Value) -> Value {
    let mut tree = document(text).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    tree["warps"]["method"] = json!({ "policy": "oldest-first" });
    for (key, value) in with.as_object().expect("an object") {
        tree["warps"][key] = value.clone();
    }
    tree
}

fn written(with: &Value) -> Value {
    let mut tree = json!({ "warpspan": 1, "warps": {
        "code": [{ "unit": "fp32", "hold": 2 }],
        "machine": { "partitions": 4, "units": { "fp32": {} } },
        "count": 4,
        "method": { "policy": "oldest-first" },
    } });
    for (key, value) in with.as_object().expect("an object") {
        tree["warps"][key] = value.clone();
    }
    tree
}

fn seen(tree: &Value) -> Seen {
    let scenario = LINKED.from_tree(tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    Seen::new(&LINKED.run(&scenario).line()).expect("a report that can be read again")
}

fn own(tree: &Value) -> OccupancyReport {
    seen(tree).report.occupancy.expect("an occupancy")
}

fn problems(tree: &Value) -> Vec<String> {
    LINKED.from_tree(tree).err().into_iter().flatten().map(|problem| problem.to_string()).collect()
}

fn notes(tree: &Value) -> Vec<String> {
    seen(tree).report.notes.into_iter().filter(|note| note.contains("asked for")).collect()
}

#[test]
fn a_listing_says_what_it_takes_or_shows_it() {
    let saxpy = own(&listed(SAXPY, &json!({})));
    assert_eq!((&saxpy.architecture[..], saxpy.architecture_assumed), ("sm_75", false));
    assert_eq!((saxpy.registers, &saxpy.registers_from[..], saxpy.highest), (10, "at least", Some(7)));
    assert_eq!((saxpy.shared, &saxpy.shared_from[..], saxpy.uses_shared), (0, "assumed", false));
    assert_eq!((saxpy.block, saxpy.threads, saxpy.blocks, saxpy.warps), (8, 256, 4, 32));
    assert_eq!(saxpy.limited_by, ["warps"]);
    assert_eq!(saxpy.allows.shared, None, "on Turing the system takes nothing");
    let matmul = own(&listed(SECTIONS, &json!({})));
    assert_eq!((matmul.registers, &matmul.registers_from[..]), (33, "text"));
    assert_eq!((matmul.shared, &matmul.shared_from[..], matmul.uses_shared), (16_384, "text", true));
    // 100 KiB hold 17 five times; 33 registers would allow six blocks of eight warps.
    assert_eq!((matmul.blocks, matmul.allows.registers, matmul.allows.shared), (5, Some(6), Some(5)));
    assert_eq!(matmul.limited_by, ["shared"]);
}

#[test]
fn the_document_says_otherwise() {
    let given = json!({ "registers": 64, "shared": 8192, "block": 4 });
    let saxpy = own(&listed(SAXPY, &given));
    assert_eq!((saxpy.registers, &saxpy.registers_from[..]), (64, "given"));
    assert_eq!((saxpy.shared, &saxpy.shared_from[..]), (8192, "given"));
    assert_eq!((saxpy.blocks, saxpy.warps), (8, 32));
    assert_eq!(saxpy.limited_by, ["registers", "shared", "warps"]);
    // Another architecture has other limits; the listing is assembled as it is.
    let older = own(&listed(SAXPY, &json!({ "architecture": 61 })));
    assert_eq!((&older.architecture[..], older.registers, older.warps), ("sm_61", 10, 64));
    let other = own(&listed(SAXPY, &json!({ "architecture": 80, "registers": 32 })));
    assert_eq!((&other.architecture[..], other.blocks, other.warps), ("sm_80", 8, 64));
}

#[test]
fn code_that_is_written_out_has_one_where_it_says_what_it_takes() {
    assert_eq!(seen(&written(&json!({}))).report.occupancy, None);
    let assumed = own(&written(&json!({ "registers": 128 })));
    assert_eq!((&assumed.architecture[..], assumed.architecture_assumed), ("sm_75", true));
    assert_eq!((assumed.blocks, assumed.warps), (4, 16));
    let given = own(&written(&json!({ "architecture": 90, "shared": 100_000 })));
    assert_eq!((&given.architecture[..], given.registers, given.allows.registers), ("sm_90", 0, None));
    assert_eq!((given.blocks, &given.limited_by[..]), (2, &["shared".into()][..]));
    assert!(occupancy::taken(&given)[0].known.starts_with("nobody says"));
    assert!(occupancy::sentence(&assumed).contains("nobody says which one it is"));
}

#[test]
fn what_is_refused() {
    for (with, said) in [
        (json!({ "registers": 256 }), "warps.registers: 256, expected a whole number, 1 to 255"),
        (json!({ "registers": 0 }), "warps.registers: 0, expected a whole number, 1 to 255"),
        (json!({ "shared": 232_449 }), "warps.shared: 232449, expected a whole number, 0 to 232448"),
        (json!({ "shared": "much" }), "warps.shared: \"much\", expected a whole number, 0 to 232448"),
    ] {
        assert_eq!(problems(&listed(SAXPY, &with)), [said]);
        assert_eq!(problems(&written(&with)), [said]);
    }
    let unknown = problems(&written(&json!({ "architecture": 99 })));
    assert!(unknown[0].starts_with("warps.architecture: sm_99, expected one of 50, 52, "), "{unknown:?}");
}

#[test]
fn more_warps_than_a_multiprocessor_holds_are_told() {
    assert_eq!(notes(&listed(SAXPY, &json!({}))), Vec::<String>::new());
    assert_eq!(
        notes(&listed(SAXPY, &json!({ "count": 12, "block": 4, "registers": 255 }))),
        [
            "12 warps are asked for; a multiprocessor of sm_75 holds 8: 2 blocks of 4 warps, limited by registers."
        ]
    );
    // Of what instructions name there may be more, so no more than that is held.
    assert_eq!(
        notes(&listed(SAXPY, &json!({ "count": 64, "block": 8 }))),
        [
            "64 warps are asked for; a multiprocessor of sm_75 holds at most 32: 4 blocks of 8 warps, limited by the number of warps."
        ]
    );
    assert_eq!(
        notes(&listed(SAXPY, &json!({ "count": 64 }))),
        ["64 warps are asked for, 64 of them in one block; a block has at most 32."]
    );
    assert_eq!(
        notes(&listed(SAXPY, &json!({ "count": 32, "registers": 128 }))),
        [
            "32 warps are asked for; a multiprocessor of sm_75 holds no block of 32 warps that takes 128 registers a thread and 0 bytes of shared memory: limited by registers."
        ]
    );
    assert_eq!(notes(&written(&json!({ "registers": 255, "count": 32, "block": 16 }))).len(), 1);
}

#[test]
fn what_is_said_changes_nothing_else() {
    let bare = seen(&listed(SAXPY, &json!({}))).report;
    let mut given = seen(&listed(SAXPY, &json!({ "registers": 200, "shared": 40_000 }))).report;
    assert_ne!(given.occupancy, bare.occupancy);
    given.occupancy.clone_from(&bare.occupancy);
    given.seconds = bare.seconds;
    assert_eq!(given, bare);
}

#[test]
fn numbers_are_edited() {
    let tree = listed(SAXPY, &json!({}));
    let registers = edits::with_need(&tree, "registers", " 64 ");
    assert_eq!(registers["warps"]["registers"], json!(64));
    assert_eq!(edits::with_need(&registers, "registers", ""), tree);
    assert_eq!(edits::with_need(&tree, "shared", "16,384")["warps"]["shared"], json!(16_384));
    assert_eq!(edits::with_threads(&tree, "100")["warps"]["block"], json!(4));
    assert_eq!(edits::with_threads(&edits::with_threads(&tree, "128"), ""), tree);
    assert!(
        !problems(&edits::with_threads(&tree, "many")).is_empty(),
        "what is no number is refused, not lost"
    );
    let held = edits::with_held(&tree, 32, 8);
    assert_eq!((&held["warps"]["count"], &held["warps"]["block"]), (&json!(32), &json!(8)));
    let block = edits::with_held(&edits::with_threads(&tree, "128"), 32, 4);
    assert_eq!((&block["warps"]["count"], &block["warps"]["block"]), (&json!(32), &json!(4)));
    let report = seen(&held).report;
    let own = report.occupancy.expect("an occupancy");
    assert_eq!((own.warps, occupancy::take(&own, report.count)), (32, None));
    assert_eq!(occupancy::take(&own, 8), Some(32));
}

#[test]
fn what_the_page_says() {
    let matmul = own(&listed(SECTIONS, &json!({ "block": 8 })));
    assert_eq!(
        occupancy::sentence(&matmul),
        "A multiprocessor of sm_86 holds 5 blocks of 8 warps: 40 of its 48 warps. Limited by shared memory."
    );
    let rows = occupancy::taken(&matmul);
    assert_eq!(rows.each_ref().map(|row| &row.value[..]), ["33", "16384", "256"]);
    let saxpy = own(&listed(SAXPY, &json!({})));
    assert!(occupancy::sentence(&saxpy).contains("holds at most 4 blocks of 8 warps"));
    assert!(occupancy::taken(&saxpy)[0].known.starts_with("at least: R7 is the highest"));
    let none = own(&listed(SAXPY, &json!({ "count": 64 })));
    assert!(occupancy::sentence(&none).contains("holds no block of 64 warps"));
    assert!(occupancy::taken(&none)[2].known.contains("more than the 32"));
    assert_eq!(occupancy::take(&none, 64), None);
}

#[test]
fn curves_go_through_what_is_held() {
    for tree in [listed(SECTIONS, &json!({})), listed(SAXPY, &json!({ "architecture": 80, "registers": 33 }))]
    {
        let own = own(&tree);
        let curves = occupancy::curves(&own);
        assert_eq!(
            curves.iter().map(|curve| curve.key).collect::<Vec<_>>(),
            ["registers", "threads", "shared"]
        );
        for curve in curves {
            let (at, warps) = curve.at.expect("a present number");
            assert_eq!((curve.warps[at as usize], warps), (own.warps, own.warps), "{}", curve.key);
            assert!(curve.warps.iter().all(|&warps| warps <= curve.most));
            assert!(curve.said.contains(&format!("Now {}, with ", own.warps)), "{}", curve.said);
            let (x, y) = curve.point(1000, 400).expect("a point");
            assert!(x <= 1000 && y <= 400);
            let line = curve.line(1000, 400);
            assert!(line.starts_with("M0 ") && line.ends_with("H1000"), "{line}");
        }
    }
    let a100 = own(&listed(SAXPY, &json!({ "architecture": 80, "registers": 33 })));
    let said = &occupancy::curves(&a100)[0].said;
    assert!(said.contains(": 64 up to 32 registers, 48 up to 40 registers, 40 up to 48 registers"), "{said}");
    let unknown = own(&written(&json!({ "shared": 1024 })));
    assert_eq!(occupancy::curves(&unknown)[0].at, None, "nobody says how many registers there are");
    let strange = OccupancyReport { architecture: "sm_1".to_owned(), ..a100 };
    assert!(occupancy::curves(&strange).is_empty());
}
