//! Where a warp may go in the text of a function, whatever predicates say.

use std::collections::BTreeSet;

use crate::listing::{Function, Line, Listing, Timing};

/// A line: which function, and which of its lines.
pub type Place = (usize, usize);

/// Branches with one target in the text.
pub fn is_branch(line: &Line) -> bool {
    matches!(line.base(), "BRA" | "JMP")
}

/// Calls that come back.
pub fn is_call(line: &Line) -> bool {
    matches!(line.base(), "CALL" | "CAL" | "JCAL")
}

/// A branch that is always taken.
fn is_always(line: &Line) -> bool {
    is_branch(line) && !line.is_guarded() && !line.is_never() && line.operands.len() == 1
}

/// The line at an address. The control words of Maxwell and Pascal stand at every fourth place of eight bytes: whoever
/// goes to one goes to the instruction behind.
pub fn at(own: &Function, address: u64) -> Option<usize> {
    // Addresses ascend within a function.
    let find = |address: u64| own.lines.binary_search_by_key(&address, |line| line.address).ok();
    let before_volta = matches!(own.architecture, Some(..70)) || own.timing == Timing::ControlWords;
    let is_control = before_volta && address.is_multiple_of(32);
    find(address).or_else(|| find(address.checked_add(8)?).filter(|_| is_control))
}

/// Where a branch or call leads: an address, a label, or a function by its name.
pub fn target(listing: &Listing, function: usize, line: &Line) -> Option<Place> {
    let text = line.operands.last()?;
    let own = listing.functions.get(function)?;
    if let Some(digits) = text.strip_prefix("0x") {
        let address = u64::from_str_radix(digits, 16).ok()?;
        return at(own, address).map(|place| (function, place));
    }
    let name = text.trim_matches(['`', '(', ')']);
    if let Some((_, place)) = own.labels.iter().find(|(label, _)| label == name) {
        return Some((function, *place));
    }
    let other = listing.functions.iter().position(|other| other.name == name)?;
    Some((other, 0))
}

/// Where `line` leads within its own function.
fn target_within(listing: &Listing, function: usize, line: &Line) -> Option<usize> {
    target(listing, function, line).filter(|to| to.0 == function).map(|to| to.1)
}

/// Whether a branch leads back to a place.
pub fn is_head(listing: &Listing, head: Place) -> bool {
    let line = &listing.functions[head.0].lines[last_back(listing, head)];
    is_branch(line) && target_within(listing, head.0, line) == Some(head.1)
}

/// The last branch of a function back to a head, from which on nothing belongs to that loop.
pub fn last_back(listing: &Listing, (function, head): Place) -> usize {
    let lines = &listing.functions[function].lines;
    let back = |at: &usize| {
        let line = &lines[*at];
        is_branch(line) && !line.is_never() && target_within(listing, function, line) == Some(head)
    };
    (head..lines.len()).rev().find(back).unwrap_or(head)
}

/// Whether behind a place, by the way that no guarded branch is taken, another branch back to the same head comes.
pub fn comes_back(listing: &Listing, (function, place): Place, head: usize) -> bool {
    let lines = &listing.functions[function].lines;
    let mut seen = BTreeSet::new();
    let mut at = place + 1;
    while let Some(line) = lines.get(at).filter(|_| at != head && seen.insert(at)) {
        let to =
            if is_branch(line) && !line.is_never() { target_within(listing, function, line) } else { None };
        if to == Some(head) {
            return true;
        }
        let ends = matches!(line.base(), "EXIT" | "RET" | "BRX" | "BRXU" | "JMX" | "JMXU" | "SYNC" | "BRK");
        at = match to {
            Some(to) if is_always(line) => to,
            _ if (ends || is_always(line)) && !line.is_conditional() => return false,
            _ => at + 1,
        };
    }
    false
}

/// The head of the loop that a branch to `to`, or out of the function, leaves: one around here that goes round by a branch
/// back without a condition, so that nothing else ends it.
pub fn left_by(listing: &Listing, (function, place): Place, to: Option<usize>) -> Option<Place> {
    let lines = &listing.functions[function].lines;
    let behind = place + 1..to.unwrap_or(lines.len()).min(lines.len());
    let back = |end: usize| {
        let line = lines.get(end).filter(|line| is_always(line))?;
        target_within(listing, function, line).filter(|&head| head <= place)
    };
    let heads: BTreeSet<usize> = behind.filter_map(back).collect();
    // The inner ones first.
    let around: Vec<(usize, usize)> =
        heads.iter().rev().map(|&head| (head, last_back(listing, (function, head)))).collect();
    // Whether a loop is left elsewhere, to within `outer` where that is asked.
    let elsewhere = |(head, end): (usize, usize), outer: Option<(usize, usize)>| {
        let outside = |to: usize| to < head || to > end;
        let within = |to: usize| outer.is_none_or(|(first, last)| (first..=last).contains(&to));
        (head..=end).filter(|&at| at != place).any(|at| {
            let line = &lines[at];
            match line.base() {
                _ if line.is_never() => false,
                "BRX" | "BRXU" | "JMX" | "JMXU" | "SYNC" | "BRK" => outer.is_none(),
                _ if is_branch(line) => {
                    let to = target_within(listing, function, line);
                    to.is_some_and(|to| outside(to) && within(to))
                        || at == end && !is_always(line) && within(end + 1)
                }
                _ => false,
            }
        })
    };
    let mut found = around.iter().enumerate().filter(|&(at, &own)| match (to, around.get(at + 1)) {
        (None, _) => !elsewhere(own, None),
        (Some(_), None) => true,
        (Some(_), Some(&outer)) => !elsewhere(own, Some(outer)),
    });
    found.next().map(|(_, &(head, _))| (function, head))
}

/// Where a warp may go on after a line, into what it calls as well; and whether that may be anywhere.
fn after(listing: &Listing, (function, place): Place) -> (Vec<Place>, bool) {
    let Some(line) = listing.functions.get(function).and_then(|own| own.lines.get(place)) else {
        return (Vec::new(), false);
    };
    let on = (function, place + 1);
    let passes = line.is_conditional() || line.is_never();
    let mut next = Vec::new();
    let mut anywhere = false;
    match line.base() {
        _ if line.is_never() => next.push(on),
        "EXIT" | "RET" => next.extend(passes.then_some(on)),
        "BRX" | "BRXU" | "JMX" | "JMXU" => {
            anywhere = true;
            next.extend(passes.then_some(on));
        }
        "SYNC" | "BRK" | "CONT" => {
            next.push(on);
            let lines = listing.functions[function].lines.iter().enumerate();
            let joins = lines.filter(|(_, line)| matches!(line.base(), "SSY" | "PBK" | "PCNT"));
            next.extend(joins.filter_map(|(_, line)| target(listing, function, line)));
        }
        _ if is_branch(line) => {
            let to = target(listing, function, line);
            anywhere = to.is_none();
            next.extend(to);
            next.extend((!is_always(line)).then_some(on));
        }
        _ if is_call(line) => {
            next.extend(target(listing, function, line));
            next.push(on);
        }
        _ => next.push(on),
    }
    (next, anywhere)
}

/// All that is reached from a place without passing `cuts`, within one round of the loops around `branch`; those that begin
/// at `own` or behind it go round as they like.
pub fn reached(
    listing: &Listing,
    from: Place,
    cuts: &BTreeSet<Place>,
    branch: Place,
    own: Option<usize>,
) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        let exists = listing.functions.get(at.0).is_some_and(|own| at.1 < own.lines.len());
        if !exists || cuts.contains(&at) || !found.insert(at) {
            continue;
        }
        let (next, anywhere) = after(listing, at);
        let around = |to: &Place| {
            to.0 == branch.0
                && at.0 == branch.0
                && to.1 <= branch.1
                && branch.1 <= at.1
                && own.is_none_or(|own| to.1 < own)
        };
        open.extend(next.into_iter().filter(|to| !around(to)));
        if anywhere {
            open.extend((0..listing.functions[at.0].lines.len()).map(|line| (at.0, line)));
        }
    }
    found
}
