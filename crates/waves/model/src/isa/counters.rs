//! The counters of work under way: which instruction raises which, and what a wait asks of them.
//!
//! gfx9: `vmcnt` counts loads and stores, in order; `lgkmcnt` LDS and messages in order, and scalar loads out of order;
//! flat instructions count in both. gfx10 and 11 count stores in `vscnt`. gfx12 has a counter for each: `loadcnt`,
//! `storecnt`, `samplecnt`, `bvhcnt`, `dscnt`, `kmcnt`. A counter that a wait does not name is not waited for.

use super::{Class, Generation};

/// A counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counter {
    /// `vmcnt`, `loadcnt`: loads; on gfx9 stores too.
    Vector,
    /// `vscnt`, `storecnt`: stores.
    Store,
    /// `lgkmcnt`, `dscnt`: LDS; before gfx12 scalar loads and messages too.
    Local,
    /// `kmcnt`: scalar loads and messages.
    Scalar,
    /// `samplecnt`.
    Sample,
    /// `bvhcnt`.
    Ray,
    /// `expcnt`.
    Export,
}

impl Counter {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Vector, Self::Store, Self::Local, Self::Scalar, Self::Sample, Self::Ray, Self::Export];
}

/// Counters that an instruction raises.
pub(super) fn raised(class: Class, generation: Generation) -> Vec<Counter> {
    let stores = if generation == Generation::Gfx9 { Counter::Vector } else { Counter::Store };
    let own = generation == Generation::Gfx12;
    match class {
        Class::Load => vec![Counter::Vector],
        Class::Store => vec![stores],
        Class::FlatLoad => vec![Counter::Vector, Counter::Local],
        Class::FlatStore => vec![stores, Counter::Local],
        Class::Sample => vec![if own { Counter::Sample } else { Counter::Vector }],
        Class::Ray => vec![if own { Counter::Ray } else { Counter::Vector }],
        Class::Lds => vec![Counter::Local],
        Class::ScalarLoad | Class::Message => vec![if own { Counter::Scalar } else { Counter::Local }],
        _ => Vec::new(),
    }
}

/// What a wait asks: counters with the values that end it.
pub fn waits(name: &str, rest: &str, generation: Generation) -> Vec<(Counter, u32)> {
    match name {
        "s_waitcnt" => plain(rest, generation),
        "s_waitcnt_vmcnt" => one(Counter::Vector, rest),
        "s_waitcnt_vscnt" => one(Counter::Store, rest),
        "s_waitcnt_lgkmcnt" => one(Counter::Local, rest),
        "s_waitcnt_expcnt" => one(Counter::Export, rest),
        "s_wait_loadcnt" => one(Counter::Vector, rest),
        "s_wait_storecnt" => one(Counter::Store, rest),
        "s_wait_samplecnt" => one(Counter::Sample, rest),
        "s_wait_bvhcnt" => one(Counter::Ray, rest),
        "s_wait_dscnt" => one(Counter::Local, rest),
        "s_wait_kmcnt" => one(Counter::Scalar, rest),
        "s_wait_expcnt" => one(Counter::Export, rest),
        "s_wait_loadcnt_dscnt" => two(Counter::Vector, rest),
        "s_wait_storecnt_dscnt" => two(Counter::Store, rest),
        "s_wait_idle" => Counter::ALL.into_iter().map(|counter| (counter, 0)).collect(),
        _ => Vec::new(),
    }
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())
}

/// The number that stands last; before it a register may stand.
fn last(rest: &str) -> Option<u32> {
    number(rest.rsplit(',').next().unwrap_or_default())
}

fn one(counter: Counter, rest: &str) -> Vec<(Counter, u32)> {
    last(rest).map(|value| (counter, value)).into_iter().collect()
}

/// The combined forms of gfx12: the first counter above, that of LDS below.
fn two(counter: Counter, rest: &str) -> Vec<(Counter, u32)> {
    let split = |value: u32| vec![(counter, value >> 8 & 0x3f), (Counter::Local, value & 0x3f)];
    last(rest).map(split).unwrap_or_default()
}

/// `vmcnt(3) lgkmcnt(0)`, with `&` between them or without; or the bare number.
fn plain(rest: &str, generation: Generation) -> Vec<(Counter, u32)> {
    if let Some(value) = number(rest) {
        return packed(value, generation);
    }
    let named = rest.split(')').filter_map(|part| {
        let (name, value) = part.split_once('(')?;
        let counter = match name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '&' | ',')) {
            "vmcnt" => Counter::Vector,
            "lgkmcnt" => Counter::Local,
            "vscnt" => Counter::Store,
            "expcnt" => Counter::Export,
            _ => return None,
        };
        Some((counter, number(value)?))
    });
    named.collect()
}

/// The bare number of `s_waitcnt`; a counter at its largest value is not waited for.
fn packed(value: u32, generation: Generation) -> Vec<(Counter, u32)> {
    let bits = |from: u32, count: u32| value >> from & ((1 << count) - 1);
    let (vector, most_vector, local, most_local, export) = match generation {
        Generation::Gfx11 | Generation::Gfx12 => (bits(10, 6), 63, bits(4, 6), 63, bits(0, 3)),
        Generation::Gfx10 => (bits(0, 4) | bits(14, 2) << 4, 63, bits(8, 6), 63, bits(4, 3)),
        Generation::Gfx9 => (bits(0, 4) | bits(14, 2) << 4, 63, bits(8, 4), 15, bits(4, 3)),
    };
    let all = [
        (Counter::Vector, vector, most_vector),
        (Counter::Local, local, most_local),
        (Counter::Export, export, 7),
    ];
    all.into_iter()
        .filter(|(_, value, most)| value < most)
        .map(|(counter, value, _)| (counter, value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Counter::{Export, Local, Scalar, Store, Vector};

    fn check(text: &str, generation: Generation, expected: &[(Counter, u32)]) {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        assert_eq!(waits(name, rest, generation), expected, "{text}");
    }

    #[test]
    fn waits_are_read() {
        use Generation::{Gfx9, Gfx10, Gfx11, Gfx12};
        check("s_waitcnt vmcnt(3) lgkmcnt(0)", Gfx9, &[(Vector, 3), (Local, 0)]);
        check("s_waitcnt vmcnt(3) & lgkmcnt(1)", Gfx10, &[(Vector, 3), (Local, 1)]);
        check("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", Gfx9, &[(Vector, 0), (Export, 0), (Local, 0)]);
        check("s_waitcnt 0xc07f", Gfx9, &[(Local, 0)]);
        check("s_waitcnt 0x3f70", Gfx10, &[(Vector, 0)]);
        check("s_waitcnt 0xfc07", Gfx11, &[(Local, 0)]);
        check("s_waitcnt_vscnt null, 0x0", Gfx10, &[(Store, 0)]);
        check("s_wait_loadcnt 0x2", Gfx12, &[(Vector, 2)]);
        check("s_wait_loadcnt_dscnt 0x102", Gfx12, &[(Vector, 1), (Local, 2)]);
        check("s_wait_storecnt_dscnt 0x3f00", Gfx12, &[(Store, 63), (Local, 0)]);
        check("s_wait_kmcnt 0x0", Gfx12, &[(Scalar, 0)]);
        check("s_waitcnt nonsense", Gfx9, &[]);
        check("s_nop 0", Gfx9, &[]);
    }
}
