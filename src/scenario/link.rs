//! Share links: `#v=1&s=<scenario>&step=12&theme=dark&c=<checksum>`.
//!
//! `s` is the minimal JSON, raw DEFLATE, base64url without padding. `c` is the CRC-32 of everything between
//! `#` and `&c=`, as eight hexadecimal digits, and stands last: a link that was cut off is named as such.
//! Keys nobody knows are kept in a list, not refused.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use crate::base::problem::quoted;
use crate::base::{Problem, crc32};
use crate::import::json;

/// The link format written today.
pub const VERSION: u32 = 1;
/// Links longer than this are refused: 64 KiB.
pub const LONGEST: usize = 64 << 10;
/// Scenarios larger than this do not travel in a link: 4 MiB.
pub const LARGEST: usize = 4 << 20;

/// How the page shows a scenario; every part may be missing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Step of the player.
    pub step: Option<u64>,
    /// Left edge of the window.
    pub t0: Option<f64>,
    /// Right edge of the window.
    pub t1: Option<f64>,
    /// What is selected, such as `3:5`: warp 3, instruction 5.
    pub sel: Option<String>,
    /// `dark` or `light`.
    pub theme: Option<String>,
    /// Without the page around it.
    pub embed: bool,
    /// Rows of the schedule: `units` instead of warps.
    pub rows: Option<String>,
    /// Whether the answer is hidden until someone has guessed it.
    pub hide: bool,
    /// Whether everything is large, for those who sit far away.
    pub projector: bool,
    /// The lesson it is a step of.
    pub lesson: Option<LessonSource>,
    /// Which step of it, from 1.
    pub at: Option<u64>,
}

/// Where a lesson is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LessonSource {
    /// One that comes with the page by name, or a file beside it.
    Named(String),
    /// Someone's own, as text.
    Own(String),
}

/// An opened link.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The scenario.
    pub scenario: Value,
    /// The view.
    pub view: View,
    /// Keys this version does not know.
    pub unknown: Vec<String>,
}

/// The part of a link after `#`, without the `#`; a problem where the scenario is too large for one.
pub fn write(scenario: &Value, view: &View) -> Result<String, Problem> {
    let text = json::line(scenario);
    if text.len() > LARGEST {
        return Err(too_large(
            format!("a scenario of {} KiB", text.len() >> 10),
            "at most 4 MiB; save it as a file instead",
        ));
    }
    let mut body = format!("v={VERSION}&s={}", pack(&text));
    let (named, own) = match &view.lesson {
        Some(LessonSource::Named(name)) => (Some(name.clone()).filter(|name| !name.contains('&')), None),
        Some(LessonSource::Own(text)) => (None, Some(pack(text))),
        None => (None, None),
    };
    let pairs = [
        ("rows", view.rows.clone()),
        ("step", view.step.map(|step| step.to_string())),
        ("t0", view.t0.map(|t| t.to_string())),
        ("t1", view.t1.map(|t| t.to_string())),
        ("sel", view.sel.clone()),
        ("theme", view.theme.clone()),
        ("embed", on(view.embed)),
        ("hide", on(view.hide)),
        ("projector", on(view.projector)),
        ("lesson", named),
        ("l", own),
        ("at", view.at.map(|step| step.to_string())),
    ];
    for (key, value) in pairs {
        if let Some(value) = value {
            body.push_str(&format!("&{key}={value}"));
        }
    }
    let link = format!("{body}&c={:08x}", crc32(body.as_bytes()));
    if link.len() > LONGEST {
        return Err(too_large(
            format!("a link of {} KiB", link.len() >> 10),
            "at most 64 KiB; save the scenario as a file instead",
        ));
    }
    Ok(link)
}

fn on(set: bool) -> Option<String> {
    set.then(|| "1".to_owned())
}

fn pack(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9))
}

/// Opens a link: a whole address, or its part after `#` with or without the `#`.
pub fn open(text: &str) -> Result<Link, Problem> {
    let text = text.trim();
    if text.len() > LONGEST {
        return Err(too_large(format!("a link of {} KiB", text.len() >> 10), "at most 64 KiB"));
    }
    let fragment = text.split_once('#').map_or(text, |(_, fragment)| fragment);
    if fragment.is_empty() {
        return Err(Problem::at("link", "nothing after #", "#v=1&s=...&c=..."));
    }
    let first = fragment.split('&').next().unwrap_or_default();
    version(first)?;
    let body = checked(fragment)?;
    let mut view = View::default();
    let (mut packed, mut unknown) = (None, Vec::new());
    for pair in body.split('&').skip(1) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        match key {
            "s" => packed = Some(value),
            "step" => view.step = Some(number(key, value)?),
            "t0" => view.t0 = Some(finite(key, value)?),
            "t1" => view.t1 = Some(finite(key, value)?),
            "sel" => view.sel = Some(value.to_owned()),
            "theme" => view.theme = Some(value.to_owned()),
            "rows" => view.rows = Some(value.to_owned()),
            "embed" => view.embed = value == "1",
            "hide" => view.hide = value == "1",
            "projector" => view.projector = value == "1",
            "lesson" => view.lesson = Some(LessonSource::Named(value.to_owned())),
            "l" => view.lesson = Some(LessonSource::Own(json::line(&unpack(value)?))),
            "at" => view.at = Some(number(key, value)?),
            other => unknown.push(other.to_owned()),
        }
    }
    let Some(packed) = packed else {
        return Err(Problem::at("link", "no scenario in it", "a part s=..."));
    };
    Ok(Link { scenario: unpack(packed)?, view, unknown })
}

fn version(first: &str) -> Result<(), Problem> {
    let expected = format!("v={VERSION} first");
    match first.strip_prefix("v=").map(str::parse::<u32>) {
        Some(Ok(VERSION)) => Ok(()),
        Some(Ok(newer)) if newer > VERSION => {
            let what = format!("made by a newer version ({newer}); this one understands up to {VERSION}");
            Err(Problem::at("link", what, expected))
        }
        _ => Err(Problem::at("link", format!("begins with {}", quoted(first)), expected)),
    }
}

/// The part the checksum covers, if the checksum is right.
fn checked(fragment: &str) -> Result<&str, Problem> {
    let Some((body, sum)) = fragment.rsplit_once("&c=") else {
        return Err(Problem::at(
            "link",
            "no checksum at its end: it was cut off",
            "the whole link, up to &c= and 8 digits",
        ));
    };
    if sum.len() != 8 || !sum.bytes().all(|b| b.is_ascii_hexdigit()) {
        let what = format!("checksum {}: it was cut off or something was added", quoted(sum));
        return Err(Problem::at("link", what, "8 hexadecimal digits at the end"));
    }
    if u32::from_str_radix(sum, 16) != Ok(crc32(body.as_bytes())) {
        return Err(Problem::at(
            "link",
            "the checksum does not fit: something in it was changed",
            "the link as it was copied",
        ));
    }
    Ok(body)
}

fn unpack(packed: &str) -> Result<Value, Problem> {
    let damaged = |what: &str| {
        Problem::at("link", format!("its scenario is damaged: {what}"), "the link as it was copied")
    };
    let bytes = URL_SAFE_NO_PAD.decode(packed).map_err(|_| damaged("not base64url"))?;
    let text = miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, LARGEST).map_err(|error| {
        match error.status {
            miniz_oxide::inflate::TINFLStatus::HasMoreOutput => {
                too_large("a scenario of more than 4 MiB".to_owned(), "at most 4 MiB")
            }
            _ => damaged("not DEFLATE"),
        }
    })?;
    let text = String::from_utf8(text).map_err(|_| damaged("not UTF-8"))?;
    json::parse(&text)
        .map_err(|problem| Problem::at("link", format!("its scenario: {}", problem.what), problem.expected))
}

fn number(key: &str, value: &str) -> Result<u64, Problem> {
    value.parse().map_err(|_| Problem::at("link", format!("{key}={}", quoted(value)), "a number"))
}

/// A number as JSON writes it. Numbers of documents are read in the same way: a second way, with its tables of
/// powers, would be a twentieth of the page.
fn finite(key: &str, value: &str) -> Result<f64, Problem> {
    let number = json::parse(value).ok().and_then(|number| number.as_f64());
    number.ok_or_else(|| Problem::at("link", format!("{key}={}", quoted(value)), "a finite number"))
}

fn too_large(what: String, expected: &str) -> Problem {
    Problem::at("link", what, expected)
}

#[cfg(test)]
mod tests {
    use super::*;
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
            lesson: Some(LessonSource::Own(r#"{"lesson":1,"title":"x"}"#.to_owned())),
            at: Some(2),
            rows: None,
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
        let scenario = crate::scenario::from_tree(&open(old)?.scenario);
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
}
