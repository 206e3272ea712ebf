//! Files of a capture, wherever they come from: a folder, files by themselves, an archive.
//!
//! Nothing here opens a file of a disk: whoever has a folder implements [`Files`].

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Files by their names.
pub trait Files {
    /// The names of all of them, with folders before them as far as they are known.
    fn names(&self) -> Vec<String>;

    /// The content of one, or why there is none.
    fn bytes(&mut self, name: &str) -> Result<Cow<'_, [u8]>, String>;
}

/// Files at hand.
#[derive(Default, Clone)]
pub struct AtHand(pub BTreeMap<String, Vec<u8>>);

impl Files for AtHand {
    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn bytes(&mut self, name: &str) -> Result<Cow<'_, [u8]>, String> {
        self.0
            .get(name)
            .map(|bytes| Cow::Borrowed(bytes.as_slice()))
            .ok_or_else(|| "it is not there".to_owned())
    }
}

/// The file that tells a capture.
pub const TELLS: &str = "filenames.json";

/// The folders that hold a capture, each with a slash at its end or empty.
pub fn captures(names: &[String]) -> Vec<String> {
    let mut found: Vec<String> = names
        .iter()
        .filter_map(|name| name.strip_suffix(TELLS))
        .filter(|folder| folder.is_empty() || folder.ends_with('/'))
        .map(str::to_owned)
        .collect();
    if found.is_empty() {
        // The file is missing, but waves are there.
        found = names
            .iter()
            .filter_map(|name| {
                let at = name.rfind('/').map_or(0, |slash| slash + 1);
                wave_name(name.get(at..)?).map(|_| name.get(..at).unwrap_or_default().to_owned())
            })
            .collect();
        found.sort();
        found.dedup();
    }
    found
}

/// Shader engine, SIMD, slot and number in the name of a wave's file, se0_sm1_sl2_wv3.json.
pub fn wave_name(name: &str) -> Option<[u32; 4]> {
    let stem = name.strip_suffix(".json")?;
    let mut parts = stem.split('_');
    let mut next = |prefix: &str| parts.next()?.strip_prefix(prefix)?.parse().ok();
    let found = [next("se")?, next("sm")?, next("sl")?, next("wv")?];
    parts.next().is_none().then_some(found)
}
