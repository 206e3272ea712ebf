//! The wasm of the labs and rooms, which the page loads with the first part that it does not hold itself.

#[cfg(target_arch = "wasm32")]
mod parts;

#[cfg(target_arch = "wasm32")]
mod exports {
    use ui_kit::mounted::Shows;
    use warps_ui::schedule_trace;
    use wasm_bindgen::prelude::*;
    use web_sys::HtmlElement;

    /// A part in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Mounted(Box<dyn Shows>);

    /// Puts a part into an element. `act` hears what it asks for.
    #[wasm_bindgen]
    pub fn mount(part: JsValue, host: HtmlElement, act: js_sys::Function) -> Result<Mounted, JsError> {
        Ok(Mounted(super::parts::mount(serde_wasm_bindgen::from_value(part)?, host, act)))
    }

    #[wasm_bindgen]
    impl Mounted {
        /// Shows what there is to hear, and how the page stands.
        pub fn show(&self, heard: &js_sys::Array, told: JsValue) -> Result<(), JsError> {
            Ok(self.0.show(heard, told)?)
        }
    }

    /// Writes the trace of a report: to the tab that Perfetto is in, which is null where the browser opened none, or
    /// into a file where `tab` is undefined. Tells what there is to say.
    #[wasm_bindgen]
    pub async fn trace(report: String, tab: JsValue) -> Option<String> {
        let to = if tab.is_undefined() {
            schedule_trace::To::File
        } else {
            // Windows of other origins cannot be asked what they are.
            schedule_trace::To::Perfetto((!tab.is_null()).then(|| tab.unchecked_into()))
        };
        schedule_trace::trace(&report, to).await.map(str::to_owned)
    }

    /// Walks through the program of a document: crates/warps/lab/src/scenario/programs.rs says what is asked and answered.
    #[wasm_bindgen]
    pub fn walk(asked: &str) -> String {
        warpspan::scenario::programs::answer(asked)
    }

    /// The document of a text that may be PTX, in the document that is there, if there is one without a mistake; or the
    /// problems of a text that cannot be read.
    #[wasm_bindgen]
    pub fn document_of_program(text: &str, present: Option<String>) -> Result<String, JsValue> {
        let present = present.and_then(|present| warpspan::import::json::parse(&present).ok());
        let document = warpspan::scenario::document_in(present.as_ref(), text);
        as_text(document)
    }

    /// Which of some files are recordings of profilers, and the document that shows those together; none where none is.
    /// They are kept for whoever shows that document.
    #[wasm_bindgen]
    pub async fn document_of_recordings(files: js_sys::Array) -> JsValue {
        let (which, document) = traces_ui::document_of(&files).await;
        let document = document.map(|tree| warpspan::import::json::pretty(&tree));
        serde_wasm_bindgen::to_value(&(which, document)).unwrap_or_default()
    }

    fn as_text(document: Result<serde_json::Value, Vec<warpspan::base::Problem>>) -> Result<String, JsValue> {
        let document = document.map(|tree| warpspan::import::json::pretty(&tree));
        document.map_err(|problems| serde_wasm_bindgen::to_value(&problems).unwrap_or_default())
    }

    /// The document of an AMALTHEA model, as text; or the problems of one that cannot be read.
    #[wasm_bindgen]
    pub fn document_of_model(text: &str) -> Result<String, JsValue> {
        as_text(kit::scenario::tree(labs::LABS, text))
    }
}

fn main() {}
