//! Light and dark: what the system says, what the visitor chose, what a link asks for.

use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Look, Outcome, Page, System, in_browser, same, that};

/// A browser on a system with dark pages.
const DARK: Look = Look { width: 1440, height: 1000, system: System::Dark };

/// Waits until the page is in a theme, down to its ground.
async fn is(page: &Page, name: &str) -> Outcome {
    let set = format!("return document.documentElement.dataset.theme === '{name}'");
    page.until(&format!("a {name} page"), &set).await?;
    let ground = "const rgb = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
        return rgb[0] + rgb[1] + rgb[2]";
    let ground = page.number(ground).await?;
    that((ground < 384.0) == (name == "dark"), || format!("the ground of a {name} page is {ground} of 765"))
}

async fn open(page: &Page) -> Outcome {
    page.go("").await?;
    page.expect("makespan", "154 cycles").await
}

#[test]
fn the_page_follows_the_system() -> Outcome {
    in_browser(DARK, async |page| {
        open(&page).await?;
        is(&page, "dark").await?;
        same("the list", page.value("theme").await?.as_str(), "system")?;
        page.look(Look::default()).await?;
        is(&page, "light").await
    })
}

#[test]
fn a_choice_is_remembered() -> Outcome {
    in_browser(DARK, async |page| {
        open(&page).await?;
        page.choose("theme", "light").await?;
        is(&page, "light").await?;
        open(&page).await?;
        is(&page, "light").await?;
        same("the list", page.value("theme").await?.as_str(), "light")?;
        page.choose("theme", "system").await?;
        is(&page, "dark").await
    })
}

#[test]
fn a_link_brings_its_theme_but_does_not_change_the_choice() -> Outcome {
    in_browser(Look::default(), async |page| {
        let figure_2 = BUILTINS.iter().find(|example| example.name == "figure-2").ok_or("no such example")?;
        let scenario = serde_json::from_str(figure_2.text).map_err(|error| error.to_string())?;
        let view = View { theme: Some("dark".to_owned()), ..View::default() };
        let link = link::write(&scenario, &view).map_err(|problem| problem.to_string())?;
        page.go(&format!("#{link}")).await?;
        page.expect("makespan", "8 cycles").await?;
        is(&page, "dark").await?;
        open(&page).await?;
        is(&page, "light").await
    })
}

#[test]
fn the_canvas_is_painted_in_the_theme() -> Outcome {
    in_browser(DARK, async |page| {
        open(&page).await?;
        let corner = "const c = document.querySelector('[data-testid=plot] canvas');
            const [r, g, b] = c.getContext('2d').getImageData(1, c.height - 1, 1, 1).data; return r + g + b";
        page.frames(2).await?; // by now it is painted
        that(page.number(corner).await? < 384.0, || "the canvas is light".to_owned())?;
        page.choose("theme", "light").await?;
        let script = format!("return (() => {{ {corner} }})() > 384");
        page.until("a light canvas", &script).await
    })
}
