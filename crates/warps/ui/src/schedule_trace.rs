//! A schedule as trace events, saved as a file, or handed to Perfetto.

use web_sys::Window;

use ui_kit::handover;
use ui_kit::save;
use warps_lab::export::perfetto::schedule_perfetto;
use warps_lab::page::shown::timeline_of;

/// Where a trace goes.
pub enum To {
    /// Into a file.
    File,
    /// To Perfetto, in its tab, where there is one.
    Perfetto(Option<Window>),
}

/// Writes the trace of a report, and tells what there is to say about where it went.
pub async fn trace(report: &str, to: To) -> Option<&'static str> {
    let Some((title, timeline)) = timeline_of(report) else {
        return Some("There is no schedule to write a trace of");
    };
    let text = schedule_perfetto(&timeline, &title);
    match to {
        To::File => {
            save::save(&save::file_name(&title, "trace.json"), "application/json", &text);
            None
        }
        To::Perfetto(tab) => Some(handover::hand_over(tab, &text, &title).await),
    }
}
