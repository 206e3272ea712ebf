//! The wasm of the labs beside warps, which the page loads when someone goes there.

#[cfg(target_arch = "wasm32")]
mod exports {
    use warpspan::ui::blocks::{self, form};
    use wasm_bindgen::prelude::*;
    use web_sys::HtmlElement;

    /// The panel of a blocks document in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Blocks(blocks::Mounted);

    /// Puts the panel into an element. `act` hears what someone wants done.
    #[wasm_bindgen(js_name = blocks)]
    pub fn mount_blocks(host: HtmlElement, act: js_sys::Function) -> Blocks {
        Blocks(blocks::Mounted::new(host, act))
    }

    #[wasm_bindgen]
    impl Blocks {
        /// Shows what a worker told, and how it stands.
        pub fn show(&self, lines: js_sys::Array, told: JsValue) -> Result<(), JsError> {
            self.0.show(&lines, serde_wasm_bindgen::from_value(told)?);
            Ok(())
        }
    }

    /// The form of a blocks document in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct BlocksForm(form::Mounted);

    /// Puts the form into an element. `act` hears of edits.
    #[wasm_bindgen(js_name = blocks_form)]
    pub fn mount_form(host: HtmlElement, act: js_sys::Function) -> BlocksForm {
        BlocksForm(form::mount(host, act))
    }

    #[wasm_bindgen]
    impl BlocksForm {
        /// Shows a document, and what is wrong with it.
        pub fn show(&self, text: String, problems: JsValue) -> Result<(), JsError> {
            self.0.show(text, serde_wasm_bindgen::from_value(problems)?);
            Ok(())
        }
    }
}

fn main() {}
