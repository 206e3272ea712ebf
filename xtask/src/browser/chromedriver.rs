//! ChromeDriver: started on a free port, waited for, and ended with the session it belongs to.

use std::fs::File;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use super::Browsers;
use crate::{Failure, Places, process, toolchain};

/// A running driver; it is ended when dropped.
pub(super) struct ChromeDriver {
    pub(super) address: SocketAddr,
    pub(super) log: PathBuf,
    child: Child,
}

impl ChromeDriver {
    pub(super) fn start(places: &Places, program: &Path, browsers: &Browsers) -> Result<Self, Failure> {
        let address = free_address()?;
        let log = places.scratch().join("chromedriver.log");
        let mut command = toolchain::native(&program.to_string_lossy());
        command.arg(format!("--port={}", address.port())).stdin(Stdio::null());
        let to_log = File::create(&log).map_err(Failure::file("write", &log))?;
        command.stdout(to_log).stderr(Stdio::null());
        browsers.mark(&mut command);
        println!("\n» Starting the driver\n  $ {}", process::words(&command));
        let child = command.spawn().map_err(Failure::file("start", program))?;
        let driver = Self { address, log, child };
        driver.wait()?;
        Ok(driver)
    }

    fn wait(&self) -> Result<(), Failure> {
        if process::patiently(|| TcpStream::connect(self.address).is_ok()) {
            return Ok(());
        }
        Err(Failure::person(
            "chromedriver does not answer",
            format!("read {}, and see that `chromedriver --version` works", self.log.display()),
        ))
    }
}

impl Drop for ChromeDriver {
    fn drop(&mut self) {
        // Already gone is as good; the browsers end after this, with what guards them.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_address() -> Result<SocketAddr, Failure> {
    let place = Path::new("127.0.0.1");
    let listener = TcpListener::bind("127.0.0.1:0").map_err(Failure::file("listen on", place))?;
    listener.local_addr().map_err(Failure::file("listen on", place))
}
