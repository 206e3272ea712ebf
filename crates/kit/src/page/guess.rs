//! Guessing before looking: questions about a result that is hidden, and what guesses were worth.

use base::people;

/// What a scenario is called while its answer is hidden: titles tend to tell it.
pub const UNTOLD: &str = "Guess first";

/// Something to guess.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked.
    pub asks: String,
    /// What is known by then, if that helps.
    pub given: String,
    /// The answer.
    pub answer: Answer,
    /// Whether it is asked only once the one before it is answered, and judged at once.
    pub next: Next,
    /// Up to when the picture may be shown while it is asked, in nanoseconds.
    pub until: u64,
}

/// When a question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Next {
    /// Together with the others.
    #[default]
    Together,
    /// After the one before it; it is judged at once.
    InTurn,
}

/// What is right.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A number, and the unit it is given in.
    Number(f64, &'static str),
    /// A number that nobody can work out in the head, its unit, and the share of it by which an estimate may be off and
    /// still be called close.
    Estimate(f64, &'static str, f64),
    /// One of some, by its place.
    Choice(Vec<String>, usize),
}

/// The share by which estimates may be off and be called close where a lab has no reason for another.
pub const CLOSE: f64 = 0.1;

/// What a guess was worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Whether it was right.
    pub right: bool,
    /// Whether it was not, and close enough for an estimate.
    pub close: bool,
    /// All of it in words.
    pub said: String,
}

impl Question {
    /// A question asked together with the others.
    pub fn new(asks: impl Into<String>, answer: Answer) -> Self {
        Self { asks: asks.into(), given: String::new(), answer, next: Next::Together, until: 0 }
    }

    /// What a guess is worth; none where it is no answer at all.
    pub fn judge(&self, guess: &str) -> Option<Judged> {
        match &self.answer {
            Answer::Number(right, unit) => {
                let guessed = number(guess)?;
                let off = guessed - right;
                // As told, to a hundredth where it is not whole.
                let is_right =
                    off.abs() <= right.abs() * 1e-9 || (right.fract() != 0.0 && off.abs() <= 0.005);
                let shown =
                    |value: f64| format!("{} {unit}", people::hundredths(value)).trim_end().to_owned();
                let (found, own) = (shown(*right), shown(guessed));
                let said = match is_right {
                    true => format!("{found}, as you said"),
                    false if off > 0.0 => format!("{found}; you said {own}, {} too much", shown(off)),
                    false => format!("{found}; you said {own}, {} too little", shown(-off)),
                };
                Some(Judged { right: is_right, close: false, said })
            }
            Answer::Estimate(right, unit, close) => {
                let exact = Self { answer: Answer::Number(*right, unit), ..self.clone() };
                let judged = exact.judge(guess)?;
                let off = (number(guess)? - right).abs() / right.abs().max(f64::MIN_POSITIVE);
                let within = match off <= *close {
                    true => format!("; {} off, which is close", people::percent(off)),
                    false => format!("; {} off", people::percent(off)),
                };
                let said = if judged.right { judged.said } else { judged.said + &within };
                Some(Judged { said, close: !judged.right && off <= *close, ..judged })
            }
            Answer::Choice(options, right) => {
                let found = options.get(*right)?;
                let guessed = options.iter().find(|option| *option == guess)?;
                let is_right = guessed == found;
                let said = match is_right {
                    true => format!("{found}, as you said"),
                    false => format!("{found}; you said {guessed}"),
                };
                Some(Judged { right: is_right, close: false, said })
            }
        }
    }
}

/// A number as people type it.
fn number(text: &str) -> Option<f64> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    plain.replace(',', ".").parse().ok().filter(|value: &f64| value.is_finite())
}

/// Which of some questions are asked now, by their places: all that are asked together, and of those asked in turn the
/// answered ones and the next.
pub fn asked(questions: &[Question], guesses: &[String]) -> Vec<usize> {
    let mut waiting = false;
    let mut asked = Vec::new();
    for (place, question) in questions.iter().enumerate() {
        if question.next == Next::Together {
            asked.push(place);
        } else if !waiting {
            asked.push(place);
            waiting = guesses.get(place).is_none_or(String::is_empty);
        }
    }
    asked
}

/// The guesses that stand when other questions are asked about the same: those at questions that still ask the same,
/// whatever is right by now.
pub fn carried(before: &[Question], guesses: &[String], now: &[Question]) -> Vec<String> {
    let same = |one: &Question, other: &Question| one.asks == other.asks && one.given == other.given;
    let mut own: Vec<(&Question, &String)> = before.iter().zip(guesses).collect();
    let mut take = |question: &Question| {
        let place = own.iter().position(|(asked, _)| same(asked, question))?;
        Some(own.remove(place).1.clone())
    };
    now.iter().map(|question| take(question).unwrap_or_default()).collect()
}

/// Up to when the picture may be shown: that of the last question asked in turn.
pub fn shown_until(questions: &[Question], guesses: &[String]) -> u64 {
    let asked = asked(questions, guesses);
    asked.iter().map(|&place| questions[place].until).max().unwrap_or_default()
}

/// How many guesses were right, and how many close, in a sentence; none without any.
pub fn score(questions: &[Question], guesses: &[String]) -> Option<String> {
    let judged: Vec<Judged> =
        questions.iter().zip(guesses).filter_map(|(question, guess)| question.judge(guess)).collect();
    let right = judged.iter().filter(|judged| judged.right).count();
    (!judged.is_empty()).then(|| {
        let all = people::plural(judged.len(), "guess", "guesses");
        let close = judged.iter().filter(|judged| judged.close).count();
        let close = if close > 0 { format!(", {close} close") } else { String::new() };
        format!("{right} of {all} right{close}.")
    })
}

/// A round number well beyond another one: an axis that goes on to it does not tell where things end.
pub fn beyond(end: f64) -> f64 {
    let unit = 10_f64.powf(end.max(1.0).log10().floor());
    ((end * 1.2 / unit).ceil() * unit).max(end + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(right: f64) -> Question {
        Question::new("How many?", Answer::Number(right, "cycles"))
    }

    fn in_turn(right: usize) -> Question {
        let answer = Answer::Choice(vec!["SM 0".to_owned(), "SM 1".to_owned()], right);
        Question { next: Next::InTurn, until: 10 * right as u64, ..Question::new("Where?", answer) }
    }

    #[test]
    fn guesses_are_told_how_far_they_are_off() {
        let said = |guess: &str| cycles(154.0).judge(guess).map(|judged| (judged.right, judged.said));
        assert_eq!(said("154"), Some((true, "154 cycles, as you said".to_owned())));
        assert_eq!(
            said("150"),
            Some((false, "154 cycles; you said 150 cycles, 4 cycles too little".to_owned()))
        );
        assert_eq!(
            said(" 1 60 "),
            Some((false, "154 cycles; you said 160 cycles, 6 cycles too much".to_owned()))
        );
        assert_eq!(said("many"), None);
        assert_eq!(said(""), None);
        assert_eq!(said("inf"), None);
        assert!(cycles(0.9).judge("0,9").is_some_and(|judged| judged.right));
        assert_eq!(
            in_turn(1).judge("SM 0").map(|judged| judged.said),
            Some("SM 1; you said SM 0".to_owned())
        );
        assert_eq!(in_turn(1).judge("SM 7"), None);
    }

    #[test]
    fn estimates_are_told_how_far_they_are_off_in_per_cent() {
        let estimate = Question::new("How many?", Answer::Estimate(200.0, "cycles", 0.05));
        let said = |guess: &str| estimate.judge(guess).map(|judged| (judged.close, judged.said));
        let close = "200 cycles; you said 195 cycles, 5 cycles too little; 2.5 % off, which is close";
        assert_eq!(said("195"), Some((true, close.to_owned())));
        let far = "200 cycles; you said 300 cycles, 100 cycles too much; 50 % off";
        assert_eq!(said("300"), Some((false, far.to_owned())));
        assert_eq!(said("200"), Some((false, "200 cycles, as you said".to_owned())));
        assert_eq!(said("many"), None);
        let scored = |guess: &str| score(std::slice::from_ref(&estimate), &[guess.to_owned()]);
        assert_eq!(scored("200").as_deref(), Some("1 of 1 guess right."));
        assert_eq!(scored("195").as_deref(), Some("0 of 1 guess right, 1 close."));
        assert_eq!(scored("300").as_deref(), Some("0 of 1 guess right."));
    }

    #[test]
    fn a_guess_outlasts_a_better_answer_and_no_other_question() {
        let guesses = |all: &[&str]| all.iter().map(|&guess| guess.to_owned()).collect::<Vec<_>>();
        let (found, better) = (cycles(100.0), cycles(120.0));
        let own = guesses(&["50"]);
        assert_eq!(carried(std::slice::from_ref(&found), &own, std::slice::from_ref(&better)), own);
        // A question that can be asked by now stands before it.
        let both = [in_turn(0), better];
        assert_eq!(carried(std::slice::from_ref(&found), &own, &both), guesses(&["", "50"]));
        assert_eq!(carried(&both, &guesses(&["SM 0", "50"]), std::slice::from_ref(&found)), own);
        // The same question twice: each has its own guess.
        let twice = [in_turn(0), in_turn(1)];
        assert_eq!(carried(&twice, &guesses(&["SM 0", "SM 1"]), &twice), guesses(&["SM 0", "SM 1"]));
        let other = Question { given: "4 warps".to_owned(), ..found.clone() };
        assert_eq!(carried(&[found], &own, &[other]), guesses(&[""]));
    }

    #[test]
    fn some_are_asked_in_turn() {
        let questions = [cycles(1.0), in_turn(0), in_turn(1), in_turn(1)];
        let guesses = |given: [&str; 4]| given.map(str::to_owned).to_vec();
        assert_eq!(asked(&questions, &guesses(["", "", "", ""])), [0, 1]);
        assert_eq!(asked(&questions, &guesses(["", "SM 0", "", ""])), [0, 1, 2]);
        assert_eq!(shown_until(&questions, &guesses(["", "SM 0", "", ""])), 10);
        assert_eq!(asked(&questions, &guesses(["", "SM 0", "SM 0", "SM 1"])), [0, 1, 2, 3]);
    }

    #[test]
    fn right_ones_are_counted() {
        let questions = [cycles(1.0), in_turn(0), in_turn(1)];
        let guesses = ["1", "SM 1", ""].map(str::to_owned);
        assert_eq!(score(&questions, &guesses).as_deref(), Some("1 of 2 guesses right."));
        assert_eq!(score(&questions, &["".to_owned()]), None);
    }

    #[test]
    fn axes_go_on_beyond_the_end() {
        for (end, further) in [(8.0, 10.0), (154.0, 200.0), (12.0, 20.0), (0.0, 1.0), (1000.0, 2000.0)] {
            assert_eq!(beyond(end), further, "{end}");
        }
    }
}
