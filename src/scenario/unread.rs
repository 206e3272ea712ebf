//! A conjecture in a program that does not read them: whoever judges it says what is wrong with it.

use serde_json::Value;

use crate::import::reader::Reader;

/// A question about a claim, left as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConjectureScenario;

/// Takes an object for a conjecture.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<ConjectureScenario> {
    reader.object(path, value).map(|_| ConjectureScenario)
}
