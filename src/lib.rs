//! Warpspan: how long GPU threads can take in the worst case, and why.
//!
//! This crate is the way in: it gathers what the crates below `crates/` hold under one name, with all labs linked.
//! Layers only point downwards, and crates keep them:
//!
//! | layer | crates | what it holds |
//! |---|---|---|
//! | ground | [`base`] | problems with places, sliced work, seeded generators, numbers for people |
//! | models | [`warps`], `code`, [`blocks`], [`tasks`], `traces`, `waves`; [`chain`], `study`, [`conjecture`] over them | algorithms: plain Rust, no serde, no clock, no file, no DOM |
//! | kit | `kit` | what labs are made with: the scenario document, reports, jobs, timelines, pictures, page state |
//! | readers | `code_read`, `traces_read`, `waves_read` | what is no document: listings, exports of profilers, thread traces |
//! | labs | `warps_lab`, `code_lab`, `blocks_lab`, `tasks_lab`, `chain_lab`, `traces_lab`, `waves_lab`, `study_lab`, `conjecture_lab` | one lab each, from its documents to what the page shows |
//! | all of them | `labs`, `classroom` | the list of labs; [`lesson`]s, what the papers print ([`reproduce`]), sheets to print |
//! | faces | `cli`, [`page`], `ui` | the command line; the state of the page's shell; the page's components |
//!
//! Another program calls [`run`], [`certify`], [`check`], [`link`] and [`open`].
//!
//! Data flows one way: text, scenario, job, report, timeline, draw list, screen.

pub use ::{blocks, tasks, warps};
pub use ::{chain, conjecture};
pub use ::base;

pub use classroom::{exercises, lesson, reproduce};
pub use labs::LINKED;
pub use tasks_lab::gpu;

mod library;
pub use library::{certify, check, link, open, run, tree};

pub mod draw;
pub mod export;
pub mod import;
pub mod job;
pub mod page;
pub mod report;
pub mod scenario;
pub mod study;
pub mod timeline;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(all(feature = "page", target_arch = "wasm32"))]
pub mod ui;
