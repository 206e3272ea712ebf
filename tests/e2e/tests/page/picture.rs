//! The picture owns the first screen of every lab, and no lab is longer than three screens as it opens.

use serde_json::json;
use warpspan_e2e::views::{LABS, ROOMS, View};
use warpspan_e2e::{Look, Outcome, Page, in_browser, on_page, same};

/// Sizes of the page, and the least share of what is not header that the picture has there.
const SIZES: [(u32, u32, f64); 3] = [(1440, 900, 0.6), (1280, 720, 0.6), (390, 844, 0.45)];

/// The most screens that a view is long as it opens.
const LONGEST: f64 = 3.0;

/// The share of the picture in what is seen below the header.
const SHARE: &str = "const found = document.querySelector(`[data-testid='${arguments[0]}']`);
    const plot = (found.closest('.figure-plot') ?? found).getBoundingClientRect();
    const top = document.querySelector('.header').getBoundingClientRect().bottom;
    const width = Math.min(plot.right, innerWidth) - Math.max(plot.left, 0);
    const height = Math.min(plot.bottom, innerHeight) - Math.max(plot.top, top);
    return Math.max(0, width) * Math.max(0, height) / (innerWidth * (innerHeight - top))";

async fn share(page: &Page, picture: &str) -> Result<f64, String> {
    let found = page.eval(SHARE, vec![json!(picture)]).await?;
    found.as_f64().ok_or_else(|| format!("no share: {found}"))
}

async fn screens(page: &Page) -> Result<f64, String> {
    page.number("return document.documentElement.scrollHeight / innerHeight").await
}

#[test]
fn the_picture_owns_the_first_screen_of_every_lab() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.come_first().await?;
        page.go("").await?;
        page.wait_for("makespan").await?;
        let mut short = Vec::new();
        for (width, height, least) in SIZES {
            page.look(Look { width, height, ..Look::default() }).await?;
            for view in LABS {
                view.open(&page).await?;
                page.idle().await?;
                let (picture, name) = (view.picture.unwrap_or_default(), view.name);
                let share = share(&page, picture).await?;
                println!("{name} at {width} by {height}: {:.1} %", share * 100.0);
                if share < least {
                    short.push(format!("{name} at {width} by {height}: {share:.3} of the screen"));
                }
            }
        }
        same("pictures that are too small", short, vec![])
    })
}

#[test]
fn no_view_is_longer_than_three_screens_as_it_opens() -> Outcome {
    on_page("", async |page| {
        let mut long = Vec::new();
        for (width, height, _) in SIZES {
            page.look(Look { width, height, ..Look::default() }).await?;
            for view in LABS.iter().chain(&ROOMS) {
                let View { name, .. } = view;
                view.open(&page).await?;
                page.idle().await?;
                let screens = screens(&page).await?;
                println!("{name} at {width} by {height}: {screens:.2} screens");
                if screens > LONGEST {
                    long.push(format!("{name} at {width} by {height}: {screens:.2} screens"));
                }
            }
        }
        same("views that are too long", long, vec![])
    })
}

#[test]
fn the_form_folds_away_and_back_by_a_key() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        page.click("fold").await?;
        page.until("the form", "return !!document.querySelector('.panel')?.offsetParent").await?;
        page.blur().await?;
        page.press("e").await?;
        page.until("no form", "return !document.querySelector('.panel')?.offsetParent").await?;
        page.press("e").await?;
        page.until("the form again", "return !!document.querySelector('.panel')?.offsetParent").await
    })
}

#[test]
fn whoever_follows_a_link_sees_the_picture_first() -> Outcome {
    const SEEN: &str = "return !!document.querySelector('.panel')?.offsetParent";
    const FOLDED: &str =
        "return !!document.querySelector('.lab.folded') && !document.querySelector('.panel')?.offsetParent";
    in_browser(Look::default(), async |page| {
        page.come_first().await?;
        page.go("#example=figure-2").await?;
        page.wait_for("makespan").await?;
        page.until("the picture alone", FOLDED).await?;
        page.blur().await?;
        page.press("e").await?;
        page.until("the form", SEEN).await?;
        // So it was left, and so the next link is met.
        page.go("#example=figure-5").await?;
        page.expect_part("title", "moved").await?;
        page.until("the form beside another link", SEEN).await?;
        page.blur().await?;
        page.press("e").await?;
        page.until("no form", FOLDED).await?;
        page.go("").await?;
        page.wait_for("welcome").await?;
        page.go("#example=figure-2").await?;
        page.wait_for("makespan").await?;
        page.until("no form again", FOLDED).await
    })
}
