//! What the page offers as a download is caught; texts are dropped on it and pasted into it.

use serde_json::{Value, json};

use crate::{Outcome, Page};

/// Stands in for the tab that Perfetto is in, from its own address: it hears only what is meant for that. Scripts in
/// a frame of the page would not run, by the page's policy.
const TAB: &str = "window.sent = null;
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const tab = frame.contentWindow;
    const say = (data, origin) => dispatchEvent(new MessageEvent('message', {data, origin, source: tab}));
    tab.postMessage = (data, to) => {
        if (data === 'PING') {
            say('PONG', 'https://elsewhere.example');
            setTimeout(say, 300, 'PONG', window.opened);
        } else if (to === window.opened) {
            window.sent = {...data.perfetto, text: new TextDecoder().decode(data.perfetto.buffer)};
        }
    };
    window.open = (url) => { window.opened = url; return tab; }";

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

    /// From now on another tab is a frame of the page, which answers as Perfetto does and keeps what it is sent.
    pub async fn stand_in_for_perfetto(&self) -> Outcome {
        self.eval(TAB, vec![]).await.map(drop)
    }

    /// What was sent to the other tab: title, name of the file, text.
    pub async fn handed_over(&self) -> Result<[String; 3], String> {
        self.until("the trace in the other tab", "return !!window.sent").await?;
        let opened = self.string("return window.opened").await?;
        if opened != "https://ui.perfetto.dev" {
            return Err(format!("the tab was opened at {opened}"));
        }
        let of = async |key: &str| self.string(&format!("return window.sent.{key}")).await;
        Ok([of("title").await?, of("fileName").await?, of("text").await?])
    }

    /// Pastes a text onto the first element of a selector.
    pub async fn paste(&self, selector: &str, text: &str) -> Outcome {
        // Firefox empties what an event of a script's own making carries, so that it is put back.
        let script = "const data = new DataTransfer(); data.setData('text/plain', arguments[1]);
            const event = new ClipboardEvent('paste', {bubbles: true, cancelable: true});
            Object.defineProperty(event, 'clipboardData', {value: data});
            document.querySelector(arguments[0]).dispatchEvent(event)";
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

    /// Chooses files, given as name and text, in a field for files.
    pub async fn give_files(&self, id: &str, files: &[(&str, &str)]) -> Outcome {
        let script = "const data = new DataTransfer();
            for (const [name, text] of arguments[1]) data.items.add(new File([text], name));
            const field = document.querySelector(`[data-testid=${arguments[0]}]`);
            field.files = data.files;
            field.dispatchEvent(new Event('change', {bubbles: true}))";
        self.wait_for(id).await?;
        self.eval(script, vec![json!(id), json!(files)]).await.map(drop)
    }
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}
