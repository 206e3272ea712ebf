//! The worker's wasm: runs jobs for the page. Holds no front-end.

fn main() {
    #[cfg(target_arch = "wasm32")]
    warpspan::job::worker::start();
}
