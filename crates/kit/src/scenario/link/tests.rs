//! Links there and back, damaged links, and links of every age.

use super::*;
use base::Seeded;
use expect_test::{Expect, expect};

fn sample() -> Result<String, Problem> {
    let view = View {
        step: Some(12),
        t0: Some(0.2),
        t1: Some(1.1),
        sel: Some("2:5".to_owned()),
        theme: Some("dark".to_owned()),
        embed: true,
        hide: true,
        projector: true,
        find: true,
        lesson: Some(LessonSource::Own(r#"{"lesson":1,"title":"x"}"#.to_owned())),
        at: Some(2),
        rows: None,
        pin: Some(r#"{"warpspan":1,"warps":{"kernel":"LLC"}}"#.to_owned()),
    };
    write(&json::parse(r#"{"warpspan":1,"warps":{"kernel":"LCL"}}"#)?, &view)
}

fn wrong(text: &str, expected: Expect) {
    let shown = open(text).map_or_else(|problem| problem.to_string(), |link| format!("opened: {link:?}"));
    expected.assert_eq(&shown);
}

fn with_sum(body: &str) -> String {
    format!("#{body}&c={:08x}", crc32(body.as_bytes()))
}

#[test]
fn there_and_back() -> Result<(), Problem> {
    let link = sample()?;
    for text in [link.clone(), format!("#{link}"), format!("https://example.org/warpspan/#{link}\n")] {
        let opened = open(&text)?;
        assert_eq!(json::line(&opened.scenario), r#"{"warpspan":1,"warps":{"kernel":"LCL"}}"#);
        assert_eq!(write(&opened.scenario, &opened.view)?, link);
    }
    assert!(link.ends_with(|c: char| c.is_ascii_hexdigit()));
    Ok(())
}

/// Old links must open for ever: this one was written by version 1 and stays as it is.
#[test]
fn a_link_of_version_1_still_opens() -> Result<(), Problem> {
    let old = "#v=1&s=JY7BasMwEER_ZdlTC6LUjg9FxwR68qH30oOQp7WwIgXtuiUN_vfICgPLMLPw5sZ_rlzk4hLbzrAGjWDL73kt1BrK3zSeRjacskL2LvysBdTvzREF__lXlmswdIxQcUIuTfQBVRShp_61OzzbmlEuE0ordQaJnzGtERSUzm6BGHojf_UR8lJhjc32xgtKQqzYxwif16RsB8Nn5-eQsP-Mbfup3q3m0DlPe9yAbD8705m-6lA1VD80P3xt23YH&c=18c81638";
    let scenario = labs::LINKED.from_tree(&open(old)?.scenario);
    assert_eq!(scenario.map(|s| s.title), Ok("Four warps of LCL".to_owned()));
    Ok(())
}

#[test]
fn every_cut_is_noticed() -> Result<(), Problem> {
    let link = sample()?;
    for end in 0..link.len() {
        assert!(open(&link[..end]).is_err(), "{}", &link[..end]);
    }
    Ok(())
}

#[test]
fn every_flipped_character_is_noticed() -> Result<(), Problem> {
    let link = sample()?;
    for i in 0..link.len() {
        let mut bytes = link.clone().into_bytes();
        bytes[i] = if bytes[i] == b'x' { b'y' } else { b'x' };
        assert!(open(&String::from_utf8_lossy(&bytes)).is_err(), "character {i}");
    }
    Ok(())
}

#[test]
fn damage_is_named() {
    wrong("", expect!["link: nothing after #, expected #v=1&s=...&c=..."]);
    wrong("#hello", expect![[r#"link: begins with "hello", expected v=1 first"#]]);
    wrong(
        "#v=3&s=abc&c=00000000",
        expect!["link: made by a newer version (3); this one understands up to 1, expected v=1 first"],
    );
    wrong(
        "#v=1&s=abc",
        expect![
            "link: no checksum at its end: it was cut off, expected the whole link, up to &c= and 8 digits"
        ],
    );
    wrong(
        "#v=1&s=abc&c=12345",
        expect![[
            r#"link: checksum "12345": it was cut off or something was added, expected 8 hexadecimal digits at the end"#
        ]],
    );
    wrong(
        "#v=1&s=abc&c=12345678",
        expect![
            "link: the checksum does not fit: something in it was changed, expected the link as it was copied"
        ],
    );
    wrong(
        &with_sum("v=1&s=%%%"),
        expect!["link: its scenario is damaged: not base64url, expected the link as it was copied"],
    );
    wrong(
        &with_sum("v=1&s=abcd"),
        expect!["link: its scenario is damaged: not DEFLATE, expected the link as it was copied"],
    );
    wrong(&with_sum("v=1&step=1"), expect!["link: no scenario in it, expected a part s=..."]);
    wrong(&with_sum("v=1&step=-1"), expect![[r#"link: step="-1", expected a number"#]]);
    wrong(&with_sum("v=1&t0=inf"), expect![[r#"link: t0="inf", expected a finite number"#]]);
    wrong(&"x".repeat(70_000), expect!["link: a link of 68 KiB, expected at most 64 KiB"]);
}

#[test]
fn a_bomb_is_not_inflated() {
    let bomb = miniz_oxide::deflate::compress_to_vec(&vec![b' '; LARGEST + 1], 9);
    let body = format!("v=1&s={}", URL_SAFE_NO_PAD.encode(bomb));
    wrong(&with_sum(&body), expect!["link: a scenario of more than 4 MiB, expected at most 4 MiB"]);
}

#[test]
fn unknown_keys_are_listed() -> Result<(), Problem> {
    let body = sample()?.rsplit_once("&c=").map(|(body, _)| format!("{body}&zoom=3")).unwrap_or_default();
    assert_eq!(open(&with_sum(&body))?.unknown, ["zoom"]);
    Ok(())
}

/// Texts that something on the way may change, or that end a part of a link.
const HOSTILE: [&str; 14] = [
    "edge detect",
    "Kantenglättung",
    "\"><img src=x onerror=\"alert(1)\">",
    "a&b",
    "a&embed=1&c=00000000",
    "#",
    "50% off",
    "a%41",
    "%25",
    "a+b=c",
    "'`{}|\\^[]",
    "line\nbreak\tand\r\u{1b}",
    "\u{202e}\u{2028}\u{feff}",
    "数 🛡️ é",
];

/// What browsers make of the part after `#` of an address (the URL standard's fragment state): some characters are
/// encoded, tabs and line breaks dropped.
fn through_a_browser(fragment: &str) -> String {
    let mut out = String::new();
    for c in fragment.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')) {
        let mut bytes = [0; 4];
        match c {
            '!'..='~' if !"\"<>`".contains(c) => out.push(c),
            c => c.encode_utf8(&mut bytes).bytes().for_each(|byte| out += &format!("%{byte:02X}")),
        }
    }
    out
}

/// What a program makes of it that encodes all but letters, digits and the marks between parts.
fn through_a_mailer(fragment: &str) -> String {
    let mut out = String::new();
    for byte in fragment.bytes() {
        match byte {
            b'&' | b'=' | b'-' | b'_' | b'.' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out += &format!("%{byte:02x}"),
        }
    }
    out
}

/// A scenario and this view, through a link that is sent about.
fn round_trip(view: &View) -> Result<(), Problem> {
    let tree = json::parse(r#"{"warpspan":1,"warps":{"kernel":"LCL"}}"#)?;
    let link = write(&tree, view)?;
    assert_eq!(through_a_browser(&link), link, "no browser changes it");
    for text in [&link, &through_a_mailer(&link), &format!("https://example.org/#{link}")] {
        let opened = open(text)?;
        assert_eq!((&opened.view, &opened.scenario, &opened.unknown[..]), (view, &tree, &[][..]), "{text}");
    }
    Ok(())
}

#[test]
fn whatever_is_selected_comes_back() -> Result<(), Problem> {
    for name in HOSTILE {
        let text = |what: &str| Some(format!("{what}:{name}"));
        round_trip(&View { sel: Some(name.to_owned()), ..View::default() })?;
        round_trip(&View { sel: text("kernel"), rows: text("rows"), step: Some(3), ..View::default() })?;
        let lesson = Some(LessonSource::Named(name.to_owned()));
        round_trip(&View { lesson, at: Some(2), t0: Some(0.25), t1: Some(1e9), ..View::default() })?;
    }
    Ok(())
}

/// Every part of a view at random, with random names of any characters.
#[test]
fn views_with_random_names_come_back() -> Result<(), Problem> {
    let mut random = Seeded::new(9, 0);
    for _ in 0..2_000 {
        let mut some = |share: u32| random.below(share) == 0;
        let parts: [bool; 9] = std::array::from_fn(|_| some(2));
        let mut name = |has: bool| has.then(|| name(&mut random));
        let (sel, rows, theme, lesson) = (name(parts[0]), name(parts[1]), name(parts[2]), name(parts[3]));
        let mut number = |has: bool| has.then(|| u64::from(random.below(u32::MAX)) << random.below(20));
        let view = View {
            step: number(parts[4]),
            t0: number(parts[5]).map(|t| t as f64 / 1024.0),
            t1: number(parts[6]).map(|t| t as f64 * 1e-9),
            at: number(parts[7]),
            sel,
            rows,
            theme,
            lesson: lesson.map(LessonSource::Named),
            embed: parts[8],
            hide: parts[0] && parts[8],
            projector: parts[1] && parts[7],
            find: parts[2] && parts[6],
            pin: parts[3].then(|| r#"{"warpspan":1}"#.to_owned()),
        };
        round_trip(&view)?;
    }
    Ok(())
}

/// What is compared with is in short links only; whoever writes one can see whether it is.
#[test]
fn long_links_carry_nothing_that_is_compared_with() -> Result<(), Problem> {
    let tree = json::parse(r#"{"warpspan":1,"warps":{"kernel":"LCL"}}"#)?;
    let mut random = Seeded::new(12, 0);
    for length in [10, 500, 900, 1_000, 1_100, 2_000, 5_000] {
        let kernel: String = (0..length).map(|_| ['L', 'C', 'S', 'D'][random.below(4) as usize]).collect();
        let pin = json::line(&serde_json::json!({ "warpspan": 1, "warps": { "kernel": kernel } }));
        let bare = write(&tree, &View::default())?;
        let link = write(&tree, &View { pin: Some(pin.clone()), ..View::default() })?;
        let fits = bare.len() + "&pin=".len() + pack(&pin).len() <= SHORT;
        assert_eq!((link.contains("&pin="), link.len() <= SHORT), (fits, true), "{length}");
        assert_eq!(open(&link)?.view.pin, fits.then_some(pin), "{length}");
    }
    Ok(())
}

/// Up to thirty characters, of those that matter and of any.
fn name(random: &mut Seeded) -> String {
    let marks: Vec<char> = HOSTILE.concat().chars().chain("&=%#-u:/ ".chars()).collect();
    let any = |random: &mut Seeded| loop {
        if let Some(c) = char::from_u32(random.below(0x11_0000)) {
            return c;
        }
    };
    let length = random.below(30);
    (0..length)
        .map(|_| match random.below(3) {
            0 => any(random),
            _ => marks[random.below(marks.len() as u32) as usize],
        })
        .collect()
}

/// Links written before texts were encoded: they open as they did, and those that a browser has changed since open
/// as well.
#[test]
fn links_with_raw_texts_open_for_ever() -> Result<(), Problem> {
    let packed = pack(r#"{"warpspan":1,"warps":{"kernel":"LCL"}}"#);
    let old = |sel: &str| {
        let body = format!("v=1&s={packed}&sel={sel}");
        format!("{body}&c={:08x}", crc32(body.as_bytes()))
    };
    for sel in
        ["2:5", "kernel:edge detect:code", "Kantenglättung", "50% off", "a%41", "say \"x\" <y>", "a+b=c"]
    {
        assert_eq!(open(&old(sel))?.view.sel.as_deref(), Some(sel), "as it was written");
        assert_eq!(
            open(&through_a_browser(&old(sel)))?.view.sel.as_deref(),
            Some(sel),
            "from the address bar"
        );
    }
    // One as it was copied, and one from the address bar.
    let fixture = "#v=1&s=XY7PCsMgDMZfZeTsYCtlh157LewBxg5OQ3VaFc3-QPHdl3b0sEUIXz5-fskML5lTSTJAdxRAljxCB2evQYAy0rI_g8anVbiolLEgMXFHKjHs6d1AFTBJZWxYiWEN6rmzr3xUjuVhKwEOc0BfoLvMEOS0bEM94k4joSLYALaHfuDxtkQw3vB1JqPUrE9tvfIoi_vJ8TE6_pEw26iha7eVBccJA31ZsmtcW8UMXj6CMn8X1Cu_-gE&sel=kernel:edge detect:code&c=2d3a495d";
    for link in [fixture.to_owned(), fixture.replace(' ', "%20")] {
        let opened = open(&link)?;
        assert_eq!(opened.view.sel.as_deref(), Some("kernel:edge detect:code"));
        assert_eq!(labs::LINKED.from_tree(&opened.scenario).map(|s| s.title), Ok("Old".to_owned()));
        // Written again, it is encoded.
        assert!(write(&opened.scenario, &opened.view)?.contains("&sel-u=kernel:edge%20detect:code&c="));
    }
    Ok(())
}

#[test]
fn an_encoded_text_that_is_none_is_named() {
    wrong(
        &with_sum("v=1&s=abc&sel-u=%FF"),
        expect![[r#"link: sel-u="%FF", expected percent-encoded UTF-8"#]],
    );
    let unknown = open(&with_sum(&format!("v=1&s={}&embed-u=1", pack("{}"))));
    assert_eq!(unknown.map(|link| (link.view.embed, link.unknown)), Ok((false, vec!["embed-u".to_owned()])));
}
