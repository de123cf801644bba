//! `serve`: an experiment, or a folder of them, in a browser on this machine, live while a run goes on in another process.
//!
//! It reads the files that runs leave and nothing else: no lock is kept, nothing is written, and no model is called. What stands in the
//! report is made elsewhere. Only 127.0.0.1 is listened on.

mod app;
mod cursor;
mod design;
mod guard;
mod house;
mod index;
mod line;
mod pages;
mod print;
mod reading;
mod room;
mod session;
mod stream;
mod survey;
mod tail;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::store::files::FileError;
use guard::Hosts;
use house::ServedFolder;
pub use print::{PagePrinter, PrintedPage};

/// A server that has its port and answers nothing yet.
pub struct LiveServer {
    listener: TcpListener,
    house: Arc<ServedFolder>,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// There is no such folder.
    #[error(transparent)]
    Folder(#[from] FileError),
    /// The port could not be had.
    #[error("127.0.0.1:{port}: {reason}")]
    Port {
        /// Which.
        port: u16,
        /// What the operating system said.
        reason: io::Error,
    },
}

impl LiveServer {
    /// Takes a port of 127.0.0.1, any that is free for 0, to serve an experiment's folder or a folder of such folders; the press
    /// makes the report's page.
    ///
    /// # Errors
    /// [`ServeError`]
    pub async fn bind(path: &Path, port: u16, press: PagePrinter) -> Result<Self, ServeError> {
        let house = Arc::new(ServedFolder::open(path, press)?);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        Ok(Self { listener: listener.map_err(|reason| ServeError::Port { port, reason })?, house })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the future is dropped.
    ///
    /// # Errors
    /// What the operating system says.
    pub async fn run(self) -> io::Result<()> {
        let hosts = Hosts::of_port(self.address()?.port());
        axum::serve(self.listener, app::build_router(self.house, hosts)).await
    }
}
