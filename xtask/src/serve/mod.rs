//! A server for a built page: static files of one folder, to this machine only.
//!
//! Each connection has its own thread, so a slow one holds up no other. A missing file is a 404 and
//! never the start page: a wrong address in the page must show.

mod http;
mod mime;
mod packed;
mod path;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use crate::Failure;

/// Serves a folder whose files change often, on this port if it can be had.
pub(crate) fn plain(folder: &Path, port: u16) -> Result<Server, Failure> {
    Server::start(folder, port, Bodies::Plain).or_else(|failure| {
        println!("\nPort {port} cannot be had ({failure}); taking a free one.");
        Server::start(folder, 0, Bodies::Plain)
    })
}

/// How files are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bodies {
    /// As real hosts do. Packing them takes longer than to build some.
    Packed,
    Plain,
}

/// A running server; it runs until the program ends.
pub(crate) struct Server {
    address: SocketAddr,
}

impl Server {
    /// Listens on a port, 0 for any free one.
    pub(crate) fn start(folder: &Path, port: u16, bodies: Bodies) -> Result<Self, Failure> {
        let place = format!("127.0.0.1:{port}");
        let listen = || -> io::Result<(TcpListener, SocketAddr)> {
            let listener = TcpListener::bind(&place)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) = listen().map_err(Failure::file("listen on", Path::new(&place)))?;
        let folder: Arc<Path> = folder.into();
        if bodies == Bodies::Packed {
            let ahead = Arc::clone(&folder);
            thread::spawn(move || packed::all_in(&ahead)); // so that the first visitor does not wait for it
        }
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = Arc::clone(&folder);
                // A connection that breaks off is the browser's business.
                thread::spawn(move || drop(http::talk(stream, &folder, bodies)));
            }
        });
        Ok(Self { address })
    }

    /// The address of the start page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

#[cfg(test)]
mod tests;
