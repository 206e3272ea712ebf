//! From the target of a request to a file in the served folder, and never out of it.

use std::path::{Path, PathBuf};

/// The file for a target such as `/a/b.js?x`; nothing where it would leave the folder or is malformed.
pub(super) fn file(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let path = decode(path.strip_prefix('/')?)?;
    let mut file = folder.to_owned();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if part == "." || part == ".." || part.contains(['\\', '\0', ':']) {
            return None;
        }
        file.push(part);
    }
    if path.is_empty() || path.ends_with('/') {
        file.push("index.html");
    }
    Some(file)
}

/// Whether there is a hash of the content in a file's name, as trunk writes them: `app-0123456789abcdef_bg.wasm`.
pub(super) fn has_hash(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let hash = |part: &str| part.len() == 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.split(['-', '_', '.']).skip(1).any(hash)
}

/// Percent-encoding undone once; what was encoded twice stays a plain name.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            bytes.push(hex(rest.next()?)? * 16 + hex(rest.next()?)?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(target: &str, expected: Option<&str>) {
        assert_eq!(file(Path::new("/d"), target), expected.map(PathBuf::from), "{target}");
    }

    #[test]
    fn plain_targets_name_files() {
        check("/", Some("/d/index.html"));
        check("/index.html", Some("/d/index.html"));
        check("/a/b.js?v=1", Some("/d/a/b.js"));
        check("/a/", Some("/d/a/index.html"));
        check("/a%20b.json", Some("/d/a b.json"));
        check("//a.js", Some("/d/a.js"));
        check("/%C3%A4.json", Some("/d/ä.json"));
        check("/a..b/...c", Some("/d/a..b/...c"));
    }

    #[test]
    fn nothing_outside_the_folder_is_named() {
        for target in [
            "/..",
            "/../secret",
            "/a/../../secret",
            "/%2e%2e/secret",
            "/%2E%2e%2fsecret",
            "/a/..%2f..%2fsecret",
            "/..%5csecret",
            "/a\\..\\b",
            "/c:/secret",
            "/a%00.html",
        ] {
            check(target, None);
        }
        check("/%252e%252e/x", Some("/d/%2e%2e/x"));
    }

    #[test]
    fn names_with_a_hash_are_told_from_others() {
        for name in ["app-0123456789abcdef.js", "app-0123456789abcdef_bg.wasm", "style-97fd00e1a5bb0a3c.css"]
        {
            assert!(has_hash(&Path::new("/d").join(name)), "{name}");
        }
        for name in
            ["0123456789abcdef.js", "index.html", "worker_bg.wasm", "icon-192.png", "service-worker.js"]
        {
            assert!(!has_hash(&Path::new("/d-0123456789abcdef").join(name)), "{name}");
        }
    }

    #[test]
    fn malformed_targets_name_nothing() {
        for target in ["", "index.html", "http://host/", "/%", "/%2", "/%zz", "/%ff"] {
            check(target, None);
        }
    }
}
