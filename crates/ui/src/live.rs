//! What a view reads again whenever it changes: a text, an attribute, a part of the view; and memos and effects.
//!
//! The framework compiles what follows a closure anew for each closure, and pages have hundreds. Behind a pointer they
//! are one type for each kind of value.

use leptos::prelude::*;

/// A value that is read again whenever what it is made of changes.
pub type Live<T> = Box<dyn FnMut() -> T + Send>;

/// The value that a closure makes.
pub fn live<T>(made: impl FnMut() -> T + Send + 'static) -> Live<T> {
    Box::new(made)
}

/// What a closure makes of what it reads and of its last value, kept until another one comes of it.
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    made: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    memo_of(Box::new(made))
}

/// What a memo's closure makes of its last value.
type Made<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;

fn memo_of<T: PartialEq + Send + Sync + 'static>(made: Made<T>) -> Memo<T> {
    Memo::new(made)
}

/// Does something now and whenever what it reads changes.
pub fn effect(does: impl FnMut() + 'static) {
    effect_of(Box::new(does));
}

fn effect_of(mut does: Box<dyn FnMut()>) {
    Effect::new(move |_| does());
}
