//! The built page, used as a visitor uses it.

#![allow(clippy::disallowed_methods, reason = "a native program that measures a browser reads the clock")]

mod axe;
mod blocks;
mod blocks_analysis;
mod chain;
mod code;
mod compare;
mod conjectures;
mod cursor;
mod exercises;
mod files;
mod find;
mod first_screen;
mod gallery;
mod keyboard;
mod lessons;
mod links;
mod memory;
mod mended;
mod offline;
mod order;
mod overview;
mod picture;
mod pinned;
mod policy;
mod proof;
mod ptx;
mod reach;
mod reproduce;
mod scenario_panel;
mod schedule;
mod search;
mod speed;
mod studies;
mod tasks;
mod tasks_experiment;
mod teaching;
mod theme;
mod traces;
mod visits;
mod waves;
mod workers;
