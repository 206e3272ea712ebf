//! Plain state that pages of all labs share. Nothing here knows the DOM.

pub mod ahead;
pub mod compared;
pub mod drag;
pub mod edit;
pub mod fields;
pub mod glide;
pub mod guess;
pub mod history;
pub mod hits;
pub mod holder;
pub mod level;
pub mod mend;
pub mod opened;
pub mod paper;
pub mod parts;
pub mod place;
pub mod player;
pub mod results;
pub mod rooms;
pub mod share;
pub mod subject;
pub mod sums;
pub mod terms;
pub mod tile;
pub mod told;
pub mod window;

pub use ahead::Ahead;
pub use history::History;
pub use level::Level;
pub use parts::{Ask, Edited, Part};
pub use place::{Place, Room};
pub use player::Player;
pub use rooms::Lesson;
pub use subject::Subject;
pub use window::{Stretch, Window};
