//! A menu of buttons behind one button: it closes when one was pressed, when the focus leaves it, and with Esc.

use leptos::html::Details;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The menu; its buttons are its children.
#[component]
pub fn Menu(
    /// What the button says.
    label: &'static str,
    /// What tests find it by.
    id: &'static str,
    /// The buttons.
    children: Children,
) -> impl IntoView {
    let menu = NodeRef::<Details>::new();
    let close = move || {
        if let Some(menu) = menu.get_untracked() {
            menu.set_open(false);
        }
    };
    let left = move |event: leptos::ev::FocusEvent| {
        let to = event.related_target().and_then(|to| to.dyn_into::<web_sys::Node>().ok());
        let stays = menu.get_untracked().is_some_and(|menu| menu.contains(to.as_ref()));
        if to.is_some() && !stays {
            close();
        }
    };
    let key = move |event: leptos::ev::KeyboardEvent| {
        let Some(menu) = menu.get_untracked().filter(|menu| event.key() == "Escape" && menu.open()) else {
            return;
        };
        menu.set_open(false);
        event.prevent_default();
        event.stop_propagation();
        if let Ok(Some(button)) = menu.query_selector("summary")
            && let Ok(button) = button.dyn_into::<web_sys::HtmlElement>()
        {
            let _ = button.focus();
        }
    };
    // A click anywhere else closes it, too, where that takes no focus.
    let elsewhere = window_event_listener(leptos::ev::pointerdown, move |event| {
        let at = event.target().and_then(|at| at.dyn_into::<web_sys::Node>().ok());
        if menu.get_untracked().is_some_and(|menu| !menu.contains(at.as_ref())) {
            close();
        }
    });
    on_cleanup(move || elsewhere.remove());
    view! {
        <details class="menu" node_ref=menu data-testid=id on:focusout=left on:keydown=key>
            <summary>{label}</summary>
            <div class="menu-items" on:click=move |_| close()>{children()}</div>
        </details>
    }
}
