//! Everybody reaches everything: names, sizes, focus in sight, narrow windows, forced colours.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan_e2e::{DRAWN, Look, Outcome, Page, System, in_browser, key, key_escape, on_page, same, that};

/// Elements that can be operated now, in the order of the page.
const OPERABLE: &str = "const operable = [...document.querySelectorAll(
        'a[href], button, input, select, textarea, summary, [tabindex=\"0\"]')]
    .filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true}));
    const named = (e) => e.dataset.testid ?? e.id ?? e.tagName;
    const told = (e) => e.outerHTML.slice(0, 120);";
/// Roles that make no sense without a name.
const NAMED: [&str; 10] = [
    "button",
    "link",
    "textbox",
    "combobox",
    "player-slider",
    "checkbox",
    "application",
    "grid",
    "region",
    "progressbar",
];
/// Views of the warps lab, each by the script that brings it about and what is there once it has come about.
const VIEWS: [(&str, &str, &str); 3] = [
    ("form", "", "[data-testid=makespan]"),
    ("JSON", "document.querySelector('[data-testid=as-json]').click()", "[data-testid=json]"),
    (
        "everything unfolded",
        "document.querySelectorAll('details').forEach((e) => { e.open = true; })",
        // Its program is asked for as it is unfolded.
        "[data-testid=table-rows]",
    ),
];

#[test]
fn tab_reaches_everything_and_shows_where_it_is() -> Outcome {
    on_page("", async |page| {
        for (view, script, there) in VIEWS {
            // Behind the last element there is the browser's own bar: each view begins anew.
            page.go("").await?;
            page.wait_for("makespan").await?;
            page.eval(script, vec![]).await?;
            page.wait_for_css(there).await?;
            // What comes after Tab has gone by is not reached.
            page.idle().await?;
            let watch = "window.reached = new Set(); window.dim = [];
                window.watching?.abort(); window.watching = new AbortController();
                document.addEventListener('focusin', ({target}) => {
                    window.reached.add(target);
                    const {outlineStyle, outlineWidth} = getComputedStyle(target);
                    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) window.dim.push(target.outerHTML.slice(0, 120));
                }, {signal: window.watching.signal});
                document.activeElement?.blur(); getSelection().collapse(document.body, 0)";
            page.eval(watch, vec![]).await?;
            page.press(&key(Key::Tab).repeat(80)).await?;
            let missed =
                format!("{OPERABLE} return operable.filter((e) => !window.reached.has(e)).map(told)");
            same(&format!("not reached in {view}"), page.eval(&missed, vec![]).await?, json!([]))?;
            same(
                &format!("without an outline in {view}"),
                page.eval("return window.dim", vec![]).await?,
                json!([]),
            )?;
        }
        Ok(())
    })
}

/// Elements that make no sense without a name and have none.
pub async fn nameless(page: &Page) -> Result<Vec<String>, String> {
    let mut named = page.roles().await?;
    named.retain(|(role, _)| NAMED.contains(&role.as_str()));
    that(named.len() > 20, || format!("only {} elements", named.len()))?;
    let nameless = named.iter().enumerate().filter(|(_, (_, name))| name.is_empty());
    Ok(nameless.map(|(i, (role, _))| format!("{role}, the {}th of those with a name", i + 1)).collect())
}

#[test]
fn everything_has_a_name() -> Outcome {
    on_page("", async |page| {
        for (view, script, there) in VIEWS {
            page.eval(script, vec![]).await?;
            page.wait_for_css(there).await?;
            same(&format!("without a name in {view}"), nameless(&page).await?, vec![])?;
        }
        Ok(())
    })
}

/// What is too small to hit now.
pub async fn too_small(page: &Page) -> Result<Value, String> {
    // The label around a checkbox or a choice is part of the target.
    let small = format!(
        "{OPERABLE} return operable.filter((e) => !e.matches('.skip'))
            .map((e) => [e, (['checkbox', 'radio'].includes(e.type) ? e.closest('label') ?? e : e).getBoundingClientRect()])
            .filter(([_, r]) => r.width < 24 || r.height < 24)
            .map(([e, r]) => `${{Math.round(r.width)}} x ${{Math.round(r.height)}}: ${{told(e)}}`)"
    );
    page.eval(&small, vec![]).await
}

#[test]
fn everything_is_large_enough_to_hit() -> Outcome {
    in_browser(Look::default(), async |page| {
        for width in [1440, 390] {
            page.look(Look { width, ..Look::default() }).await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            for (view, script, there) in VIEWS {
                page.eval(script, vec![]).await?;
                page.wait_for_css(there).await?;
                same(&format!("small at {width} in {view}"), too_small(&page).await?, json!([]))?;
            }
        }
        Ok(())
    })
}

/// Whether the page is wider than its window, and what sticks out; what a row brings into sight that is drawn sideways
/// does not.
pub async fn fits(page: &Page, what: &str) -> Outcome {
    // Pictures have measured their place and are painted for it by then.
    page.frames(3).await?;
    let script = format!(
        "{DRAWN} const width = document.documentElement.clientWidth, all = document.documentElement.scrollWidth;
        if (all <= width) return [];
        const out = [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > width + 0.5);
        const told = out.filter((e) => !drawn(e)).map((e) => e.outerHTML.slice(0, 100)).slice(0, 5);
        return told.length ? told : [`the page is ${{all}} pixels wide`]"
    );
    same(&format!("sticking out, {what}"), page.eval(&script, vec![]).await?, json!([]))
}

#[test]
fn what_can_wait_is_folded_once_the_window_is_a_phones() -> Outcome {
    let wide = Look { width: 1440, height: 900, ..Look::default() };
    let phone = Look { width: 390, height: 844, ..Look::default() };
    in_browser(wide, async move |page| {
        let is = async |what: &str, open: bool| {
            let script =
                format!("return document.querySelector('[data-testid=tasks-witness-fold]').open === {open}");
            page.until(what, &script).await
        };
        page.go("#example=tasks-overload").await?;
        page.wait_for("tasks-witness-fold").await?;
        is("open where there is room", true).await?;
        page.look(phone).await?;
        is("folded on a phone", false).await?;
        page.look(wide).await?;
        is("open again", true).await?;
        page.eval("document.querySelector('[data-testid=tasks-witness-fold] > summary').click()", vec![])
            .await?;
        is("closed by hand", false).await?;
        // The page hears of it a moment later.
        page.quiet().await?;
        page.look(phone).await?;
        page.look(wide).await?;
        page.quiet().await?;
        is("as it was left", false).await
    })
}

#[test]
fn nothing_sticks_out_at_any_width() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.go("").await?;
        page.wait_for("makespan").await?;
        for system in [System::Light, System::Dark] {
            for width in [1440, 1024, 768, 390, 320] {
                page.look(Look { width, height: 800, system }).await?;
                let at = |what: &str| format!("{what}, {width} pixels, {}", system.name());
                for lab in ["lab-blocks", "lab-tasks", "lab-chain", "lab-warps"] {
                    page.click(lab).await?;
                    // An example that came later would take the page there again.
                    let current = format!(
                        "return document.querySelector('[data-testid={lab}]').ariaCurrent === 'page'"
                    );
                    page.until(lab, &current).await?;
                    fits(&page, &at(lab)).await?;
                }
                page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![])
                    .await?;
                page.click("as-json").await?;
                fits(&page, &at("JSON")).await?;
                page.click("as-form").await?;
                page.paste("body", "{\"warpspan\": 1, \"warps\": {\"kernel\": \"LXL\"}}").await?;
                page.wait_for("trouble").await?;
                fits(&page, &at("a problem")).await?;
                page.blur().await?;
                page.press(&key_escape()).await?;
                page.press("?").await?;
                page.wait_for_css("dialog[open]").await?;
                fits(&page, &at("the dialog")).await?;
                page.press(&key_escape()).await?;
                page.until("no dialog", "return !document.querySelector('dialog[open]')").await?;
            }
        }
        Ok(())
    })
}

#[test]
fn a_phone_shows_the_result_before_the_form() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        page.go("").await?;
        page.wait_for("makespan").await?;
        let [_, top, width, height] = page.rect("[data-testid=makespan]").await?;
        that(top + height < 844.0 && width > 0.0, || format!("the makespan stands at {top}"))?;
        same("the form is folded", page.count(".lab.folded").await?, 1)
    })
}

/// Whether what a selector finds is in sight in the header, with nothing over it.
const IN_SIGHT: &str = "const inSight = (found) => {
        const e = typeof found === 'string' ? document.querySelector(found) : found;
        const box = e.getBoundingClientRect(), y = (box.top + box.bottom) / 2;
        return box.left >= 0 && box.right <= innerWidth
            && [box.left + 2, box.right - 2].every((x) => e.contains(document.elementFromPoint(x, y)));
    };";

#[test]
fn a_phones_header_is_one_row_with_share_in_it() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        let sight = format!("{IN_SIGHT} return inSight('.tab[aria-current=page]')");
        for width in [600, 390, 360, 320] {
            page.look(Look { width, height: 740, ..Look::default() }).await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            let [_, _, _, high] = page.rect(".header").await?;
            that(high < 52.0, || format!("the header is {high} pixels high at {width}"))?;
            page.until("the tab as the page opens", &sight).await?;
            // Whatever is chosen is in sight then, and so is Share while there is something to share.
            for tab in ["lab-studies", "lab-code", "room-reproduce", "lab-waves", "lab-warps"] {
                page.click(tab).await?;
                let current =
                    format!("return document.querySelector('[data-testid={tab}]').ariaCurrent === 'page'");
                page.until(tab, &current).await?;
                page.until(&format!("{tab} in sight at {width}"), &sight).await?;
                if tab.starts_with("lab") {
                    let share = format!("{IN_SIGHT} return inSight('[data-testid=share]')");
                    page.until(&format!("Share beside {tab} at {width}"), &share).await?;
                }
            }
            fits(&page, &format!("at {width}")).await?;
        }
        page.click("share").await?;
        page.wait_for("share-copy").await.map(drop)
    })
}

#[test]
fn a_phones_header_says_that_it_goes_on_and_follows_the_keyboard() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        page.go("#example=waves-rmsnorm").await?;
        page.until(
            "the tab of the link in sight",
            &format!("{IN_SIGHT} return document.querySelector('[data-testid=lab-waves]')?.ariaCurrent === 'page' && inSight('[data-testid=lab-waves]')"),
        )
        .await?;
        // By now nothing else brings it into sight again.
        page.quiet().await?;
        // Shadows at both ends, of which those are covered where nothing more is: what covers them moves along.
        let hint = "const style = getComputedStyle(document.querySelector('.header'));
            return style.backgroundImage.split('linear-gradient(').length - 1 + ' ' + style.backgroundAttachment";
        page.until(
            "a shadow at each end",
            &format!("return (() => {{ {hint} }})() === '4 local, local, scroll, scroll, scroll'"),
        )
        .await?;
        let watch = "window.unseen = []; document.addEventListener('focusin', ({target}) => {
                if (target.closest('.header')) requestAnimationFrame(() => { if (target === document.activeElement && !inSight(target)) window.unseen.push(target.outerHTML.slice(0, 80)); });
            }); document.activeElement?.blur(); getSelection().collapse(document.body, 0)";
        page.eval(&format!("{IN_SIGHT} window.inSight = inSight; {watch}"), vec![]).await?;
        // Through the header, toolbar by toolbar.
        for _ in 0..7 {
            page.press(&key(Key::Tab)).await?;
            let in_toolbar = "return document.activeElement.closest('[role=toolbar]') !== null";
            if page.eval(in_toolbar, vec![]).await? == json!(true) {
                page.press(&key(Key::Right).repeat(8)).await?;
            }
        }
        page.frames(2).await?;
        same(
            "out of sight with the keyboard there",
            page.eval("return window.unseen", vec![]).await?,
            json!([]),
        )?;
        // Who turns the phone finds the tab again.
        page.look(Look { width: 844, height: 390, ..Look::default() }).await?;
        page.look(Look { width: 390, height: 844, ..Look::default() }).await?;
        page.until("the tab after turning", &format!("{IN_SIGHT} return inSight('[data-testid=lab-waves]')"))
            .await
    })
}

/// What is said is seen one above the other: the most at a time, and whether any lay over the player. It stays, however
/// long a slow machine takes for what comes next.
const TOASTS: &str = "window.most = 0; window.covered = false;
    const later = window.setTimeout;
    window.setTimeout = (what, delay, ...rest) => (delay >= 3000 ? 0 : later(what, delay, ...rest));
    new MutationObserver(() => {
        const boxes = [...document.querySelectorAll('.toast')].map((toast) => toast.getBoundingClientRect());
        const player = document.querySelector('.player').getBoundingClientRect();
        const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        window.most = Math.max(window.most, boxes.length);
        window.covered ||= boxes.some((box, at) => over(box, player) || boxes.slice(at + 1).some((other) => over(box, other)));
    }).observe(document.getElementById('toasts'), {childList: true})";

#[test]
fn notices_cover_neither_each_other_nor_the_player() -> Outcome {
    for (width, height) in [(1440, 900), (390, 844)] {
        in_browser(Look { width, height, ..Look::default() }, async |page| {
            page.go("#example=figure-2").await?;
            page.arrived().await?;
            page.eval(TOASTS, vec![]).await?;
            for text in ["99:1", "98:1", "97:1", "96:1"] {
                page.fill("find", text).await?;
                page.press(&key(Key::Enter)).await?;
                page.expect_part("status", text).await?;
            }
            same("the most at a time", page.number("return window.most").await?, 3.0)?;
            same("covered", page.eval("return window.covered", vec![]).await?, json!(false))
        })?;
    }
    Ok(())
}

#[test]
fn each_lab_says_honestly_what_there_is() -> Outcome {
    on_page("", async |page| {
        let headings = [
            ("lab-blocks", "Blocks: When and where does each block of the kernels run?"),
            ("lab-tasks", "Tasks: Do recurring tasks meet their deadlines?"),
            ("lab-chain", "Chain: Does the whole chain meet its deadlines?"),
        ];
        for (lab, heading) in headings {
            page.click(lab).await?;
            let script = format!("return document.querySelector('h1').textContent === '{heading}'");
            page.until(heading, &script).await?;
            let current =
                format!("return document.querySelector('[data-testid={lab}]').ariaCurrent === 'page'");
            page.until("the lab in the navigation", &current).await?;
        }
        page.click("lab-warps").await?;
        page.expect("makespan", "154 cycles").await
    })
}
