//! What the document is called, how its run stands, the verdict and its weakest link.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::stage::Stage;
use chain_lab::page::chain::summary::{Tone, because, once, partial, sentence, state, verdict, weakest};
use chain_lab::page::chain::{guess, only_given};
use chain_lab::report::chain::WholeReport;
use ui_kit::guess::Guesses;
use ui_kit::outcome::{Notes, RunRow, Title, Warnings};

/// The verdict as it is shown.
#[derive(Clone, PartialEq)]
struct Said {
    tone: Tone,
    words: &'static str,
    /// Which loops are taken to go round once.
    once: Option<String>,
    /// Which listings may lack something.
    partial: Option<String>,
}

impl Said {
    fn of(report: &WholeReport, running: bool) -> Self {
        Self {
            tone: Tone::of(&report.verdict),
            words: verdict(report, running),
            once: once(report),
            partial: partial(report),
        }
    }
}

/// Title, verdict and run, in a line.
#[component]
pub(super) fn Brief(stage: Stage) -> impl IntoView {
    let panel = stage.panel;
    let stands =
        Signal::derive(move || panel.told.with(|told| panel.seen.with(|seen| state(told, seen.as_deref()))));
    let hidden = panel.hidden();
    let said = memo(move |_| {
        let running = panel.told.with(|told| told.running);
        panel.with(|report| Said::of(report, running)).filter(|_| !hidden.get())
    });
    let questions = memo(move |_| panel.with(guess::questions).unwrap_or_default());
    view! {
        <div class="brief">
            <Title told=panel.told/>
            {live(move || said.get().map(|said| view! { <Verdict said/> }))}
            <Show when=move || !hidden.get()>
                <RunRow id="chain" label="Work done" told=panel.told said=stands page=panel.page/>
            </Show>
        </div>
        <Guesses questions told=panel.told page=panel.page/>
    }
}

/// Notes and what the GPU is, beneath the picture.
#[component]
pub(super) fn Summary(stage: Stage) -> impl IntoView {
    let panel = stage.panel;
    let hidden = panel.hidden();
    let noted = memo(move |_| panel.with(|report| report.warnings.clone()).unwrap_or_default());
    let because = memo(move |_| panel.with(because).filter(|_| !hidden.get()));
    let about = memo(move |_| panel.with(|report| gpu(&only_given(report))).unwrap_or_default());
    view! {
        <Notes told=panel.told hidden/>
        {live(move || because.get().filter(|because| !because.is_empty()).map(|because| view! { <p data-testid="chain-because">{because}</p> }))}
        {live(move || about.with(|about| (!about.is_empty()).then(|| view! { <p class="hint" data-testid="chain-gpu">{about.clone()}</p> })))}
        <Warnings known=noted/>
    }
}

#[component]
fn Verdict(said: Said) -> impl IntoView {
    view! {
        <div class=format!("chain-verdict {}", said.tone.name()) data-testid="chain-verdict-box">
            <span class="chain-sign" aria-hidden="true">{said.tone.sign()}</span>
            <div class="chain-said">
                <p class="chain-words" data-testid="chain-verdict">{said.words}</p>
                {said.once.map(|once| view! { <p class="chain-lacks" data-testid="chain-once">{once}</p> })}
                {said.partial.map(|partial| view! { <p class="chain-lacks" data-testid="chain-partial">{partial}</p> })}
            </div>
        </div>
    }
}

/// The way to the station that leaves the least.
#[component]
pub(super) fn Weakest(stage: Stage) -> impl IntoView {
    let hidden = stage.panel.hidden();
    let known = memo(move |_| stage.with(weakest).flatten().filter(|_| !hidden.get()));
    move || {
        known.get().map(|(node, name)| {
            view! {
                <button data-testid="chain-weakest" title="The first link whose number is worth no more than the verdict. Press to go there" on:click=move |_| stage.go(node)>
                    <span class="chain-weakest-label">"Weakest: "</span>{name}
                </button>
            }
        })
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
