//! Numbers that the page changes in a document: rows of tables, and how often loops go round.
//!
//! What cannot be understood is written as it is, for the reader to refuse, so that nothing typed is lost.

use base::Problem;
use base::people::grouped;
use kit::page::edit::{get, number_or_text, remove, set};
use kit::page::mend::sentence;
use serde_json::Value;

use crate::report::LoopReport;

/// What the field of a latency takes.
pub const LATENCY: &str = "one number of cycles, the least and the most as in 34-466, or the least, the longest hit and the most as in 34-38-466";

/// The document with another latency, as [`LATENCY`] has it; spaces and commas are as good as dashes. Nothing typed brings
/// the row of the table back.
pub fn with_latency(tree: &Value, name: &str, typed: &str) -> Value {
    let words = typed.split([' ', ',', ';', '\t']).filter(|word| !["", "to", "-", "–"].contains(word));
    let parts: Vec<Value> = words.flat_map(numbers_of).map(number_or_text).collect();
    let row = match &parts[..] {
        [] => None,
        [one] => Some(one.clone()),
        [least, most] => Some(Value::from(vec![least.clone(), most.clone()])),
        [least, hit, most] => Some(serde_json::json!({ "range": [least, most], "hit": hit })),
        _ => Some(Value::from(typed)),
    };
    with_row(tree, "latencies", name, row)
}

/// The numbers of a range that has dashes between them; a dash before a number is its sign.
fn numbers_of(word: &str) -> impl Iterator<Item = &str> {
    let signed = word.starts_with(['-', '–']);
    let (whole, range) = if signed { (word, "") } else { ("", word) };
    std::iter::once(whole).chain(range.split(['-', '–'])).filter(|part| !part.is_empty())
}

/// The document with other lanes of a unit.
pub fn with_lanes(tree: &Value, name: &str, typed: &str) -> Value {
    let typed = typed.trim();
    with_row(tree, "lanes", name, (!typed.is_empty()).then(|| number_or_text(typed)))
}

/// The document with other registers of a thread, or `shared` memory of a block. Nothing typed leaves what the text states.
pub fn with_need(tree: &Value, name: &str, typed: &str) -> Value {
    let typed = typed.trim().replace(',', "");
    let path = ["warps", name];
    if typed.is_empty() { remove(tree, &path) } else { set(tree, &path, number_or_text(&typed)) }
}

/// The document with blocks of so many threads: documents count their warps.
pub fn with_threads(tree: &Value, typed: &str) -> Value {
    let typed = typed.trim().replace(',', "");
    let warps = typed.parse::<u32>().map(|threads| threads.div_ceil(32).to_string());
    with_need(tree, "block", &warps.unwrap_or(typed))
}

/// The document with as many warps as a multiprocessor holds of blocks of so many.
pub fn with_held(tree: &Value, held: u32, block: u32) -> Value {
    let counted = set(tree, &["warps", "count"], held.into());
    // A block that was all warps would grow with them.
    if get(tree, &["warps", "block"]).is_some() {
        counted
    } else {
        set(&counted, &["warps", "block"], block.into())
    }
}

fn with_row(tree: &Value, table: &str, name: &str, row: Option<Value>) -> Value {
    let path = ["warps", table, name];
    match row {
        Some(row) => set(tree, &path, row),
        None => {
            let less = remove(tree, &path);
            let empty =
                get(&less, &path[..2]).and_then(Value::as_object).is_some_and(serde_json::Map::is_empty);
            if empty { remove(&less, &path[..2]) } else { less }
        }
    }
}

/// The document in which a loop goes round so often; others stay as they are, even where one number stood for all.
pub fn with_trips(tree: &Value, loops: &[LoopReport], address: u64, typed: &str) -> Value {
    let key = |address: u64| format!("0x{address:x}");
    let mut tree = tree.clone();
    if let Some(all) = get(&tree, &["warps", "loops"]).filter(|all| !all.is_object()).cloned() {
        tree = remove(&tree, &["warps", "loops"]);
        for own in loops.iter().filter(|own| own.stated == "given") {
            tree = set(&tree, &["warps", "loops", &key(own.address)], all.clone());
        }
    }
    // The same address may be written otherwise.
    if let Some(known) = get(&tree, &["warps", "loops"]).and_then(Value::as_object) {
        let same = |key: &&String| self::address(key) == Some(address);
        for other in known.keys().filter(same).cloned().collect::<Vec<_>>() {
            tree = remove(&tree, &["warps", "loops", &other]);
        }
    }
    let typed = typed.trim();
    with_row(&tree, "loops", &key(address), (!typed.is_empty()).then(|| number_or_text(typed)))
}

/// How often a loop has gone round each time it was entered, as its table shows it.
pub fn rounds(own: &LoopReport) -> String {
    match own.rounds {
        (0, 0) => String::new(),
        (least, most) if least == most => grouped(least.into()),
        (least, most) => format!("{} to {}", grouped(least.into()), grouped(most.into())),
    }
}

/// The address that documents and tables write as `0xc0`, with zeros before it or without.
pub fn address(key: &str) -> Option<u64> {
    u64::from_str_radix(key.strip_prefix("0x")?, 16).ok()
}

/// What is wrong with a row of a table of the document, or with the table where `name` is empty: in the words of its field,
/// where the document asks for something else than that.
pub fn wrong(problems: &[Problem], table: &str, name: &str) -> Option<String> {
    let own = |key: &str| key == name || address(key).is_some_and(|key| address(name) == Some(key));
    let problem = problems.iter().find(|problem| {
        let rest = problem.place.strip_prefix("warps.").and_then(|rest| rest.strip_prefix(table));
        rest.is_some_and(|rest| match rest.strip_prefix('.') {
            Some(key) => own(key.split(['.', '[']).next().unwrap_or(key)),
            None => rest.is_empty() && name.is_empty(),
        })
    })?;
    let row = problem.place.strip_suffix(".range").unwrap_or(&problem.place);
    let is_row = table == "latencies" && row.strip_prefix("warps.latencies.") == Some(name);
    // A number is no latency for its size, which is told as it is.
    let is_number = problem.what.parse::<f64>().is_ok();
    Some(match is_row && !is_number {
        true => format!("{}. Expected {LATENCY}.", problem.what),
        false => sentence(problem),
    })
}

/// The text of a document's listing.
pub fn listing(tree: &Value) -> &str {
    get(tree, &["warps", "sass"]).and_then(Value::as_str).unwrap_or_default()
}

/// The functions of a listing, in its order.
pub fn functions(text: &str) -> Vec<String> {
    let listing = code_read::listing::read(text);
    listing.map(|own| own.functions.into_iter().map(|own| own.name).collect()).unwrap_or_default()
}

/// The functions of the listing that was asked about last: a text is read once, however often it is asked about.
#[derive(Debug, Clone, Default)]
pub struct Functions {
    text: String,
    names: Vec<String>,
}

impl Functions {
    /// Those of a listing, in its order.
    pub fn of(&mut self, text: &str) -> &[String] {
        if self.text != text {
            *self = Self { names: functions(text), text: text.to_owned() };
        }
        &self.names
    }
}

/// A document whose listing has become this one: where it is of other functions than before, title, notes and what was
/// said of the functions before go with them. `known` are the functions of the listing that was asked about last.
pub fn of_listing(before: &Value, now: &Value, known: &mut Functions) -> Value {
    let old = listing(before);
    let were = known.of(old).to_vec();
    let are = known.of(listing(now));
    let Some(first) = are.first().filter(|_| were != are && (old.trim().is_empty() || !were.is_empty()))
    else {
        return now.clone();
    };
    let title = Value::from(format!("{first:.60}{BROUGHT}"));
    // A field that was emptied and has the same function again.
    if old.trim().is_empty() && get(now, &["title"]) == Some(&title) {
        return now.clone();
    }
    let mut tree = set(now, &["title"], title);
    for path in [&["notes"][..], &["warps", "function"], &["warps", "loops"]] {
        tree = remove(&tree, path);
    }
    tree
}

/// What titles end in that listings brought along.
const BROUGHT: &str = ", machine code";

/// A document that asks about another function of its listing: a title that the listing brought along goes with it.
pub fn of_function(now: &Value) -> Value {
    let title = get(now, &["title"]).and_then(Value::as_str).unwrap_or_default();
    let function = get(now, &["warps", "function"]).and_then(Value::as_str).unwrap_or_default();
    match title.ends_with(BROUGHT) && !function.is_empty() {
        true => set(now, &["title"], Value::from(format!("{function:.60}{BROUGHT}"))),
        false => now.clone(),
    }
}

/// A latency as its field shows it and takes it.
pub fn latency(least: u32, hit: u32, most: u32) -> String {
    match (least, hit, most) {
        (least, _, most) if least == most => least.to_string(),
        (least, hit, most) if hit == most => format!("{least}-{most}"),
        (least, hit, most) => format!("{least}-{hit}-{most}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_listing_is_read_once_however_often_it_is_asked_about() {
        let of = |name: &str| format!("Function : {name}\n/*0000*/ MOV R1, R2 ;\n/*0010*/ EXIT ;\n");
        let tree = |text: &str| serde_json::json!({ "warps": { "sass": text } });
        let (before, now) = (of("one"), of("other"));
        let mut known = Functions::default();
        assert_eq!(known.of(""), functions(""));
        assert_eq!(known.of(&before), ["one"]);
        assert_eq!(of_listing(&tree(&before), &tree(&now), &mut known)["title"], "other, machine code");
        // Where the field was emptied between, what was said of the function stays.
        let asked =
            |text: &str, title: &str| json!({ "title": title, "warps": { "sass": text, "loops": 4 } });
        let again =
            of_listing(&asked("", "other, machine code"), &asked(&now, "other, machine code"), &mut known);
        assert_eq!(again["warps"]["loops"], 4);
        let another = of_listing(&asked("", "k, machine code"), &asked(&now, "k, machine code"), &mut known);
        assert_eq!((&another["title"], another["warps"].get("loops")), (&json!("other, machine code"), None));
        // What was read for the document is there for the list: read again it would be elsewhere.
        let there = known.names.as_ptr();
        assert_eq!(known.of(&now), ["other"]);
        assert_eq!(there, known.names.as_ptr());
        assert_eq!(known.of(&before), functions(&before));
    }
}
