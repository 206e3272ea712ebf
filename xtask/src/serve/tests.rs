//! The server as a browser meets it, over real connections.

use super::packed::{Packing, packed};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

use super::*;

/// A folder with a page and a file beside it that must stay hidden, and a server for the folder.
fn served(name: &str) -> (PathBuf, Server) {
    let above = std::env::temp_dir().join(format!("warpspan-serve-{}-{name}", std::process::id()));
    let folder = above.join("dist");
    fs::create_dir_all(folder.join("sub")).expect("a temporary folder");
    fs::write(above.join("secret.txt"), "secret").expect("a file");
    fs::write(folder.join("index.html"), "<p>start").expect("a file");
    fs::write(folder.join("app.wasm"), [0, 97, 115, 109]).expect("a file");
    let server = Server::start(&folder, 0, Bodies::Packed).expect("a server");
    (above, server)
}

fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address).expect("a connection")
}

/// Everything that comes back for one request on its own connection.
fn ask(server: &Server, first: &str) -> String {
    let mut stream = connect(server);
    write!(stream, "{first} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn files_come_with_their_type() {
    let (above, server) = served("types");
    let page = ask(&server, "GET /");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\n<p>start"), "{page}");
    assert!(page.contains("Content-Type: text/html") && page.contains("Cache-Control: no-cache"), "{page}");
    assert!(ask(&server, "GET /app.wasm?v=2").contains("Content-Type: application/wasm\r\n"));
    fs::remove_dir_all(above).expect("removed");
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let (above, server) = served("again");
    let header = |answer: &str, name: &str| {
        answer.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).map(str::to_owned)
    };
    let asked = |version: &str| {
        let mut stream = connect(&server);
        write!(stream, "GET / HTTP/1.1\r\nIf-None-Match: {version}\r\nConnection: close\r\n\r\n")
            .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let version = header(&ask(&server, "GET /"), "ETag").expect("a version");
    let known = asked(&version);
    assert!(known.starts_with("HTTP/1.1 304 ") && known.ends_with("\r\n\r\n"), "{known}");
    fs::write(above.join("dist/index.html"), "<p>another").expect("a file");
    assert!(asked(&version).ends_with("<p>another"), "a new version is sent");
    fs::write(above.join("dist/app-0123456789abcdef.js"), "start()").expect("a file");
    let kept = |target: &str| header(&ask(&server, target), "Cache-Control");
    assert_eq!(kept("GET /app-0123456789abcdef.js").as_deref(), Some("max-age=31536000, immutable"));
    assert_eq!(kept("GET /").as_deref(), Some("no-cache"));
    fs::remove_dir_all(above).expect("removed");
}

#[test]
fn files_are_packed_for_those_who_can_unpack_them() {
    let (above, server) = served("packed");
    let text = "warps and cycles ".repeat(1000);
    fs::write(above.join("dist/long.css"), &text).expect("a file");
    let with = |encodings: &str| {
        let mut stream = connect(&server);
        write!(stream, "GET /long.css HTTP/1.1\r\nAccept-Encoding: {encodings}\r\nConnection: close\r\n\r\n")
            .expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        answer
    };
    assert!(with("zstd, deflate").ends_with(text.as_bytes()));
    assert!(with("gzip;q=0").ends_with(text.as_bytes()));
    let file = above.join("dist/long.css");
    let here = |packing: Packing| packed(&file, packing).is_some();
    for (asked, packings) in [
        ("br, gzip;q=0.8", &[Packing::Brotli, Packing::Gzip][..]),
        ("gzip, deflate", &[Packing::Gzip]),
        ("br;q=0, gzip", &[Packing::Gzip]),
    ] {
        let Some(best) = packings.iter().find(|packing| here(**packing)) else { continue };
        let answer = with(asked);
        let head = String::from_utf8_lossy(&answer[..answer.len().min(400)]).into_owned();
        let header = format!("Content-Encoding: {}\r\n", best.name());
        assert!(head.contains(&header) && answer.len() < 1000, "{asked}: {head}");
    }
    fs::remove_dir_all(above).expect("removed");
}

#[test]
fn what_is_missing_or_outside_is_a_404() {
    let (above, server) = served("missing");
    for target in
        ["/missing.js", "/route/of/the/page", "/sub", "/sub/", "/../secret.txt", "/%2e%2e/secret.txt"]
    {
        let answer = ask(&server, &format!("GET {target}"));
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("start"), "{target}: {answer}");
    }
    fs::remove_dir_all(above).expect("removed");
}

#[test]
fn only_reading_is_allowed() {
    let (above, server) = served("methods");
    let head = ask(&server, "HEAD /");
    assert!(head.contains("Content-Length: 8\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(ask(&server, "POST /").starts_with("HTTP/1.1 405"));
    fs::remove_dir_all(above).expect("removed");
}

#[test]
fn open_connections_hold_up_no_other() {
    let (above, server) = served("many");
    let mut open: Vec<TcpStream> = (0..50).map(|_| connect(&server)).collect();
    for round in 0..2 {
        for stream in &mut open {
            stream.write_all(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n").expect("sent");
            let mut start = [0; 15];
            stream.read_exact(&mut start).expect("an answer");
            assert_eq!(&start, b"HTTP/1.1 200 OK", "round {round}");
            let mut rest = [0; 4096];
            while !rest.windows(4).any(|end| end == b"\r\n\r\n") {
                assert_ne!(stream.read(&mut rest).expect("the rest"), 0);
            }
        }
    }
    assert!(ask(&server, "GET /").ends_with("<p>start"));
    fs::remove_dir_all(above).expect("removed");
}
