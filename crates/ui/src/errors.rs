//! Problems as people read them: where, what, expected.

use leptos::prelude::*;

use base::Problem;

/// Problems as the items of a list: where, what, and what was expected.
pub fn items(problems: Vec<Problem>) -> impl IntoView {
    let item = |problem: Problem| view! { <li>{told(problem, str::to_owned)}</li> };
    problems.into_iter().map(item).collect_view()
}

/// A problem: where, as that is called, what, and what was expected.
pub fn told(problem: Problem, called: impl Fn(&str) -> String) -> impl IntoView {
    let called = called(&problem.place);
    // A path is code, a label is not.
    let place = match called == problem.place {
        true => view! { <code>{called}</code> }.into_any(),
        false => view! { <b>{called}</b> }.into_any(),
    };
    view! { {place}": "{problem.what}". Expected "{problem.expected}"." }
}
