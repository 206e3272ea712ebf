//! The scenario panel: examples, the form and the JSON kept in step, mistakes at their fields, undo.

use fantoccini::key::Key;
use warpspan::base::people;
use warpspan::scenario::builtin::BUILTINS;
use warpspan_e2e::{Held, Outcome, Page, key, on_page, patiently, same, that, with_control};

/// Makespans of the quick examples; those of `LCL`, `LCCL` and Voronoi are published.
const MAKESPANS: [(&str, u32); 18] = [
    ("voronoi-16", 154),
    ("voronoi-fixed", 128),
    ("voronoi-pending", 139),
    ("voronoi-issue-4", 163),
    ("voronoi-ptx", 154),
    ("figure-2", 8),
    ("figure-5", 9),
    ("figure-6", 8),
    ("figure-7", 8),
    ("given-schedule", 8),
    ("sub-blocks", 30),
    ("raravi-figure-3a", 14),
    ("raravi-figure-3b", 13),
    ("raravi-figure-4", 22),
    ("raravi-figure-5", 30),
    ("all-units", 148),
    ("large", 16_065),
    ("memory-misses", 9),
];
/// Examples that search, and what they begin with at least.
const SEARCHES: [(&str, u32); 2] = [("voronoi-anneal", 154), ("voronoi-gang", 163)];

/// Examples whose searches take longer than a test; others test what they find.
const PROOFS: [&str; 4] = ["voronoi-beam", "voronoi-exact", "voronoi-exact-issue-4", "memory-voronoi"];

/// The place of a built-in example in the list, by its name.
pub fn place(name: &str) -> Result<String, String> {
    let found = BUILTINS.iter().position(|example| example.name == name);
    found.map(|place| place.to_string()).ok_or(format!("no example {name}"))
}

/// Chooses a built-in example by its name and waits for its picture.
pub async fn show(page: &Page, name: &str) -> Outcome {
    let example = BUILTINS.iter().find(|example| example.name == name).ok_or("no such example")?;
    let title = warpspan::scenario::read(example.text).map_err(|_| "not valid")?.title;
    page.choose("example", &place(name)?).await?;
    // The first page has plain words for what it shows.
    if page.has("welcome").await? && BUILTINS.first().is_some_and(|first| first.name == name) {
        return page.expect_part("title", " warps run one program").await;
    }
    page.expect("title", &title).await
}

/// Waits until the page shows a schedule that takes at least so many cycles.
pub async fn at_least(page: &Page, cycles: u32) -> Outcome {
    let script =
        format!("return parseInt(document.querySelector('[data-testid=makespan]').textContent) >= {cycles}");
    page.until(&format!("a makespan of at least {cycles}"), &script).await
}

/// The label of the example the list stands at.
async fn listed(page: &Page) -> Result<String, String> {
    page.string("return document.querySelector('[data-testid=example]').selectedOptions[0]?.label ?? ''")
        .await
}

#[test]
fn every_example_has_its_makespan() -> Outcome {
    on_page("", async |page| {
        for example in BUILTINS {
            if PROOFS.contains(&example.name)
                || ["Code", "Tasks", "Chain", "Traces", "Waves", "Studies"].contains(&example.group)
            {
                continue; // these are in rooms of their own
            }
            let named = |&(name, _): &(&str, u32)| name == example.name;
            show(&page, example.name).await?;
            if let Some((_, least)) = SEARCHES.into_iter().find(named) {
                at_least(&page, least).await?;
                // On a fast machine it may be over by now.
                page.eval("document.querySelector('[data-testid=search-stop]')?.click()", vec![]).await?;
                let over = "return /^(Stopped|Done): /.test(document.querySelector('[data-testid=search-told]').textContent)";
                page.until("the end of the search", over).await?;
            } else if example.group == "Blocks" {
                page.expect_part("blocks-told", "ed in ").await?;
            } else if example.text.contains("\"conjecture\"") {
                page.expect_part("conjecture-told", "Of ").await?;
            } else {
                let (_, makespan) =
                    MAKESPANS.into_iter().find(named).ok_or(format!("no makespan of {}", example.name))?;
                page.expect("makespan", &people::counted(makespan as usize, "cycle")).await?;
                same(example.name, page.has("search").await?, false)?;
            }
            same(example.name, page.has("trouble").await? || page.has("crash").await?, false)?;
        }
        Ok(())
    })
}

#[test]
fn typing_a_kernel_changes_document_and_result() -> Outcome {
    on_page("", async |page| {
        page.fill("field-warps-kernel", "LCCL").await?;
        page.fill("field-warps-count", "3").await?;
        page.expect("kernel", "L 2C L").await?;
        // It is no longer the example of that name.
        page.expect("title", "Voronoi, 3 warps, round-robin (changed)").await?;
        page.until(
            "the window's name",
            "return document.title === 'Voronoi, 3 warps, round-robin (changed) · Warps · Warpspan'",
        )
        .await?;
        page.click("as-json").await?;
        let text = page.value("json").await?;
        that(text.contains(r#""kernel": "LCCL""#) && text.contains(r#""count": 3"#), || text.clone())?;
        that(text.contains(r#""C": 4"#), || format!("the rest is as it was: {text}"))?;
        same("the list of examples", listed(&page).await?.as_str(), "Your own scenario")
    })
}

#[test]
fn editing_the_document_changes_the_form() -> Outcome {
    on_page("", async |page| {
        page.click("as-json").await?;
        let text = page.value("json").await?.replace("5L 9C 2L 9C", "LCL").replace("16,", "4,");
        page.put("json", &text.replace(r#""C": 4"#, r#""C": 1"#)).await?;
        page.expect("makespan", "8 cycles").await?;
        page.click("as-form").await?;
        page.expect_value("field-warps-kernel", "LCL").await?;
        page.expect_value("field-warps-count", "4").await?;
        page.expect_value("field-warps-machine-C", "1").await
    })
}

#[test]
fn a_mistake_is_told_at_its_field_and_the_picture_stands() -> Outcome {
    on_page("", async |page| {
        page.put("field-warps-count", "65").await?;
        page.expect_part("problems", "Warps: 65. Expected ").await?;
        page.expect_part("problems", "The picture is of a scenario before these mistakes.").await?;
        let told = "const field = document.getElementById('field-warps-count');
            const notes = document.getElementById(field.getAttribute('aria-describedby'));
            return field.getAttribute('aria-invalid') + ': ' + notes.querySelector('.wrong').textContent";
        let told = page.string(told).await?;
        that(told.starts_with("true: ") && told.contains("65") && told.contains("64"), || told.clone())?;
        page.expect("makespan", "154 cycles").await?;
        page.expect_part("stale", "Not current. Warps: 65. Expected ").await?;
        page.fill("field-warps-count", "16").await?;
        page.expect("problems", "").await?;
        page.gone("stale").await
    })
}

#[test]
fn what_was_typed_on_the_way_is_no_answer() -> Outcome {
    on_page("", async |page| {
        page.wait_for("field-warps-count").await?;
        let before = page.number("return atWork.given()").await?;
        // As fast as no one types: 10 is a number of warps, 100 is none.
        let script = "const field = document.querySelector('[data-testid=field-warps-count]');
            field.focus();
            for (const text of ['1', '10', '100']) {
                field.value = text;
                field.dispatchEvent(new Event('input', {bubbles: true}));
            }";
        page.eval(script, vec![]).await?;
        page.expect_part("problems", "Warps: 100").await?;
        page.idle().await?;
        same("jobs given to workers", page.number("return atWork.given()").await?, before)?;
        page.expect("makespan", "154 cycles").await?;
        page.expect_part("stale", "Warps: 100").await
    })
}

#[test]
fn a_text_that_is_no_json_leaves_the_page_usable() -> Outcome {
    on_page("", async |page| {
        page.click("as-json").await?;
        page.put("json", "{\"warpspan\": 1,").await?;
        page.expect_part("problems", "line 1").await?;
        page.expect("makespan", "154 cycles").await?;
        page.put("json", "{\"warpspan\": 1,\n\"warps\": {\"count\": 0}}").await?;
        page.expect_part("problems", "warps.count").await?;
        page.click("problem").await?;
        // It is marked in the frame after the click.
        page.until("the line to be marked", "const at = document.activeElement; return at.value?.slice(at.selectionStart, at.selectionEnd) === '\"warps\": {\"count\": 0}}'")
            .await?;
        page.put("json", "{\"warpspan\": 1,").await?;
        page.expect_part("problems", "line 1").await?;
        page.click("as-form").await?;
        page.until("a hint in place of the form", "return document.querySelector('.editor .hint')?.textContent.startsWith('The text is not a JSON object')").await?;
        page.click("rows-units").await?;
        page.click("undo").await?;
        page.expect("problems", "").await?;
        page.expect_value("field-warps-count", "16").await
    })
}

#[test]
fn undo_and_redo_by_button_and_by_key() -> Outcome {
    on_page("", async |page| {
        let off = |id: &str| format!("return document.querySelector('[data-testid={id}]').disabled");
        page.until("nothing to undo at first", &off("undo")).await?;
        show(&page, "figure-2").await?;
        show(&page, "figure-5").await?;
        page.click("undo").await?;
        page.expect("makespan", "8 cycles").await?;
        page.click("undo").await?;
        page.expect("makespan", "154 cycles").await?;
        page.until("nothing more to undo", &off("undo")).await?;
        page.blur().await?;
        page.press(&with_control("y")).await?;
        page.expect("makespan", "8 cycles").await?;
        page.click("redo").await?;
        page.expect("makespan", "9 cycles").await?;
        page.until("nothing more to redo", &off("redo")).await?;
        page.blur().await?;
        page.press(&with_control("z")).await?;
        page.expect("makespan", "8 cycles").await
    })
}

#[test]
fn the_list_of_examples_follows_undo_and_redo() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-5").await?;
        page.click("undo").await?;
        page.expect("makespan", "154 cycles").await?;
        same("after undo", listed(&page).await?.as_str(), BUILTINS[0].label)?;
        page.click("redo").await?;
        page.expect("makespan", "9 cycles").await?;
        let label = BUILTINS.iter().find(|example| example.name == "figure-5").map(|example| example.label);
        same("after redo", Some(listed(&page).await?.as_str()), label)
    })
}

#[test]
fn every_list_follows_undo_and_redo() -> Outcome {
    on_page("", async |page| {
        page.choose("method", "fixed-priority").await?;
        page.expect("makespan", "128 cycles").await?;
        page.choose("machine-kind", "preset").await?;
        page.choose("preset", "cc-6.2").await?;
        for (button, machine, method) in [
            ("undo", "preset", "fixed-priority"),
            ("undo", "capacities", "fixed-priority"),
            ("undo", "capacities", "round-robin"),
            ("redo", "capacities", "fixed-priority"),
            ("redo", "preset", "fixed-priority"),
        ] {
            page.click(button).await?;
            page.expect_value("machine-kind", machine).await?;
            page.expect_value("method", method).await?;
        }
        page.expect_value("preset", "cc-3.5").await
    })
}

#[test]
fn numbers_are_turned_by_keys_and_by_their_names() -> Outcome {
    on_page("", async |page| {
        // All of it is done without a pause.
        page.hold_clock(true).await?;
        page.click("field-warps-count").await?;
        page.press(&key(Key::Up)).await?;
        page.expect_value("field-warps-count", "17").await?;
        page.press(&format!("{}{}{}", key(Key::Shift), key(Key::Down), key(Key::Shift))).await?;
        page.expect_value("field-warps-count", "7").await?;
        page.expect("makespan", "71 cycles").await?;
        page.blur().await?;
        // A number whose name is dragged by 20 pixels goes up by three, with Shift by thirty.
        let [left, top, ..] = page.place("label[for=field-warps-count]").await?;
        let (from, to) = ((left + 5.0, top + 8.0), (left + 25.0, top + 8.0));
        page.drag(from, to, Held::Nothing).await?;
        page.expect_value("field-warps-count", "10").await?;
        page.drag(from, to, Held::Shift).await?;
        page.expect_value("field-warps-count", "40").await?;
        page.drag(to, from, Held::Nothing).await?;
        page.expect_value("field-warps-count", "37").await?;
        // Nobody is in the field: Undo means the document, and all turns of one number are one.
        page.press(&with_control("z")).await?;
        page.expect_value("field-warps-count", "16").await?;
        // Words have no numbers to turn.
        page.click("field-title").await?;
        page.press(&key(Key::Up)).await?;
        page.expect_value("field-title", "Voronoi, 16 warps, round-robin").await
    })
}

#[test]
fn typing_in_one_field_is_one_undo() -> Outcome {
    on_page("", async |page| {
        page.fill("field-warps-kernel", "LCL").await?;
        page.expect("kernel", "L C L").await?;
        page.click("undo").await?;
        page.expect_value("field-warps-kernel", "5L 9C 2L 9C").await
    })
}

#[test]
fn an_order_of_ones_own_starts_from_the_one_shown() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-7").await?;
        page.choose("method", "order").await?;
        let order = "1 2 1 3 1 2 3 1 2 3 2 3";
        page.until("the order", "return !!document.querySelector('[data-testid=field-warps-method-order]')")
            .await?;
        let found = page.value("field-warps-method-order").await?;
        same("entries", found.split(' ').count(), order.split(' ').count())?;
        page.expect("makespan", "8 cycles").await?;
        page.put("field-warps-method-order", "1 1 1 1 2 2 2 2 3 3 3 3").await?;
        page.expect_part("sentence", "All 12").await?;
        page.put("field-warps-method-order", "1 1 1 1 2 2 2 2 3 3 3 4").await?;
        page.expect_part("problems", "Order: ").await?;
        // What is typed is told while it is typed, and not only once one leaves the field.
        page.fill("field-warps-method-order", "3 3 3 3 2 2 2 2 1 1 1").await?;
        page.expect_part("stale", "Order: ").await?;
        page.press(" 1").await?;
        page.gone("stale").await?;
        page.expect_value("field-warps-method-order", "3 3 3 3 2 2 2 2 1 1 1 1").await?;
        page.expect_part("sentence", "All 12").await
    })
}

#[test]
fn a_schedule_that_is_none_is_told_by_its_cycle() -> Outcome {
    on_page("", async |page| {
        show(&page, "given-schedule").await?;
        page.click("as-json").await?;
        let figure_3 = page.value("json").await?.replace("[1, 2, 5]", "[1, 2, 9]");
        page.put("json", &figure_3).await?;
        page.expect_part("problems", "not work-conserving at cycle 5").await?;
        page.click("as-form").await?;
        page.expect_value("field-warps-method-schedule", "1 2 9\n2 3 6\n3 4 7\n4 5 8").await?;
        page.put("field-warps-method-schedule", "1 2 5\n2 3 6\n3 4 7\n4 5 8").await?;
        page.expect("problems", "").await
    })
}

#[test]
fn a_preset_brings_its_source_and_its_notes() -> Outcome {
    on_page("", async |page| {
        page.choose("machine-kind", "preset").await?;
        page.choose("preset", "cc-6.2").await?;
        page.expect_part("machine-notes", "scheduler").await?;
        let source = "return [...document.querySelectorAll('fieldset .hint')].some((hint) => hint.textContent.startsWith('From the '))";
        page.until("the source of the preset", source).await
    })
}

#[test]
fn unit_counts_and_a_seed_have_their_fields() -> Outcome {
    on_page("", async |page| {
        page.choose("machine-kind", "units").await?;
        page.expect_value("field-warps-machine-units-C", "128").await?;
        page.fill("field-warps-machine-latency-S", "4").await?;
        page.choose("machine-kind", "capacities").await?;
        page.wait_for("field-warps-machine-issue").await?;
        page.choose("method", "random").await?;
        page.expect_value("field-warps-method-seed", "1").await?;
        page.gone("stale").await?;
        let before = page.text("order").await?;
        page.fill("field-warps-method-seed", "2").await?;
        let changed =
            "return document.querySelector('[data-testid=order]').textContent.trim() !== arguments[0]";
        patiently("another order with another seed", async || {
            let found = page.eval(changed, vec![before.clone().into()]).await?;
            Ok(if found == true { Ok(()) } else { Err(before.clone()) })
        })
        .await
    })
}

#[test]
fn an_example_that_cannot_be_fetched_leaves_the_page_as_it_is() -> Outcome {
    on_page("", async |page| {
        page.expect("makespan", "154 cycles").await?;
        let first = listed(&page).await?;
        let cut = "window.fetch = () => Promise.reject(new TypeError('no network'))";
        page.eval(cut, vec![]).await?;
        page.choose("example", &place("figure-6")?).await?;
        page.expect_part("trouble", "cannot be fetched").await?;
        page.expect("makespan", "154 cycles").await?;
        same("the list", listed(&page).await?, first)
    })
}

#[test]
fn entries_of_an_order_are_dragged_and_moved_by_keys() -> Outcome {
    on_page("#example=figure-2", async |page| {
        page.reveal("field-warps-method-order").await?;
        page.wait_for("order-entries").await?;
        let order = page.value("field-warps-method-order").await?;
        page.eval("document.querySelector('.order-entries').scrollIntoView({block: 'center'})", vec![])
            .await?;
        page.quiet().await?;
        let middle = async |place: u32| -> Result<(f64, f64), String> {
            let [x, y, w, h] = page.rect(&format!(".order-entries [data-place=\"{place}\"]")).await?;
            Ok((x + w / 2.0, y + h / 2.0))
        };
        page.drag(middle(0).await?, middle(2).await?, Held::Nothing).await?;
        let moved = |from: usize, to: usize, order: &str| {
            let mut entries: Vec<&str> = order.split(' ').collect();
            let entry = entries.remove(from);
            entries.insert(to, entry);
            entries.join(" ")
        };
        let dragged = moved(0, 2, &order);
        page.expect_value("field-warps-method-order", &dragged).await?;
        page.eval("document.querySelector('.order-entries [data-place=\"0\"]').focus()", vec![]).await?;
        page.press(&format!("{0}{1}{0}", key(Key::Alt), key(Key::Right))).await?;
        let by_key = moved(0, 1, &dragged);
        page.expect_value("field-warps-method-order", &by_key).await?;
        // A drag over several entries is one undo, and Esc in its midst leaves everything as it was.
        page.press_at(middle(1).await?).await?;
        for place in [3, 6] {
            page.hover(middle(place).await?).await?;
        }
        page.expect_value("field-warps-method-order", &moved(1, 6, &by_key)).await?;
        page.press(&warpspan_e2e::key_escape()).await?;
        page.expect_value("field-warps-method-order", &by_key).await?;
        page.hover(middle(2).await?).await?;
        page.let_go().await?;
        page.click("undo").await?;
        page.expect_value("field-warps-method-order", &dragged).await?;
        page.click("undo").await?;
        page.expect_value("field-warps-method-order", &order).await?;
        page.wait_for("makespan").await.map(drop)
    })
}
