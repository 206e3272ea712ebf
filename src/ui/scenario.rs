//! The scenario panel: examples, open, save, link, undo; the document as a form and as JSON.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::examples;
use super::lazy::Place;
use super::route;
use super::share::{NO_LINK, share};
use super::state::App;
use super::welcome;
use crate::page::edit;
use crate::page::guess::UNTOLD;
use crate::page::mend;
use crate::page::{Edited, Part, Subject};
use crate::scenario::builtin::{GROUPS, LISTED, MODELS};
use crate::ui::files;
use crate::ui::keys;
use ui_kit::errors::told;

use crate::base::Problem;

/// The panel.
#[component]
pub fn ScenarioPanel(app: App) -> impl IntoView {
    let as_json = app.as_json;
    // Its title and its notes tend to tell the answer.
    let json_shown = move || as_json.get() && !app.hide.get();
    let selected = move |on: bool| if json_shown() == on { "true" } else { "false" };
    view! {
        <section class="panel" aria-label="Scenario">
            <button class="quiet drawer-close" data-testid="drawer-close" on:click=move |_| app.folded.set(true)>"Done"</button>
            <Toolbar app/>
            <details open=true id="editor" class="editor">
                <summary>"Edit the scenario"</summary>
                <div class="switch" role="group" aria-label="Edit as">
                    <button aria-pressed=live(move || selected(false)) data-testid="as-form" on:click=move |_| as_json.set(false)>"Form"</button>
                    <button aria-pressed=live(move || selected(true)) data-testid="as-json" disabled=live(move || app.hide.get()) on:click=move |_| as_json.set(true)>"JSON"</button>
                </div>
                <Show when=json_shown fallback=move || view! { <Form app/> }>
                    <JsonText app/>
                </Show>
                <Problems app/>
            </details>
        </section>
    }
}

/// The form of whatever the document asks. It comes with the program of the labs, once somebody sees it.
#[component]
fn Form(app: App) -> impl IntoView {
    let part = memo(move |_| app.subject.get().form());
    let seen =
        memo(move |seen: Option<&bool>| seen == Some(&true) || !app.folded.get() && !welcome::shown(app));
    move || seen.get().then(|| view! { <Place app part=part.get()/> })
}

#[component]
fn Toolbar(app: App) -> impl IntoView {
    // What an example is called tends to tell the answer.
    let example = move || {
        app.text.with(|text| LISTED.iter().position(|example| example.is(text))).filter(|_| !app.hide.get())
    };
    let list = NodeRef::<leptos::html::Select>::new();
    let stands = move || {
        if let Some(list) = list.get_untracked() {
            list.set_value(&untrack(example).map(|i| i.to_string()).unwrap_or_default());
        }
    };
    let choose = move |event| {
        let Ok(place) = event_target_value(&event).parse::<usize>() else { return };
        match (LISTED.get(place), place.checked_sub(LISTED.len()).and_then(|i| MODELS.get(i))) {
            (Some(example), _) => examples::show(app, example, stands),
            (None, Some(model)) => examples::show_model(app, *model, stands),
            (None, None) => {}
        }
    };
    view! {
        <div class="toolbar">
            <label class="field wide">
                <span>"Example"</span>
                <select data-testid="example" node_ref=list on:change=choose>
                    <option value="" prop:selected=live(move || example().is_none()) disabled>{live(move || if app.hide.get() { UNTOLD } else { "Your own scenario" })}</option>
                    {GROUPS.iter().map(|group| view! {
                        <optgroup label=*group>
                            {LISTED.iter().enumerate().filter(|(_, builtin)| builtin.group == *group).map(|(i, builtin)| view! {
                                <option value=i prop:selected=live(move || example() == Some(i))>{builtin.label}</option>
                            }).collect_view()}
                        </optgroup>
                    }).collect_view()}
                    <optgroup label="AMALTHEA models">
                        {MODELS.iter().enumerate().map(|(i, (_, label))| view! { <option value=LISTED.len() + i>{*label}</option> }).collect_view()}
                    </optgroup>
                </select>
            </label>
            <div class="row" role="toolbar" aria-label="Scenario">
                <input type="file" id="open-files" class="hidden" tabindex="-1" aria-hidden="true" multiple
                    accept=".json,.ptx,.amxmi,.gz,.txt,.sqlite,application/json" data-testid="file"
                    on:change=move |event| {
                        use wasm_bindgen::JsCast;
                        let input = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlInputElement>().ok());
                        if let Some(input) = input {
                            files::open_all(app, input.files());
                            input.set_value("");
                        }
                    }/>
                <button title="Open a file (Ctrl+O); dropping and pasting work too" data-testid="open" on:click=move |_| keys::open_files()>"Open"</button>
                <button title="Save the scenario as a file (Ctrl+S)" data-testid="save" on:click=move |_| keys::save_scenario(app)>"Save"</button>
                <button title="A link that holds the scenario and the view: how long it is, and where it fits" aria-haspopup="dialog" data-testid="copy-link" on:click=move |_| share(app)>"Copy link"</button>
                <span class="spacer"></span>
                <button class="icon" title="Undo (Ctrl+Z)" aria-label="Undo" data-testid="undo"
                    disabled=live(move || !app.history.with(|h| h.can_undo())) on:click=move |_| app.undo()>"↶"</button>
                <button class="icon" title="Redo (Ctrl+Shift+Z)" aria-label="Redo" data-testid="redo"
                    disabled=live(move || !app.history.with(|h| h.can_redo())) on:click=move |_| app.redo()>"↷"</button>
            </div>
            <Teach app/>
            <Study app/>
        </div>
    }
}

/// Makes a study of the document, of which there are a few to choose from.
#[component]
fn Study(app: App) -> impl IntoView {
    let open = RwSignal::new(false);
    let other = memo(move |_| app.subject.get() != Subject::Study);
    let toggled = move |event: web_sys::Event| {
        use wasm_bindgen::JsCast;
        let details = event.target().and_then(|at| at.dyn_into::<web_sys::HtmlDetailsElement>().ok());
        open.set(details.is_some_and(|details| details.open()));
    };
    view! {
        <Show when=move || other.get()>
            <details class="teach" data-testid="make-study" on:toggle=toggled>
                <summary>"Make a study of this"</summary>
                <Show when=move || open.get()><Place app part=Part::Made/></Show>
            </details>
        </Show>
    }
}

/// What one needs in front of a class.
#[component]
fn Teach(app: App) -> impl IntoView {
    let embed = move |_| match route::embedding(app) {
        Some(code) => {
            files::copy(app, code, "HTML copied that shows this scenario in another page".to_owned())
        }
        None => app.notice.set(NO_LINK.to_owned()),
    };
    let hidden = move || if app.hide.get() { "true" } else { "false" };
    view! {
        <details class="teach">
            <summary id="teach">"Teach with this"</summary>
            <div class="row">
                // A study is no single answer.
                <Show when=move || app.subject.get() != Subject::Study>
                    <button title="A sheet of paper with the scenario, its picture and its numbers, or with room for them" data-testid="make-sheet"
                        on:click=move |_| app.sheet.set(true)>"Print a sheet"</button>
                    <button title="Hide the result until someone has guessed it; the link carries this too" aria-pressed=hidden data-testid="hide-answer"
                        on:click=move |_| {
                            app.notice.set(String::new());
                            app.hide.update(|hide| *hide = !*hide);
                        }>"Hide the answer"</button>
                </Show>
                <button title="Copy HTML that shows this scenario within another page" data-testid="copy-embed" on:click=embed>"Copy embed code"</button>
            </div>
        </details>
    }
}

#[component]
fn JsonText(app: App) -> impl IntoView {
    view! {
        <div class="field wide">
            <label for="json">"The scenario document"</label>
            <div class="lined">
            <textarea id="json" class="json" wrap="off" rows="22" spellcheck="false" autocomplete="off" data-testid="json"
                aria-describedby="problems"
                aria-invalid=live(move || if app.read.with(Result::is_err) { "true" } else { "false" })
                prop:value=live(move || app.text.get())
                on:input=move |event| app.edit(event_target_value(&event), Edited::AsText)></textarea>
                <Place app part=Part::Margin/>
            </div>
        </div>
    }
}

impl App {
    /// What the place of a problem is called: as its field in the form is labelled; else, and under JSON, its path.
    pub(super) fn called(&self, place: &str) -> String {
        let label = |id: String| {
            let selector = ["label[for='field-", &id, "'],label:has(#field-", &id, ")"].concat();
            document().query_selector(&selector).ok().flatten()?.text_content()
        };
        let named = || mend::fields(place).into_iter().find_map(label);
        if self.as_json.get() { place.to_owned() } else { named().unwrap_or_else(|| place.to_owned()) }
    }

    /// Takes the keyboard to where a problem is mended: its field in the form, else its line in the text.
    pub(super) fn go_to(&self, which: usize) {
        self.end_welcome();
        self.folded.set(false);
        if let Some(fold) = ui_kit::keys::element("editor") {
            let _ = fold.set_attribute("open", "");
        }
        let Some(problem) = self.problems().into_iter().nth(which) else { return };
        let in_text = self.as_json.get_untracked() && !self.hide.get_untracked();
        self.mend.set(Some(problem.place));
        if in_text || self.tree.with_untracked(Result::is_err) {
            self.mended(false);
        }
    }

    /// The form has found the field; or there is none, and the text is where it is mended.
    pub(super) fn mended(&self, found: bool) {
        let Some(place) = self.mend.try_update(Option::take).flatten().filter(|_| !found) else { return };
        self.as_json.set(true);
        let app = *self;
        request_animation_frame(move || mark(app, &place));
    }
}

/// Selects the line of the text that a place is on.
fn mark(app: App, place: &str) {
    use wasm_bindgen::JsCast;
    let area =
        ui_kit::keys::element("json").and_then(|area| area.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
    let Some((area, (line, from, to))) = area.zip(app.text.with_untracked(|text| edit::line_of(text, place)))
    else {
        return;
    };
    let _ = area.focus();
    let _ = area.set_selection_range(from, to);
    // The line comes to the middle: the text does not wrap, so that lines are equally high.
    let lines = app.text.with_untracked(|text| text.lines().count().max(1));
    let top = f64::from(area.scroll_height()) * line as f64 / lines as f64;
    area.set_scroll_top((top - f64::from(area.client_height()) / 2.0) as i32);
}

/// All problems of the text, beneath form and JSON alike.
#[component]
fn Problems(app: App) -> impl IntoView {
    let any = memo(move |_| app.read.with(Result::is_err));
    let waits = app.waits;
    let to_line = move |(which, problem): (usize, Problem)| {
        view! {
            <li><button class="to-line" title="Go to where this is mended" data-testid="problem" on:click=move |_| app.go_to(which)>{told(problem, |place| app.called(place))}</button></li>
        }
    };
    view! {
        <div id="problems" class="problems" class:waits=live(move || waits.get()) aria-live="polite" data-testid="problems">
            <Show when=move || waits.get()><p class="hint">"Paste the program into its field. The picture is of the kernel before."</p></Show>
            <Show when=move || any.get() && !waits.get()>
                <p>"The picture is of a scenario before these mistakes."</p>
                <ul class="to-lines">{live(move || app.problems().into_iter().enumerate().map(to_line).collect_view())}</ul>
                <button on:click=move |_| {
                    let text = app.problems().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
                    files::copy(app, text, "Problems copied".to_owned());
                }>"Copy"</button>
            </Show>
        </div>
    }
}
