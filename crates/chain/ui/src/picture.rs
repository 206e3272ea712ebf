//! The chain as a picture one can walk along: by mouse, by touch, and with arrow keys.

use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::badge::badge;
use super::details::Details;
use super::drawing::Drawing;
use super::exports::Exports;
use super::stage::{Stage, show};
use super::summary::Weakest;
use chain_lab::page::chain::seek::{TERMS, listed, seek};
use chain_lab::timeline::chain::{Toward, Walk, Worth};
use kit::page::terms::Query;
use ui_kit::cells::focus_soon;
use ui_kit::find::Seek;
use ui_kit::follow::follow_size;
use ui_kit::keys;

/// The picture with its legend.
#[component]
pub(super) fn Picture(stage: Stage) -> impl IntoView {
    let plot = NodeRef::<Div>::new();
    follow_size(
        move || plot.get().map(Into::into),
        move |place| {
            let now = (f64::from(place.client_width()), f64::from(place.client_height()));
            // Gone with the page; and less than a pixel is no change.
            let changed = |old: (f64, f64)| (old.0 - now.0).abs() >= 1.0 || (old.1 - now.1).abs() >= 1.0;
            if stage.room.try_get_untracked().is_some_and(changed) {
                stage.room.set(now);
            }
        },
    );
    let hidden = stage.panel.hidden();
    let any_room = memo(move |_| stage.room.get().0 > 0.0);
    let down = move |event: KeyboardEvent| {
        if key(stage, &event) {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let used = memo(move |_| stage.with(worths).unwrap_or_default());
    let legend = move || {
        let words = |worth: Worth| match worth {
            Worth::Unknown if stage.running.get() => "still being computed",
            worth => worth.words(),
        };
        let item =
            |worth: Worth| view! { <li>{badge(worth)}<span aria-hidden="true">{words(worth)}</span></li> };
        used.get().into_iter().map(item).collect_view()
    };
    let said = memo(move |_| {
        match stage.chosen.get() {
        Some(name) if !stage.beneath.get() => format!("How the number of {name} comes about stands below the picture."),
        _ => "From instructions to deadlines. Choose a station to see how its number comes about; arrow keys walk, Enter goes into the details.".to_owned(),
    }
    });
    let seek = Callback::new(move |query: std::sync::Arc<Query>| {
        stage.with(|report| seek(report, &query)).unwrap_or_default()
    });
    let go = Callback::new(move |node| {
        stage.choose(node);
        show(node);
    });
    keys::listen(move |event| {
        let acts = stage.panel.told.with_untracked(|told| told.page.keys);
        let finds = acts
            && event.key() == "/"
            && keys::is_plain(event)
            && !keys::typing(event)
            && !keys::has_dialog();
        if finds {
            keys::go_to("chain-find");
        }
        finds
    });
    view! {
        <section class="figure chain-figure" aria-label="The chain" data-testid="chain-figure">
            <div class="row tools" role="toolbar" aria-label="Picture">
                <Seek id="chain-find" placeholder="Find: time>20us" label="Find stations" terms=&TERMS found=stage.found seek
                    at=Signal::derive(move || stage.node.get()) go
                    name=Callback::new(move |node| stage.with(|report| listed(report, node)).unwrap_or_default())/>
                <ul class="legend chain-legend" aria-label="What numbers are worth" data-testid="chain-legend">{legend}</ul>
                <ul class="legend chain-legend" aria-label="What bars are">
                    <li><span class="swatch class2"></span>"computes"</li>
                    <li><span class="swatch class3"></span>"copies"</li>
                    <li><span class="swatch class0"></span>"kernel"</li>
                    <li><span class="chain-line"></span>"deadline"</li>
                </ul>
                <span class="spacer"></span>
                <Weakest stage/>
                <Show when=move || !hidden.get()><Exports stage/></Show>
            </div>
            <div class="figure-plot chain-plot" node_ref=plot>
                <div class="chain-walk" on:keydown=down>
                    <Show when=move || any_room.get()><Drawing stage/></Show>
                </div>
                <Show when=move || stage.beneath.get() && !hidden.get()><Details stage/></Show>
            </div>
            <p class="details">{live(move || said.get())}</p>
        </section>
    }
}

/// What the numbers of a report are worth, each once.
fn worths(report: &chain_lab::report::chain::WholeReport) -> Vec<Worth> {
    let nodes = Walk::new(report).nodes();
    let of = |node| chain_lab::timeline::chain::content(report, node).and_then(|content| content.worth);
    let found: Vec<Worth> = nodes.into_iter().filter_map(of).collect();
    Worth::ALL.into_iter().filter(|worth| found.contains(worth)).collect()
}

/// Whether it was a key of the picture.
fn key(stage: Stage, event: &KeyboardEvent) -> bool {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return false;
    }
    let toward = match event.key().as_str() {
        "ArrowLeft" => Toward::Back,
        "ArrowRight" => Toward::On,
        "ArrowUp" => Toward::Up,
        "ArrowDown" => Toward::Down,
        "Home" => Toward::Start,
        "End" => Toward::End,
        "Enter" | " " => {
            focus_soon(vec!["chain-details-title".to_owned()]);
            return true;
        }
        _ => return false,
    };
    let Some(node) = stage.node.get_untracked() else { return false };
    if let Some(next) = stage.now(|report| Walk::new(report).step(node, toward)).flatten() {
        stage.go(next);
    }
    true
}
