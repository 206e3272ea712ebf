//! Builds the page into `dist/` with trunk, completes it for use without a network, and packs it.

use std::env;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use crate::facts::{Facts, Need};
use crate::install::remember;
use crate::process::run_and_keep;
use crate::spans;
use crate::{Failure, Places, bundle, glue, look, offline, policy, setup, stamp, toolchain};

/// Sets up and builds; when trunk cannot download what it calls, that is set up too.
pub(crate) fn build(places: &Places, needs: &[Need]) -> Result<(), Failure> {
    let mut facts = setup::set_up(places, needs)?;
    let worked = look::trunk_downloaded(places, &facts.bindgen_version);
    // Found out before minutes of compiling, not after.
    if facts.trunk_fetches() && !worked.is_file() && !reachable() {
        facts = without_downloads(places, needs, &facts)?;
    }
    let (result, text) = trunk(&facts, places);
    if facts.trunk_fetches() {
        if result.is_ok() {
            remember(&worked, &facts.bindgen_version)?;
        } else if text.contains(DOWNLOAD_FAILED) {
            let facts = without_downloads(places, needs, &facts)?;
            trunk(&facts, places).0?;
            return complete(places);
        }
    }
    result.and_then(|()| complete(places))
}

/// From now on the tools that trunk would download are installed in another way.
fn without_downloads(places: &Places, needs: &[Need], facts: &Facts) -> Result<Facts, Failure> {
    let memory = look::closed_for_trunk(places);
    println!(
        "\ntrunk cannot download its tools here; they are installed in another way, now and from now on."
    );
    println!("To let trunk try again: rm {}", memory.display());
    remember(&memory, &facts.bindgen_version)?;
    setup::set_up(places, needs)
}

/// Whether there is a way to where trunk downloads from. Behind a proxy nobody can tell but trunk.
fn reachable() -> bool {
    const PROXIES: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    const LONG_ENOUGH: Duration = Duration::from_secs(10);
    if PROXIES.iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty())) {
        return true;
    }
    let addresses = ("github.com", 443).to_socket_addrs().into_iter().flatten();
    addresses.take(2).any(|address| TcpStream::connect_timeout(&address, LONG_ENOUGH).is_ok())
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
