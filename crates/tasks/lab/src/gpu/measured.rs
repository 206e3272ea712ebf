//! What was measured on a GPU, or why nothing was.

use serde::{Deserialize, Serialize};

use super::tiling::TooMuch;
use base::people;

/// The two ways to fill a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kernel {
    /// Pairs are read from global memory.
    Global,
    /// They are brought into the memory of the workgroup first.
    Shared,
}

impl Kernel {
    /// Both of them.
    pub const BOTH: [Self; 2] = [Self::Global, Self::Shared];

    /// How people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "without workgroup memory",
            Self::Shared => "with workgroup memory",
        }
    }
}

/// How long one of them takes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Threads of the workgroups that were fastest.
    pub size: u32,
    /// Milliseconds for the whole table with those: the best of three.
    pub ms: f64,
    /// Milliseconds for a part of the table, for every size of workgroups that was tried.
    pub tried: Vec<(u32, f64)>,
    /// How its table compares.
    pub compared: Compared,
}

/// How a table compares with the one that the processor fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Compared {
    /// Cells that were compared and are the same.
    pub same: u64,
    /// The first one that is not.
    pub different: Option<Difference>,
}

/// A cell that is not the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difference {
    /// Its row, from 1.
    pub row: u32,
    /// Its demand.
    pub demand: u32,
    /// What the GPU says.
    pub gpu: u32,
    /// What the processor says.
    pub cpu: u32,
}

impl Compared {
    /// Takes a stretch of a row in, which begins at a demand. Nothing is looked at once there is a difference.
    pub fn take(&mut self, row: u32, demand: u32, gpu: &[u32], cpu: &[u32]) {
        if self.different.is_some() {
            return;
        }
        // Whole stretches are the same as a rule, and compare fastest as such.
        let first = if gpu == cpu { None } else { gpu.iter().zip(cpu).position(|(gpu, cpu)| gpu != cpu) };
        self.same += first.unwrap_or(gpu.len().min(cpu.len())) as u64;
        self.different = first.map(|at| Difference {
            row: row + 1,
            demand: demand + u32::try_from(at).unwrap_or(u32::MAX),
            gpu: gpu[at],
            cpu: cpu[at],
        });
    }

    /// `equal in all 4,000,020 cells`, or the first difference.
    pub fn words(&self) -> String {
        let interval = |cell: u32| if cell == u32::MAX { "nothing".to_owned() } else { cell.to_string() };
        match self.different {
            None => format!("equal in all {} cells", people::grouped(u128::from(self.same))),
            Some(Difference { row, demand, gpu, cpu }) => format!(
                "different in row {row} at demand {demand}: {} on the GPU, {} on the processor",
                interval(gpu),
                interval(cpu)
            ),
        }
    }
}

/// The table of a task on a GPU.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Measured {
    /// What the browser says of the device.
    pub adapter: String,
    /// Whether it is a processor that stands in for one.
    pub software: bool,
    /// Cells of the table.
    pub cells: u64,
    /// Tiles that it was filled in.
    pub tiles: u32,
    /// Milliseconds to bring the graph to the device and the table back.
    pub transfer_ms: f64,
    /// Reading pairs from global memory.
    pub global: Timing,
    /// Bringing them into workgroup memory first.
    pub shared: Timing,
}

impl Measured {
    /// One of the two.
    pub fn timing(&self, kernel: Kernel) -> &Timing {
        match kernel {
            Kernel::Global => &self.global,
            Kernel::Shared => &self.shared,
        }
    }

    /// The same, to be filled in.
    pub fn timing_mut(&mut self, kernel: Kernel) -> &mut Timing {
        match kernel {
            Kernel::Global => &mut self.global,
            Kernel::Shared => &mut self.shared,
        }
    }

    /// Whether both tables are what the processor fills.
    pub fn equal(&self) -> bool {
        Kernel::BOTH.iter().all(|&kernel| self.timing(kernel).compared.different.is_none())
    }

    /// How both tables compare.
    pub fn words(&self) -> String {
        let (global, shared) = (self.global.compared, self.shared.compared);
        if global == shared {
            return format!("{}, with and without workgroup memory", global.words());
        }
        let one = |kernel: Kernel| format!("{} {}", kernel.name(), self.timing(kernel).compared.words());
        format!("{}; {}", one(Kernel::Global), one(Kernel::Shared))
    }
}

/// Why there is no GPU to measure on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unavailable {
    /// The page came over a connection that browsers do not trust with one.
    Insecure,
    /// The browser has no WebGPU.
    NoWebGpu,
    /// It has, but finds no device.
    NoAdapter,
    /// It found one, but does not give it away.
    NoDevice(String),
    /// The device was lost on the way.
    Lost(String),
    /// The device or the browser refused something.
    Refused(String),
    /// The table is not one for it.
    TooMuch(TooMuch),
    /// Someone stopped it.
    Stopped,
}

impl Unavailable {
    /// What is the matter, and what to do.
    pub fn words(&self) -> String {
        match self {
            Self::Insecure => {
                "This page was not opened over https, and browsers give GPUs only to pages that were. \
                Open it over https, or from localhost."
                    .to_owned()
            }
            Self::NoWebGpu => {
                "This browser has no WebGPU, or it is switched off. Current Chrome and Edge have it, as \
                do Safari 26 and Firefox on Windows and on Apple silicon."
                    .to_owned()
            }
            Self::NoAdapter => {
                "The browser has WebGPU but finds no GPU that it would use. On Linux it may have to be \
                switched on (about:gpu tells); on a machine without a GPU there is nothing to measure."
                    .to_owned()
            }
            Self::NoDevice(why) => format!("The browser found a GPU but does not give it to the page: {why}"),
            Self::Lost(why) => {
                format!(
                    "The GPU was lost on the way, and nothing measured since can be relied on. The browser says: {why} \
                    Measuring again tries anew."
                )
            }
            Self::Refused(why) => format!("The GPU refused a step of the work: {why}"),
            Self::TooMuch(why) => format!("The table is not filled on the GPU: {why}."),
            Self::Stopped => "Stopped; what was measured by then is shown.".to_owned(),
        }
    }
}

/// What comes of measuring a task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Told {
    /// What was measured.
    pub measured: Option<Measured>,
    /// Why nothing was, and what to do.
    pub failed: Option<String>,
    /// Whether trying the next task makes no sense either.
    pub gives_up: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told() {
        let mut compared = Compared::default();
        compared.take(0, 0, &[1, 2, 3], &[1, 2, 3]);
        assert_eq!(compared.words(), "equal in all 3 cells");
        compared.take(1, 10, &[1, 7, u32::MAX], &[1, u32::MAX, 3]);
        compared.take(2, 0, &[0], &[1]);
        assert_eq!(
            compared.words(),
            "different in row 2 at demand 11: 7 on the GPU, nothing on the processor"
        );
        assert_eq!(compared.same, 4);
        let mut measured = Measured::default();
        measured.timing_mut(Kernel::Global).compared.same = 3;
        measured.timing_mut(Kernel::Shared).compared = compared;
        assert!(
            !measured.equal()
                && measured.words().starts_with("without workgroup memory equal in all 3 cells; with")
        );
    }
}
