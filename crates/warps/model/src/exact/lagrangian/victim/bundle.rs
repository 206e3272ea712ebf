//! Where to try prices next: a proximal bundle method. Whatever it says, what is proven at the prices stays proven.
//!
//! The bound is convex in the prices. Every trial gives a cut below it, every circle that gains a half-space with all
//! prices that are dear enough. The next prices have the least of `largest cut + |d|^2 / (2 t)` at a step `d` from the
//! best ones, within all half-spaces; the dual of this is solved by steps along single coordinates.

/// The most cuts kept.
const MOST_CUTS: usize = 80;
/// Steps of the dual.
const STEPS: u32 = 150;

/// A linear function: its value at the centre, its slope, and its weight in the dual.
#[derive(Debug)]
struct Cut {
    value: f64,
    slope: Vec<f64>,
    weight: f64,
}

impl Cut {
    fn shift(&mut self, step: &[f64]) {
        self.value += dot(&self.slope, step);
    }
}

/// What is known of the bound as a function of prices.
#[derive(Debug)]
pub struct Bundle {
    centre: Vec<f64>,
    value: f64,
    cuts: Vec<Cut>,
    /// Functions that are to be no more than 0.
    circles: Vec<Cut>,
    length: f64,
    /// By how much the next step is to lower the bound.
    pub expected: f64,
}

impl Bundle {
    /// After a first trial; `hoped` is what the bound might come to.
    pub fn new(centre: Vec<f64>, value: f64, slope: Vec<f64>, hoped: f64) -> Self {
        let length = (value - hoped).max(1.0) / dot(&slope, &slope).max(1.0);
        let cuts = vec![Cut { value, slope, weight: 1.0 }];
        Self { centre, value, cuts, circles: Vec::new(), length, expected: f64::INFINITY }
    }

    /// After another trial.
    pub fn tried(&mut self, at: &[f64], value: f64, slope: Vec<f64>) {
        let step: Vec<f64> = at.iter().zip(&self.centre).map(|(at, centre)| at - centre).collect();
        if value < self.value - 0.1 * self.expected {
            self.cuts.iter_mut().chain(&mut self.circles).for_each(|cut| cut.shift(&step));
            self.length *= if value < self.value - 0.5 * self.expected { 2.0 } else { 1.0 };
            (self.centre, self.value) = (at.to_vec(), value);
            self.cuts.push(Cut { value, slope, weight: 0.0 });
        } else {
            self.length *= 0.85;
            self.cuts.push(Cut { value: value - dot(&slope, &step), slope, weight: 0.0 });
        }
    }

    /// After a circle that gains so much at these prices and pays for this.
    pub fn circled(&mut self, at: &[f64], gain: f64, paid: &[i64]) {
        let slope: Vec<f64> = paid.iter().map(|&n| -(n as f64)).collect();
        let step: Vec<f64> = at.iter().zip(&self.centre).map(|(at, centre)| at - centre).collect();
        self.circles.push(Cut { value: gain + 0.003 - dot(&slope, &step), slope, weight: 0.0 });
    }

    /// After a trial that took too long.
    pub fn shorten(&mut self) {
        self.length *= 0.5;
    }

    /// Makes later steps longer: those that promise little may only be too short.
    pub fn lengthen(&mut self) {
        self.length *= 8.0;
    }

    /// The prices to be tried next.
    pub fn next(&mut self) -> Vec<f64> {
        let Self { cuts, circles, length, .. } = self;
        if cuts.len() > MOST_CUTS
            && let Some(least) = (0..cuts.len() - 1).find(|&i| cuts[i].weight < 1e-9)
        {
            cuts.remove(least);
        }
        let t = *length;
        let mut sum = vec![0.0; self.centre.len()];
        for cut in cuts.iter().chain(circles.iter()) {
            add(&mut sum, cut.weight, &cut.slope);
        }
        for _ in 0..STEPS {
            let rise = |cut: &Cut, sum: &[f64]| cut.value - t * dot(&cut.slope, sum);
            let (mut best, mut worst) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
            for (i, cut) in cuts.iter().enumerate() {
                let rise = rise(cut, &sum);
                if rise > best.0 {
                    best = (rise, i);
                }
                if cut.weight > 0.0 && rise < worst.0 {
                    worst = (rise, i);
                }
            }
            let mut apart = cuts[best.1].slope.clone();
            add(&mut apart, -1.0, &cuts[worst.1].slope);
            let by = ((best.0 - worst.0) / (t * dot(&apart, &apart)).max(1e-12)).min(cuts[worst.1].weight);
            cuts[best.1].weight += by;
            cuts[worst.1].weight -= by;
            add(&mut sum, by, &apart);
            for circle in circles.iter_mut() {
                let by = rise(circle, &sum) / (t * dot(&circle.slope, &circle.slope)).max(1e-12);
                let by = by.max(-circle.weight);
                circle.weight += by;
                add(&mut sum, by, &circle.slope);
            }
        }
        let step: Vec<f64> = sum.iter().map(|s| -t * s).collect();
        let model =
            cuts.iter().map(|cut| cut.value + dot(&cut.slope, &step)).fold(f64::NEG_INFINITY, f64::max);
        self.expected = self.value - model;
        self.centre.iter().zip(&step).map(|(centre, step)| centre + step).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f64], times: f64, more: &[f64]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += times * more);
}
