//! geckodriver: a process for each Firefox, as one drives only one.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::patience::until_there;

/// Ends the driver `$1` when the standard input ends, as it does with the program that holds its other side.
const WATCH: &str = r#"
"$1" --port "$2" --allow-system-access --log error > /dev/null 2>&1 &
cat > /dev/null
kill $!
wait $!
"#;

/// The watching processes, kept so that their input stays open.
static DRIVERS: Mutex<Vec<Child>> = Mutex::new(Vec::new());

/// Starts a driver and gives its address once it answers.
pub(super) async fn start() -> Result<SocketAddr, String> {
    let program = std::env::var("WARPSPAN_GECKODRIVER").unwrap_or_else(|_| "geckodriver".to_owned());
    let address = free_address().map_err(|error| format!("no port for geckodriver: {error}"))?;
    let mut shell = Command::new("sh");
    shell.args(["-c", WATCH, "watch", &program, &address.port().to_string()]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = shell.spawn().map_err(|error| format!("no shell to start {program}: {error}"))?;
    DRIVERS.lock().unwrap_or_else(PoisonError::into_inner).push(child);
    until_there(&format!("{program} to answer"), || {
        TcpStream::connect(address).map(|_| address).map_err(|error| error.to_string())
    })
    .await
}

fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}
