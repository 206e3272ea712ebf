//! Percent-encoding of what stands in a link (RFC 3986, section 2.1), over UTF-8.
//!
//! What is written unencoded is what no browser, chat program or mark-up changes on its way: letters, digits and a few
//! marks. Decoding never fails on a `%` that begins no encoding: it stands for itself.

/// Marks that are written as they are.
const PLAIN: &[u8] = b"-._~:/,;@";

/// Which encodings stay as they are when a text is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// None: everything is decoded.
    Nothing,
    /// Those of characters that browsers leave as they are in the part after `#`; whoever wrote those meant them.
    WhatBrowsersLeave,
}

impl Kept {
    fn decodes(self, byte: u8) -> bool {
        // The fragment percent-encode set of the URL standard.
        self == Self::Nothing || !byte.is_ascii_graphic() || b"\"<>`".contains(&byte)
    }
}

/// A text percent-encoded; none where it is the same without.
pub(super) fn encoded(text: &str) -> Option<String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || PLAIN.contains(&byte);
    if text.bytes().all(plain) {
        return None;
    }
    let mut out = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    Some(out)
}

/// A text without its percent-encoding; none where that is no UTF-8.
pub(super) fn decoded(text: &str, kept: Kept) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let meant = (byte == b'%').then(|| bytes.get(at + 1..at + 3)).flatten().and_then(of_digits);
        match meant.filter(|&byte| kept.decodes(byte)) {
            Some(meant) => {
                out.push(meant);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

fn of_digits(digits: &[u8]) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    match *digits {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_values_stay_as_they_are() {
        for text in ["", "2:5", "kernel:edges", "units", "lessons/my.json", "a-b_c.d~e,f;g@h"] {
            assert_eq!(encoded(text), None, "{text}");
        }
    }

    #[test]
    fn everything_else_is_encoded_byte_by_byte() {
        assert_eq!(encoded("a b").as_deref(), Some("a%20b"));
        assert_eq!(encoded("\"><&%#").as_deref(), Some("%22%3E%3C%26%25%23"));
        assert_eq!(encoded("ü").as_deref(), Some("%C3%BC"));
    }

    #[test]
    fn a_percent_sign_that_begins_nothing_stands_for_itself() {
        for text in ["50%", "%", "%4", "%zz", "100%%", "%2"] {
            assert_eq!(decoded(text, Kept::Nothing).as_deref(), Some(text));
        }
        assert_eq!(decoded("%%20", Kept::Nothing).as_deref(), Some("% "));
        assert_eq!(decoded("%C3", Kept::Nothing), None, "half a character");
    }

    #[test]
    fn what_browsers_leave_may_be_kept() {
        assert_eq!(decoded("a%41%20%22%C3%BC", Kept::WhatBrowsersLeave).as_deref(), Some("a%41 \"ü"));
    }
}
