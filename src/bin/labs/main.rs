//! The wasm of the labs and rooms, which the page loads with the first part that it does not hold itself.

#[cfg(target_arch = "wasm32")]
mod parts;

#[cfg(target_arch = "wasm32")]
mod exports {
    use js_sys::{Array, Uint8Array};
    use kit::page::opened::Outcome;
    use labs::open::Opening;
    use ui_kit::mounted::{Host, Shows};
    use warps_ui::schedule_trace;
    use wasm_bindgen::prelude::*;
    use wasm_bindgen_futures::JsFuture;
    use web_sys::HtmlElement;

    /// A part in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Mounted(Box<dyn Shows>);

    /// Puts a part into an element. `act` hears what it asks for.
    #[wasm_bindgen]
    pub fn mount(part: JsValue, element: HtmlElement, act: js_sys::Function) -> Result<Mounted, JsError> {
        Ok(Mounted(super::parts::mount(serde_wasm_bindgen::from_value(part)?, Host { element, act })))
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

    /// Opens files together, beside the document on the page; `kit::page::opened` says what comes of it.
    #[wasm_bindgen]
    pub async fn open_files(files: Array, present: Option<String>) -> JsValue {
        let mut opening = Opening::beside(present.as_deref());
        let (rest, capture) =
            waves_ui::document_of(ui_kit::dropped::files(&files).await, present.as_deref()).await;
        match capture {
            Some(Ok((name, document))) => opening.recordings(&[name], &document),
            Some(Err((name, problems))) => opening.unread(&name, problems),
            None => {}
        }
        let files: Array = rest.iter().map(|(_, file)| file).collect();
        let (recordings, document) = traces_ui::document_of(&files, present.as_deref()).await;
        let named = |place: &u32| rest[*place as usize].1.name();
        if let Some(document) = document {
            opening.recordings(&recordings.iter().map(named).collect::<Vec<_>>(), &document);
        }
        for (place, (_, file)) in (0..).zip(&rest) {
            if !recordings.contains(&place) {
                let bytes = JsFuture::from(file.array_buffer()).await.ok();
                let bytes = bytes.map(|buffer| Uint8Array::new(&buffer).to_vec());
                opening.file(&file.name(), bytes.as_deref());
            }
        }
        said(&opening.over())
    }

    /// Opens a text likewise; a recording as the file that it was.
    #[wasm_bindgen]
    pub async fn open_text(text: String, source: String, present: Option<String>) -> JsValue {
        const NAME: &str = "pasted.json";
        let file = web_sys::File::new_with_str_sequence(&Array::of1(&text.as_str().into()), NAME);
        let files: Array = file.ok().iter().collect();
        if let (_, Some(document)) = traces_ui::document_of(&files, present.as_deref()).await {
            let mut opening = Opening::beside(present.as_deref());
            opening.recordings(&[NAME.to_owned()], &document);
            return said(&opening.over());
        }
        said(&labs::open::text(present.as_deref(), &source, &text))
    }

    fn said(outcome: &Outcome) -> JsValue {
        // Plain data: turning them into JavaScript values cannot fail.
        serde_wasm_bindgen::to_value(outcome).unwrap_or_default()
    }
}

fn main() {}
