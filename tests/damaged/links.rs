//! Links cut off, retyped and forged.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use warpspan::base::Seeded;
use warpspan::import::json;
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::from_tree;
use warpspan::scenario::link::{LARGEST, LONGEST, View, open, write};

use super::clear;

/// A link to an example, with a view, as the page would copy it.
fn link(text: &str) -> String {
    let view = View { step: Some(12), t0: Some(0.25), theme: Some("dark".to_owned()), ..View::default() };
    format!("#{}", write(&json::parse(text).expect("examples are JSON"), &view).expect("examples fit"))
}

/// A body with the checksum that fits it.
fn signed(body: &str) -> String {
    format!("#{body}&c={:08x}", crc32fast::hash(body.as_bytes()))
}

/// A signed link whose scenario is this text.
fn packed(text: &[u8]) -> String {
    signed(&format!("v=1&s={}", URL_SAFE_NO_PAD.encode(compress_to_vec(text, 9))))
}

/// Links none of which may open, from every kind of damage.
pub fn damaged() -> Vec<String> {
    let mut links = BTreeSet::new();
    let mut rng = Seeded::new(41, 0);
    for example in BUILTINS {
        let sound = link(example.text);
        links.extend((0..sound.len()).step_by(7).map(|end| sound[..end].to_owned()));
        links.extend((2..sound.len()).step_by(11).map(|start| sound[start..].to_owned()));
        for _ in 0..60 {
            let text = retyped(&mut rng, &sound);
            // Upper and lower case of the checksum's digits mean the same.
            if !text.eq_ignore_ascii_case(&sound) || text[..text.len() - 8] != sound[..sound.len() - 8] {
                links.insert(text);
            }
        }
    }
    links.into_iter().chain(forged()).collect()
}

/// One character changed, lost, added, doubled or swapped with its neighbour, not counting the `#`.
fn retyped(rng: &mut Seeded, link: &str) -> String {
    const TYPED: &[u8] = b"aZ09-_=&#%+/ .";
    let mut bytes = link.as_bytes().to_vec();
    let i = 1 + rng.below(bytes.len() as u32 - 2) as usize;
    let typed = TYPED[rng.below(TYPED.len() as u32) as usize];
    match rng.below(5) {
        0 if bytes[i] != typed => bytes[i] = typed,
        1 => drop(bytes.remove(i)),
        2 => bytes.insert(i, bytes[i]),
        3 if bytes[i] != bytes[i + 1] => bytes.swap(i, i + 1),
        _ => bytes.insert(i, typed),
    }
    String::from_utf8(bytes).expect("still ASCII")
}

/// Links with a right checksum and a wrong inside.
fn forged() -> Vec<String> {
    let text = br#"{"warpspan":1,"warps":{"kernel":"L","count":1,"machine":{"L":1}}}"#;
    let raw = compress_to_vec(text, 9);
    let mut flipped = raw.clone();
    flipped[3] ^= 0x40;
    let s = URL_SAFE_NO_PAD.encode(&raw);
    let bodies = [
        String::new(),
        "v".to_owned(),
        "v=".to_owned(),
        "v=1".to_owned(),
        format!("v=0&s={s}"),
        format!("v=2&s={s}"),
        format!("v=-1&s={s}"),
        format!("v=1.0&s={s}"),
        format!("v=99999999999&s={s}"),
        format!("s={s}&v=1"),
        format!("V=1&S={s}"),
        "v=1&s=".to_owned(),
        "v=1&s".to_owned(),
        "v=1&s=A".to_owned(),
        "v=1&s=%7B%7D".to_owned(),
        format!("v=1&s={s}=="),
        format!("v=1&s={s}!"),
        format!("v=1&s={}", &s[..s.len() - 3]),
        format!("v=1&s={}", URL_SAFE_NO_PAD.encode(text)),
        format!("v=1&s={}", URL_SAFE_NO_PAD.encode(&flipped)),
        format!("v=1&s={}", URL_SAFE_NO_PAD.encode(compress_to_vec_zlib(text, 9))),
        format!("v=1&s={}", URL_SAFE_NO_PAD.encode([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])),
        format!("v=1&s={}", URL_SAFE.encode(compress_to_vec(b"{}", 9)) + "="),
        format!("v=1&s={}", STANDARD.encode([0xff, 0xff, 0xfe])),
        format!("v=1&s={s}&step=first"),
        format!("v=1&s={s}&step=-1"),
        format!("v=1&s={s}&step=1.5"),
        format!("v=1&s={s}&step=99999999999999999999"),
        format!("v=1&s={s}&t0=soon"),
        format!("v=1&s={s}&t0=NaN"),
        format!("v=1&s={s}&t1=inf"),
        format!("v=1&s={s}&t1="),
    ];
    let insides: [&[u8]; 8] = [
        b"",
        b"null and void",
        b"{\"warpspan\":1",
        b"{\"warpspan\":1,\"warpspan\":1}",
        b"\xff\xfe",
        b"[[[[1]]]",
        &[b'['; 500],
        &[b' '; LARGEST + 1],
    ];
    let long = signed(&format!("v=1&s={s}&x={}", "y".repeat(LONGEST)));
    bodies.iter().map(|body| signed(body)).chain(insides.map(packed)).chain([long]).collect()
}

#[test]
fn every_damaged_link_is_refused_with_a_reason() {
    let links = damaged();
    assert!(links.len() > 1_000, "{} links", links.len());
    for link in &links {
        let _name = super::Naming(link);
        clear(&[open(link).expect_err("damaged")]);
    }
}

/// In a file or on standard input a damaged link is refused as well, as a link or as a document.
#[test]
fn a_damaged_link_is_no_document_either() {
    for link in damaged() {
        assert!(super::refused(&link), "{link}");
    }
}

/// The wrapping is right, the scenario inside is not: its problems keep their places.
#[test]
fn a_sound_link_to_a_damaged_scenario() {
    for (place, text) in super::by_hand::documents() {
        if json::parse(&text).is_err() {
            continue;
        }
        let link = open(&packed(text.as_bytes())).expect("the link itself is sound");
        let problems = from_tree(&link.scenario).expect_err(&text);
        clear(&problems);
        if text.contains("\"warpspan\": 1,") {
            assert_eq!(problems[0].place, place, "{text}");
        }
    }
}

/// What mail and chat programs do to an address does not matter.
#[test]
fn harmless_changes_still_open() {
    for example in BUILTINS {
        let sound = link(example.text);
        let (body, sum) = sound.split_at(sound.len() - 8);
        for text in [
            sound[1..].to_owned(),
            format!("  {sound}\r\n"),
            format!("https://example.org/warpspan/{sound}"),
            format!("file:///C:/warpspan/index.html{sound}"),
            format!("{body}{}", sum.to_uppercase()),
        ] {
            assert!(open(&text).is_ok(), "{text}");
        }
    }
}
