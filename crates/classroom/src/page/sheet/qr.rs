//! A link as a QR code, to be scanned from paper.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

/// How wide a module is on paper, in millimetres, and how wide the code may become.
const MODULE: f64 = 0.9;
const WIDEST: f64 = 46.0;
/// The most modules on a side: with more of them one is smaller than 0.4 mm, which cameras read badly.
const MOST: i32 = 101;
/// What has to stay free around a code, in modules.
const QUIET: i32 = 4;

/// The code of a link, as SVG; none where it would be too dense to be read from paper.
pub fn code(link: &str) -> Option<String> {
    let code = QrCode::encode_text(link, QrCodeEcc::Low).ok().filter(|code| code.size() <= MOST)?;
    let all = code.size() + 2 * QUIET;
    let wide = (MODULE * f64::from(all)).min(WIDEST);
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let end = (x..code.size()).find(|&x| !code.get_module(x, y)).unwrap_or(code.size());
            let dark = end - x;
            if dark > 0 {
                let _ = write!(path, "M{} {}h{dark}v1h-{dark}z", x + QUIET, y + QUIET);
            }
            x += dark.max(1);
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.1}mm\" height=\"{wide:.1}mm\" viewBox=\"0 0 {all} {all}\" shape-rendering=\"crispEdges\"><path fill=\"#ffffff\" d=\"M0 0h{all}v{all}h-{all}z\"/><path fill=\"#000000\" d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_links_have_a_code_and_long_ones_none() {
        let short = code("https://example.org/warpspan/#example=figure-2&hide=1").unwrap_or_default();
        assert!(short.starts_with("<svg") && short.contains("h7v1h-7z"), "the marks in its corners: {short}");
        assert!(code(&format!("https://example.org/#v=1&s={}", "a".repeat(600))).is_some());
        assert_eq!(code(&"a".repeat(2_000)), None);
        assert_eq!(code(&"a".repeat(20_000)), None);
    }
}
