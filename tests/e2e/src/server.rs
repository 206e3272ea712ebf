//! A server for a copy of the page that a test may change and stop: static files below a path, nothing else.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

use crate::Page;

/// Where the page lies on the server: hosts give pages a folder of their own.
const BELOW: &str = "/some/where/";

/// A copy of the page and its server; both end with this.
#[derive(Debug)]
pub struct Site {
    folder: PathBuf,
    address: SocketAddr,
    over: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
}

impl Site {
    /// Copies and serves the files of a folder.
    pub fn of(folder: &Path) -> Result<Self, String> {
        let copy = temporary()?;
        for name in files_in(folder)? {
            let bytes = fs::read(folder.join(&name)).map_err(|error| format!("{name}: {error}"))?;
            write(&copy.join(&name), &bytes)?;
        }
        Self::serve(copy)
    }

    /// Serves a folder, and removes it in the end.
    pub fn serve(folder: PathBuf) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let over = Arc::new(AtomicBool::new(false));
        let (served, ended) = (folder.clone(), Arc::clone(&over));
        let server = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ended.load(Ordering::SeqCst) {
                    break; // and with the listener the port is closed
                }
                let served = served.clone();
                // A connection that breaks off is the browser's business.
                thread::spawn(move || drop(answer(stream, &served)));
            }
        });
        Ok(Self { folder, address, over, server: Some(server) })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}{BELOW}", self.address)
    }

    /// Where the served files lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// From now on nobody answers.
    pub fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            self.over.store(true, Ordering::SeqCst);
            drop(TcpStream::connect(self.address)); // wakes it up
            let _ = server.join();
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Page {
    /// The same browser, for a page at another address.
    pub fn at(&self, url: &str) -> Self {
        Self { url: url.to_owned(), ..self.clone() }
    }
}

/// The page as it was built, with its worker completed.
pub fn built() -> Result<PathBuf, String> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    let worker = fs::read_to_string(dist.join("service-worker.js")).unwrap_or_default();
    if worker.contains("\"./\": \"sha256-") {
        return Ok(dist);
    }
    Err("the page in dist/ is not complete: build it with `cargo xtask build`".to_owned())
}

/// The id of the built page, as its worker for visits without a network has it.
pub fn build_id() -> Result<String, String> {
    let worker = built()?.join("service-worker.js");
    let text = fs::read_to_string(&worker).map_err(|error| format!("{}: {error}", worker.display()))?;
    let (_, rest) = text.split_once("const BUILD = \"").ok_or("the worker names no build")?;
    let (id, _) = rest.split_once('"').ok_or("the build's id has no end")?;
    Ok(id.to_owned())
}

/// The files of a folder and of those in it, as addresses name them.
pub fn files_in(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files_in(&path)?.into_iter().map(|inner| format!("{name}/{inner}")));
        } else {
            found.push(name);
        }
    }
    Ok(found)
}

/// Writes a file, and the folders it is in.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let told = |error: io::Error| format!("{}: {error}", path.display());
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(told)?;
    fs::write(path, bytes).map_err(told)
}

/// An empty folder of its own.
pub fn temporary() -> Result<PathBuf, String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::SeqCst);
    let folder = std::env::temp_dir().join(format!("warpspan-site-{}-{count}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// One request on its connection. No store but the worker's shall keep anything.
fn answer(stream: TcpStream, folder: &Path) -> io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let target = first.split([' ', '?']).nth(1).unwrap_or_default();
    let name = match target.strip_prefix(BELOW) {
        Some("") => "index.html",
        Some(name) if !name.contains("..") && !name.starts_with('/') && !name.contains('\\') => name,
        _ => "..",
    };
    let (status, body) = match fs::read(folder.join(name)) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", b"Not found\n".to_vec()),
    };
    write!(
        out,
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n",
        kind(name),
        body.len()
    )?;
    out.write_all(&body)
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "css" => "text/css",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        "json" => "application/json",
        _ => "text/plain",
    }
}
