//! The table in `src/lib.rs` is the truth about layers: a room uses the rows above it and, in its own row,
//! what stands to its left. Labs stand in one row and never use each other.

use super::{File, files, none};

/// The row whose rooms never use each other.
const LABS: &str = "labs";

/// What a lab must not name: it is plain Rust, with no clock, no file and no DOM.
const NOT_IN_LABS: [&str; 8] =
    ["serde", "std::fs", "std::time", "std::thread", "web_sys", "js_sys", "wasm_bindgen", "leptos"];

/// The browser is known to the components and to the worker's own file.
const BROWSER: [&str; 4] = ["web_sys", "js_sys", "wasm_bindgen", "leptos"];
const BROWSER_ROOMS: [&str; 3] = ["src/ui/", "src/job/worker.rs", "src/bin/"];

/// The rows of the table: name of the layer, its rooms from left to right.
fn table() -> Vec<(String, Vec<String>)> {
    let lib = &files("src/lib.rs", "rs")[0];
    let rows = lib.text.lines().filter_map(|line| line.strip_prefix("//! | "));
    let rows: Vec<(String, Vec<String>)> = rows
        .filter(|row| !row.starts_with("layer "))
        .map(|row| {
            let cells: Vec<&str> = row.split(" | ").collect();
            let rooms = cells[1].split('`').skip(1).step_by(2).map(str::to_owned);
            (cells[0].to_owned(), rooms.collect())
        })
        .collect();
    assert!(rows.len() >= 5 && rows.iter().any(|(layer, _)| layer == LABS), "the table of src/lib.rs");
    rows
}

/// Where a room stands: its row and its place in it.
fn rank(table: &[(String, Vec<String>)], room: &str) -> Option<(usize, usize)> {
    table
        .iter()
        .enumerate()
        .find_map(|(row, (_, rooms))| rooms.iter().position(|found| found == room).map(|place| (row, place)))
}

/// A line without its comment; good enough for code that has no `//` in a text before a path.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// The rooms a line of code names after `crate::`, also those in braces.
fn named(line: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut rooms = Vec::new();
    for rest in line.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => rooms.push(word(rest)),
            Some(group) => {
                let mut depth = 0;
                let mut start = true;
                for (i, c) in group.char_indices() {
                    if start && !c.is_whitespace() {
                        rooms.push(word(&group[i..]));
                        start = false;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        _ => {}
                    }
                }
            }
        }
    }
    rooms.retain(|room| room.chars().next().is_some_and(char::is_lowercase));
    rooms
}

fn room_of(file: &File) -> Option<&str> {
    let (room, _) = file.path.strip_prefix("src/")?.split_once('/')?;
    (room != "bin").then_some(room)
}

#[test]
fn every_folder_stands_in_the_table_and_the_other_way_round() {
    let table = table();
    let mut findings = Vec::new();
    let sources = files("src", "rs");
    for file in &sources {
        if let Some(room) = room_of(file).filter(|room| rank(&table, room).is_none()) {
            findings.push(file.at(1, format!("{room} is not in the table")));
        }
    }
    for room in table.iter().flat_map(|(_, rooms)| rooms) {
        if !sources.iter().any(|file| room_of(file) == Some(room)) {
            findings.push(format!("src/lib.rs: {room} has no folder"));
        }
    }
    none("the table of src/lib.rs names the folders of src", findings);
}

#[test]
fn layers_only_point_downwards() {
    let table = table();
    let mut findings = Vec::new();
    for file in files("src", "rs") {
        let Some(own) = room_of(&file) else { continue };
        let Some(at) = rank(&table, own) else { continue };
        for (number, line) in file.lines() {
            for room in named(code(line)) {
                let Some(used) = rank(&table, &room) else { continue };
                let lab = table[at.0].0 == LABS && used.0 == at.0;
                if room != own && (used > at || lab) {
                    let why = if lab { "another lab" } else { "above it or to its right" };
                    findings.push(file.at(number, format!("{own} uses {room}, which is {why}")));
                }
            }
        }
    }
    none("a room uses only what stands above it in the table of src/lib.rs", findings);
}

#[test]
fn labs_are_plain_rust_and_the_browser_has_its_rooms() {
    let table = table();
    let labs = table.iter().find(|(layer, _)| layer == LABS).map(|(_, rooms)| rooms).expect("a row");
    let mut findings = Vec::new();
    for file in files("src", "rs") {
        let is_lab = room_of(&file).is_some_and(|room| labs.iter().any(|lab| lab == room));
        let has_browser = BROWSER_ROOMS.iter().any(|room| file.path.starts_with(room));
        for (number, line) in file.lines() {
            let found = |names: &[&'static str]| names.iter().copied().find(|name| code(line).contains(name));
            if let Some(name) = found(&NOT_IN_LABS).filter(|_| is_lab) {
                findings.push(file.at(number, format!("{name} in a lab")));
            } else if let Some(name) = found(&BROWSER).filter(|_| !has_browser) {
                findings
                    .push(file.at(number, format!("{name} outside the page's components and the worker")));
            }
        }
    }
    none("labs are plain Rust; only the components and the worker know the browser", findings);
}

#[test]
fn names_are_found_in_every_form() {
    assert_eq!(named("use crate::base::Problem;"), ["base"]);
    assert_eq!(named("use crate::{job, scenario::{self, json}, draw};"), ["job", "scenario", "draw"]);
    assert_eq!(named("crate::import::sniff(crate::draw::x)"), ["import", "draw"]);
    assert_eq!(named("use crate::Thing;"), [""; 0]);
}
