//! The page for those who work on it: there soon, and built anew by itself after every change.
//!
//! trunk builds it in two halves, the programs and all the rest, which are put together in a third folder. A change of
//! a style sheet builds only the rest and waits for no compiler; after a change of Rust the program that the page
//! begins with comes first, and the parts that it loads later follow.
//!
//! Invariants: `dist/` is what visitors get, and is never touched here; what is served is a whole page at any time, an
//! older one where the newest does not compile; its programs are not stamped, so they agree with each other.

mod halves;
mod join;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::facts::{Facts, Need};
use crate::process::run as run_program;
use crate::serve::{self, Server};
use crate::spans::{self, Span};
use crate::{Failure, Places, policy, setup, toolchain};
use watch::{Touched, Watch};

/// Cargo's profile for it.
const PROFILE: &str = "serve";

/// Sets up, builds, serves, and builds again whenever a file changes; ends with the program.
pub(crate) fn serve(places: &Places, port: u16) -> Result<(), Failure> {
    let begun = Instant::now();
    let facts = setup::set_up(places, &[Need::Draft])?;
    println!("Set up in {:.1} s.", begun.elapsed().as_secs_f64());
    let draft = Draft::of(places, &facts)?;
    let server = serve::plain(&draft.page, port)?;
    if draft.is_there() {
        println!("\nWhat was built before is at {}; it is built anew.", server.url());
    }
    let mut watch = Watch::begin(&places.root);
    draft.build(Touched::Programs, &server);
    loop {
        println!("\nServing {}   (builds again when a file changes; Ctrl-C ends it)", server.url());
        let changed = watch.next(&draft.compiled());
        println!("\nChanged: {}", changed.names());
        draft.build(changed.touched, &server);
    }
}

/// Where its halves are built and joined.
struct Draft<'a> {
    places: &'a Places,
    facts: &'a Facts,
    /// `index.html` as it was written, and the folder it is taken apart in.
    source: PathBuf,
    work: PathBuf,
    /// The folder that is served.
    page: PathBuf,
}

/// One of the builds that trunk does.
struct Half {
    name: &'static str,
    what: &'static str,
    span: Span,
}

const FIRST: Half =
    Half { name: "first", what: "Building the program that the page begins with", span: spans::DRAFT_FIRST };
const PROGRAMS: Half =
    Half { name: "programs", what: "Building the parts that it loads later", span: spans::DRAFT_PROGRAMS };
const REST: Half = Half { name: "rest", what: "Putting the page around them", span: spans::DRAFT_REST };

impl<'a> Draft<'a> {
    fn of(places: &'a Places, facts: &'a Facts) -> Result<Self, Failure> {
        // Seen from here the sources are three folders up, wherever cargo's target folder is.
        let work = places.root.join("target/draft");
        let draft =
            Self { places, facts, source: places.root.join("index.html"), page: work.join("page"), work };
        fs::create_dir_all(&draft.page).map_err(Failure::file("make the folder", &draft.page))?;
        Ok(draft)
    }

    fn is_there(&self) -> bool {
        self.page.join("index.html").is_file()
    }

    /// Where cargo says which files the programs are compiled from.
    fn compiled(&self) -> PathBuf {
        toolchain::wasm_target(self.facts, self.places).join(toolchain::WASM).join(PROFILE)
    }

    /// Builds what is needed after such a change, and says how it ended: a mistake in the sources is no end of serving.
    fn build(&self, touched: Touched, server: &Server) {
        let begun = Instant::now();
        let built = match touched {
            Touched::Rest if self.built(&PROGRAMS).is_file() => {
                self.rest(&PROGRAMS).and_then(|()| self.joined(&PROGRAMS))
            }
            Touched::Rest | Touched::Programs => self.first(server).and_then(|()| self.programs()),
        };
        match built {
            Ok(()) => println!("\nBuilt in {:.1} s.", begun.elapsed().as_secs_f64()),
            Err(failure) => eprintln!("\nerror: {failure}\nWhat was built before stays."),
        }
    }

    /// The program that the page begins with; the parts are those of before.
    fn first(&self, server: &Server) -> Result<(), Failure> {
        self.trunk(&FIRST, &halves::first(&self.read_source()?)?)?;
        self.rest(&FIRST)?;
        let outcome = join::join(&[&self.dist(&FIRST), &self.dist(&REST)], &self.page, join::Older::Stay)?;
        join::announce(&self.page, outcome)?;
        println!("\nThe page is at {}; the parts that it loads later follow.", server.url());
        Ok(())
    }

    fn programs(&self) -> Result<(), Failure> {
        self.trunk(&PROGRAMS, &halves::programs(&self.read_source()?))?;
        self.rest(&PROGRAMS)?;
        self.joined(&PROGRAMS)
    }

    /// Everything but the programs, around those of another half.
    fn rest(&self, programs: &Half) -> Result<(), Failure> {
        let path = self.built(programs);
        let built = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
        self.trunk(&REST, &halves::rest(&self.read_source()?, &built)?)?;
        policy::write(&self.dist(&REST))
    }

    fn joined(&self, programs: &Half) -> Result<(), Failure> {
        let halves = [self.dist(programs), self.dist(&REST)];
        let halves: Vec<&Path> = halves.iter().map(PathBuf::as_path).collect();
        join::announce(&self.page, join::join(&halves, &self.page, join::Older::Go)?)
    }

    fn read_source(&self) -> Result<String, Failure> {
        fs::read_to_string(&self.source).map_err(Failure::file("read", &self.source))
    }

    /// The page that trunk has made of a half.
    fn built(&self, half: &Half) -> PathBuf {
        self.dist(half).join("index.html")
    }

    fn dist(&self, half: &Half) -> PathBuf {
        self.work.join(half.name).join("dist")
    }

    fn trunk(&self, half: &Half, page: &str) -> Result<(), Failure> {
        let folder = self.work.join(half.name);
        fs::create_dir_all(&folder).map_err(Failure::file("make the folder", &folder))?;
        let path = folder.join("index.html");
        fs::write(&path, page).map_err(Failure::file("write", &path))?;
        let mut trunk = toolchain::wasm("trunk", self.facts, self.places);
        trunk.current_dir(&self.places.root).args(["build", "--log", "error", "--cargo-profile", PROFILE]);
        trunk.arg("--dist").arg(self.dist(half)).arg(path);
        toolchain::calm(&mut trunk);
        run_program(half.what, half.span, &mut trunk)
    }
}
