//! How wide words are, about: fonts are not known here.

use crate::draw::list::{Align, Ink, Mark};

/// About how wide a text is. Rather too wide than too narrow for common fonts.
pub fn width(text: &str, size: f64) -> f64 {
    let share = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 't' | 'f' | 'r' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '×' => 0.95,
        '0'..='9' => 0.64,
        'A'..='Z' => 0.72,
        c if c.is_ascii() => 0.62,
        c if (c as u32) < 0x1100 => 0.72,
        _ => 1.05,
    };
    text.chars().map(share).sum::<f64>() * size
}

/// As much of a text as fits, with an ellipsis where it was cut; nothing where not even one letter fits.
pub fn fitted(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut left = room - width("…", size);
    let kept = text.chars().take_while(|&c| {
        left -= width(c.encode_utf8(&mut [0; 4]), size);
        left >= 0.0
    });
    let kept: String = kept.collect();
    if kept.is_empty() { kept } else { format!("{}…", kept.trim_end()) }
}

/// A text.
pub fn text((x, y): (f64, f64), text: impl Into<String>, ink: Ink, size: f64, align: Align) -> Mark {
    Mark::Text { x, y, text: text.into(), ink, size, align }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_cut() {
        assert_eq!(fitted("Stream 1", 100.0, 12.0), "Stream 1");
        let cut = fitted("A stream with a long name", 60.0, 12.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 60.0, "{cut}");
        assert_eq!(fitted("wide", 5.0, 12.0), "");
    }
}
