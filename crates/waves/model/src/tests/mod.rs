//! Tests of the account.

mod held;
mod made;
mod oracle;
mod planted;
