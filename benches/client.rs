//! What calls to a model cost its client: processor time a call and a byte, beside a bare TCP client; memory with a thousand calls
//! under way; and how busy a run keeps a server.
//!
//! `cargo bench --bench client` starts itself once as each server and each client, so that nothing is counted twice. Processor time
//! is that of all threads, in the user's code and the system's. `-- calls`, `-- memory` and `-- busy` take one of the three measurements. It measures, and judges nothing. Linux tells these things in
//! `/proc`; elsewhere it does not run.
#![expect(clippy::print_stdout, reason = "a measurement is told to whoever took it")]

mod bare;
mod served;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ekklesia::plan::OpenAiModel;
use ekklesia::prompt::{Message, Role};
use ekklesia::service::openai::{Clients, Request};
use ekklesia::store::inputs::{Inputs, Overrides};
use futures::executor::block_on;
use served::{Moment, SERVE, Served};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Bytes of prompts and of replies.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Calls under way at once, how many each of these makes, and how often each client is measured, by turns.
const LANES: usize = 16;
const CALLS: usize = 200;
const TURNS: usize = 5;

/// Calls under way at once where memory is measured, the bytes of their prompts, and how long each takes.
const MANY: usize = 1_000;
const MANY_PROMPT: usize = 8_000;
const MANY_LATENCY_MS: u64 = 2_000;

/// The run by which a server is to be kept busy: sessions of three seats, and how long each call takes.
const SESSIONS: usize = 64;
const LATENCY_MS: u64 = 50;

fn main() {
    // Cargo adds `--bench` to what it starts.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [SERVE, latency_ms, reply] => served::serve(number(latency_ms), number(reply) as usize),
        ["ours", port, prompt] => println!("{}", ours(number(port), number(prompt) as usize)),
        ["bare", port, prompt] => println!("{}", bare(number(port), number(prompt) as usize)),
        ["many", port] => many(number(port)),
        ["calls"] => calls(),
        ["memory"] => memory(),
        ["busy"] => busy(),
        _ => {
            calls();
            memory();
            busy();
        }
    }
}

fn number(text: &str) -> u64 {
    text.parse().expect("an argument is a number")
}

/// Processor time a call for each pair of sizes, ours and the bare client's.
fn calls() {
    let mut points = Vec::new();
    println!("processor time of a call, {LANES} at once, {} calls each; medians of {TURNS} by turns", LANES * CALLS);
    println!("{:>10} {:>10} {:>10} {:>10} {:>7}", "prompt B", "reply B", "ours µs", "bare µs", "ratio");
    for prompt in SIZES {
        for reply in SIZES {
            let server = Served::start(5, reply);
            let measured = |who: &str| {
                let cpu_ns = told(&[who, &server.port().to_string(), &prompt.to_string()]);
                cpu_ns as f64 / (LANES * CALLS) as f64 / 1e3
            };
            let (ours, bare): (Vec<f64>, Vec<f64>) = (0..TURNS).map(|_| (measured("ours"), measured("bare"))).unzip();
            let (ours, bare) = (median(ours), median(bare));
            println!("{prompt:>10} {reply:>10} {ours:>10.1} {bare:>10.1} {:>7.2}", ours / bare);
            points.push(((prompt + reply) as f64, ours));
        }
    }
    let (constant, slope) = line(&points);
    println!("least squares: {constant:.0} µs a call and {:.2} ns a byte", slope * 1e3);
}

/// The middle one of an odd number of measurements.
fn median(mut measured: Vec<f64>) -> f64 {
    measured.sort_by(f64::total_cmp);
    measured[measured.len() / 2]
}

/// What this program prints when it is started with these arguments.
fn told(arguments: &[&str]) -> u64 {
    let program = std::env::current_exe().expect("a program knows where it is");
    let output = Command::new(program).args(arguments).output().expect("a program can start itself");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    number(String::from_utf8_lossy(&output.stdout).trim())
}

/// Constant and slope of the line that fits best.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let cross: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let square: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    let slope = cross / square;
    (y - slope * x, slope)
}

/// The processor time of our client, in nanoseconds.
fn ours(port: u64, prompt: usize) -> u64 {
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let model = model(&config(&place, port, (LANES, 1, 0), "A motion."));
    let client = Clients::new().client_for(&model);
    let prompt: Arc<str> = words(prompt).into();
    let runtime = runtime();
    let work = |count: usize| {
        let lanes = (0..LANES).map(|_| {
            let (client, model, prompt) = (Arc::clone(&client), model.clone(), Arc::clone(&prompt));
            runtime.spawn(async move {
                let stop = AtomicBool::new(false);
                for _ in 0..count {
                    // As in a run: each call has a request of its own, which is looked for in the record by its digest.
                    let request = request(&model, &prompt);
                    assert!(!request.digest().to_string().is_empty());
                    let call = client.call(&request, &stop, |_| Ok(())).await.expect("a server that answers");
                    assert!(!call.raw.is_empty() && call.attempts.len() == 1);
                }
            })
        });
        block_on(futures::future::join_all(lanes.collect::<Vec<_>>()));
    };
    // Connections are open and pages there before it counts.
    work(3);
    let before = cpu_ns();
    work(CALLS);
    cpu_ns() - before
}

/// The same of the bare client.
fn bare(port: u64, prompt: usize) -> u64 {
    let (port, prompt): (u16, Arc<str>) = (port as u16, words(prompt).into());
    let runtime = runtime();
    let work = |count: usize| {
        let lanes = (0..LANES).map(|_| {
            let prompt = Arc::clone(&prompt);
            runtime.spawn(async move { bare::calls(port, &prompt, count).await })
        });
        block_on(futures::future::join_all(lanes.collect::<Vec<_>>()));
    };
    work(3);
    let before = cpu_ns();
    work(CALLS);
    cpu_ns() - before
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

/// The time that the threads of this program have run, in nanoseconds.
fn cpu_ns() -> u64 {
    let threads = fs::read_dir("/proc/self/task").expect("Linux tells the threads of a program");
    let ran = threads.map(|thread| {
        let told = fs::read_to_string(thread.expect("a thread").path().join("schedstat")).unwrap_or_default();
        told.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
    });
    ran.sum()
}

fn words(bytes: usize) -> String {
    "We should share the costs. ".chars().cycle().take(bytes).collect()
}

fn request(model: &OpenAiModel, prompt: &str) -> Request {
    Request::new(model, vec![Message::new(Role::User, prompt.to_owned())], None, model.max_tokens)
}

/// A config of three seats that vote, and before that talk for some rounds.
fn config(
    place: &TempDir,
    port: u64,
    (concurrency, replicates, rounds): (usize, usize, usize),
    motion: &str,
) -> PathBuf {
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/motion");
    let text = format!(
        "
experiment: client
scenario: {}
seed: 42
replicates: {replicates}
parameters: {{ motion: \"{motion}\" }}
models:
  timed: {{ openai: {{ base_url: \"http://127.0.0.1:{port}/v1\", model: timed, answers: anchored, context_window: 100000, concurrency: {concurrency} }} }}
seat_defaults: {{ model: timed }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
straw_polls: [before]
discussion: {{ rounds: {rounds}, vote: at_end }}
",
        scenario.display()
    );
    let path = place.path().join("client.yaml");
    fs::write(&path, text).expect("a temporary folder can be written to");
    path
}

fn model(config: &Path) -> OpenAiModel {
    let inputs = Inputs::read_config(config, Overrides::default()).unwrap_or_else(|problem| panic!("{problem}"));
    let resolved = inputs.resolve().unwrap_or_else(|problem| panic!("{problem}"));
    resolved.experiment.arms[0].models[0].clone()
}

/// Memory with many calls under way: of the client alone, and of a run.
fn memory() {
    let server = Served::start(MANY_LATENCY_MS, 1_000);
    let client = told(&["many", &server.port().to_string()]);
    println!("{MANY} calls under way: {} MB of a client alone, at the most", client / 1_024);
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let config = config(&place, server.port().into(), (MANY, MANY, 0), &words(MANY_PROMPT));
    let mut run = run(&config, &place);
    let mut most = 0;
    while run.try_wait().expect("a child").is_none() {
        most = resident_kb(&run.id().to_string()).max(most);
        rest(Duration::from_millis(20));
    }
    let (at_once, calls) = under_way(&server.finish());
    println!("{at_once} of {calls} calls of a run under way: {} MB, at the most", most / 1_024);
}

/// Tells the greatest resident memory of a client with many calls under way, in kB.
fn many(port: u64) {
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let model = model(&config(&place, port, (MANY, 1, 0), "A motion."));
    let client = Clients::new().client_for(&model);
    let stop = AtomicBool::new(false);
    let prompt = words(MANY_PROMPT);
    let calls = (0..MANY).map(|_| async {
        let request = request(&model, &prompt);
        client.call(&request, &stop, |_| Ok(())).await.expect("a server that answers")
    });
    let answered = runtime().block_on(futures::future::join_all(calls));
    assert_eq!(answered.len(), MANY);
    println!("{}", resident_kb("self"));
}

/// The greatest resident memory that a process had; 0 when it is no more.
fn resident_kb(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    most.and_then(|most| most.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[expect(clippy::disallowed_methods, reason = "another program is looked at from time to time")]
fn rest(wait: Duration) {
    std::thread::sleep(wait);
}

/// Begins a run as a user does.
fn run(config: &Path, place: &TempDir) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ekklesia"));
    program.arg("run").arg(config).arg("--out").arg(place.path().join("out")).env("NO_PROXY", "127.0.0.1");
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program was built")
}

/// The most calls that were under way at once, and all there were.
fn under_way(moments: &[Moment]) -> (i64, usize) {
    let mut now = 0;
    let counts = moments.iter().map(|moment| {
        now += moment.more;
        now
    });
    (counts.max().unwrap_or(0), moments.iter().filter(|moment| moment.more > 0).count())
}

/// How busy a run keeps a server, and what it takes of the processor.
fn busy() {
    let server = Served::start(LATENCY_MS, 400);
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let config = config(&place, server.port().into(), (LANES, SESSIONS, 3), "We share.");
    let before = children_ms();
    let ended = run(&config, &place).wait().expect("a child");
    assert!(ended.success(), "the run completes");
    let took_ms = children_ms() - before;
    let moments = server.finish();
    let (_, calls) = under_way(&moments);
    let until = when_fewer_than(LANES, &place.path().join("out"));
    let share = busy_share(&moments, until);
    println!(
        "{SESSIONS} sessions of 3 seats, {calls} calls of {LATENCY_MS} ms, {LANES} at once: busy {:.1} % while {LANES} sessions or more were unfinished",
        share * 100.0
    );
    println!(
        "the whole program: {:.2} ms of processor time a call, its files and tables with it",
        took_ms as f64 / calls as f64
    );
}

/// When fewer sessions than this were unfinished, in microseconds since 1970.
fn when_fewer_than(unfinished: usize, folder: &Path) -> u64 {
    let sessions = fs::read_dir(folder.join("sessions")).expect("the sessions of a run");
    let ends = sessions.map(|session| {
        let path = session.expect("a session").path().join("run.json");
        let run: serde_json::Value =
            serde_json::from_slice(&fs::read(path).expect("a session that ended")).expect("a file of JSON");
        let of = |field: &str| run[field].as_u64().expect("a time");
        (of("started_unix_ms") + of("wall_ms")) * 1_000
    });
    let mut ends: Vec<u64> = ends.collect();
    ends.sort_unstable();
    ends[ends.len() - unfinished]
}

/// The share of a server's places that were taken, from its first call to a moment.
fn busy_share(moments: &[Moment], until_us: u64) -> f64 {
    let begun = moments.first().expect("a run calls").at_us;
    let (mut now, mut at, mut taken) = (0, begun, 0);
    for moment in moments.iter().take_while(|moment| moment.at_us < until_us) {
        taken += now * (moment.at_us - at) as i64;
        (now, at) = (now + moment.more, moment.at_us);
    }
    taken += now * (until_us - at) as i64;
    taken as f64 / ((until_us - begun) * LANES as u64) as f64
}

/// The processor time of all programs that this one started and that have ended, in milliseconds.
fn children_ms() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux tells of a program");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // The sixteenth and seventeenth of all fields, in hundredths of a second.
    [fields[13], fields[14]].iter().map(|ticks| number(ticks) * 10).sum()
}
