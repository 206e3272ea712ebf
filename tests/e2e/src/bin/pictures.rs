//! Pictures of every view of the page, in both themes and at four sizes, into the folder named as argument, and a page
//! with all of them side by side.
//!
//! Needs the page served and a driver running, as the tests do.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use warpspan_e2e::views::{LABS, ROOMS, View};
use warpspan_e2e::{Look, Outcome, Page, System, in_browser};

/// Width and height of the pictures.
const SIZES: [(u32, u32); 4] = [(1440, 900), (1280, 720), (1024, 768), (390, 844)];

/// What was said of the first result lies over the picture for some seconds.
const FADED: &str = "return !document.querySelector('.toast')";

/// How the page with all pictures begins.
const HEAD: &str = "<!doctype html><meta charset=\"utf-8\"><title>Warpspan, view by view</title>
<style>body { font: 14px system-ui; background: #777; } section { display: flex; flex-wrap: wrap; gap: 8px; align-items: start; }
h2 { color: #fff; } figure { margin: 0; } img { height: 320px; display: block; } figcaption { color: #fff; }</style>
";

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
    let mut sheet = HEAD.to_owned();
    for view in LABS.iter().chain(&ROOMS) {
        let _ = write!(sheet, "<h2>{}</h2><section>", view.name);
        for system in [System::Light, System::Dark] {
            for (width, height) in SIZES {
                page.look(Look { width, height, system }).await?;
                let name = picture(page, view, folder, &format!("{}-{width}", system.name())).await?;
                let _ = write!(
                    sheet,
                    "<figure><a href=\"{name}\"><img src=\"{name}\"></a><figcaption>{width} by {height}, {}</figcaption></figure>",
                    system.name()
                );
            }
        }
        sheet += "</section>\n";
    }
    let file = folder.join("index.html");
    std::fs::write(&file, sheet).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("All of them side by side: {}", file.display());
    Ok(())
}

/// Takes one, and says what its file is called.
async fn picture(page: &Page, view: &View, folder: &Path, how: &str) -> Result<String, String> {
    view.open(page).await?;
    page.idle().await?;
    page.until("what was said to fade", FADED).await?;
    let name = format!("{}-{how}.png", view.name);
    let file = folder.join(&name);
    std::fs::write(&file, page.screenshot().await?)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}", file.display());
    Ok(name)
}
