//! What is wrong is said on the picture, and leads to where it is mended.

use warpspan_e2e::{Outcome, on_page};

#[test]
fn what_is_said_on_the_picture_leads_to_the_field() -> Outcome {
    on_page("", async |page| {
        page.put("field-warps-count", "65").await?;
        page.put("field-warps-kernel", "5L Q").await?;
        // Both are told, as the form calls their fields.
        page.expect_part("stale", "Instruction string: ").await?;
        page.expect_part("stale", "Warps: 65. Expected ").await?;
        // The form is folded away; the message brings it back, and the keyboard to the field with all of it selected.
        page.click("fold").await?;
        page.until("no form", "return document.querySelector('.lab').classList.contains('folded')").await?;
        page.click("stale").await?;
        let there = "const at = document.activeElement;
            return at.getAttribute('aria-invalid') === 'true' && at.closest('.side') !== null
                && at.selectionStart === 0 && at.selectionEnd === at.value.length";
        page.until("the field", there).await?;
        // Each problem of the list leads to its own.
        for name in ["field-warps-count", "field-warps-kernel"] {
            let name_of = if name.ends_with("count") { "Warps" } else { "Instruction string" };
            let script = format!(
                "[...document.querySelectorAll('[data-testid=problem]')].find((own) => own.textContent.startsWith('{name_of}')).click()"
            );
            page.eval(&script, vec![]).await?;
            page.until(name, &format!("return document.activeElement.id === '{name}'")).await?;
        }
        Ok(())
    })
}

#[test]
fn a_problem_without_a_field_leads_to_its_line() -> Outcome {
    on_page("", async |page| {
        page.click("as-json").await?;
        let text = page.value("json").await?.replacen('{', "{\n \"unheard-of\": 3,", 1);
        page.put("json", &text).await?;
        page.expect_part("stale", "unheard-of").await?;
        // Its line is marked beside the text.
        page.until("the mark", "return document.querySelector('.lined-number.wrong')?.textContent === '2'")
            .await?;
        page.click("as-form").await?;
        page.wait_for("field-warps-count").await?;
        page.click("stale").await?;
        let marked = "const at = document.activeElement;
            return at.id === 'json' && at.value.slice(at.selectionStart, at.selectionEnd).includes('unheard-of')";
        page.until("the line", marked).await
    })
}

#[test]
fn what_is_wrong_with_code_lies_over_the_picture_and_not_over_the_listing() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.wait_for("code-plot").await?;
        page.put("field-warps-count", "65").await?;
        page.wait_for("stale").await?;
        let apart = "const box = (s) => document.querySelector(s).getBoundingClientRect();
            return box('[data-testid=stale]').left >= box('.code-source').right";
        page.until("the listing to be free", apart).await
    })
}
