//! What is read of what is written, held against what a reader would take it for.

use super::*;

const TERMS: Terms = Terms {
    plain: "Part of a name",
    keys: &[
        ("warp", Kind::Number),
        ("start", Kind::Time),
        ("wait", Kind::Amount),
        ("kind", Kind::Text),
        ("cycle", Kind::Number),
    ],
    bare: None,
    example: "conv warp:5",
};

fn read(text: &str) -> Query {
    Query::read(text, &TERMS).unwrap_or_else(|why| unreachable!("{text}: {why}"))
}

fn number(key: &'static str, from: f64, to: f64) -> (&'static str, Value) {
    (key, Value::Within(from, to))
}

#[test]
fn terms_are_written_in_several_ways() {
    let wanted = vec![number("warp", 5.0, 5.0), number("cycle", 90.0_f64.next_up(), f64::MAX)];
    for text in ["warp:5 cycle>90", "warp 5 cycle > 90", "Warp=5 cycle:>90", "warp: 5 cycle >90"] {
        assert_eq!(read(text).terms, wanted, "{text}");
    }
    let range = vec![number("cycle", 80.0, 120.0)];
    for text in ["cycle:80..120", "cycle:80-120", "cycle 80..120"] {
        assert_eq!(read(text).terms, range, "{text}");
    }
    assert_eq!(read("cycle:80..").terms, [number("cycle", 80.0, f64::MAX)]);
    assert_eq!(read("cycle:..80").terms, [number("cycle", 0.0, 80.0)]);
    assert_eq!(read("cycle<=80").terms, [number("cycle", 0.0, 80.0)]);
    assert_eq!(read("cycle>=80").terms, [number("cycle", 80.0, f64::MAX)]);
    assert_eq!(read("wait").terms, [number("wait", 0.0_f64.next_up(), f64::MAX)]);
    assert_eq!(read("kind:Copy").terms, [("kind", Value::Part("copy".to_owned()))]);
}

#[test]
fn times_have_units() {
    assert_eq!(read("start:2us").terms, [number("start", 2e3, 2e3)]);
    assert_eq!(read("start:1.5ms..2s").terms, [number("start", 1.5e6, 2e9)]);
    assert_eq!(read("start:2..5ms").terms, [number("start", 2e6, 5e6)]);
    assert_eq!(read("start:7").terms, [number("start", 7.0, 7.0)]);
}

#[test]
fn names_stay_as_they_are() {
    let names = [
        "s_waitcnt lgkmcnt(0)",
        "at::native::add<float>",
        "gemm<128>",
        "K2:5",
        "warp",
        "kind of",
        "ld.global",
        "f(x)=y",
        "$L__BB0_2:",
        "0x0070",
    ];
    for name in names {
        let query = read(name);
        assert_eq!((query.plain.as_str(), query.terms.len()), (name.to_lowercase().as_str(), 0), "{name}");
    }
    let query = read("conv \"tile=128 x\" warp:2");
    assert_eq!((query.plain.as_str(), query.terms.len()), ("conv tile=128 x", 1));
    assert!(query.names("a CONV TILE=128 X") && !query.names("conv"));
}

#[test]
fn what_is_no_term_says_which_there_are() {
    let wrong = |text: &str| Query::read(text, &TERMS).err().unwrap_or_default();
    for unknown in ["wrap:5", "conv wrap>5", "stream:x"] {
        let said = wrong(unknown);
        assert!(said.starts_with("No term ") && said.contains("warp: start> wait> kind: cycle:"), "{said}");
        assert!(said.ends_with("conv warp:5"), "{said}");
    }
    assert_eq!(wrong("warp:x"), "warp: expected a number such as 5, >20 or 80..120, found x");
    assert_eq!(wrong("warp:"), "warp: expected a number such as 5, >20 or 80..120, found nothing");
    assert_eq!(wrong("kind:"), "kind: expected a text, found nothing");
    for bad in [
        "warp:5us",
        "start:5m",
        "cycle<0",
        "cycle:5..x",
        "warp:1e3",
        "warp:-",
        "warp:>",
        "start:inf",
        "warp:--1",
    ] {
        assert!(wrong(bad).contains(": expected "), "{bad}");
    }
}

#[test]
fn a_number_alone_may_have_a_key() {
    let terms = Terms { bare: Some("cycle"), ..TERMS };
    let read = |text: &str| Query::read(text, &terms).map(|query| query.terms).unwrap_or_default();
    assert_eq!(read("80..120"), [number("cycle", 80.0, 120.0)]);
    assert_eq!(read(">90 warp:1"), [number("cycle", 90.0_f64.next_up(), f64::MAX), number("warp", 1.0, 1.0)]);
}

#[test]
fn all_terms_must_hold() {
    let answer = |key: &'static str| match key {
        "warp" => Answer::Number(5.0),
        "kind" => Answer::from("Copy"),
        _ => Answer::None,
    };
    for (text, holds) in [
        ("warp:5", true),
        ("warp:4..6 kind:cop", true),
        ("warp>5", false),
        ("warp:5 cycle:1", false),
        ("kind:x", false),
    ] {
        assert_eq!(read(text).holds(&answer), holds, "{text}");
    }
}

#[test]
fn nothing_that_is_written_breaks_it() {
    let mut rng = base::Seeded::new(11, 0);
    let letters: Vec<char> = "warpcycle:=<>.-\"5 0µsé,".chars().collect();
    for _ in 0..20_000 {
        let text: String =
            (0..rng.below(14)).map(|_| letters[rng.below(letters.len() as u32) as usize]).collect();
        if let Err(why) = Query::read(&text, &TERMS) {
            assert!(!why.is_empty());
        }
    }
}
