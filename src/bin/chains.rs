//! The wasm of the lab of chains, which the page loads when someone goes there.

#[cfg(target_arch = "wasm32")]
mod exports {
    use warpspan::ui::chain::{self, form};
    use wasm_bindgen::prelude::*;
    use web_sys::HtmlElement;

    /// The panel of a chain's document in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Chain(chain::Mounted);

    /// Puts the panel into an element. `act` hears what someone wants done.
    #[wasm_bindgen(js_name = chain)]
    pub fn mount_chain(host: HtmlElement, act: js_sys::Function) -> Chain {
        Chain(chain::Mounted::new(host, act))
    }

    #[wasm_bindgen]
    impl Chain {
        /// Shows what a worker told, and how it stands.
        pub fn show(&self, lines: js_sys::Array, told: JsValue) -> Result<(), JsError> {
            self.0.show(&lines, serde_wasm_bindgen::from_value(told)?);
            Ok(())
        }
    }

    /// The form of a chain's document in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct ChainForm(form::Mounted);

    /// Puts the form into an element. `act` hears of edits.
    #[wasm_bindgen(js_name = chain_form)]
    pub fn mount_form(host: HtmlElement, act: js_sys::Function) -> ChainForm {
        ChainForm(form::mount(host, act))
    }

    #[wasm_bindgen]
    impl ChainForm {
        /// Shows a document, and what is wrong with it.
        pub fn show(&self, text: String, problems: JsValue) -> Result<(), JsError> {
            self.0.show(text, serde_wasm_bindgen::from_value(problems)?);
            Ok(())
        }
    }
}

fn main() {}
