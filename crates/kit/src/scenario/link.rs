//! Share links: `#v=1&s=<scenario>&step=12&theme=dark&c=<checksum>`.
//!
//! `s` is the minimal JSON, raw DEFLATE, base64url without padding. `c` is the CRC-32 of everything between
//! `#` and `&c=`, as eight hexadecimal digits, and stands last: a link that was cut off is named as such.
//! Keys nobody knows are kept in a list, not refused.
//!
//! A value that a browser or a chat program would change on its way (blanks, umlauts, quotation marks, `&`, `%`)
//! is percent-encoded, and the checksum covers it as it is encoded. Its key then ends in `-u`, as in `sel-u=a%20b`:
//! the value of a plain `sel=` is taken as it stands, for ever, as links were written before there was an encoding.
//! Of those, browsers have encoded some after their checksum was computed: where it does not fit, it is held
//! against the link as it was before.

mod encoded;

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use crate::import::json;
use base::problem::quoted;
use base::{Problem, crc32};
use encoded::{Kept, decoded, encoded};

/// What the key of an encoded value ends in.
const ENCODED: &str = "-u";

/// How far a number is looked for from where it was read, in steps between numbers.
const MOST_OFF: usize = 5;

/// The link format written today.
pub const VERSION: u32 = 1;
/// Links longer than this carry nothing that is only compared with.
pub const SHORT: usize = 2_000;
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
    /// Whether the worst case is searched for, as whoever made the link had found it.
    pub find: bool,
    /// What it is compared with: a document as one line. Only links that stay short carry it.
    pub pin: Option<String>,
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

/// Parts of a view that are texts, and so may be encoded.
const TEXTS: [&str; 4] = ["rows", "sel", "theme", "lesson"];

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
        Some(LessonSource::Named(name)) => (Some(name.clone()), None),
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
        ("find", on(view.find)),
        ("lesson", named),
        ("l", own),
        ("at", view.at.map(|step| step.to_string())),
    ];
    for (key, value) in pairs {
        if let Some(value) = value {
            match encoded(&value) {
                None => body.push_str(&format!("&{key}={value}")),
                Some(value) => body.push_str(&format!("&{key}{ENCODED}={value}")),
            }
        }
    }
    if let Some(pin) = &view.pin {
        let pinned = format!("{body}&pin={}", pack(pin));
        if pinned.len() + "&c=00000000".len() <= SHORT {
            body = pinned;
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
    let body = &*checked(fragment)?;
    let mut view = View::default();
    let (mut packed, mut unknown) = (None, Vec::new());
    for pair in body.split('&').skip(1) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = match key.strip_suffix(ENCODED).filter(|key| TEXTS.contains(key)) {
            Some(plain) => (plain, text_of(key, value)?),
            None => (key, value.to_owned()),
        };
        match key {
            "s" => packed = Some(value),
            "step" => view.step = Some(number(key, &value)?),
            "t0" => view.t0 = Some(finite(key, &value)?),
            "t1" => view.t1 = Some(finite(key, &value)?),
            "sel" => view.sel = Some(value),
            "theme" => view.theme = Some(value),
            "rows" => view.rows = Some(value),
            "embed" => view.embed = value == "1",
            "hide" => view.hide = value == "1",
            "projector" => view.projector = value == "1",
            "find" => view.find = value == "1",
            "pin" => view.pin = Some(json::line(&unpack(&value)?)),
            "lesson" => view.lesson = Some(LessonSource::Named(value)),
            "l" => view.lesson = Some(LessonSource::Own(json::line(&unpack(&value)?))),
            "at" => view.at = Some(number(key, &value)?),
            other => unknown.push(other.to_owned()),
        }
    }
    let Some(packed) = packed else {
        return Err(Problem::at("link", "no scenario in it", "a part s=..."));
    };
    Ok(Link { scenario: unpack(&packed)?, view, unknown })
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

/// The part the checksum covers, if the checksum is right: as it stands, else as it was before a browser or whatever
/// it was sent with encoded it.
fn checked(fragment: &str) -> Result<Cow<'_, str>, Problem> {
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
    let sum = u32::from_str_radix(sum, 16).ok();
    let fits = |body: &str| Some(crc32(body.as_bytes())) == sum;
    if fits(body) {
        return Ok(Cow::Borrowed(body));
    }
    let mut before =
        [Kept::WhatBrowsersLeave, Kept::Nothing].into_iter().filter_map(|kept| decoded(body, kept));
    before.find(|before| fits(before)).map(Cow::Owned).ok_or_else(|| {
        Problem::at(
            "link",
            "the checksum does not fit: something in it was changed",
            "the link as it was copied",
        )
    })
}

/// The text that was encoded in a value.
fn text_of(key: &str, value: &str) -> Result<String, Problem> {
    decoded(value, Kept::Nothing)
        .ok_or_else(|| Problem::at("link", format!("{key}={}", quoted(value)), "percent-encoded UTF-8"))
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
/// powers, would be a twentieth of the page. That way may miss by a last digit: of the numbers around, the one is meant
/// that is written so.
fn finite(key: &str, value: &str) -> Result<f64, Problem> {
    let number = json::parse(value).ok().and_then(|number| number.as_f64());
    number
        .map(|near| meant(near, value))
        .ok_or_else(|| Problem::at("link", format!("{key}={}", quoted(value)), "a finite number"))
}

/// The number closest to `near` that is written as `value`; else `near`.
fn meant(near: f64, value: &str) -> f64 {
    let is_meant = |number: &f64| number.to_string() == value;
    let up = std::iter::successors(Some(near), |number| Some(number.next_up())).take(MOST_OFF);
    let down = std::iter::successors(Some(near), |number| Some(number.next_down())).take(MOST_OFF);
    up.zip(down).flat_map(|(up, down)| [up, down]).find(is_meant).unwrap_or(near)
}

fn too_large(what: String, expected: &str) -> Problem {
    Problem::at("link", what, expected)
}

#[cfg(test)]
mod tests;
