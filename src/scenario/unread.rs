//! A question in a program that does not read its kind: whoever answers it says what is wrong with it. Only texts that
//! are longer than any may be are told here: the page shows a document before it has an answer.

use serde_json::Value;

use crate::import::reader::Reader;

/// A question left as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread;

/// Takes an object, or a list, for such a question.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<Unread> {
    if !value.is_array() {
        reader.object(path, value)?;
    }
    reader.bounded(path, value).then_some(Unread)
}
