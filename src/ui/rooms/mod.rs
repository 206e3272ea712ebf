//! The rooms beside the labs, in a wasm of their own: what is reproduced, lessons, the sheet to print.
//!
//! Each is mounted into an element of the page and handed plain values (`src/page/rooms.rs`). It asks the page for what
//! it wants by `act(what, number, text)`; `src/ui/doors.rs` is the other side:
//!
//! | what | number | text | what happens |
//! |---|---|---|---|
//! | `job` | the room's own | a document | it is run in a worker beside the page; what is heard comes as `[number, kind, text]` with kind `progress` (`done total`), `news` (a line), `done` (the whole report's line), `refused` (a problem per line) or `crashed` |
//! | `cancel` | of the job | | it is stopped |
//! | `open` | | JSON of `ToOpen` | the document is opened on the page, in its lab |
//! | `lesson` | step, from 0 | a name | the lesson begins at that step |
//! | `own-lesson` | step, from 0 | a lesson's text | likewise |
//! | `step` | step, from 0 | | the present lesson goes to that step; `entered` counts up |
//! | `close` | | | the lesson or the sheet goes away |
//! | `at` | | what is looked at in the room | the address says so |
//! | `room` | | `lessons` or `reproduce` | that room is entered |
//! | `run` | | | the document on the page is run again |
//! | `reveal` | | | the hidden answer is shown |
//! | `notice` | | a sentence | it is said in the status line, to screen readers too |
//!
//! What is handed over first: the reproduction room hears of its jobs; lesson and sheet get the lines of the report that
//! is on the screen, of which the last is whole.

pub mod guessing;
pub mod lesson;
pub mod lessons;
mod mounted;
pub mod reproduce;
pub mod sheet;

use mounted::{Act, Room};
