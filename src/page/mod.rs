//! The page's state as plain values: what is edited, shown, selected, played and run.
//!
//! Components bind these to the screen. Nothing here knows the DOM, so all of it is tested natively.

pub mod bench;
#[cfg(feature = "blocks")]
pub mod blocks;
#[cfg(feature = "chain")]
pub mod chain;
pub mod chart;
pub mod claims;
pub mod compare;
pub mod drag;
pub mod edit;
pub mod embed;
#[cfg(any(feature = "blocks", feature = "tasks"))]
pub mod fields;
pub mod guess;
pub mod history;
pub mod place;
pub mod player;
pub mod pool;
pub mod program;
pub mod proof;
#[cfg(feature = "reproduce")]
pub mod reproduce;
pub mod rooms;
pub mod search;
#[cfg(feature = "chain")]
pub mod sheet;
pub mod shown;
pub mod source;
pub mod subject;
#[cfg(feature = "tasks")]
pub mod tasks;
pub mod tile;
pub mod trial;
pub mod window;

pub use bench::Judged;
pub use compare::Comparison;
pub use history::History;
pub use place::{Place, Room};
pub use player::Player;
pub use proof::Proof;
pub use rooms::Lesson;
pub use search::Search;
pub use shown::Shown;
pub use source::Source;
pub use subject::{Part, Subject};
pub use trial::Trial;
pub use window::Window;
