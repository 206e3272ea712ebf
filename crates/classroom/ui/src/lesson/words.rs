//! Texts of a lesson on the screen, and the signs beside them.

use leptos::prelude::*;

use classroom::lesson::marks::{Mark, marked};

/// A paragraph with its marks.
#[component]
pub(crate) fn Paragraph(text: String) -> impl IntoView {
    view! { <p>{inline(&text)}</p> }
}

/// A text with its marks, within a line.
pub(crate) fn inline(text: &str) -> impl IntoView + use<> {
    let mark = |mark: Mark| match mark {
        Mark::Plain(text) => text.into_any(),
        Mark::Code(text) => view! { <code>{text}</code> }.into_any(),
        Mark::Emphasis(text) => view! { <em>{text}</em> }.into_any(),
    };
    marked(text).into_iter().map(mark).collect_view()
}

/// A sign that goes before a word: it says nothing of its own.
pub(super) fn sign(name: &'static str) -> impl IntoView {
    let path = match name {
        "done" => "M3 8.5 6.5 12 13 4.5",
        "wrong" => "M4 4 12 12 M12 4 4 12",
        _ => "M8 4 V8.5 L11 10.5",
    };
    view! {
        <svg class=format!("lesson-sign {name}") viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <circle cx="8" cy="8" r="7.25"/>
            <path d=path/>
        </svg>
    }
}
