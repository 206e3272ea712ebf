//! Made captures: waves of work-groups on four SIMDs, executed by a small machine that knows why each of them waited.
//!
//! The machine shares no code with the account: slots of four cycles, oldest wave first, units held for fixed times,
//! memory that answers in order. Single events can be planted: a load that takes longer, a wave that comes later to a
//! barrier, a matrix instruction that holds its unit longer.

use base::Seeded;

use crate::capture::{Capture, Instr, Kind, Line, Wave};
use crate::isa::{Generation, Op};

/// A change of one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plant {
    /// The wave.
    pub wave: usize,
    /// Its instruction.
    pub item: usize,
    /// By how many cycles.
    pub extra: i64,
}

/// What is executed, and on what.
#[derive(Debug, Clone)]
pub struct Made {
    /// The program, the same for all waves.
    pub program: Vec<&'static str>,
    /// Waves; each four are a work-group, on four SIMDs.
    pub waves: usize,
    /// By wave: when it begins.
    pub begins: Vec<i64>,
    /// By wave and instruction: the latency of operations.
    pub latencies: Vec<Vec<i64>>,
}

const LOAD: &str = "buffer_load_dwordx4 v[100:103], v90, s[4:7], 0 offen";
const READ: &str = "ds_read_b128 v[110:113], v91";
/// Matrix instructions that do not need each other's results.
const MATRIX: &str = "v_mfma_f32_16x16x32_bf16 a[0:3], v[40:43], v[44:47], 0";
const MATRIX_TOO: &str = "v_mfma_f32_16x16x32_bf16 a[4:7], v[40:43], v[44:47], 0";

/// A random program with its waves.
pub fn made(random: &mut Seeded) -> Made {
    let mut program = vec!["s_mov_b32 s30, 0"];
    let (mut loads, mut reads) = (0_usize, 0_usize);
    for _ in 0..30 + random.below(30) {
        match random.below(12) {
            0..3 => program.extend(["v_add_u32_e32 v60, v61, v62"; 2]),
            3 => program.push("s_add_i32 s31, s29, s28"),
            4 | 5 => {
                program.push(LOAD);
                loads += 1;
            }
            6 => {
                program.push(READ);
                reads += 1;
            }
            7 | 8 => program.extend([MATRIX, MATRIX_TOO]),
            9 if loads > 1 => {
                program.push("s_waitcnt vmcnt(1)");
                loads = 1;
            }
            9 | 10 if loads > 0 => {
                program.push("s_waitcnt vmcnt(0)");
                loads = 0;
            }
            10 if reads > 0 => {
                program.push("s_waitcnt lgkmcnt(0)");
                reads = 0;
            }
            11 => program.push("s_barrier"),
            _ => program.push("v_mul_f32_e32 v63, v64, v65"),
        }
    }
    program.extend([LOAD, "s_waitcnt vmcnt(0)", "s_barrier", MATRIX, MATRIX_TOO, "s_endpgm"]);
    let waves = 4 * (1 + random.below(3) as usize);
    let begins = (0..waves).zip(0_i64..).map(|(_, wave)| 1000 + 4 * wave + 100 * (wave / 4)).collect();
    let mut latency = |text: &&str| match *text {
        LOAD => 4 * i64::from(90 + random.below(60)),
        READ => 4 * i64::from(14 + random.below(6)),
        _ => 0,
    };
    let latencies = (0..waves).map(|_| program.iter().map(&mut latency).collect()).collect();
    Made { program, waves, begins, latencies }
}

/// Where a wave is.
#[derive(Clone)]
struct Runs {
    next: usize,
    /// When its next instruction comes up.
    clock: i64,
    /// When its loads and its reads of LDS return, in order.
    returns: [Vec<i64>; 2],
    arrived: Option<i64>,
    done: Vec<Instr>,
}

impl Made {
    /// Executes it.
    pub fn run(&self, plants: &[Plant]) -> Capture {
        let extra = |wave: usize, item: usize| {
            plants
                .iter()
                .filter(|plant| (plant.wave, plant.item) == (wave, item))
                .map(|plant| plant.extra)
                .sum::<i64>()
        };
        let start = |wave: usize| Runs {
            next: 0,
            clock: self.begins[wave] + 28,
            returns: [Vec::new(), Vec::new()],
            arrived: None,
            done: Vec::new(),
        };
        let mut waves: Vec<Runs> = (0..self.waves).map(start).collect();
        // By SIMD: until when memory, LDS, matrix, vector, scalar are held.
        let mut held = [[0_i64; 5]; 4];
        let mut now = 0;
        while waves.iter().any(|wave| wave.next < self.program.len()) {
            now += 4;
            for wave in 0..self.waves {
                self.barriers(&mut waves, wave, now, &extra);
            }
            for (simd, held) in held.iter_mut().enumerate() {
                let mut slots = [false; 5];
                for wave in (simd..self.waves).step_by(4) {
                    self.step(&mut waves[wave], wave, now, held, &mut slots, &extra);
                }
            }
        }
        self.capture(waves)
    }

    /// Lets a wave arrive at a barrier, and its work-group leave it.
    fn barriers(&self, waves: &mut [Runs], wave: usize, now: i64, extra: &dyn Fn(usize, usize) -> i64) {
        let own = &mut waves[wave];
        if self.program.get(own.next) == Some(&"s_barrier") && own.arrived.is_none() {
            let comes = own.clock + extra(wave, own.next);
            if comes <= now {
                own.clock = comes;
                own.arrived = Some(comes);
            }
        }
        let group = wave / 4 * 4..wave / 4 * 4 + 4;
        let number = waves[wave].next;
        let Some(all) = waves[group.clone()]
            .iter()
            .map(|other| other.arrived.filter(|_| other.next == number))
            .collect::<Option<Vec<i64>>>()
        else {
            return;
        };
        let last = all.into_iter().max().unwrap_or_default();
        if last + 8 <= now {
            for other in group {
                finish(&mut waves[other], Kind::Immediate, last + 8, 0);
                waves[other].arrived = None;
            }
        }
    }

    fn step(
        &self,
        own: &mut Runs,
        wave: usize,
        now: i64,
        held: &mut [i64; 5],
        slots: &mut [bool; 5],
        extra: &dyn Fn(usize, usize) -> i64,
    ) {
        let Some(&text) = self.program.get(own.next) else { return };
        if own.clock > now || text == "s_barrier" {
            return;
        }
        if let Some(rest) = text.strip_prefix("s_waitcnt ") {
            let (which, left) = if rest.starts_with("vmcnt") { (0, rest == "vmcnt(1)") } else { (1, false) };
            let required = own.returns[which].len().checked_sub(1 + usize::from(left));
            let until = required.map_or(0, |place| own.returns[which][place]).max(own.clock + 4);
            if until <= now {
                finish(own, Kind::Immediate, until, 0);
            }
            return;
        }
        let (kind, unit, hold) = match text {
            LOAD => (Kind::Vmem, 0, 16),
            READ => (Kind::Lds, 1, 8),
            MATRIX | MATRIX_TOO => (Kind::Valu, 2, 16 + extra(wave, own.next)),
            _ if text.starts_with("v_") => (Kind::Valu, 3, 4),
            _ => (Kind::Salu, 4, 4),
        };
        // A matrix instruction takes a slot of the vector arbiter, too.
        let slot = if unit == 2 { 3 } else { unit };
        if held[unit] > now || slots[slot] {
            return;
        }
        held[unit] = now + hold;
        slots[slot] = true;
        if unit < 2 {
            let latency = self.latencies[wave][own.next] + extra(wave, own.next);
            let before = own.returns[unit].last().copied().unwrap_or_default();
            own.returns[unit].push((now + latency).max(before));
        }
        let kind = if text == "s_endpgm" { Kind::Message } else { kind };
        finish(own, kind, now, 4);
    }

    fn capture(&self, waves: Vec<Runs>) -> Capture {
        let line = |(place, text): (usize, &&str)| Line {
            number: place as u32 + 1,
            text: (*text).to_owned(),
            source: String::new(),
            address: 8 * place as u64,
            kernel: None,
            op: Op::of(text, Generation::Gfx9),
        };
        let wave = |(place, runs): (usize, Runs)| {
            let end = runs.done.last().map_or(0, Instr::end);
            let mut instrs = runs.done;
            (0..).zip(&mut instrs).for_each(|(line, instr)| instr.line = line);
            let (simd, slot) = (place as u32 % 4, place as u32 / 4);
            Wave { se: 0, cu: 1, simd, slot, n: 0, begin: self.begins[place], end, instrs }
        };
        Capture {
            lines: self.program.iter().enumerate().map(line).collect(),
            waves: waves.into_iter().enumerate().map(wave).collect(),
            ..Capture::default()
        }
    }
}

/// An instruction is through.
fn finish(own: &mut Runs, kind: Kind, issued: i64, issues: u32) {
    let stall = (issued - own.clock) as u32;
    own.done.push(Instr { clock: own.clock, kind, stall, duration: stall + issues, line: 0 });
    own.clock = issued + i64::from(issues);
    own.next += 1;
}
