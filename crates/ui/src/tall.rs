//! A picture that may be higher than its place: its rows stand beneath each other in a space that scrolls, and the
//! canvas stays where the eye is.

use leptos::html::{Canvas, Div};
use leptos::prelude::*;

use crate::follow::follow_size;
use crate::live::{effect, live};
use crate::sight::Sight;
use crate::touch::{Touched, TouchedCanvas};

/// The place of such a picture.
#[derive(Clone, Copy)]
pub struct Tall {
    /// Its width and its height.
    pub room: RwSignal<(f64, f64)>,
    /// What is above it in the space, in pixels.
    pub down: RwSignal<f64>,
}

impl Tall {
    /// Not measured yet, and at the top.
    pub fn new() -> Self {
        Self { room: RwSignal::new((0.0, 0.0)), down: RwSignal::new(0.0) }
    }
}

impl Default for Tall {
    fn default() -> Self {
        Self::new()
    }
}

/// The picture: it is measured, scrolled by the wheel and by whoever sets `down`, and met by pointers.
#[component]
pub fn TallPlot<T: Touched>(
    /// The picture.
    picture: T,
    /// The canvas that it is painted on.
    canvas: NodeRef<Canvas>,
    /// Its place.
    tall: Tall,
    /// How high all of it is, axis included.
    high: Signal<f64>,
    /// What those hear who do not see it.
    label: Signal<String>,
    /// Its class, beside those of all pictures.
    class: &'static str,
    /// What tests find it by.
    id: &'static str,
    /// What is in sight.
    sight: Sight,
    /// What lies over it.
    #[prop(into)]
    over: ViewFn,
) -> impl IntoView {
    let canvas = view! { <TouchedCanvas picture canvas taken=sight.cursor.on_axis/> }.into_any();
    placed(canvas, tall, high, label, format!("figure-plot {class}"), id, over)
}

fn placed(
    canvas: AnyView,
    Tall { room, down }: Tall,
    high: Signal<f64>,
    label: Signal<String>,
    class: String,
    id: &'static str,
    over: ViewFn,
) -> impl IntoView {
    let plot = NodeRef::<Div>::new();
    follow_size(
        move || plot.get().map(Into::into),
        move |plot: &web_sys::Element| {
            let now = (f64::from(plot.client_width()), f64::from(plot.client_height()));
            if room.try_get_untracked().is_some_and(|known| known != now) {
                room.set(now);
            }
        },
    );
    let scrolled = move |_| {
        if let Some(plot) = plot.get_untracked() {
            let top = f64::from(plot.scroll_top());
            if down.get_untracked() != top {
                down.set(top);
            }
        }
    };
    effect(move || {
        let down = down.get();
        if let Some(plot) = plot.get()
            && (f64::from(plot.scroll_top()) - down).abs() >= 1.0
        {
            plot.set_scroll_top(down as i32);
        }
    });
    view! {
        <div class=class node_ref=plot tabindex="0" role="application" aria-roledescription="timeline"
            aria-label=live(move || label.get()) data-testid=id on:scroll=scrolled>
            <div class="tall-space" style=live(move || format!("height: {}px", high.get()))>
                <div class="tall-sight">{canvas}</div>
            </div>
            {over.run()}
        </div>
    }
}
