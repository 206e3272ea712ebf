//! Browsers under control: their settings, the driver that starts them, and their certain end.
//!
//! Everything that starts a browser is given a mark in its environment. A small shell process waits for
//! the end of this program, however it comes about, and then ends whatever still bears the mark.

mod chromedriver;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::facts::Facts;
use crate::toolchain::WASM_RUNNER;
use crate::{Failure, Places, serve};
use chromedriver::ChromeDriver;

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

/// How many browsers this machine bears at a time: one for each processor this program may use, fewer where memory is
/// short, at least one. Each is busy with a process for the page, one for the screen and one or two workers: on two
/// processors two browsers take four fifths of the time of one, three save another twentieth, four lose it again.
pub(crate) fn at_once() -> usize {
    const EACH_KIB: usize = 700 << 10;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available_kib(&text));
    processors.min(memory.map_or(usize::MAX, |kib| kib / EACH_KIB)).max(1)
}

fn available_kib(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

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

/// The built page being served, and a browser that tests can open it in.
pub(crate) struct Session {
    page: String,
    browser: Browser,
    axe: Option<PathBuf>,
    page_is_optimised: bool,
    // The last field: drivers end before what guards the browsers does.
    browsers: Browsers,
}

enum Browser {
    Chromium {
        program: PathBuf,
        driver: ChromeDriver,
    },
    /// The tests start drivers themselves: one drives one browser only.
    Firefox {
        program: PathBuf,
        geckodriver: PathBuf,
    },
}

impl Session {
    pub(crate) fn chromium(places: &Places, facts: &Facts) -> Result<Self, Failure> {
        let (chromium, driver) = programs(facts)?;
        Self::start(places, facts, |browsers| {
            let driver = ChromeDriver::start(places, driver, browsers)?;
            Ok(Browser::Chromium { program: chromium.to_owned(), driver })
        })
    }

    pub(crate) fn firefox(
        places: &Places,
        facts: &Facts,
        firefox: &Path,
        geckodriver: &Path,
    ) -> Result<Self, Failure> {
        let (program, geckodriver) = (firefox.to_owned(), geckodriver.to_owned());
        Self::start(places, facts, |_| Ok(Browser::Firefox { program, geckodriver }))
    }

    fn start(
        places: &Places,
        facts: &Facts,
        browser: impl FnOnce(&Browsers) -> Result<Browser, Failure>,
    ) -> Result<Self, Failure> {
        let dist = places.dist();
        if !dist.join("index.html").is_file() {
            return Err(Failure::person("there is no page in dist/", "run `cargo xtask build` first"));
        }
        let scratch = places.scratch();
        fs::create_dir_all(&scratch).map_err(Failure::file("make the folder", &scratch))?;
        let server = serve::Server::start(&dist, 0, serve::Bodies::Packed)?;
        let browsers = Browsers::guard()?;
        println!("\n» Serving dist/ at {}", server.url());
        let browser = browser(&browsers)?;
        Ok(Self {
            page: server.url(),
            browser,
            axe: facts.axe.clone(),
            page_is_optimised: facts.optimises_wasm(),
            browsers,
        })
    }

    /// The browser's name.
    pub(crate) fn name(&self) -> &'static str {
        match self.browser {
            Browser::Chromium { .. } => "Chromium",
            Browser::Firefox { .. } => "Firefox",
        }
    }

    /// Tells a test program where the page, the driver and the browser are.
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.env("WARPSPAN_URL", &self.page);
        match &self.browser {
            Browser::Chromium { program, driver } => {
                command.env("WARPSPAN_BROWSER", "chromium").env("WARPSPAN_CHROMIUM", program);
                command.env("WARPSPAN_WEBDRIVER", format!("http://{}", driver.address));
            }
            Browser::Firefox { program, geckodriver } => {
                command.env("WARPSPAN_BROWSER", "firefox").env("WARPSPAN_FIREFOX", program);
                command.env("WARPSPAN_GECKODRIVER", geckodriver);
            }
        }
        if let Some(axe) = &self.axe {
            command.env("WARPSPAN_AXE", axe);
        }
        if !self.page_is_optimised {
            command.env("WARPSPAN_PAGE_NOT_OPTIMISED", "1");
        }
        self.browsers.mark(command);
    }

    /// Adds where to look further.
    pub(crate) fn explain(&self, failure: Failure) -> Failure {
        match &self.browser {
            Browser::Chromium { driver, .. } => failure
                .advise(&format!("read its output above, and the driver's in {}", driver.log.display())),
            Browser::Firefox { .. } => failure.advise("read its output above"),
        }
    }
}

fn programs(facts: &Facts) -> Result<(&Path, &Path), Failure> {
    match (&facts.chromium, &facts.chromedriver) {
        (Some(chromium), Some(driver)) => Ok((chromium, driver)),
        _ => Err(Failure::person("there is no Chromium with its driver", "run `cargo xtask setup`")),
    }
}

/// The browser's settings in the form that the runner of wasm tests reads.
fn webdriver_json(chromium: &Path) -> String {
    let flags = CHROMIUM_FLAGS.map(|flag| format!("\"{flag}\"")).join(", ");
    let binary = chromium.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("{{\"goog:chromeOptions\": {{\"binary\": \"{binary}\", \"args\": [{flags}]}}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_the_system_tells() {
        let told = "MemTotal:       24645532 kB\nMemFree:          100 kB\nMemAvailable:   21000000 kB\n";
        assert_eq!(available_kib(told), Some(21_000_000));
        assert_eq!(available_kib("MemAvailable: many"), None);
        assert!(at_once() >= 1);
    }
}
