//! HTML that shows a scenario within another page, for others to paste into theirs.
//!
//! Whoever made the scenario chose its title and the names in its link, and is not whoever pastes the code: every
//! attribute is escaped, so that nothing in them ends an attribute, begins a tag or is taken for a reference.

/// The frame for a link, the part after `#`, to the page at an address.
pub fn frame(page: &str, fragment: &str, title: &str) -> String {
    format!(
        "<iframe src=\"{}#{}\" title=\"Warpspan: {}\" width=\"100%\" height=\"700\" style=\"border: 0\" loading=\"lazy\"></iframe>",
        attribute(page),
        attribute(fragment),
        attribute(title)
    )
}

/// A text as the value of an attribute in quotation marks of either kind. Line breaks and other control characters
/// become blanks: HTML forbids most of them, written as references too.
fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_frame_is_one_element() {
        let code = frame("https://example.org/warpspan/", "v=1&s=abc&embed=1&c=00000000", "Four warps");
        expect![[r#"<iframe src="https://example.org/warpspan/#v=1&amp;s=abc&amp;embed=1&amp;c=00000000" title="Warpspan: Four warps" width="100%" height="700" style="border: 0" loading="lazy"></iframe>"#]].assert_eq(&code);
    }

    #[test]
    fn nothing_ends_an_attribute_or_begins_a_tag() {
        let hostile = [
            "\"></iframe><img src=x onerror=\"alert(1)\">",
            "' onload='alert(1)' x='",
            "`onload=alert(1)",
            "&quot;&#34;&lt;",
            "</iframe>",
            "a\u{0}\n\r\tb",
        ];
        for text in hostile {
            let code = frame(text, text, text);
            assert_eq!(code.matches(['<', '>']).count(), 4, "{code}");
            // Five attributes, each between two quotation marks, and no others.
            assert_eq!(code.matches('"').count(), 12, "{code}");
            assert_eq!(code.matches(['\'', '`', '\n', '\r', '\u{0}']).count(), 0, "{code}");
            for (before, _) in code.match_indices('&') {
                let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#96;"];
                assert!(known.iter().any(|name| code[before..].starts_with(name)), "{code}");
            }
        }
    }
}
