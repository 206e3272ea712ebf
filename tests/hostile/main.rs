//! Hostile names and texts, in everything that is read and everything that is written: no problem is more than one short
//! line, no text more than the page can show, no export runs or becomes anything but what it is.

#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/mod.rs"]
mod common;
mod exports;
mod limits;
mod problems;

/// Texts that end a line, an attribute, an element or a text; that steer a terminal, or turn the order of letters
/// around; that a spreadsheet runs; and two that are long.
fn hostile() -> Vec<String> {
    let mut all: Vec<String> = [
        "a\nb\r\nc\td\u{0}",
        "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m",
        "cod\u{202e}cba\u{2066}x\u{2069}\u{2028}y\u{85}",
        "\"></title></svg></iframe><script>alert(1)</script><img src=x onerror=\"alert(1)\">",
        "' onload='alert(1)` ]]> <!-- &lt; &#x3c;",
        "=HYPERLINK(\"http://example.org\",\"x\")",
        "@SUM(1;2)",
        "\\\",\"evil\":1}{",
    ]
    .map(str::to_owned)
    .into();
    // As long as a name may be, and far longer.
    all.push("m".repeat(3_900));
    all.push("n\n".repeat(7_500));
    all
}
