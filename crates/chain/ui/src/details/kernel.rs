//! What there is to say about a kernel: its instructions, its warps, a block of it, its grid.

use leptos::prelude::*;

use crate::badge::{number, sides as both};
use base::people::{counted, grouped};
use chain_lab::page::chain::details::{
    Worthy, assignment, conversion, limits, once, order, sides, sm_bars, told,
};
use chain_lab::page::chain::summary::sentence;
use chain_lab::report::chain::{Grid, KernelLink, SourceLine, WholeReport};
use chain_lab::timeline::chain::Station;
use chain_lab::timeline::chain::worth::clock;

/// Multiprocessors of a grid in sight.
const MOST_SMS: usize = 16;

/// The details of a station of a kernel.
pub fn view(report: &WholeReport, kernel: &KernelLink, station: Station, running: bool) -> AnyView {
    let once =
        once(kernel).map(|once| view! { <p class="told" data-testid="chain-kernel-once"><b>{once}</b></p> });
    let lacks = told(kernel);
    let lacks = (!lacks.is_empty())
        .then(|| view! { <p class="told" data-testid="chain-kernel-told">{lacks.join(" ")}</p> });
    let own = match station {
        Station::Code => code(kernel),
        Station::Warps => warps(kernel, running),
        Station::Block => block(report, kernel, running),
        _ => gpu(report, kernel, running),
    };
    view! { {once}{lacks}{own} }.into_any()
}

fn code(kernel: &KernelLink) -> AnyView {
    let told = match kernel.source.as_str() {
        "cycles" => "The document gives the cycles of a block. Nothing is known of its instructions, so nothing is proven about them.".to_owned(),
        "ptx" => format!("{} of PTX on the chosen path keep units busy; the string is what each warp executes.", counted(kernel.lines.len(), "line")),
        "sass" => format!("A listing of machine code: each of {} of a block executes {}, with the tables of its architecture.", counted(usize::try_from(kernel.warps).unwrap_or(0), "warp"), counted(usize::try_from(kernel.instructions).unwrap_or(0), "instruction")),
        _ => format!("Each of {} of a block executes {}.", counted(usize::try_from(kernel.warps).unwrap_or(0), "warp"), counted(usize::try_from(kernel.instructions).unwrap_or(0), "instruction")),
    };
    let string = kernel.string.clone().map(|string| {
        view! { <p class="string"><span class="name">"String"</span><code data-testid="chain-string">{string}</code></p> }
    });
    let lines = (!kernel.lines.is_empty()).then(|| source(&kernel.lines));
    view! { <p class="told">{told}</p>{string}{lines} }.into_any()
}

/// The lines of PTX, with the unit each keeps busy.
fn source(lines: &[SourceLine]) -> AnyView {
    let line = |line: &SourceLine| {
        let badge = match line.unit {
            Some(unit) => view! { <span class=format!("badge {unit}")>{unit.to_string()}</span> }.into_any(),
            None => view! { <span class="badge none" aria-hidden="true">"–"</span><span class="hidden">"none"</span> }.into_any(),
        };
        view! {
            <tr>
                <td class="time">{grouped(line.line.into())}</td>
                <td>{badge}</td>
                <td class="time">{grouped(line.times.into())}"×"</td>
                <td><code>{line.text.clone()}</code></td>
            </tr>
        }
    };
    view! {
        <div class="scroll chain-source" role="region" tabindex="0" aria-label="Lines of PTX">
            <table class="numbers" data-testid="chain-source">
                <thead><tr>{["Line", "Unit", "Times", "PTX"].map(|head| view! { <th scope="col">{head}</th> })}</tr></thead>
                <tbody>{lines.iter().map(line).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn warps(kernel: &KernelLink, running: bool) -> AnyView {
    let resident = &kernel.residency;
    let told = format!(
        "A multiprocessor holds {} of {} at once, {} in all. The worst makespan of those, over every order in which they may take turns:",
        counted(usize::try_from(resident.blocks).unwrap_or(0), "block"),
        counted(usize::try_from(kernel.warps).unwrap_or(0), "warp"),
        counted(usize::try_from(resident.warps).unwrap_or(0), "warp"),
    );
    view! {
        <p class="told">{told}</p>
        {both(sides(&kernel.makespan), "chain-sides", running)}
        {residency(kernel)}
    }
    .into_any()
}

/// What limits how many blocks are resident.
fn residency(kernel: &KernelLink) -> AnyView {
    let rows = limits(kernel);
    if rows.is_empty() {
        return ().into_any();
    }
    let row = |(name, blocks, binds): (String, String, bool)| {
        let mark = if binds { "← this one counts" } else { "" };
        view! { <tr class:at=binds><th scope="row">{name}</th><td class="time">{blocks}</td><td>{mark}</td></tr> }
    };
    view! {
        <div>
            <table class="numbers chain-limits" data-testid="chain-limits">
                <caption>"Blocks that each limit alone would allow"</caption>
                <thead><tr><th scope="col">"Limit"</th><th scope="col">"Blocks"</th><td></td></tr></thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn block(report: &WholeReport, kernel: &KernelLink, running: bool) -> AnyView {
    let said = conversion(report, kernel);
    let clock = clock(report.gpu.clock);
    view! {
        <p class="told">{format!("A block has {}. Its cycles become nanoseconds by the GPU's clock of {clock}; what is left over counts as a whole one.", counted(usize::try_from(kernel.threads).unwrap_or(0), "thread"))}</p>
        {said.map(|said| view! { <p class="chain-formula" data-testid="chain-conversion">{said}</p> })}
        {both(sides(&kernel.block), "chain-sides", running)}
        {residency(kernel)}
    }
    .into_any()
}

fn gpu(report: &WholeReport, kernel: &KernelLink, running: bool) -> AnyView {
    let alone = sides(&kernel.alone);
    let launched = order(&kernel.order).map(|order| {
        view! { <p class="told" data-testid="chain-order">"Worst launch order found: "<b>{order}</b></p> }
    });
    let grids = (!kernel.grids.is_empty()).then(|| {
        view! {
            <h4>"The grid on the multiprocessors, with the GPU to itself"</h4>
            <div class="chain-grids" data-testid="chain-grids">{kernel.grids.iter().map(grid).collect_view()}</div>
        }
    });
    view! {
        <p class="told">{format!("From launch to completion among the other kernels. {}", sentence(&report.gpu.sharing_means))}</p>
        {both(sides(&kernel.completion), "chain-sides", running)}
        {launched}
        <h4>"With the GPU to itself"</h4>
        {both(alone, "chain-alone", running)}
        {grids}
    }
    .into_any()
}

/// One way of assigning blocks: a bar for each multiprocessor.
fn grid(grid: &Grid) -> AnyView {
    let bars = sm_bars(grid);
    let more = bars.len().saturating_sub(MOST_SMS);
    let percent = |share: f64| format!("{:.2}%", share * 100.0);
    let bar = |bar: chain_lab::page::chain::details::SmBar| {
        view! {
            <li>
                <span class="chain-sm">{bar.name}</span>
                <span class="chain-track" aria-hidden="true">
                    <span class="chain-upper" style=format!("width: {}", percent(bar.shares.1))></span>
                    <span class="chain-lower" style=format!("width: {}", percent(bar.shares.0))></span>
                </span>
                <span class="time">{number(bar.number)}</span>
                <span class="hint chain-about">{bar.about}</span>
            </li>
        }
    };
    view! {
        <div class="chain-grid">
            <p class="heading">{assignment(grid)}</p>
            <p>{number(Worthy::of(&grid.makespan))}</p>
            <p class="hint">{sentence(&grid.means)}</p>
            <ul class="chain-sms">{bars.into_iter().take(MOST_SMS).map(bar).collect_view()}</ul>
            {(more > 0).then(|| view! { <p class="hint">{format!("{} more are in the report.", counted(more, "multiprocessor"))}</p> })}
        </div>
    }
    .into_any()
}
