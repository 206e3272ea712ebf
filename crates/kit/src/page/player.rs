//! Playing a construction step by step.

/// Steps shown so far; `None` outside means the whole schedule is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Player {
    /// Steps shown, from 0 to `total`.
    pub step: usize,
    /// Steps there are.
    pub total: usize,
    /// Whether it goes on by itself.
    pub playing: bool,
    /// Times the ordinary speed, 0.5 to 16.
    pub speed: f64,
    /// The part of a step played so far.
    part: f64,
}

/// Steps a second at speed 1.
const STEPS_PER_SECOND: f64 = 2.0;
/// A long construction is played in about this many seconds at speed 1.
const LONGEST_SECONDS: f64 = 60.0;

/// The speeds on offer.
pub const SPEEDS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 16.0];

impl Player {
    /// At the end, not playing.
    pub fn at_end(total: usize) -> Self {
        Self { step: total, total, playing: false, speed: 1.0, part: 0.0 }
    }

    /// At another speed.
    #[must_use]
    pub fn with_speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// At a step, not playing.
    #[must_use]
    pub fn at(self, step: usize) -> Self {
        Self { step: step.min(self.total), playing: false, part: 0.0, ..self }
    }

    /// One or more steps on or back.
    #[must_use]
    pub fn moved(self, by: isize) -> Self {
        self.at(self.step.saturating_add_signed(by))
    }

    /// Playing if it was not; from the start if it had reached the end.
    #[must_use]
    pub fn toggled(self) -> Self {
        let step = if !self.playing && self.step == self.total { 0 } else { self.step };
        Self { playing: !self.playing && self.total > 0, step, part: 0.0, ..self }
    }

    /// After some seconds of playing.
    #[must_use]
    pub fn after(self, seconds: f64) -> Self {
        if !self.playing {
            return self;
        }
        let rate = STEPS_PER_SECOND.max(self.total as f64 / LONGEST_SECONDS) * self.speed;
        let part = self.part + seconds.clamp(0.0, 1.0) * rate;
        let step = (self.step + part as usize).min(self.total);
        Self { step, part: part.fract(), playing: step < self.total, ..self }
    }

    /// Whether the whole schedule is shown.
    pub fn is_at_end(&self) -> bool {
        self.step == self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playing_goes_from_the_start_to_the_end_and_stops() {
        let mut player = Player::at_end(12).toggled();
        assert_eq!((player.step, player.playing), (0, true));
        for _ in 0..60 {
            player = player.after(0.1);
        }
        assert_eq!((player.step, player.playing), (12, false));
    }

    #[test]
    fn frames_of_any_length_add_up() {
        let mut player = Player::at_end(100).toggled();
        for _ in 0..100 {
            player = player.after(0.016);
        }
        assert_eq!(player.step, 3);
    }

    #[test]
    fn steps_stay_within_the_construction() {
        let player = Player::at_end(5);
        assert_eq!(player.moved(-9).step, 0);
        assert_eq!(player.moved(9).step, 5);
        assert_eq!(player.at(3).moved(-1).step, 2);
        assert!(!Player::at_end(0).toggled().playing);
    }
}
