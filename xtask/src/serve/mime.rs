//! Media types by the end of a file's name.

use std::path::Path;

/// The value for `Content-Type`.
pub(super) fn of(path: &Path) -> &'static str {
    let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    match end.as_deref().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "txt" | "md" | "csv" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[test]
fn what_the_page_is_made_of_has_its_type() {
    for (name, start) in [
        ("index.html", "text/html"),
        ("app-1f.js", "text/javascript"),
        ("style.CSS", "text/css"),
        ("app_bg.wasm", "application/wasm"),
        ("icon.svg", "image/svg+xml"),
        ("icon.png", "image/png"),
        ("scenario.json", "application/json"),
        ("app.webmanifest", "application/manifest+json"),
        ("trace.pftrace", "application/octet-stream"),
        ("LICENSE", "application/octet-stream"),
    ] {
        assert!(of(Path::new(name)).starts_with(start), "{name}");
    }
}
