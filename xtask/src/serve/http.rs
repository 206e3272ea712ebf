//! As much of HTTP/1.1 as static files need: GET and HEAD, kept-alive connections, no bodies read.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use super::packed::{Packing, packed};
use super::{Bodies, mime, path};

/// Longest request line or header line, and the most header lines, before a connection is refused.
const LONGEST_LINE: u64 = 16 * 1024;
const MOST_LINES: usize = 100;
/// How long a connection may stay silent.
const SILENCE: Duration = Duration::from_secs(60);

/// What was asked for.
struct Request {
    method: String,
    target: String,
    /// How answers may be packed, the best first.
    takes: Vec<Packing>,
    /// The versions the browser has already.
    has: String,
    after: After,
}

/// What becomes of the connection after the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Keep,
    Close,
}

struct Answer {
    status: &'static str,
    kind: &'static str,
    packing: Option<Packing>,
    /// Which version of the file this is, and how long it may be kept without asking; empty for what is no file.
    version: String,
    keeping: &'static str,
    body: Vec<u8>,
}

/// A name with a hash in it never stands for anything else; whatever has none is asked for again each time.
const FOR_EVER: &str = "max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";
const NOT_MODIFIED: &str = "304 Not Modified";

/// Answers the requests of one connection until it ends.
pub(super) fn talk(stream: TcpStream, folder: &Path, bodies: Bodies) -> io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream);
    while let Some(mut request) = read(&mut lines)? {
        if bodies == Bodies::Plain {
            request.takes.clear();
        }
        let answer = answer(&request, folder);
        write(&mut out, &request, &answer)?;
        if request.after == After::Close {
            break;
        }
    }
    Ok(())
}

/// The next request; none at the end of the connection or when it makes no sense.
fn read(lines: &mut impl BufRead) -> io::Result<Option<Request>> {
    let Some(first) = line(lines)? else { return Ok(None) };
    let mut words = first.split(' ');
    let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Ok(None);
    };
    let mut takes = Vec::new();
    let mut has = String::new();
    let mut after = if version == "HTTP/1.1" { After::Keep } else { After::Close };
    for _ in 0..MOST_LINES {
        let Some(header) = line(lines)? else { return Ok(None) };
        if header.is_empty() {
            let (method, target) = (method.to_owned(), target.to_owned());
            return Ok(Some(Request { method, target, takes, has, after }));
        }
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        let closes = name.eq_ignore_ascii_case("connection") && value.trim().eq_ignore_ascii_case("close");
        let has_body = name.eq_ignore_ascii_case("transfer-encoding")
            || (name.eq_ignore_ascii_case("content-length") && value.trim() != "0");
        if closes || has_body {
            after = After::Close;
        }
        if name.eq_ignore_ascii_case("accept-encoding") {
            takes = Packing::ALL.into_iter().filter(|packing| offers(value, packing.name())).collect();
        }
        if name.eq_ignore_ascii_case("if-none-match") {
            value.clone_into(&mut has);
        }
    }
    Ok(None)
}

/// Whether a list such as `br, gzip;q=0.8` offers a way to pack.
fn offers(list: &str, packing: &str) -> bool {
    let offers = |entry: &str| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let refused =
            matches!(weight.trim().to_ascii_lowercase().as_str(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
        name.trim().eq_ignore_ascii_case(packing) && !refused
    };
    list.split(',').any(offers)
}

/// One line without its end; none at the end of the connection or when it is too long.
fn line(lines: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    lines.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(String::from_utf8(bytes).ok())
}

fn answer(request: &Request, folder: &Path) -> Answer {
    if request.method != "GET" && request.method != "HEAD" {
        return says("405 Method Not Allowed");
    }
    let Some(file) = path::file(folder, &request.target) else { return says("404 Not Found") };
    let kind = mime::of(&file);
    let packed = request.takes.iter().find_map(|&packing| Some((Some(packing), packed(&file, packing)?)));
    match packed.map_or_else(|| fs::read(&file).map(|body| (None, body)), Ok) {
        Ok((packing, body)) => {
            let version = version(&file, packing).unwrap_or_default();
            let keeping = if path::has_hash(&file) { FOR_EVER } else { ASK_AGAIN };
            if !version.is_empty() && request.has.contains(&version) {
                return Answer { status: NOT_MODIFIED, kind, packing: None, version, keeping, body: vec![] };
            }
            Answer { status: "200 OK", kind, packing, version, keeping, body }
        }
        Err(_) => says("404 Not Found"),
    }
}

/// A quoted text that changes with the file.
fn version(file: &Path, packing: Option<Packing>) -> Option<String> {
    let about = fs::metadata(file).ok()?;
    let since = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let packing = packing.map_or("", Packing::name);
    Some(format!("\"{:x}-{:x}{packing}\"", since.as_nanos(), about.len()))
}

fn says(status: &'static str) -> Answer {
    Answer {
        status,
        kind: "text/plain; charset=utf-8",
        packing: None,
        version: String::new(),
        keeping: ASK_AGAIN,
        body: format!("{status}\n").into_bytes(),
    }
}

fn write(out: &mut impl Write, request: &Request, answer: &Answer) -> io::Result<()> {
    let connection = if request.after == After::Keep { "keep-alive" } else { "close" };
    let packing =
        answer.packing.map_or(String::new(), |packing| format!("Content-Encoding: {}\r\n", packing.name()));
    let length = match answer.status {
        NOT_MODIFIED => String::new(),
        _ => format!("Content-Length: {}\r\n", answer.body.len()),
    };
    let version = match answer.version.as_str() {
        "" => String::new(),
        version => format!("ETag: {version}\r\n"),
    };
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\n{length}Cache-Control: {}\r\n{version}\
         X-Content-Type-Options: nosniff\r\nAllow: GET, HEAD\r\nVary: Accept-Encoding\r\n\
         {packing}Connection: {connection}\r\n\r\n",
        answer.status, answer.kind, answer.keeping,
    );
    let mut bytes = head.into_bytes();
    if request.method != "HEAD" {
        bytes.extend_from_slice(&answer.body);
    }
    out.write_all(&bytes)
}
