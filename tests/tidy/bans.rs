//! Calls, types and names that have no place in some layer, each with its reason.

use crate::layers::layer;
use crate::source::{Source, Token, closing, stands_at, tokens};

/// Where a ban does not hold.
enum Except {
    Nowhere,
    /// It holds below this layer.
    FromLayer(usize),
    /// It holds outside these modules; `main` is the binary.
    Modules(&'static [&'static str]),
}

/// Something that may not be written, and why.
struct Ban {
    /// Any of these, as code.
    words: &'static [&'static str],
    except: Except,
    reason: &'static str,
}

const SESSION: usize = 7;
const STORE: usize = 8;

/// Files that may use a hash table, each with its reason. A table of this kind has no order, and the minutes must have one.
const HASH_TABLES: [(&str, &str); 0] = [];

/// Names that say nothing about what a file holds.
const EMPTY_NAMES: [&str; 8] = ["utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"];

const BANS: [Ban; 17] = [
    Ban {
        words: &["Mutex", "RwLock"],
        except: Except::FromLayer(STORE),
        reason: "the core is one thread's: where there is no lock, none is taken twice",
    },
    Ban {
        words: &["SystemTime", "Instant", "chrono", "tokio::time"],
        except: Except::Modules(&["service", "serve", "store", "cli"]),
        reason: "the core knows no clock: equal runs must give equal bytes",
    },
    Ban {
        words: &["std::env"],
        except: Except::Modules(&["service", "store", "cli", "main"]),
        reason: "the environment differs between equal runs",
    },
    Ban {
        words: &["std::fs", "File", "OpenOptions", "tokio::fs"],
        except: Except::FromLayer(STORE),
        reason: "files belong to the rim; a session writes through `Minutes`",
    },
    Ban {
        words: &["std::net", "tokio::net", "reqwest", "async_openai"],
        except: Except::Modules(&["service", "serve"]),
        reason: "the network belongs to the rim; a session asks through `Backend`",
    },
    Ban {
        words: &["println!", "eprintln!", "print!", "eprint!", "dbg!"],
        except: Except::Nowhere,
        reason: "they panic if nobody reads: use `say` for results and `note!` for the rest",
    },
    Ban {
        words: &["stdout(", "stderr("],
        except: Except::Modules(&["cli", "main"]),
        reason: "the library does not talk to the user",
    },
    Ban {
        words: &["tracing", "tracing_subscriber"],
        except: Except::Modules(&["service", "store", "cli"]),
        reason: "what is logged is what the rim does; the core says all it knows in records",
    },
    Ban {
        words: &["process::exit", "process::abort"],
        except: Except::Modules(&["cli", "main"]),
        reason: "only the command line ends the program",
    },
    Ban {
        words: &[".unwrap()"],
        except: Except::Nowhere,
        reason: "a panic names the invariant that broke: `expect(\"invariant: …\")`",
    },
    Ban {
        words: &["async", ".await", "tokio"],
        except: Except::FromLayer(SESSION),
        reason: "the core is a state machine without a runtime; only sessions and services wait",
    },
    Ban {
        words: &["std::thread"],
        except: Except::FromLayer(SESSION),
        reason: "the order of threads differs between equal runs",
    },
    Ban {
        words: &["rand::", "rand_core::", "rand_chacha", "rand_distr"],
        except: Except::Modules(&["chance"]),
        reason: "a draw is found by its coordinate; nothing shares a generator",
    },
    Ban {
        words: &[
            "rand::rng",
            "thread_rng",
            "ThreadRng",
            "SysRng",
            "OsRng",
            "from_os_rng",
            "from_rng",
            "make_rng",
            "rand::random",
            "StdRng",
            "SmallRng",
            "getrandom",
            "fastrand",
            "RandomState",
            "DefaultHasher",
        ],
        except: Except::Nowhere,
        reason: "it is seeded by the machine, or differs between versions: every draw comes from the experiment's seed",
    },
    Ban { words: &["unsafe"], except: Except::Nowhere, reason: "nothing here needs it" },
    Ban {
        words: &["allow(dead_code)", "todo!", "unimplemented!"],
        except: Except::Nowhere,
        reason: "what is not built is left out",
    },
    Ban {
        words: &["f32", "f64"],
        except: Except::Modules(&[
            "chance",
            "figure",
            "text",
            "choice",
            "mechanism",
            "memory",
            "minds",
            "analysis",
            "prompt",
            "question",
            "expression",
            "plan",
            "config",
            "engine",
            "ports",
            "session",
            "store",
            "service",
            "report",
            "cli",
            "main",
            "lib",
        ]),
        reason: "tallies, thresholds and money are integers or exact ratios",
    },
];

/// Everything in a file of `src/` that its layer bans.
pub fn violations(source: &Source) -> Vec<String> {
    let words = tokens(&source.shipped);
    let mut found = Vec::new();
    for ban in BANS.iter().filter(|ban| !is_exempt(&source.path, &ban.except)) {
        for text in ban.words {
            found.extend(lines_with(&words, text).into_iter().map(|line| complaint(source, line, text, ban.reason)));
        }
    }
    if !HASH_TABLES.iter().any(|(path, _)| *path == source.path) {
        for text in ["HashMap", "HashSet"] {
            let reason =
                "its order differs between equal runs: use `IndexMap`, `BTreeMap` or a list, or name the file here";
            found.extend(lines_with(&words, text).into_iter().map(|line| complaint(source, line, text, reason)));
        }
    }
    found.extend(serde_representations(source, &words));
    found
}

/// The folder of the memory policies, and the file beside it that may name them: what an author writes → a policy. It matches all.
const POLICIES: (&str, &str) = ("src/memory/policy/", "src/config/lower/policy.rs");

/// Memory policies that are named where none need be, so that a new one is a file and a variant; and matches in their own module
/// that would take a new one for another.
pub fn named_policies(source: &Source) -> Vec<String> {
    let words = tokens(&source.shipped);
    let (folder, other) = POLICIES;
    if source.path.starts_with(folder) {
        let catches_all = |place: &usize| {
            let next: String = words[*place..].iter().take(3).map(|token| token.text.as_str()).collect();
            next == "_=>"
        };
        let found = (0..words.len()).filter(catches_all);
        return found
            .map(|place| complaint(source, words[place].line, "_ =>", "a match of policies names all of them"))
            .collect();
    }
    if source.path == other {
        return Vec::new();
    }
    let is_variant = |token: &Token| token.text.starts_with(char::is_uppercase) || token.text == "*";
    let mut found = Vec::new();
    for path in imports(&words).into_iter().chain(std::iter::once(words)) {
        let named = path.windows(3).filter(|three| {
            three[0].text == "MemoryPolicy" && three[1].text == "::" && (is_variant(&three[2]) || three[2].text == "{")
        });
        let reason = "ask what it does: `MemoryPolicy::terms`";
        found.extend(named.map(|three| complaint(source, three[0].line, "MemoryPolicy", reason)));
    }
    found.dedup();
    found
}

/// A file or module name that says nothing about what it holds.
pub fn empty_names(source: &Source) -> Vec<String> {
    let mut parts: Vec<&str> = source.path.trim_end_matches(".rs").split('/').collect();
    if source.path == "src/memory/manager.rs" {
        parts.pop();
    }
    let named = parts.into_iter().filter(|part| EMPTY_NAMES.contains(part));
    named.map(|part| format!("{}: `{part}` says nothing about what is in it", source.path)).collect()
}

fn complaint(source: &Source, line: usize, text: &str, reason: &str) -> String {
    format!("{}:{line}: `{text}` is banned here: {reason}", source.path)
}

fn is_exempt(path: &str, except: &Except) -> bool {
    let module = path.trim_start_matches("src/").trim_end_matches(".rs").split('/').next().unwrap_or_default();
    match except {
        Except::Nowhere => false,
        Except::FromLayer(least) => layer(module).is_none_or(|own| own >= *least),
        Except::Modules(modules) => modules.contains(&module),
    }
}

/// The lines on which `text` is written out or imported through a group.
fn lines_with(words: &[Token], text: &str) -> Vec<usize> {
    let needle = tokens(text);
    let written = (0..words.len()).filter(|&place| stands_at(words, place, &needle)).map(|place| words[place].line);
    let mut lines: Vec<usize> = written.collect();
    for path in imports(words) {
        let grouped = (0..path.len()).any(|place| stands_at(&path, place, &needle));
        let line = path.last().map_or(0, |t| t.line);
        if grouped && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Every path of every `use`, groups written out.
fn imports(words: &[Token]) -> Vec<Vec<Token>> {
    let mut paths = Vec::new();
    for place in (0..words.len()).filter(|&place| words[place].text == "use") {
        expand(words, place + 1, &[], &mut paths);
    }
    paths
}

/// Adds the paths of the tree at `at` to `paths`; returns where the tree ends.
fn expand(words: &[Token], at: usize, prefix: &[Token], paths: &mut Vec<Vec<Token>>) -> usize {
    let mut path = prefix.to_vec();
    let mut place = at;
    while let Some(token) = words.get(place) {
        match token.text.as_str() {
            "{" => {
                let end = closing(words, place);
                place += 1;
                while place < end {
                    place = expand(words, place, &path, paths) + 1;
                }
                return end + 1;
            }
            "," | ";" | "}" => break,
            _ => path.push(token.clone()),
        }
        place += 1;
    }
    paths.push(path);
    place
}

/// Serde representations that write what they cannot read back, or lose the place of a mistake. What authors write may be untagged:
/// it is never written back, and mistakes were reported with their places before it is decoded.
fn serde_representations(source: &Source, words: &[Token]) -> Vec<String> {
    let is_only_read = source.path.starts_with("src/config/written/");
    let mut found = Vec::new();
    for place in 0..words.len() {
        if words[place].text != "serde" || words.get(place + 1).is_none_or(|t| t.text != "(") {
            continue;
        }
        let inside = &words[place + 2..closing(words, place + 1)];
        let has = |word: &str| inside.iter().any(|t| t.text == word);
        for word in ["flatten", "untagged", "tag"] {
            let is_allowed = word == "tag" && has("content") || word == "untagged" && is_only_read;
            if has(word) && !is_allowed {
                let reason = "it does not read back all it writes, and positions in YAML are lost";
                found.push(complaint(source, words[place].line, word, reason));
            }
        }
    }
    found
}

#[test]
fn every_ban_catches_what_it_names() {
    for text in BANS.iter().flat_map(|ban| ban.words) {
        let sample = Source::new("src/domain/sample.rs", &format!("fn a() {{ {text} }}"));
        assert_ne!(violations(&sample), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_ban_is_not_escaped_by_an_import() {
    for code in [
        "use std::{fs, path::Path};",
        "use std::{io::{self, Write}, env::{var}};",
        "use std::collections::{BTreeMap, HashMap};",
        "use std::{process, thread};\nfn a() {}",
        "#[serde(rename_all = \"snake_case\", tag = \"kind\")] enum A {}",
        "#[serde(flatten)] a: B,",
        "#[serde(untagged)] enum A {}",
    ] {
        assert_eq!(violations(&Source::new("src/engine/x.rs", code)).len(), 1, "{code}");
    }
}

#[test]
fn a_ban_leaves_alone_what_it_does_not_mean() {
    for (path, code) in [
        ("src/store/x.rs", "use std::{env, fs::File, time::Instant}; async fn a() { b().await }"),
        ("src/cli/mod.rs", "fn a() { note!(\"\"); std::process::exit(1) }"),
        ("src/main.rs", "fn a() { std::io::stderr() }"),
        ("src/chance/x.rs", "use rand_chacha::ChaCha8Rng; fn unit() -> f64 { 0.0 }"),
        ("src/engine/x.rs", "// HashMap\nfn a() { b.unwrap_or(\"std::fs\") }"),
        ("src/engine/x.rs", "#[cfg(test)] mod tests { fn a() { b.unwrap() } }"),
        ("src/engine/x.rs", "#[serde(tag = \"a\", content = \"b\")] enum A {}"),
        ("src/config/written/x.rs", "#[serde(untagged)] enum A {}"),
    ] {
        assert_eq!(violations(&Source::new(path, code)), Vec::<String>::new(), "{path}: {code}");
    }
}

#[test]
fn a_name_that_says_nothing_is_caught() {
    for path in ["src/engine/utils.rs", "src/helpers/mod.rs", "tests/common/mod.rs", "src/engine/manager.rs"] {
        assert_eq!(empty_names(&Source::new(path, "")).len(), 1, "{path}");
    }
    assert_eq!(empty_names(&Source::new("src/memory/manager.rs", "")), Vec::<String>::new());
}

#[test]
fn a_policy_that_is_named_is_caught() {
    for (path, code, found) in [
        ("src/cli/x.rs", "if policy == MemoryPolicy::Full {}", 1),
        ("src/cli/x.rs", "use crate::memory::MemoryPolicy::*;", 1),
        ("src/cli/x.rs", "use crate::memory::{MemoryPolicy::{self, None}};", 1),
        ("src/memory/x.rs", "match policy { crate::memory::MemoryPolicy::None => 1, _ => 2 }", 1),
        ("src/memory/policy/mod.rs", "match self { MemoryPolicy::None => 1, _ => 2 }", 1),
        ("src/memory/policy/mod.rs", "match self { MemoryPolicy::None => 1, MemoryPolicy::Full => 2 }", 0),
        ("src/config/lower/policy.rs", "PolicyConfig::Full => MemoryPolicy::Full,", 0),
        ("src/cli/x.rs", "use crate::memory::MemoryPolicy; policies.any(MemoryPolicy::rewrites)", 0),
        ("src/cli/x.rs", "// MemoryPolicy::None", 0),
    ] {
        assert_eq!(named_policies(&Source::new(path, code)).len(), found, "{path}: {code}");
    }
}
