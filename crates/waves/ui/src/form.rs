//! A document of a thread trace as a form, beside its title and notes: which capture it is.

use leptos::prelude::*;
use ui_kit::live::live;

use super::summary::Pick;
use base::people;
use kit::import::json;
use ui_kit::doc::Doc;
use waves_lab::scenario::{Given, given};

#[component]
pub fn WavesForm(doc: Doc) -> impl IntoView {
    let which = move || {
        doc.tree.with(|tree| tree.as_ref().ok().and_then(|tree| given(tree.get("waves")?))).map_or_else(
            || "None.".to_owned(),
            |given| match given {
                Given::Shipped(name) => format!("{name}, which ships with this page."),
                Given::File { name, bytes: Some(bytes) } => {
                    format!("{name} ({} bytes)", people::grouped(bytes.into()))
                }
                Given::Folder { name, files: Some(files) } => {
                    format!("{name} ({} files)", people::grouped(files.into()))
                }
                Given::File { name, bytes: None } | Given::Folder { name, files: None } => name,
            },
        )
    };
    let present = move |()| doc.tree.with_untracked(|tree| tree.as_ref().map(json::line).ok());
    let open = move |document: String| doc.write.run((document, "waves".into()));
    let problems = move || doc.problems.get();
    view! {
        <fieldset>
            <legend>"Thread trace"</legend>
            <p data-testid="waves-capture">{which}</p>
            <p class="hint">"The folder ui_output_agent_A_dispatch_D that rocprofv3 --att decodes, as it is, as zip or as tar.gz; or a .waves file. It stays on this computer: nothing of it is sent, nor put into a link."</p>
            <Pick present open/>
            <div class="notes">{live(move || problems().into_iter().map(|one| view! { <p class="wrong">{one.to_string()}</p> }).collect_view())}</div>
        </fieldset>
    }
}
