//! Components that the pages of all labs share, and how what is loaded late is put into the page.
//!
//! Nothing here knows a lab or the state of the page: a part is told what it shows, and asks for what it wants.

#![cfg(target_arch = "wasm32")]

pub mod menu;
pub mod mounted;
pub mod styles;

pub mod canvas;
pub mod cursor;
pub mod follow;
pub mod overview;
pub mod player;
pub mod sight;
pub mod swatch;
pub mod tall;
pub mod tip;
pub mod touch;

pub mod cells;
pub mod controls;
pub mod curve;
pub mod doc;
pub mod dropped;
pub mod entries;
pub mod fields;
pub mod find;
pub mod fold;
pub mod glide;
pub mod grid;
pub mod heat;
pub mod lined;
pub mod live;
pub mod rows;
pub mod scrub;
pub mod seed;
pub mod show;
pub mod sums;

pub mod errors;
pub mod guess;
pub mod handover;
pub mod holder;
pub mod kept;
pub mod keys;
pub mod later;
pub mod outcome;
pub mod pin;
pub mod save;
