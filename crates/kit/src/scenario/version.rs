//! Document versions: old ones are brought up to date, newer ones are named.

use std::borrow::Cow;

use serde_json::Value;

use crate::import::reader::shown;
use base::Problem;

/// The version written today.
pub const CURRENT: usize = 1;

/// What turns a document of version `i + 1` into one of version `i + 2`; one entry for each old version.
const UPGRADERS: [fn(Value) -> Value; CURRENT - 1] = [];

/// The document as the current version writes it: itself where it is of this version, as documents may be large.
pub fn upgraded(tree: &Value) -> Result<Cow<'_, Value>, Vec<Problem>> {
    let found = tree.as_object().map(|fields| fields.get("warpspan"));
    let version = match found {
        None => return Err(one("document", shown(tree), "an object, {\"warpspan\": 1, ...}".to_owned())),
        Some(None) => {
            return Err(one(
                "warpspan",
                "missing".to_owned(),
                "the document version, \"warpspan\": 1".to_owned(),
            ));
        }
        Some(Some(version)) => version,
    };
    let expected = format!("a version from 1 to {CURRENT}");
    match version.as_u64().and_then(|v| usize::try_from(v).ok()) {
        Some(v @ 1..=CURRENT) => {
            let upgraded = |tree: Cow<'_, Value>, upgrade: &fn(Value) -> Value| upgrade(tree.into_owned());
            let all = UPGRADERS[v - 1..].iter();
            Ok(all.fold(Cow::Borrowed(tree), |tree, upgrade| Cow::Owned(upgraded(tree, upgrade))))
        }
        Some(v) if v > CURRENT => Err(one(
            "warpspan",
            format!("version {v}, made by a newer Warpspan; this one understands up to {CURRENT}"),
            expected,
        )),
        _ => Err(one("warpspan", shown(version), expected)),
    }
}

fn one(place: &str, what: String, expected: String) -> Vec<Problem> {
    vec![Problem::at(place, what, expected)]
}
