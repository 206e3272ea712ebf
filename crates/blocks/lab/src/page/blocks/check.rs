//! What checking a measured run came to, in words, and the lists of what was found a page at a time.

use crate::report::{CheckReport, ViolationReport};
use base::{Nanos, people};
use blocks::Rule;

/// Rows of one page of a list.
pub const PAGE: usize = 25;

/// The verdict of a run of which not everything is recorded.
const PARTLY: &str = "conforms-as-far-as-recorded";

/// What is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// What breaks a rule.
    Violations,
    /// What the record lacks or contradicts.
    Inconsistencies,
    /// What breaks no rule but could have gone otherwise.
    Remarks,
}

impl List {
    /// What is in it.
    pub fn of(self, check: &CheckReport) -> &[ViolationReport] {
        match self {
            List::Violations => &check.violations,
            List::Inconsistencies => &check.inconsistencies,
            List::Remarks => &check.remarks,
        }
    }

    /// Names it for tests.
    pub fn id(self) -> &'static str {
        match self {
            List::Violations => "violation",
            List::Inconsistencies => "inconsistency",
            List::Remarks => "remark",
        }
    }
}

/// The verdict in a sentence.
pub fn verdict(check: &CheckReport) -> String {
    let seen = format!(
        "{} and {} checked",
        people::plural(check.kernels, "launch", "launches"),
        people::counted(check.blocks, "block")
    );
    match (check.violations.len(), check.inconsistencies.len()) {
        (0, n) if check.verdict == PARTLY => {
            let gaps = if n > 0 { format!(", {}", people::plural(n, "gap", "gaps")) } else { String::new() };
            let cut = if check.cut { "; logs are cut off or broken" } else { "" };
            format!(
                "Keeps the rules, as far as it is recorded: {} of {} and {} of {} checked{gaps}{cut}.",
                people::grouped(check.kernels as u128),
                people::plural(check.recorded_kernels, "launch", "launches"),
                people::grouped(check.blocks as u128),
                people::counted(check.recorded_blocks, "block")
            )
        }
        (0, 0) => format!("Keeps the rules. {seen}."),
        (0, n) if check.conforms => {
            format!(
                "Keeps the rules, as far as the record goes: {}. {seen}.",
                people::plural(n, "gap", "gaps")
            )
        }
        (0, n) => format!(
            "No rule is seen broken, but the record contradicts itself in {}. {seen}.",
            people::plural(n, "place", "places")
        ),
        (n, _) => {
            let left = if check.left_out > 0 { " at least" } else { "" };
            format!("Breaks the rules:{left} {}. {seen}.", people::counted(n, "violation"))
        }
    }
}

/// What the run was held against.
pub fn against(check: &CheckReport) -> [(&'static str, String); 2] {
    let by = match check.device_by.as_str() {
        "given" => "given by the document",
        by => by,
    };
    let clocks = match check.clocks {
        0 => String::new(),
        clocks => format!("; the clocks of host and device may differ by {} more", Nanos(clocks)),
    };
    let tolerance = Nanos(check.tolerance);
    [
        ("Device", format!("{}, {by}", check.device)),
        ("Tolerance", format!("times that differ by no more than {tolerance} are the same{clocks}")),
    ]
}

/// What stands in a list by kind: the rule or the name, how often, and what it says.
pub fn kinds(found: &[ViolationReport]) -> Vec<(String, usize, &'static str)> {
    let mut kinds: Vec<(String, usize, &'static str)> = Vec::new();
    for found in found {
        match kinds.iter_mut().find(|(name, ..)| *name == found.rule) {
            Some((_, count, _)) => *count += 1,
            None => kinds.push((found.rule.clone(), 1, sentence(&found.rule))),
        }
    }
    kinds
}

/// What a rule says, or what kind of gap or contradiction a name is.
pub fn sentence(name: &str) -> &'static str {
    match (Rule::named(name), name) {
        (Some(rule), _) => rule.sentence(),
        (None, "late") => "It could have started earlier; the rules only say when a block may start.",
        (None, "unknown") => "Something that the record does not describe.",
        (None, "order") => "Operations out of the order in which they were issued.",
        (None, "backwards") => "Something that ends before it starts.",
        (None, "no-such-sm") => "A multiprocessor that the device does not have.",
        (None, "wrong-engine") => {
            "A copy engine that the device does not have, or that such copies do not use."
        }
        (None, "missing-blocks") => "Fewer blocks than the grid has.",
        (None, "extra-blocks") => "More blocks than the grid has, or blocks of two launches at once.",
        (None, "wrong-duration") => "Something that takes longer or shorter than it should.",
        (None, "wrong-summary") => "A time of a launch that does not follow from its blocks.",
        (None, "wrong-queue-time") => {
            "A time of entering a queue that does not follow from what ended before."
        }
        (None, "wrong-slice") => "Turns of processes that overlap or end before they start.",
        (None, _) => "",
    }
}

/// The places, in a list, of what is of one kind; of everything where none is named.
pub fn places(found: &[ViolationReport], kind: &str) -> Vec<usize> {
    let wanted = |found: &ViolationReport| kind.is_empty() || found.rule == kind;
    found.iter().enumerate().filter(|(_, found)| wanted(found)).map(|(place, _)| place).collect()
}

/// `K2: 5`, `K2`, or nothing.
pub fn who(found: &ViolationReport) -> String {
    match (found.kernel.as_str(), found.block) {
        ("", _) => "—".to_owned(),
        (kernel, Some(block)) => format!("{kernel}: {block}"),
        (kernel, None) => kernel.to_owned(),
    }
}

/// `26 to 50 of 1,234`.
pub fn range(page: usize, all: usize) -> String {
    let (first, last) = (page * PAGE + 1, ((page + 1) * PAGE).min(all));
    let [first, last, all] = [first, last, all].map(|n| people::grouped(n as u128));
    format!("{first} to {last} of {all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rule: &str, block: Option<u32>) -> ViolationReport {
        ViolationReport {
            rule: rule.to_owned(),
            time: 5,
            kernel: "K2".to_owned(),
            stream: "s".to_owned(),
            launch: Some(1),
            block,
            found: String::new(),
            expected: String::new(),
            tolerance: 0,
        }
    }

    fn check(
        violations: Vec<ViolationReport>,
        inconsistencies: Vec<ViolationReport>,
        conforms: bool,
    ) -> CheckReport {
        CheckReport {
            scenario: String::new(),
            lab: "blocks".to_owned(),
            seconds: 0.0,
            conforms,
            device: "Jetson TX2".to_owned(),
            device_by: "given".to_owned(),
            tolerance: 50_000,
            clocks: 100_000,
            kernels: 3,
            blocks: 8,
            violations,
            inconsistencies,
            remarks: Vec::new(),
            left_out: 0,
            warnings: Vec::new(),
            ..CheckReport::default()
        }
    }

    #[test]
    fn verdicts_in_a_sentence() {
        let gap = || vec![found("missing-blocks", None)];
        let said = [
            verdict(&check(vec![], vec![], true)),
            verdict(&check(vec![], gap(), true)),
            verdict(&CheckReport {
                verdict: "conforms-as-far-as-recorded".to_owned(),
                recorded_kernels: 4,
                recorded_blocks: 16,
                cut: true,
                ..check(vec![], gap(), true)
            }),
            verdict(&check(vec![], gap(), false)),
            verdict(&check(vec![found("X1", Some(0)), found("R2", None)], gap(), false)),
        ];
        expect_test::expect![[r#"
            Keeps the rules. 3 launches and 8 blocks checked.
            Keeps the rules, as far as the record goes: 1 gap. 3 launches and 8 blocks checked.
            Keeps the rules, as far as it is recorded: 3 of 4 launches and 8 of 16 blocks checked, 1 gap; logs are cut off or broken.
            No rule is seen broken, but the record contradicts itself in 1 place. 3 launches and 8 blocks checked.
            Breaks the rules: 2 violations. 3 launches and 8 blocks checked."#]]
        .assert_eq(&said.join("\n"));
        let [(_, device), (_, tolerance)] = against(&check(vec![], vec![], true));
        assert_eq!(device, "Jetson TX2, given by the document");
        assert_eq!(
            tolerance,
            "times that differ by no more than 50 µs are the same; the clocks of host and device may differ by 100 µs more"
        );
    }

    #[test]
    fn lists_by_kind_and_by_page() {
        let list = [found("X1", Some(0)), found("R2", None), found("X1", Some(3))];
        let names: Vec<String> =
            kinds(&list).iter().map(|(name, count, _)| format!("{name} {count}")).collect();
        assert_eq!(names, ["X1 2", "R2 1"]);
        assert!(kinds(&list).iter().all(|(_, _, sentence)| !sentence.is_empty()));
        assert_eq!((places(&list, "X1"), places(&list, "").len()), (vec![0, 2], 3));
        assert_eq!((who(&list[0]), who(&list[1])), ("K2: 0".to_owned(), "K2".to_owned()));
        assert_eq!(
            (range(0, 3), range(1, 1_234)),
            ("1 to 3 of 3".to_owned(), "26 to 50 of 1,234".to_owned())
        );
    }

    #[test]
    fn every_kind_of_finding_has_a_sentence() {
        use blocks::check::FindingKind::*;
        let all = [
            Unknown,
            Order,
            Backwards,
            NoSuchSm,
            WrongEngine,
            MissingBlocks,
            ExtraBlocks,
            WrongDuration,
            WrongSummary,
            WrongQueueTime,
            WrongSlice,
        ];
        assert!(all.iter().all(|kind| !sentence(kind.name()).is_empty()));
        assert_eq!(sentence("abacus"), "");
    }
}
