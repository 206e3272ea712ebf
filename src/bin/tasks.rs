//! The wasm of the lab of recurring tasks, which the page loads when someone goes there.

#[cfg(target_arch = "wasm32")]
mod exports {
    use warpspan::ui::tasks::{self, form};
    use wasm_bindgen::prelude::*;
    use web_sys::HtmlElement;

    /// The panel of a tasks document in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct Tasks(tasks::Mounted);

    /// Puts the panel into an element. `act` hears what someone wants done.
    #[wasm_bindgen(js_name = tasks)]
    pub fn mount_tasks(host: HtmlElement, act: js_sys::Function) -> Tasks {
        Tasks(tasks::Mounted::new(host, act))
    }

    #[wasm_bindgen]
    impl Tasks {
        /// Shows what a worker told, and how it stands.
        pub fn show(&self, lines: js_sys::Array, told: JsValue) -> Result<(), JsError> {
            self.0.show(&lines, serde_wasm_bindgen::from_value(told)?);
            Ok(())
        }
    }

    /// The form of a tasks document in the page; `free` takes it away.
    #[wasm_bindgen]
    pub struct TasksForm(form::Mounted);

    /// Puts the form into an element. `act` hears of edits.
    #[wasm_bindgen(js_name = tasks_form)]
    pub fn mount_form(host: HtmlElement, act: js_sys::Function) -> TasksForm {
        TasksForm(form::mount(host, act))
    }

    #[wasm_bindgen]
    impl TasksForm {
        /// Shows a document, and what is wrong with it.
        pub fn show(&self, text: String, problems: JsValue) -> Result<(), JsError> {
            self.0.show(text, serde_wasm_bindgen::from_value(problems)?);
            Ok(())
        }
    }
}

fn main() {}
