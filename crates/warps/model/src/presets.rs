//! Multiprocessors by compute capability, 2.0 to 9.0, from public tables.
//!
//! Sources: (G) the CUDA C++ Programming Guide's tables of arithmetic throughput and of capabilities;
//! (W) NVIDIA's architecture white papers, for load/store units, which (G) does not count.
//! `docs/presets.md` explains the odd cases.

use super::machine::Units;
use super::unit::PerUnit;

/// One compute capability.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// `cc-3.5`, as scenarios write it.
    pub name: &'static str,
    /// Architecture and a chip of it.
    pub chip: &'static str,
    /// Units of kind L, C, S, D.
    units: [u32; 4],
    /// Warp schedulers, each issuing one warp a cycle here.
    schedulers: u32,
    /// Where the numbers come from.
    pub source: &'static str,
    /// What is odd about it; empty for nothing.
    pub note: &'static str,
}

impl Preset {
    /// The multiprocessor's units.
    pub fn units(&self) -> Units {
        Units {
            warp_size: 32,
            units: PerUnit(self.units),
            latency: PerUnit([1; 4]),
            issue: Some(self.schedulers),
        }
    }

    /// The preset of that name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}

const FERMI: &str = "Fermi white paper; Programming Guide, throughput of 2.x";
const KEPLER: &str = "Kepler GK110/210 white paper; Programming Guide, throughput of 3.x";
const MAXWELL: &str = "GeForce GTX 980 white paper; Programming Guide, throughput of 5.x";
const PASCAL: &str = "Tesla P100 and GeForce GTX 1080 white papers; Programming Guide, throughput of 6.x";
const VOLTA: &str = "Tesla V100 white paper; Programming Guide, throughput of 7.x";
const TURING: &str = "Turing white paper; Programming Guide, throughput of 7.x";
const AMPERE: &str = "A100 and GA102 white papers; Programming Guide, throughput of 8.x";
const ADA: &str = "Ada GPU architecture white paper; Programming Guide, throughput of 8.9";
const HOPPER: &str = "H100 white paper; Programming Guide, throughput of 9.0";

const DUAL: &str =
    "Each scheduler can dispatch two instructions of one warp; counted as one, as the papers do.";
const SPLIT: &str =
    "Double precision runs on the CUDA cores at half rate; modelled as 16 units of their own.";
const SLOW_D: &str = "Few double-precision units: a warp takes many passes through them.";
const DUAL_SLOW_D: &str = "Each scheduler can dispatch two instructions of one warp; counted as one. Few double-precision units: a warp takes many passes through them.";

/// All presets, oldest first.
pub const PRESETS: [Preset; 20] = [
    preset("cc-2.0", "Fermi, GF100", [16, 32, 4, 16], 2, FERMI, SPLIT),
    preset("cc-2.1", "Fermi, GF104", [16, 48, 8, 4], 2, FERMI, DUAL),
    preset("cc-3.0", "Kepler, GK104", [32, 192, 32, 8], 4, KEPLER, DUAL),
    preset("cc-3.2", "Kepler, Jetson TK1", [32, 192, 32, 8], 4, KEPLER, DUAL),
    preset(
        "cc-3.5",
        "Kepler, GK110",
        [32, 192, 32, 64],
        4,
        KEPLER,
        "Six warps' worth of CUDA cores, but four schedulers: the issue limit of 4 rules. The GeForce versions run double precision at an eighth of this.",
    ),
    preset("cc-3.7", "Kepler, GK210", [32, 192, 32, 64], 4, KEPLER, DUAL),
    preset("cc-5.0", "Maxwell, GM107", [32, 128, 32, 4], 4, MAXWELL, DUAL_SLOW_D),
    preset("cc-5.2", "Maxwell, GM204", [32, 128, 32, 4], 4, MAXWELL, DUAL_SLOW_D),
    preset("cc-5.3", "Maxwell, Jetson TX1", [32, 128, 32, 4], 4, MAXWELL, DUAL_SLOW_D),
    preset(
        "cc-6.0",
        "Pascal, GP100",
        [16, 64, 16, 32],
        2,
        PASCAL,
        "Half the size of the other Pascals: two schedulers.",
    ),
    preset("cc-6.1", "Pascal, GP104", [32, 128, 32, 4], 4, PASCAL, DUAL_SLOW_D),
    preset("cc-6.2", "Pascal, Jetson TX2", [32, 128, 32, 4], 4, PASCAL, DUAL_SLOW_D),
    preset(
        "cc-7.0",
        "Volta, GV100",
        [32, 64, 16, 32],
        4,
        VOLTA,
        "Separate integer cores are not counted: C is the 64 single-precision cores.",
    ),
    preset(
        "cc-7.2",
        "Volta, Jetson Xavier",
        [32, 64, 16, 32],
        4,
        VOLTA,
        "Taken as 7.0, with which the Programming Guide lists it.",
    ),
    preset("cc-7.5", "Turing, TU102", [16, 64, 16, 2], 4, TURING, SLOW_D),
    preset(
        "cc-8.0",
        "Ampere, GA100",
        [32, 64, 16, 32],
        4,
        AMPERE,
        "Separate integer cores are not counted: C is the 64 single-precision cores.",
    ),
    preset(
        "cc-8.6",
        "Ampere, GA102",
        [16, 128, 16, 2],
        4,
        AMPERE,
        "Half of the 128 CUDA cores also serve integers; counted as C all the same.",
    ),
    preset(
        "cc-8.7",
        "Ampere, Jetson Orin",
        [16, 128, 16, 2],
        4,
        AMPERE,
        "Taken as 8.6, with which it shares its design.",
    ),
    preset(
        "cc-8.9",
        "Ada Lovelace, AD102",
        [16, 128, 16, 2],
        4,
        ADA,
        "Half of the 128 CUDA cores also serve integers; counted as C all the same.",
    ),
    preset(
        "cc-9.0",
        "Hopper, GH100",
        [32, 128, 16, 64],
        4,
        HOPPER,
        "Half a warp's worth of special function units: two passes.",
    ),
];

const fn preset(
    name: &'static str,
    chip: &'static str,
    units: [u32; 4],
    schedulers: u32,
    source: &'static str,
    note: &'static str,
) -> Preset {
    Preset { name, chip, units, schedulers, source, note }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;

    #[test]
    fn names_are_unique_and_in_order() {
        assert!(PRESETS.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(Preset::named("cc-3.5").is_some() && Preset::named("cc-1.0").is_none());
    }

    #[test]
    fn every_preset_runs_every_kind() -> Result<(), String> {
        for preset in &PRESETS {
            let normalised = preset.units().normalise();
            assert!(normalised.machine.capacity.0.iter().all(|&c| c > 0), "{}", preset.name);
            let kernel = Kernel::parse("LCSD").map_err(|e| e.what)?;
            kernel.repeated(&normalised.repeat).map_err(|e| e.what)?;
            // Repetition and capacity together never promise more than the units there are.
            for (i, &units) in preset.units.iter().enumerate() {
                assert!(
                    normalised.machine.capacity.0[i] * 32 <= units * normalised.repeat.0[i],
                    "{}",
                    preset.name
                );
            }
        }
        Ok(())
    }
}
