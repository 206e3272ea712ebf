//! Has trunk build a page of one small program, so that it downloads what it calls before anything of ours is compiled.
//!
//! Only trunk knows whether it can: a proxy may answer and refuse, a file may come that is none. So nothing is asked of
//! the network here but what the real build would ask, by the same program, with the same settings. What came once is
//! in trunk's own cache, and the trial then takes a second.

use std::env;
use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use crate::facts::{Facts, Need};
use crate::install::BINARYEN;
use crate::process::run_for;
use crate::{Failure, Places, spans, toolchain};

/// Downloads that take longer are taken to hang.
const FOR_DOWNLOADS: Duration = Duration::from_secs(20 * 60);
/// wasm-bindgen works on what is made for it only.
const PROGRAM: &str =
    "use wasm_bindgen::prelude::wasm_bindgen;\n\n#[wasm_bindgen]\npub fn nothing() {}\n\nfn main() {}\n";
const PAGE: &str = "<!doctype html>\n<link data-trunk rel=\"rust\" data-wasm-opt=\"1\">\n";

/// Whether trunk has, or gets, what it calls for these needs.
pub(crate) fn works(facts: &Facts, places: &Places) -> Result<bool, Failure> {
    let folder = places.cache.join("trial");
    write(&folder, facts, &places.lock())?;
    let mut trunk = toolchain::wasm("trunk", facts, places);
    trunk.current_dir(&folder).arg("build");
    if facts.needs(Need::Page) {
        trunk.arg("--release");
    }
    toolchain::calm(&mut trunk);
    trunk.env("CARGO_TARGET_DIR", folder.join("target"));
    if !reachable() && !has_built(&folder) {
        println!("\nNobody answers where trunk would download its tools.");
        return Ok(false);
    }
    let what = "Trying whether trunk has its tools, or can download them";
    match run_for(what, spans::TRIAL, &mut trunk, FOR_DOWNLOADS) {
        Ok(()) => Ok(true),
        Err(failure) => {
            println!("\n{failure}");
            Ok(false)
        }
    }
}

/// Whether an earlier trial worked: trunk then may need no network.
fn has_built(folder: &Path) -> bool {
    folder.join("dist/index.html").is_file()
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

/// The page of the trial, with what it depends on in the versions of the real one; its tools are of the same versions.
fn write(folder: &Path, facts: &Facts, lock: &Path) -> Result<(), Failure> {
    let bindgen = &facts.bindgen_version;
    let manifest = format!(
        "[package]\nname = \"only_for_tools\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         wasm-bindgen = {{ version = \"={bindgen}\", default-features = false }}\n\n[workspace]\n"
    );
    let settings = format!(
        "[build]\nno_sri = true\n\n[tools]\nwasm_bindgen = \"{bindgen}\"\nwasm_opt = \"version_{BINARYEN}\"\n"
    );
    let source = folder.join("src");
    fs::create_dir_all(&source).map_err(Failure::file("make the folder", &source))?;
    let mut same = true;
    for (name, text) in [
        ("Cargo.toml", manifest.as_str()),
        ("src/main.rs", PROGRAM),
        ("index.html", PAGE),
        ("Trunk.toml", settings.as_str()),
    ] {
        let path = folder.join(name);
        // What stays as it was is not compiled again.
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        same = false;
        fs::write(&path, text).map_err(Failure::file("write", &path))?;
    }
    if !same {
        // cargo takes out of it what is not needed here.
        fs::copy(lock, folder.join("Cargo.lock")).map_err(Failure::file("copy", lock))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    /// The trial would prove nothing with other versions than those of the page.
    #[test]
    fn the_page_asks_for_the_same_wasm_opt() {
        let settings = include_str!("../../Trunk.toml");
        assert!(settings.contains(&format!("wasm_opt = \"version_{}\"", super::BINARYEN)), "{settings}");
        assert!(!settings.contains("wasm_bindgen ="), "it is that of Cargo.lock");
    }
}
