//! What a walk comes to: its steps, its loops, and what was assumed about the way, in sentences.

use super::{Walk, Walking};
use base::problem::quoted;

/// What is noted where the text ends.
pub(super) const CUT: &str = "the text ends there, and nothing has ended the way: more may be missing";

impl Walking<'_> {
    /// All of it.
    pub(super) fn done(mut self) -> Walk {
        let idle = self.idle();
        let stays = self.stays();
        let mut lines = Vec::new();
        for &function in &self.order {
            self.first_line.insert(function, lines.len() as u32);
            lines.extend((0..self.listing.functions[function].lines.len()).map(|line| (function, line)));
        }
        let first = &self.first_line;
        let steps = self.steps.iter().map(|(function, line)| first[function] + *line as u32).collect();
        let several = self.order.len() > 1;
        let place = |function: usize, address: u64| match several {
            true => format!("{address:#06x} of {}", quoted(&self.listing.functions[function].name)),
            false => format!("{address:#06x}"),
        };
        let mut assumed: Vec<String> = Vec::new();
        let mut loops = Vec::new();
        for (own, rounds) in self.loops.values().zip(stays) {
            let mut own = own.clone();
            let at = place(own.function, own.address);
            own.rounds = rounds;
            own.left = own.trips.is_some() && !self.is_counted(own.function, own.address);
            if own.left {
                assumed.push(format!(
                    "The way leaves the loop at {at} before a round is over: others out of it are not followed."
                ));
            } else if !own.known {
                assumed.push(format!("The loop at {at} was gone round once; its trip count is not known."));
            }
            loops.push(own);
        }
        let mut details = Vec::new();
        for &(function, address, what) in &self.assumed {
            let said = format!("At {}: {what}.", place(function, address));
            if what != CUT {
                details.push(said.clone());
            }
            assumed.push(said);
        }
        Walk { lines, steps, loops, assumed, details, guessed: self.guessed.len(), cut: self.cut, idle }
    }
}
