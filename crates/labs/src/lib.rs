//! All labs, as one list: what the command line, the searches' worker, the classroom and the page's late parts link.

pub mod open;
pub mod schema;

#[cfg(all(feature = "page", target_arch = "wasm32"))]
use ui_kit::mounted::{Host, Shows};

use serde_json::Value;

use kit::lab::{Labs, Linked, Written};
use kit::page::Subject;
use kit::page::paper::{Paper, Sheet, Small};

/// The lists of what is linked, made of one.
macro_rules! labs {
    ($($subject:ident: $lab:ident::$name:ident, $ui:ident;)*) => {
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

        /// The sheet of a document and what was told of it, without title and notes; none where they do not fit.
        pub fn sheet(of: Subject, paper: &Paper) -> Option<Sheet> {
            match of {
                $(Subject::$subject => $lab::paper::sheet(paper),)*
                Subject::Study => study_lab::paper::sheet(paper),
            }
        }

        /// The picture of a document and the line of its report, as large as the lab draws it, and the part of it to be
        /// shown.
        pub fn small(of: Subject, document: &Value, line: &str) -> Option<Small> {
            match of {
                $(Subject::$subject => $lab::paper::small(document, line),)*
                Subject::Study => study_lab::paper::small(document, line),
            }
        }

        /// What puts the panel of a lab into the page.
        #[cfg(all(feature = "page", target_arch = "wasm32"))]
        pub fn panel(of: Subject) -> fn(Host) -> Box<dyn Shows> {
            match of {
                $(Subject::$subject => $ui::panel,)*
                Subject::Study => study_ui::panel,
            }
        }

        /// What puts the form of a lab into the page.
        #[cfg(all(feature = "page", target_arch = "wasm32"))]
        pub fn form(of: Subject) -> fn(Host) -> Box<dyn Shows> {
            match of {
                $(Subject::$subject => $ui::form,)*
                Subject::Study => study_ui::form,
            }
        }
    };
}

labs! {
    Code: code_lab::Code, code_ui;
    Warps: warps_lab::Warps, warps_ui;
    Conjecture: conjecture_lab::Conjectures, conjecture_ui;
    Blocks: blocks_lab::Blocks, blocks_ui;
    Tasks: tasks_lab::Tasks, tasks_ui;
    Chain: chain_lab::Chains, chain_ui;
    Trace: traces_lab::Traces, traces_ui;
    Waves: waves_lab::Waves, waves_ui;
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
