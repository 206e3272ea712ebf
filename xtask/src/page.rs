//! Builds the page into `dist/` with trunk, completes it for use without a network, and packs it.

use std::time::Instant;

use crate::facts::{Facts, Need};
use crate::process::run as run_program;
use crate::table::{Row, table};
use crate::{Failure, Places, bundle, glue, offline, policy, setup, spans, stamp, toolchain};

/// Sets up and builds, and tells how long both took.
pub(crate) fn set_up_and_build(places: &Places) -> Result<(), Failure> {
    let begun = Instant::now();
    let facts = setup::set_up(places, &[Need::Page])?;
    let ready = begun.elapsed();
    build(places, &facts)?;
    let all = begun.elapsed();
    let rows = [Row::new("set-up", ready, "done"), Row::new("build", all - ready, "done")];
    println!("{}", table(&rows, all));
    Ok(())
}

/// Builds, where everything is set up.
pub(crate) fn build(places: &Places, facts: &Facts) -> Result<(), Failure> {
    trunk(facts, places)?;
    complete(places)
}

fn trunk(facts: &Facts, places: &Places) -> Result<(), Failure> {
    let mut trunk = toolchain::wasm("trunk", facts, places);
    trunk.current_dir(&places.root).args(["build", "--release"]);
    toolchain::calm(&mut trunk);
    run_program("Building the page into dist/", spans::PAGE, &mut trunk)
}

/// What trunk has built becomes what visitors get. The order matters: the id is over the files as they were built, and
/// the policy and the worker hold checksums of them as they are stamped.
fn complete(places: &Places) -> Result<(), Failure> {
    let dist = places.dist();
    glue::strip(&dist)?;
    let build = stamp::stamp(&dist)?;
    policy::write(&dist)?;
    offline::complete(&places.root, &dist, &build)?;
    sizes(places);
    println!("  {build}  is the id of this build");
    let zip = bundle::pack(&dist)?;
    println!("The whole page in one file, for any web server: {}", zip.display());
    Ok(())
}

/// Prints how large the page got.
fn sizes(places: &Places) {
    let Ok(entries) = std::fs::read_dir(places.dist()) else { return };
    let files = entries.flatten().filter_map(|entry| Some((entry.file_name(), entry.metadata().ok()?.len())));
    let mut files: Vec<_> = files.collect();
    files.sort();
    for (name, bytes) in files {
        println!("  {:>9} bytes  {}", bytes, name.to_string_lossy());
    }
}
