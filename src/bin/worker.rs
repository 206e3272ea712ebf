//! The wasm for searches: runs jobs of all labs for the page. Holds no front-end.

#[cfg(target_arch = "wasm32")]
fn main() {
    use warpspan::job::{recorded, searches, traced, worker};

    let other = |data: &_| recorded::hear(data) || traced::hear(data);
    worker::start(worker::Skills { linked: &labs::WORKED, more: searches::more, other });
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
