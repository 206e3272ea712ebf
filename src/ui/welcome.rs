//! What a visitor without a link meets beside the first picture: what this page is, a number to turn, one large
//! button, and three ways on. Gone with the first document that somebody opens, and with the form.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::curve::{Curve, CurveOf};
use ui_kit::live::{effect, live, memo};
use wasm_bindgen::JsCast;

use super::fold;
use super::state::App;
use crate::base::people;
use crate::import::json;
use crate::page::curve::in_turn;
use crate::page::session::Event;
use crate::page::{Player, Subject, edit};
use crate::scenario::{WarpsScenario, builtin};
use kit::page::rooms::REFUTED;
use workers::runs;

/// The path that the slider writes.
const COUNT: [&str; 2] = ["warps", "count"];
/// The slider ends here; the form takes more.
const MOST: u32 = 32;
/// How fast the two schedules are played, times the ordinary speed.
const PACE: f64 = 16.0;

/// Whether it is on the screen.
pub fn shown(app: App) -> bool {
    app.welcome.get()
        && app.lab.get() == Subject::Warps
        && app.lesson.with(Option::is_none)
        && !app.hide.get()
}

impl App {
    /// Somebody has come to work: the form takes its place.
    pub(super) fn end_welcome(&self) {
        if self.welcome.get_untracked() {
            self.welcome.set(false);
        }
    }
}

/// The number of warps in the document.
fn count(app: App) -> Option<u32> {
    app.read.with(|read| {
        let warps = read.as_ref().ok()?.asked::<WarpsScenario>()?;
        u32::try_from(warps.count).ok()
    })
}

/// What the first example is, for those who have never heard of it.
pub fn named(app: App) -> String {
    people::counted(count(app).unwrap_or(16) as usize, "warp")
        + " run one program: load, compute, load, compute"
}

/// Beside the first picture.
#[component]
pub fn Welcome(app: App) -> impl IntoView {
    tell(app);
    let known = memo(move |_| count(app).unwrap_or(16));
    let turns = memo(move |_| {
        app.read.with(|read| Some(in_turn(read.as_ref().ok()?.asked()?, MOST as usize))).unwrap_or_default()
    });
    let curve = memo(move |_| Curve { turns: turns.get(), worst: app.known_worst(), at: known.get() });
    let turn = move |event| {
        if let Ok(warps) = event_target_value(&event).parse::<u32>() {
            app.edit_tree("warps.count", |tree| edit::set(tree, &COUNT, Value::from(warps)));
        }
    };
    let own = move |_| {
        app.end_welcome();
        if app.text.with_untracked(|text| text == builtin::FIRST)
            && let Ok(tree) = app.tree.get_untracked()
        {
            // From here on it is the visitor's, whatever it was an example of.
            let own = edit::set(&edit::remove(&tree, &["notes"]), &["title"], "My kernel".into());
            app.edit(json::pretty(&own), "title".into());
        }
        app.folded.set(false);
        fold::enter();
        to_kernel(TRIES);
    };
    view! {
        <section class="welcome" aria-label="Welcome" data-testid="welcome">
            <div class="welcome-says">
                <h2>"How long can GPU threads take, at worst?"</h2>
                <p>"For whoever must know that a kernel meets its deadline: Warpspan finds the worst case, proves it and shows why. Each row is a warp, 32 threads in step; how long they take depends on their order."</p>
            </div>
            <div class="welcome-does">
                <label class="welcome-slider">
                    <span>"Warps: "<b>{live(move || known.get())}</b></span>
                    <input type="range" min="1" max=MOST data-testid="welcome-warps" prop:value=live(move || known.get()) on:input=turn/>
                    <CurveOf curve/>
                </label>
                <button class="primary large" data-testid="welcome-find" disabled=live(move || app.read.with(Result::is_err))
                    on:click=move |_| begin(app)>{live(move || said(app))}</button>
                <p class="told" aria-live="polite" data-testid="welcome-told">{live(move || found(app))}</p>
                <nav class="doors" aria-label="Ways on">
                    <a href="#lesson=latency-hiding" data-testid="door-learn"><b>"Learn"</b><span>"Why threads wait, step by step"</span></a>
                    <button data-testid="door-own" on:click=own><b>"Try my kernel"</b><span>"Letters, PTX or a form"</span></button>
                    <a href="#reproduce" data-testid="door-refuted"><b>"See what fell"</b><span>{REFUTED}" published values, refuted"</span></a>
                </nav>
                <p class="hint">"Computed and proven in your browser; nothing is uploaded."</p>
            </div>
        </section>
    }
}

/// The button: it finds the worst case; once that is known it plays both schedules, pauses and goes on.
fn begin(app: App) {
    if app.found_now() {
        match app.player.with_untracked(is_on_the_way) {
            true => app.player.update(|player| *player = player.toggled()),
            false => app.play_both(),
        }
    } else if !app.is_proving() {
        app.happened(Event::Sought);
    }
}

fn said(app: App) -> &'static str {
    app.proof.track();
    match (app.proven_bounds().is_some() && app.is_proving(), app.found_now()) {
        (true, _) => "Searching…",
        (_, true) => app.player.with(|player| match player.playing {
            true => "Pause",
            false if is_on_the_way(player) => "Go on",
            false => "Play both, in step",
        }),
        _ => "Find the worst case",
    }
}

fn is_on_the_way(player: &Player) -> bool {
    player.playing || !player.is_at_end() && player.step > 0
}

/// How often the field is looked for, a tenth of a second apart: the form comes with a program of its own.
const TRIES: u32 = 100;

/// Takes the keyboard to the kernel, to be written over; unless it has been taken elsewhere by then.
fn to_kernel(tries: u32) {
    let field = document().get_element_by_id("field-warps-kernel");
    if let Some(field) = field.and_then(|field| field.dyn_into::<web_sys::HtmlInputElement>().ok()) {
        let _ = field.focus();
        field.select();
        window().scroll_to_with_x_and_y(0.0, 0.0); // the form scrolls by itself
    } else if tries > 0 {
        let at = document().active_element().map(|at| at.id()).unwrap_or_default();
        if at.is_empty() || at == "side" {
            set_timeout(move || to_kernel(tries - 1), std::time::Duration::from_millis(100));
        }
    }
}

/// What is known, in a sentence.
fn found(app: App) -> Option<String> {
    let now = app.shown.with(|shown| shown.as_ref().map(|shown| shown.report.makespan))?;
    let takes = |cycles: u32| people::counted(cycles as usize, "cycle");
    let first = format!("Taking turns, they need {}.", takes(now));
    let Some((lower, upper)) = app.proven_bounds() else { return Some(first) };
    let best = app.best_case().map(|best| format!(" The best is {best}.")).unwrap_or_default();
    Some(match lower == upper {
        true => format!("{first} At worst it is {}, proven.{best}", takes(upper)),
        false => format!("{first} At worst it is {} to {}.", people::grouped(lower.into()), takes(upper)),
    })
}

impl App {
    /// Whether the worst case is found and drawn beneath what is shown.
    fn found_now(&self) -> bool {
        self.proven_bounds().is_some_and(|(lower, upper)| lower == upper)
    }

    /// Plays the schedule that is shown and the one beneath it, step by step together.
    fn play_both(&self) {
        self.player.update(|player| *player = player.at(0).with_speed(PACE).toggled());
    }
}

/// Tells the story once, where motion and bytes are welcome: the worst case is found, and both schedules are played.
fn tell(app: App) {
    if !runs::may_fetch_ahead() || prefers_less_motion() {
        return;
    }
    let begun = StoredValue::new(false);
    effect(move || {
        if app.shown.with(Option::is_none) || begun.get_value() {
            return;
        }
        begun.set_value(true);
        let start = move || {
            let untouched = app.text.try_get_untracked().is_some_and(|text| text == builtin::FIRST);
            if untouched && app.welcome.get_untracked() && app.proof.with_untracked(Option::is_none) {
                app.happened(Event::Sought);
            }
        };
        set_timeout(start, std::time::Duration::from_millis(1_200));
    });
    let played = StoredValue::new(false);
    effect(move || {
        app.proof.track();
        // Who has asked about a cell by then reads the answer.
        let reads = app.selected.with_untracked(Option::is_some) || app.idle.with_untracked(Option::is_some);
        if app.found_now() && !played.get_value() && app.player.with_untracked(|player| player.is_at_end()) {
            played.set_value(true);
            if reads {
                return;
            }
            app.play_both();
        }
    });
}

fn prefers_less_motion() -> bool {
    let asked = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    asked.is_some_and(|asked| asked.matches())
}
