//! Tests of the account.

mod made;
mod oracle;
mod planted;
