//! What the reader should know about a chain, in sentences: what was taken for granted by reading it, and notes of kernels.

use crate::scenario::{ChainScenario, ChainSource, OTHER_DEVICE};
use crate::words::sentence;
use chain::solve::Solved;
use chain::{Assumption, Kernel, Sharing, Work};
use code_lab::scenario::CodeScenario;

/// All of them.
pub fn all(asked: &ChainScenario, solved: &Solved) -> Vec<String> {
    let chain = &asked.chain;
    let launched = chain::gpu_wait::launched(chain);
    let mut warnings = Vec::new();
    for (place, kernel) in chain.kernels.iter().enumerate() {
        if !chain.tasks.is_empty() && chain.order.is_none() && !launched.contains(&place) {
            warnings.push(format!("{} is launched by no task, and holds none back", kernel.name));
        }
        if kernel.assignment.is_some() && chain.sharing == Sharing::Shared && chain.kernels.len() > 1 {
            warnings
                .push(format!("where blocks of {} go counts only while it is alone on the GPU", kernel.name));
        }
        let warps =
            solved.kernels[place].occupancy.most().saturating_mul(solved.kernels[place].occupancy.warps);
        if warps > warps::MOST_WARPS as u64 && !matches!(kernel.work, Work::Cycles(_)) {
            warnings.push(format!(
                "{} warps of {} are more than are searched: their makespan is bounded only",
                base::people::grouped(warps.into()),
                kernel.name
            ));
        }
    }
    for (kernel, rests) in chain.kernels.iter().zip(asked.rests()) {
        let other = rests.into_iter().filter(|rest| rest.on == OTHER_DEVICE);
        warnings.extend(other.map(|rest| format!("{}: {}", kernel.name, rest.said)));
    }
    // What the document lists is shown where it can be changed; the rest was taken by reading it.
    let listed = asked.document.get("assumed").and_then(|list| list.as_array()).map_or(0, Vec::len);
    warnings.extend(chain.assumed.iter().skip(listed).map(taken));
    for (kernel, source) in chain.kernels.iter().zip(&asked.sources) {
        match source {
            Some(ChainSource::Ptx(source)) => {
                warnings.extend(source.walk.warnings.iter().map(|text| format!("{}: {text}", kernel.name)));
            }
            Some(ChainSource::Code(code)) => warnings.extend(notes(kernel, code)),
            None => {}
        }
    }
    for kernel in &chain.kernels {
        if let Work::Instructions(of) = &kernel.work {
            let notes = chain.sm.notes_for(&of.written);
            let fresh: Vec<String> = notes.into_iter().filter(|note| !warnings.contains(note)).collect();
            warnings.extend(fresh);
        }
    }
    warnings
}

/// What was taken, and why, in sentences.
fn taken(of: &Assumption) -> String {
    let value = if of.value.is_empty() { String::new() } else { format!(" ({})", of.value) };
    format!("Taken for granted: {}{value}. {}", of.what, sentence(&of.why)).trim_end().to_owned()
}

/// What the reading of machine code notes, and what of it means something else than it seems to.
fn notes(kernel: &Kernel, code: &CodeScenario) -> Vec<String> {
    let name = &kernel.name;
    let made = code.made.iter().flat_map(|made| &made.notes);
    made.chain(&code.remarks).map(|text| format!("{name}: {text}")).collect()
}
