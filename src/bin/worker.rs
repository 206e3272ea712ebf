//! The wasm for searches: runs jobs for the page, built for speed. Holds no front-end.

fn main() {
    #[cfg(target_arch = "wasm32")]
    warpspan::job::worker::start();
}
