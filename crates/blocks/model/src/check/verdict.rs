//! What a check found: rules broken, records that contradict themselves, and blocks that were late.

use std::fmt;

use crate::rule::Rule;
use crate::trace::{OpId, Subject};
use base::Nanos;

/// Everything that was found in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Rules broken, ascending by time; at most as many as the configuration lists.
    pub violations: Vec<Violation>,
    /// What is wrong with the record itself, ascending by time, likewise.
    pub findings: Vec<Finding>,
    /// What the rules allow and people may still wonder about, ascending by time, likewise.
    pub remarks: Vec<Remark>,
    /// Kernels that ran while blocks of another process did, ascending by time, where that is only remarked (P1).
    pub overlaps: Vec<Violation>,
    /// How often each rule was broken, those not listed included.
    pub broken: RuleCounts,
    /// How many findings there are, those not listed included.
    pub all_findings: usize,
    /// How many remarks there are, those not listed included.
    pub all_remarks: usize,
    /// What was looked at.
    pub examined: Examined,
}

impl Checked {
    /// Whether no rule is broken.
    pub fn conforms(&self) -> bool {
        self.broken.sum() == 0
    }
}

/// What was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Examined {
    /// Launches of kernels.
    pub kernels: usize,
    /// Blocks with times that make sense.
    pub blocks: usize,
    /// Copies.
    pub copies: usize,
    /// How many operations or blocks could have broken each rule, and were looked at for it.
    pub by_rule: RuleCounts,
}

/// A number for each rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleCounts([usize; Rule::ALL.len()]);

impl RuleCounts {
    /// The number of a rule.
    pub fn get(&self, rule: Rule) -> usize {
        self.0[rule as usize]
    }

    /// All numbers together.
    pub fn sum(&self) -> usize {
        self.0.iter().sum()
    }

    /// The rules with a number other than 0, in the order documents list them.
    pub fn some(&self) -> impl Iterator<Item = (Rule, usize)> {
        Rule::ALL.into_iter().map(|rule| (rule, self.get(rule))).filter(|(_, count)| *count > 0)
    }

    pub(super) fn add(&mut self, rule: Rule, count: usize) {
        self.0[rule as usize] += count;
    }
}

/// A rule that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// When.
    pub at: Nanos,
    /// By which launch or copy.
    pub subject: Subject,
    /// The same as an operation.
    pub op: OpId,
    /// By which of its blocks, where it is about one.
    pub block: Option<u32>,
    /// What the trace says.
    pub found: String,
    /// What the rule asks for.
    pub expected: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}; expected {}", self.rule.name(), self.at, self.found, self.expected)
    }
}

/// Something wrong with the record that is not about a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind.
    pub kind: FindingKind,
    /// When, as far as it has a time.
    pub at: Nanos,
    /// About which launch or copy, where it is about one.
    pub subject: Option<Subject>,
    /// About which of its blocks, where it is about one.
    pub block: Option<u32>,
    /// What the trace says.
    pub found: String,
    /// What it should say.
    pub expected: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}; expected {}", self.kind.name(), self.at, self.found, self.expected)
    }
}

/// What can be wrong with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// A kernel, copy or stream that the setup does not have, or blocks that the trace does not have.
    Unknown,
    /// Operations that are not ascending, or not in the order in which they were issued.
    Order,
    /// Something that ends before it starts.
    Backwards,
    /// An SM that the device does not have.
    NoSuchSm,
    /// A copy engine that the device does not have, or that such copies do not use.
    WrongEngine,
    /// Fewer blocks than the grid has.
    MissingBlocks,
    /// More blocks than the grid has, or blocks that belong to two launches.
    ExtraBlocks,
    /// A block or a copy that takes longer or shorter than it should.
    WrongDuration,
    /// A time of a launch that does not follow from its blocks.
    WrongSummary,
    /// A time of entering a queue that does not follow from what ended before.
    WrongQueueTime,
    /// Slices of time that overlap or end before they start.
    WrongSlice,
}

impl FindingKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Unknown => "unknown",
            FindingKind::Order => "order",
            FindingKind::Backwards => "backwards",
            FindingKind::NoSuchSm => "no-such-sm",
            FindingKind::WrongEngine => "wrong-engine",
            FindingKind::MissingBlocks => "missing-blocks",
            FindingKind::ExtraBlocks => "extra-blocks",
            FindingKind::WrongDuration => "wrong-duration",
            FindingKind::WrongSummary => "wrong-summary",
            FindingKind::WrongQueueTime => "wrong-queue-time",
            FindingKind::WrongSlice => "wrong-slice",
        }
    }
}

/// A block or copy that could have started earlier. The rules say what may start, not that it does so at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// When it started.
    pub at: Nanos,
    /// Of which launch, or which copy.
    pub subject: Subject,
    /// Which block.
    pub block: Option<u32>,
    /// For how long nothing had held it back.
    pub late: Nanos,
    /// The same in words.
    pub text: String,
}
