//! The labs as places of the page: what one edits at the side, and beside it the picture.

use leptos::prelude::*;
use ui_kit::keys::PICTURE;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::fold;
use super::lazy::Place;
use super::results::{Brief, Guesses, Notes, Results};
use super::scenario::ScenarioPanel;
use super::schedule::{Beneath, Figure, Stage};
use super::shell::skip_to;
use super::state::App;
use super::welcome::{self, Welcome};
use crate::page::{Part, Subject};

/// The id of what names the lab.
const NAME: &str = "lab-name";

/// How often the lab is looked for, a tenth of a second apart: its example is fetched.
const TRIES: u32 = 100;

/// Takes the keyboard to the name of a lab once that is there, unless it has been taken elsewhere by then.
pub(super) fn arrive(lab: Subject) {
    look_for(lab, TRIES);
}

fn look_for(lab: Subject, tries: u32) {
    let name = ui_kit::keys::element(NAME).and_then(|name| name.text_content()).unwrap_or_default();
    if name.starts_with(lab.name()) {
        if ui_kit::keys::has_none() {
            ui_kit::keys::focus_where_it_is(NAME);
        }
    } else if tries > 0 {
        set_timeout(move || look_for(lab, tries - 1), std::time::Duration::from_millis(100));
    }
}

/// Whichever lab is open. Lesson and form stay as they are when the lab changes.
#[component]
pub fn Labs(app: App) -> impl IntoView {
    let teaches = memo(move |_| app.lesson.with(Option::is_some));
    let welcome = memo(move |_| welcome::shown(app));
    // Setting the same lab again must not build it anew: that would lose the focus and what is unfolded.
    let lab = memo(move |_| app.lab.get());
    view! {
        <div class="lab" class:folded=live(move || app.folded.get()) class:taught=live(move || teaches.get()) class:welcoming=live(move || welcome.get())
            on:click=move |event| {
                // Narrow windows have the form over the picture; what is seen of the page beside it puts it away.
                if event.target() == event.current_target() && fold::covers() {
                    app.folded.set(true);
                }
            }>
            <Show when=move || !app.embed.get()>
                <div id="side" class="side" tabindex="-1">
                    <Show when=move || !welcome.get()>
                        <a class="skip past" href="#main" data-testid="past-form" on:click=move |event| {
                            if fold::covers() {
                                app.folded.set(true);
                            }
                            skip_to(&event, PICTURE);
                        }>"Skip to the picture"</a>
                    </Show>
                    <Show when=move || welcome.get()><Welcome app/></Show>
                    <Show when=move || teaches.get()><Place app part=Part::Lesson/></Show>
                    <ScenarioPanel app/>
                </div>
            </Show>
            {live(move || {
                let lab = lab.get();
                view! {
                    <div class="work" style=live(move || format!("--asks: \"{}\"", app.subject.get().row().asks))>
                        <h1 id=NAME class="hidden" tabindex="-1">{lab.name()}": "{lab.row().asks}</h1>
                        {if lab == Subject::Warps {
                            view! { <Warps app/> }.into_any()
                        } else {
                            (move || app.subject.get().panel().map(|part| view! { <Place app part/> })).into_any()
                        }}
                    </div>
                }
            })}
        </div>
    }
}

/// Warps on one multiprocessor: a schedule, or what else a document asks about them.
#[component]
fn Warps(app: App) -> impl IntoView {
    let stage = Stage::new(app);
    let of_program =
        memo(move |_| app.shown.with(|shown| shown.as_ref().is_some_and(|shown| shown.warps.ptx.is_some())));
    move || match app.subject.get().panel() {
        Some(part) => view! {
            <Show when=move || app.hide.get() fallback=move || view! { <Place app part/> }>
                <section class="results"><Guesses app/></section>
            </Show>
        }
        .into_any(),
        None => view! {
            <div class="beside" class:sourced=of_program>
                <div class="screen">
                    <Brief app/>
                    <Show when=move || !app.hide.get()><Figure stage/></Show>
                </div>
                <Show when=move || of_program.get()><Place app part=Part::Source/></Show>
            </div>
            <Show when=move || !app.hide.get()><Beneath stage/></Show>
            <Notes app/>
            <Results app/>
        }
        .into_any(),
    }
}
