//! The page around the labs: header, navigation, drop zone, live region, dialog.

use crate::ui::files;
use crate::ui::keys;
use leptos::prelude::*;
use ui_kit::keys::PICTURE;
use ui_kit::live::{effect, live, memo};
use ui_kit::show::Show;
use wasm_bindgen::prelude::*;

use super::errors::Errors;
use super::help::Help;
use super::lab::Labs;
use super::lazy::Place;
use super::share::{Share, share};
use super::state::App;
use super::theme::{self, Choice};
use super::{first, fold, offline, route};
use crate::page::{Part, Room, Subject};

/// What stands below the header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Main {
    Lab,
    Room(Room),
    Sheet,
}

/// The whole page.
#[component]
pub fn Shell() -> impl IntoView {
    let app = App::new();
    let effective = theme::effective(app);
    provide_context(app);
    provide_context(effective);
    app.warm_up();
    route::follow(app);
    app.follow_document();
    app.follow_programs();
    keys::listen(app);
    offline::keep(app);
    first::replace(app);
    effect(move || theme::apply(effective.get()));
    effect(move || theme::enlarge(app.projector.get()));
    fold::follow(app);
    effect(move || {
        // A study is no single answer.
        if app.subject.get() == Subject::Study && app.hide.get() {
            app.hide.set(false);
        }
    });
    effect(move || {
        app.text.track();
        app.walks.track();
        app.run_if_new();
    });
    let place = memo(move |_| match (app.sheet.get(), app.room.get()) {
        (true, _) => Main::Sheet,
        (false, Some(room)) => Main::Room(room),
        (false, None) => Main::Lab,
    });
    let dropping = drop_zone(app);
    let toasts = NodeRef::new();
    toast(app, toasts);
    embed_messages(app);
    view! {
        <Show when=move || place.get() == Main::Lab>
            <a class="skip" href="#main" data-testid="skip-to-picture" on:click=|event| skip_to(&event, PICTURE)>"Skip to the picture"</a>
        </Show>
        <a class="skip" href="#main" on:click=|event| skip_to(&event, "#main")>"Skip to the lab"</a>
        <Show when=move || !app.embed.get()>
            <Header app/>
        </Show>
        <main id="main" tabindex="-1" class:embedded=live(move || app.embed.get())>
            <Errors app/>
            {live(move || match place.get() {
                Main::Sheet => view! { <Place app part=Part::Sheet/> }.into_any(),
                Main::Room(room) => view! { <Place app part=room.part()/> }.into_any(),
                Main::Lab => view! { <Labs app/> }.into_any(),
            })}
        </main>
        <p class="hidden" role="status" aria-live="polite" data-testid="status">{live(move || app.notice.get())}</p>
        // The same to be seen for a while, one above the other; what offline.js says stands there, too.
        <div id="toasts" node_ref=toasts></div>
        <p class="hidden" role="status" aria-live="polite" data-testid="heard">{live(move || app.heard.get())}</p>
        <Help app/>
        <Share app/>
        <Show when=move || dropping.get()>
            <div class="drop" aria-hidden="true"><p>"Drop scenarios, configurations, logs, traces, PTX or models here"</p></div>
        </Show>
    }
}

/// Takes the keyboard away from what was clicked.
fn leave(event: &web_sys::MouseEvent) {
    let clicked = event.current_target().and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(clicked) = clicked {
        let _ = clicked.blur(); // what has not got it loses nothing
    }
}

/// Takes the keyboard to what a selector finds.
pub(super) fn skip_to(event: &web_sys::MouseEvent, selector: &str) {
    event.prevent_default();
    if let Some(found) = document().query_selector(selector).ok().flatten() {
        // What is drawn as SVG takes the keyboard in the same way.
        let _ = found.unchecked_ref::<web_sys::HtmlElement>().focus();
    }
}

#[component]
fn Header(app: App) -> impl IntoView {
    let tab = move |lab: Subject| {
        let name = lab.name();
        let current = move || if app.lab.get() == lab && app.room.get().is_none() { "page" } else { "false" };
        view! {
            <button class="tab" title=lab.row().asks aria-current=current data-testid=format!("lab-{}", name.to_ascii_lowercase())
                on:click=move |event| {
                    // Who clicked goes on with the keys of the lab; who came by keyboard stays where they are.
                    if event.detail() > 0 {
                        leave(&event);
                    }
                    app.visit(lab);
                }>{name}</button>
        }
    };
    let door = move |room: Room| {
        let current = move || if app.room.get() == Some(room) { "page" } else { "false" };
        view! {
            <button class="tab" aria-current=current data-testid=format!("room-{}", room.key())
                on:click=move |_| app.enter(room, "")>{room.name()}</button>
        }
    };
    let header = NodeRef::<leptos::html::Header>::new();
    // Where the header is drawn sideways, a tab of it comes into sight.
    let bring = move |selector: &str| {
        let Some(header) = header.try_get_untracked().flatten() else { return };
        let tab = header.query_selector(selector).ok().flatten();
        if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<web_sys::HtmlElement>().ok()) {
            header.set_scroll_left(tab.offset_left() - header.client_width() / 2);
        }
    };
    let bring_current = move || bring("[aria-current=page]");
    effect(move || {
        app.lab.track();
        app.room.track();
        request_animation_frame(bring_current);
    });
    // A phone is turned, too.
    let turned = window_event_listener(leptos::ev::resize, move |_| bring_current());
    on_cleanup(move || turned.remove());
    view! {
        // Browsers take what lies under the buttons that stay for seen; a pointer is where the tab is.
        <header class="header" node_ref=header on:focusin=move |_| bring(":is(.tab, select):focus-visible")>
            <fold::Toggle app/>
            <a class="brand" href="." aria-label="Warpspan, start page">
                <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
                    <rect x="1" y="3" width="9" height="5" rx="1" class="c0"/>
                    <rect x="11" y="3" width="7" height="5" rx="1" class="c1"/>
                    <rect x="5" y="10" width="9" height="5" rx="1" class="c0"/>
                    <rect x="15" y="10" width="8" height="5" rx="1" class="c1"/>
                    <rect x="10" y="17" width="9" height="5" rx="1" class="c0"/>
                </svg>
                <span>"Warpspan"</span>
            </a>
            <nav class="tabs" aria-label="Labs">
                <div role="toolbar" aria-label="Labs">{Subject::labs().map(tab).collect_view()}</div>
            </nav>
            <nav class="tabs" aria-label="Rooms">
                <div role="toolbar" aria-label="Rooms">{Room::ALL.map(door)}</div>
            </nav>
            <span class="spacer"></span>
            <div role="toolbar" aria-label="Page">
                <Show when=move || app.room.with(Option::is_none)>
                    <button class="quiet share" title="A link that holds the scenario and the view: how long it is, and where it fits" aria-label="Share"
                        aria-haspopup="dialog" data-testid="share" on:click=move |_| share(app)>
                        <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M8.6 10.7l6.8-3.9M8.6 13.3l6.8 3.9M18 8.5a3 3 0 100-6 3 3 0 000 6zM6 15a3 3 0 100-6 3 3 0 000 6zM18 21.500a3 3 0 100-6 3 3 0 000 6z" fill="none" stroke="currentColor" stroke-width="2"/></svg>
                        <span>"Share"</span></button>
                </Show>
                <label class="theme">
                    <span class="hidden">"Theme"</span>
                    <select data-testid="theme" on:change=move |event| {
                        let choice = Choice::named(&event_target_value(&event));
                        choice.remember();
                        app.theme.set(choice);
                    }>
                        {Choice::ALL.map(|(choice, name)| view! {
                            <option value=name prop:selected=live(move || app.theme.get() == choice)>
                                {match choice {
                                    Choice::System => "System",
                                    Choice::Light => "Light",
                                    Choice::Dark => "Dark",
                                }}
                            </option>
                        }).collect_view()}
                    </select>
                </label>
                <button class="quiet projector" aria-pressed=live(move || if app.projector.get() { "true" } else { "false" }) data-testid="projector"
                    title="Larger text and thicker lines, for those who sit far away"
                    on:click=move |_| app.projector.update(|on| *on = !*on)>"Projector"</button>
                <button class="quiet" data-testid="help" aria-haspopup="dialog" title="Keyboard shortcuts (?)"
                    on:click=move |_| app.help.set(true)>"Keys"</button>
            </div>
        </header>
    }
}

/// So many notices are seen at a time.
const MOST_TOASTS: usize = 3;

/// Shows every notice for as long as it takes to read it, the last one nearest to the edge.
fn toast(app: App, toasts: NodeRef<leptos::html::Div>) {
    let seen = StoredValue::new_local(Vec::<web_sys::Element>::new());
    effect(move || {
        let said = app.notice.get();
        // With another document nothing stays that was said of the one before.
        if said.is_empty() {
            return seen.update_value(|seen| seen.drain(..).for_each(|earlier| earlier.remove()));
        }
        let Some((place, one)) = toasts.get_untracked().zip(document().create_element("p").ok()) else {
            return;
        };
        let long = std::time::Duration::from_millis(3_000 + 40 * said.len() as u64);
        one.set_class_name("toast");
        let _ = one.set_attribute("aria-hidden", "true"); // a screen reader hears the status
        one.set_text_content(Some(&said));
        let _ = place.append_child(&one);
        seen.update_value(|seen| {
            // What is said again is not seen twice.
            seen.retain(|earlier| {
                let stays = earlier.text_content().as_ref() != Some(&said);
                if !stays {
                    earlier.remove();
                }
                stays && earlier.is_connected()
            });
            seen.push(one.clone());
            if seen.len() > MOST_TOASTS {
                seen.remove(0).remove();
            }
        });
        set_timeout(move || one.remove(), long);
    });
}

/// Takes drops and pastes anywhere in the window; the signal says whether something hovers.
fn drop_zone(app: App) -> RwSignal<bool> {
    let dropping = RwSignal::new(false);
    let has_files = |event: &web_sys::DragEvent| {
        event
            .data_transfer()
            .is_some_and(|data| data.types().iter().any(|kind| kind == "Files" || kind == "text/plain"))
    };
    let over = window_event_listener(leptos::ev::dragover, move |event| {
        if has_files(&event) {
            event.prevent_default();
            dropping.set(true);
        }
    });
    let leave = window_event_listener(leptos::ev::dragleave, move |event| {
        if event.related_target().is_none() {
            dropping.set(false);
        }
    });
    let dropped = window_event_listener(leptos::ev::drop, move |event| {
        event.prevent_default();
        dropping.set(false);
        let Some(data) = event.data_transfer() else { return };
        if !files::open_dropped(app, &data) {
            let text = data.get_data("text/plain").unwrap_or_default();
            files::open_text(app, &text, "the dropped text");
        }
    });
    let pasted = window_event_listener(leptos::ev::paste, move |event| {
        let field = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        if field.is_some_and(|f| matches!(f.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")) {
            return;
        }
        let text =
            event.clipboard_data().and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
        if !text.trim().is_empty() {
            event.prevent_default();
            files::open_text(app, &text, "the pasted text");
        }
    });
    on_cleanup(move || {
        over.remove();
        leave.remove();
        dropped.remove();
        pasted.remove();
    });
    dropping
}

/// Tells an embedding page that this one is ready, and how high it is.
fn embed_messages(app: App) {
    let ready = StoredValue::new(false);
    effect(move || {
        if ready.get_value()
            || !app.embed.get()
            || (app.shown.with(Option::is_none) && app.trial.with(Option::is_none))
        {
            return;
        }
        ready.set_value(true);
        request_animation_frame(|| {
            tell_parent("warpspan-ready");
            watch_height();
        });
    });
}

/// Tells an embedding page what has happened, and how high this one is.
fn tell_parent(what: &str) {
    let height = document().body().map_or(0, |body| body.scroll_height());
    let message = js_sys::Object::new();
    for (key, value) in [("type", what.into()), ("height", f64::from(height).into())] {
        let _ = js_sys::Reflect::set(&message, &key.into(), &value);
    }
    if let Ok(Some(parent)) = window().parent() {
        let _ = parent.post_message(&message, "*");
    }
}

/// Tells an embedding page whenever this one becomes higher or lower, from now on.
fn watch_height() {
    let watch = Closure::<dyn FnMut()>::new(|| tell_parent("warpspan-height"));
    // A browser without observers leaves the embedding page with the first height.
    if let (Ok(observer), Some(body)) =
        (web_sys::ResizeObserver::new(watch.as_ref().unchecked_ref()), document().body())
    {
        observer.observe(&body);
        watch.forget();
    }
}
