//! The labs that the page's own program links: warps with their quick jobs. Documents of the others are taken as they
//! are written; workers read and run them. Machine code, whose key is that of warps, is told apart before them.

use kit::lab::{Lab, Linked};
use kit::page::Subject;
use warps_lab::QuickWarps;

/// The labs, in the order in which errors name them.
static LABS: [&dyn Lab; Subject::ALL.len()] = {
    let mut labs: [&dyn Lab; Subject::ALL.len()] = [&QuickWarps; Subject::ALL.len()];
    labs[0] = &Subject::Code;
    let mut at = 2; // warps are the first of all, and code is the second
    while at < labs.len() {
        labs[at] = &Subject::ALL[at];
        at += 1;
    }
    labs
};

/// What is linked.
pub static LINKED: Linked = Linked { labs: &LABS, engines: &[warps_lab::job::start_quick] };
