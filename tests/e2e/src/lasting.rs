//! The runtime that outlives tests: sessions with browsers that are kept live on it.

use std::sync::OnceLock;
use std::sync::mpsc::channel;

use tokio::runtime::{Builder, Handle};

/// Does something on a runtime that lives as long as the program: sessions live where they were started.
pub(crate) async fn on_lasting_runtime<T: Send + 'static>(
    work: impl Future<Output = Result<T, String>> + Send + 'static,
) -> Result<T, String> {
    static RUNTIME: OnceLock<Result<Handle, String>> = OnceLock::new();
    let handle = RUNTIME.get_or_init(lasting).clone()?;
    handle.spawn(work).await.map_err(|error| error.to_string())?
}

fn lasting() -> Result<Handle, String> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        runtime.block_on(async {
            // Nobody listens any more only where the program is at its end.
            let _ = sender.send(Handle::current());
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().map_err(|error| error.to_string())
}
