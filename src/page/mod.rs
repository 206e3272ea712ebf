//! The page's state as plain values: what is edited, shown, selected, played and run.
//!
//! Components bind these to the screen. Nothing here knows the DOM, so all of it is tested natively.

pub mod bench;
pub mod chart;
pub mod compare;
pub mod drag;
pub mod edit;
pub mod history;
pub mod player;
pub mod pool;
pub mod program;
pub mod proof;
pub mod search;
pub mod shown;
pub mod source;
pub mod window;

pub use bench::Judged;
pub use compare::Comparison;
pub use history::History;
pub use player::Player;
pub use proof::Proof;
pub use search::Search;
pub use shown::Shown;
pub use source::Source;
pub use window::Window;

use crate::base::Problem;
use crate::scenario::{Question, Scenario};

/// The scenario, if the page can show it.
pub fn shown_here(scenario: Scenario) -> Result<Scenario, Vec<Problem>> {
    match scenario.question {
        Question::Warps(_) => Ok(scenario),
        Question::Conjecture(_) => {
            let what = "a conjecture, which this page does not show yet; the command line runs it";
            Err(vec![Problem::at("conjecture", what, "a \"warps\" scenario")])
        }
    }
}
