//! Browsers under control: their settings, the driver that starts them, and their certain end.
//!
//! Everything that starts a browser is given a mark in its environment. A small shell process waits for
//! the end of this program, however it comes about, and then ends whatever still bears the mark.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::facts::Facts;
use crate::toolchain::{self, WASM_RUNNER};
use crate::{Failure, Places, process, serve};

const MARK: &str = "WARPSPAN_BROWSERS_OF";

/// What a browser under test is started with: no window, no calls home.
const CHROMIUM_FLAGS: [&str; 7] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
];

/// Waits for its standard input to end, then ends every process with the mark `$1`, and removes `$2`.
const WATCH: &str = r#"
trap : INT TERM HUP
cat > /dev/null
for round in 1 2 3; do
  for variables in /proc/[0-9]*/environ; do
    if tr '\0' '\n' < "$variables" 2> /dev/null | grep -qxF "$1"; then
      process=${variables#/proc/}
      kill -9 "${process%/environ}" 2> /dev/null
    fi
  done
done
rm -rf "$2"
"#;

/// A stretch of time in which browsers run; none outlives it.
pub(crate) struct Browsers {
    mark: String,
    /// Profiles and other passing files of the browsers.
    temporary: PathBuf,
    watch: Option<Child>,
}

impl Browsers {
    pub(crate) fn guard() -> Result<Self, Failure> {
        let id = std::process::id();
        let temporary = std::env::temp_dir().join(format!("warpspan-{id}"));
        fs::create_dir_all(&temporary).map_err(Failure::file("make the folder", &temporary))?;
        let mark = format!("{id}");
        let mut shell = Command::new("sh");
        shell.args(["-c", WATCH, "watch"]).arg(format!("{MARK}={mark}")).arg(&temporary);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Without a shell (on other systems) the driver alone is ended.
        Ok(Self { mark, temporary, watch: shell.spawn().ok() })
    }

    fn mark(&self, command: &mut Command) {
        command.env(MARK, &self.mark).env("TMPDIR", &self.temporary);
    }

    /// Lets `cargo test` for wasm run its tests in a browser.
    pub(crate) fn prepare_wasm_tests(
        &self,
        cargo: &mut Command,
        places: &Places,
        facts: &Facts,
    ) -> Result<(), Failure> {
        let (chromium, driver) = programs(facts)?;
        let scratch = places.scratch();
        let settings = scratch.join("webdriver.json");
        fs::create_dir_all(&scratch).map_err(Failure::file("make the folder", &scratch))?;
        fs::write(&settings, webdriver_json(chromium)).map_err(Failure::file("write", &settings))?;
        cargo.env("CHROMEDRIVER", driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", settings);
        cargo.env(WASM_RUNNER, "wasm-bindgen-test-runner");
        self.mark(cargo);
        Ok(())
    }
}

impl Drop for Browsers {
    fn drop(&mut self) {
        if let Some(watch) = &mut self.watch {
            // The end of its input makes the shell do its work.
            drop(watch.stdin.take());
            let _ = watch.wait();
        }
    }
}

/// The built page being served, and a driver that can open it in a browser.
pub(crate) struct Session {
    page: String,
    driver_address: SocketAddr,
    driver: Child,
    log: PathBuf,
    chromium: PathBuf,
    browsers: Browsers,
    page_is_optimised: bool,
}

impl Session {
    pub(crate) fn start(places: &Places, facts: &Facts) -> Result<Self, Failure> {
        let (chromium, driver) = programs(facts)?;
        let dist = places.dist();
        if !dist.join("index.html").is_file() {
            return Err(Failure::person("there is no page in dist/", "run `cargo xtask build` first"));
        }
        let server = serve::Server::start(&dist, 0)?;
        let browsers = Browsers::guard()?;
        let driver_address = free_address()?;
        let scratch = places.scratch();
        fs::create_dir_all(&scratch).map_err(Failure::file("make the folder", &scratch))?;
        let log = scratch.join("chromedriver.log");
        let mut command = toolchain::native(&driver.to_string_lossy());
        command.arg(format!("--port={}", driver_address.port())).stdin(Stdio::null());
        let to_log = || File::create(&log).map_err(Failure::file("write", &log));
        command.stdout(to_log()?).stderr(Stdio::null());
        browsers.mark(&mut command);
        println!(
            "\n» Serving dist/ at {}, starting the driver\n  $ {}",
            server.url(),
            process::words(&command)
        );
        let child = command.spawn().map_err(Failure::file("start", driver))?;
        let session = Self {
            page: server.url(),
            driver_address,
            driver: child,
            log,
            chromium: chromium.to_owned(),
            browsers,
            page_is_optimised: facts.optimises_wasm(),
        };
        session.wait_for_driver()?;
        Ok(session)
    }

    fn wait_for_driver(&self) -> Result<(), Failure> {
        let end = Instant::now() + Duration::from_secs(30);
        while Instant::now() < end {
            if TcpStream::connect(self.driver_address).is_ok() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::person(
            "chromedriver did not answer within 30 s",
            format!("read {}, and see that `chromedriver --version` works", self.log.display()),
        ))
    }

    /// Tells a test program where the page, the driver and the browser are.
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.env("WARPSPAN_URL", &self.page);
        command.env("WARPSPAN_WEBDRIVER", format!("http://{}", self.driver_address));
        command.env("WARPSPAN_CHROMIUM", &self.chromium);
        if !self.page_is_optimised {
            command.env("WARPSPAN_PAGE_NOT_OPTIMISED", "1");
        }
        self.browsers.mark(command);
    }

    /// Adds where to look further.
    pub(crate) fn explain(&self, failure: Failure) -> Failure {
        failure.advise(&format!("read its output above, and the driver's in {}", self.log.display()))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Already gone is as good; the browsers end after this, with the field that guards them.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn programs(facts: &Facts) -> Result<(&Path, &Path), Failure> {
    match (&facts.chromium, &facts.chromedriver) {
        (Some(chromium), Some(driver)) => Ok((chromium, driver)),
        _ => Err(Failure::person("there is no Chromium with its driver", "run `cargo xtask setup`")),
    }
}

fn free_address() -> Result<SocketAddr, Failure> {
    let place = Path::new("127.0.0.1");
    let listener = TcpListener::bind("127.0.0.1:0").map_err(Failure::file("listen on", place))?;
    listener.local_addr().map_err(Failure::file("listen on", place))
}

/// The browser's settings in the form that the runner of wasm tests reads.
fn webdriver_json(chromium: &Path) -> String {
    let flags = CHROMIUM_FLAGS.map(|flag| format!("\"{flag}\"")).join(", ");
    let binary = chromium.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("{{\"goog:chromeOptions\": {{\"binary\": \"{binary}\", \"args\": [{flags}]}}}}\n")
}
