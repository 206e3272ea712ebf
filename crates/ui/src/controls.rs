//! Controls whose values are texts. Each is one type whatever it is used for, which keeps the page small.

use crate::live::live;
use crate::sight::Sight;
use leptos::prelude::*;

/// A value that is shown and changed.
#[derive(Clone, Copy)]
pub struct Bound {
    /// The present value.
    pub value: Signal<String>,
    /// Takes another one.
    pub write: Callback<String>,
}

/// A value and its name, where it is chosen from a list.
pub type Choices = Vec<(String, String)>;

/// A list to choose from.
pub fn select(name: String, id: String, choices: Signal<Choices>, bound: Bound) -> AnyView {
    let options = move || {
        let value = bound.value.get();
        let option = |(own, label): (String, String)| {
            let selected = own == value;
            view! { <option value=own prop:selected=selected>{label}</option> }
        };
        choices.get().into_iter().map(option).collect_view()
    };
    view! {
        <select aria-label=name data-testid=id on:change=move |event| bound.write.run(event_target_value(&event))>{options}</select>
    }
    .into_any()
}

/// A field for a number; `hint` stands in it while it is empty.
pub fn number(name: String, id: String, hint: &'static str, bound: Bound) -> AnyView {
    view! {
        <input type="text" inputmode="numeric" autocomplete="off" class="code" aria-label=name data-testid=id placeholder=hint
            prop:value=live(move || bound.value.get())
            on:input=move |event| bound.write.run(event_target_value(&event))/>
    }
    .into_any()
}

/// The buttons that zoom a picture, and show all of it; called `id-out`, `id-in` and `id-all`.
#[component]
pub fn Zoom(
    /// The lab, in the names of the buttons.
    id: &'static str,
    /// What is in sight.
    sight: Sight,
    /// From where to where what is selected goes.
    chosen: Callback<(), Option<(f64, f64)>>,
) -> impl IntoView {
    let by = move |factor| sight.zoom(factor, chosen.run(()).map(|(from, to)| (from + to) / 2.0));
    view! {
        <div class="switch" role="group" aria-label="Zoom">
            <button title="Zoom out (−)" aria-label="Zoom out" data-testid=format!("{id}-out") on:click=move |_| by(1.0 / 0.7)>"−"</button>
            <button title="Zoom in (+)" aria-label="Zoom in" data-testid=format!("{id}-in") on:click=move |_| by(0.7)>"+"</button>
            <button title="Show everything (0)" data-testid=format!("{id}-all") on:click=move |_| sight.show_all()>"All"</button>
        </div>
    }
}
