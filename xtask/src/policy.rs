//! Writes into the built page what it may load, run and talk to: its own files, its own scripts, its own origin.
//!
//! It is done last, over the text that browsers get: the policy names each script within the page by its SHA-256, and
//! trunk has written and shortened some of them. Pages under `trunk serve` have none.
//!
//! Styles within the page are allowed, as its parts bring their own and set places and colours; nothing that a style
//! could name is loaded from elsewhere; hatches are small pictures within the style sheets. Workers take no policy from a page, only from the server (`docs/trust.md`).

use std::fs;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use crate::Failure;

/// All but the scripts.
const RULES: &str = "style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";
const NAME: &str = "Content-Security-Policy";
/// What the policy is put behind: browsers look for the encoding in the first kilobyte.
const BEFORE: &str = "<meta charset";

/// Completes `index.html`.
pub(crate) fn write(dist: &Path) -> Result<(), Failure> {
    let path = dist.join("index.html");
    let text = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
    let text = with_policy(&text).ok_or_else(|| {
        Failure::person(
            format!("{} has no place for a policy, or a script without an end", path.display()),
            "let its head begin with <meta charset=\"utf-8\">",
        )
    })?;
    fs::write(&path, text).map_err(Failure::file("write", &path))
}

/// The page with its policy; an older one goes. None where there is no place for it.
fn with_policy(page: &str) -> Option<String> {
    let page = &without_policy(page);
    let hashes: Vec<String> = scripts(page)?.into_iter().map(hash).collect();
    let start = page.find(BEFORE)?;
    let place = start + page[start..].find('>')? + 1;
    let policy =
        format!("default-src 'self'; script-src 'self' 'wasm-unsafe-eval' {}; {RULES}", hashes.join(" "));
    let (before, after) = page.split_at(place);
    Some(format!("{before}<meta http-equiv=\"{NAME}\" content=\"{policy}\">{after}"))
}

fn without_policy(page: &str) -> String {
    let start = format!("<meta http-equiv=\"{NAME}\"");
    match page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once('>')?.1))) {
        Some((before, after)) => format!("{before}{after}"),
        None => page.to_owned(),
    }
}

/// The texts of all scripts within a page; none where one has no end.
fn scripts(page: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("<script") {
        let (tag, after) = after.split_once('>')?;
        let (text, after) = after.split_once("</script>")?;
        if !tag.split_whitespace().any(|part| part.starts_with("src=")) {
            found.push(text);
        }
        rest = after;
    }
    Some(found)
}

fn hash(script: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::tests::Folder;

    const PAGE: &str = "<!doctype html><html><head><meta charset=utf-8><title>x</title><script>alert(1)</script>\
        <script src=a.js></script></head><body><script type=\"module\">\n  start();\n</script></body></html>";

    #[test]
    fn every_script_within_the_page_is_named_by_what_it_is() {
        let page = with_policy(PAGE).expect("a place");
        let (before, after) = page.split_once("<meta http-equiv=").expect("a policy");
        assert_eq!(before, "<!doctype html><html><head><meta charset=utf-8>");
        let (policy, rest) = after.split_once('>').expect("it ends");
        assert_eq!(format!("{before}{rest}"), PAGE, "nothing else changes");
        // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
        assert!(policy.contains("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"), "{policy}");
        assert!(policy.contains(&hash("\n  start();\n")), "{policy}");
        assert_eq!(policy.matches("sha256-").count(), 2, "{policy}");
        for rule in ["default-src 'self';", "connect-src 'self';", "object-src 'none';", "base-uri 'none';"] {
            assert!(policy.contains(rule), "{rule} in {policy}");
        }
        for loose in [" *", "http:", "https:", "blob:", "'unsafe-eval'"] {
            let rules = policy.split_once("content=").map_or("", |(_, rules)| rules);
            assert!(!rules.contains(loose), "{loose} in {policy}");
        }
        assert_eq!(policy.matches("data:").count(), 1, "{policy}");
        let scripts = policy.split(';').find(|rule| rule.contains("script-src")).expect("a rule");
        assert!(!scripts.contains("unsafe-inline"), "{scripts}");
    }

    #[test]
    fn a_second_time_changes_nothing() {
        let once = with_policy(PAGE).expect("a place");
        assert_eq!(with_policy(&once).as_deref(), Some(once.as_str()));
    }

    #[test]
    fn a_page_without_a_place_is_refused() {
        for page in ["", "<p>page", "<meta charset=utf-8><script>alert(1)"] {
            assert_eq!(with_policy(page), None, "{page}");
        }
        let folder = Folder::new("policy", &[("dist/index.html", "<p>page")]);
        let failure = write(&folder.path.join("dist")).expect_err("no place");
        assert!(failure.to_string().contains("meta charset"), "{failure}");
    }

    /// The page as it is written by hand has a place, and its scripts have ends.
    #[test]
    fn the_real_page_has_a_place() {
        let page = with_policy(include_str!("../../index.html")).expect("a place");
        assert_eq!(page.matches("sha256-").count(), 2);
        assert!(page.find("Content-Security-Policy").is_some_and(|at| at < 1024));
    }
}
