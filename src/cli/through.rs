//! The way through a file of PTX, as words of the command line: which kernel, which path, how often loops go round.
//!
//! They write what a document would say in `entry` and `path`, so that both mean the same.

use serde_json::{Map, Value};

use crate::base::Problem;
use crate::import::{self, Format};
use crate::scenario::{ChainScenario, ChainSource, Scenario, WarpsScenario};

/// Trip counts as they are said: of the loop at a label, or of all loops.
type Trips = (Option<String>, Value);

/// What was said about the way.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Through {
    /// Which kernel.
    pub entry: Option<String>,
    /// Which path; `None` for the usual one.
    pub path: Option<&'static str>,
    /// How often loops go round.
    pub trips: Vec<Trips>,
}

/// Paths that have a name on the command line; choices at branches are for documents.
const PATHS: [&str; 3] = ["fall-through", "loops", "longest"];

impl Through {
    /// Notes `--path`.
    pub fn note_path(&mut self, name: &str) -> Result<(), String> {
        let known = PATHS.into_iter().find(|known| *known == name);
        self.path = Some(known.ok_or(format!("--path {name:?}: expected {}", PATHS.join(", ")))?);
        Ok(())
    }

    /// Notes `--loop`: `LABEL=16`, `LABEL=2..16`, or the numbers alone for all loops.
    pub fn note_loop(&mut self, text: &str) -> Result<(), String> {
        let (label, numbers) = match text.rsplit_once('=') {
            Some((label, numbers)) => (Some(label.to_owned()), numbers),
            None => (None, text),
        };
        let number = |text: &str| text.parse::<u32>().ok().map(Value::from);
        let trips = match numbers.split_once("..") {
            Some((least, most)) => number(least).zip(number(most)).map(|(a, b)| Value::Array(vec![a, b])),
            None => number(numbers),
        };
        let trips =
            trips.ok_or(format!("--loop {text:?}: expected LABEL=16, LABEL=2..16, or 16 for all loops"))?;
        if self.trips.iter().any(|(known, _)| *known == label || known.is_none() || label.is_none()) {
            return Err(format!("--loop {text:?}: expected each loop once, or one number for all loops"));
        }
        self.trips.push((label, trips));
        Ok(())
    }

    /// The document for a text with what was said in it.
    pub fn applied(&self, text: &str, mut tree: Value) -> Result<Value, Vec<Problem>> {
        if *self == Self::default() {
            return Ok(tree);
        }
        if import::sniff(text) == Format::Sass {
            return self.in_listing(tree);
        }
        let Some(warps) = tree
            .get_mut("warps")
            .and_then(Value::as_object_mut)
            .filter(|_| import::sniff(text) == Format::Ptx)
        else {
            let what = "it is no file of PTX, and --entry, --path or --loop is given";
            return Err(vec![Problem::at(
                "document",
                what,
                "a .ptx file; a scenario says it in \"entry\" and \"path\"",
            )]);
        };
        if let Some(entry) = &self.entry {
            warps.insert("entry".to_owned(), Value::from(entry.as_str()));
        }
        if let Some(path) = self.path() {
            warps.insert("path".to_owned(), path);
        }
        let told = self.told();
        if let Some(Value::String(notes)) = tree.get_mut("notes") {
            *notes = notes.replace("on the path that takes no conditional branch", &told);
        }
        if let (Some(entry), Some(title)) = (&self.entry, tree.get_mut("title")) {
            *title = Value::from(format!("{entry:.60}, from PTX"));
        }
        Ok(tree)
    }

    /// The document of a listing with what was said in it: the function, and how often loops go round.
    fn in_listing(&self, mut tree: Value) -> Result<Value, Vec<Problem>> {
        let Some(warps) = tree.get_mut("warps").and_then(Value::as_object_mut) else { return Ok(tree) };
        if self.path.is_some() {
            let what = "--path, and it is a listing of machine code";
            return Err(vec![Problem::at(
                "document",
                what,
                "--entry for the function, --loop for its loops",
            )]);
        }
        if let Some(entry) = &self.entry {
            warps.insert("function".to_owned(), Value::from(entry.as_str()));
        }
        let mut each = Map::new();
        for (label, trips) in &self.trips {
            match label {
                None => {
                    warps.insert("loops".to_owned(), trips.clone());
                }
                Some(label) => {
                    each.insert(label.clone(), trips.clone());
                }
            }
        }
        if !each.is_empty() {
            warps.insert("loops".to_owned(), Value::Object(each));
        }
        Ok(tree)
    }

    /// Trip counts make a path on which loops go round of the usual one.
    fn path(&self) -> Option<Value> {
        let name = self.path.or(if self.trips.is_empty() { None } else { Some("loops") })?;
        if name == "fall-through" {
            return Some(Value::from(name));
        }
        let mut inner = Map::new();
        match &self.trips[..] {
            [] => {}
            [(None, all)] => {
                inner.insert("iterations".to_owned(), all.clone());
            }
            each => {
                let each = each.iter().filter_map(|(label, trips)| Some((label.clone()?, trips.clone())));
                inner.insert("iterations".to_owned(), Value::Object(each.collect()));
            }
        }
        let mut path = Map::new();
        path.insert(name.to_owned(), Value::Object(inner));
        Some(Value::Object(path))
    }

    fn told(&self) -> String {
        match (self.path, &self.trips[..]) {
            (None, []) | (Some("fall-through"), _) => {
                "on the path that takes no conditional branch".to_owned()
            }
            (Some("longest"), _) => "on the longest path".to_owned(),
            _ => "on the path on which loops go round as stated".to_owned(),
        }
    }

    /// Whether the words fit each other.
    pub fn check(&self) -> Result<(), String> {
        if self.path == Some("fall-through") && !self.trips.is_empty() {
            return Err(
                "--loop: on the path fall-through no loop goes round; expected --path loops or longest"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// What a scenario takes for granted about the PTX its kernels come from, line by line.
pub fn cautions(scenario: &Scenario) -> Vec<String> {
    if let Some(warps) = scenario.asked::<WarpsScenario>() {
        return warps.ptx.as_ref().map_or(Vec::new(), |walk| walk.cautions.clone());
    }
    let Some(chain) = scenario.asked::<ChainScenario>() else { return Vec::new() };
    let sources = chain.chain.kernels.iter().zip(&chain.sources);
    let told = sources.filter_map(|(kernel, source)| match source {
        Some(ChainSource::Ptx(source)) => Some((&kernel.name, &source.walk)),
        _ => None,
    });
    told.flat_map(|(name, walk)| walk.cautions.iter().map(move |text| format!("{name}: {text}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario;

    const TEXT: &str = "A: add.u32 %r1, %r1, 1; @%p1 bra A; ret;";

    fn through(path: Option<&str>, loops: &[&str]) -> Result<Through, String> {
        let mut through = Through::default();
        path.map_or(Ok(()), |path| through.note_path(path))?;
        loops.iter().try_for_each(|text| through.note_loop(text))?;
        through.check()?;
        Ok(through)
    }

    fn path(path: Option<&str>, loops: &[&str]) -> String {
        through(path, loops).map_or_else(
            |message| message,
            |through| through.path().map_or(String::new(), |path| path.to_string()),
        )
    }

    #[test]
    fn words_say_what_documents_say() {
        assert_eq!(path(None, &[]), "");
        assert_eq!(path(None, &["A=3"]), r#"{"loops":{"iterations":{"A":3}}}"#);
        assert_eq!(
            path(Some("longest"), &["A=2..16", "$L=1"]),
            r#"{"longest":{"iterations":{"A":[2,16],"$L":1}}}"#
        );
        assert_eq!(path(None, &["7"]), r#"{"loops":{"iterations":7}}"#);
        assert_eq!(path(Some("longest"), &[]), r#"{"longest":{}}"#);
        for wrong in [&["A=x"][..], &["A="], &["A=1", "A=2"], &["3", "A=2"], &["A=1..2..3"]] {
            assert!(through(None, wrong).is_err(), "{wrong:?}");
        }
        assert!(through(Some("shortest"), &[]).is_err() && through(Some("fall-through"), &["3"]).is_err());
    }

    #[test]
    fn only_ptx_has_a_way_through() -> Result<(), String> {
        let way = through(None, &["A=3"])?;
        let tree = scenario::tree(TEXT).map_err(|_| "PTX")?;
        let document = way.applied(TEXT, tree).map_err(|_| "PTX")?;
        assert_eq!(document["warps"]["path"]["loops"]["iterations"]["A"], 3);
        assert!(document["notes"].as_str().is_some_and(|notes| notes.contains("go round as stated")));
        assert!(way.applied("{}", Value::from(1)).is_err());
        Ok(())
    }
}
