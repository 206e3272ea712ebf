//! What is wrong with a record as numbers, before it is put into words.

use super::verdict::FindingKind;
use crate::trace::Subject;
use crate::trace::{OpId, Slice};
use base::{Nanos, people};

/// Something wrong with the record.
pub(super) struct Flaw {
    pub at: Nanos,
    pub subject: Option<Subject>,
    pub block: Option<u32>,
    pub says: Says,
}

/// What the record says, and what it should.
pub(super) enum Says {
    Unknown,
    Issued { at: Nanos, after: (OpId, Nanos) },
    Span(Nanos, Nanos),
    Sm(u16, u16),
    Engine { found: u16, should: u16 },
    Blocks { found: usize, should: usize },
    Shared,
    Ran { found: Nanos, should: Nanos },
    Summary { what: &'static str, found: Nanos, should: Nanos },
    Queued { found: Nanos, should: Nanos },
    Slice { slice: Slice, until: Nanos },
}

impl Says {
    pub fn kind(&self) -> FindingKind {
        match self {
            Says::Unknown => FindingKind::Unknown,
            Says::Issued { .. } => FindingKind::Order,
            Says::Span(..) => FindingKind::Backwards,
            Says::Sm(..) => FindingKind::NoSuchSm,
            Says::Engine { .. } => FindingKind::WrongEngine,
            Says::Blocks { found, should } if found < should => FindingKind::MissingBlocks,
            Says::Blocks { .. } | Says::Shared => FindingKind::ExtraBlocks,
            Says::Ran { .. } => FindingKind::WrongDuration,
            Says::Summary { .. } => FindingKind::WrongSummary,
            Says::Queued { .. } => FindingKind::WrongQueueTime,
            Says::Slice { .. } => FindingKind::WrongSlice,
        }
    }

    /// What was found and what was expected.
    pub fn found_and_expected(&self) -> (String, String) {
        match self {
            Says::Unknown => {
                ("it is not of the setup".into(), "a kernel or copy, and a stream, of the setup".into())
            }
            Says::Issued { at, after: (op, latest) } => (
                format!("it was issued at {at}"),
                format!("{latest} or later, when operation {} before it was issued", op.0),
            ),
            Says::Span(start, end) => {
                (format!("it starts at {start} and ends at {end}"), "an end after the start".into())
            }
            Says::Sm(u16::MAX, sms) => {
                (format!("it ran on SM {} or higher", u16::MAX), format!("one of {sms} SMs, from 0"))
            }
            Says::Sm(sm, sms) => (format!("it ran on SM {sm}"), format!("one of {sms} SMs, from 0")),
            Says::Engine { found, should } => {
                (format!("it ran on engine {found}"), format!("engine {should}"))
            }
            Says::Blocks { found, should } => {
                (people::counted(*found, "block"), people::counted(*should, "block"))
            }
            Says::Shared => ("another launch has the same blocks".into(), "one launch for each block".into()),
            Says::Ran { found, should } => (format!("it ran for {found}"), should.to_string()),
            Says::Summary { what, found, should } => {
                (format!("the launch gives {found} as the {what}"), should.to_string())
            }
            Says::Queued { found, should } => {
                (format!("it entered its queue at {found}"), should.to_string())
            }
            Says::Slice { slice: Slice { process, start, end }, until } => (
                format!("process {process} has the device from {start} to {end}"),
                format!("a start from {until} on, and an end after it"),
            ),
        }
    }
}
