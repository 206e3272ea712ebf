//! Programs, and what came of them on a device: the plain data of generated runs. Times are nanoseconds.

/// A microsecond, a millisecond.
pub const US: u64 = 1_000;
pub const MS: u64 = 1_000_000;

/// A device with what its multiprocessors hold.
#[derive(Debug, Clone, Copy)]
pub struct Gpu {
    pub preset: &'static str,
    pub sms: u16,
    pub threads: u32,
    pub blocks: u32,
    pub shared: u32,
}

pub const TX2: Gpu = Gpu { preset: "jetson-tx2", sms: 2, threads: 2_048, blocks: 32, shared: 64 << 10 };
pub const K5000: Gpu = Gpu { preset: "quadro-k5000", sms: 8, threads: 2_048, blocks: 16, shared: 48 << 10 };

/// How a stream minds the null stream of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Null,
    Blocking,
    NonBlocking,
}

#[derive(Debug, Clone)]
pub struct Stream {
    pub kind: Kind,
    /// The lower, the more urgent.
    pub priority: i32,
    pub process: usize,
}

#[derive(Debug, Clone)]
pub struct Kernel {
    pub name: String,
    pub blocks: u32,
    pub threads: u32,
    pub shared: u32,
    pub duration: u64,
    /// Bits of multiprocessors it may use.
    pub mask: u64,
}

/// What a program does, in order.
#[derive(Debug, Clone)]
pub enum Op {
    Sleep(u64),
    Launch { stream: usize, kernel: Kernel },
    Copy { stream: usize, duration: u64, wait: bool },
    Sync(usize),
}

#[derive(Debug, Clone)]
pub struct Program {
    pub label: String,
    pub benchmark: &'static str,
    pub process: usize,
    pub release: u64,
    pub rounds: u32,
    pub ops: Vec<Op>,
    /// The benchmark as its configuration has it.
    pub written: serde_json::Value,
}

#[derive(Debug, Clone)]
pub struct Setup {
    pub gpu: Gpu,
    pub streams: Vec<Stream>,
    pub programs: Vec<Program>,
    pub own_processes: bool,
}

/// A launch as the log has it; `queued` and `unseen` are true of the run and in no log.
#[derive(Debug, Clone)]
pub struct Launch {
    pub program: usize,
    pub round: u32,
    pub stream: usize,
    pub kernel: Kernel,
    pub called: u64,
    pub returned: u64,
    pub idle: Option<u64>,
    /// Start, end, multiprocessor.
    pub blocks: Vec<(u64, u64, u16)>,
    /// When it entered the queue of the execution engine.
    pub queued: u64,
    /// Whether anything that no log tells may have kept it from that.
    pub unseen: bool,
}

impl Launch {
    pub fn start(&self) -> u64 {
        self.blocks.iter().map(|block| block.0).min().unwrap_or(0)
    }

    pub fn dispatched(&self) -> u64 {
        self.blocks.iter().map(|block| block.0).max().unwrap_or(0)
    }

    pub fn end(&self) -> u64 {
        self.blocks.iter().map(|block| block.1).max().unwrap_or(0)
    }

    /// Moves all its blocks so that the first starts at a time.
    pub fn move_to(&mut self, at: u64) {
        let from = self.start();
        for block in &mut self.blocks {
            (block.0, block.1) = (block.0 - from + at, block.1 - from + at);
        }
    }
}

/// A run: the launches in the order of their calls, and when each round of each program began and ended.
#[derive(Debug, Clone)]
pub struct Run {
    pub launches: Vec<Launch>,
    pub rounds: Vec<Vec<[u64; 2]>>,
}
