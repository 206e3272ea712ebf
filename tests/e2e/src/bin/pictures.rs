//! Pictures of the first screen, in both themes and at three widths, into the folder named as argument.
//!
//! Needs the page served and a driver running, as the tests do.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use warpspan_e2e::{Look, Outcome, Page, System, in_browser};

/// Width and height of the pictures.
const SIZES: [(u32, u32); 3] = [(1440, 1000), (1024, 768), (390, 844)];

/// The notice of the first result lies over the picture for some seconds.
const FADED: &str = "return getComputedStyle(document.querySelector('[data-testid=status]')).opacity === '0'";

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from) else {
        eprintln!("usage: pictures FOLDER");
        return ExitCode::from(2);
    };
    match in_browser(Look::default(), async move |page| all(&page, &folder).await) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

async fn all(page: &Page, folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for system in [System::Light, System::Dark] {
        for (width, height) in SIZES {
            page.look(Look { width, height, system }).await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            page.until("the notice to fade", FADED).await?;
            let file = folder.join(format!("{}-{width}.png", system.name()));
            std::fs::write(&file, page.screenshot().await?)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            println!("{}", file.display());
        }
    }
    Ok(())
}
