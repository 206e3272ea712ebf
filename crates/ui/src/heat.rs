//! How long was waited before a line of a listing, as a band of colour: the hue tells what for, as in the picture, and
//! the strength how long. The colours are in `www/parts.css`.

use kit::timeline::WaitKind;

fn colour(kind: WaitKind) -> &'static str {
    match kind {
        WaitKind::Data => "var(--wait-data)",
        WaitKind::Unit => "var(--wait-unit)",
        WaitKind::Slot => "var(--wait-slot)",
        WaitKind::Free => "var(--wait-free)",
        WaitKind::Done => "var(--wait-done)",
    }
}

/// The style of a cell of the class `heat`: of what was waited for, the most first, and what share that is of the line
/// with the most.
pub fn style(parts: &[(WaitKind, f64)], share: f64) -> String {
    let total: f64 = parts.iter().map(|part| part.1).sum();
    let Some(&(most, _)) = parts.first().filter(|_| total > 0.0) else { return String::new() };
    let (mut stops, mut from) = (String::new(), 0.0);
    for &(kind, amount) in parts {
        let to = from + amount / total * 100.0;
        stops += &format!(", {} {from:.0}% {to:.0}%", colour(kind));
        from = to;
    }
    // Short waits are seen, too.
    let strength = 6.0 + 34.0 * share.clamp(0.0, 1.0).sqrt();
    let wide = 3.0 + 5.0 * share.clamp(0.0, 1.0).sqrt();
    format!(
        "--band: linear-gradient(to bottom{stops}); --wide: {wide:.0}px; --tint: color-mix(in srgb, {} {strength:.0}%, transparent)",
        colour(most)
    )
}
