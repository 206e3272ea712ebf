//! Measures natively with cargo bench, then the built page in the browser; and takes its pictures.

use crate::browser::Session;
use crate::facts::Need;
use crate::process::run as run_program;
use crate::{Failure, Places, page, setup, spans, toolchain};

/// Both measurements, one after the other; or a part of that in the browser.
pub(crate) fn run(places: &Places, only: &[String]) -> Result<(), Failure> {
    let needs = [Need::Page, Need::Browser];
    let facts = setup::set_up(places, &needs)?;

    if only.is_empty() {
        let mut native = toolchain::native("cargo");
        native.current_dir(&places.root).arg("bench");
        run_program("Measuring natively", spans::BENCH, &mut native)?;
    }

    page::build(places, &facts)?;
    let session = Session::chromium(places, &facts)?;
    let mut browser = toolchain::native("cargo");
    browser.current_dir(&places.root);
    browser.args(["run", "--release", "--package", "warpspan-e2e", "--bin", "bench", "--"]).args(only);
    session.prepare(&mut browser);
    run_program("Measuring in the browser", spans::BENCH_PAGE, &mut browser)
        .map_err(|failure| session.explain(failure))
}

/// A picture of every view of the built page.
pub(crate) fn pictures(places: &Places) -> Result<(), Failure> {
    let facts = setup::set_up(places, &[Need::Page, Need::Browser])?;
    page::build(places, &facts)?;
    let session = Session::chromium(places, &facts)?;
    let mut program = toolchain::native("cargo");
    program.current_dir(&places.root);
    program.args(["run", "--package", "warpspan-e2e", "--bin", "pictures", "--"]);
    program.arg(places.root.join("target/pictures"));
    session.prepare(&mut program);
    run_program("Taking pictures of every view", spans::PICTURES, &mut program)
        .map_err(|failure| session.explain(failure))
}
