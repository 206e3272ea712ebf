//! Random instruction strings.

use base::Seeded;

/// How often a letter stands in a string, beside the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// The letter.
    pub letter: char,
    /// Its weight; 0 for never.
    pub weight: u32,
}

/// A string of so many letters, each drawn by the weights; empty where they are all 0.
pub fn string(rng: &mut Seeded, length: usize, weights: &[Weight]) -> String {
    let Some(total) =
        weights.iter().try_fold(0u32, |sum, w| sum.checked_add(w.weight)).filter(|sum| *sum > 0)
    else {
        return String::new();
    };
    let mut letter = || {
        let mut left = rng.below(total);
        for Weight { letter, weight } in weights {
            if left < *weight {
                return *letter;
            }
            left -= weight;
        }
        unreachable!("a number below the sum of the weights")
    };
    (0..length).map(|_| letter()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_as_often_as_their_weights_say() {
        let weights = [('L', 1), ('C', 3), ('S', 0)].map(|(letter, weight)| Weight { letter, weight });
        let text = string(&mut Seeded::new(1, 0), 40_000, &weights);
        let count = |wanted: char| text.chars().filter(|c| *c == wanted).count();
        assert_eq!((text.len(), count('S')), (40_000, 0));
        assert!((9_500..10_500).contains(&count('L')), "{}", count('L'));
        assert_eq!(string(&mut Seeded::new(1, 0), 5, &weights[2..]), "");
    }
}
