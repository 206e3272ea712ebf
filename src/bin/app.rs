//! The page's wasm.

fn main() {
    warpspan::ui::start();
}
