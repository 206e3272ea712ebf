//! Which control fields belong to which instruction, by where the words of a text stand.

use super::{Line, Timing};
use crate::control::Control;

/// What stands in a line: an instruction with the words behind it, or a word alone.
#[derive(Debug, Clone, Copy)]
pub(super) enum Token {
    Instruction { words: [Option<u64>; 2] },
    Word(u64),
}

/// Gives every instruction its timing, where the words tell it; else the first line that does not fit: the instruction
/// that has no word, or the word that has none.
pub(super) fn timing(lines: &mut [Line], tokens: &[(usize, Token)]) -> Result<Timing, usize> {
    let is_word = |token: &(usize, Token)| matches!(token.1, Token::Word(_));
    let tokens = without_stray(tokens);
    let in_line = tokens.iter().all(|token| matches!(token.1, Token::Instruction { words: [_, Some(_)] }));
    let mut next = 0;
    if in_line {
        for (line, token) in lines.iter_mut().zip(tokens) {
            if let Token::Instruction { words: [_, Some(high)] } = token.1 {
                line.control = Some(Control::of_high_word(high));
            }
        }
        return Ok(Timing::Words);
    }
    if !tokens.iter().any(is_word) {
        return Ok(Timing::None);
    }
    let before = tokens.first().is_some_and(is_word);
    let mut controls = Vec::with_capacity(lines.len());
    let mut word = None;
    // The instruction whose word is to come.
    let mut open = None;
    for (number, token) in tokens {
        match (token, before) {
            (Token::Word(own), true) => (word, next) = (Some(*own), 0),
            (Token::Instruction { .. }, true) => match word.filter(|_| next < 3) {
                Some(word) => {
                    controls.push(Control::of_three(word, next));
                    next += 1;
                }
                None => return Err(*number),
            },
            (Token::Instruction { .. }, false) => match open.replace(*number) {
                None => {}
                Some(without) => return Err(without),
            },
            (Token::Word(high), false) => match open.take() {
                Some(_) => controls.push(Control::of_high_word(*high)),
                None => return Err(*number),
            },
        }
    }
    if let Some(without) = open {
        return Err(without);
    }
    for (line, control) in lines.iter_mut().zip(controls) {
        line.control = Some(control);
    }
    Ok(if before { Timing::ControlWords } else { Timing::Words })
}

/// Words and instructions from Volta on, where the first line of a text that was cut is the second word of an instruction
/// that is not there: all others have theirs behind them. Of Maxwell and Pascal a word has three instructions behind it.
fn without_stray(tokens: &[(usize, Token)]) -> &[(usize, Token)] {
    let [(_, Token::Word(_)), rest @ ..] = tokens else { return tokens };
    let is_pair = |two: &[(usize, Token)]| {
        matches!(
            two,
            [(_, Token::Instruction { .. }), (_, Token::Word(_))] | [(_, Token::Instruction { .. })]
        )
    };
    if rest.len() > 1 && rest.chunks(2).all(is_pair) { rest } else { tokens }
}
