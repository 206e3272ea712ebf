//! Which format a file has, told by its content.

use crate::gzip::{self, Gunzip};
use crate::json::{Reader, Scalar, Stop};
use crate::source::{Beginning, Feed, Plain, Source, Tracked};
use crate::sqlite;

/// Bytes of text that are looked at.
const MOST: usize = 1 << 20;

/// A format that is read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Nsight Systems' export as SQLite; any SQLite database is taken for one.
    Nsight,
    /// JSON of the PyTorch profiler.
    Kineto {
        /// Whether it is packed.
        gzip: bool,
    },
    /// JSON of rocprofv3.
    Rocprof {
        /// Whether it is packed.
        gzip: bool,
    },
    /// A log of the scheduling examiner.
    Examiner {
        /// Whether it is packed.
        gzip: bool,
    },
}

/// The format of a profiler's export; none where it is none that is read here. The examiner's logs, which are about the
/// rules block by block when they stand alone, are none.
pub fn sniff(source: &mut dyn Source) -> Option<Format> {
    sniff_any(source).filter(|format| !matches!(format, Format::Examiner { .. }))
}

/// The format of a file that may be one of several recordings of a run.
pub fn sniff_any(source: &mut dyn Source) -> Option<Format> {
    let mut go_on = |_| true;
    let mut tracked = Tracked::new(source, &mut go_on);
    let mut head = [0; 16];
    let count = tracked.read_at(0, &mut head).ok()?;
    let head = head.get(..count)?;
    if head == sqlite::MAGIC {
        return Some(Format::Nsight);
    }
    let gzip = head.starts_with(&gzip::MAGIC);
    let mut found = Seen::default();
    if gzip {
        found.read(&mut Gunzip::new(tracked));
    } else if head.iter().any(|byte| matches!(byte, b'{' | b'[')) {
        found.read(&mut Plain::new(tracked));
    }
    match found {
        Seen { rocprof: true, .. } => Some(Format::Rocprof { gzip }),
        Seen { kineto: true, .. } => Some(Format::Kineto { gzip }),
        Seen { log: 2.., .. } => Some(Format::Examiner { gzip }),
        _ => None,
    }
}

/// What was seen in a text.
#[derive(Default)]
struct Seen {
    rocprof: bool,
    kineto: bool,
    /// How many of the keys it has that a log has.
    log: u32,
}

impl Seen {
    fn read(&mut self, feed: &mut dyn Feed) {
        let mut beginning = Beginning::new(feed, MOST);
        // That it is cut off after so many bytes is no news.
        let _ = self.document(&mut Reader::new(&mut beginning));
    }

    fn document(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if json.peek()? == b'[' {
            return self.events(json);
        }
        if !json.object()? {
            return Ok(());
        }
        while !self.rocprof && !self.kineto && json.key()? {
            match json.text() {
                "rocprofiler-sdk-tool" => self.rocprof = true,
                "deviceProperties" | "distributedInfo" | "baseTimeNanoseconds" => self.kineto = true,
                "traceEvents" => self.events(json)?,
                "scenario_name" | "benchmark_name" | "max_resident_threads" | "times" => {
                    self.log += 1;
                    json.skip()?;
                }
                _ => json.skip()?,
            }
        }
        Ok(())
    }

    /// Events of Kineto have categories of their own.
    fn events(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.array()? {
            return Ok(());
        }
        while !self.kineto && json.item()? {
            if !json.object()? {
                continue;
            }
            while json.key()? {
                if json.text() != "cat" {
                    json.skip()?;
                } else if json.scalar()? == Scalar::Text {
                    self.kineto |= matches!(
                        json.text(),
                        "kernel"
                            | "gpu_memcpy"
                            | "gpu_memset"
                            | "cuda_runtime"
                            | "cuda_driver"
                            | "cpu_op"
                            | "ac2g"
                    );
                }
            }
        }
        Ok(())
    }
}
