//! What a PTX text says, in its own words: functions, their instructions, and where branches lead.

/// A PTX module, or instructions without one around them.
#[derive(Debug, Clone)]
pub struct Module<'a> {
    /// Kernels and device functions, in the order of the text.
    pub functions: Vec<Function<'a>>,
    /// The first word after `.target`, such as `sm_70`.
    pub target: Option<&'a str>,
    /// Names declared outside functions, sorted.
    pub(super) names: Vec<&'a str>,
}

impl<'a> Module<'a> {
    /// The functions a walk may begin with: the kernels; without any, all functions with a body.
    pub fn kernels(&self) -> impl Iterator<Item = &Function<'a>> {
        let entries = self.functions.iter().any(|function| function.is_entry);
        self.functions
            .iter()
            .filter(move |function| if entries { function.is_entry } else { function.has_body })
    }
}

/// What the instructions of a text without any `.entry` are called.
pub const FRAGMENT: &str = "(fragment)";

/// A kernel or a device function.
#[derive(Debug, Clone)]
pub struct Function<'a> {
    /// Its name; [`FRAGMENT`] for instructions outside any function.
    pub name: &'a str,
    /// The line of its name.
    pub line: u32,
    /// Whether it is a kernel.
    pub is_entry: bool,
    /// Whether it is defined, not only declared.
    pub has_body: bool,
    /// Its instructions, those in inner scopes included.
    pub instructions: Vec<Instruction<'a>>,
    /// Each label with the instruction it stands before, in the order of the text.
    pub labels: Vec<(&'a str, usize)>,
    /// Each branch with the instructions it may lead to, in the order of the text.
    pub(super) jumps: Vec<(usize, Vec<usize>)>,
    /// Names declared in it, parameters included, sorted.
    pub(super) names: Vec<&'a str>,
}

impl<'a> Function<'a> {
    /// Where the branch at `index` may lead.
    pub(super) fn targets(&self, index: usize) -> &[usize] {
        match self.jumps.binary_search_by_key(&index, |jump| jump.0) {
            Ok(found) => &self.jumps[found].1,
            Err(_) => &[],
        }
    }

    /// The labels that stand before the instruction at `index`.
    pub fn labels_of(&self, index: usize) -> impl Iterator<Item = &'a str> {
        let start = self.labels.partition_point(|label| label.1 < index);
        self.labels[start..].iter().take_while(move |label| label.1 == index).map(|label| label.0)
    }
}

/// One instruction.
#[derive(Debug, Clone)]
pub struct Instruction<'a> {
    /// What decides whether it has an effect.
    pub guard: Option<Guard<'a>>,
    /// The opcode with all its modifiers: `fma.rn.f32`.
    pub opcode: &'a str,
    /// What stands between the opcode and the semicolon.
    pub operands: Vec<Operand<'a>>,
    /// Where the opcode begins, in bytes.
    pub(super) at: usize,
    /// The line of the opcode, from 1.
    pub line: u32,
}

impl<'a> Instruction<'a> {
    /// The opcode up to its first dot.
    pub fn root(&self) -> &'a str {
        self.opcode.split('.').next().unwrap_or(self.opcode)
    }

    /// What a call calls: the first operand that is a name.
    pub(super) fn callee(&self) -> Option<&'a str> {
        self.operands.iter().find(|operand| operand.shape == Shape::Name).map(|operand| operand.text)
    }
}

/// A predicate before an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard<'a> {
    /// The predicate register.
    pub predicate: &'a str,
    /// Whether the instruction has an effect where the predicate is false.
    pub negated: bool,
    /// Whether the listing has lost it and it was put back.
    pub restored: bool,
}

/// What an operand looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A register, a label, a variable or a function.
    Name,
    /// Anything else: numbers, `[addresses]`, `{vectors}`, `(lists)`, `p|q`, `name+4`.
    Other,
}

/// An operand as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Operand<'a> {
    /// Its characters.
    pub text: &'a str,
    /// What it looks like.
    pub shape: Shape,
}

impl<'a> Operand<'a> {
    /// The names in it.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut lexer = super::lexer::Lexer::new(self.text);
        std::iter::from_fn(move || {
            loop {
                let token = lexer.next();
                if token.kind == super::lexer::Kind::End {
                    return None;
                }
                if token.is_name() {
                    return Some(token.text);
                }
            }
        })
    }
}
