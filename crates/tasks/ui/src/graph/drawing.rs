//! The drawing: vertices and edges as elements that take the focus, within a picture that zooms.

use leptos::prelude::*;
use leptos::svg::Svg;
use ui_kit::live::{live, memo};

use super::desk::{Desk, drawn_id};
use super::pointers;
use tasks_lab::page::tasks::graph::{Doing, Item, band};
use ui_kit::follow::follow_size;

/// Vertices, edges, and the line that follows the pointer.
#[component]
pub fn Drawing(desk: Desk) -> impl IntoView {
    let svg = NodeRef::<Svg>::new();
    follow_size(
        move || svg.get().map(Into::into),
        move |place| {
            let size = (f64::from(place.client_width()), f64::from(place.client_height()));
            if desk.size.try_get_untracked().is_some_and(|old| old != size) {
                desk.size.set(size);
            }
        },
    );
    let hand = pointers::Pointers::new(desk, svg);
    // Each task has its own elements: what one of them had is not taken for the next one's.
    let keyed = move |count: usize| {
        let task = desk.task().get();
        (0..count).map(move |place| (task, place))
    };
    let vertices = move || keyed(desk.picture.with(|picture| picture.shapes.len()));
    let edges = move || {
        let task = desk.task().get();
        let places: Vec<_> =
            desk.picture.with(|picture| picture.lines.iter().map(|line| (task, line.place)).collect());
        places
    };
    let far = memo(move |_| desk.sight.get().far(1, 0.0).is_some());
    let line = move || desk.band.get().map(|(from, to)| band(from, to)).unwrap_or_default();
    view! {
        <svg node_ref=svg class="graph-drawing" class:dots=live(move || desk.picture.with(|picture| picture.dots))
            class:far=live(move || far.get())
            on:pointerdown=move |event| hand.down(&event) on:pointermove=move |event| hand.moved(&event)
            on:pointerup=move |event| hand.up(&event) on:pointercancel=move |event| hand.lost(&event)
            on:dblclick=move |event| hand.twice(&event) on:wheel=move |event| hand.wheel(&event)>
            <g transform=live(move || desk.sight.get().transform())>
                <For each=edges key=|edge| *edge children=move |(_, place)| view! { <Edge desk place/> }/>
                <For each=vertices key=|vertex| *vertex children=move |(_, place)| view! { <Vertex desk place/> }/>
                <path class="band" d=line/>
            </g>
        </svg>
    }
}

/// Whether something is in the one place that Tab comes to from outside.
fn is_stop(desk: Desk, item: Item) -> bool {
    match desk.focused.get().or(desk.selected.get()) {
        Some(stop) if desk.picture.with(|picture| picture.place(stop).is_some()) => stop == item,
        _ => desk.picture.with(|picture| picture.order.first() == Some(&item)),
    }
}

/// What an element says of itself, and what having the focus means.
#[derive(Clone, Copy)]
struct Own {
    stop: Memo<bool>,
    selected: Memo<bool>,
    words: Memo<String>,
}

impl Own {
    fn new(desk: Desk, item: Item) -> Self {
        Self {
            stop: memo(move |_| is_stop(desk, item)),
            selected: memo(move |_| desk.selected.get() == Some(item)),
            words: memo(move |_| {
                desk.picture.with(|picture| picture.words(item).unwrap_or_default().to_owned())
            }),
        }
    }

    fn tab(self) -> &'static str {
        if self.stop.get() { "0" } else { "-1" }
    }

    fn pressed(self) -> &'static str {
        if self.selected.get() { "true" } else { "false" }
    }
}

fn focus(desk: Desk, item: Item) {
    desk.focused.set(Some(item));
    if desk.doing.get_untracked() == Doing::Nothing {
        desk.selected.set(Some(item));
    }
}

#[component]
fn Vertex(desk: Desk, place: usize) -> impl IntoView {
    let item = Item::Vertex(place);
    let own = Own::new(desk, item);
    let shape =
        memo(move |_| desk.picture.with(|picture| picture.shapes.get(place).cloned().unwrap_or_default()));
    let frame = memo(move |_| desk.picture.with(|picture| (picture.dots, picture.size)));
    // A memo: while someone zooms, most of what is drawn stays as it is.
    let large = memo(move |_| {
        let letters = shape.with(|shape| shape.name.chars().count());
        desk.sight.get().far(letters, frame.get().1.0)
    });
    let large = move || large.get();
    let put = move || shape.with(|shape| format!("translate({:?} {:?})", shape.at.0, shape.at.1));
    let role = move || shape.with(|shape| shape.role);
    let inside = move || {
        let (dots, (wide, high)) = frame.get();
        if dots {
            return view! { <circle class="body" r=wide / 2.0/><circle class="handle" cx=wide / 2.0 r="4"/> }
                .into_any();
        }
        let (left, top) = (-wide / 2.0, -high / 2.0);
        view! {
            <rect class="body" x=left y=top width=wide height=high rx="7"/>
            <path class="end" d=live(move || ends(role(), wide, high))/>
            <text class="name" y=live(move || if large().is_some() { "9" } else { "-4" }) style=live(move || large().map(|size| format!("font-size: {size}px")))>{live(move || shape.with(|shape| shape.name.clone()))}</text>
            <text class="numbers" y="15">{live(move || shape.with(|shape| shape.numbers.clone()))}</text>
            <text class="role" y=high / 2.0 + 14.0>{role}</text>
            <circle class="grip" cx=wide / 2.0 r="12"/>
            <circle class="handle" cx=wide / 2.0 r="5"/>
        }
        .into_any()
    };
    let turns = move || {
        shape.with(|shape| shape.turns.clone()).map(|turns| {
            let (_, (wide, high)) = frame.get();
            let across = turns.chars().count() as f64 * 6.5 + 10.0;
            let (left, top) = (-wide / 2.0 - 6.0, -high / 2.0 - 9.0);
            view! {
                <rect class="turns" x=left y=top width=across height="17" rx="8.5"/>
                <text class="turns" x=left + across / 2.0 y=top + 12.5>{turns}</text>
            }
        })
    };
    view! {
        <g class="vertex" role="button" tabindex=live(move || own.tab()) aria-label=live(move || own.words.get()) aria-pressed=live(move || own.pressed())
            data-testid=drawn_id(item) data-vertex=place.to_string() transform=put
            class:on=live(move || shape.with(|shape| shape.turns.is_some()))
            class:source=live(move || role().starts_with("source")) class:sink=live(move || role().ends_with("sink"))
            class:away=live(move || desk.is_away(place))
            class:from=live(move || desk.doing.get() == Doing::Connecting(place))
            on:focus=move |_| focus(desk, item) on:blur=move |_| desk.focused.set(None)>
            <title>{live(move || own.words.get())}</title>
            {inside}
            {turns}
        </g>
    }
}

/// A second bar at the left of the source and at the right of the sink.
fn ends(role: &str, wide: f64, high: f64) -> String {
    let bar = |x: f64| format!("M{x:?} {:?}V{:?}", 8.0 - high / 2.0, high / 2.0 - 8.0);
    let (left, right) = (bar(6.0 - wide / 2.0), bar(wide / 2.0 - 9.0));
    match role {
        "source" => left,
        "sink" => right,
        "" => String::new(),
        _ => left + &right,
    }
}

#[component]
fn Edge(desk: Desk, place: usize) -> impl IntoView {
    let item = Item::Edge(place);
    let own = Own::new(desk, item);
    let line = memo(move |_| desk.picture.with(|picture| picture.line(place).cloned().unwrap_or_default()));
    let path = move || line.with(|line| line.wire.line.clone());
    let label = move || {
        (!desk.picture.with(|picture| picture.dots)).then(|| {
            let (x, y) = line.with(|line| line.wire.label);
            view! { <text class="p" x=x y=y + 4.0>{line.with(|line| line.p.clone())}</text> }
        })
    };
    view! {
        <g class="edge" role="button" tabindex=live(move || own.tab()) aria-label=live(move || format!("Edge {}", own.words.get())) aria-pressed=live(move || own.pressed())
            data-testid=drawn_id(item) data-edge=place.to_string()
            class:on=live(move || line.with(|line| line.on))
            on:focus=move |_| focus(desk, item) on:blur=move |_| desk.focused.set(None)>
            <title>{live(move || own.words.get())}</title>
            <path class="reach" d=path/>
            <path class="line" d=path/>
            <path class="arrow" d=live(move || line.with(|line| line.wire.arrow.clone()))/>
            {label}
        </g>
    }
}
