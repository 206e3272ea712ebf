//! What a page still has to do, so that tests wait for its end and not for a time: timers, jobs of workers, what it
//! fetches, frames.

use serde_json::Value;

use crate::{Outcome, Page};

/// Notes what a page has set itself to do. Runs before its own scripts, in every page.
///
/// A job in a pause is none that is waited for. A worker that is not up yet has one: what waits for it is given to it then. `given` and `heard` count jobs given to workers and messages that came from them. Timers are told by how long they were set to: notices that stay for a while are no work. What is fetched is under way until it is read.
const NOTE: &str = "if (!window.atWork) {
    const timers = new Map(), later = window.setTimeout, never = window.clearTimeout;
    window.setTimeout = (what, delay = 0, ...rest) => {
        const run = () => { timers.delete(id); if (typeof what === 'function') what(...rest); };
        const id = later.call(window, run, delay);
        timers.set(id, delay);
        return id;
    };
    window.clearTimeout = (id) => { timers.delete(id); never.call(window, id); };

    let fetching = 0;
    const during = (promise) => {
        const over = () => { fetching -= 1; };
        fetching += 1;
        promise.then(over, over);
        return promise;
    };
    const fetched = window.fetch;
    window.fetch = (...what) => during(fetched.apply(window, what));
    for (const name of ['text', 'arrayBuffer']) {
        const read = Response.prototype[name];
        Response.prototype[name] = function () { return during(read.call(this)); };
    }

    const clock = Date.now;
    let still = null, held = 0;
    Date.now = () => still ?? clock.call(Date);

    const jobs = new Map(), Real = window.Worker;
    let given = 0, heard = 0;
    window.Worker = class extends Real {
        constructor(...how) {
            super(...how);
            const own = new Set(['up']);
            jobs.set(this, own);
            this.addEventListener('error', () => own.delete('up'));
            this.addEventListener('message', ({data}) => {
                own.delete('up');
                const said = data?.done ?? data?.refused ?? (data?.chain?.over ? data.chain : undefined);
                if (said) own.delete(said.job);
                if (!data?.ready && !data?.idle) heard += 1;
            });
        }
        postMessage(message, ...rest) {
            const work = message?.start ?? message?.check ?? message?.certify ?? message?.chain ?? message?.study;
            if (work) { jobs.get(this)?.add(work.job); given += 1; }
            if (message?.pause) jobs.get(this)?.delete(message.pause.job);
            if (message?.resume) jobs.get(this)?.add(message.resume.job);
            super.postMessage(message, ...rest);
        }
        terminate() { jobs.delete(this); super.terminate(); }
    };
    window.atWork = {
        timers: (longest) => [...timers.values()].filter((delay) => delay <= longest).length,
        given: () => given,
        heard: () => heard,
        jobs: () => [...jobs.values()].reduce((sum, own) => sum + own.size, 0),
        fetches: () => fetching,
        hold: (holds) => {
            held = Math.max(0, held + (holds ? 1 : -1));
            still = held ? still ?? clock.call(Date) : null;
        },
    };
}";

/// What is noted, and that pages of one address are not kept for visits without a network: each test begins with
/// nothing stored, and would store all of the page again. Tests of that are elsewhere.
pub(crate) fn note(url: &str) -> String {
    let address = Value::from(url);
    let unkept = format!(
        "if (location.href.startsWith({address}) && window.ServiceWorkerContainer)
            ServiceWorkerContainer.prototype.register = () => new Promise(() => {{}});"
    );
    format!("{unkept}\n{NOTE}")
}

/// Calls back once three frames in a row have found nothing to do.
const QUIET: &str = "const [longest, done] = arguments;
    const look = (calm) => {
        if (calm === 3) return done(true);
        requestAnimationFrame(() => look(atWork.timers(longest) === 0 ? calm + 1 : 0));
    };
    look(0)";

impl Page {
    /// Waits until every timer of up to a second that the page has set itself has gone off, and what came of it has
    /// been painted.
    pub async fn quiet(&self) -> Outcome {
        self.quiet_up_to(1_000).await
    }

    /// The same for timers of up to so many milliseconds.
    pub async fn quiet_up_to(&self, longest: u32) -> Outcome {
        self.eval_async(QUIET, vec![Value::from(longest)]).await.map(drop)
    }

    /// Waits until no worker has a job, nothing is fetched and the page is quiet, before and after: what was typed begins
    /// a moment later.
    pub async fn idle(&self) -> Outcome {
        self.quiet().await?;
        self.until("the end of all jobs", "return atWork.jobs() === 0 && atWork.fetches() === 0").await?;
        self.quiet().await
    }

    /// Waits until the schedule on the page is that of the example which the address names: until that was fetched, the
    /// one that the page begins with may be there.
    pub async fn arrived(&self) -> Outcome {
        let script = "return atWork.fetches() === 0 && !!document.querySelector('[data-testid=makespan]')
            && !document.querySelector('.stale')";
        self.until("the example that the address names", script).await
    }

    /// Has the page's clock stand still, or go on: what comes without a pause is one thing to be undone, and a slow
    /// machine makes pauses that nobody meant. Who has it stand still twice lets it go on twice.
    pub async fn hold_clock(&self, holds: bool) -> Outcome {
        self.eval("window.atWork?.hold(arguments[0])", vec![Value::from(holds)]).await.map(drop)
    }

    /// Lets so many frames pass: for what would go on by itself, if it did.
    pub async fn frames(&self, count: u32) -> Outcome {
        let script = "const [count, done] = arguments;
            const pass = (left) => left === 0 ? done(true) : requestAnimationFrame(() => pass(left - 1));
            pass(count)";
        self.eval_async(script, vec![Value::from(count)]).await.map(drop)
    }
}
