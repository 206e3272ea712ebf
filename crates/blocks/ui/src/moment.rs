//! How things stand where the player is: what happened, why the rest waits, queues, and what is free on each SM.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::heads::Heads;
use super::sms::Sms;
use super::stage::Stage;
use base::people;
use blocks_lab::page::blocks::{Entry, Moment, Queue};
use ui_kit::swatch::Swatch;

/// How things stand where the player is.
pub(super) fn known(stage: Stage) -> Known {
    let step = memo(move |_| stage.player.with(|player| (!player.is_at_end()).then_some(player.step)));
    memo(move |_| {
        let step = step.get()?;
        let events = stage.events.get()?;
        stage.with(|runs| Moment::new(runs, &events, step).map(Arc::new)).flatten()
    })
}

/// Queues, engines and SMs.
#[component]
pub(super) fn MomentView(moment: Known) -> impl IntoView {
    let there = memo(move |_| moment.with(Option::is_some));
    let sms = memo(move |_| moment.with(|moment| moment.as_ref().map_or(0, |moment| moment.sms.len())));
    view! {
        <Show when=move || there.get()>
            <div class="moment">
                <div class="queues" data-testid="blocks-queues">
                    <Queues moment name="Streams" testid="streams" of=|moment| (moment.streams.clone(), moment.more_streams)/>
                    <Queues moment name="Execution queue (EE)" testid="execution" of=|moment| (moment.execution.clone(), 0)/>
                    <Engines moment/>
                </div>
                <Waits moment/>
                <Sms moment count=sms/>
            </div>
        </Show>
    }
}

/// How things stand, where the player is not at the end.
pub(super) type Known = Memo<Option<Arc<Moment>>>;

/// The heads of the queues, and what happened last.
#[component]
pub(super) fn Sentence(stage: Stage, moment: Known) -> impl IntoView {
    let live = move || if stage.player.with(|player| player.playing) { "off" } else { "polite" };
    let said = move || {
        let player = stage.player.get();
        let total = people::counted(player.total, "event");
        match moment.get() {
            Some(moment) if player.step == 0 => {
                format!("Before the first of {total}. {}", moment.happened)
            }
            Some(moment) => {
                let step = people::grouped(player.step as u128);
                format!(
                    "Event {step} of {}, {}. {}",
                    people::grouped(player.total as u128),
                    moment.at,
                    moment.happened
                )
            }
            None if player.total == 0 => String::new(),
            None => format!("The whole run, {total}."),
        }
    };
    let device = memo(move |_| moment.with(|moment| moment.as_ref()?.device.clone()));
    view! {
        <div class="told-moment" class:away=move || stage.player.with(|player| player.is_at_end())>
            <Heads moment/>
            <div class="told-event" role="group" tabindex="0" aria-label="What happened" data-keys="own" aria-live=live>
                <p class="sentence" data-testid="blocks-sentence">{said}</p>
                {move || device.get().map(|device| view! { <p class="sentence" data-testid="blocks-device">{device}</p> })}
            </div>
        </div>
    }
}

/// Why what was issued does not run, with the numbers.
#[component]
fn Waits(moment: Known) -> impl IntoView {
    let waits = memo(move |_| {
        moment.with(|moment| moment.as_ref().map(|moment| (moment.waits.clone(), moment.more_waits)))
    });
    move || {
        waits.get().filter(|(waits, _)| !waits.is_empty()).map(|(waits, more)| {
            view! {
                <section>
                    <h3>"Why the rest waits"</h3>
                    <ul class="waits" data-testid="blocks-waits">
                        {waits.into_iter().map(|wait| view! { <li>{wait}</li> }).collect_view()}
                        {(more > 0).then(|| view! { <li class="hint">{format!("{} more wait.", people::grouped(more as u128))}</li> })}
                    </ul>
                </section>
            }
        })
    }
}

/// Queues of one kind, head first.
#[component]
fn Queues(
    moment: Known,
    name: &'static str,
    testid: &'static str,
    of: fn(&Moment) -> (Vec<Queue>, usize),
) -> impl IntoView {
    let queues = memo(move |_| moment.with(|moment| moment.as_deref().map(of).unwrap_or_default()));
    let line = |queue: Queue| {
        view! { <li><span class="name">{queue.label.clone()}</span>{entries(queue)}</li> }
    };
    view! {
        <section data-testid=format!("blocks-{testid}")>
            <h3>{name} <span class="hint">"head first"</span></h3>
            <ul class="lines">{move || queues.get().0.into_iter().map(line).collect_view()}</ul>
            {move || Some(queues.get().1).filter(|&more| more > 0).map(|more| view! { <p class="hint">{format!("{} more: empty, or further down.", people::grouped(more as u128))}</p> })}
        </section>
    }
}

/// What is on the copy engines, and their queues; nothing where nothing is copied.
#[component]
fn Engines(moment: Known) -> impl IntoView {
    let engines =
        memo(move |_| moment.with(|moment| moment.as_ref().map(|m| m.engines.clone())).unwrap_or_default());
    let line = |(copying, queue): (Option<Entry>, Queue)| {
        let number = queue.label.clone();
        let busy = match copying {
            Some(entry) => chip(entry, "on").into_any(),
            None => view! { <span class="hint">"idle"</span> }.into_any(),
        };
        view! { <li class="engine"><span class="name">{format!("engine {number}")}</span>{busy}<span class="hint">"queue"</span>{entries(queue)}</li> }
    };
    move || {
        let engines = engines.get();
        (!engines.is_empty()).then(|| {
            view! {
                <section data-testid="blocks-engines">
                    <h3>"Copy engines (CE)"</h3>
                    <ul class="lines">{engines.into_iter().map(line).collect_view()}</ul>
                </section>
            }
        })
    }
}

fn entries(queue: Queue) -> impl IntoView {
    if queue.entries.is_empty() {
        return view! { <span class="hint">"empty"</span> }.into_any();
    }
    let more = (queue.more > 0).then(|| format!("+{}", people::grouped(queue.more as u128)));
    let chips = queue.entries.into_iter().map(|entry| chip(entry, "")).collect_view();
    view! { <span class="chips">{chips}{more}</span> }.into_any()
}

pub(super) fn chip(entry: Entry, class: &'static str) -> impl IntoView {
    let swatch = entry.class.map(|class| view! { <Swatch class/> });
    let stage = (!entry.stage.is_empty()).then(|| view! { <span class="hint">{entry.stage}</span> });
    view! { <span class=format!("chip {class}")>{swatch}{entry.name}{stage}</span> }
}
