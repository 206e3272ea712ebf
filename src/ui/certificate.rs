//! The certificate of what a search has proven, as a file: written by a worker that derives the bound again.

use leptos::prelude::*;
use ui_kit::live::live;

use super::search::refused;
use super::state::App;
use crate::base::{StopReason, people};
use crate::import::json;
use crate::page::Proof;
use crate::page::pool::Heard;

/// The button; it stands where a search has ended with a result.
#[component]
pub fn CertificateButton(app: App) -> impl IntoView {
    let job = RwSignal::new(None::<u32>);
    let press = move |_| {
        let about = app.proof.with_untracked(|proof| {
            proof.as_ref().and_then(Proof::found).map(|shown| (shown.text.clone(), shown.title.clone()))
        });
        if let Some((text, title)) = about {
            certify(app, job, text, title);
        }
    };
    view! {
        <button data-testid="certificate" on:click=press
            title="A file with the schedule and the bound, which anyone can check with: warpspan check FILE">
            {live(move || if job.get().is_some() { "Stop writing the certificate" } else { "Save a certificate" })}
        </button>
    }
}

/// Has the certificate of a document's result written; while it is being written, no longer.
pub(super) fn certify(app: App, job: RwSignal<Option<u32>>, text: String, title: String) {
    if let Some(running) = job.get_untracked() {
        app.runs.with_value(|runs| runs.cancel(running));
        job.set(None);
        app.notice.set("No certificate was written".to_owned());
        return;
    }
    let owner = move |own, heard| {
        if job.try_get_untracked() == Some(Some(own)) && heard_of_it(app, &title, heard) {
            job.set(None);
        }
    };
    job.set(Some(app.runs.with_value(|runs| runs.certify(text, owner))));
    app.notice.set("Deriving the bound again, without what found it; this may take a minute".to_owned());
}

/// Hears of the job; whether it is over.
fn heard_of_it(app: App, title: &str, heard: Heard) -> bool {
    let told = match heard {
        Heard::Progress(_) | Heard::Chain(_, false) | Heard::News(_) | Heard::Worked(_) => return false,
        Heard::Done(StopReason::Done, Some(text)) => {
            ui_kit::save::save(
                &ui_kit::save::file_name(title, "certificate.json"),
                "application/json",
                &text,
            );
            saved(&text)
        }
        Heard::Done(..) | Heard::Chain(..) => "No certificate was written".to_owned(),
        Heard::Refused(problems) => refused(&problems),
        Heard::Crashed(why) => format!("No certificate was written: {why}"),
    };
    app.notice.set(told);
    true
}

/// What the certificate claims: less than was found where that could not be derived again.
fn saved(text: &str) -> String {
    let tree = json::parse(text).ok();
    let claimed = tree.as_ref().and_then(|tree| {
        let makespan = tree.get("lower")?.get("makespan")?.as_u64()?;
        Some((makespan, tree.get("upper")?.get("bound")?.as_u64()?))
    });
    let rests = tree.as_ref().is_some_and(|tree| tree.get("provided").is_some());
    let provided = if rests { ", provided that what it names holds" } else { "" };
    let grouped = |n: u64| people::grouped(n.into());
    match claimed {
        Some((lower, upper)) if lower == upper => {
            format!("Certificate saved: the worst case is {} cycles{provided}", grouped(upper))
        }
        Some((lower, upper)) => {
            let (lower, upper) = (grouped(lower), grouped(upper));
            format!("Certificate saved: the worst case is {lower} to {upper} cycles{provided}")
        }
        None => "Certificate saved: it claims no upper bound".to_owned(),
    }
}
