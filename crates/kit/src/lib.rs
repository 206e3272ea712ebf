//! What all labs are made with: documents and their reader, reports, jobs, timelines, pictures, files to save, and
//! the plain state that pages share.
//!
//! Nothing here knows a lab: a [`lab::Lab`] is a value, and a program hands over the list of those it links.
//! Nothing here reads a clock, a file or the DOM.

pub mod import;
pub mod lab;
pub mod scenario;

pub mod job;
pub mod report;

pub mod draw;
pub mod export;
pub mod timeline;

pub mod page;
