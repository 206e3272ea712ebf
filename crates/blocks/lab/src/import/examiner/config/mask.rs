//! `sm_mask`: which multiprocessors a kernel may not use, in hexadecimal digits.
//!
//! A set bit disables a TPC, which is one multiprocessor or several that stand together; `~` in front inverts all
//! bits first, also those that are not written.

use serde_json::Value;

use super::Context;
use base::problem::quoted;
use blocks::Mask;
use blocks::device::MOST_SMS;
use kit::import::reader::shown;

/// Disabled TPCs: the bits written, and what holds for all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Disabled {
    bits: u128,
    rest: bool,
}

impl Disabled {
    fn has(self, tpc: u32) -> bool {
        if tpc < 128 { self.bits >> tpc & 1 == 1 } else { self.rest }
    }
}

const EXPECTED: &str = "up to 32 hexadecimal digits in quotes, with ~ in front to invert them";

/// The mask that a value means on the device.
pub(super) fn read(cx: &mut Context<'_>, path: &str, value: &Value) -> Option<Mask> {
    let Some(disabled) = disabled(value) else {
        let what = value.as_str().map_or_else(|| shown(value), quoted);
        cx.reader.problem(path, what, EXPECTED);
        return None;
    };
    let per_tpc = cx.device.sms_per_tpc.max(1);
    let enabled = |&sm: &u16| !disabled.has(u32::from(sm / per_tpc));
    let mask = (0..MOST_SMS).filter(enabled).fold(Mask::NONE, |mask, sm| mask.with(sm, true));
    if mask.below(cx.device.sms).next().is_none() {
        let what = format!("leaves none of the {} multiprocessors of {}", cx.device.sms, cx.device.name);
        cx.reader.problem(path, what, "at least one that is not disabled, or a larger device");
        return None;
    }
    Some(mask)
}

fn disabled(value: &Value) -> Option<Disabled> {
    match value {
        Value::Number(number) => number.as_u64().map(|bits| Disabled { bits: bits.into(), rest: false }),
        Value::String(text) => of_text(text),
        // Two words of 64 bits, the lower first.
        Value::Array(words) if (1..=2).contains(&words.len()) => {
            let word = |i: usize| words.get(i).map_or(Some(0), |word| Some(disabled(word)?.bits));
            let (low, high) = (u64::try_from(word(0)?).ok()?, u64::try_from(word(1)?).ok()?);
            Some(Disabled { bits: u128::from(high) << 64 | u128::from(low), rest: false })
        }
        _ => None,
    }
}

fn of_text(text: &str) -> Option<Disabled> {
    let text = text.trim();
    let (text, inverted) = text.strip_prefix('~').map_or((text, false), |text| (text.trim_start(), true));
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let bits = if digits.is_empty() { 0 } else { u128::from_str_radix(digits, 16).ok()? };
    Some(if inverted { Disabled { bits: !bits, rest: true } } else { Disabled { bits, rest: false } })
}

/// How many TPCs a device needs so that every mask of a configuration leaves one of them; 1 where there is none.
pub fn tpcs(configuration: &Value) -> u32 {
    match configuration {
        Value::Object(map) => map.iter().map(|(key, value)| needed(key, value)).max().unwrap_or(1),
        Value::Array(items) => items.iter().map(tpcs).max().unwrap_or(1),
        _ => 1,
    }
}

fn needed(key: &str, value: &Value) -> u32 {
    if !key.eq_ignore_ascii_case("sm_mask") {
        return tpcs(value);
    }
    let Some(disabled) = disabled(value) else { return 1 };
    (0..128).find(|&tpc| !disabled.has(tpc)).map_or(1, |tpc| tpc + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<Vec<u32>> {
        let disabled = disabled(&Value::from(text))?;
        Some((0..6).chain(126..130).filter(|&tpc| !disabled.has(tpc)).collect())
    }

    #[test]
    fn bits_disable_and_a_tilde_inverts() {
        assert_eq!(first("0x5"), Some(vec![1, 3, 4, 5, 126, 127, 128, 129]));
        assert_eq!(first("~0x5"), Some(vec![0, 2]));
        assert_eq!(first("~ A"), Some(vec![1, 3]));
        assert_eq!(first(&"f".repeat(32)), Some(vec![128, 129]));
        assert_eq!(first(&format!("~0{}", "f".repeat(32))), Some(vec![0, 1, 2, 3, 4, 5, 126, 127]));
        for wrong in ["", "~", "0x", "xyz", "-1", "+1", &"f".repeat(33)] {
            assert_eq!(first(wrong), None, "{wrong}");
        }
        assert_eq!(
            disabled(&serde_json::json!([3, "0x1"])),
            Some(Disabled { bits: 1 << 64 | 3, rest: false })
        );
        assert_eq!(disabled(&serde_json::json!(3)), Some(Disabled { bits: 3, rest: false }));
    }

    #[test]
    fn how_large_a_device_masks_need() {
        let tree = serde_json::json!({"benchmarks": [{"SM_mask": "~0xC"}, {"additional_info": [{"sm_mask": "0x1f"}]}]});
        assert_eq!(tpcs(&tree), 6);
        assert_eq!(tpcs(&serde_json::json!({"benchmarks": []})), 1);
    }
}
