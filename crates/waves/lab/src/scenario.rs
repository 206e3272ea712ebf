//! The `waves` part of a scenario: which capture it is about.
//!
//! A capture is one that ships with the project, by its name; or a file or a folder, which the document names and never
//! holds: whoever has it opens it, and nothing of it is ever part of a document or a link.

use serde_json::Value;

use crate::captures::NAMES;
use kit::import::reader::{Fields, Reader};

/// The largest file, and the most files of a folder.
const LARGEST: u64 = 1 << 50;
/// The longest name.
const LONGEST: usize = 1_000;

/// A question about a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WavesScenario {
    /// Where it is.
    pub given: Given,
}

/// Where a capture is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// It ships with the project, under this name.
    Shipped(&'static str),
    /// In a file of this name and size.
    File {
        /// What it is called.
        name: String,
        /// How many bytes it has; none where any file of that name will do.
        bytes: Option<u64>,
    },
    /// In a folder.
    Folder {
        /// What it is called.
        name: String,
        /// How many files it has; none where any folder of that name will do.
        files: Option<u64>,
    },
}

impl Given {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Shipped(name) => name,
            Self::File { name, .. } | Self::Folder { name, .. } => name,
        }
    }
}

/// Reads the `waves` of a document.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<WavesScenario> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["capture", "file", "folder"]);
    let given = match (fields.get("capture"), fields.get("file"), fields.get("folder")) {
        (Some(name), None, None) => shipped(reader, &fields.path_of("capture"), name),
        (None, Some(file), None) => {
            let (name, bytes) = named(reader, &fields.path_of("file"), file, "bytes")?;
            Some(Given::File { name, bytes })
        }
        (None, None, Some(folder)) => {
            let (name, files) = named(reader, &fields.path_of("folder"), folder, "files")?;
            Some(Given::Folder { name, files })
        }
        _ => {
            reader.problem(path, "no capture in it", r#"exactly one of "capture", "file" and "folder""#);
            None
        }
    };
    Some(WavesScenario { given: given? })
}

/// What a document names under `waves`; none where there is a mistake in it.
pub fn given(value: &Value) -> Option<Given> {
    read(&mut Reader::default(), "waves", value).map(|asked| asked.given)
}

fn shipped(reader: &mut Reader, path: &str, value: &Value) -> Option<Given> {
    let asked = reader.text(path, value)?;
    let known = NAMES.into_iter().find(|name| *name == asked);
    if known.is_none() {
        let what = format!("no capture is called {}", base::problem::quoted(&asked));
        reader.problem(path, what, format!("one of {}", base::people::listed(&NAMES)));
    }
    known.map(Given::Shipped)
}

/// A name, and how much there is of what it names.
fn named(reader: &mut Reader, path: &str, value: &Value, size: &str) -> Option<(String, Option<u64>)> {
    let fields: Fields<'_> = reader.object(path, value)?;
    reader.only(&fields, &["name", size]);
    let name = reader
        .required(&fields, "name", "a name", |reader, path, value| reader.text_up_to(LONGEST, path, value))?;
    let size = reader.optional(&fields, size, |reader, path, value| reader.whole(path, value, 0..=LARGEST));
    Some((name, size))
}
