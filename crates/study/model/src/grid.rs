//! A grid of points with samples at each: which cell stands where.
//!
//! Invariant: cells are numbered from 0, samples change fastest, then the last axis.

/// A grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    sizes: Vec<u64>,
    samples: u64,
}

/// Where a cell stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// For each axis which of its values.
    pub at: Vec<usize>,
    /// Which sample of the point, from 0.
    pub sample: u64,
}

impl Grid {
    /// A grid over axes of these sizes, with so many samples at each point; none where cells cannot be counted.
    pub fn new(sizes: Vec<u64>, samples: u64) -> Option<Self> {
        sizes.iter().try_fold(samples, |cells, size| cells.checked_mul(*size))?;
        Some(Self { sizes, samples })
    }

    /// How many points there are.
    pub fn points(&self) -> u64 {
        self.sizes.iter().product()
    }

    /// How many samples there are at each point.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// How many cells there are.
    pub fn cells(&self) -> u64 {
        self.points() * self.samples
    }

    /// Where a cell stands, if there is one of that number.
    pub fn place(&self, cell: u64) -> Option<Place> {
        if cell >= self.cells() {
            return None;
        }
        let mut left = cell / self.samples;
        let mut at = vec![0; self.sizes.len()];
        for (at, size) in at.iter_mut().zip(&self.sizes).rev() {
            *at = (left % size) as usize;
            left /= size;
        }
        Some(Place { at, sample: cell % self.samples })
    }

    /// The number of the cell at a place, if the grid has it.
    pub fn cell(&self, place: &Place) -> Option<u64> {
        if place.at.len() != self.sizes.len() || place.sample >= self.samples {
            return None;
        }
        let mut point = 0;
        for (at, size) in place.at.iter().zip(&self.sizes) {
            let at = *at as u64;
            if at >= *size {
                return None;
            }
            point = point * size + at;
        }
        Some(point * self.samples + place.sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_one_place() {
        let Some(grid) = Grid::new(vec![3, 1, 4], 5) else { unreachable!("small") };
        assert_eq!((grid.points(), grid.cells()), (12, 60));
        let places: Vec<Place> = (0..60).filter_map(|cell| grid.place(cell)).collect();
        assert_eq!(
            places.iter().map(|place| grid.cell(place)).collect::<Vec<_>>(),
            (0..60).map(Some).collect::<Vec<_>>()
        );
        assert_eq!(places[6], Place { at: vec![0, 0, 1], sample: 1 });
        assert_eq!(grid.place(60), None);
        assert_eq!(grid.cell(&Place { at: vec![3, 0, 0], sample: 0 }), None);
        assert_eq!(grid.cell(&Place { at: vec![0, 0, 0], sample: 5 }), None);
        assert_eq!(grid.cell(&Place { at: vec![0, 0], sample: 0 }), None);
    }

    #[test]
    fn no_axes_are_one_point() {
        assert_eq!(Grid::new(Vec::new(), 3).map(|grid| grid.cells()), Some(3));
        assert_eq!(Grid::new(vec![u64::MAX, 2], 1), None);
    }
}
