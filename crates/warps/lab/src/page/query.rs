//! Several terms that all must hold of an instruction: `C warp:5 cycle:80..120 wait>20`.

use kit::page::terms::{Answer, Kind, Query, Terms, Value};
use warps::Unit;
use warps::idle::Cells;

use super::Shown;
use super::shown::Selected;

/// What the search in a schedule understands.
pub const TERMS: Terms = Terms {
    plain: "A unit's letter or name, warp:instruction such as 3:5, a cycle, text of a PTX program",
    keys: &[
        ("warp", Kind::Number),
        ("cycle", Kind::Number),
        ("wait", Kind::Amount),
        ("idle", Kind::Amount),
        ("for", Kind::Text),
        ("unit", Kind::Text),
    ],
    bare: Some("cycle"),
    example: "C warp:5 cycle:80..120 wait>20, or idle>5 for:data",
};

/// What must hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    terms: Query,
    units: Vec<Unit>,
}

impl Asked {
    /// Reads terms; none where one of them is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut terms = Query::read(text, &TERMS).ok().filter(|terms| !terms.is_empty())?;
        let mut units = Vec::new();
        for word in terms.plain.split_whitespace() {
            units.push(unit(word)?);
        }
        for (key, value) in std::mem::take(&mut terms.terms) {
            match value {
                Value::Part(word) if key == "unit" => units.push(unit(&word)?),
                other => terms.terms.push((key, other)),
            }
        }
        Some(Self { terms, units })
    }

    /// Whether all of it holds in a schedule with these cells.
    pub(super) fn holds(&self, shown: &Shown, cells: &Cells<'_>, this: Selected) -> bool {
        let own = shown.warps.kernel.units().get(this.1 as usize);
        self.units.iter().all(|unit| own == Some(unit))
            && self.terms.holds(&|key| {
                Answer::Number(f64::from(match key {
                    "warp" => this.0 + 1,
                    "cycle" => shown.cycle(this),
                    "idle" => shown.idle(cells, this).0,
                    "for" => return Answer::Text(shown.idle_for(cells, this).into()),
                    _ => shown.length(this),
                }))
            })
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
        let read = |text: &str| Asked::read(text).map(|asked| (asked.units, asked.terms.terms));
        let within = |key, from: f64, to| (key, Value::Within(from, to));
        let core = vec![Unit::Core];
        let fifth = vec![within("warp", 5.0, 5.0), within("cycle", 90.0_f64.next_up(), f64::MAX)];
        for text in ["warp:5 unit:C cycle>90", "C warp 5 cycle > 90", "warp=5 c >90", "warp:5 cycle:>90 core"]
        {
            assert_eq!(read(text), Some((core.clone(), fifth.clone())), "{text}");
        }
        let loads = Some((vec![Unit::LoadStore], vec![within("cycle", 80.0, 120.0)]));
        assert_eq!((read("L 80..120"), read("80-120 l")), (loads.clone(), loads));
        for none in
            ["", "warp", "warp:x", "unit:", "unit:q", "ld.global", "cycle:5..x", "cycle<0", "x 3", "lane:3"]
        {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn what_holds_is_what_a_look_at_every_instruction_finds() {
        let shown = figure_6();
        for text in
            ["C", "warp:2", "cycle:3..5", "C warp:1..2 cycle<6", "wait", "wait>1 warp:3", "L wait", "idle"]
        {
            let query = Asked::read(text).unwrap_or_else(|| unreachable!("{text} is one"));
            let held: Vec<Selected> = shown
                .positions
                .iter()
                .copied()
                .filter(|&this| query.holds(&shown, &shown.cells(), this))
                .collect();
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
                        "idle" => {
                            let before = at.checked_sub(1).map_or(0, |before| shown.cycle((warp, before)));
                            cycle > before + 1
                        }
                        _ => unit == 'L' && waited > 0,
                    }
                })
                .collect();
            assert_eq!(held, naive, "{text}");
        }
    }
}
