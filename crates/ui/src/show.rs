//! What is there only while something holds.
//!
//! The framework's own component of this name is compiled anew for every condition and everything shown: a tenth of
//! each program. This one takes both as values behind a pointer, so that it is compiled once.

use crate::live::memo;
use leptos::children::ViewFn;
use leptos::prelude::*;

/// Shows its children while a condition holds, else what is shown instead, by default nothing.
#[component]
pub fn Show(
    /// The condition.
    #[prop(into)]
    when: Signal<bool>,
    /// What is shown while it holds.
    children: ChildrenFn,
    /// What is shown else.
    #[prop(optional, into)]
    fallback: ViewFn,
) -> impl IntoView {
    // What is there stays as long as the answer does, however often it is given.
    let holds = memo(move |_| when.get());
    move || if holds.get() { children() } else { fallback.run() }
}
