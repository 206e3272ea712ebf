//! The states themselves as a space: multisets of positions, since warps are alike.
//!
//! Choices are taken per position. Two choices that differ in the number of warps taken from some position
//! lead to different multisets, so no successor comes twice from one state.

use super::outline::{Crowd, Outline, Place};
use super::pack::PlaceCode;
use super::select::{Selector, Waiting};
use super::space::{MOST_CHOICES, Space};

/// Takes a successor: its places, its crowd and the instructions executed; says whether to go on.
pub type Visit<'a> = dyn FnMut(&PlaceCode, &[Place], &Crowd, u32) -> bool + 'a;

/// The space of states.
#[derive(Debug)]
pub struct Concrete {
    code: PlaceCode,
    warps: u32,
    selector: Selector,
    waiting: Vec<Waiting>,
    places: Vec<Place>,
    next: Vec<Place>,
    crowd: Crowd,
    key: Vec<u64>,
}

impl Concrete {
    /// The space of a problem.
    pub fn new(outline: &Outline) -> Self {
        Self {
            code: PlaceCode::new(outline),
            warps: outline.warps,
            selector: Selector::default(),
            waiting: Vec::new(),
            places: Vec::new(),
            next: Vec::new(),
            crowd: Crowd::default(),
            key: Vec::new(),
        }
    }

    /// The code of its keys.
    pub fn code(&self) -> &PlaceCode {
        &self.code
    }

    /// Lists the successors of a state, with their places, crowds and the instructions executed, until told
    /// to stop; whether it never was.
    pub fn each_next(&mut self, outline: &Outline, key: &[u64], visit: &mut Visit) -> bool {
        let Self { code, selector, waiting, places, next, crowd, .. } = self;
        code.decode(key, places);
        waiting.clear();
        waiting.extend(places.iter().map(|place| {
            let phase = outline.phases[outline.phase_of[place.at as usize] as usize];
            Waiting { unit: phase.unit, block: phase.block, warps: place.warps }
        }));
        selector.each(outline, waiting, &mut |chosen| {
            advance(places, chosen, next);
            crowd.gather(outline, next);
            visit(code, next, crowd, chosen.iter().sum())
        })
    }
}

impl Space for Concrete {
    fn stride(&self) -> usize {
        self.code.stride()
    }

    fn start(&self) -> Vec<u64> {
        let mut key = Vec::new();
        self.code.encode(&[Place { at: 0, warps: self.warps }], &mut key);
        key
    }

    fn expand(
        &mut self,
        outline: &Outline,
        key: &[u64],
        keep: &mut dyn FnMut(&Crowd, u32) -> bool,
        visit: &mut dyn FnMut(&[u64], u32),
    ) -> bool {
        let mut buffer = std::mem::take(&mut self.key);
        let mut count = 0;
        let whole = self.each_next(outline, key, &mut |code, places, crowd, executed| {
            count += 1;
            if keep(crowd, executed) {
                code.encode(places, &mut buffer);
                visit(&buffer, executed);
            }
            count <= MOST_CHOICES
        });
        self.key = buffer;
        whole
    }
}

/// The places after some warps of each have executed.
fn advance(places: &[Place], chosen: &[u32], next: &mut Vec<Place>) {
    next.clear();
    let mut add = |at: u32, warps: u32| {
        if warps > 0 {
            match next.last_mut() {
                Some(last) if last.at == at => last.warps += warps,
                _ => next.push(Place { at, warps }),
            }
        }
    };
    let mut moved = Place::default();
    for (place, &take) in places.iter().zip(chosen) {
        if moved.at < place.at {
            add(moved.at, std::mem::take(&mut moved.warps));
        }
        add(place.at, moved.warps * u32::from(moved.at == place.at));
        add(place.at, place.warps - take);
        moved = Place { at: place.at + 1, warps: take };
    }
    add(moved.at, moved.warps);
}
