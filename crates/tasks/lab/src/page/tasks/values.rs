//! What there is to say about one interval: the demand within it, by task and in all.

use super::Demand;
use crate::timeline::tasks::Room;
use base::people;

/// Shares of more tasks than this are not listed one by one.
const MOST_SHARES: usize = 8;

/// The values of an interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The interval.
    pub t: u64,
    /// All tasks, exactly.
    pub sum: u64,
    /// All tasks by equation (1), where that is known.
    pub by_equation: Option<u64>,
    /// What is left by the exact demand.
    pub room: Room,
    /// Each task with its share, the largest first.
    pub shares: Vec<(String, u64)>,
    /// How many more tasks have a share.
    pub more: usize,
}

impl Values {
    /// The values of an interval.
    pub fn at(demand: &Demand, t: u64) -> Self {
        let mut shares: Vec<(String, u64)> = demand
            .shares(t)
            .filter(|&(_, share)| share > 0)
            .map(|(name, share)| (name.to_owned(), share))
            .collect();
        base::sort::sort_by_key(&mut shares, |&(_, share)| std::cmp::Reverse(share));
        let more = shares.len().saturating_sub(MOST_SHARES);
        shares.truncate(MOST_SHARES);
        let sum = demand.at(t);
        Self { t, sum, by_equation: demand.at_by_equation(t), room: Room::of(t, sum), shares, more }
    }

    /// All of it in a sentence.
    pub fn in_words(&self) -> String {
        let number = |n: u64| people::grouped(n.into());
        let equation = match self.by_equation {
            Some(other) if other != self.sum => format!(" ({} by the published test)", number(other)),
            _ => String::new(),
        };
        let room = match self.room {
            Room::Left(0) => "nothing is left".to_owned(),
            Room::Left(left) => format!("{} left", number(left)),
            Room::Lacking(lacking) => format!("{} too little", number(lacking)),
        };
        let shares = by_task(&self.shares, self.more);
        format!("Interval of {}: {} to execute{equation}, {room}.{shares}", number(self.t), number(self.sum))
    }
}

/// The shares of tasks, and of how many more, as a sentence after others; nothing where none has one.
pub(super) fn by_task(shares: &[(String, u64)], more: usize) -> String {
    let number = |n: u64| people::grouped(n.into());
    let mut told: Vec<String> =
        shares.iter().map(|(name, share)| format!("{name} {}", number(*share))).collect();
    if more > 0 {
        told.push(format!("{} others", number(more as u64)));
    }
    if told.is_empty() { String::new() } else { format!(" By task: {}.", told.join(", ")) }
}

/// A line of the table of steps: interval, demand, by equation (1), room left, and each task.
pub fn cells(demand: &Demand, row: usize) -> Option<[String; 5]> {
    let t = *demand.rows.get(row)?;
    let values = Values::at(demand, t);
    let number = |n: u64| people::grouped(n.into());
    let room = match values.room {
        Room::Left(left) => number(left),
        Room::Lacking(lacking) => format!("−{}", number(lacking)),
    };
    let shares: Vec<String> =
        demand.shares(t).map(|(name, share)| format!("{name} {}", number(share))).collect();
    let equation = values.by_equation.map_or_else(|| "—".to_owned(), number);
    Some([number(t), number(values.sum), equation, room, shares.join(", ")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn an_interval_in_a_sentence() {
        let said = |report, t| Values::at(&Demand::new(&report), t).in_words();
        assert_eq!(
            said(sample::fits(), 14),
            "Interval of 14: 7 to execute, 7 left. By task: planner 3, camera 2, filter 2."
        );
        assert_eq!(said(sample::fits(), 2), "Interval of 2: 0 to execute, 2 left.");
        assert_eq!(
            said(sample::overloaded(), 4),
            "Interval of 4: 6 to execute, 2 too little. By task: a 3, b 3."
        );
        assert_eq!(
            said(sample::differs(), 21),
            "Interval of 21: 21 to execute (22 by the published test), nothing is left. By task: T1 21."
        );
    }

    #[test]
    fn a_line_for_each_step() {
        let demand = Demand::new(&sample::overloaded());
        assert_eq!(cells(&demand, 0), Some(["4", "6", "6", "−2", "a 3, b 3"].map(str::to_owned)));
        assert_eq!(cells(&demand, 2), None);
    }
}
