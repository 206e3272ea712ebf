//! The built-in examples, the same files the page offers and the tests run.
//!
//! The page a visitor waits for holds the first of them and a list of the others; it fetches the one that somebody
//! chooses. So there are two tables: [`BUILTINS`] with texts, for programs that need all of them, and [`LISTED`].

use crate::page::Level;

/// A scenario that comes with Warpspan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// Its file name without the extension.
    pub name: &'static str,
    /// What the list of examples calls it.
    pub label: &'static str,
    /// The heading it stands under.
    pub group: &'static str,
    /// How hard it is.
    pub level: Level,
    /// The letter of the paper it is from; empty for none.
    pub paper: &'static str,
    /// The document.
    pub text: &'static str,
}

/// An example as the page lists it, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its file name without the extension.
    pub name: &'static str,
    /// What the list calls it.
    pub label: &'static str,
    /// The heading it stands under.
    pub group: &'static str,
    /// Tells its text from every other, with the digest.
    bytes: usize,
    digest: u64,
}

impl Listed {
    /// Whether a text is this document, word for word.
    pub fn is(&self, text: &str) -> bool {
        self.bytes == text.len() && self.digest == digest(text)
    }

    /// Where it lies beside the page.
    pub fn file(&self) -> String {
        let folder = if self.group == STUDIES { "studies" } else { "scenarios" };
        format!("{folder}/{}.json", self.name)
    }
}

/// FNV-1a, 64 bits.
const fn digest(text: &str) -> u64 {
    let (bytes, mut hash, mut at) = (text.as_bytes(), 0xcbf2_9ce4_8422_2325, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

/// The group whose files have a folder of their own.
const STUDIES: &str = "Studies";

macro_rules! text_of {
    ("Studies", $name:literal) => {
        include_str!(concat!("../../../../www/studies/", $name, ".json"))
    };
    ($group:tt, $name:literal) => {
        include_str!(concat!("../../../../www/scenarios/", $name, ".json"))
    };
}

macro_rules! builtins {
    ($($group:tt { $($name:literal $label:literal $level:ident $paper:literal,)* })*) => {
        /// All of them; the first is what a visitor sees first.
        pub const BUILTINS: &[Builtin] = &[$($(Builtin {
            name: $name,
            label: $label,
            group: $group,
            level: Level::$level,
            paper: $paper,
            text: text_of!($group, $name),
        },)*)*];
        /// All of them, without their texts.
        pub const LISTED: &[Listed] = &[$($(Listed {
            name: $name,
            label: $label,
            group: $group,
            bytes: text_of!($group, $name).len(),
            digest: const { digest(text_of!($group, $name)) },
        },)*)*];
        /// The groups of the list, in its order.
        pub const GROUPS: &[&str] = &[$($group,)*];
    };
}

/// Models of another tool that come with Warpspan, as files beside the page, and what the list calls them.
pub const MODELS: [(&str, &str); 2] = [
    ("models/teaching.amxmi", "One camera task and its GPU"),
    ("models/driver-assistance.amxmi", "Driver assistance on a Jetson TX2"),
];

/// The document a visitor sees first.
pub const FIRST: &str = BUILTINS[0].text;

crate::page::subject::examples!(builtins);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::json;
    use crate::page::Subject;
    use crate::scenario::link;

    #[test]
    fn every_lab_has_examples_under_its_name() {
        for lab in Subject::labs().map(Subject::name) {
            assert!(GROUPS.contains(&lab), "{lab}: its first example is shown to those who go there");
        }
    }

    #[test]
    fn every_example_is_valid_and_fits_a_link() {
        for example in BUILTINS {
            let read = labs::ALL.read(example.text);
            assert!(read.is_ok(), "{}: {read:?}", example.name);
            let Ok(tree) = json::parse(example.text) else { unreachable!("valid") };
            let written = link::write(&tree, &link::View::default());
            let length = written.as_ref().map_or(usize::MAX, String::len);
            // What was measured is as long as it is.
            let most = if example.name == "alexnet-first-steps" { 16_000 } else { 2_000 };
            assert!(length <= most, "{}: {length} characters", example.name);
            assert_eq!(written.and_then(|l| link::open(&l)).map(|l| l.scenario), Ok(tree));
        }
    }

    #[test]
    fn the_list_knows_each_text_and_no_other() {
        for (example, listed) in BUILTINS.iter().zip(LISTED) {
            let same: Vec<_> = LISTED.iter().filter(|other| other.is(example.text)).collect();
            assert_eq!((same, example.name, example.label), (vec![listed], listed.name, listed.label));
            assert!(!listed.is(&format!("{} ", example.text)));
        }
        assert_eq!(BUILTINS.len(), LISTED.len());
    }

    #[test]
    fn every_file_is_listed() -> std::io::Result<()> {
        for folder in ["scenarios", "studies"] {
            let folder = format!("{}/../../www/{folder}", env!("CARGO_MANIFEST_DIR"));
            for entry in std::fs::read_dir(folder)? {
                let name = entry?.file_name().to_string_lossy().replace(".json", "");
                assert!(BUILTINS.iter().any(|example| example.name == name), "{name} is not offered");
            }
        }
        Ok(())
    }
}
