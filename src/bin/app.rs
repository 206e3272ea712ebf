//! The page's wasm. The workers of its quick jobs are given the same, and run jobs instead of showing anything.

fn main() {
    if web_sys::window().is_some() {
        warpspan::ui::start();
    } else {
        #[cfg(target_arch = "wasm32")]
        warpspan::job::worker::start();
    }
}
