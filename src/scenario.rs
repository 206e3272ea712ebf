//! The scenario document with all labs linked.

pub use blocks_lab::scenario::{BlocksReference, BlocksScenario, MOST_BLOCKS_EVER};
pub use chain_lab::scenario::{ChainScenario, ChainSource, Changed, document_of_amalthea};
pub use conjecture_lab::scenario::{ConjectureScenario, document_of_refutation};
pub use kit::scenario::{
    Scenario, builtin, document_of_config, document_of_logs, in_file, link, logs_in, version, with_logs,
};
pub use tasks_lab::scenario::{Experiment, TasksAsked, TasksScenario};
pub use warps_lab::scenario::{
    Anneal, Beam, Exact, MEBIBYTES, MOST_CHAINS, MOST_ROUNDS, Method, Reference, WIDEST_BEAM, WarpsScenario,
    certificate, document_of_kernel_in, document_of_ptx, document_of_ptx_in, programs,
};

use serde_json::Value;

use base::Problem;

/// Reads a scenario, or says everything that is wrong with it.
pub fn read(text: &str) -> Result<Scenario, Vec<Problem>> {
    kit::scenario::read(labs::ALL.labs, text)
}

/// Reads a scenario out of a JSON tree.
pub fn from_tree(tree: &Value) -> Result<Scenario, Vec<Problem>> {
    kit::scenario::from_tree(labs::ALL.labs, tree)
}

/// The JSON tree of a document, made for it where the text is in another format that is read.
pub fn tree(text: &str) -> Result<Value, Vec<Problem>> {
    kit::scenario::tree(labs::ALL.labs, text)
}
