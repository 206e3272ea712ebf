//! Which blocks of two runs are elsewhere or begin at another time, by the names of their launches.

use std::collections::BTreeMap;

use super::{Chosen, OneRun, Runs, Which};
use crate::draw::blocks::Selected;
use crate::report::blocks::Pictured;
use blocks::BlockRun;

/// For each of two runs, by the place of its blocks in its trace, whether a block is not in the other one as it is here.
pub(super) fn differing(here: (&OneRun, &Pictured), there: (&OneRun, &Pictured)) -> [Vec<bool>; 2] {
    [one_way(here, there), one_way(there, here)]
}

fn one_way((run, known): (&OneRun, &Pictured), (other, beside): (&OneRun, &Pictured)) -> Vec<bool> {
    let launches: BTreeMap<&str, usize> = other.kernels.iter().map(String::as_str).zip(0..).collect();
    let mut all = vec![false; known.trace.blocks.len()];
    for (name, launch) in run.kernels.iter().zip(&known.trace.kernels) {
        let same = launches.get(name.as_str()).and_then(|&place| beside.trace.kernels.get(place));
        for (block, place) in launch.blocks.clone().enumerate() {
            let twin = same.and_then(|same| beside.trace.blocks.get(same.blocks.clone().nth(block)?));
            let own = known.trace.blocks.get(place);
            if let Some(differs) = all.get_mut(place) {
                *differs = !own.zip(twin).is_some_and(|(own, twin)| is_alike(own, twin));
            }
        }
    }
    all
}

fn is_alike(a: &BlockRun, b: &BlockRun) -> bool {
    (a.start, a.sm) == (b.start, b.sm)
}

impl Runs {
    /// How many blocks of the first run are elsewhere, or begin at another time, than in the one that was pinned; none
    /// where nothing is pinned.
    pub fn moved(&self) -> Option<usize> {
        self.run(Which::Pinned)?;
        let first = self.run(self.first())?;
        Some(first.timeline.differs.iter().filter(|&&differs| differs).count())
    }

    /// The same block in the other of the two runs that are compared, where it is elsewhere or begins at another time;
    /// or that there is none.
    pub(super) fn twin(&self, chosen: Chosen) -> Option<String> {
        let Selected::Block { run: launch, block } = chosen.what else { return None };
        let (run, known) = (self.run(chosen.which)?, self.pictured(chosen.which)?);
        if !run.timeline.is_different(&known.trace, launch, block) {
            return None;
        }
        let other = if chosen.which == Which::Pinned { self.first() } else { Which::Pinned };
        let (there, beside) = (self.run(other)?, self.pictured(other)?);
        let title = other.title();
        let place = there.kernels.iter().position(|name| Some(name) == run.kernels.get(launch));
        let found = place.and_then(|place| beside.trace.kernels.get(place)).and_then(|launch| {
            let place = launch.blocks.clone().nth(block as usize)?;
            beside.trace.blocks.get(place)
        });
        Some(match found {
            Some(found) => {
                format!("{title}: SM {}, {}.", found.sm, self.clock().span(found.start, found.end))
            }
            None => format!("{title}: no such block."),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::page::blocks::{Seen, sample};
    use crate::timeline::blocks::Measure;

    fn document(release: u32, blocks: u32) -> Arc<Seen> {
        sample::seen(&format!(
            r#"{{"warpspan": 1, "blocks": {{"device": {{"sms": 2, "threads": 64}}, "streams": [
            {{"operations": [{{"kernel": "A", "blocks": 2, "threads": 64, "duration": 10}}]}},
            {{"release": {release}, "operations": [{{"kernel": "B", "blocks": {blocks}, "threads": 64, "duration": 5}}]}}]}}}}"#
        ))
    }

    #[test]
    fn blocks_that_begin_at_another_time_or_elsewhere_are_told_from_the_others() {
        let runs = Runs::beside(document(20, 3), Some(document(0, 2)), Measure::Threads);
        assert_eq!(runs.runs[0].timeline.differs, [false, false, true, true, true]);
        assert_eq!(runs.runs[1].timeline.differs, [false, false, true, true]);
        assert_eq!(runs.moved(), Some(3));
        let block = |which, run, block| Chosen { which, what: Selected::Block { run, block } };
        assert_eq!(runs.twin(block(Which::Simulated, 1, 0)).as_deref(), Some("Pinned: SM 0, 10 to 15 ns."));
        assert_eq!(runs.twin(block(Which::Simulated, 1, 2)).as_deref(), Some("Pinned: no such block."));
        assert_eq!(runs.twin(block(Which::Pinned, 1, 1)).as_deref(), Some("Simulated: SM 1, 20 to 25 ns."));
        assert_eq!(runs.twin(block(Which::Simulated, 0, 0)), None);
        let alone = Runs::new(document(20, 3), Measure::Threads);
        assert_eq!((alone.moved(), alone.runs[0].timeline.differs.len()), (None, 0));
        let same = Runs::beside(document(20, 3), Some(document(20, 3)), Measure::Threads);
        assert_eq!(same.moved(), Some(0));
    }
}
