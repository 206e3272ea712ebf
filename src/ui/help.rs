//! The dialog of keyboard shortcuts. The browser's own modal dialog traps the focus and gives it back.

use leptos::prelude::*;
use ui_kit::live::{effect, live};
use ui_kit::show::Show;

use super::lazy::Place;
use super::state::App;
use crate::page::Part;

/// The dialog.
#[component]
pub fn Help(app: App) -> impl IntoView {
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    effect(move || {
        let open = app.help.get();
        let Some(dialog) = dialog.get() else { return };
        if open && !dialog.open() {
            // Fails only for a dialog that is open already.
            let _ = dialog.show_modal();
            dialog.set_scroll_top(0); // what has the focus is at its end
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    view! {
        <dialog node_ref=dialog class="dialog" aria-labelledby="help-title" data-testid="help-dialog"
            on:close=move |_| app.help.set(false)>
            <h2 id="help-title">"Keyboard shortcuts"</h2>
            <Show when=move || app.help.get()><Place app part=Part::Shortcuts/></Show>
            <label class="check">
                <input type="checkbox" prop:checked=live(move || app.keys.get())
                    on:change=move |event| app.keys.set(event_target_checked(&event))/>
                " Enable single-key shortcuts"
            </label>
            <div class="row end">
                <button class="primary" autofocus on:click=move |_| app.help.set(false)>"Close"</button>
            </div>
        </dialog>
    }
}
