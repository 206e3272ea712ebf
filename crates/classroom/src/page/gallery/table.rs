//! How hard each example is, and which paper it is from.

use super::Level;
use super::Level::{Advanced, Beginner, Intermediate};

const TABLE: [(&str, Level, &str); 52] = [
    ("voronoi-16", Beginner, "B"),
    ("voronoi-fixed", Beginner, "B"),
    ("voronoi-pending", Beginner, "B"),
    ("voronoi-issue-4", Intermediate, "B"),
    ("voronoi-ptx", Intermediate, "B"),
    ("all-units", Intermediate, ""),
    ("large", Advanced, ""),
    ("voronoi-exact", Advanced, "B"),
    ("voronoi-exact-issue-4", Advanced, "B"),
    ("voronoi-anneal", Advanced, "B"),
    ("voronoi-gang", Advanced, "B"),
    ("voronoi-beam", Advanced, "B"),
    ("sub-blocks", Advanced, "R"),
    ("memory-misses", Intermediate, ""),
    ("memory-voronoi", Advanced, "B"),
    ("figure-2", Beginner, "B"),
    ("given-schedule", Beginner, "B"),
    ("figure-5", Beginner, "B"),
    ("figure-6", Beginner, "B"),
    ("figure-7", Beginner, "B"),
    ("raravi-figure-3a", Intermediate, "R"),
    ("raravi-figure-3b", Intermediate, "R"),
    ("raravi-figure-4", Intermediate, "R"),
    ("raravi-figure-5", Intermediate, "R"),
    ("raravi-formula", Advanced, "R"),
    ("raravi-drawn", Advanced, "R"),
    ("extrapolation", Advanced, "B"),
    ("paredes-example", Intermediate, "P"),
    ("paredes-measured", Intermediate, "P"),
    ("paredes-scenario-1", Intermediate, "P"),
    ("paredes-scenario-2", Intermediate, "P"),
    ("paredes-scenario-3", Intermediate, "P"),
    ("head-of-line", Beginner, "A"),
    ("priorities", Beginner, "A"),
    ("shared-memory", Beginner, "A"),
    ("null-stream", Intermediate, "A"),
    ("copies", Beginner, "A"),
    ("processes", Intermediate, "A"),
    ("masks", Intermediate, ""),
    ("measured-run", Advanced, "A"),
    ("many-blocks", Advanced, ""),
    ("tasks-controller", Beginner, ""),
    ("tasks-overload", Intermediate, ""),
    ("tasks-figure-2", Beginner, "N"),
    ("tasks-splice", Advanced, "N"),
    ("tasks-equation-rejects", Advanced, "N"),
    ("tasks-experiment", Advanced, "N"),
    ("chain-teaching", Beginner, ""),
    ("chain-exclusive", Intermediate, ""),
    ("chain-camera", Advanced, ""),
    ("loss-in-every-step", Beginner, ""),
    ("copies-wait-for-the-host", Intermediate, ""),
];

/// The level of an example and the letter of its paper; a test holds that every one stands in the table.
pub(super) fn of(name: &str) -> Option<(Level, &'static str)> {
    TABLE.into_iter().find(|(known, ..)| *known == name).map(|(_, level, paper)| (level, paper))
}
