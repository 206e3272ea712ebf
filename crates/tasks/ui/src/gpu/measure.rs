//! Fills the table of a task in both ways, measures them, and holds every cell against the processor's.

use std::ops::Range;

use js_sys::{Array, Uint32Array};
use tasks::Joined;
use tasks::tiles::Tiles;
use tasks_lab::gpu::{Compared, Kernel, Measured, Shader, Tiling, Timing, Unavailable};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::bindings::{Buffer, usage};
use super::buffers::{OnDevice, buffer, refused};
use super::device::{Device, breathe, now};

/// The best of so many counts.
const ROUNDS: usize = 3;
/// About so many cells are compared at a time.
const COMPARED: u64 = 1 << 22;
/// Bytes brought back at a time, unless a single row has more.
const BACK: u64 = 16 << 20;
/// The page is left alone after so many milliseconds.
const SLICE: f64 = 20.0;
/// The memory asked for is halved so often at the most, where there is not enough.
const HALVINGS: usize = 4;

/// Who hears what is being done, and stops it by answering `false`.
pub struct Listener<'a>(pub &'a dyn Fn(&str) -> bool);

impl Listener<'_> {
    fn tell(&self, what: &str) -> Result<(), Unavailable> {
        if (self.0)(what) { Ok(()) } else { Err(Unavailable::Stopped) }
    }
}

/// The table of a task on the GPU.
pub async fn measure(joined: &Joined, listener: &Listener<'_>) -> Result<Measured, Unavailable> {
    listener.tell("asking the browser for a GPU")?;
    let device = Device::open().await?;
    let (plan, table) = laid_out(&device, joined).await?;
    let mut measured = Measured {
        adapter: device.name.clone(),
        software: device.software,
        cells: plan.cells(),
        tiles: u32::try_from(plan.tiles().count()).unwrap_or(u32::MAX),
        ..Measured::default()
    };
    measured.transfer_ms = table.bring().await?;
    let back = Back::new(&device, &plan)?;
    for kernel in Kernel::BOTH {
        let done = device.watched(async || {
            let (mut timing, pipeline) = fastest(&device, &table, &plan, kernel, listener).await?;
            let transfer =
                filled(&table, &plan, joined, &pipeline, &back, (&mut timing, kernel), listener).await?;
            Ok((timing, transfer))
        });
        let (timing, transfer) = done.await?;
        *measured.timing_mut(kernel) = timing;
        measured.transfer_ms += transfer / 2.0; // the table is brought back twice
    }
    Ok(measured)
}

/// The table on the device, with as few tiles as there is memory for.
async fn laid_out<'a>(device: &'a Device, joined: &Joined) -> Result<(Tiling, OnDevice<'a>), Unavailable> {
    let mut limits = device.limits;
    for _ in 0..HALVINGS {
        let plan = Tiling::new(joined, &limits, COMPARED).map_err(Unavailable::TooMuch)?;
        match OnDevice::new(device, joined, plan).await {
            Ok(table) => return Ok((plan, table)),
            Err(Unavailable::Lost(why)) => return Err(Unavailable::Lost(why)),
            Err(_) => limits.binding = (plan.cells_of_a_tile() as u64 * 2).min(limits.binding / 2),
        }
    }
    let plan = Tiling::new(joined, &limits, COMPARED).map_err(Unavailable::TooMuch)?;
    OnDevice::new(device, joined, plan).await.map(|table| (plan, table))
}

/// The size of workgroups that fills a part of the table fastest, and the shader with it.
async fn fastest(
    device: &Device,
    table: &OnDevice<'_>,
    plan: &Tiling,
    kernel: Kernel,
    listener: &Listener<'_>,
) -> Result<(Timing, JsValue), Unavailable> {
    let mut timing = Timing::default();
    let mut best = None;
    for size in device.limits.sizes() {
        listener.tell(&format!("trying workgroups of {size} {}", kernel.name()))?;
        let pipeline = table.shader(Shader::Fill(kernel), size).await?;
        let mut ms = f64::INFINITY;
        for _ in 0..=ROUNDS {
            ms = ms.min(table.fill(&pipeline, size, 0..plan.tried()).await?);
        }
        timing.tried.push((size, ms));
        if best.as_ref().is_none_or(|(least, _, _)| ms < *least) {
            best = Some((ms, size, pipeline));
        }
    }
    let Some((_, size, pipeline)) = best else {
        return Err(Unavailable::Refused("it allows no workgroup of 32 threads".to_owned()));
    };
    timing.size = size;
    Ok((timing, pipeline))
}

/// Fills the whole table again and again, and compares it the last time; the milliseconds to bring it back.
async fn filled(
    table: &OnDevice<'_>,
    plan: &Tiling,
    joined: &Joined,
    pipeline: &JsValue,
    back: &Back<'_>,
    (timing, kernel): (&mut Timing, Kernel),
    listener: &Listener<'_>,
) -> Result<f64, Unavailable> {
    let (mut best, mut transfer) = (f64::INFINITY, 0.0);
    for round in 1..=ROUNDS {
        listener.tell(&format!("filling the table {}, {round} of {ROUNDS}", kernel.name()))?;
        let mut check = if round == ROUNDS { Some(Check::new(joined, plan)?) } else { None };
        let mut ms = 0.0;
        for tile in plan.tiles() {
            ms += table.fill(pipeline, timing.size, tile.clone()).await?;
            if let Some(check) = &mut check {
                transfer += check.tile(table, plan, back, &tile, kernel, listener).await?;
            }
        }
        best = best.min(ms);
        timing.compared = check.map_or(timing.compared, |check| check.compared);
    }
    timing.ms = best;
    Ok(transfer)
}

/// The processor's table beside the one on the device.
struct Check<'a> {
    tiles: Tiles<'a>,
    begun: bool,
    compared: Compared,
}

impl<'a> Check<'a> {
    fn new(joined: &'a Joined, plan: &Tiling) -> Result<Self, Unavailable> {
        let tiles = Tiles::new(joined, joined.columns(), plan.piece as usize);
        let tiles = tiles.map_err(|why| Unavailable::Refused(format!("{why:?}")))?;
        Ok(Self { tiles, begun: false, compared: Compared::default() })
    }

    /// Compares a tile piece by piece; the milliseconds to bring it back.
    async fn tile(
        &mut self,
        table: &OnDevice<'_>,
        plan: &Tiling,
        back: &Back<'_>,
        tile: &Range<u32>,
        kernel: Kernel,
        listener: &Listener<'_>,
    ) -> Result<f64, Unavailable> {
        let mut transfer = 0.0;
        for piece in plan.pieces(tile) {
            let share = 100 * u64::from(piece.start) / u64::from(plan.width);
            listener.tell(&format!("comparing every cell {}, {share} %", kernel.name()))?;
            if std::mem::replace(&mut self.begun, true) {
                self.tiles.advance();
            }
            let mut since = now();
            while self.tiles.fill_row() {
                if now() - since > SLICE {
                    breathe().await;
                    since = now();
                }
            }
            debug_assert_eq!(self.tiles.columns().start, piece.start as usize);
            for rows in back.rows(plan) {
                let (cells, ms) = back.bring(table, plan, tile, &piece, rows.clone()).await?;
                transfer += ms;
                let length = (piece.end - piece.start) as usize;
                for (row, gpu) in rows.zip(cells.chunks_exact(length)) {
                    self.compared.take(row, piece.start, gpu, self.tiles.row(row as usize));
                }
            }
        }
        Ok(transfer)
    }
}

/// The way back from the device.
struct Back<'a> {
    device: &'a Device,
    buffer: Buffer,
    /// Rows of a piece that are brought back at a time.
    at_a_time: u32,
}

impl<'a> Back<'a> {
    fn new(device: &'a Device, plan: &Tiling) -> Result<Self, Unavailable> {
        let row = u64::from(plan.piece) * 4;
        let at_a_time = u32::try_from(BACK / row).unwrap_or(u32::MAX).clamp(1, plan.rows);
        let bytes = row as f64 * f64::from(at_a_time);
        let buffer = buffer(device, bytes, usage::MAP_READ | usage::COPY_DST)?;
        Ok(Self { device, buffer, at_a_time })
    }

    fn rows(&self, plan: &Tiling) -> impl Iterator<Item = Range<u32>> + use<> {
        let (rows, step) = (plan.rows, self.at_a_time);
        (0..rows).step_by(step as usize).map(move |first| first..rows.min(first + step))
    }

    /// Some rows of a piece, one after the other, and the milliseconds that took.
    async fn bring(
        &self,
        table: &OnDevice<'_>,
        plan: &Tiling,
        tile: &Range<u32>,
        piece: &Range<u32>,
        rows: Range<u32>,
    ) -> Result<(Vec<u32>, f64), Unavailable> {
        let before = now();
        let length = f64::from(piece.end - piece.start) * 4.0;
        let encoder = self.device.raw.create_command_encoder();
        for (place, row) in (0u32..).zip(rows.clone()) {
            let first =
                f64::from(row) * f64::from(plan.stride()) + f64::from(plan.halo + piece.start - tile.start);
            encoder.copy(&table.cells, first * 4.0, &self.buffer, f64::from(place) * length, length);
        }
        self.device.queue.submit(&Array::of1(&encoder.finish()));
        let bytes = length * f64::from(rows.end - rows.start);
        let mapped = JsFuture::from(self.buffer.map(usage::MAP_READ, 0.0, bytes)).await;
        self.device.check()?;
        mapped.map_err(refused)?;
        let cells = Uint32Array::new(&self.buffer.mapped_range(0.0, bytes).map_err(refused)?).to_vec();
        self.buffer.unmap();
        Ok((cells, now() - before))
    }
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.buffer.destroy_buffer();
    }
}
