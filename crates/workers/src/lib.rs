//! The page's workers: what page and worker say to each other, the pool as a state machine, and real workers under it.
//!
//! Nothing here knows the page, and nothing draws: what happens in a browser with workers that crash, hang or do not
//! exist is tested without either.

pub mod pool;
pub mod protocol;

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
pub mod crew;
#[cfg(target_arch = "wasm32")]
pub mod runs;
