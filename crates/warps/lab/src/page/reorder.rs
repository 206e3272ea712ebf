//! One entry of an order at another place: the schedule that gives, before anything is written, and the document that
//! asks for it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Shown;
use super::shown::positions;
use base::people;
use kit::page::edit;
use warps::{Order, construct};

/// Longer orders are not tried entry by entry while a pointer moves.
const MOST: usize = 5_000;

/// Takes an entry to another place; those between move up. Nothing where there is no such place.
pub fn moved<T>(entries: &mut Vec<T>, from: usize, to: usize) {
    if from < entries.len() && to < entries.len() {
        let entry = entries.remove(from);
        entries.insert(to, entry);
    }
}

/// An entry of the order that is held, and what the order gives where it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Where it was.
    pub from: usize,
    /// The schedule with the entry at another place; none where it was.
    pub tried: Option<Tried>,
    /// Whether it was let go of there, and the document asks for that order by now.
    pub dropped: bool,
}

impl Held {
    /// Held where it is.
    pub fn at(from: usize) -> Self {
        Self { from, tried: None, dropped: false }
    }

    /// The place at which the entry stands now.
    pub fn place(&self) -> usize {
        self.tried.as_ref().map_or(self.from, |tried| tried.place)
    }
}

/// What an order gives in which an entry has moved.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The place that was asked for.
    pub to: usize,
    /// Where the entry is: elsewhere only where sub-blocks are fair and the order is arranged by them.
    pub place: usize,
    /// The result with that order: its schedule and what is drawn of it. What was proven is of the one before.
    pub shown: Arc<Shown>,
}

/// Another schedule is another one even where it looks the same.
impl PartialEq for Tried {
    fn eq(&self, other: &Self) -> bool {
        (self.to, self.place) == (other.to, other.place) && Arc::ptr_eq(&self.shown, &other.shown)
    }
}

impl Tried {
    /// What it comes to, beside the schedule before: `Entry 7, warp 3: 158 cycles, 4 more. …`
    pub fn sentence(&self, before: &Shown) -> String {
        let (now, was) = (self.shown.schedule.makespan(), before.schedule.makespan());
        let differs = match (now > was, now.abs_diff(was)) {
            (_, 0) => "as many as before".to_owned(),
            (true, by) => format!("{} more", people::grouped(by.into())),
            (false, by) => format!("{} fewer", people::grouped(by.into())),
        };
        let warp = self.shown.order.ids().get(self.place).map_or(0, |&warp| warp + 1);
        let (entry, cycles) = (self.place + 1, people::counted(now as usize, "cycle"));
        format!(
            "Warp {warp} as entry {entry} of the order: {cycles}, {differs}. Let go to keep it; Esc leaves it as it was."
        )
    }
}

impl Shown {
    /// Whether entries of its order can be tried elsewhere: not where loads take their time, since which of them miss
    /// is not the order's to say.
    pub fn can_reorder(&self) -> bool {
        self.warps.memory.is_none() && self.steps() <= MOST
    }

    /// The result with an entry of the order at another place. None where that is where it was, or there is none.
    pub fn reordered(&self, from: usize, to: usize) -> Option<Tried> {
        if from == to || from.max(to) >= self.steps() || !self.can_reorder() {
            return None;
        }
        let (kernel, machine, count) = (&self.warps.kernel, &self.warps.normalised.machine, self.warps.count);
        let mut ids = self.order.ids().to_vec();
        moved(&mut ids, from, to);
        let order = Order::new(ids, count, kernel.len()).ok()?;
        let held = positions(&order, count)[to];
        let order = self.warps.fairness.arranged(&order, kernel.len());
        let schedule = construct(kernel, machine, &order, count)?;
        let positions = positions(&order, count);
        let place = positions.iter().position(|&entry| entry == held)?;
        let shown = Arc::new(Self { order, schedule, positions, ..self.clone() });
        Some(Tried { to, place, shown })
    }

    /// The document with this order for its own.
    pub fn with_own_order(&self, tree: &Value) -> Value {
        let ids: Vec<u16> = self.order.ids().iter().map(|warp| warp + 1).collect();
        edit::set(tree, &["warps", "method"], json!({ "order": ids }))
    }

    /// Whether it is another order of the same: then whoever stands at a step of one stands there in the other.
    pub fn is_reordered(&self, before: &Self) -> bool {
        let (own, other) = (&self.warps, &before.warps);
        matches!(own.method, crate::scenario::Method::Order(_))
            && (own.count, &own.kernel) == (other.count, &other.kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;
    use kit::import::json;

    fn shown(text: &str) -> Shown {
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid: {text}") };
        let line = crate::LINKED.run(&scenario).line();
        Shown::new(text, &line).unwrap_or_else(|| unreachable!("a report fits its scenario"))
    }

    const DOCUMENTS: [&str; 3] = [
        r#"{"warpspan": 1, "warps": {"kernel": "2L 3C L 2C", "count": 4, "machine": {"L": 1, "C": 2},
            "method": {"initial": "random", "seed": 7}}}"#,
        r#"{"warpspan": 1, "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1},
            "method": {"order": [1, 1, 2, 2, 3, 3, 1, 2, 3]}}}"#,
        r#"{"warpspan": 1, "warps": {"kernel": "2L 2C L 2C", "count": 3, "machine": {"L": 1, "C": 2},
            "fairness": "sub-block", "sub_blocks": [4], "method": {"initial": "round-robin"}}}"#,
    ];

    /// What is tried is what a run of the document with that order comes to.
    #[test]
    fn what_is_tried_is_what_the_document_would_give() {
        let mut random = Seeded::new(11, 0);
        for text in DOCUMENTS {
            let before = shown(text);
            let Ok(tree) = json::parse(text) else { unreachable!("valid") };
            for _ in 0..40 {
                let mut place = || random.below(before.steps() as u32) as usize;
                let (from, to) = (place(), place());
                let Some(tried) = before.reordered(from, to) else {
                    assert_eq!(from, to);
                    continue;
                };
                let after = shown(&json::pretty(&tried.shown.with_own_order(&tree)));
                assert_eq!((&after.order, &after.schedule), (&tried.shown.order, &tried.shown.schedule));
                assert_eq!(after.positions, tried.shown.positions);
                assert_eq!(
                    after.whole_picture(crate::timeline::Rows::Warps),
                    tried.shown.whole_picture(crate::timeline::Rows::Warps)
                );
                assert_eq!(tried.shown.order.ids()[tried.place], before.order.ids()[from]);
                assert!(after.is_reordered(&before));
            }
        }
    }

    #[test]
    fn entries_between_move_up() {
        let of = |from, to| {
            let mut entries = vec!['a', 'b', 'c', 'd'];
            moved(&mut entries, from, to);
            entries.into_iter().collect::<String>()
        };
        assert_eq!(
            [of(0, 2), of(3, 0), of(1, 1), of(1, 9), of(9, 1)],
            ["bcad", "dabc", "abcd", "abcd", "abcd"]
        );
    }

    #[test]
    fn it_says_what_the_place_comes_to() {
        let before = shown(DOCUMENTS[1]);
        let Some(tried) = before.reordered(8, 0) else { unreachable!("there are nine entries") };
        let cycles = tried.shown.schedule.makespan();
        assert!(
            tried
                .sentence(&before)
                .starts_with(&format!("Warp 3 as entry 1 of the order: {cycles} cycles, "))
        );
        let held = Held { tried: Some(tried), ..Held::at(8) };
        assert_eq!((held.place(), Held::at(8).place()), (0, 8));
        assert_eq!(before.reordered(8, 9), None);
    }
}
