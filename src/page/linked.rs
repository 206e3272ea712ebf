//! The labs that the page's own program links: warps with their quick jobs. Documents of the others are taken as they
//! are written; workers read and run them.

use kit::lab::{Lab, Linked};
use kit::page::Subject;
use warps_lab::QuickWarps;

/// The labs, in the order in which errors name them.
static LABS: [&dyn Lab; Subject::ALL.len()] = {
    let mut labs: [&dyn Lab; Subject::ALL.len()] = [&QuickWarps; Subject::ALL.len()];
    let mut at = 1; // warps are the first
    while at < labs.len() {
        labs[at] = &Subject::ALL[at];
        at += 1;
    }
    labs
};

/// What is linked.
pub static LINKED: Linked = Linked { labs: &LABS, engines: &[warps_lab::job::start_quick] };
