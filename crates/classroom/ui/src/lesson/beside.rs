//! A file beside the page: a lesson, or a set of exercises.

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use base::Problem;
use base::problem::quoted;
use kit::import;

/// Whether a name is that of a file, and not of a lesson that comes with the page.
pub(super) fn is_file(name: &str) -> bool {
    name.ends_with(".json")
}

/// The text of a file, which must be where the page is from: a link must not make the page ask anyone else.
pub(crate) async fn text(name: &str, expected: &str) -> Result<String, Vec<Problem>> {
    let wrong = |what: String| vec![Problem::at(name, what, expected)];
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let parts_fit = name.split('/').all(|part| !part.is_empty() && part != "..");
    if !name.chars().all(plain) || !parts_fit {
        return Err(wrong(format!("{} leads away from the page", quoted(name))));
    }
    let response = JsFuture::from(window().fetch_with_str(name)).await;
    let response = response.ok().and_then(|response| response.dyn_into::<Response>().ok());
    let Some(response) = response else { return Err(wrong("cannot be fetched".to_owned())) };
    if !response.ok() {
        return Err(wrong(format!("is not there (status {})", response.status())));
    }
    let body = match response.array_buffer() {
        Ok(buffer) => JsFuture::from(buffer).await.ok(),
        Err(_) => None,
    };
    let Some(body) = body else { return Err(wrong("cannot be read".to_owned())) };
    import::gzip::text_of(&js_sys::Uint8Array::new(&body).to_vec()).map_err(|problem| vec![problem])
}
