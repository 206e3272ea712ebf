//! The wasm that fills the published table on a GPU, which the page loads when someone asks for that.
//!
//! It holds no front-end: the panel hands it a task, hears how far it is, and is given what was measured.

#[cfg(target_arch = "wasm32")]
mod bindings;
#[cfg(target_arch = "wasm32")]
mod buffers;
#[cfg(target_arch = "wasm32")]
mod device;
#[cfg(target_arch = "wasm32")]
mod measure;

#[cfg(target_arch = "wasm32")]
mod exports {
    use js_sys::Function;
    use warpspan::gpu::{Told, Unavailable};
    use warpspan::report::tasks::TaskReport;
    use warpspan::tasks::Joined;
    use wasm_bindgen::prelude::*;

    use super::measure::{Listener, measure as filled};

    /// Fills the table of a task on the GPU, and on the processor beside it. `tell` hears what is being done, and
    /// stops it by answering `false`.
    #[wasm_bindgen]
    pub async fn measure(task: JsValue, tell: Function) -> Result<JsValue, JsError> {
        console_error_panic_hook::set_once();
        let task: TaskReport = serde_wasm_bindgen::from_value(task)?;
        let told = match task.task() {
            None => Told { failed: Some("This is not a task.".to_owned()), ..Told::default() },
            Some(task) => match filled(&Joined::of(&task), &Listener(tell)).await {
                Ok(measured) => Told { measured: Some(measured), ..Told::default() },
                Err(why) => {
                    let gives_up = !matches!(why, Unavailable::TooMuch(_) | Unavailable::Refused(_));
                    Told { measured: None, failed: Some(why.words()), gives_up }
                }
            },
        };
        Ok(serde_wasm_bindgen::to_value(&told)?)
    }
}

fn main() {}
