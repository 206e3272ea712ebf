//! Listings to measure: the collection, or a folder of one's own.

use std::path::Path;

use code_read::{Architecture, Asked, Listing, Made, Trips, launch, read};
use warpspan_code_read as code_read;

/// The listings of a folder by name, `.sass` as it is and `.sass.gz` as `make.py` packs it; the collection without one.
pub fn listings(folder: Option<&str>) -> Vec<(String, Listing)> {
    let folder = folder.unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/sass/collection"));
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.sort();
    let text = |path: &Path| -> Option<String> {
        let bytes = std::fs::read(path).ok()?;
        if path.extension()? == "sass" {
            return String::from_utf8(bytes).ok();
        }
        let plain = bytes.get(10..bytes.len().checked_sub(8)?)?;
        String::from_utf8(miniz_oxide::inflate::decompress_to_vec(plain).ok()?).ok()
    };
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().replace(".sass", "");
    files.iter().filter_map(|path| Some((name(path), read(&text(path)?).ok()?))).collect()
}

/// A function with so many warps a partition; loops that the text does not decide go round so often.
pub fn made(listing: &Listing, function: usize, warps: usize, trips: u32) -> Option<Made> {
    let own = &listing.functions[function];
    let architecture = own.architecture.and_then(Architecture::of);
    let partitions = architecture.map_or(4, |own| own.partitions as usize);
    let asked = Asked {
        function: Some(own.name.clone()),
        warps: warps * partitions,
        trips: Trips { all: Some(trips), ..Trips::default() },
        ..Asked::default()
    };
    launch(listing, &asked).ok()
}
