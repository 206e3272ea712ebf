//! Outside of functions: directives, declarations, headings; and how to go on after a problem.
//!
//! Everything wrong is noted with its place, and reading goes on at the next semicolon, brace or line.

use super::body::{Body, TargetList};
use super::lexer::{Kind, Lexer, Token, place};
use super::resolve::finished;
use super::tree::{FRAGMENT, Function, Module};
use base::people;
use base::problem::{MOST_PROBLEMS, quoted};
use base::{Problem, sort};

/// What a module goes on with after a declaration: no heading of a function has it behind its name.
const BEGINS: [&str; 16] = [
    ".extern", ".visible", ".weak", ".common", ".entry", ".func", ".global", ".const", ".shared", ".local",
    ".reg", ".sreg", ".tex", ".file", ".section", ".target",
];

/// The most instructions and labels of a text, those of all its functions together: each takes some 300 bytes.
pub const MOST_STATEMENTS: usize = 1_000_000;

/// Reads tokens one after the other, with one more in sight.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    lexer: Lexer<'a>,
    pub token: Token<'a>,
    pub next: Token<'a>,
    /// Where the last token taken ends, in bytes.
    pub end: usize,
    /// The line of the last token taken.
    line: u32,
    /// With their places in bytes.
    problems: Vec<(usize, Problem)>,
    more: usize,
    target: Option<&'a str>,
    functions: Vec<Function<'a>>,
    /// The names of those with a body.
    defined: Vec<Token<'a>>,
    /// How many instructions and labels there are in all of them.
    statements: usize,
    /// Whether the rest of the text was left out, after which nothing is said of what is missing.
    is_cut: bool,
}

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Module<'_>, Vec<Problem>> {
    let nothing = Token { kind: Kind::End, text: "", at: 0, line: 1 };
    let mut parser = Parser {
        text,
        lexer: Lexer::new(text),
        token: nothing,
        next: nothing,
        end: 0,
        line: 1,
        problems: Vec::new(),
        more: 0,
        target: None,
        functions: Vec::new(),
        defined: Vec::new(),
        statements: 0,
        is_cut: false,
    };
    parser.advance();
    parser.advance();
    parser.module()
}

impl<'a> Parser<'a> {
    fn module(mut self) -> Result<Module<'a>, Vec<Problem>> {
        let mut outside = Body::new();
        while self.token.kind != Kind::End {
            self.statement(&mut outside);
        }
        self.check_names();
        if outside.open.len() > 1 {
            self.problem("the end inside of braces", "\"}\"");
        }
        let names = std::mem::take(&mut outside.names);
        if let Some(first) = outside.instructions.first() {
            let (at, line) = (first.at, first.line);
            if self.functions.is_empty() {
                let fragment = finished(&mut self, FRAGMENT, line, true, outside);
                self.functions.push(fragment);
            } else {
                self.problem_at(
                    at,
                    line,
                    "an instruction outside of any function",
                    "it in the body of an .entry or a .func",
                );
            }
        } else if !self.functions.iter().any(|function| function.has_body) && self.problems.is_empty() {
            self.problem_at(
                0,
                1,
                "no instruction in it",
                "PTX with an .entry, or instructions such as add.f32 %f1, %f2, %f3;",
            );
        }
        if !self.problems.is_empty() {
            return Err(self.into_problems());
        }
        let mut names: Vec<&str> = names.into_iter().chain(self.functions.iter().map(|f| f.name)).collect();
        sort::sort(&mut names);
        Ok(Module { functions: self.functions, target: self.target, names })
    }

    /// What was noted, in the order of the text; the last says how many more there are.
    fn into_problems(mut self) -> Vec<Problem> {
        sort::sort_by_key(&mut self.problems, |problem| problem.0);
        if let (Some((_, last)), 1..) = (self.problems.last_mut(), self.more) {
            let what = people::counted(self.more + 1, "more problem");
            *last = Problem::at(last.place.clone(), what, "a text with fewer");
        }
        self.problems.into_iter().map(|problem| problem.1).collect()
    }

    /// Takes a token.
    pub(super) fn advance(&mut self) {
        self.end = self.token.at + self.token.text.len();
        self.line = self.token.line;
        self.token = self.next;
        self.next = self.fetch();
    }

    /// The next token that PTX has. A number or a text that is wrong is noted and stands for a right one;
    /// anything else that is wrong is noted and dropped.
    fn fetch(&mut self) -> Token<'a> {
        loop {
            let token = self.lexer.next();
            let Kind::Wrong(what, expected) = token.kind else { return token };
            let what = format!("{}: {what}", quoted(token.text));
            self.problem_at(token.at, token.line, &what, expected);
            match token.text.as_bytes().first() {
                Some(b'0'..=b'9') => return Token { kind: Kind::Number, ..token },
                Some(b'"') => return Token { kind: Kind::Text, ..token },
                _ => {}
            }
        }
    }

    /// Counts a statement; with too many of them the text ends here.
    pub(super) fn count(&mut self) {
        self.statements += 1;
        if self.statements == MOST_STATEMENTS + 1 {
            let most = people::grouped(MOST_STATEMENTS as u128);
            self.problem(&format!("more than {most} instructions and labels"), &format!("at most {most}"));
            self.is_cut = true;
            self.lexer.end();
            self.advance();
            self.advance();
        }
    }

    /// Notes a problem at a place of the text.
    pub(super) fn problem_at(&mut self, at: usize, line: u32, what: &str, expected: &str) {
        if self.is_cut {
            return;
        }
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push((at, Problem::at(place(self.text, at, line), what, expected)));
        } else {
            self.more += 1;
        }
    }

    /// Notes a problem at the token.
    pub(super) fn problem(&mut self, what: &str, expected: &str) {
        self.problem_at(self.token.at, self.token.line, what, expected);
    }

    /// Notes that the token is not what stands here.
    pub(super) fn unexpected(&mut self, expected: &str) {
        let what = if self.token.kind == Kind::End { "the end".to_owned() } else { quoted(self.token.text) };
        self.problem(&what, expected);
    }

    /// After a problem: goes to behind the next semicolon, or to the next brace or line.
    pub(super) fn recover(&mut self) {
        let line = self.line;
        while self.token.line == line && self.token.kind != Kind::End {
            match self.token.kind {
                Kind::Mark(b';') => return self.advance(),
                Kind::Mark(b'{' | b'}') => return,
                _ => self.advance(),
            }
        }
    }

    /// Goes to the next line.
    pub(super) fn skip_line(&mut self) {
        let line = self.token.line;
        while self.token.line == line && self.token.kind != Kind::End {
            self.advance();
        }
    }

    /// A directive and all that belongs to it.
    pub(super) fn directive(&mut self, body: &mut Body<'a>) {
        match self.token.text {
            ".version" | ".address_size" | ".file" | ".loc" => self.skip_line(),
            ".target" => {
                self.target = self.target.or(Some(self.next.text));
                self.skip_line();
            }
            ".section" => {
                self.advance();
                self.advance();
                self.balanced();
            }
            ".extern" | ".visible" | ".weak" | ".common" => self.advance(),
            ".pragma" | ".alias" | ".callprototype" | ".calltargets" => {
                while !matches!(self.token.kind, Kind::End | Kind::Mark(b';' | b'{' | b'}')) {
                    self.advance();
                }
                self.semicolon();
            }
            ".branchtargets" => self.target_list(body),
            ".entry" | ".func" => self.function(body),
            ".reg" | ".sreg" | ".global" | ".const" | ".shared" | ".local" | ".param" | ".tex" => {
                self.declaration(body)
            }
            _ => {
                self.unexpected("a directive of PTX, such as .reg or .entry");
                self.advance();
                self.recover();
            }
        }
    }

    fn semicolon(&mut self) {
        if self.token.is(b';') {
            self.advance();
        } else {
            self.unexpected("\";\"");
            self.recover();
        }
    }

    /// Skips a group in brackets of any kind, if one begins here.
    fn balanced(&mut self) {
        let (line, mut depth) = (self.token.line, 0usize);
        loop {
            match self.token.kind {
                Kind::Mark(b'{' | b'(' | b'[') => depth += 1,
                Kind::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
                Kind::End if depth > 0 => {
                    return self.problem(
                        &format!("the end inside of the brackets of line {line}"),
                        "the closing bracket",
                    );
                }
                _ => {}
            }
            if depth == 0 && !matches!(self.token.kind, Kind::Mark(b'}' | b')' | b']')) {
                return;
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// `.branchtargets A, B;` after its label.
    fn target_list(&mut self, body: &mut Body<'a>) {
        self.advance();
        let before = body.instructions.len();
        let label = body.labels.last().filter(|label| label.before == before).map(|label| label.name);
        match (label, self.operands(b';', 0)) {
            (_, None) => self.recover(),
            (None, Some(_)) => self.problem("branch targets without a name", "a label before .branchtargets"),
            (Some(name), Some(operands)) => {
                let labels = operands.iter().map(|operand| operand.text).collect();
                body.lists.push(TargetList { name, scope: body.scope(), labels });
                self.advance();
            }
        }
    }

    /// `.shared .align 4 .b8 name[1024] = {...}, other;`
    fn declaration(&mut self, body: &mut Body<'a>) {
        while self.token.is_directive() || self.token.kind == Kind::Number || self.token.is(b'(') {
            if self.token.is(b'(') { self.balanced() } else { self.advance() }
        }
        loop {
            if !self.token.is_name() {
                self.unexpected("the name of a variable");
                return self.recover();
            }
            body.names.push(self.token.text);
            self.advance();
            self.rest_of_variable();
            if !self.token.is(b',') {
                return self.semicolon();
            }
            self.advance();
        }
    }

    /// `<5>`, `[4][2]` and `= ...` after a name.
    fn rest_of_variable(&mut self) {
        if self.token.is(b'<') {
            self.advance();
            if self.token.kind != Kind::Number {
                return self.unexpected("a number of registers");
            }
            self.advance();
            if !self.token.is(b'>') {
                return self.unexpected("\">\"");
            }
            self.advance();
        }
        while self.token.is(b'[') {
            self.balanced();
        }
        if self.token.is(b'=') {
            while !matches!(self.token.kind, Kind::End | Kind::Mark(b',' | b';' | b'}')) {
                self.advance();
                self.balanced();
            }
        }
    }

    /// `.entry name (parameters) directives { body }`, `.func (result) name (parameters) { body }` or `;`.
    fn function(&mut self, around: &mut Body<'a>) {
        if !around.instructions.is_empty() && self.functions.is_empty() || around.open.len() > 1 {
            self.problem("a function inside of another one or after bare instructions", "\"}\" before it");
        }
        let is_entry = self.token.text == ".entry";
        let mut body = Body::new();
        self.advance();
        while self.token.is(b'(') || self.token.is_directive() {
            if self.token.is(b'(') { self.parameters(&mut body) } else { self.advance() }
        }
        if !self.token.is_name() {
            self.unexpected("the name of the function");
            return self.recover();
        }
        let name = self.token;
        self.advance();
        if self.token.is(b'(') {
            self.parameters(&mut body);
        }
        loop {
            match self.token.kind {
                Kind::Mark(b'{') => break,
                Kind::Mark(b';') => {
                    self.advance();
                    return self.declared(name, is_entry, body);
                }
                Kind::Mark(b'(') => self.balanced(),
                _ if self.token.text == ".pragma" => self.directive(&mut body),
                // Compilers up to CUDA 4.0 end the declaration of a device function with its line.
                _ if !is_entry && self.line < self.token.line && BEGINS.contains(&self.token.text) => {
                    return self.declared(name, is_entry, body);
                }
                Kind::Number | Kind::Text | Kind::Mark(b',') => self.advance(),
                Kind::Word if self.token.is_directive() => self.advance(),
                _ => {
                    // What is missing is missing after the heading, however far below the next word stands.
                    let next = if self.token.kind == Kind::End {
                        "the end".to_owned()
                    } else {
                        quoted(self.token.text)
                    };
                    let what = format!("{next} after the heading of {}", quoted(name.text));
                    self.problem_at(name.at, name.line, &what, "\"{\" or \";\"");
                    return self.recover();
                }
            }
        }
        self.body(&mut body, name);
        let function = finished(self, name.text, name.line, is_entry, body);
        self.functions.push(function);
        self.defined.push(name);
    }

    /// A function that is declared and not defined here.
    fn declared(&mut self, name: Token<'a>, is_entry: bool, body: Body<'a>) {
        let mut declared = finished(self, name.text, name.line, is_entry, body);
        declared.has_body = false;
        self.functions.push(declared);
    }

    /// Notes functions that are defined more than once.
    fn check_names(&mut self) {
        let mut defined = std::mem::take(&mut self.defined);
        sort::sort_by_key(&mut defined, |name| (name.text, name.at));
        for pair in defined.windows(2).filter(|pair| pair[0].text == pair[1].text) {
            let what = format!("a second function {}", quoted(pair[1].text));
            self.problem_at(pair[1].at, pair[1].line, &what, "each name once");
        }
    }

    fn body(&mut self, body: &mut Body<'a>, name: Token<'a>) {
        self.advance();
        while !(self.token.is(b'}') && body.open.len() == 1) {
            let ended = self.token.kind == Kind::End;
            if ended || matches!(self.token.text, ".entry" | ".func" | ".visible") {
                let what = if ended { "the end".to_owned() } else { quoted(self.token.text) };
                return self.problem(
                    &format!("{what} inside of {} of line {}", quoted(name.text), name.line),
                    "\"}\" before it",
                );
            }
            self.statement(body);
        }
        self.advance();
    }

    /// Parameters in parentheses; each plain name in them is declared.
    fn parameters(&mut self, body: &mut Body<'a>) {
        self.advance();
        while !self.token.is(b')') {
            match self.token.kind {
                Kind::Word | Kind::Number | Kind::Mark(b',' | b'[' | b']' | b'<' | b'>') => {
                    if self.token.is_name() {
                        body.names.push(self.token.text);
                    }
                    self.advance();
                }
                _ => return self.unexpected("a parameter or \")\""),
            }
        }
        self.advance();
    }
}
