//! Numbers and lists written for people.

/// `12345` as `12,345`.
pub fn grouped(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number that need not be whole, with as many decimals as matter: `12.5`, `1,021.28`, `24,010,980`.
pub fn hundredths(value: f64) -> String {
    if value >= 1e15 {
        return format!("{value:.3e}");
    }
    if value >= 1e4 {
        return grouped(value.round() as u128);
    }
    let hundredths = (value.max(0.0) * 100.0).round() as u128;
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => grouped(whole),
        (whole, rest) if rest % 10 == 0 => format!("{}.{}", grouped(whole), rest / 10),
        (whole, rest) => format!("{}.{rest:02}", grouped(whole)),
    }
}

/// `1 thing`, `2 things`.
pub fn counted(n: usize, thing: &str) -> String {
    plural(n, thing, &format!("{thing}s"))
}

/// `1 entry`, `2 entries`.
pub fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(n as u128)) }
}

/// `3`, `3 and 4`, `3, 4 and 5`.
pub fn listed<T: ToString>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    match texts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// `warp 3`, `warps 3 and 4`.
pub fn named(thing: &str, ids: &[u32]) -> String {
    let plural = if ids.len() == 1 { "" } else { "s" };
    format!("{thing}{plural} {}", listed(ids))
}

/// A share of one as a percentage with as many digits as matter: `7 %`, `68.2 %`.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    // What is not nothing is not called so.
    if value > 0.0 && value < 0.05 {
        return "< 0.1 %".to_owned();
    }
    if (value - value.round()).abs() < 0.05 { format!("{value:.0} %") } else { format!("{value:.1} %") }
}

/// Bytes: `48 KiB`, `1.5 KiB`, `100 bytes`.
pub fn bytes(count: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.into_iter().find(|&(unit, _)| count >= unit) {
        Some((unit, name)) if count.is_multiple_of(unit) => {
            format!("{} {name}", grouped((count / unit).into()))
        }
        Some((unit, name)) => format!("{:.1} {name}", count as f64 / unit as f64),
        None => counted(count as usize, "byte"),
    }
}

/// A time with as many digits as matter: `12.4 s`, `350 ms`, `20 µs`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 120.0 => format!("{:.0} min", s / 60.0),
        s if s >= 1.0 => format!("{s:.1} s"),
        s if s >= 0.001 => format!("{:.0} ms", s * 1e3),
        s if s > 0.0 => format!("{:.0} µs", s * 1e6),
        _ => "0 s".to_owned(),
    }
}

/// `10^log10`, to three digits: `2.45 × 10³⁷⁸`.
pub fn scientific(log10: f64) -> String {
    let exponent = log10.floor();
    let mantissa = 10f64.powf(log10 - exponent);
    // 9.996 rounds to 10.0: carry into the exponent.
    let (mantissa, exponent) = if mantissa >= 9.995 { (1.0, exponent + 1.0) } else { (mantissa, exponent) };
    format!("{mantissa:.2} × 10{}", raised(&format!("{exponent:.0}")))
}

/// Digits as superscripts.
fn raised(digits: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| c.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    digits.chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_largest_unit_that_fits() {
        assert_eq!(
            [100, 1, 49_152, 1 << 20, 1_500].map(bytes),
            ["100 bytes", "1 byte", "48 KiB", "1 MiB", "1.5 KiB"]
        );
    }

    #[test]
    fn decimals_that_matter() {
        let said = [2.0, 31.578, 31.5, 12_345.6, 2e15, -1.0].map(hundredths);
        assert_eq!(said, ["2", "31.58", "31.5", "12,346", "2.000e15", "0"]);
    }

    #[test]
    fn numbers_are_grouped_in_threes() {
        assert_eq!(
            [grouped(0), grouped(999), grouped(1000), grouped(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn lists_read_like_speech() {
        assert_eq!(listed(&[1]), "1");
        assert_eq!(listed(&[1, 2, 3]), "1, 2 and 3");
        assert_eq!(named("warp", &[1]), "warp 1");
        assert_eq!(named("warp", &[1, 2]), "warps 1 and 2");
        assert_eq!(counted(1, "cycle"), "1 cycle");
        assert_eq!(counted(1200, "cycle"), "1,200 cycles");
    }

    #[test]
    fn powers_of_ten_carry() {
        assert_eq!(scientific(2.0), "1.00 × 10²");
        assert_eq!(scientific(2.9999), "1.00 × 10³");
        assert_eq!(scientific(378.39), "2.45 × 10³⁷⁸");
    }

    #[test]
    fn times_keep_what_matters() {
        assert_eq!([12.44, 0.35, 0.00002, 0.0].map(duration), ["12.4 s", "350 ms", "20 µs", "0 s"]);
    }

    #[test]
    fn percentages_keep_what_matters() {
        assert_eq!([percent(1.0), percent(0.6818), percent(0.07)], ["100 %", "68.2 %", "7 %"]);
    }
}
