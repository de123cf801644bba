//! A page, done: files written, configs resolved, commands run in order, what they print compared with what is shown.
//!
//! Each page has a folder of its own with `configs/`, `scenarios/` and the program as `ekklesia`. What a block is follows
//! from its language and from the comment before it:
//!
//! | comment | meaning |
//! | --- | --- |
//! | `file: PATH` | the block is this file; a config is resolved at once, and with `broken` cannot be |
//! | `in: PATH` | YAML that is laid into this file, which is then resolved; `at: KEY` says what it stands for, `without: KEY` what goes first, `with: CONFIG` resolves a scenario |
//! | `change of: CONFIG SESSION` | a change file; the config is run, and the session forked with it |
//! | `exits N` | the commands end with this code; what is shown is then both streams |
//! | `not run: REASON` | left out, and listed |

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ekklesia::store::inputs::{Inputs, Overrides};
use tempfile::TempDir;

use super::lay::{laid, without};
use super::output::difference;
use super::page::{Block, blocks};
use crate::fixtures::desk::copy::copy;
use crate::fixtures::sample;

/// What came of a page.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What is not true, each with its line.
    pub wrong: Vec<String>,
    /// Where what is printed is not what is shown, each with its line.
    pub differs: Vec<String>,
    /// What was left out, each with its line and reason.
    pub not_run: Vec<String>,
    /// The page with what was really printed; `None` when it stands there.
    pub mended: Option<String>,
    /// Blocks that were run, resolved or compared.
    pub proved: usize,
}

struct Desk {
    root: TempDir,
    fragments: usize,
}

/// Does what a page says, in a folder of its own.
pub fn done(page: &Path) -> Outcome {
    followed(&[page]).remove(0)
}

/// Does what some pages say, one after another in one folder, as somebody does who follows them.
pub fn followed(pages: &[&Path]) -> Vec<Outcome> {
    let mut desk = None;
    let read = |page: &Path| fs::read_to_string(tree().join(page)).expect("a page can be read");
    pages.iter().map(|page| said(page, &read(page), &mut desk)).collect()
}

/// Does what a text says; `page` is how it is named. The folder is made for the first block that needs one.
fn said(page: &Path, text: &str, desk: &mut Option<Desk>) -> Outcome {
    let mut outcome = Outcome::default();
    let blocks = match blocks(text) {
        Ok(blocks) => blocks,
        Err(error) => {
            outcome.wrong.push(format!("{}: {error}", page.display()));
            return outcome;
        }
    };
    let mut printed: Option<String> = None;
    let mut fixes = Vec::new();
    for block in &blocks {
        let at = format!("{}:{}", page.display(), block.line);
        if let Some(reason) = block.note("not run") {
            outcome.not_run.push(format!("{at}: {reason}"));
        } else if block.language == "text" {
            let shown = printed.take().filter(|_| block.follows);
            if let Some(difference) = shown.as_deref().and_then(|printed| difference(&block.text, printed)) {
                outcome.differs.push(format!("{at}: not what is printed\n    {difference}"));
                fixes.push((block.clone(), shown.clone().unwrap_or_default()));
            }
            outcome.proved += usize::from(shown.is_some());
            continue;
        } else {
            match desk.get_or_insert_with(Desk::new).take(block) {
                Ok(output) => {
                    printed = output;
                    outcome.proved += 1;
                    continue;
                }
                Err(error) => outcome.wrong.push(format!("{at}: {error}")),
            }
        }
        printed = None;
    }
    outcome.mended = Some(mended(text, &fixes)).filter(|_| !fixes.is_empty());
    outcome
}

/// The page with the text of blocks replaced.
fn mended(page: &str, fixes: &[(Block, String)]) -> String {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    for (block, printed) in fixes.iter().rev() {
        let shown = block.line..block.line + block.text.lines().count();
        lines.splice(shown, printed.trim_end().lines().map(|line| line.trim_end().to_owned()));
    }
    lines.join("\n") + "\n"
}

impl Desk {
    fn new() -> Self {
        let root = TempDir::new().expect("a folder");
        for folder in ["configs", "scenarios"] {
            copy(&tree().join(folder), &root.path().join(folder));
        }
        fs::create_dir(root.path().join(".bin")).expect("a folder");
        symlink(sample::program(), root.path().join(".bin/ekklesia")).expect("a link");
        Self { root, fragments: 0 }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Does what a block says; what it printed, when it is a block of commands.
    fn take(&mut self, block: &Block) -> Result<Option<String>, String> {
        if let Some(name) = block.note("file") {
            self.write(name, &block.text)?;
            if block.language != "yaml" || !name.starts_with("configs/") {
                return Ok(None);
            }
            return match (self.resolve(name), block.note("broken").is_some()) {
                (Ok(()), true) => Err("nothing is wrong with this config".to_owned()),
                (Err(error), false) => Err(error),
                _ => Ok(None),
            };
        }
        match block.language.as_str() {
            "console" | "sh" => self.run(block).map(Some),
            "yaml" if block.note("in").is_some() => self.fragment(block).map(|()| None),
            "yaml" if block.note("change of").is_some() => self.change(block).map(|()| None),
            "yaml" => Err("YAML without a comment that says what it is".to_owned()),
            "python" | "r" => Ok(None),
            "csv" | "json" | "jsonl" => Err("a file without a comment that names it".to_owned()),
            other => Err(format!("`{other}` is no language that is proved")),
        }
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.path(name);
        let folder = path.parent().ok_or("a file has a folder")?;
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|error| format!("{name}: {error}"))
    }

    /// A config means something.
    fn resolve(&self, name: &str) -> Result<(), String> {
        let resolved = Inputs::read_config(&self.path(name), Overrides::default()).and_then(|inputs| inputs.resolve());
        resolved.map(|_| ()).map_err(|error| format!("not a config: {}", self.without_root(&error.to_string())))
    }

    fn run(&self, block: &Block) -> Result<String, String> {
        let text = block.text.replace("cargo run --release -- ", "ekklesia ");
        let script = format!("export PATH=\"{}:$PATH\"\n{text}", self.path(".bin").display());
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", &script]).current_dir(self.root.path()).stdin(Stdio::null());
        command.env("NO_PROXY", "127.0.0.1").env_remove("OPENAI_API_KEY");
        let output = command.output().map_err(|error| format!("bash: {error}"))?;
        let text = |bytes: &[u8]| self.without_root(&String::from_utf8_lossy(bytes));
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let expected: i32 = block.note("exits").unwrap_or("0").parse().map_err(|_| "`exits` names no code")?;
        if output.status.code() != Some(expected) {
            return Err(format!("ended with {:?}, not {expected}\n{stdout}{stderr}", output.status.code()));
        }
        Ok(if expected == 0 { stdout } else { stdout + &stderr })
    }

    /// Lays YAML into a copy of a config or a scenario, and resolves what comes out.
    fn fragment(&mut self, block: &Block) -> Result<(), String> {
        self.fragments += 1;
        let base = block.note("in").unwrap_or_default();
        let under = without(&self.read(base)?, block.note("without").unwrap_or_default())?;
        let whole = laid(&under, &block.text, block.note("at").unwrap_or_default())?;
        let name = format!("configs/fragment-{}.yaml", self.fragments);
        let Some(config) = block.note("with") else {
            self.write(&name, &whole)?;
            return self.resolve(&name);
        };
        let folder = format!("scenarios/fragment-{}", self.fragments);
        let from = self.path(base);
        copy(from.parent().ok_or("a scenario has a folder")?, &self.path(&folder));
        self.write(&format!("{folder}/scenario.yaml"), &whole)?;
        self.write(&name, &laid(&self.read(config)?, &format!("../{folder}"), "scenario")?)?;
        self.resolve(&name)
    }

    /// Forks a session with a change; the experiment is run first where it was not.
    fn change(&mut self, block: &Block) -> Result<(), String> {
        self.fragments += 1;
        let note = block.note("change of").unwrap_or_default();
        let (config, session) = note.split_once(' ').ok_or("`change of` names a config and a session")?;
        let change = format!("change-{}.yaml", self.fragments);
        self.write(&change, &block.text)?;
        let name = Path::new(config).file_stem().and_then(|stem| stem.to_str()).ok_or("a config has a name")?;
        let text = format!(
            "test -e results/{name} || ekklesia run {config} >/dev/null\n\
             ekklesia fork results/{name}/sessions/{session} --change {change} --out results/fork-{change}\n"
        );
        let command = Block { text, notes: Vec::new(), ..block.clone() };
        self.run(&command).map(|_| ())
    }

    fn read(&self, name: &str) -> Result<String, String> {
        fs::read_to_string(self.path(name)).map_err(|error| format!("{name}: {error}"))
    }

    fn without_root(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root.path().display()), "")
    }
}

fn tree() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_is_not_true_is_caught() {
    let mut desk = None;
    let mut counts = |text: &str| {
        let Outcome { wrong, differs, not_run, .. } = said(Path::new("page.md"), text, &mut desk);
        [wrong.len(), differs.len(), not_run.len()]
    };
    let cases = [
        ("```console\ntrue\n```\n", [0, 0, 0]),
        ("```console\nfalse\n```\n", [1, 0, 0]),
        ("```console\nekklesia run configs/none.yaml\n```\n", [1, 0, 0]),
        ("<!-- exits 3 -->\n```console\nexit 3\n```\n", [0, 0, 0]),
        ("<!-- exits 3 -->\n```console\ntrue\n```\n", [1, 0, 0]),
        ("```console\necho a\n```\n\n```text\nb\n```\n", [0, 1, 0]),
        ("```console\necho a\n```\nwords\n```text\nb\n```\n", [0, 0, 0]),
        ("```yaml\nseed: 1\n```\n", [1, 0, 0]),
        ("<!-- in: configs/first.yaml -->\n```yaml\nseed: 1\n```\n", [0, 0, 0]),
        ("<!-- in: configs/first.yaml -->\n```yaml\nsede: 1\n```\n", [1, 0, 0]),
        ("<!-- file: configs/a.yaml -->\n```yaml\nseed: 1\n```\n", [1, 0, 0]),
        ("<!-- file: configs/a.yaml; broken -->\n```yaml\nseed: 1\n```\n", [0, 0, 0]),
        ("<!-- not run: no server -->\n```console\nfalse\n```\n", [0, 0, 1]),
        ("```\nwords\n```\n", [1, 0, 0]),
    ];
    for (text, expected) in cases {
        assert_eq!(counts(text), expected, "{text}");
    }
    let page = "a\n```console\necho a\n```\n```text\n```\nb\n";
    assert_eq!(
        said(Path::new("page.md"), page, &mut desk).mended.as_deref(),
        Some(&*page.replace("text\n", "text\na\n"))
    );
}
