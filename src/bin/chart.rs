//! The charts' wasm, which the page loads with the first of them, or with the first conjecture.

#[cfg(target_arch = "wasm32")]
mod exports {
    use std::sync::Arc;

    use warpspan::ui::bench::{self, form};
    use warpspan::ui::convergence::Mounted;
    use warpspan::ui::schedule_trace::{self, To};
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

    /// The panel of a conjecture in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Bench(bench::Mounted);

    /// Puts the panel of a conjecture into an element. `act` hears what someone wants done.
    #[wasm_bindgen(js_name = bench)]
    pub fn mount_bench(host: HtmlElement, act: js_sys::Function) -> Bench {
        Bench(bench::Mounted::new(host, act))
    }

    #[wasm_bindgen]
    impl Bench {
        /// Shows what a worker told, and how it stands.
        pub fn show(&self, lines: js_sys::Array, told: JsValue) -> Result<(), JsError> {
            self.0.show(&lines, serde_wasm_bindgen::from_value(told)?);
            Ok(())
        }
    }

    /// The form of a conjecture in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Form(form::Mounted);

    /// Puts the form of a conjecture into an element. `act` hears of edits.
    #[wasm_bindgen(js_name = form)]
    pub fn mount_form(host: HtmlElement, act: js_sys::Function) -> Form {
        Form(form::mount(host, act))
    }

    /// The form of loads that take their time, in an element; likewise.
    #[wasm_bindgen(js_name = memory_form)]
    pub fn mount_memory(host: HtmlElement, act: js_sys::Function) -> Form {
        Form(form::mount_memory(host, act))
    }

    #[wasm_bindgen]
    impl Form {
        /// Shows a document, and what is wrong with it.
        pub fn show(&self, text: String, problems: JsValue) -> Result<(), JsError> {
            self.0.show(text, serde_wasm_bindgen::from_value(problems)?);
            Ok(())
        }
    }

    /// Writes the trace of a report: to the tab that Perfetto is in, which is null where the browser opened none, or
    /// into a file where `tab` is undefined. Tells what there is to say.
    #[wasm_bindgen]
    pub async fn trace(report: String, tab: JsValue) -> Option<String> {
        let to = if tab.is_undefined() {
            To::File
        } else {
            // Windows of other origins cannot be asked what they are.
            To::Perfetto((!tab.is_null()).then(|| tab.unchecked_into()))
        };
        schedule_trace::trace(&report, to).await.map(str::to_owned)
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
