//! What the worker that holds a capture does for the page: it accounts, answers and writes; it knows no browser.

use super::layout::Layout;
use super::packed::Packed;
use super::says::{Said, said};
use super::seam::{Form, FromHolder};
use crate::diff::Side;
use crate::export::{csv, perfetto};
use crate::report::{Detail, report_of};
use kit::import::json;
use waves::Account;

/// A capture that is held.
pub struct Desk<'a> {
    account: &'a Account<'a>,
    layout: Layout,
    title: String,
}

impl<'a> Desk<'a> {
    /// Over an account; with the title of the document.
    pub fn new(account: &'a Account<'a>, title: &str) -> Self {
        Self { account, layout: Layout::of(account), title: title.to_owned() }
    }

    /// What is drawn of it.
    pub fn drawn(&self) -> Packed {
        Packed::of(self.account, &self.layout)
    }

    /// The line of its report: replays take longer than what is drawn.
    pub fn report(&self) -> String {
        report_of(&self.title, self.account, Detail::Summary).line()
    }

    /// The capture summed up, to be compared with another one.
    pub fn summed(&self) -> FromHolder {
        summed(self.account)
    }

    /// To what a stretch went.
    pub fn said(&self, place: u32) -> Option<Said> {
        said(self.account, &self.layout, place)
    }

    /// The capture in another form.
    pub fn written(&self, form: Form) -> FromHolder {
        let text = match form {
            Form::Perfetto => perfetto(self.account.capture, &self.title),
            Form::Csv => csv(self.account.capture),
            Form::Report => report_of(&self.title, self.account, Detail::Instructions).line(),
        };
        FromHolder::Written(form, text)
    }
}

/// A capture summed up that is not to be seen.
pub fn summed(account: &Account) -> FromHolder {
    FromHolder::Summed(json::line(&Side::of(account)))
}
