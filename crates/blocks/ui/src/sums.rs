//! What a selected stretch adds up to, kernel by kernel.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;

use super::stage::Stage;
use ui_kit::sums::{SumsOf, Which};

/// One table for each run; nothing while no stretch is selected.
#[component]
pub(super) fn Sums(stage: Stage) -> impl IntoView {
    let tables = memo(move |_| {
        let there = stage.range.get();
        there.and_then(|(from, to)| stage.with(|runs| runs.range_by_kernel(from, to))).unwrap_or_default()
    });
    let light = move |which: Option<Which>| {
        let blocks = which.zip(stage.range.get_untracked());
        let blocks = blocks.and_then(|((_, key), range)| stage.now(|runs| runs.of_line(range, key)));
        let _ = stage.found.try_set(blocks.map(Arc::new));
    };
    view! { <SumsOf id="blocks-sums" label="The stretch by kernel" tables light=Callback::new(light)/> }
}
