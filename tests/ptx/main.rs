//! PTX in the style of compilers, with kernel strings and counts derived by hand.

#![cfg(not(target_arch = "wasm32"))]

mod damaged;
mod outline;
mod paths;
mod shape;
mod trips;

use warpspan::base::Problem;
use warpspan::import::ptx::{self, Iterations, Path, Walk};

const FIGURE_11: &str = include_str!("figure-11.ptx");
const VECTOR_ADD: &str = include_str!("vector-add.ptx");
const MATRIX_MULTIPLY: &str = include_str!("matrix-multiply.ptx");
const REDUCTION: &str = include_str!("reduction.ptx");
const DOUBLE_PRECISION: &str = include_str!("double-precision.ptx");
const SPECIAL_FUNCTIONS: &str = include_str!("special-functions.ptx");
const SEVERAL_KERNELS: &str = include_str!("several-kernels.ptx");
const SWITCH: &str = include_str!("switch.ptx");
const PREDICATED: &str = include_str!("predicated.ptx");

/// All of them.
const FILES: [&str; 9] = [
    FIGURE_11,
    VECTOR_ADD,
    MATRIX_MULTIPLY,
    REDUCTION,
    DOUBLE_PRECISION,
    SPECIAL_FUNCTIONS,
    SEVERAL_KERNELS,
    SWITCH,
    PREDICATED,
];

fn walked(text: &str, entry: Option<&str>, path: &Path) -> Result<Walk, Problem> {
    let module = ptx::read(text).unwrap_or_else(|problems| unreachable!("{problems:#?}"));
    ptx::walk(&module, entry, path)
}

/// The kernel string of a path, or what is wrong with it.
fn string(text: &str, entry: Option<&str>, path: &Path) -> String {
    walked(text, entry, path).map_or_else(|problem| problem.to_string(), |walk| walk.kernel.to_string())
}

fn loops(times: u32) -> Path {
    Path::Loops(Iterations::All(times.into()))
}

fn longest(times: u32) -> Path {
    Path::Longest(Iterations::All(times.into()))
}
