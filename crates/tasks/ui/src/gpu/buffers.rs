//! A table on the device: its buffers, its shaders, and the filling of a tile.

use std::ops::Range;

use js_sys::{Array, Uint32Array};
use tasks::Joined;
use tasks_lab::gpu::Unavailable;
use tasks_lab::gpu::{HALO_SIZE, PARAMETERS, Packed, Shader, Tiling, source};
use wasm_bindgen::prelude::*;

use super::bindings::{Buffer, object, said, usage};
use super::device::{Device, settled};

/// Bytes from the parameters of one row to those of the next: what every device can do.
const APART: u32 = 256;
/// Cells filled by what is handed in at a time: short enough for devices that must draw meanwhile.
const AT_A_TIME: u64 = 1 << 26;

/// A table on a device.
pub struct OnDevice<'a> {
    device: &'a Device,
    plan: Tiling,
    packed: Packed,
    /// The cells of a tile.
    pub cells: Buffer,
    parameters: Buffer,
    pairs: Buffer,
    layout: JsValue,
    group: JsValue,
    halo: JsValue,
}

impl<'a> OnDevice<'a> {
    /// Makes room for a table.
    pub async fn new(device: &'a Device, joined: &Joined, plan: Tiling) -> Result<Self, Unavailable> {
        let packed = Packed::of(joined, plan);
        let made = device.watched(async || {
            let bytes = |numbers: usize| numbers as f64 * 4.0;
            let slots = f64::from(plan.rows + 1) * f64::from(APART);
            let cells = buffer(device, bytes(plan.cells_of_a_tile()), usage::STORAGE | usage::COPY_SRC)?;
            let parameters = buffer(device, slots, usage::UNIFORM | usage::COPY_DST)?;
            let pairs = buffer(device, bytes(packed.pairs.len()), usage::STORAGE | usage::COPY_DST)?;
            let (layout, group) = bound(device, &cells, &parameters, &pairs).map_err(refused)?;
            Ok((cells, parameters, pairs, layout, group))
        });
        let (cells, parameters, pairs, layout, group) = made.await?;
        let mut table =
            Self { device, plan, packed, cells, parameters, pairs, layout, group, halo: JsValue::NULL };
        table.halo = table.shader(Shader::Halo, HALO_SIZE).await?;
        Ok(table)
    }

    /// A shader, ready for use.
    pub async fn shader(&self, shader: Shader, size: u32) -> Result<JsValue, Unavailable> {
        let raw = &self.device.raw;
        let made = self.device.watched(async || {
            let code = object([("code", source(shader, size).into())]);
            let module = raw.create_shader_module(&code).map_err(refused)?;
            let compute = object([("module", module), ("entryPoint", "main".into())]);
            let wanted = object([("layout", self.layout.clone()), ("compute", compute.into())]);
            settled(raw.create_compute_pipeline(&wanted)).await.map_err(refused)
        });
        made.await
    }

    /// Brings the graph to the device.
    pub async fn bring(&self) -> Result<f64, Unavailable> {
        self.write(&self.pairs, &self.packed.pairs)?;
        self.device.run(&Array::new()).await
    }

    /// Fills some columns of a tile; the milliseconds from handing the work in until it was done.
    pub async fn fill(&self, pipeline: &JsValue, size: u32, columns: Range<u32>) -> Result<f64, Unavailable> {
        let count = columns.end - columns.start;
        let apart = APART as usize / 4;
        debug_assert!(PARAMETERS <= apart);
        self.write(&self.parameters, &self.packed.parameters(columns.start, count, apart))?;
        self.device.run(&Array::new()).await?;
        let commands = Array::new();
        let rows = (AT_A_TIME / u64::from(count.max(1))).max(1);
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        for first in (0..self.plan.rows).step_by(rows as usize) {
            let encoder = self.device.raw.create_command_encoder();
            let pass = encoder.begin_compute_pass();
            let set = |row: u32| pass.set_bind_group(0, &self.group, &Array::of1(&(row * APART).into()));
            if first == 0 && self.plan.halo > 0 {
                pass.set_pipeline(&self.halo);
                set(self.plan.rows);
                pass.dispatch(self.plan.halo.div_ceil(HALO_SIZE), self.plan.rows);
            }
            pass.set_pipeline(pipeline);
            for row in first..self.plan.rows.min(first.saturating_add(rows)) {
                set(row);
                pass.dispatch(count.div_ceil(size), 1);
            }
            pass.end();
            commands.push(&encoder.finish());
        }
        self.device.run(&commands).await
    }

    fn write(&self, to: &Buffer, numbers: &[u32]) -> Result<(), Unavailable> {
        let data = Uint32Array::from(numbers);
        let written = self.device.queue.write_buffer(to, 0.0, &data);
        written.map_err(refused)
    }
}

impl Drop for OnDevice<'_> {
    fn drop(&mut self) {
        [&self.cells, &self.parameters, &self.pairs].into_iter().for_each(Buffer::destroy_buffer);
    }
}

/// What the browser does not do.
pub fn refused(why: JsValue) -> Unavailable {
    Unavailable::Refused(said(&why))
}

/// A buffer of so many bytes.
pub fn buffer(device: &Device, bytes: f64, used: u32) -> Result<Buffer, Unavailable> {
    let wanted = object([("size", bytes.into()), ("usage", used.into())]);
    device.raw.create_buffer(&wanted).map_err(refused)
}

/// What all shaders see: parameters of a row, pairs, cells; and the same with these buffers.
fn bound(
    device: &Device,
    cells: &Buffer,
    parameters: &Buffer,
    pairs: &Buffer,
) -> Result<(JsValue, JsValue), JsValue> {
    let size = f64::from(u32::try_from(PARAMETERS).unwrap_or(0) * 4);
    let uniform = object([
        ("type", "uniform".into()),
        ("hasDynamicOffset", true.into()),
        ("minBindingSize", size.into()),
    ]);
    let kinds =
        [uniform, object([("type", "read-only-storage".into())]), object([("type", "storage".into())])];
    let entries = Array::new();
    for (binding, kind) in (0u32..).zip(kinds) {
        entries.push(&object([
            ("binding", binding.into()),
            ("visibility", usage::COMPUTE.into()),
            ("buffer", kind.into()),
        ]));
    }
    let shape = device.raw.create_bind_group_layout(&object([("entries", entries.into())]))?;
    let shapes = object([("bindGroupLayouts", Array::of1(&shape).into())]);
    let layout = device.raw.create_pipeline_layout(&shapes)?;
    let resources = [
        object([("buffer", parameters.into()), ("offset", 0.into()), ("size", size.into())]),
        object([("buffer", pairs.into())]),
        object([("buffer", cells.into())]),
    ];
    let entries = Array::new();
    for (binding, resource) in (0u32..).zip(resources) {
        entries.push(&object([("binding", binding.into()), ("resource", resource.into())]));
    }
    let group = object([("layout", shape), ("entries", entries.into())]);
    Ok((layout, device.raw.create_bind_group(&group)?))
}
