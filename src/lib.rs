//! Warpspan: how long GPU threads can take in the worst case, and why.
//!
//! This file is the map. Layers only point downwards, and the labs never import each other:
//!
//! | layer | rooms | what it holds |
//! |---|---|---|
//! | ground | [`base`] | problems with places, sliced work, seeded generators, numbers for people |
//! | labs | [`warps`], [`blocks`], [`tasks`] | the models and algorithms: plain Rust, no serde, no clock, no file, no DOM |
//! | chains | [`chain`] | the labs joined: warps make blocks, blocks make kernels, kernels make host tasks wait |
//! | conjectures | [`conjecture`] | claims about worst cases, held against exhaustive search over ranges of parameters |
//! | documents | [`import`], [`scenario`] | what a text is, the scenario document, share links |
//! | results | [`report`], [`timeline`] | serialisable results; tracks and spans, one shape for all labs |
//! | pictures | [`draw`], [`export`] | drawing as data; SVG and CSV from it |
//! | work | [`job`], [`gpu`] | a scenario as a value stepped in slices, and the messages between page and worker; the published table on a GPU |
//! | reproduction | [`reproduce`] | what the papers print, held against reports |
//! | lessons | [`lesson`] | guided tours over the labs: the document, its checks, the lessons that come with it |
//! | faces | [`page`], `cli`, `ui` | the page's plain state; the command line; the page's components |
//!
//! Data flows one way: text, scenario, job, report, timeline, draw list, screen.

pub use ::base;
pub use ::blocks;
pub use ::tasks;
pub use ::warps;

pub use ::chain;
pub use ::conjecture;

pub mod import;
pub mod scenario;

pub mod report;
pub mod timeline;

pub mod draw;
pub mod export;

#[cfg(feature = "tasks")]
pub mod gpu;
pub mod job;

#[cfg(feature = "lessons")]
pub mod lesson;
#[cfg(feature = "reproduce")]
pub mod reproduce;

#[cfg(feature = "cli")]
pub mod cli;
pub mod page;
#[cfg(feature = "front")]
pub mod ui;
