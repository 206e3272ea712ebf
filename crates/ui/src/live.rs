//! What a view reads again whenever it changes: a text, an attribute, a part of the view.
//!
//! The framework compiles what follows a closure anew for each closure, and pages have hundreds. Behind a pointer they
//! are one type for each kind of value: a fifth less code.

/// A value that is read again whenever what it is made of changes.
pub type Live<T> = Box<dyn FnMut() -> T + Send>;

/// The value that a closure makes.
pub fn live<T>(made: impl FnMut() -> T + Send + 'static) -> Live<T> {
    Box::new(made)
}
