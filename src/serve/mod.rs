//! `serve`: shows an experiment or a folder of experiments in a local browser, live while another process runs it.
//!
//! The server reads the files that runs write. It writes nothing, takes no lock, calls no model, and listens on 127.0.0.1 only.
//! The report page is made elsewhere.

mod app;
mod calls;
mod cursor;
mod design;
mod folder_watcher;
mod guard;
mod index;
mod line;
mod page_cache;
mod pages;
mod reading;
mod served_folder;
mod session;
mod stream;
mod tail;
mod watched_experiment;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::store::files::FileError;
use guard::Hosts;
pub use page_cache::{PagePrinter, PrintedPage};
use served_folder::ServedFolder;

/// A server that is bound to its port but does not answer yet.
pub struct LiveServer {
    listener: TcpListener,
    house: Arc<ServedFolder>,
}

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folder cannot be opened.
    #[error(transparent)]
    Folder(#[from] FileError),
    /// The port is not available.
    #[error("127.0.0.1:{port}: {reason}")]
    Port {
        /// The requested port.
        port: u16,
        /// The operating system's error.
        reason: io::Error,
    },
}

impl LiveServer {
    /// Binds a port of 127.0.0.1 (0 for any free port) to serve an experiment's folder or a folder of experiments. `press` makes
    /// the report page.
    ///
    /// # Errors
    /// [`ServeError`]
    pub async fn bind(path: &Path, port: u16, press: PagePrinter) -> Result<Self, ServeError> {
        let house = Arc::new(ServedFolder::open(path, press)?);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        Ok(Self { listener: listener.map_err(|reason| ServeError::Port { port, reason })?, house })
    }

    /// The bound address.
    ///
    /// # Errors
    /// The operating system's error.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the future is dropped.
    ///
    /// # Errors
    /// The operating system's error.
    pub async fn run(self) -> io::Result<()> {
        let hosts = Hosts::of_port(self.address()?.port());
        axum::serve(self.listener, app::build_router(self.house, hosts)).await
    }
}
