//! Several terms that all must hold of an instruction: `C warp:5 cycle:80..120 wait>20`.

use warps::Unit;

use super::Shown;
use super::shown::Selected;

/// Numbers from one to another, both among them.
type Range = (u32, u32);

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Query {
    warp: Range,
    cycle: Range,
    wait: Range,
    unit: Option<Unit>,
    /// Whether it asks for waits.
    waits: bool,
}

const ANY: Range = (0, u32::MAX);

impl Query {
    /// Reads terms; none where one of them is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut query = Self { warp: ANY, cycle: ANY, wait: ANY, unit: None, waits: false };
        let plain = text.to_ascii_lowercase().replace([':', '='], " ");
        let spaced = plain.replace("> ", ">").replace("< ", "<").replace('>', " >").replace('<', " <");
        let mut words = spaced.split_whitespace().peekable();
        words.peek()?;
        while let Some(word) = words.next() {
            let of = match word {
                "warp" | "w" => &mut query.warp,
                "cycle" => &mut query.cycle,
                "wait" | "waits" => {
                    query.waits = true;
                    if words.peek().and_then(|next| range(next)).is_none() {
                        query.wait = (1, u32::MAX);
                        continue;
                    }
                    &mut query.wait
                }
                "unit" => {
                    query.unit = Some(unit(words.next()?)?);
                    continue;
                }
                word => {
                    match range(word) {
                        Some(cycles) => query.cycle = cycles,
                        None => query.unit = Some(unit(word)?),
                    }
                    continue;
                }
            };
            *of = range(words.next()?)?;
        }
        Some(query)
    }

    /// Whether all of it holds.
    pub(super) fn holds(&self, shown: &Shown, this: Selected) -> bool {
        let within = |(from, to): Range, value: u32| (from..=to).contains(&value);
        within(self.warp, this.0 + 1)
            && within(self.cycle, shown.cycle(this))
            && self.unit.is_none_or(|unit| shown.warps.kernel.units().get(this.1 as usize) == Some(&unit))
            && (!self.waits || within(self.wait, shown.length(this)))
    }
}

/// `5`, `80..120`, `80-120`, `>90` or `<90`.
fn range(word: &str) -> Option<Range> {
    let number = |text: &str| text.parse::<u32>().ok();
    if let Some(above) = word.strip_prefix('>') {
        return Some((number(above)?.checked_add(1)?, u32::MAX));
    }
    if let Some(below) = word.strip_prefix('<') {
        return Some((0, number(below)?.checked_sub(1)?));
    }
    match word.split_once("..").or_else(|| word.split_once('-')) {
        Some((from, to)) => Some((number(from)?, number(to)?)),
        None => number(word).map(|only| (only, only)),
    }
}

/// The unit of a letter, or one that has these letters in its name; in small letters.
pub(super) fn unit(word: &str) -> Option<Unit> {
    let mut letters = word.chars();
    let letter = letters.next().and_then(|letter| Unit::from_letter(letter.to_ascii_uppercase()));
    let named = || {
        let has = |unit: &Unit| word.len() > 2 && unit.name().to_ascii_lowercase().contains(word);
        Unit::ALL.into_iter().find(has)
    };
    letter.filter(|_| letters.next().is_none()).or_else(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::shown::tests::figure_6;

    #[test]
    fn terms_are_read() {
        let read = |text: &str| Query::read(text);
        let any = Query { warp: ANY, cycle: ANY, wait: ANY, unit: None, waits: false };
        let fifth = Query { warp: (5, 5), unit: Some(Unit::Core), cycle: (91, u32::MAX), ..any.clone() };
        for text in ["warp:5 unit:C cycle>90", "C warp 5 cycle > 90", "w=5 c >90", "cycle:>90 core warp:5"] {
            assert_eq!(read(text), Some(fifth.clone()), "{text}");
        }
        let loads = Query { unit: Some(Unit::LoadStore), cycle: (80, 120), ..any.clone() };
        assert_eq!((read("L 80..120"), read("80-120 l")), (Some(loads.clone()), Some(loads)));
        let waits = Query { wait: (21, u32::MAX), waits: true, ..any.clone() };
        assert_eq!(read("wait>20"), Some(waits));
        assert_eq!(read("wait warp:2").map(|query| (query.wait, query.warp)), Some(((1, u32::MAX), (2, 2))));
        for none in ["", "warp", "warp:x", "unit:", "unit:q", "ld.global", "cycle:5..x", "cycle<0", "x 3"] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn what_holds_is_what_a_look_at_every_instruction_finds() {
        let shown = figure_6();
        for text in ["C", "warp:2", "cycle:3..5", "C warp:1..2 cycle<6", "wait", "wait>1 warp:3", "L wait"] {
            let query = Query::read(text).unwrap_or_else(|| unreachable!("{text} is one"));
            let held: Vec<Selected> =
                shown.positions.iter().copied().filter(|&this| query.holds(&shown, this)).collect();
            let naive: Vec<Selected> = shown
                .positions
                .iter()
                .copied()
                .filter(|&(warp, at)| {
                    let (cycle, unit) =
                        (shown.cycle((warp, at)), shown.warps.kernel.units()[at as usize].letter());
                    let waited = shown.waited((warp, at)).map_or(0, |(from, to)| to - from + 1);
                    match text {
                        "C" => unit == 'C',
                        "warp:2" => warp == 1,
                        "cycle:3..5" => (3..6).contains(&cycle),
                        "C warp:1..2 cycle<6" => unit == 'C' && warp < 2 && cycle < 6,
                        "wait" => waited > 0,
                        "wait>1 warp:3" => waited > 1 && warp == 2,
                        _ => unit == 'L' && waited > 0,
                    }
                })
                .collect();
            assert_eq!(held, naive, "{text}");
        }
    }
}
