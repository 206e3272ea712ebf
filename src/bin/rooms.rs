//! The wasm of the rooms beside the labs, which the page loads when someone enters one or begins a lesson.

#[cfg(target_arch = "wasm32")]
mod exports {
    use warpspan::ui::rooms::{guessing, lesson, lessons, reproduce, sheet};
    use wasm_bindgen::prelude::*;
    use web_sys::HtmlElement;

    /// A room, or the panel of a lesson, or a sheet; `free` takes it away.
    macro_rules! door {
        ($name:ident, $mount:ident, $module:ident) => {
            #[doc = concat!("`", stringify!($module), "` in the page; `free` takes it away.")]
            #[wasm_bindgen]
            pub struct $name($module::Mounted);

            /// Puts it into an element. `act` hears what someone wants done.
            #[wasm_bindgen(js_name = $module)]
            pub fn $mount(host: HtmlElement, act: js_sys::Function) -> $name {
                $name($module::Mounted::new(host, act))
            }

            #[wasm_bindgen]
            impl $name {
                /// Shows what was heard, and how the page stands.
                pub fn show(&self, heard: js_sys::Array, told: JsValue) -> Result<(), JsError> {
                    self.0.show(&heard, serde_wasm_bindgen::from_value(told)?);
                    Ok(())
                }
            }
        };
    }

    door!(Reproduce, mount_reproduce, reproduce);
    door!(Guessing, mount_guessing, guessing);
    door!(Lessons, mount_lessons, lessons);
    door!(Lesson, mount_lesson, lesson);
    door!(Sheet, mount_sheet, sheet);
}

fn main() {}
