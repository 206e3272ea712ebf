//! The style sheets of parts, which the page need not load before: each is in the page once, however many parts use it,
//! and as long as one does.

use std::cell::RefCell;
use std::collections::BTreeMap;

use leptos::prelude::*;
use web_sys::Element;

/// A style sheet, by a name that no other has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sheet {
    /// Its name.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

/// What all parts share.
pub const PARTS: Sheet = Sheet { name: "parts", text: include_str!("../../../www/parts.css") };
/// What the panels of labs share.
pub const LAB: Sheet = Sheet { name: "lab", text: include_str!("../../../www/lab.css") };
/// What their lists and tables share.
pub const ITEMS: Sheet = Sheet { name: "items", text: include_str!("../../../www/items.css") };
/// Numbers and marks at the lines of a text box.
pub const LINED: Sheet = Sheet { name: "lined", text: include_str!("../../../www/lined.css") };

thread_local! {
    /// The sheets that are in the page, and how many use each.
    static USED: RefCell<BTreeMap<&'static str, (Element, usize)>> = const { RefCell::new(BTreeMap::new()) };
}

/// Has the sheets in the page for as long as the present owner of signals lives. Those that come later win.
pub fn wear(sheets: &'static [Sheet]) {
    USED.with_borrow_mut(|used| {
        for &sheet in sheets {
            match used.get_mut(sheet.name) {
                Some((_, count)) => *count += 1,
                None => {
                    if let Some(element) = added(sheet) {
                        used.insert(sheet.name, (element, 1));
                    }
                }
            }
        }
    });
    on_cleanup(move || {
        USED.with_borrow_mut(|used| {
            for sheet in sheets {
                let Some((element, count)) = used.get_mut(sheet.name) else { continue };
                *count -= 1;
                if *count == 0 {
                    element.remove();
                    used.remove(sheet.name);
                }
            }
        });
    });
}

fn added(sheet: Sheet) -> Option<Element> {
    let element = document().create_element("style").ok()?;
    element.set_text_content(Some(sheet.text));
    document().head()?.append_child(&element).ok()?;
    Some(element)
}
