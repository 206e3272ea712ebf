//! How often loops have gone round each time they were entered, counted along the steps of a walk.

use std::collections::{BTreeMap, BTreeSet};

use super::Walking;
use crate::flow::Place;

/// The lines of a loop: its function, where it begins, and its last branch back.
struct Body {
    function: usize,
    head: usize,
    end: usize,
}

impl Body {
    fn has(&self, (function, line): Place) -> bool {
        function == self.function && (self.head..=self.end).contains(&line)
    }
}

impl Walking<'_> {
    /// The fewest and the most rounds of each loop, in their order. What is entered from above begins anew, as does what is
    /// called; who leaves and comes back from below goes on.
    pub(super) fn stays(&mut self) -> Vec<(u32, u32)> {
        let heads: Vec<Place> = self.loops.keys().map(|&own| self.head(own).unwrap_or((own.0, 0))).collect();
        let begins: BTreeSet<Place> = heads.iter().copied().collect();
        let bodies: Vec<Body> = heads
            .into_iter()
            .map(|head| Body { function: head.0, head: head.1, end: self.end(head) })
            .collect();
        let mut counted = Counted { now: BTreeMap::new(), found: vec![None; bodies.len()] };
        // The last step of each call that is not over.
        let mut last: Vec<Place> = Vec::new();
        for (&at, &depth) in self.steps.iter().zip(&self.depths) {
            let from = last.get(depth).copied().filter(|from| from.0 == at.0);
            if last.len() > depth + 1 {
                counted.close(|own| own.0 > depth);
            }
            last.truncate(depth);
            last.push(at);
            // Within a loop the next line says nothing, unless another one begins there.
            if from.is_some_and(|from| from.1 + 1 == at.1) && !begins.contains(&at) {
                continue;
            }
            for (place, body) in bodies.iter().enumerate().filter(|(_, body)| body.has(at)) {
                match from {
                    Some((_, from)) if from >= at.1 && at.1 == body.head => {
                        *counted.now.entry((depth, place)).or_insert(1) += 1;
                    }
                    Some((_, from)) if from >= body.head => {}
                    _ => {
                        counted.close(|own| *own == (depth, place));
                        counted.now.insert((depth, place), 1);
                    }
                }
            }
        }
        counted.close(|_| true);
        counted.found.into_iter().map(|rounds| rounds.unwrap_or((1, 1))).collect()
    }

    fn head(&self, (function, address): (usize, u64)) -> Option<Place> {
        let lines = &self.listing.functions[function].lines;
        let line = lines.binary_search_by_key(&address, |line| line.address).ok()?;
        Some((function, line))
    }
}

struct Counted {
    /// Rounds since it was entered, by how many calls deep, and which loop.
    now: BTreeMap<(usize, usize), u32>,
    found: Vec<Option<(u32, u32)>>,
}

impl Counted {
    /// The way stays no longer in some of them.
    fn close(&mut self, over: impl Fn(&(usize, usize)) -> bool) {
        let found = &mut self.found;
        self.now.retain(|own, rounds| {
            if over(own) {
                let (least, most) = found[own.1].unwrap_or((*rounds, *rounds));
                found[own.1] = Some((least.min(*rounds), most.max(*rounds)));
                return false;
            }
            true
        });
    }
}
