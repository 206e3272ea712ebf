//! The labs that the page's own program links: warps with their quick jobs. Documents of the others are taken as they
//! are written; workers read and run them.

use kit::lab::{Linked, Unread};
use warps_lab::QuickWarps;

/// The labs, in the order in which errors name them.
pub static LINKED: Linked = Linked {
    labs: &[
        &QuickWarps,
        &Unread { key: "conjecture", holds: "an object" },
        &Unread { key: "blocks", holds: "an object" },
        &Unread { key: "tasks", holds: "a list of tasks" },
        &Unread { key: "chain", holds: "an object" },
        &Unread { key: "trace", holds: "an object" },
    ],
    engines: &[warps_lab::job::start_quick],
};
