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
    if before {
        return of_threes(lines, tokens).map(|()| Timing::ControlWords);
    }
    let mut controls = Vec::with_capacity(lines.len());
    // The instruction whose word is to come.
    let mut open = None;
    for (number, token) in tokens {
        match token {
            Token::Instruction { .. } => match open.replace(*number) {
                None => {}
                Some(without) => return Err(without),
            },
            Token::Word(high) => match open.take() {
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
    Ok(Timing::Words)
}

/// A word for every three instructions, which are those behind it. Addresses say which of the three one is, as far as the
/// text has them: one that is missing leaves its fields to nobody else.
fn of_threes(lines: &mut [Line], tokens: &[(usize, Token)]) -> Result<(), usize> {
    let addressed = lines.iter().all(|line| line.address % 8 == 0 && line.address % 32 > 0);
    let mut lines = lines.iter_mut();
    let (mut word, mut next, mut group) = (None, 0, None);
    for (number, token) in tokens {
        match token {
            Token::Word(own) => (word, next, group) = (Some(*own), 0, None),
            Token::Instruction { .. } => {
                let Some(line) = lines.next() else { return Err(*number) };
                let which = if addressed { (line.address % 32 / 8) as usize - 1 } else { next };
                let own = addressed.then_some(line.address / 32);
                let fits = which >= next && which < 3 && (next == 0 || own == group);
                let Some(word) = word.filter(|_| fits) else { return Err(*number) };
                line.control = Some(Control::of_three(word, which));
                (next, group) = (which + 1, own);
            }
        }
    }
    Ok(())
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
