//! Problems as people read them: where, what, expected.

use leptos::prelude::*;

use base::Problem;

/// Problems as the items of a list: where, what, and what was expected.
pub fn items(problems: Vec<Problem>) -> impl IntoView {
    let item = |problem: Problem| view! { <li>{told(problem)}</li> };
    problems.into_iter().map(item).collect_view()
}

/// A problem: where, what, and what was expected.
pub fn told(problem: Problem) -> impl IntoView {
    view! { <code>{problem.place}</code>": "{problem.what}". Expected "{problem.expected}"." }
}
