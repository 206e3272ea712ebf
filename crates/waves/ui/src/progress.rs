//! While a capture is read that is not on the page yet: which file, how many waves of how many, and a way to stop. It
//! stands over the page, whatever that shows, and Esc stops the reading; what was there stays.

use leptos::mount::mount_to;
use leptos::prelude::*;
use ui_kit::live::{live, memo};
use wasm_bindgen::prelude::*;
use web_sys::{AddEventListenerOptions, HtmlElement, KeyboardEvent};

use super::reading::{Ended, Reading};
use ui_kit::styles::{Sheet, wear};
use waves_lab::page::seam::Doing;

/// Its own style: it is seen before there is a panel.
const PROGRESS: Sheet =
    Sheet { name: "waves-progress", text: include_str!("../../../../www/waves-progress.css") };

/// Waits until a capture is read, or cannot be, or nobody wants it any more.
pub(crate) async fn watched(read: &Reading, name: &str) -> Ended {
    let told = ArcRwSignal::new(Doing::Starts);
    let hear = told.clone();
    let shown = Shown::put(name, told, read.stop());
    let ended = read.over(move |doing| hear.set(doing)).await;
    drop(shown);
    ended
}

/// It is in the page until this is dropped.
struct Shown {
    host: Option<HtmlElement>,
    key: Closure<dyn FnMut(KeyboardEvent)>,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _view: Option<Box<dyn std::any::Any>>,
    _owner: Owner,
}

impl Shown {
    fn put(name: &str, told: ArcRwSignal<Doing>, stop: impl Fn() + Clone + 'static) -> Self {
        let stops = stop.clone();
        let key = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                event.stop_propagation();
                stops();
            }
        });
        // Before anybody else: nothing else is stopped by this key meanwhile.
        let first = AddEventListenerOptions::new();
        first.set_capture(true);
        let _ = window().add_event_listener_with_callback_and_add_event_listener_options(
            "keydown",
            key.as_ref().unchecked_ref(),
            &first,
        );
        let owner = Owner::new();
        owner.with(|| wear(&[PROGRESS]));
        let host = host();
        let view = host.clone().map(|host| {
            let name = name.to_owned();
            Box::new(mount_to(host, move || view! { <Progress name told stop=StoredValue::new_local(Box::new(stop) as Box<dyn Fn()>)/> }))
                as Box<dyn std::any::Any>
        });
        Self { host, key, _view: view, _owner: owner }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        let _ = window().remove_event_listener_with_callback_and_bool(
            "keydown",
            self.key.as_ref().unchecked_ref(),
            true,
        );
        if let Some(host) = &self.host {
            host.remove();
        }
    }
}

fn host() -> Option<HtmlElement> {
    let host: HtmlElement = document().create_element("div").ok()?.dyn_into().ok()?;
    document().body()?.append_child(&host).ok()?;
    Some(host)
}

#[component]
fn Progress(
    name: String,
    told: ArcRwSignal<Doing>,
    stop: StoredValue<Box<dyn Fn()>, LocalStorage>,
) -> impl IntoView {
    let (said, share) = (told.clone(), told);
    let share = memo(move |_| share.with(Doing::share));
    view! {
        <section class="waves-progress" aria-label="Reading a thread trace" data-testid="waves-progress">
            <p role="status"><strong>{name}</strong>" "<span data-testid="waves-progress-told">{live(move || said.with(Doing::said))}</span></p>
            <div class="row">
                <progress max="1" aria-label="Waves read" value=live(move || share.get().map(|share| share.to_string()))></progress>
                <button title="Read no further; the page stays as it is (Esc)" data-testid="waves-progress-stop" on:click=move |_| stop.with_value(|stop| stop())>"Stop"</button>
            </div>
        </section>
    }
}
