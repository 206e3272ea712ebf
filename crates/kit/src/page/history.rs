//! Undo and redo of the document's text.

/// The texts before and after the present one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    past: Vec<String>,
    future: Vec<String>,
}

/// Texts kept at the most.
const DEEPEST: usize = 200;

impl History {
    /// Notes that `present` is about to be replaced.
    pub fn leave(&mut self, present: String) {
        self.future.clear();
        if self.past.last() != Some(&present) {
            self.past.push(present);
        }
        if self.past.len() > DEEPEST {
            self.past.remove(0);
        }
    }

    /// The text that was left last, as if it had never been left.
    pub fn take_back(&mut self) -> Option<String> {
        self.past.pop()
    }

    /// The text that was left last.
    pub fn last(&self) -> Option<&str> {
        self.past.last().map(String::as_str)
    }

    /// The text before `present`.
    pub fn undo(&mut self, present: String) -> Option<String> {
        let text = self.past.pop()?;
        self.future.push(present);
        Some(text)
    }

    /// The text that was undone last.
    pub fn redo(&mut self, present: String) -> Option<String> {
        let text = self.future.pop()?;
        self.past.push(present);
        Some(text)
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_and_forth() {
        let mut history = History::default();
        history.leave("a".into());
        history.leave("b".into());
        assert_eq!(history.undo("c".into()).as_deref(), Some("b"));
        assert_eq!(history.undo("b".into()).as_deref(), Some("a"));
        assert_eq!(history.undo("a".into()), None);
        assert_eq!(history.redo("a".into()).as_deref(), Some("b"));
        history.leave("b".into());
        assert!(!history.can_redo() && history.can_undo());
    }

    #[test]
    fn what_is_taken_back_was_never_left() {
        let mut history = History::default();
        history.leave("a".into());
        history.leave("b".into());
        assert_eq!(history.last(), Some("b"));
        assert_eq!(history.take_back().as_deref(), Some("b"));
        assert_eq!((history.last(), history.can_redo()), (Some("a"), false));
        assert_eq!(history.undo("b".into()).as_deref(), Some("a"));
        assert_eq!(history.last(), None);
        assert_eq!(history.take_back(), None);
    }
}
