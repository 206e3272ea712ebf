//! Drives the built page.
