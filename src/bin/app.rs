//! The page's wasm. The workers of its quick jobs are given the same, and run jobs instead of showing anything.

#[cfg(target_arch = "wasm32")]
fn main() {
    use warpspan::job::worker::{Skills, start};
    use warpspan::page::linked::LINKED;

    if web_sys::window().is_some() {
        warpspan::ui::start();
    } else {
        start(Skills { linked: &LINKED, more: |_| None, other: |_| false });
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
