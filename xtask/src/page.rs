//! Builds the page into `dist/` with trunk, completes it for use without a network, and packs it.

use crate::facts::{Facts, Need};
use crate::install::remember;
use crate::process::run_and_keep;
use crate::spans;
use crate::{Failure, Places, bundle, glue, look, offline, setup, toolchain};

/// Sets up and builds; when trunk cannot download what it calls, that is set up too.
pub(crate) fn build(places: &Places, needs: &[Need]) -> Result<(), Failure> {
    let facts = setup::set_up(places, needs)?;
    let (result, text) = trunk(&facts, places);
    if result.is_ok() || !facts.trunk_fetches() || !text.contains(DOWNLOAD_FAILED) {
        return result.and_then(|()| complete(places));
    }
    let memory = look::closed_for_trunk(places);
    println!("\ntrunk could not download its tools; they are installed in another way, now and from now on.");
    println!("To let trunk try again: rm {}", memory.display());
    remember(&memory, &facts.bindgen_version)?;
    let facts = setup::set_up(places, needs)?;
    trunk(&facts, places).0?;
    complete(places)
}

/// What trunk says when a download does not work.
const DOWNLOAD_FAILED: &str = "failed downloading";

fn trunk(facts: &Facts, places: &Places) -> (Result<(), Failure>, String) {
    let mut trunk = toolchain::wasm("trunk", facts, places);
    trunk.current_dir(&places.root).args(["build", "--release"]);
    trunk.envs([("TRUNK_SKIP_VERSION_CHECK", "true"), ("RUST_BACKTRACE", "0")]);
    // trunk takes no value but true and false, and other tools set it to 1.
    trunk.env_remove("NO_COLOR");
    run_and_keep("Building the page into dist/", spans::PAGE, &mut trunk)
}

/// What trunk has built becomes what visitors get.
fn complete(places: &Places) -> Result<(), Failure> {
    glue::strip(&places.dist())?;
    offline::complete(&places.root, &places.dist())?;
    sizes(places);
    let zip = bundle::pack(&places.dist())?;
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
