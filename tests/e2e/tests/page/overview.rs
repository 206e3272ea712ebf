//! The strip of the whole picture: there while only a part is in sight, moved by pointers and by keys.

use fantoccini::key::Key;
use warpspan_e2e::{Held, Outcome, Page, key, on_page, same, that};

/// Each lab whose picture has a strip: the key that leads there, the picture, its button for zooming in, the strip.
const PICTURES: [(&str, &str, &str, &str, &str); 5] = [
    ("1", "plot", "zoom-in", "zoom-all", "overview"),
    ("2", "code-plot", "code-in", "code-all", "code-strip"),
    ("3", "blocks-plot", "blocks-in", "blocks-all", "blocks-overview"),
    ("4", "tasks-plot", "tasks-in", "tasks-all", "tasks-overview"),
    ("7", "waves-plot", "waves-in", "waves-all", "waves-strip"),
];

/// Where the middle of what is in sight is, in percent of the whole, and what is said of it.
async fn place(page: &Page, strip: &str) -> Result<(f64, String), String> {
    let read = |name: &str| {
        format!("return document.querySelector('[data-testid={strip}]').getAttribute('aria-{name}')")
    };
    let now = page.string(&read("valuenow")).await?;
    Ok((now.parse().map_err(|_| format!("the place is {now}"))?, page.string(&read("valuetext")).await?))
}

#[test]
fn a_part_of_a_picture_comes_with_a_strip_of_the_whole_that_moves_it() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        for (lab, picture, zoom_in, all, strip) in PICTURES {
            page.blur().await?;
            page.press(lab).await?;
            page.wait_for(picture).await?;
            page.idle().await?;
            page.gone(strip).await?;
            page.click(zoom_in).await?;
            page.click(zoom_in).await?;
            page.wait_for(strip).await?;
            page.idle().await?;
            let (middle, told) = place(&page, strip).await?;
            // Dragging takes the window along, wherever within it the pointer took hold.
            let [left, top, width, height] = page.place(&format!("[data-testid={strip}]")).await?;
            let at = |share: f64| (left + width * share, top + height / 2.0);
            page.drag(at(0.55), at(0.70), Held::Nothing).await?;
            let (moved, said) = place(&page, strip).await?;
            that(moved > middle + 10.0 && said != told, || {
                format!("{strip}: from {middle} to {moved}, {said}")
            })?;
            // So do keys, and then nothing else moves.
            let focus = format!("document.querySelector('[data-testid={strip}]').focus()");
            page.eval(&focus, vec![]).await?;
            page.press(&key(Key::Left)).await?;
            let (stepped, _) = place(&page, strip).await?;
            that(stepped < moved, || format!("{strip}: from {moved} to {stepped}"))?;
            page.press(&key(Key::Home)).await?;
            let (first, said) = place(&page, strip).await?;
            that(first < stepped, || format!("{strip}: from {stepped} to {first}, {said}"))?;
            page.press(&key(Key::End)).await?;
            let (last, _) = place(&page, strip).await?;
            that(last > moved - 1.0, || format!("{strip}: {last}"))?;
            page.click(all).await?;
            page.gone(strip).await?;
        }
        // The address would have followed by now.
        page.quiet().await?;
        same("what the keys selected", page.fragment().await?.contains("sel="), false)
    })
}
