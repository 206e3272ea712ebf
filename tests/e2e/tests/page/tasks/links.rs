//! Links: window, interval and task come back on a fresh page.

use warpspan::scenario::link::View;
use warpspan_e2e::{Look, Outcome, in_browser, on_page, same, that};

use super::{checked, open, to};
use crate::links::copied_view;

#[test]
fn a_link_opens_at_its_interval_and_window() -> Outcome {
    let view = View { t0: Some(50.0), t1: Some(300.0), sel: Some("t:110".to_owned()), ..View::default() };
    let fragment = to("tasks-overload", &view)?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        checked(&page).await?;
        page.expect("tasks-selected", "t:110").await?;
        page.expect_part("tasks-details", "Interval of 110: 115 to execute").await?;
        page.expect_part("tasks-witness-told", "In the interval of 110").await?;
        page.quiet().await?;
        let told = copied_view(&page).await?;
        same("the view", (told.t0, told.t1, told.sel.as_deref()), (Some(50.0), Some(300.0), Some("t:110")))
    })
}

#[test]
fn what_someone_looks_at_goes_into_the_address_and_comes_back() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-controller").await?;
        page.click("tasks-in").await?;
        page.click("task-choose-1").await?;
        page.until("the task in the address", "return location.hash.includes('&sel=task:2&')").await?;
        let fragment = page.fragment().await?;
        that(fragment.contains("&t1="), || fragment.clone())?;
        page.go(&fragment).await?;
        checked(&page).await?;
        page.expect_value("graph-task", "1").await?;
        page.expect_part("vertex-0", "grab").await?;
        page.quiet().await?;
        same("the address again", page.fragment().await?, fragment)
    })
}

#[test]
fn an_interval_that_is_not_there_is_left_out() -> Outcome {
    let view = View { sel: Some("t:99999".to_owned()), t0: Some(9.0), t1: Some(3.0), ..View::default() };
    let fragment = to("tasks-figure-2", &view)?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        checked(&page).await?;
        page.expect("tasks-selected", "").await?;
        page.expect_part("tasks-details", "Select an interval").await
    })
}

#[test]
fn another_example_begins_anew_and_an_edit_does_not() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-overload").await?;
        page.click("tasks-worst").await?;
        page.expect("tasks-selected", "t:110").await?;
        page.put("field-tasks-0-vertices-2-e", "25").await?;
        page.expect("tile-exact", "accepted").await?;
        page.expect("tasks-selected", "t:110").await?;
        page.expect_part("tasks-details", "Interval of 110: 109 to execute").await?;
        open(&page, "tasks-splice").await?;
        page.expect("tasks-selected", "").await
    })
}
