//! The calls of WebGPU that are made here, as the browser has them.

use js_sys::{Array, Object, Promise, Reflect, Uint32Array};
use wasm_bindgen::prelude::*;

/// Uses of a buffer, and of a shader.
pub mod usage {
    /// It is read by the page.
    pub const MAP_READ: u32 = 0x01;
    /// It is copied from.
    pub const COPY_SRC: u32 = 0x04;
    /// It is copied to.
    pub const COPY_DST: u32 = 0x08;
    /// Shaders read parameters from it.
    pub const UNIFORM: u32 = 0x40;
    /// Shaders read and write it.
    pub const STORAGE: u32 = 0x80;
    /// A compute shader sees it.
    pub const COMPUTE: u32 = 0x04;
}

#[wasm_bindgen]
extern "C" {
    /// Where devices come from.
    pub type Gpu;
    #[wasm_bindgen(method, catch, js_name = requestAdapter)]
    pub fn request_adapter(this: &Gpu, options: &Object) -> Result<Promise, JsValue>;

    /// What a device can be had of.
    pub type Adapter;
    #[wasm_bindgen(method, getter)]
    pub fn limits(this: &Adapter) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn info(this: &Adapter) -> JsValue;
    #[wasm_bindgen(method, catch, js_name = requestDevice)]
    pub fn request_device(this: &Adapter, wanted: &Object) -> Result<Promise, JsValue>;

    /// A device.
    pub type RawDevice;
    #[wasm_bindgen(method, getter)]
    pub fn queue(this: &RawDevice) -> Queue;
    #[wasm_bindgen(method, getter)]
    pub fn lost(this: &RawDevice) -> Promise;
    #[wasm_bindgen(method)]
    pub fn destroy(this: &RawDevice);
    #[wasm_bindgen(method, js_name = pushErrorScope)]
    pub fn push_error_scope(this: &RawDevice, filter: &str);
    #[wasm_bindgen(method, js_name = popErrorScope)]
    pub fn pop_error_scope(this: &RawDevice) -> Promise;
    #[wasm_bindgen(method, catch, js_name = createBuffer)]
    pub fn create_buffer(this: &RawDevice, wanted: &Object) -> Result<Buffer, JsValue>;
    #[wasm_bindgen(method, catch, js_name = createBindGroupLayout)]
    pub fn create_bind_group_layout(this: &RawDevice, wanted: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = createPipelineLayout)]
    pub fn create_pipeline_layout(this: &RawDevice, wanted: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = createBindGroup)]
    pub fn create_bind_group(this: &RawDevice, wanted: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = createShaderModule)]
    pub fn create_shader_module(this: &RawDevice, wanted: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = createComputePipelineAsync)]
    pub fn create_compute_pipeline(this: &RawDevice, wanted: &Object) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, js_name = createCommandEncoder)]
    pub fn create_command_encoder(this: &RawDevice) -> Encoder;

    /// Memory of the device.
    pub type Buffer;
    #[wasm_bindgen(method, js_name = mapAsync)]
    pub fn map(this: &Buffer, mode: u32, offset: f64, size: f64) -> Promise;
    #[wasm_bindgen(method, catch, js_name = getMappedRange)]
    pub fn mapped_range(this: &Buffer, offset: f64, size: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method)]
    pub fn unmap(this: &Buffer);
    #[wasm_bindgen(method, js_name = destroy)]
    pub fn destroy_buffer(this: &Buffer);

    /// Where work is handed in.
    pub type Queue;
    #[wasm_bindgen(method)]
    pub fn submit(this: &Queue, commands: &Array);
    #[wasm_bindgen(method, js_name = onSubmittedWorkDone)]
    pub fn work_done(this: &Queue) -> Promise;
    #[wasm_bindgen(method, catch, js_name = writeBuffer)]
    pub fn write_buffer(this: &Queue, to: &Buffer, offset: f64, data: &Uint32Array) -> Result<(), JsValue>;

    /// Work being written down.
    pub type Encoder;
    #[wasm_bindgen(method, js_name = beginComputePass)]
    pub fn begin_compute_pass(this: &Encoder) -> Pass;
    #[wasm_bindgen(method, js_name = copyBufferToBuffer)]
    pub fn copy(this: &Encoder, from: &Buffer, from_offset: f64, to: &Buffer, to_offset: f64, size: f64);
    #[wasm_bindgen(method)]
    pub fn finish(this: &Encoder) -> JsValue;

    /// Work for shaders being written down.
    pub type Pass;
    #[wasm_bindgen(method, js_name = setPipeline)]
    pub fn set_pipeline(this: &Pass, pipeline: &JsValue);
    #[wasm_bindgen(method, js_name = setBindGroup)]
    pub fn set_bind_group(this: &Pass, index: u32, group: &JsValue, offsets: &Array);
    #[wasm_bindgen(method, js_name = dispatchWorkgroups)]
    pub fn dispatch(this: &Pass, across: u32, down: u32);
    #[wasm_bindgen(method)]
    pub fn end(this: &Pass);
}

/// An object with these fields.
pub fn object<const N: usize>(fields: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &name.into(), &value); // a plain object takes any field
    }
    object
}

/// A field of an object; undefined where there is none.
pub fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

/// A field that is a text, if it says anything.
pub fn text(object: &JsValue, name: &str) -> Option<String> {
    field(object, name).as_string().filter(|text| !text.is_empty())
}

/// What an error says.
pub fn said(error: &JsValue) -> String {
    text(error, "message").unwrap_or_else(|| format!("{error:?}"))
}
