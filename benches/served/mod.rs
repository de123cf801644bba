//! A model server in a process of its own, so that what it takes is not counted: the same reply to every request, after a fixed
//! time, over connections that stay open. It notes when each call came and went.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The argument with which a bench starts itself as a server.
pub const SERVE: &str = "serve";

/// A server that runs until it is finished or dropped.
pub struct Served {
    child: Child,
    said: BufReader<ChildStdout>,
    port: u16,
}

/// A call came or went.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// When, in microseconds since 1970.
    pub at_us: u64,
    /// How many more were under way from then on: 1 or -1.
    pub more: i64,
}

impl Served {
    /// Starts this program as a server whose replies take so long and have so many bytes of words.
    pub fn start(latency_ms: u64, reply_bytes: usize) -> Self {
        let program = std::env::current_exe().expect("a program knows where it is");
        let mut command = Command::new(program);
        command.args([SERVE, &latency_ms.to_string(), &reply_bytes.to_string()]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program can start itself");
        let mut said = BufReader::new(child.stdout.take().expect("its output is taken once"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a server tells its port");
        let port = line.trim().parse().expect("a port is a number");
        Self { child, said, port }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends it: every call that came and went, in order.
    pub fn finish(mut self) -> Vec<Moment> {
        drop(self.child.stdin.take());
        let mut told = String::new();
        self.said.read_to_string(&mut told).expect("a server tells its calls");
        let mut moments: Vec<Moment> = told.lines().map(moment).collect();
        moments.sort_by_key(|moment| moment.at_us);
        moments
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // One that has ended by itself cannot be killed, and is waited for all the same.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn moment(line: &str) -> Moment {
    let (at, more) = line.split_once(' ').expect("a moment has two numbers");
    Moment { at_us: at.parse().expect("a time"), more: more.parse().expect("a count") }
}

/// The words of every reply: a vote and a statement at once, by lines.
fn words(bytes: usize) -> String {
    let said = "CHOICE: for\nSTANCE: for\nSTATEMENT: ";
    let more = "We should share the costs. ".chars().cycle().take(bytes.saturating_sub(said.len()).max(1));
    said.chars().chain(more).collect()
}

fn rendered(bytes: usize) -> Vec<u8> {
    let body = serde_json::json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": "timed",
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": words(bytes) } }],
        "usage": { "prompt_tokens": 200, "completion_tokens": 20, "total_tokens": 220 },
    });
    let body = body.to_string();
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

/// Serves until standard input ends, then tells every call.
pub fn serve(latency_ms: u64, reply_bytes: usize) {
    let reply: Arc<[u8]> = rendered(reply_bytes).into();
    let moments: Arc<Mutex<Vec<Moment>>> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let noted = Arc::clone(&moments);
    runtime.spawn(async move {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        println!("{}", listener.local_addr().expect("an address").port());
        std::io::stdout().flush().expect("a port can be told");
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            tokio::spawn(answer(stream, Arc::clone(&reply), Duration::from_millis(latency_ms), Arc::clone(&noted)));
        }
    });
    let _ended = std::io::stdin().read_to_end(&mut Vec::new());
    for Moment { at_us, more } in moments.lock().expect("nobody panics with it").iter() {
        println!("{at_us} {more}");
    }
}

async fn answer(mut stream: TcpStream, reply: Arc<[u8]>, latency: Duration, moments: Arc<Mutex<Vec<Moment>>>) {
    stream.set_nodelay(true).expect("an option of TCP");
    let note = |more| moments.lock().expect("nobody panics with it").push(Moment { at_us: now_us(), more });
    let mut read: Vec<u8> = Vec::with_capacity(1 << 16);
    loop {
        let length = loop {
            if let Some(length) = whole(&read) {
                break length;
            }
            match stream.read_buf(&mut read).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        };
        read.drain(..length);
        note(1);
        tokio::time::sleep(latency).await;
        note(-1);
        if stream.write_all(&reply).await.is_err() {
            return;
        }
    }
}

/// The length of the first message, once it is there as a whole.
fn whole(read: &[u8]) -> Option<usize> {
    let head = read.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let lines = String::from_utf8_lossy(&read[..head]).to_ascii_lowercase();
    let length = lines.lines().find_map(|line| line.strip_prefix("content-length:"));
    let body: usize = length.map_or(0, |length| length.trim().parse().expect("a length is a number"));
    (read.len() >= head + body).then_some(head + body)
}

#[expect(clippy::disallowed_methods, reason = "when calls come and go is what is measured")]
fn now_us() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
    u64::try_from(since.as_micros()).expect("microseconds fit for long")
}
