//! The published times of the experiment (N, Table I), in milliseconds on hardware of 2006.

/// Published times of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// Vertices of the task.
    pub vertices: u64,
    /// On the processor.
    pub cpu_ms: f64,
    /// On the GPU.
    pub gpu_ms: f64,
    /// On the GPU, with its shared memory.
    pub shared_ms: f64,
}

/// What they were measured on.
pub const MACHINE: &str = "a Pentium 4 of 3 GHz and a GeForce 8800 GTX";

/// Table I.
pub const TABLE: [Published; 5] = [
    Published { vertices: 10, cpu_ms: 147.68, gpu_ms: 34.91, shared_ms: 28.04 },
    Published { vertices: 20, cpu_ms: 955.78, gpu_ms: 192.75, shared_ms: 147.00 },
    Published { vertices: 30, cpu_ms: 4_346.82, gpu_ms: 720.38, shared_ms: 537.15 },
    Published { vertices: 40, cpu_ms: 7_945.67, gpu_ms: 1_344.82, shared_ms: 987.58 },
    Published { vertices: 50, cpu_ms: 13_490.96, gpu_ms: 2_783.33, shared_ms: 1_496.56 },
];

/// What was published for a size.
pub fn of(vertices: u64) -> Option<&'static Published> {
    TABLE.iter().find(|published| published.vertices == vertices)
}
