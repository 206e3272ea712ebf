//! AMALTHEA models in the forms of all versions, and the chains they become.

#![cfg(not(target_arch = "wasm32"))]

mod classes;
mod damaged;
mod gpu;
mod links;
mod random;
mod said;
mod texts;
mod verdicts;
mod versions;

use std::fmt::Write as _;

use warpspan::chain::{Safe, Wait};
use warpspan::import::amalthea::mapped::{Deed, HostTask};
use warpspan::import::amalthea::{self, Asked, Mapped, Model};

/// A file for each form, oldest first, and the models that come with the program.
const FILES: [&str; 9] = [
    include_str!("itea-1.3.amxmi"),
    include_str!("0.7.1.amxmi"),
    include_str!("0.8.2.amxmi"),
    include_str!("0.9.2.amxmi"),
    include_str!("1.0.0.amxmi"),
    include_str!("2.1.0.amxmi"),
    include_str!("3.1.0.amxmi"),
    TEACHING,
    DRIVER_ASSISTANCE,
];
const TEACHING: &str = include_str!("../../www/models/teaching.amxmi");
const DRIVER_ASSISTANCE: &str = include_str!("../../www/models/driver-assistance.amxmi");

/// A model and its chain, line by line.
fn shown(text: &str) -> String {
    let read = amalthea::read(text).and_then(|model| amalthea::mapped(&model).map(|mapped| (model, mapped)));
    let (model, mapped) = match read {
        Ok(both) => both,
        Err(problems) => return problems.iter().map(|problem| format!("{problem}\n")).collect(),
    };
    let mut out = String::new();
    lines(&mut out, &model, &mapped);
    out
}

fn lines(out: &mut String, model: &Model, mapped: &Mapped) {
    let _ = writeln!(out, "version {}", model.version);
    for core in &mapped.cores {
        let _ = writeln!(out, "core {} {} Hz, by {:?}", core.name, core.hertz, core.order);
    }
    for kernel in &mapped.kernels {
        let (name, cycles) = (&kernel.name, kernel.cycles);
        let _ = writeln!(out, "kernel {name} {cycles} cycles, {} x {}", kernel.blocks, kernel.threads);
    }
    for task in &mapped.tasks {
        let core = &mapped.cores[task.core].name;
        let rank = task.priority.map_or(String::new(), |rank| format!(" rank {rank}"));
        let _ = writeln!(
            out,
            "{} on {core}, {} ns within {}{rank}{}: {}",
            task.name,
            task.period,
            task.deadline,
            if task.wait == Wait::Spin { " spinning" } else { "" },
            segments(mapped, task)
        );
    }
    for asked in &mapped.asked {
        let Asked { path, what, value, why, code, safe, touches } = asked;
        let holds = match safe {
            Safe::Neither => "",
            Safe::Upper => ", upper holds",
            Safe::Lower => ", lower holds",
        };
        let on = if touches.is_empty() { String::new() } else { format!("; on {}", touches.join(" ")) };
        let _ = writeln!(out, "? {path}: {what} = {value} ({why}) [{}{holds}{on}]", code.name());
    }
    for note in &model.notes {
        let _ = writeln!(out, "! {note}");
    }
    for passed in &model.passed_over {
        let _ = writeln!(out, "- {passed}");
    }
}

fn segments(mapped: &Mapped, task: &HostTask) -> String {
    let segments = task.segments.iter().map(|segment| match segment.act {
        Deed::Ticks(ticks) => format!("{ticks} ticks"),
        Deed::CopyIn(bytes) => format!("{bytes} B in"),
        Deed::CopyOut(bytes) => format!("{bytes} B out"),
        Deed::Launch(kernel) => mapped.kernels[kernel].name.clone(),
        Deed::Activate(task) => format!("activates {}", mapped.tasks[task].name),
        Deed::Await(task) => format!("waits for {}", mapped.tasks[task].name),
    });
    segments.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_ratio_of_nothing_is_one_that_nobody_set() {
    let text = include_str!("0.7.1.amxmi").replace("clockRatio=\"0.25\"", "clockRatio=\"0.0\"");
    let document = warpspan::scenario::tree(&text).expect("a model");
    assert_eq!(document["chain"]["cores"][0]["clock"], 116_000_000);
}

#[test]
fn who_is_not_preempted_in_the_model_is_not_in_the_chain() {
    for (written, preempted, told) in
        [("preemptive", true, false), ("non_preemptive", false, false), ("cooperative", false, true)]
    {
        let text = include_str!("0.7.1.amxmi")
            .replace("preemption=\"preemptive\"", &format!("preemption=\"{written}\""));
        let chain = &warpspan::scenario::tree(&text).expect("a model")["chain"];
        assert_eq!(chain["tasks"][0].get("preemptive").is_none(), preempted, "{written}");
        let asked = "whether Task 10 ms is preempted";
        assert_eq!(chain["assumed"].to_string().contains(asked), told, "{written}");
    }
}
