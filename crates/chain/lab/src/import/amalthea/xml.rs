//! XML as a stream: one element at a time, with its place; nothing of the text is kept but what the caller keeps.
//!
//! Whoever gets an element from [`Cursor::child`] asks for that element's own children until there are none, or
//! passes it over, which counts it by its path. Text between tags is not looked at. There is no document type, so
//! that no entity can grow: those of XML itself and characters by number are the only ones. Depth, attributes and
//! their lengths are limited, and all work is linear in the text.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::notes::{Note, Notes, PassedOver, Place};
use base::Problem;
use base::people::grouped;
use base::problem::quoted;

/// The deepest nesting of elements that is read.
pub const DEEPEST: usize = 100;
/// The most elements of a model, all its files together: one that is kept takes some hundred bytes.
pub const MOST_ELEMENTS: usize = 1_000_000;
/// The most attributes of one element.
pub const MOST_ATTRIBUTES: usize = 100;
/// The longest value of an attribute, in bytes: 1 MiB.
pub const LONGEST_VALUE: usize = 1 << 20;
/// The longest name of an element or an attribute, in bytes.
pub const LONGEST_NAME: usize = 200;
/// The longest `name` and the longest type, in bytes: they are repeated in questions and remarks.
pub const LONGEST_SHOWN: usize = 500;
/// The most paths that elements passed over are counted under; others are counted together.
const MOST_PATHS: usize = 300;

/// An element as it opens.
#[derive(Debug, Clone)]
pub struct Element {
    /// Its name, without a prefix.
    pub name: String,
    /// What its `xsi:type` says, without a prefix; empty without one.
    pub kind: String,
    /// Its `xmi:id`.
    pub id: Option<String>,
    /// Where it begins.
    pub place: Place,
    attributes: Vec<(String, String)>,
}

impl Element {
    /// The value of an attribute, by its name without a prefix.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The addresses of the namespaces that are declared here.
    pub fn namespaces(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().filter(|(key, _)| key.starts_with("xmlns")).map(|(_, value)| value.as_str())
    }
}

/// A position in the stream.
pub struct Cursor<'t> {
    reader: Reader<&'t [u8]>,
    text: &'t str,
    seen: usize,
    here: Place,
    path: Vec<String>,
    passed: BTreeMap<String, PassedOver>,
    /// How many elements there were, those of files before included.
    pub elements: usize,
    /// What was found out on the way.
    pub notes: Notes,
}

impl<'t> Cursor<'t> {
    /// Before the first element of a file; its number is zero where it is the only one.
    pub fn new(text: &'t str, file: u16) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            text,
            seen: 0,
            here: Place::first_of(file),
            path: Vec::new(),
            passed: BTreeMap::new(),
            elements: 0,
            notes: Notes::default(),
        }
    }

    /// Whether all characters are characters of XML (XML 1.0, section 2.2); a problem with the first that is none.
    pub fn only_characters(&mut self) -> Result<(), Problem> {
        let Some((at, found)) = self.text.char_indices().find(|&(_, c)| !is_character(c)) else {
            return Ok(());
        };
        self.advance(at);
        let what = format!("the character {}", quoted(&found.to_string()));
        Err(self.problem_at(self.here, what, "a character that XML may have"))
    }

    /// The next child of the element that is open, or nothing once that one is closed. Outside of all elements: the
    /// next root, or nothing at the end of the text.
    pub fn child(&mut self) -> Result<Option<Element>, Problem> {
        loop {
            let start = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.broken(&error)),
            };
            match event {
                Event::Start(start_tag) => {
                    self.advance(start);
                    return self.open(&start_tag).map(Some);
                }
                Event::End(_) => {
                    self.path.pop();
                    return Ok(None);
                }
                Event::Eof => {
                    self.advance(self.text.len());
                    return match self.path.last() {
                        None => Ok(None),
                        Some(open) => {
                            let what = format!("the text ends within <{open}>");
                            Err(self.problem_at(self.here, what, format!("</{open}>")))
                        }
                    };
                }
                Event::DocType(_) => {
                    self.advance(start);
                    let what = "a document type declaration";
                    return Err(self.problem_at(self.here, what, "a model without one"));
                }
                Event::GeneralRef(reference) => {
                    self.advance(start);
                    self.known_reference(&reference)?;
                }
                Event::Text(text)
                    if self.path.is_empty() && !text.borrow().trim_matches(blank).is_empty() =>
                {
                    self.advance(start);
                    let what = format!("text outside of any element, {}", quoted(text.trim_matches(blank)));
                    return Err(self.problem_at(self.here, what, "elements"));
                }
                Event::Empty(_)
                | Event::Text(_)
                | Event::CData(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_) => {}
            }
        }
    }

    /// Passes over an element and all that is in it, counted by the path of the element itself.
    pub fn pass_over(&mut self, element: &Element) -> Result<(), Problem> {
        self.count(element);
        self.leave()
    }

    /// Goes to the end of the open element; what is on the way is no news to anybody.
    pub fn leave(&mut self) -> Result<(), Problem> {
        let depth = self.path.len();
        while self.path.len() >= depth.max(1) {
            self.child()?;
        }
        Ok(())
    }

    /// Goes to the end of an element: as of one that is known, or passing over it.
    pub fn leave_or_pass_over(&mut self, element: &Element, is_known: bool) -> Result<(), Problem> {
        if is_known { self.leave() } else { self.pass_over(element) }
    }

    /// Goes to the end of the open element, counting its children as passed over.
    pub fn finish(&mut self) -> Result<(), Problem> {
        while let Some(child) = self.child()? {
            self.pass_over(&child)?;
        }
        Ok(())
    }

    /// What was passed over, in the order of the text.
    pub fn passed_over(&mut self) -> Vec<PassedOver> {
        let mut all: Vec<PassedOver> = std::mem::take(&mut self.passed).into_values().collect();
        base::sort::sort_by_key(&mut all, |passed| (passed.first, passed.path.clone()));
        all
    }

    /// Notes something about a place, with the path of the element that is open.
    pub fn note(&mut self, place: Place, text: impl Into<String>) {
        self.notes.add(Note { place, text: text.into() });
    }

    /// Notes something about a place on which the whole result rests.
    pub fn doubt(&mut self, place: Place, text: impl Into<String>) {
        self.notes.doubt(Note { place, text: text.into() });
    }

    /// Notes a problem with what stands at a place.
    pub fn problem(&mut self, place: Place, what: impl Into<String>, expected: impl Into<String>) {
        let problem = self.problem_at(place, what, expected);
        self.notes.problem(problem);
    }

    /// A problem with what stands at a place, with the path of the element that is open.
    pub fn problem_at(&self, place: Place, what: impl Into<String>, expected: impl Into<String>) -> Problem {
        let path = self.path.join("/");
        let place = if path.is_empty() { place.to_string() } else { format!("{place}, in {path}") };
        Problem::at(place, what, expected)
    }

    /// The place of a byte of the text.
    pub fn place_of(&self, at: usize) -> Place {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place { file: self.here.file, line: number(line), column: number(column) }
    }

    /// Counts an element as passed over; what is in it is still to be gone through.
    pub fn count(&mut self, element: &Element) {
        let path = self.path.join("/");
        let path = if element.kind.is_empty() { path } else { format!("{path} ({})", element.kind) };
        let full = self.passed.len() >= MOST_PATHS && !self.passed.contains_key(&path);
        let path = if full { "others".to_owned() } else { path };
        let first = element.place;
        let new = PassedOver { path: path.clone(), times: 0, first };
        self.passed.entry(path).or_insert(new).times += 1;
    }

    /// Brings line and column up to a byte of the text.
    fn advance(&mut self, to: usize) {
        let to = to.min(self.text.len());
        for &byte in self.text.as_bytes().get(self.seen..to).unwrap_or_default() {
            match byte {
                b'\n' => {
                    let line = self.here.line.saturating_add(1);
                    self.here = Place { line, column: 1, ..self.here };
                }
                // The bytes of a character after its first one.
                0x80..0xc0 => {}
                _ => self.here.column = self.here.column.saturating_add(1),
            }
        }
        self.seen = self.seen.max(to);
    }

    fn open(&mut self, tag: &BytesStart<'_>) -> Result<Element, Problem> {
        let name = tag.local_name();
        let name: &str = name.as_ref();
        let place = self.here;
        if name.is_empty() || name.len() > LONGEST_NAME {
            let what = format!("an element called {}", quoted(name));
            return Err(self.problem_at(place, what, format!("a name of 1 to {LONGEST_NAME} bytes")));
        }
        self.elements += 1;
        if self.elements > MOST_ELEMENTS {
            let most = grouped(MOST_ELEMENTS as u128);
            return Err(self.problem_at(
                place,
                format!("more than {most} elements"),
                format!("at most {most}"),
            ));
        }
        self.path.push(name.to_owned());
        if self.path.len() > DEEPEST {
            self.path.truncate(4);
            let what = format!("elements nested more than {DEEPEST} deep");
            return Err(self.problem_at(place, what, format!("at most {DEEPEST}")));
        }
        let mut element =
            Element { name: name.to_owned(), kind: String::new(), id: None, place, attributes: Vec::new() };
        for attribute in tag.attributes() {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => {
                    let what = format!("an attribute of <{name}> that cannot be read ({error})");
                    return Err(self.problem_at(place, what, "name=\"value\", each name once"));
                }
            };
            let key: &str = attribute.key.as_ref();
            self.attribute(&mut element, key, &attribute.value)?;
        }
        Ok(element)
    }

    fn attribute(&self, element: &mut Element, key: &str, raw: &str) -> Result<(), Problem> {
        let name = &element.name;
        let wrong = |what: String, expected: String| Err(self.problem_at(element.place, what, expected));
        if element.attributes.len() >= MOST_ATTRIBUTES {
            let what = format!("more than {MOST_ATTRIBUTES} attributes of <{name}>");
            return wrong(what, format!("at most {MOST_ATTRIBUTES}"));
        }
        if key.len() > LONGEST_NAME || raw.len() > LONGEST_VALUE {
            let what = format!("the attribute {} of <{name}>, which is too long", quoted(key));
            return wrong(what, format!("at most {} KiB", LONGEST_VALUE >> 10));
        }
        let is_shown = matches!(key.rsplit(':').next(), Some("name" | "type"));
        if is_shown && raw.len() > LONGEST_SHOWN {
            let what = format!("the attribute {key} of <{name}>, which is too long");
            return wrong(what, format!("at most {LONGEST_SHOWN} bytes"));
        }
        if raw.contains('<') {
            return wrong(format!("{key}={}, with <", quoted(raw)), "&lt;".to_owned());
        }
        let value = match unescape(raw) {
            Ok(value) if !value.chars().all(is_character) => {
                let what = format!("{key}={}, with the number of no character", quoted(raw));
                return wrong(what, "the number of a character that XML may have".to_owned());
            }
            Ok(value) => value.into_owned(),
            Err(error) => {
                let what = format!("{key}={}, {}", quoted(raw), of_escape(&error));
                return wrong(what, "&lt; &gt; &amp; &apos; &quot; or a character's number".to_owned());
            }
        };
        match key.split_once(':') {
            Some(("xmlns", _)) => element.attributes.push((key.to_owned(), value)),
            Some((_, "type")) => element.kind = without_prefix(&value).to_owned(),
            Some((_, "id")) => element.id = Some(value),
            Some((_, local)) => element.attributes.push((local.to_owned(), value)),
            None => element.attributes.push((key.to_owned(), value)),
        }
        Ok(())
    }

    fn known_reference(&self, reference: &BytesRef<'_>) -> Result<(), Problem> {
        let name = reference.xml10_content();
        let known = reference.is_char_ref() || resolve_xml_entity(&name).is_some();
        if known {
            return Ok(());
        }
        let what = format!("the entity {}, which nothing defines", quoted(&format!("&{name};")));
        Err(self.problem_at(self.here, what, "an entity of XML itself"))
    }

    fn broken(&mut self, error: &Error) -> Problem {
        self.advance(usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX));
        let (what, expected) = match error {
            Error::Syntax(syntax) => {
                let (what, expected) = of_syntax(syntax);
                (what.to_owned(), expected.to_owned())
            }
            Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                (format!("</{found:.200}> closes <{expected:.200}>"), format!("</{expected:.200}>"))
            }
            Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
                (format!("</{found:.200}> closes nothing"), "an element that was opened".to_owned())
            }
            Error::IllFormed(IllFormedError::UnclosedReference) => {
                ("& without the ; of an entity".to_owned(), "&amp; or an entity".to_owned())
            }
            other => (format!("no XML: {}", quoted(&other.to_string())), "well-formed XML".to_owned()),
        };
        self.problem_at(self.here, what, expected)
    }
}

/// Whether XML 1.0 may have a character.
fn is_character(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

fn blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn without_prefix(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn of_escape(error: &quick_xml::escape::EscapeError) -> String {
    use quick_xml::escape::EscapeError as E;
    match error {
        E::UnrecognizedEntity(_, name) => format!("where nothing defines the entity {}", quoted(name)),
        E::UnterminatedEntity(_) => "with & but without the ; of an entity".to_owned(),
        _ => "with the number of no character".to_owned(),
    }
}

fn of_syntax(error: &SyntaxError) -> (&'static str, &'static str) {
    match error {
        SyntaxError::UnclosedComment => ("a comment that never ends", "-->"),
        SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => ("an instruction that never ends", "?>"),
        SyntaxError::UnclosedCData => ("a CDATA section that never ends", "]]>"),
        SyntaxError::UnclosedDoctype => ("a document type declaration", "a model without one"),
        SyntaxError::UnclosedTag => ("a tag that never ends", ">"),
        SyntaxError::UnclosedSingleQuotedAttributeValue | SyntaxError::UnclosedDoubleQuotedAttributeValue => {
            ("a tag with an attribute whose quotes never end", "a closing quote and >")
        }
        SyntaxError::InvalidBangMarkup => ("<! that begins nothing", "a comment or an element"),
    }
}
