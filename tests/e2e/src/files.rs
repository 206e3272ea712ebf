//! What the page offers as a download is caught; texts are dropped on it and pasted into it.

use serde_json::{Value, json};

use crate::{Outcome, Page};

/// A file the page offered.
#[derive(Debug, Clone, PartialEq)]
pub struct Download {
    /// The name it would have.
    pub name: String,
    /// Its media type.
    pub kind: String,
    /// What is in it, as far as it is text.
    pub text: String,
    /// Width and height, where it is a picture.
    pub size: Option<(u64, u64)>,
}

impl Page {
    /// Clicks a button and gives the file the page offers in answer.
    pub async fn download(&self, id: &str) -> Result<Download, String> {
        self.catch_downloads().await?;
        self.click(id).await?;
        self.caught().await
    }

    /// From now on downloads are kept in the page instead of saved.
    pub async fn catch_downloads(&self) -> Outcome {
        let script = "const blobs = new Map(), real = URL.createObjectURL.bind(URL);
            window.caught = null;
            URL.createObjectURL = (blob) => { const url = real(blob); blobs.set(url, blob); return url; };
            HTMLAnchorElement.prototype.click = function () {
                window.caught = {name: this.download, blob: blobs.get(this.href)};
            };";
        self.eval(script, vec![]).await.map(drop)
    }

    /// The file the page has offered last.
    pub async fn caught(&self) -> Result<Download, String> {
        self.until("a download", "return !!window.caught").await?;
        let script = "const done = arguments[0], {name, blob} = window.caught;
            (async () => {
                const size = await createImageBitmap(blob).then((p) => [p.width, p.height], () => null);
                done({name, kind: blob.type, text: await blob.text(), size});
            })();";
        let found = self.eval_async(script, vec![]).await?;
        let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        let size = found["size"].as_array().map(|s| (whole(&s[0]), whole(&s[1])));
        Ok(Download { name: text("name"), kind: text("kind"), text: text("text"), size })
    }

    /// Pastes a text onto the first element of a selector.
    pub async fn paste(&self, selector: &str, text: &str) -> Outcome {
        let script = "const data = new DataTransfer(); data.setData('text/plain', arguments[1]);
            document.querySelector(arguments[0]).dispatchEvent(
                new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))";
        self.eval(script, vec![json!(selector), json!(text)]).await.map(drop)
    }

    /// Drops files, given as name and text, onto the page.
    pub async fn drop_files(&self, files: &[(&str, &str)]) -> Outcome {
        let script = "const data = new DataTransfer();
            for (const [name, text] of arguments[0]) data.items.add(new File([text], name));
            const main = document.getElementById('main');
            for (const kind of ['dragover', 'drop'])
                main.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}))";
        self.eval(script, vec![json!(files)]).await.map(drop)
    }
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}
