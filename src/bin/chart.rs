//! The charts' wasm, which the page loads with the first of them.

#[cfg(target_arch = "wasm32")]
mod exports {
    use std::sync::Arc;

    use warpspan::ui::convergence::Mounted;
    use wasm_bindgen::prelude::*;
    use web_sys::HtmlElement;

    /// A chart in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Chart(Mounted);

    /// Puts a chart into an element. `choose` hears what is selected.
    #[wasm_bindgen]
    pub fn mount(host: HtmlElement, choose: js_sys::Function) -> Chart {
        Chart(Mounted::new(host, choose))
    }

    #[wasm_bindgen]
    impl Chart {
        /// Shows data in a light.
        pub fn show(&self, data: JsValue, told: JsValue) -> Result<(), JsError> {
            let data = serde_wasm_bindgen::from_value(data)?;
            self.0.show(Arc::new(data), serde_wasm_bindgen::from_value(told)?);
            Ok(())
        }
    }
}

fn main() {}
