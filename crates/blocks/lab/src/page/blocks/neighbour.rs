//! The block beside the selected one: before and after it on its SM, or on the SM above or below.

use super::{Chosen, OneRun, Runs, Which};
use crate::draw::blocks::Selected;
use crate::timeline::blocks::{Piece, Track};

/// Where to go from the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// What started before it on the same SM.
    Back,
    /// What starts after it.
    On,
    /// The SM above in the picture.
    Up,
    /// The SM below.
    Down,
}

/// A band things can be selected in.
#[derive(Clone, Copy)]
struct Band<'a> {
    which: Which,
    track: &'a Track,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Sm,
    Engine,
}

impl Band<'_> {
    fn chosen(&self, piece: &Piece) -> Chosen {
        let what = match self.kind {
            Kind::Sm => Selected::Block { run: piece.run as usize, block: piece.item },
            Kind::Engine => Selected::Copy(piece.run as usize),
        };
        Chosen { which: self.which, what }
    }

    /// Where something stands in the band.
    fn find(&self, chosen: Chosen) -> Option<Piece> {
        let own = self.track.pieces.all().iter().filter(|piece| self.chosen(piece) == chosen);
        own.min_by(|a, b| a.start.total_cmp(&b.start)).copied()
    }
}

/// What comes first: by time, then from the bottom.
fn order(piece: &Piece) -> (u64, u32, u32, u32) {
    (piece.start.max(0.0) as u64, piece.low, piece.run, piece.item)
}

impl Runs {
    /// The thing to select next; without a selection the first one from `t0` on. None where there is no other.
    pub fn neighbour(&self, from: Option<Chosen>, to: Direction, t0: f64) -> Option<Chosen> {
        let bands = self.bands();
        let placed = from.and_then(|from| {
            let from = self.first_block(from);
            bands.iter().enumerate().find_map(|(i, band)| {
                let own = band.which == from.which;
                own.then(|| band.find(from)).flatten().map(|piece| (i, from, piece))
            })
        });
        let Some((at, from, piece)) = placed else { return first(&bands, t0) };
        match to {
            Direction::Back | Direction::On => {
                let band = bands[at];
                let others = band.track.pieces.all().iter().filter(|other| band.chosen(other) != from);
                let found = match to {
                    Direction::On => others.filter(|p| order(p) > order(&piece)).min_by_key(|p| order(p)),
                    _ => others.filter(|p| order(p) < order(&piece)).max_by_key(|p| order(p)),
                };
                found.map(|found| band.chosen(found))
            }
            Direction::Up => bands[at + 1..].iter().find_map(|band| beside(band, &piece)),
            Direction::Down => bands[..at].iter().rev().find_map(|band| beside(band, &piece)),
        }
    }

    /// The block that stands for a launch.
    fn first_block(&self, chosen: Chosen) -> Chosen {
        match chosen.what {
            Selected::Launch(run) => Chosen { what: Selected::Block { run, block: 0 }, which: chosen.which },
            _ => chosen,
        }
    }

    /// All bands from the bottom of the picture to its top.
    fn bands(&self) -> Vec<Band<'_>> {
        self.runs.iter().rev().flat_map(bands_of).collect()
    }
}

/// The bands of a run, SMs first.
fn bands_of(run: &OneRun) -> impl Iterator<Item = Band<'_>> {
    let band = |kind| move |track| Band { which: run.which, track, kind };
    let engines = run.timeline.engines.iter().map(band(Kind::Engine));
    run.timeline.sms.iter().map(band(Kind::Sm)).chain(engines)
}

/// The first thing that starts at a time or later; without one, the first of all.
fn first(bands: &[Band<'_>], t0: f64) -> Option<Chosen> {
    let all = || bands.iter().flat_map(|band| band.track.pieces.all().iter().map(move |piece| (band, piece)));
    let least = |a: &(&Band<'_>, &Piece), b: &(&Band<'_>, &Piece)| order(a.1).cmp(&order(b.1));
    let found = all().filter(|(_, piece)| piece.start >= t0).min_by(least).or_else(|| all().min_by(least));
    found.map(|(band, piece)| band.chosen(piece))
}

/// What runs in a band when a piece starts, else what is nearest to that.
fn beside(band: &Band<'_>, piece: &Piece) -> Option<Chosen> {
    let at = piece.start;
    let away = |other: &Piece| {
        let ended = if other.end > at { 0.0 } else { at - other.end + 1.0 };
        (other.start - at).max(ended).max(0.0)
    };
    let apart = |other: &Piece| other.low.abs_diff(piece.low);
    let nearer = |a: &&Piece, b: &&Piece| {
        away(a).total_cmp(&away(b)).then(apart(a).cmp(&apart(b))).then(order(a).cmp(&order(b)))
    };
    band.track.pieces.all().iter().min_by(nearer).map(|found| band.chosen(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;

    #[test]
    fn arrows_walk_through_the_bands() {
        let runs = sample::runs();
        let mut at = None;
        let mut walk = |directions: &[Direction]| {
            let mut names = Vec::new();
            for &to in directions {
                at = runs.neighbour(at, to, 0.0).or(at);
                names.push(at.and_then(|at| runs.link_name(at)).unwrap_or_default());
            }
            names.join(" ")
        };
        use Direction::{Back, Down, On, Up};
        assert_eq!(walk(&[On, On, On, On, On]), "K1:0 K2:0 K2:2 K2:4 K2:6");
        assert_eq!(walk(&[Up, Up, Down, Back, Back]), "K3:0 K3:0 K2:6 K2:4 K2:2");
        assert_eq!(walk(&[Back, Back, Back]), "K2:0 K1:0 K1:0");
    }

    #[test]
    fn a_walk_to_the_right_meets_every_block_of_its_band_once() {
        let runs = sample::runs();
        let mut at = runs.neighbour(None, Direction::On, 0.0);
        let mut met = 0;
        while let Some(here) = at {
            met += 1;
            at = runs.neighbour(Some(here), Direction::On, 0.0);
        }
        assert_eq!(met, runs.runs[0].timeline.sms[0].pieces.all().len());
    }
}
