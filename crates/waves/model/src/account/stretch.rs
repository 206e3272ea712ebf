//! A stretch of cycles that claims are laid over, one pass after the other: what an earlier claim covers no later one
//! gets, so that every cycle has one cause.

use crate::cause::{Cause, Part, Witness};

/// A claim on cycles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    pub from: i64,
    pub to: i64,
    pub cause: Cause,
    pub witness: Option<Witness>,
}

/// Cycles before an instruction, some of them explained.
pub(super) struct Stretch {
    item: u32,
    open: Vec<(i64, i64)>,
    parts: Vec<Part>,
}

impl Stretch {
    /// Nothing is explained yet.
    pub fn new(item: u32, from: i64, to: i64) -> Self {
        Self { item, open: if from < to { vec![(from, to)] } else { Vec::new() }, parts: Vec::new() }
    }

    /// Whether everything is explained.
    pub fn done(&self) -> bool {
        self.open.is_empty()
    }

    /// What is not explained yet.
    pub fn open(&self) -> &[(i64, i64)] {
        &self.open
    }

    /// Lays claims over what is open; they come in the order of their beginnings, and of two that overlap the first
    /// gets it.
    pub fn lay(&mut self, claims: impl IntoIterator<Item = Claim>) {
        if self.open.is_empty() {
            return;
        }
        let open = std::mem::take(&mut self.open);
        let mut open = open.into_iter();
        let mut current = open.next();
        for claim in claims {
            while let Some((from, to)) = current {
                if to <= claim.from {
                    self.open.push((from, to));
                    current = open.next();
                    continue;
                }
                if claim.to <= from {
                    break;
                }
                let (begin, end) = (claim.from.max(from), claim.to.min(to));
                if from < begin {
                    self.open.push((from, begin));
                }
                self.note(begin, end, claim.cause, claim.witness);
                current = if end < to { Some((end, to)) } else { open.next() };
                if claim.to <= end {
                    break;
                }
            }
        }
        self.open.extend(current);
        self.open.extend(open);
    }

    /// Gives everything that is open one cause.
    pub fn rest(&mut self, cause: Cause, witness: Option<Witness>) {
        for (from, to) in std::mem::take(&mut self.open) {
            self.note(from, to, cause, witness);
        }
    }

    fn note(&mut self, from: i64, to: i64, cause: Cause, witness: Option<Witness>) {
        if from < to {
            self.parts.push(Part { item: Some(self.item), from, to, cause, witness });
        }
    }

    /// The parts in order; what is still open is not explained. Neighbours with the same to tell are one.
    pub fn finish(mut self, into: &mut Vec<Part>) {
        self.rest(Cause::Unexplained, None);
        self.parts.sort_by_key(|part| part.from);
        for part in self.parts {
            match into.last_mut() {
                Some(last)
                    if last.to == part.from
                        && (last.item, last.cause, last.witness) == (part.item, part.cause, part.witness) =>
                {
                    last.to = part.to;
                }
                _ => into.push(part),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_share_out_a_stretch() {
        let claim = |from, to, cause| Claim { from, to, cause, witness: None };
        let mut stretch = Stretch::new(0, 0, 100);
        stretch.lay([claim(-5, 10, Cause::Unit), claim(5, 20, Cause::Chosen), claim(50, 60, Cause::Unit)]);
        stretch.lay([claim(0, 30, Cause::Fetch), claim(55, 70, Cause::Data), claim(90, 200, Cause::Told)]);
        let mut parts = Vec::new();
        stretch.finish(&mut parts);
        let told: Vec<_> = parts.iter().map(|part| (part.from, part.to, part.cause.name())).collect();
        let expected = [
            (0, 10, "unit"),
            (10, 20, "chosen"),
            (20, 30, "fetch"),
            (30, 50, "unexplained"),
            (50, 60, "unit"),
            (60, 70, "data"),
            (70, 90, "unexplained"),
            (90, 100, "told"),
        ];
        assert_eq!(told, expected);
    }
}
