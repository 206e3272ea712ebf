//! `index.html` taken apart for trunk: pages of programs alone, and the page without them.
//!
//! Each `link` that is for trunk stands in a line of its own. The parts lie three folders below the sources, and name
//! them from there.

use crate::Failure;

/// From a half back to the sources.
const UP: &str = "../../../";
/// What trunk writes in the place of the program that the page begins with: the pattern in `Trunk.toml`.
const SCRIPT: (&str, &str) = ("<script>window.warpspanProgram", "</script>");
/// Asks each second which build is served. A page out of sight does so when it is seen again.
const RELOAD: &str = "<script>
    (async () => {
      const built = async () => (await fetch(\"built.txt\", { cache: \"no-store\" })).text();
      const first = await built();
      setInterval(async () => {
        // Nobody answers while the server is away.
        if (!document.hidden && (await built().catch(() => first)) !== first) location.reload();
      }, 1000);
    })();
  </script>
";

/// A page of just the program that the page begins with.
pub(super) fn first(source: &str) -> Result<String, Failure> {
    let link =
        source.lines().find(|line| is_first(line)).ok_or_else(|| unlike("a program that it begins with"))?;
    Ok(page_of(&[link]))
}

/// A page of all programs.
pub(super) fn programs(source: &str) -> String {
    page_of(&source.lines().filter(|line| is_program(line)).collect::<Vec<_>>())
}

/// The page without programs, around those of a built page: it names them, and loads itself anew after each build.
pub(super) fn rest(source: &str, built: &str) -> Result<String, Failure> {
    let script = script(built).ok_or_else(|| unlike("a place for the script that names its program"))?;
    let mut page = String::with_capacity(source.len());
    for line in source.lines() {
        if is_first(line) {
            page.push_str(script);
        } else if is_program(line) {
            continue;
        } else if is_for_trunk(line) {
            page.push_str(&line.replace("href=\"", &format!("href=\"{UP}")));
        } else if line.trim() == "</body>" {
            page.push_str(RELOAD);
            page.push_str(line);
        } else {
            page.push_str(line);
        }
        page.push('\n');
    }
    Ok(page)
}

fn page_of(links: &[&str]) -> String {
    let manifest = format!("<link href=\"{UP}Cargo.toml\" ");
    let links: Vec<String> = links.iter().map(|link| link.replace("<link ", &manifest)).collect();
    format!("<!doctype html>\n<html>\n<head>\n{}\n</head>\n<body></body>\n</html>\n", links.join("\n"))
}

fn script(built: &str) -> Option<&str> {
    let from = built.find(SCRIPT.0)?;
    let to = from + built[from..].find(SCRIPT.1)? + SCRIPT.1.len();
    Some(&built[from..to])
}

fn is_for_trunk(line: &str) -> bool {
    line.trim_start().starts_with("<link data-trunk ")
}

fn is_program(line: &str) -> bool {
    is_for_trunk(line) && line.contains(" rel=\"rust\"")
}

/// Whether it is the program of the page itself: workers and parts are told apart from it.
fn is_first(line: &str) -> bool {
    is_program(line) && !line.contains(" data-type=")
}

fn unlike(what: &str) -> Failure {
    Failure::person(
        format!("the page has no {what}"),
        "keep each `<link data-trunk` of index.html in a line of its own, as xtask/src/draft/halves.rs reads them",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = include_str!("../../../index.html");

    #[test]
    fn the_first_program_is_one_of_all() {
        let first = first(SOURCE).expect("there is one");
        assert_eq!(first.matches("rel=\"rust\"").count(), 1);
        assert!(
            first.contains("<link href=\"../../../Cargo.toml\" data-trunk rel=\"rust\" data-bin=\"app\""),
            "{first}"
        );
        let all = programs(SOURCE);
        assert_eq!(all.matches("rel=\"rust\"").count(), SOURCE.matches("rel=\"rust\"").count());
        assert!(all.contains("data-bin=\"app\"") && all.contains("data-bin=\"worker\""), "{all}");
    }

    #[test]
    fn the_rest_names_the_program_and_has_every_other_file() {
        let script = "<script>window.warpspanProgram = { script: \"./app-1f.js\" };</script>";
        let rest = rest(SOURCE, &format!("<html><head>{script}</head></html>")).expect("a rest");
        assert!(!rest.contains("rel=\"rust\""), "{rest}");
        assert!(rest.find(script) < rest.find("<body>"), "before the scripts that read it");
        assert!(
            rest.contains("<link data-trunk rel=\"inline\" type=\"css\" href=\"../../../www/style.css\">"),
            "{rest}"
        );
        assert!(rest.contains("<link rel=\"manifest\" href=\"manifest.webmanifest\">"), "not for trunk");
        let links = |text: &str| text.matches("<link data-trunk").count();
        assert_eq!(links(&rest) + programs(SOURCE).matches("rel=\"rust\"").count(), links(SOURCE));
        assert_eq!(rest.matches("built.txt").count(), 1);
    }

    #[test]
    fn a_page_of_another_form_is_refused() {
        assert!(first("<p>page").is_err());
        assert!(rest(SOURCE, "<p>page").is_err());
    }
}
