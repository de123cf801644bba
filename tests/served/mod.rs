//! A server of this process or another, and readers of it that see every byte.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;

use ekklesia::report::page::Block;
use ekklesia::serve::{Printed, Server};
use tokio::runtime::{Builder, Runtime};

use crate::cli::program;

/// A server that ends with this value.
pub struct Served {
    pub address: SocketAddr,
    by: By,
}

/// What serves.
enum By {
    Runtime(Runtime),
    Program(Child),
}

impl Drop for Served {
    fn drop(&mut self) {
        if let By::Program(child) = &mut self.by {
            // It may have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Serves a folder on any free port.
pub fn served(path: &Path) -> Served {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = runtime.block_on(Server::bind(path, 0, Arc::new(press))).unwrap();
    let address = server.address().unwrap();
    runtime.spawn(server.run());
    Served { address, by: By::Runtime(runtime) }
}

/// In the place of the report's page: what it is made of is for its own tests.
fn press(folder: &Path) -> Result<Printed, String> {
    let sessions = std::fs::read_dir(folder.join("sessions")).map_err(|error| error.to_string())?;
    let names = sessions.map(|session| session.unwrap().file_name().into_string().unwrap());
    let sessions = names.map(|name| (name.clone(), Block::pack(&format!("<article>{name}</article>")))).collect();
    let policy = "default-src 'none'; connect-src 'self'".to_owned();
    Ok(Printed { html: format!("<h1>{}</h1>", folder.file_name().unwrap().display()), policy, sessions })
}

/// What was answered.
#[derive(Debug)]
pub struct Answered {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answered {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl Served {
    /// The program that serves.
    pub fn program(&mut self) -> &mut Child {
        match &mut self.by {
            By::Program(child) => child,
            By::Runtime(_) => panic!("this server is no program"),
        }
    }

    /// Asks as a browser does.
    pub fn get(&self, path: &str) -> Answered {
        self.raw("GET", path, &[("Host", &self.address.to_string())])
    }

    /// Asks with these headers and no others, on a connection of its own.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answered {
        let mut socket = self.sent(method, path, &[headers, &[("Connection", "close")]].concat());
        let (status, headers) = head(&mut socket);
        let mut body = Vec::new();
        socket.read_to_end(&mut body).unwrap();
        let body = String::from_utf8_lossy(&body).into_owned();
        Answered { status, headers, body }
    }

    fn sent(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> BufReader<TcpStream> {
        let mut socket = TcpStream::connect(self.address).unwrap();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        socket.write_all(format!("{method} {path} HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap();
        BufReader::new(socket)
    }
}

fn head(socket: &mut BufReader<TcpStream>) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    socket.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).unwrap_or_default().parse().unwrap_or_default();
    let mut headers = Vec::new();
    loop {
        line.clear();
        if socket.read_line(&mut line).unwrap() == 0 || line.trim().is_empty() {
            return (status, headers);
        }
        let (name, value) = line.trim_end().split_once(": ").unwrap_or((line.trim_end(), ""));
        headers.push((name.to_lowercase(), value.to_owned()));
    }
}

/// An event of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    pub kind: String,
    pub id: Option<String>,
    pub data: String,
}

/// A stream of events, and what was heard of it.
pub struct Stream {
    socket: BufReader<TcpStream>,
    /// What came of the chunk that is being read.
    rest: Vec<u8>,
    pub heard: Vec<Heard>,
}

impl Stream {
    /// Opens a stream, behind an event where its id is given.
    pub fn open(server: &Served, path: &str, last: Option<&str>) -> Self {
        let host = server.address.to_string();
        let mut headers = vec![("Host", host.as_str()), ("Accept", "text/event-stream")];
        headers.extend(last.map(|last| ("Last-Event-ID", last)));
        let mut socket = server.sent("GET", path, &headers);
        let (status, headers) = head(&mut socket);
        assert_eq!(status, 200, "{path}: {last:?}");
        assert!(headers.contains(&("content-type".to_owned(), "text/event-stream".to_owned())), "{headers:?}");
        Self { socket, rest: Vec::new(), heard: Vec::new() }
    }

    /// The next event; comments and hints are passed over.
    pub fn next(&mut self) -> Heard {
        loop {
            let mut event = Heard::default();
            loop {
                let line = self.line();
                let (name, value) = line
                    .split_once(':')
                    .map_or((line.as_str(), ""), |(name, value)| (name, value.strip_prefix(' ').unwrap_or(value)));
                match name {
                    "" if line.is_empty() => break,
                    "event" => value.clone_into(&mut event.kind),
                    "id" => event.id = Some(value.to_owned()),
                    "data" => event.data.push_str(value),
                    _ => {}
                }
            }
            if !event.kind.is_empty() {
                self.heard.push(event.clone());
                return event;
            }
        }
    }

    /// The next event of a kind.
    pub fn until(&mut self, kind: &str) -> Heard {
        loop {
            let event = self.next();
            if event.kind == kind {
                return event;
            }
        }
    }

    fn line(&mut self) -> String {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                return String::from_utf8(line[..end].to_vec()).unwrap();
            }
            let mut size = String::new();
            assert!(self.socket.read_line(&mut size).unwrap() > 0, "the stream ended: {:?}", self.heard.last());
            let size = usize::from_str_radix(size.trim(), 16).unwrap();
            let mut chunk = vec![0; size + 2];
            self.socket.read_exact(&mut chunk).unwrap();
            self.rest.extend_from_slice(&chunk[..size]);
        }
    }
}

/// A record's line.
pub fn line(seq: u64, words: &str) -> String {
    let at = r#"{"phase":"session","round":0,"turn":0,"step":"brief"}"#;
    let words = serde_json::to_string(words).unwrap();
    format!("{{\"seq\":{seq},\"at\":{at},\"event\":{{\"Instructed\":{{\"text\":{words}}}}}}}\n")
}

/// Begins the program and reads its address.
pub fn begin(arguments: &[&str]) -> Served {
    let mut child = program(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    Served { address: address.parse().unwrap(), by: By::Program(child) }
}
