//! PTX, the assembly language of NVIDIA's compilers: as much of it as tells which instructions a warp executes.
//!
//! Text becomes a [`Module`] of functions with located problems for what is wrong; a [`walk`] along a [`Path`]
//! makes the kernel string of it (B: Berezovskyi, Bletsas and Petters 2013, sections III-D and VIII-B). Which
//! opcode runs on which unit is one table, [`classes::TABLE`]. Types and operands are not checked against the
//! opcode: a compiler has done that. Nothing is dropped in silence, nothing here is recursive without a limit,
//! and all but a walk's own length is linear in the text.

mod body;
pub mod caveats;
pub mod classes;
mod components;
mod follow;
pub mod graph;
mod lexer;
mod nest;
mod notes;
mod outline;
mod parser;
pub mod path;
mod program;
mod resolve;
pub mod tree;
mod trips;
mod walk;

pub use outline::{Fork, LoopHead, Outline, outline};
pub use path::{Branch, Choice, Choices, Iterations, Path, Trips, Turns};
pub use tree::{FRAGMENT, Function, Instruction, Module};
pub use trips::{Holds, LoopMet, Stated};
pub use walk::{Counts, Line, NOT_WHAT_RUNS, STRING_ONLY, Unknown, Walk, walk};

use base::Problem;
use lexer::{Kind, Lexer};

/// Reads PTX, or says everything that is wrong with it, by line and column.
pub fn read(text: &str) -> Result<Module<'_>, Vec<Problem>> {
    parser::parse(text)
}

/// Directives a module or a listing may begin with.
const FIRST: [&str; 14] = [
    ".version",
    ".target",
    ".address_size",
    ".file",
    ".pragma",
    ".visible",
    ".extern",
    ".weak",
    ".entry",
    ".func",
    ".global",
    ".const",
    ".shared",
    ".reg",
];

/// Whether a text looks like PTX: it begins with a directive, or most of its statements with known opcodes.
pub fn looks_like(text: &str) -> bool {
    const LOOK_AT: usize = 400;
    let mut lexer = Lexer::new(text);
    let (mut statements, mut known) = (0, 0);
    let mut begins = true;
    for index in 0..LOOK_AT {
        let token = lexer.next();
        match token.kind {
            Kind::End => break,
            Kind::Wrong(..) => return false,
            Kind::Word if index == 0 && token.is_directive() => return FIRST.contains(&token.text),
            // What follows a semicolon, a label, a guard or a brace begins a statement.
            Kind::Mark(b';' | b':' | b'{' | b'}') => begins = true,
            Kind::Mark(b'@') => {
                if lexer.next().is(b'!') {
                    lexer.next();
                }
                begins = true;
            }
            Kind::Word if begins && lexer.clone().next().is(b':') => {}
            Kind::Word if begins => {
                statements += 1;
                known += usize::from(classes::is_known(token.text) || token.is_directive());
                begins = false;
            }
            _ => begins = false,
        }
    }
    known * 2 > statements && text.contains(';')
}
