//! What a check looks at for each rule, and which rules no trace can show broken by themselves.

use crate::rule::Rule;

/// Whether a trace can show a rule broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// It can.
    Checked,
    /// It can if more is known than the times of blocks and copies: what that is stands in the text.
    IfKnown,
    /// Not by itself: what breaks it shows as this other rule broken, or as a late start.
    Through(Rule),
}

/// For each rule: whether a trace can show it broken, and what is looked at.
pub const SIGHTS: [(Rule, Sight, &str); Rule::ALL.len()] = [
    (Rule::G1, Sight::Checked, "No kernel or copy starts before its call was made."),
    (Rule::G2, Sight::Checked, "No kernel starts before all earlier operations of its stream have ended."),
    (
        Rule::G3,
        Sight::Through(Rule::X1),
        "A kernel that left too soon lets later ones start blocks among its own (X1); one that stayed makes them late.",
    ),
    (Rule::G4, Sight::IfKnown, "No block of a kernel runs after the host saw the kernel's stream idle."),
    (
        Rule::X1,
        Sight::Checked,
        "No block starts while a kernel that entered the same queue earlier has blocks to start; when kernels entered is worked out from calls and ends.",
    ),
    (Rule::R1, Sight::Checked, "Registers and places for blocks are never used beyond what the SM has."),
    (Rule::R2, Sight::Checked, "Threads are never used beyond what the SM has."),
    (Rule::R3, Sight::Checked, "Shared memory is never used beyond what the SM has."),
    (Rule::C1, Sight::Checked, "No copy starts before all earlier operations of its stream have ended."),
    (
        Rule::C2,
        Sight::IfKnown,
        "No two copies run on one engine at a time; not where only the calls were timed.",
    ),
    (Rule::C3, Sight::Checked, "No copy starts before one that entered the same queue earlier."),
    (Rule::C4, Sight::IfKnown, "No copy runs after the host saw its stream idle."),
    (
        Rule::A1,
        Sight::Through(Rule::A2),
        "Kernels in the wrong queue let less urgent blocks start first (A2), or wait for less urgent ones and are late.",
    ),
    (Rule::A2, Sight::Checked, "No block starts while a more urgent kernel of its process is queued."),
    (
        Rule::N1,
        Sight::Checked,
        "No operation of a null stream starts before all earlier ones of blocking streams have ended.",
    ),
    (
        Rule::N2,
        Sight::Checked,
        "No operation of a blocking stream starts before all earlier ones of the null stream have ended.",
    ),
    (
        Rule::P1,
        Sight::IfKnown,
        "Blocks start and end while their process has the device, where slices of time are recorded; or no blocks of two processes overlap, if asked for.",
    ),
    (Rule::M1, Sight::Checked, "No block runs on an SM that its kernel is kept away from."),
];
