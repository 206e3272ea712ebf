//! Carries out the plan: look, plan, do the first step, look again, until nothing is missing.
//!
//! What trunk would download is tried here, too: whether it can must be known before minutes of compiling, not after.

use std::fs::{self, File};

use crate::facts::{Facts, Need};
use crate::plan::{Step, plan};
use crate::{Failure, Places, install, look, trial};

/// Installs what is missing for the needs, and sees that trunk has what it calls; the facts afterwards.
pub(crate) fn set_up(places: &Places, needs: &[Need]) -> Result<Facts, Failure> {
    let facts = installed(places, needs)?;
    if !facts.relies_on_downloads() || trial::works(&facts, places)? {
        return Ok(facts);
    }
    let memory = look::closed_for_trunk(places);
    println!(
        "\ntrunk cannot download its tools here; they are installed in another way, now and from now on."
    );
    println!("To let trunk try again: rm {}", memory.display());
    install::remember(&memory, &facts.bindgen_version)?;
    installed(places, needs)
}

/// Installs what is missing for the needs; the facts afterwards.
fn installed(places: &Places, needs: &[Need]) -> Result<Facts, Failure> {
    let facts = look::look(places, needs)?;
    if plan(&facts).is_empty() {
        return Ok(facts);
    }
    // Other clones share the cache; the lock ends with the file.
    let _lock = lock(places)?;
    let mut done: Vec<Step> = Vec::new();
    let mut announced: Vec<Step> = Vec::new();
    loop {
        let facts = look::look(places, needs)?;
        let steps = plan(&facts);
        let Some(step) = steps.first() else { return Ok(facts) };
        if done.contains(step) {
            return Err(still_missing(step));
        }
        if !announced.ends_with(&steps) {
            announce(&steps, places);
            announced.clone_from(&steps);
        }
        install::perform(step, &facts, places)?;
        done.push(step.clone());
    }
}

fn lock(places: &Places) -> Result<File, Failure> {
    let path = places.cache.join("lock");
    fs::create_dir_all(&places.cache).map_err(Failure::file("make the folder", &places.cache))?;
    let file = File::create(&path).map_err(Failure::file("write", &path))?;
    if file.try_lock().is_err() {
        println!("Another run is setting up (it holds {}); waiting for it.", path.display());
        file.lock().map_err(Failure::file("lock", &path))?;
    }
    Ok(file)
}

fn announce(steps: &[Step], places: &Places) {
    println!("\nTo set up, once (tools go to {}):", places.cache.display());
    for step in steps {
        let span = step.span().map(|span| format!(" ({span})")).unwrap_or_default();
        println!("  - {}{span}", step.title());
    }
}

fn still_missing(step: &Step) -> Failure {
    Failure::person(
        format!("this seemed to work, but what it gives is still not found: {}", step.title()),
        "see that the program it installs runs, and that no older one comes before it on $PATH",
    )
}
