//! What the document is called, how its run stands, the verdict and its weakest link.

use leptos::prelude::*;

use super::stage::Stage;
use chain_lab::page::chain::summary::{Tone, because, sentence, state, verdict, weakest};
use chain_lab::page::chain::{guess, only_given};
use chain_lab::report::chain::WholeReport;
use chain_lab::timeline::chain::Node;
use kit::page::Ask;
use ui_kit::guess::Guess;
use ui_kit::outcome::{RunRow, Warnings};

/// The verdict as it is shown.
#[derive(Clone, PartialEq)]
struct Said {
    tone: Tone,
    words: &'static str,
    because: String,
    weakest: Option<(Node, String)>,
}

impl Said {
    fn of(report: &WholeReport, running: bool) -> Self {
        Self {
            tone: Tone::of(&report.verdict),
            words: verdict(report, running),
            because: because(report),
            weakest: weakest(report),
        }
    }
}

/// Title, notes, run, guesses and verdict.
#[component]
pub(super) fn Summary(stage: Stage) -> impl IntoView {
    let panel = stage.panel;
    let title = move || match panel.told.with(|told| told.title.clone()) {
        title if title.is_empty() => "Untitled scenario".to_owned(),
        title => title,
    };
    let notes = Memo::new(move |_| panel.told.with(|told| told.notes.clone()));
    let stands =
        Signal::derive(move || panel.told.with(|told| panel.seen.with(|seen| state(told, seen.as_deref()))));
    let hidden = panel.hidden();
    let said = Memo::new(move |_| {
        let running = panel.told.with(|told| told.running);
        panel.with(|report| Said::of(report, running)).filter(|_| !hidden.get())
    });
    let noted = Memo::new(move |_| panel.with(|report| report.warnings.clone()).unwrap_or_default());
    let questions = Memo::new(move |_| panel.with(guess::questions).unwrap_or_default());
    let guesses = RwSignal::new(Vec::new());
    let reveal = Callback::new(move |()| panel.page.ask(Ask::Reveal));
    let about = Memo::new(move |_| panel.with(|report| gpu(&only_given(report))).unwrap_or_default());
    view! {
        <h2 data-testid="title">{title}</h2>
        {move || (!hidden.get() && !notes.with(String::is_empty)).then(|| view! { <p class="lead">{notes.get()}</p> })}
        <Guess questions hidden guesses reveal/>
        <Show when=move || !hidden.get()>
            <RunRow id="chain" label="Work done" told=panel.told said=stands page=panel.page/>
        </Show>
        {move || said.get().map(|said| view! { <Verdict stage said/> })}
        {move || about.with(|about| (!about.is_empty()).then(|| view! { <p class="hint" data-testid="chain-gpu">{about.clone()}</p> }))}
        <Warnings known=noted/>
    }
}

#[component]
fn Verdict(stage: Stage, said: Said) -> impl IntoView {
    let button = said.weakest.map(|(node, name)| {
        view! {
            <p class="chain-weakest">
                <button data-testid="chain-weakest" on:click=move |_| stage.go(node)>
                    <span class="chain-weakest-label">"Weakest link: "</span>{name}
                </button>
            </p>
        }
    });
    view! {
        <div class=format!("chain-verdict {}", said.tone.name()) data-testid="chain-verdict-box">
            <span class="chain-sign" aria-hidden="true">{said.tone.sign()}</span>
            <div class="chain-said">
                <p class="chain-words" data-testid="chain-verdict">{said.words}</p>
                {(!said.because.is_empty()).then(|| view! { <p class="told" data-testid="chain-because">{said.because}</p> })}
            </div>
            {button}
        </div>
    }
}

/// The GPU in a line.
fn gpu(report: &WholeReport) -> String {
    let gpu = &report.gpu;
    if gpu.name.is_empty() {
        return String::new();
    }
    let sms = base::people::counted(gpu.sms as usize, "multiprocessor");
    let memory = gpu.memory.as_deref().map(|memory| format!("; {memory}")).unwrap_or_default();
    let clock = chain_lab::timeline::chain::worth::clock(gpu.clock);
    let order = match &gpu.order {
        Some(order) if !order.is_empty() => format!(" Launched in the order {}.", order.join(", ")),
        _ => " Worst over every launch order.".to_owned(),
    };
    let machine = if gpu.machine.is_empty() { String::new() } else { format!("; on each: {}", gpu.machine) };
    format!("{}, {sms} at {clock}{machine}{memory}. {}{order}", gpu.name, sentence(&gpu.sharing_means))
}
