//! All labs, as one list: what the command line, the searches' worker and the classroom link.

pub mod open;
pub mod schema;

use kit::lab::{Labs, Linked, Written};
use kit::page::Subject;

/// The lists of what is linked, made of one.
macro_rules! labs {
    ($($lab:ident::$name:ident,)*) => {
        // Whoever links all labs finds each of them here.
        $(pub use ::$lab;)*
        pub use ::study_lab;

        /// The labs that the page's programs read, and that a study may be over; in the order in which errors name them.
        pub static LABS: &Labs = &[$(&$lab::$name),*];

        /// The same, to be read and run: whoever names this links their engines.
        pub static LINKED: Linked = Linked { labs: LABS, engines: &[$($lab::job::start),*] };

        /// What somebody may open on the page: these, and studies as they are written, which only workers read.
        pub static OPENED: &Labs = &[$(&$lab::$name,)* &Subject::Study];

        /// What a study may be over in workers, which are given documents alone.
        static WORKED_BASES: Linked =
            Linked { labs: &[$(&Written($lab::$name)),*], engines: &[$($lab::job::start),*] };

        /// All labs for workers, likewise.
        pub static WORKED: Linked = Linked {
            labs: &[$(&Written($lab::$name),)* &study_lab::Studies(&WORKED_BASES)],
            engines: &[$($lab::job::start,)* study_lab::start],
        };

        /// All labs, studies over the others among them: what the command line and the library link.
        pub static ALL: Linked = Linked {
            labs: &[$(&$lab::$name,)* &study_lab::Studies(&LINKED)],
            engines: &[$($lab::job::start,)* study_lab::start],
        };
    };
}

labs! {
    code_lab::Code,
    warps_lab::Warps,
    conjecture_lab::Conjectures,
    blocks_lab::Blocks,
    tasks_lab::Tasks,
    chain_lab::Chains,
    traces_lab::Traces,
    waves_lab::Waves,
}

#[cfg(test)]
mod documents;
#[cfg(test)]
mod named;
#[cfg(test)]
mod studies;

#[cfg(test)]
mod tests {
    use super::*;
    use kit::import::Format;

    #[test]
    fn the_page_knows_every_lab_in_the_same_order() {
        let mut known: Vec<&str> = Subject::ALL.iter().map(|subject| subject.key()).collect();
        known.dedup();
        assert_eq!(kit::lab::keys(ALL.labs), known);
        assert_eq!([kit::lab::keys(LABS), vec!["study"]].concat(), known, "a study is over all others");
    }

    #[test]
    fn content_decides() {
        assert_eq!(LINKED.sniff(" \n"), Format::Empty);
        assert_eq!(
            LINKED.sniff(r#"{"warpspan":1,"blocks":{"examiner":{"benchmarks":[]}}}"#),
            Format::Scenario
        );
        assert_eq!(
            LINKED.sniff(r#"{"name":"x","max_iterations":1,"benchmarks":[]}"#),
            Format::ExaminerConfig
        );
        assert_eq!(LINKED.sniff(r#"{"name":"x","plugins":[]}"#), Format::ExaminerConfig);
        assert_eq!(
            LINKED.sniff(r#"{"name":"x","comment":"1","comment":"2","benchmarks":[]}"#),
            Format::ExaminerConfig
        );
        assert_eq!(LINKED.sniff(r#"{"scenario_name":"x","times":[{}]}"#), Format::ExaminerLog);
        assert_eq!(LINKED.sniff(r#"{"scenario_name":"x","times":[{},{"cpu_ti"#), Format::ExaminerLog);
        assert_eq!(
            LINKED.sniff(
                "<?xml version=\"1.0\"?><am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/1.0\"/>"
            ),
            Format::Amalthea
        );
        assert_eq!(LINKED.sniff("\u{feff} <am:Amalthea xmlns:am=\"http://x\"/>"), Format::Amalthea);
        assert_eq!(LINKED.sniff("\n\u{feff}<am:Amalthea/>\u{feff}"), Format::Amalthea);
        assert_eq!(LINKED.sniff(".version 6.0\n.visible .entry k() { ret; }"), Format::Ptx);
        assert_eq!(LINKED.sniff("/* one */ Loop: @!p add.f32 $f1, $f2, $f3;\nbra Loop;"), Format::Ptx);
        assert_eq!(LINKED.sniff("let x = 1; call(x); stop(x);"), Format::Scenario);
        for link in ["#v=1&s=abc&c=00000000", "https://example.org/#v=1&s=abc", "#v=1&s=ab", "v=1&s=ab&c=0 "]
        {
            assert_eq!(LINKED.sniff(link), Format::Link, "{link}");
        }
        assert_eq!(LINKED.sniff(r#"{"warpspan_certificate": 1}"#), Format::Certificate);
        assert_eq!(LINKED.sniff(r#"{"lesson": 1, "title": "x", "steps": []}"#), Format::Lesson);
        assert_eq!(LINKED.sniff(r#"{"warpspan": 1, "lesson": 1, "steps": []}"#), Format::Scenario);
        assert_eq!(LINKED.sniff("not json"), Format::Scenario);
    }

    #[test]
    fn a_warps_scenario_that_mentions_benchmarks_is_one() {
        assert_eq!(LINKED.sniff(r#"{"warpspan":1,"notes":"\"benchmarks\""}"#), Format::Scenario);
    }
}
