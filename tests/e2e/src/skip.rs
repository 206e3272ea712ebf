//! What is not tested in a browser, by which rule, and how that is said.

use std::fs::OpenOptions;
use std::io::Write;

use crate::{Adapter, Browser, Outcome};

/// Rooms of tests whose answer does not depend on the browser beyond what other rooms show, with the reason.
/// They run in Chromium alone; a room is a file below `tests/e2e/tests/page`, or the start of a test's name in it.
const ONCE: [(&str, &str); 21] = [
    ("scenario_panel::every_example", "it goes through all examples, of which other tests open enough"),
    (
        "keyboard::the_first_tab",
        "where the keyboard stands after a page was loaded anew is each browser's own",
    ),
    ("keyboard::few_presses", "where the keyboard stands after a page was loaded anew is each browser's own"),
    (
        "keyboard::keys_that_change",
        "where the keyboard stands after what had it is gone is each browser's own",
    ),
    ("proof::", LIKE_OTHERS),
    ("conjectures::", LIKE_OTHERS),
    ("compare::", LIKE_OTHERS),
    ("ptx::", LIKE_OTHERS),
    ("blocks_analysis::", LIKE_OTHERS),
    ("chain::examples", LIKE_OTHERS),
    ("chain::parts", LIKE_OTHERS),
    ("exercises::", LIKE_OTHERS),
    ("memory::", LIKE_OTHERS),
    ("reproduce::", LIKE_OTHERS),
    ("tasks::examples", LIKE_OTHERS),
    ("tasks_experiment::", LIKE_OTHERS),
    ("chain::form", FORMS),
    ("tasks::form", FORMS),
    ("chain::files", SAVED),
    ("tasks::files", SAVED),
    ("axe::", "its rules are about the document, which is the same in all browsers"),
];

/// Why rooms are left out that only show more results.
const LIKE_OTHERS: &str =
    "its results are the same in all browsers, and it is operated like rooms that do run";

/// Why forms are left out whose fields are those of others.
const FORMS: &str = "its fields are those of `scenario_panel`, which runs";

/// Why files are left out that are saved as others are.
const SAVED: &str = "what it saves is written by the programs; that files are saved and opened is tested in `files` and `blocks::files`";

/// Why a test does not run in a browser.
pub(crate) fn reason(browser: Browser, test: &str, adapter: Adapter) -> Option<&'static str> {
    if browser == Browser::Chromium {
        return None;
    }
    if adapter == Adapter::Software {
        return Some("it needs a GPU that a processor stands in for, which Chromium alone has");
    }
    ONCE.iter().find(|(room, _)| test.starts_with(room)).map(|(_, why)| *why)
}

/// Says that the running test does not run: in the file that `WARPSPAN_SKIPPED` names, else at once, past what
/// keeps back the output of tests that pass.
pub fn skip(why: &str) -> Outcome {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("not run in {}: {test}: {why}\n", Browser::chosen()?.name());
    let Some(list) = std::env::var_os("WARPSPAN_SKIPPED") else {
        return std::io::stderr().write_all(line.as_bytes()).map_err(|error| error.to_string());
    };
    let file = OpenOptions::new().create(true).append(true).open(list);
    file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| error.to_string())
}
