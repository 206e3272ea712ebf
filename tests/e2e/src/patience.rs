//! How long anything is waited for: one patience, which ends a hang and decides nothing else.
//!
//! A page on a slow machine is slow; it is wrong only where what it was to show never comes. So whoever waits says
//! for what, asks again and again, and in the end is told what was there instead. No other clock is read by tests.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// After this, whatever is waited for is taken not to come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5 * 60);
/// How often one asks again.
const AGAIN: Duration = Duration::from_millis(25);

/// What an answer is while it is not there yet: what there is instead.
pub type NotYet<T> = Result<T, String>;

/// Asks until there is an answer. An error of the asking itself ends the wait at once.
pub async fn patiently<T>(
    what: &str,
    mut ask: impl AsyncFnMut() -> Result<NotYet<T>, String>,
) -> Result<T, String> {
    let wait = Wait::begin();
    loop {
        match ask().await? {
            Ok(found) => return Ok(found),
            Err(instead) => wait.again(what, &instead).await?,
        }
    }
}

/// The same for what needs no waiting to be asked.
pub(crate) async fn until_there<T>(what: &str, mut ask: impl FnMut() -> NotYet<T>) -> Result<T, String> {
    let wait = Wait::begin();
    loop {
        match ask() {
            Ok(found) => return Ok(found),
            Err(instead) => wait.again(what, &instead).await?,
        }
    }
}

/// A wait that has begun.
struct Wait(Instant);

impl Wait {
    fn begin() -> Self {
        Self(Instant::now())
    }

    /// A moment later, or what was waited for in vain.
    async fn again(&self, what: &str, instead: &str) -> Result<(), String> {
        if self.0.elapsed() > PATIENCE {
            let minutes = PATIENCE.as_secs() / 60;
            return Err(format!("waited {minutes} minutes for {what}; in its place: {instead}"));
        }
        tokio::time::sleep(AGAIN).await;
        Ok(())
    }
}

/// The same patience for what a driver waits for.
pub(crate) fn of_drivers() -> Value {
    let patience = u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX);
    json!({"script": patience, "pageLoad": patience, "implicit": 0})
}
