//! The program as a user runs it, the folders it leaves, and a model server that it may call.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::collections::BTreeMap;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// How the program ended, and what it said.
#[derive(Debug)]
pub struct Told {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Told {
    /// Checks the exit code and that every one of these words was said on either stream.
    #[track_caller]
    pub fn says(&self, code: i32, words: &[&str]) -> &Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        for word in words {
            assert!(self.stdout.contains(word) || self.stderr.contains(word), "{word:?} is not said: {self:#?}");
        }
        self
    }
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

/// The program with its arguments, not yet begun; keys and proxies of the machine are kept away from it.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ekklesia"));
    command.args(arguments).env("NO_PROXY", "127.0.0.1").env_remove("OPENAI_API_KEY").stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn ekklesia(arguments: &[&str]) -> Told {
    ended(&mut program(arguments))
}

/// Runs a command to its end.
pub fn ended(command: &mut Command) -> Told {
    let output = command.output().expect("the program was built");
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Told { code: output.status.code(), stdout: words(&output.stdout), stderr: words(&output.stderr) }
}

/// Begins the program and leaves it running; what it says is not kept.
pub fn begun(arguments: &[&str]) -> Child {
    let mut command = program(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program was built")
}

/// Waits until a program that was begun says by a server that it got to where it is to be killed. One that ends before is told: it would
/// be waited for without an end.
#[track_caller]
pub fn reached(at: &Receiver<()>, child: &mut Child) {
    while at.recv_timeout(Duration::from_millis(50)).is_err() {
        if let Some(status) = child.try_wait().expect("a child") {
            // What it asked last may be told just now.
            return at.try_recv().unwrap_or_else(|_| panic!("the run ended before it had asked so often: {status}"));
        }
    }
}

/// Every file of a folder by its path within, but the lock.
pub fn everything(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with(".lock") {
                files.insert(path.strip_prefix(root).expect("within").to_owned(), fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// Every file of a folder that two equal runs must have alike, by its path within.
pub fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = everything(root);
    files.retain(|path, _| !["run.json", "calls.jsonl", "experiment.json"].iter().any(|name| path.ends_with(name)));
    files
}

#[track_caller]
pub fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (contents(one), contents(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in &one {
        assert!(bytes == &other[path], "{} differs", path.display());
    }
}

/// The lines of a file of JSON lines.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The lines of a record of calls that hold an answer.
pub fn calls(path: &Path) -> Vec<Value> {
    json_lines(path).into_iter().filter(|line| line.get("question").is_some()).collect()
}

/// A model server whose replies depend on the prompt alone; now and then one cannot be read.
pub struct Server {
    runtime: Runtime,
    server: MockServer,
}

impl Server {
    pub fn start() -> Self {
        Self::at("127.0.0.1:0".parse().expect("an address"))
    }

    pub fn at(address: SocketAddr) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let listener = TcpListener::bind(address).expect("a free port");
        let server = runtime.block_on(async {
            let server = MockServer::builder().listener(listener).start().await;
            let replies = Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(reply);
            replies.mount(&server).await;
            let list = json!({ "data": [{ "id": "played", "max_model_len": 1_000_000 }] });
            let models = Mock::given(method("GET")).and(path("/v1/models"));
            models.respond_with(ResponseTemplate::new(200).set_body_json(list)).mount(&server).await;
            server
        });
        Self { runtime, server }
    }

    pub fn base_url(&self) -> String {
        format!("{}/v1", self.server.uri())
    }

    /// The same, whose list of models is this one; `None` for a server that has none.
    pub fn listing(models: Option<Value>) -> Self {
        let server = Self::start();
        let list = models.map_or(ResponseTemplate::new(404), |models| ResponseTemplate::new(200).set_body_json(models));
        let listing = Mock::given(method("GET")).and(path("/v1/models")).respond_with(list).with_priority(2);
        server.runtime.block_on(listing.mount(&server.server));
        server
    }

    /// The same, which is first looked up in vain: these come in the place of its list of models, one after the other.
    pub fn spoiling(self, looked_up: Vec<ResponseTemplate>) -> Self {
        for response in looked_up {
            let look = Mock::given(method("GET")).and(path("/v1/models")).respond_with(response);
            self.runtime.block_on(look.up_to_n_times(1).with_priority(1).mount(&self.server));
        }
        self
    }

    /// The bodies of all questions it was asked.
    pub fn bodies(&self) -> Vec<Value> {
        let asked = self.received().into_iter().filter(|request| request.method.as_str() == "POST");
        asked.map(|request| serde_json::from_slice(&request.body).expect("a request is JSON")).collect()
    }

    /// How many questions it was asked.
    pub fn requests(&self) -> usize {
        self.bodies().len()
    }

    /// What was looked up at it, in order.
    pub fn looked_up(&self) -> Vec<String> {
        let looked = self.received().into_iter().filter(|request| request.method.as_str() == "GET");
        looked.map(|request| request.url.path().to_owned()).collect()
    }

    fn received(&self) -> Vec<Request> {
        self.runtime.block_on(self.server.received_requests()).expect("requests are kept")
    }
}

fn reply(request: &Request) -> ResponseTemplate {
    let body: Value = serde_json::from_slice(&request.body).expect("a request is JSON");
    let digest = blake3::hash(body["messages"].to_string().as_bytes());
    let [first, second, third, ..] = *digest.as_bytes();
    let stance = ["for", "against"][usize::from(first % 2)];
    let properties = &body["response_format"]["json_schema"]["schema"]["properties"];
    let may = |key: &str| properties.get(key).is_some();
    let content = match (second % 6, properties.get("choice")) {
        _ if may("look_up") && third % 3 == 0 => json!({ "look_up": "what was thought", "choice": null }).to_string(),
        _ if may("page") && third % 3 == 1 => json!({ "page": format!("report {}", 1 + first % 9) }).to_string(),
        (0, _) => format!("I would rather talk about {stance}."),
        (_, Some(_)) => json!({ "choice": stance }).to_string(),
        (_, None) if properties.get("text").is_some() => {
            json!({ "text": format!("So far I keep {}.", &digest.to_hex()[..8]) }).to_string()
        }
        (_, None) => {
            let words = format!("I have read {} and thought about it.", &digest.to_hex()[..8]);
            json!({ "statement": words, "stance": stance }).to_string()
        }
    };
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": content } }],
        "model": "played-1",
        "usage": { "prompt_tokens": 90, "completion_tokens": 8, "completion_tokens_details": { "reasoning_tokens": 3 } },
    }))
}

/// Models, minds and a script at one table.
pub fn mixed(base_url: &str, order: &str) -> String {
    format!(
        "
models:
  sim: {{ simulated: {{}} }}
  small: {{ openai: {{ base_url: \"{base_url}\", model: played, max_tokens: 60, concurrency: 3, timeout_s: 20 }} }}
seat_defaults: {{ model: sim }}
seats:
  - {{ name: Alice, model: small, persona: \"A retired teacher.\" }}
  - {{ name: Bob, mind: {{ voter: {{ copy: 0.5 }} }} }}
  - name: Carol
    mind: {{ scripted: {{ table: [
      {{ phase: straw_before, round: 0, step: straw_poll, choice: for }},
      {{ phase: discussion, round: 1, step: statement, statement: \"I have made up my mind.\", stance: for }},
      {{ phase: discussion, round: 2, step: statement, pass: true }},
      {{ phase: vote, round: 0, step: ballot, choice: for }} ] }} }}
  - {{ name: Dora, model: small }}
straw_polls: [before]
discussion: {{ rounds: 2, order: {order}, vote: at_end }}
"
    )
}
