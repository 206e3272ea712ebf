//! What messages to a worker that holds something for a panel have in common, whatever the lab.

/// Under this key a message holds files, beside what it asks under the key of its lab.
pub const FILES: &str = "files";
