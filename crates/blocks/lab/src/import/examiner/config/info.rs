//! `additional_info`: a value, or in older files a text that is a number, a list with commas, or JSON.

use std::borrow::Cow;

use serde_json::Value;

use super::Context;
use crate::import::examiner::section::Section;
use kit::import::json;

/// What a benchmark is told besides.
pub(super) struct Info<'a> {
    /// Where it stands, or would stand.
    pub path: String,
    pub content: Content<'a>,
}

/// What is there.
pub(super) enum Content<'a> {
    Nothing,
    Value(Cow<'a, Value>),
    Text(&'a str),
}

impl<'a> Info<'a> {
    /// Reads it; JSON within a text that is broken is a problem.
    pub fn read(cx: &mut Context<'_>, section: &Section<'a>) -> Option<Self> {
        let path = section.at("additional_info");
        let content = match section.get("additional_info") {
            None | Some(Value::Null) => Content::Nothing,
            Some(Value::String(text)) => inside(cx, &path, text.trim())?,
            Some(value) => Content::Value(Cow::Borrowed(value)),
        };
        Some(Self { path, content })
    }

    /// Notes that this is not what was expected.
    pub fn wrong(&self, cx: &mut Context<'_>, expected: &str) {
        let what = match &self.content {
            Content::Nothing => "missing".to_owned(),
            Content::Value(value) => kit::import::reader::shown(value),
            Content::Text(text) => base::problem::quoted(text),
        };
        cx.reader.problem(&self.path, what, expected);
    }
}

fn inside<'a>(cx: &mut Context<'_>, path: &str, text: &'a str) -> Option<Content<'a>> {
    if text.is_empty() {
        return Some(Content::Nothing);
    }
    match json::parse_loose(text) {
        Ok(value) => Some(Content::Value(Cow::Owned(value))),
        Err(problem) if text.starts_with(['{', '[']) => {
            let expected = format!("{} in the text", problem.expected);
            cx.reader.problem(path, format!("{}, {}", problem.place, problem.what), &expected);
            None
        }
        Err(_) => Some(Content::Text(text)),
    }
}
