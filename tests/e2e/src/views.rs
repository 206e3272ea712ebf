//! The views of the page, each with the way there: what pictures are taken of, and what is measured.

use crate::{Outcome, Page};

/// A view of the page.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Its name in files.
    pub name: &'static str,
    /// The part of its address from `#` on.
    pub fragment: &'static str,
    /// What is clicked then.
    pub click: Option<&'static str>,
    /// The picture that owns its first screen, where it is a lab's.
    pub picture: Option<&'static str>,
    /// What is there once the view is.
    pub there: &'static str,
}

const fn lab(name: &'static str, click: Option<&'static str>, picture: &'static str) -> View {
    View { name, fragment: "", click, picture: Some(picture), there: picture }
}

const fn room(name: &'static str, fragment: &'static str, there: &'static str) -> View {
    View { name, fragment, click: None, picture: None, there }
}

/// The labs with their first examples.
pub const LABS: [View; 8] = [
    lab("warps", None, "plot"),
    lab("code", Some("lab-code"), "code-plot"),
    lab("blocks", Some("lab-blocks"), "blocks-plot"),
    lab("tasks", Some("lab-tasks"), "tasks-plot"),
    lab("chain", Some("lab-chain"), "chain-drawing"),
    lab("traces", Some("lab-traces"), "traces-plot"),
    lab("waves", Some("lab-waves"), "waves-plot"),
    lab("studies", Some("lab-studies"), "study-plot"),
];

/// What is beside the labs.
pub const ROOMS: [View; 4] = [
    room("lessons", "#lessons", "card-latency-hiding"),
    room("lesson", "#lesson=latency-hiding/2", "lesson-card"),
    room("examples", "#examples", "gallery-listed"),
    room("reproduce", "#reproduce", "reproduce-summary"),
];

impl View {
    /// Goes there.
    pub async fn open(&self, page: &Page) -> Outcome {
        page.go(self.fragment).await?;
        if let Some(click) = self.click {
            page.wait_for("makespan").await?;
            page.click(click).await?;
        }
        page.wait_for(self.there).await.map(drop)
    }
}
