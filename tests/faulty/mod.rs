//! A model server that breaks as it is told to. What it answers follows from the question alone, so that the same question gets
//! the same words in whatever order, and after however many attempts, it is put.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its own part of this")]

pub mod experiment;

use std::collections::BTreeMap;
use std::future::pending;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

/// What the server does about a request.
#[derive(Debug, Clone)]
pub enum Play {
    /// It answers.
    Answer,
    /// It answers with this status, these headers and this body.
    Respond(u16, Vec<(&'static str, String)>, String),
    /// It sends these bytes and closes the connection.
    Raw(Vec<u8>),
    /// It sends these bytes and resets the connection.
    Reset(Vec<u8>),
    /// It says nothing more.
    Stall,
    /// It answers once it is let go.
    Hold,
    /// It is gone with all its connections, and comes back after so long; `None` for never.
    Down(Option<Duration>),
}

/// A request for a completion.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its place among all since the script began, from 0.
    pub place: usize,
    /// How often this very question was put before.
    pub before: usize,
    /// What was asked.
    pub body: Value,
    /// With which key.
    pub authorization: Option<String>,
}

impl Asked {
    /// What tells the question from others.
    pub fn digest(&self) -> String {
        digest(&self.body)
    }

    /// A number that follows from the question and nothing else.
    pub fn lot(&self) -> u64 {
        let digest = blake3::hash(self.body["messages"].to_string().as_bytes());
        u64::from_le_bytes(digest.as_bytes()[..8].try_into().unwrap())
    }
}

type Script = Arc<dyn Fn(&Asked) -> Play + Send + Sync>;

struct State {
    script: Script,
    asked: Vec<Asked>,
    /// The questions that were answered whole.
    answered: Vec<String>,
    before: BTreeMap<String, usize>,
}

/// The server.
pub struct Faulty {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    /// Until which place held answers may go.
    gate: watch::Sender<bool>,
    /// Stops the server before its runtime goes.
    _runtime: Runtime,
}

impl Faulty {
    /// One that answers everything.
    pub fn start() -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let script: Script = Arc::new(|_| Play::Answer);
        let state = State { script, asked: Vec::new(), answered: Vec::new(), before: BTreeMap::new() };
        let (state, (gate, open)) = (Arc::new(Mutex::new(state)), watch::channel(true));
        runtime.spawn(listen(listener, Arc::clone(&state), open));
        Self { address, state, gate, _runtime: runtime }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// From now on it does this; what was asked before is forgotten.
    pub fn play(&self, script: impl Fn(&Asked) -> Play + Send + Sync + 'static) {
        let mut state = self.state();
        state.script = Arc::new(script);
        state.asked.clear();
        state.answered.clear();
        state.before.clear();
    }

    /// Answers that are held wait from now on.
    pub fn hold(&self) {
        self.gate.send_replace(false);
    }

    /// They are given.
    pub fn let_go(&self) {
        self.gate.send_replace(true);
    }

    /// What it was asked since the script began.
    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// The questions that it answered whole since then, sorted.
    pub fn answered(&self) -> Vec<String> {
        let mut answered = self.state().answered.clone();
        answered.sort();
        answered
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What tells a question from others: all of the request.
fn digest(body: &Value) -> String {
    blake3::hash(body.to_string().as_bytes()).to_hex()[..16].to_owned()
}

/// Takes connections until the runtime ends, but while the server is down.
async fn listen(mut listener: TcpListener, state: Arc<Mutex<State>>, gate: watch::Receiver<bool>) {
    let address = listener.local_addr().unwrap();
    let (down, mut falls) = mpsc::unbounded_channel();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                connections.spawn(serve(stream, Arc::clone(&state), gate.clone(), down.clone()));
            }
            fall = falls.recv() => {
                drop(listener);
                connections.shutdown().await;
                match fall.flatten() {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => pending().await,
                }
                listener = loop {
                    match TcpListener::bind(address).await {
                        Ok(listener) => break listener,
                        Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                    }
                };
            }
        }
    }
}

type Down = mpsc::UnboundedSender<Option<Duration>>;

/// Answers the requests of one connection.
async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>, mut gate: watch::Receiver<bool>, down: Down) {
    let mut bytes = Vec::new();
    while let Some((head, body)) = request(&mut stream, &mut bytes).await {
        if !head.starts_with("POST /v1/chat/completions ") {
            let (status, body) = looked_up(&head);
            let _ = stream.write_all(&response(status, &[], &body)).await;
            continue;
        }
        let (asked, script) = noted(&state, &head, &body);
        let play = script(&asked);
        if matches!(play, Play::Hold) && gate.wait_for(|open| *open).await.is_err() {
            return;
        }
        match play {
            Play::Answer | Play::Hold => {
                let body = completion(&words(&asked.body), "stop").to_string();
                locked(&state).answered.push(asked.digest());
                let _ = stream.write_all(&response(200, &[], &body)).await;
            }
            Play::Respond(status, headers, body) => {
                let _ = stream.write_all(&response(status, &headers, &body)).await;
            }
            Play::Raw(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Play::Reset(bytes) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.flush().await;
                let _ = stream.set_zero_linger();
                return;
            }
            Play::Stall => {
                // Until the other side leaves.
                while stream.read(&mut [0; 64]).await.is_ok_and(|length| length > 0) {}
                return;
            }
            Play::Down(wait) => {
                let _ = down.send(wait);
                pending::<()>().await;
            }
        }
    }
}

/// The head and the body of the next request; `None` when there is none.
async fn request(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<(String, Vec<u8>)> {
    let mut some = [0; 16_384];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = header(&head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            let whole = end + 4 + length;
            if bytes.len() >= whole {
                let body = bytes[end + 4..whole].to_vec();
                bytes.drain(..whole);
                return Some((head, body));
            }
        }
        match stream.read(&mut some).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => bytes.extend_from_slice(&some[..length]),
        }
    }
}

fn header(head: &str, name: &str) -> Option<String> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned())
}

fn noted(state: &Mutex<State>, head: &str, body: &[u8]) -> (Asked, Script) {
    let body: Value = serde_json::from_slice(body).expect("a request is JSON");
    let mut state = locked(state);
    let seen = state.before.entry(digest(&body)).or_default();
    let before = *seen;
    *seen += 1;
    let asked = Asked { place: state.asked.len(), before, body, authorization: header(head, "authorization") };
    state.asked.push(asked.clone());
    (asked, Arc::clone(&state.script))
}

fn looked_up(head: &str) -> (u16, String) {
    if head.starts_with("GET /v1/models ") {
        let list = json!({ "data": [{ "id": "played", "max_model_len": 1_000_000 }] });
        return (200, list.to_string());
    }
    (404, String::new())
}

/// A response as it goes over the wire.
pub fn response(status: u16, headers: &[(&'static str, String)], body: &str) -> Vec<u8> {
    let kind = if body.starts_with('<') { "text/html" } else { "application/json" };
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    format!("HTTP/1.1 {status} Played\r\ncontent-type: {kind}\r\n{more}content-length: {length}\r\n\r\n{body}").into()
}

/// A completion of these words.
pub fn completion(content: &str, finish_reason: &str) -> Value {
    json!({
        "choices": [{ "index": 0, "finish_reason": finish_reason, "message": { "role": "assistant", "content": content } }],
        "model": "played-1",
        "system_fingerprint": "fp-1",
        "usage": { "prompt_tokens": 90, "completion_tokens": 8, "total_tokens": 98 },
    })
}

/// The words that answer a request, in the form that it asks for; some cannot be read.
pub fn words(body: &Value) -> String {
    let messages = &body["messages"];
    let digest = blake3::hash(messages.to_string().as_bytes());
    let [first, second, ..] = *digest.as_bytes();
    let stance = ["for", "against"][usize::from(first % 2)];
    let read = format!("I have read {} and thought about it.", &digest.to_hex()[..8]);
    if second % 6 == 0 {
        return format!("I would rather talk about {stance}.");
    }
    let properties = &body["response_format"]["json_schema"]["schema"]["properties"];
    let told = messages.as_array().and_then(|messages| messages.last()).map(|last| last["content"].to_string());
    let told = told.unwrap_or_default();
    match properties.as_object() {
        Some(properties) if properties.contains_key("choice") => json!({ "choice": stance }).to_string(),
        Some(properties) if properties.contains_key("text") => json!({ "text": read }).to_string(),
        Some(_) => json!({ "statement": read, "stance": stance }).to_string(),
        None if told.contains("STANCE:") => format!("STANCE: {stance}\nSTATEMENT: {read}"),
        None if told.contains("CHOICE:") => format!("CHOICE: {stance}"),
        None => read,
    }
}
