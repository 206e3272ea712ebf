//! Inside of a function: scopes, labels, guards, instructions and their operands.

use super::lexer::Kind;
use super::parser::Parser;
use super::tree::{Guard, Instruction, Operand, Shape};

/// Brackets and scopes may stand inside each other this deep.
pub(super) const DEEPEST: usize = 64;

/// A label in the scope it is known in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label<'a> {
    pub name: &'a str,
    pub scope: usize,
    pub before: usize,
    pub at: usize,
    pub line: u32,
}

/// A list of labels a `brx.idx` chooses from.
#[derive(Debug, Clone)]
pub(super) struct TargetList<'a> {
    pub name: &'a str,
    pub scope: usize,
    pub labels: Vec<&'a str>,
}

/// A function while it is read.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub instructions: Vec<Instruction<'a>>,
    pub labels: Vec<Label<'a>>,
    pub lists: Vec<TargetList<'a>>,
    pub names: Vec<&'a str>,
    /// Each branch with its scope.
    pub branches: Vec<(usize, usize)>,
    /// The scope each scope stands in; the outermost stands in itself.
    pub parents: Vec<usize>,
    /// Scopes that are open.
    pub open: Vec<usize>,
}

impl<'a> Body<'a> {
    pub fn new() -> Self {
        Self {
            instructions: Vec::new(),
            labels: Vec::new(),
            lists: Vec::new(),
            names: Vec::new(),
            branches: Vec::new(),
            parents: vec![0],
            open: vec![0],
        }
    }

    pub fn scope(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }
}

impl<'a> Parser<'a> {
    /// One statement; at least one token is taken.
    pub(super) fn statement(&mut self, body: &mut Body<'a>) {
        match self.token.kind {
            Kind::Mark(b'{') => self.open_scope(body),
            Kind::Mark(b'}') => {
                if body.open.len() > 1 {
                    body.open.pop();
                } else {
                    self.problem("\"}\" without a \"{\" before it", "balanced braces");
                }
                self.advance();
            }
            Kind::Mark(b';') => self.advance(),
            // Debugging sections of very old compilers.
            Kind::Mark(b'@') if self.next.is(b'@') => self.skip_line(),
            Kind::Mark(b'@') => self.guarded(body),
            Kind::Word if self.token.is_directive() => self.directive(body),
            Kind::Word if self.next.is(b':') => self.label(body),
            Kind::Word => self.instruction(body, None),
            _ => {
                self.unexpected("an instruction, a label or a directive");
                self.advance();
                self.recover();
            }
        }
    }

    fn open_scope(&mut self, body: &mut Body<'a>) {
        if body.open.len() < DEEPEST {
            body.open.push(body.parents.len());
            body.parents.push(body.open[body.open.len() - 2]);
        } else {
            self.problem("scopes nested too deep", &format!("at most {DEEPEST} levels"));
            body.open.push(body.scope());
        }
        self.advance();
    }

    fn label(&mut self, body: &mut Body<'a>) {
        let (name, scope, before) = (self.token.text, body.scope(), body.instructions.len());
        body.labels.push(Label { name, scope, before, at: self.token.at, line: self.token.line });
        self.advance();
        self.advance();
        self.count();
    }

    fn guarded(&mut self, body: &mut Body<'a>) {
        self.advance();
        let negated = self.token.is(b'!');
        if negated {
            self.advance();
        }
        if !self.token.is_name() {
            self.unexpected("a predicate, such as @%p1");
            return self.recover();
        }
        let guard = Guard { predicate: self.token.text, negated, restored: false };
        self.advance();
        if self.token.is_name() {
            self.instruction(body, Some(guard));
        } else {
            self.unexpected("an instruction after its guard");
            self.recover();
        }
    }

    fn instruction(&mut self, body: &mut Body<'a>, guard: Option<Guard<'a>>) {
        let opcode = self.token;
        if !opcode.text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.unexpected("an instruction, such as add.f32");
            self.advance();
            return self.recover();
        }
        self.advance();
        let Some(operands) = self.operands(b';', 0) else {
            return self.recover();
        };
        self.advance();
        let instruction =
            Instruction { guard, opcode: opcode.text, operands, at: opcode.at, line: opcode.line };
        if matches!(instruction.root(), "bra" | "brx") {
            body.branches.push((body.instructions.len(), body.scope()));
        }
        body.instructions.push(instruction);
        self.count();
    }

    /// Operands between commas up to `close`, which is not taken; `None` after a problem.
    pub(super) fn operands(&mut self, close: u8, depth: usize) -> Option<Vec<Operand<'a>>> {
        let mut operands = Vec::new();
        if self.token.is(close) && close != b']' {
            return Some(operands);
        }
        loop {
            operands.push(self.operand(depth)?);
            match self.token.kind {
                Kind::Mark(b',') => self.advance(),
                Kind::Mark(mark) if mark == close => return Some(operands),
                _ => {
                    self.unexpected(&format!("\",\" or \"{}\"", char::from(close)));
                    return None;
                }
            }
        }
    }

    /// Names, numbers and groups, joined by operators.
    fn operand(&mut self, depth: usize) -> Option<Operand<'a>> {
        let start = self.token.at;
        let mut shape = if self.token.is_name() { Shape::Name } else { Shape::Other };
        loop {
            while operator(self.token.kind) {
                self.advance();
            }
            self.primary(depth)?;
            while self.token.is(b'[') {
                shape = Shape::Other;
                self.group(b']', depth)?;
            }
            if !operator(self.token.kind) {
                break;
            }
            shape = Shape::Other;
        }
        Some(Operand { text: &self.text[start..self.end], shape })
    }

    fn primary(&mut self, depth: usize) -> Option<()> {
        match self.token.kind {
            Kind::Mark(b'[') => self.group(b']', depth),
            Kind::Mark(b'{') => self.group(b'}', depth),
            Kind::Mark(b'(') => self.group(b')', depth),
            Kind::Number | Kind::Text => {
                self.advance();
                Some(())
            }
            _ if self.token.is_name() => {
                self.advance();
                Some(())
            }
            _ => {
                self.unexpected("an operand");
                None
            }
        }
    }

    fn group(&mut self, close: u8, depth: usize) -> Option<()> {
        if depth == DEEPEST {
            self.problem("brackets nested too deep", &format!("at most {DEEPEST} levels"));
            return None;
        }
        self.advance();
        self.operands(close, depth + 1)?;
        self.advance();
        Some(())
    }
}

/// What joins the parts of an operand: `%rd1+4`, `%p1|%p2`, `!%p1`, `-1`.
fn operator(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Mark(b'+' | b'-' | b'*' | b'/' | b'%' | b'|' | b'&' | b'^' | b'!' | b'~' | b'<' | b'>' | b'=')
    )
}
