//! References between elements, in all the forms they are written in, and tables that find what they name.
//!
//! `Name?type=Task`, `amlt:/#Name?type=sw.Task`, `file.amxmi#_id`, the `xmi:id` alone, `Package/Name?type=...`,
//! `//@swModel/@tasks.3`. Characters may be percent-encoded, and a plus stands for a space.

use std::collections::BTreeMap;

use super::notes::Place;
use super::xml::Element;

/// A reference as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ref {
    /// Its text without the address of a file.
    pub raw: String,
    /// Where the element is that has it.
    pub place: Place,
}

impl Ref {
    /// Reads one reference; nothing for an empty text.
    pub fn new(text: &str, place: Place) -> Option<Self> {
        let raw = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment).trim();
        (!raw.is_empty()).then(|| Self { raw: raw.to_owned(), place })
    }

    /// The reference in an attribute.
    pub fn of(element: &Element, attribute: &str) -> Option<Self> {
        Self::new(element.get(attribute)?, element.place)
    }

    /// The references in an attribute, which are apart by spaces.
    pub fn all_of(element: &Element, attribute: &str) -> Vec<Self> {
        let text = element.get(attribute).unwrap_or_default();
        text.split_whitespace().filter_map(|one| Self::new(one, element.place)).collect()
    }

    /// The name it says, decoded.
    pub fn name(&self) -> String {
        decoded(self.raw.split_once("?type=").map_or(self.raw.as_str(), |(name, _)| name))
    }

    /// The position it says where it counts elements instead of naming one.
    fn position(&self) -> Option<usize> {
        self.raw.strip_prefix("//@")?.rsplit_once('.')?.1.parse().ok()
    }
}

/// Things by identifier, name and position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<T> {
    items: Vec<T>,
    by_id: BTreeMap<String, usize>,
    by_name: BTreeMap<String, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { items: Vec::new(), by_id: BTreeMap::new(), by_name: BTreeMap::new() }
    }
}

impl<T> Table<T> {
    /// Adds a thing; the first one of a name keeps it. Whether the name was free.
    pub fn add(&mut self, id: Option<&str>, name: &str, item: T) -> bool {
        let index = self.items.len();
        self.items.push(item);
        if let Some(id) = id {
            self.by_id.entry(id.to_owned()).or_insert(index);
        }
        let free = name.is_empty() || !self.by_name.contains_key(name);
        if free && !name.is_empty() {
            self.by_name.insert(name.to_owned(), index);
        }
        free
    }

    /// What a reference leads to.
    pub fn find(&self, reference: &Ref) -> Option<usize> {
        if let Some(&index) = self.by_id.get(&reference.raw) {
            return Some(index);
        }
        if let Some(position) = reference.position() {
            return (position < self.items.len()).then_some(position);
        }
        let name = reference.name();
        let last = || name.rsplit_once('/').and_then(|(_, last)| self.by_name.get(last));
        self.by_name.get(&name).or_else(last).copied()
    }

    /// A thing by its number.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.items.get(index)
    }

    /// What a reference leads to, with its number.
    pub fn at(&self, reference: &Ref) -> Option<(usize, &T)> {
        let index = self.find(reference)?;
        Some((index, self.items.get(index)?))
    }

    /// A thing by its number, to change it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.items.get_mut(index)
    }

    /// All things, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// How many things there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// A text with its percent signs and pluses resolved; what is no encoding stays as it is.
fn decoded(text: &str) -> String {
    if !text.contains(['%', '+']) {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        let (byte, used) = match (first, digit(0), digit(1)) {
            (b'+', _, _) => (b' ', 0),
            (b'%', Some(high), Some(low)) => (u8::try_from(high * 16 + low).unwrap_or(first), 2),
            _ => (first, 0),
        };
        bytes.push(byte);
        rest = after.get(used..).unwrap_or_default();
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> String {
        Ref::new(text, Place::FIRST).map(|reference| reference.name()).unwrap_or_default()
    }

    #[test]
    fn names_are_decoded() {
        assert_eq!(named("Task_10ms?type=Task"), "Task_10ms");
        assert_eq!(named("amlt:/#Task_sw?type=sw.Task"), "Task_sw");
        assert_eq!(named("Amba+Crossbar+Switch?type=Network"), "Amba Crossbar Switch");
        assert_eq!(named("E%2FE_System/con1?type=HwConnection"), "E/E_System/con1");
        assert_eq!(named("100%?type=Label"), "100%");
        assert_eq!(named("%C3%A9?type=Label"), "é");
        assert_eq!(named("%FF?type=Label"), "%FF");
    }

    #[test]
    fn tables_know_identifiers_names_and_positions() {
        let mut table = Table::default();
        assert!(table.add(Some("_x1"), "a", 1));
        assert!(table.add(None, "b", 2));
        assert!(!table.add(None, "b", 3));
        let find = |text: &str| table.find(&Ref::new(text, Place::FIRST)?);
        assert_eq!(find("_x1"), Some(0));
        assert_eq!(find("b?type=Task"), Some(1));
        assert_eq!(find("Package/b?type=Task"), Some(1));
        assert_eq!(find("other.amxmi#_x1"), Some(0));
        assert_eq!(find("//@swModel/@tasks.2"), Some(2));
        assert_eq!(find("//@swModel/@tasks.3"), None);
        assert_eq!(find("c"), None);
    }
}
