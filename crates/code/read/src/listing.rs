//! Text of `cuobjdump -sass`, `nvdisasm` (with or without `-hex`) and Compiler Explorer, as functions of instructions.
//!
//! Addresses, words and labels may be there or not; what a line is told by is its own form. Lines that are none of what
//! is known are counted, and the first of them kept.

mod timing;

use std::collections::BTreeMap;

use crate::constants::is_predicate;
use crate::control::Control;
use crate::resources::Stated;
use base::Problem;
use base::problem::{MOST_QUOTED, one_line, quoted};
use timing::{Token, timing};

/// The most instructions of a listing.
pub const MOST_LINES: usize = 200_000;
/// So many of the lines that were not understood are kept.
pub const MOST_LEFT_OUT: usize = 100;

/// What a text holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Its functions that have instructions, in the order of the text.
    pub functions: Vec<Function>,
    /// How many lines were not understood.
    pub skipped: usize,
    /// The first of them: its number, from 1, and the line.
    pub first_skipped: Option<(usize, String)>,
    /// The first [`MOST_LEFT_OUT`] of them: the function that each stands in or before, its number, from 1, and the line.
    pub left_out: Vec<(usize, usize, String)>,
    /// What it states of registers and shared memory.
    pub stated: Stated,
}

/// Where the timing of a function's instructions is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// The words of 128 bits that each instruction has from Volta on.
    Words,
    /// The control words of Maxwell and Pascal.
    ControlWords,
    /// It is not in the text.
    None,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it is compiled for: 75 for sm_75.
    pub architecture: Option<u32>,
    /// Its instructions.
    pub lines: Vec<Line>,
    /// Where their timing is from.
    pub timing: Timing,
    /// Whether lines end in second words, as nothing that is known here writes them.
    pub strays: bool,
    /// Names of places: before which instruction each stands.
    pub labels: Vec<(String, usize)>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its line in the text, from 1.
    pub number: usize,
    /// Its address; by its place where the text has none.
    pub address: u64,
    /// All of it, with the guard and without the semicolon.
    pub text: String,
    /// Its guard, as `P0` or `!P0`.
    pub guard: Option<String>,
    /// The opcode with its modifiers.
    pub opcode: String,
    /// The operands.
    pub operands: Vec<String>,
    /// Its timing, if the text has it.
    pub control: Option<Control>,
}

impl Line {
    /// The opcode without modifiers.
    pub fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// Whether it never executes: its guard is false by itself.
    pub fn is_never(&self) -> bool {
        matches!(self.guard.as_deref(), Some("!PT" | "!UPT"))
    }

    /// Whether it executes for some threads or none, as its guard says.
    pub fn is_guarded(&self) -> bool {
        !matches!(self.guard.as_deref(), None | Some("PT" | "UPT"))
    }

    /// Conditions among the operands of what ends or changes the way: predicates, and tests of the carry.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        let operands = self.operands.iter().map(String::as_str);
        operands.filter(|text| is_predicate(text) || text.starts_with("CC."))
    }

    /// Whether such a line does so for some threads or none, by its guard or by these.
    pub fn is_conditional(&self) -> bool {
        self.is_guarded() || self.conditions().any(|text| !matches!(text, "PT" | "UPT"))
    }
}

/// Reads a text.
pub fn read(text: &str) -> Result<Listing, Vec<Problem>> {
    let mut reading = Reading::default();
    for (number, line) in lines_of(text).enumerate() {
        if !reading.listing.stated.line(number + 1, line) {
            reading.line(number + 1, line);
        }
        if reading.count > MOST_LINES {
            let what = "too many instructions";
            return Err(vec![Problem::at(
                format!("line {}", number + 1),
                what,
                format!("at most {MOST_LINES}"),
            )]);
        }
    }
    reading.close();
    if reading.listing.functions.is_empty() {
        let ptx = lines_of(text).any(|line| line.trim_start().starts_with(".version "));
        let what = if ptx { "PTX, which is assembled before it runs" } else { "no instruction in it" };
        let expected = "text of cuobjdump -sass, nvdisasm -hex or Compiler Explorer";
        return Err(vec![Problem::at("document", what, expected)]);
    }
    match reading.problems.is_empty() {
        true => Ok(reading.listing),
        false => Err(reading.problems),
    }
}

/// The lines of a text, without a mark of its encoding; a carriage return alone ends one where nothing else does.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (feeds, returns) = if text.contains('\n') { (text, "") } else { ("", text) };
    feeds.lines().chain(returns.split_terminator('\r'))
}

/// Whether a text looks like such a listing.
pub fn looks_like(text: &str) -> bool {
    let mut named = false;
    let mut addressed = 0usize;
    let mut plain = 0;
    let mut other = 0;
    for line in lines_of(text).take(400) {
        let trimmed = line.trim();
        named |= trimmed.starts_with("Function :");
        match instruction(trimmed) {
            Some((Some(_), _, _)) => addressed += 1,
            Some((None, body, _)) if crate::opcode::is_known(&body) => plain += 1,
            _ if trimmed.is_empty() || trimmed.ends_with(':') || trimmed.starts_with(['.', '/']) => {}
            _ => other += 1,
        }
    }
    addressed > usize::from(!named) || plain > 2 && plain > other
}

/// A line's words, address and text, in the making.
#[derive(Debug, Default)]
struct Reading {
    listing: Listing,
    name: Option<String>,
    architecture: Option<u32>,
    lines: Vec<Line>,
    /// Words and instructions, each with the number of its line.
    tokens: Vec<(usize, Token)>,
    labels: Vec<(String, usize)>,
    count: usize,
    problems: Vec<Problem>,
    /// Names of functions, each with the number that the next one of that name gets.
    names: BTreeMap<String, usize>,
}

impl Reading {
    fn line(&mut self, number: usize, line: &str) {
        let mut trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with("//") || trimmed.bytes().all(|b| b == b'.' || b == b'=')
        {
            return;
        }
        // An instruction may stand behind the label before it.
        while let Some((label, behind)) = labelled(trimmed) {
            self.labels.push((label.to_owned(), self.lines.len()));
            trimmed = behind;
        }
        if trimmed.starts_with("//") {
            return;
        }
        if let Some(word) = word_alone(trimmed) {
            self.tokens.push((number, Token::Word(word)));
            return;
        }
        if self.heading(trimmed) {
            return;
        }
        // Data of sections without instructions.
        let is_data =
            |line: &str| line.split_once("*/").is_some_and(|(_, rest)| rest.trim_start().starts_with('.'));
        match instruction(trimmed) {
            Some((address, body, words)) => {
                self.instruction(number, address, &body, words);
                if let Some(behind) = behind(trimmed) {
                    self.leave_out(number, behind);
                }
            }
            None if is_data(trimmed) => {}
            None => self.leave_out(number, trimmed),
        }
    }

    /// Counts what is not understood.
    fn leave_out(&mut self, number: usize, text: &str) {
        self.listing.skipped += 1;
        self.listing.first_skipped.get_or_insert_with(|| (number, text.to_owned()));
        if self.listing.left_out.len() < MOST_LEFT_OUT {
            let text = one_line(text, MOST_QUOTED);
            self.listing.left_out.push((self.listing.functions.len(), number, text));
        }
    }

    /// Notes names of functions, of places and of architectures, and what else is no instruction.
    fn heading(&mut self, line: &str) -> bool {
        if let Some(name) = line.strip_prefix("Function :") {
            self.close();
            self.name = Some(name.trim().to_owned());
            return true;
        }
        if let Some(section) = line.strip_prefix(".section") {
            self.close();
            let name = section.trim().split(',').next().unwrap_or_default().trim_matches('"');
            self.name = name.strip_prefix(".text.").map(str::to_owned);
            return true;
        }
        for before in ["code for sm_", ".target", "arch = sm_"] {
            if let Some(rest) = line.strip_prefix(before) {
                self.architecture = digits(rest.trim().trim_start_matches("sm_")).or(self.architecture);
                return true;
            }
        }
        if line.starts_with(".headerflags") {
            let known = line.split("EF_CUDA_SM").nth(1).and_then(digits);
            // The section of a function may have flags of its own, without an architecture.
            self.architecture = known.or(self.architecture);
            return true;
        }
        if let Some(label) = line.strip_suffix(':')
            && !line.starts_with("/*")
        {
            let inner = label.starts_with('.') || Some(label) == self.name.as_deref();
            if inner {
                self.labels.push((label.to_owned(), self.lines.len()));
            } else {
                self.close();
                self.name = Some(label.to_owned());
            }
            return true;
        }
        const OTHERS: [&str; 8] =
            ["Fatbin", "host =", "compile_size", "code version", "producer", "identifier", "compressed", "#"];
        line.starts_with('.') || OTHERS.iter().any(|other| line.starts_with(other))
    }

    fn instruction(&mut self, number: usize, address: Option<u64>, body: &str, words: [Option<u64>; 2]) {
        self.count += 1;
        let (guard, rest) = match body.strip_prefix('@') {
            Some(rest) => {
                let (guard, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                (Some(guard.to_owned()), rest.trim())
            }
            None => (None, body),
        };
        let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let step = if matches!(self.architecture, Some(..70)) { 8 } else { 16 };
        let next = self.lines.last().map_or(0, |line: &Line| line.address + step);
        if let (Some(address), Some(last)) = (address, self.lines.last())
            && address <= last.address
        {
            // Another function whose name the text does not have.
            self.close();
        }
        self.tokens.push((number, Token::Instruction { words }));
        self.lines.push(Line {
            number,
            address: address.unwrap_or(next),
            text: body.to_owned(),
            guard,
            opcode: opcode.to_owned(),
            operands: split(operands),
            control: None,
        });
    }

    /// A name that another function has already gets a number.
    fn own_name(&mut self, name: String) -> String {
        let mut number = self.names.get(&name).copied().unwrap_or(1);
        let mut own = name.clone();
        while self.names.contains_key(&own) {
            number += 1;
            own = format!("{name} ({number})");
        }
        self.names.insert(name, number);
        self.names.entry(own.clone()).or_insert(1);
        own
    }

    /// Ends a function.
    fn close(&mut self) {
        let mut lines = std::mem::take(&mut self.lines);
        let tokens = std::mem::take(&mut self.tokens);
        let labels = std::mem::take(&mut self.labels);
        let name = self.name.take();
        if lines.is_empty() {
            return;
        }
        let timing = timing(&mut lines, &tokens).unwrap_or_else(|broken| {
            let place = format!("line {broken}");
            let before = lines.iter().rev().find(|line| line.number <= broken);
            let from = before.map_or(String::new(), |line| format!(" from 0x{:04x} on", line.address));
            let name = quoted(name.as_deref().unwrap_or("a function"));
            let what = format!("words of {name}{from} do not fit its instructions");
            let expected = "a second word after each instruction, or one before each three";
            self.problems.push(Problem::at(place, what, expected));
            Timing::None
        });
        let second = |token: &(usize, Token)| matches!(token.1, Token::Instruction { words: [_, Some(_)] });
        let name = name.unwrap_or_else(|| "(fragment)".to_owned());
        let name = self.own_name(name);
        self.listing.functions.push(Function {
            name,
            strays: timing == Timing::None && tokens.iter().any(second),
            architecture: self.architecture,
            lines,
            timing,
            labels,
        });
    }
}

/// The number that a text begins with.
fn digits(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The word that stands alone in a comment.
fn word_alone(line: &str) -> Option<u64> {
    let inner = line.strip_prefix("/*")?.strip_suffix("*/")?.trim();
    u64::from_str_radix(inner.strip_prefix("0x")?, 16).ok()
}

/// A label and what stands behind it in its line.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let (label, behind) = line.split_once(':').filter(|_| line.starts_with('.'))?;
    let behind = behind.trim_start();
    (!behind.is_empty() && !label.contains(char::is_whitespace)).then_some((label, behind))
}

/// What stands behind the semicolon of an instruction, but for words, remarks and the brace of two that issue together.
fn behind(line: &str) -> Option<&str> {
    let (_, behind) = line.split_once(';')?;
    let behind = behind.split("/*").next().unwrap_or_default();
    let behind = behind.split("//").next().unwrap_or_default();
    let behind = behind.trim_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
    (!behind.is_empty()).then_some(behind)
}

/// An instruction: its address, its text, and the words in comments behind it.
fn instruction(line: &str) -> Option<(Option<u64>, String, [Option<u64>; 2])> {
    let mut rest = line;
    let mut address = None;
    if let Some(after) = rest.strip_prefix("/*") {
        let (inner, behind) = after.split_once("*/")?;
        address = Some(u64::from_str_radix(inner.trim(), 16).ok()?);
        rest = behind.trim_start();
    }
    let (body, comment) = match rest.find("/*") {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let mut words = [None; 2];
    let found = comment.split("0x").skip(1).map(|word| {
        let end = word.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(word.len());
        u64::from_str_radix(&word[..end], 16).ok()
    });
    for (word, found) in words.iter_mut().zip(found) {
        *word = found;
    }
    // Two that issue together stand in braces.
    let body = body.trim().trim_start_matches('{').trim_end_matches('}').trim();
    let body = body.split(';').next().unwrap_or_default().trim();
    // Later ones of nvdisasm write out the control fields behind the operands: `&req={0} ?trans5`.
    let fields = [" &", " ?"].into_iter().filter_map(|begin| body.find(begin)).min();
    let body = body[..fields.unwrap_or(body.len())].trim_end();
    let opcode = match body.strip_prefix('@') {
        Some(guarded) => guarded.split_once(char::is_whitespace)?.1.trim_start(),
        None => body,
    };
    let mut letters = opcode.chars();
    let begins = letters.next().is_some_and(|c| c.is_ascii_uppercase());
    let word = opcode.split(char::is_whitespace).next().unwrap_or_default();
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    (begins && word.chars().all(sound) && (address.is_some() || word.len() > 1))
        .then(|| (address, body.to_owned(), words))
}

/// Operands between commas, but for those in brackets.
fn split(text: &str) -> Vec<String> {
    let (mut depth, mut from) = (0i32, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(text[from..at].trim().to_owned());
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = text[from..].trim();
    if !last.is_empty() {
        parts.push(last.to_owned());
    }
    parts
}
