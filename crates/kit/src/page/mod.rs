//! Plain state that pages of all labs share. Nothing here knows the DOM.

pub mod drag;
pub mod edit;
pub mod fields;
pub mod guess;
pub mod history;
pub mod player;
pub mod tile;
pub mod told;
pub mod window;

pub use history::History;
pub use player::Player;
pub use window::Window;
