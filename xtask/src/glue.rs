//! Makes the scripts that wasm-bindgen writes smaller: their comments and indentation are for people. trunk would do so
//! as well, but the parser it has cannot read them.

use std::fs;
use std::path::Path;

use crate::{Failure, offline};

/// Strips every script that lies beside a program of its name.
pub(crate) fn strip(dist: &Path) -> Result<(), Failure> {
    for name in offline::files(dist)?.into_keys() {
        let Some(program) = name.strip_suffix(".js").map(|stem| dist.join(format!("{stem}_bg.wasm"))) else {
            continue;
        };
        if program.is_file() {
            let path = dist.join(&name);
            let text = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
            fs::write(&path, stripped(&text)).map_err(Failure::file("write", &path))?;
        }
    }
    Ok(())
}

/// Without lines that are comments, and without what stands before the first character of a line. A text that goes on
/// over lines would lose some of it, so where there may be one, everything stays as it is.
fn stripped(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut within = false;
    for line in text.lines().map(str::trim) {
        let comment = within || line.starts_with("/*") || line.starts_with("//");
        if within || line.starts_with("/*") {
            if line.find("*/").is_some_and(|at| at + 2 < line.len()) {
                return text.to_owned();
            }
            within = !line.ends_with("*/");
        }
        if comment || line.is_empty() {
            continue;
        }
        if line.matches('`').count() % 2 == 1 {
            return text.to_owned();
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go() {
        let text = "/**\n * What it does.\n * @param {number} x\n */\nexport function f(x) {\n    // twice\n    return `${x}//` + \"/* no comment */\"; // stays\n}\n\n/* one line */\nf(1);\n";
        let wanted = "export function f(x) {\nreturn `${x}//` + \"/* no comment */\"; // stays\n}\nf(1);\n";
        assert_eq!(stripped(text), wanted);
        assert_eq!(stripped(wanted), wanted);
    }

    #[test]
    fn what_may_be_a_text_over_lines_is_left_alone() {
        for text in ["a(`\n  two lines\n`);\n", "  /* a */ b();\n"] {
            assert_eq!(stripped(text), text);
        }
    }
}
