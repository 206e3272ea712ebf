//! What is folded away, and the form that comes when somebody sees it first.

use serde_json::{Value, json};

use crate::{Outcome, Page};

/// Tests come as somebody whose last visit left the form open beside the picture.
pub(crate) const OPEN: &str = "try { localStorage.getItem('warpspan-form') ?? localStorage.setItem('warpspan-form', 'open'); } catch {}";
/// Nobody was there before; what this visit leaves stays.
const FIRST_VISIT: &str = "try {
        if (!sessionStorage.getItem('visited')) localStorage.removeItem('warpspan-form');
        sessionStorage.setItem('visited', '1');
    } catch {}";

/// `drawn(e)`: the row around an element that is drawn sideways, where there is one that is itself in sight, and that
/// brings the element into sight.
pub const DRAWN: &str = "const drawn = (e) => {
        const draws = (row) => ['auto', 'scroll'].includes(getComputedStyle(row).overflowX) && row.scrollWidth > row.clientWidth;
        let row = e.parentElement;
        while (row && !draws(row)) row = row.parentElement;
        if (!row || row === document.body || row === document.documentElement) return null;
        const [own, all] = [e.getBoundingClientRect(), row.getBoundingClientRect()];
        const sees = all.left >= -0.5 && all.right <= document.documentElement.clientWidth + 0.5;
        return sees && own.right - all.left + row.scrollLeft <= row.scrollWidth + 0.5 ? row : null;
    };";

/// How `data-testid` begins in the form of warps.
const IN_FORM: [&str; 12] = [
    "field-",
    "kernel-",
    "machine-kind",
    "preset",
    "fairness",
    "memory",
    "method",
    "entry",
    "path",
    "choices",
    "rounds",
    "starts-",
];

fn in_form(id: &str) -> bool {
    IN_FORM.iter().any(|begins| id.starts_with(begins))
}

impl Page {
    /// Comes as somebody who was never there.
    pub async fn come_first(&self) -> Outcome {
        self.before_load(FIRST_VISIT).await
    }

    /// Has the form on the screen if what is looked for stands in it: it comes when somebody sees it first.
    pub(crate) async fn see_form(&self, id: &str) -> Outcome {
        if !in_form(id) {
            return Ok(());
        }
        let script = "const away = '.lab:is(.folded, .welcoming)';
            const there = document.querySelector(`[data-testid='${arguments[0]}'], .panel form`);
            if (there || !document.querySelector(away)) return false;
            document.querySelector('[data-testid=fold]').click();
            return true";
        let unfolds = self.eval(script, vec![json!(id)]).await?;
        self.be_taken(&unfolds).await
    }

    /// Whoever unfolds the form, or folds it away, is taken elsewhere by the keyboard, in the next frame.
    async fn be_taken(&self, folds: &Value) -> Outcome {
        if *folds == json!(true) { self.frames(1).await } else { Ok(()) }
    }

    /// Unfolds what an element stands in: the form at the side, a menu, a section; draws the row into sight that it is in.
    pub async fn reveal(&self, id: &str) -> Outcome {
        if in_form(id) {
            self.wait_for(id).await?;
        }
        let script = "const e = document.querySelector(`[data-testid='${arguments[0]}']`);
            if (!e) return false;
            const fold = document.querySelector('[data-testid=fold]');
            const side = !!e.closest('.panel');
            let folds = false;
            const press = () => { fold.click(); folds = true; };
            // In narrow windows the form lies over the picture.
            const over = innerWidth <= 900 && document.querySelector('.lab:not(.folded, .welcoming)');
            if (fold && (side && document.querySelector('.lab:is(.folded, .welcoming)') || !side && over && e !== fold)) press();
            if (fold && e.closest('.proof-run') && document.querySelector('.lab.welcoming')) press();
            for (let fold = e.closest('details:not([open])'); fold; fold = fold.parentElement.closest('details:not([open])')) {
                if (e.tagName === 'SUMMARY' && e.parentElement === fold) continue;
                fold.open = true;
            }
            if (drawn(e)) e.scrollIntoView({block: 'nearest', inline: 'nearest'});
            return folds";
        let folds = self.eval(&format!("{DRAWN} {script}"), vec![json!(id)]).await?;
        self.be_taken(&folds).await
    }
}
