//! The style sheets of parts, which the page need not load before: each is in the page once, however many parts use it,
//! and as long as one does.

use std::cell::RefCell;
use std::collections::BTreeMap;

use leptos::prelude::*;
use web_sys::Element;

/// A style sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sheet {
    Bench,
    BlocksFigure,
    Chain,
    Chart,
    Items,
    Lab,
    Lessons,
    Paper,
    Reproduce,
    Tasks,
    TasksExperiment,
    TasksGraph,
}

impl Sheet {
    fn text(self) -> &'static str {
        match self {
            Self::Bench => include_str!("../../../www/bench.css"),
            Self::BlocksFigure => include_str!("../../../www/blocks-figure.css"),
            Self::Chain => include_str!("../../../www/chain.css"),
            Self::Chart => include_str!("../../../www/chart.css"),
            Self::Items => include_str!("../../../www/items.css"),
            Self::Lab => include_str!("../../../www/lab.css"),
            Self::Lessons => include_str!("../../../www/rooms-lessons.css"),
            Self::Paper => include_str!("../../../www/sheet.css"),
            Self::Reproduce => include_str!("../../../www/reproduce.css"),
            Self::Tasks => include_str!("../../../www/tasks.css"),
            Self::TasksExperiment => include_str!("../../../www/tasks-experiment.css"),
            Self::TasksGraph => include_str!("../../../www/tasks-graph.css"),
        }
    }
}

thread_local! {
    /// The sheets that are in the page, and how many use each.
    static USED: RefCell<BTreeMap<Sheet, (Element, usize)>> = const { RefCell::new(BTreeMap::new()) };
}

/// Has the sheets in the page for as long as the present owner of signals lives. Those that come later win.
pub(super) fn wear(sheets: &'static [Sheet]) {
    USED.with_borrow_mut(|used| {
        for &sheet in sheets {
            match used.get_mut(&sheet) {
                Some((_, count)) => *count += 1,
                None => {
                    if let Some(element) = added(sheet) {
                        used.insert(sheet, (element, 1));
                    }
                }
            }
        }
    });
    on_cleanup(move || {
        USED.with_borrow_mut(|used| {
            for sheet in sheets {
                let Some((element, count)) = used.get_mut(sheet) else { continue };
                *count -= 1;
                if *count == 0 {
                    element.remove();
                    used.remove(sheet);
                }
            }
        });
    });
}

fn added(sheet: Sheet) -> Option<Element> {
    let element = document().create_element("style").ok()?;
    element.set_text_content(Some(sheet.text()));
    document().head()?.append_child(&element).ok()?;
    Some(element)
}
