//! Converts a config of the framework Rawls_v3 (a justice experiment with language models) to one of this program.
//!
//! The conversion reports every value. A comment in the new config names each value of the file: as the source of a line, as
//! equal here without a key, or as left out, with the reason. A missing value gets the framework's default, or ours if the
//! framework has none. The comments say which.

mod elsewhere;
mod left_out;
mod people;
mod procedure;
mod reading;
mod writing;

use crate::builtin;
use crate::config::{Node, Problem};
use crate::domain::Digest;
use crate::text::put;
pub use left_out::{LeftOutValue, ValueFate};
use reading::{Ledger, RawlsSection, Sourced};
use writing::{YamlDraft, one_line};

/// A converted config, and what it leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedConfig {
    /// The config as YAML. Its first lines are comments that list [`ImportedConfig::left_out`].
    pub yaml: String,
    /// The values that were not fully carried over, in the order of the file, then those that our defaults decide.
    pub left_out: Vec<LeftOutValue>,
}

/// Converts a config of the framework. `shown` is the file's path as given.
///
/// # Errors
/// The first value that the framework would reject or that our config cannot express, with its place.
pub fn convert_config(tree: &Node, shown: &str) -> Result<ImportedConfig, Problem> {
    let mut ledger = Ledger::default();
    let file = RawlsSection::from_root(tree)?;
    let seed = read_seed(&file, tree, &mut ledger)?;
    let mut people = people::read_people(&file, seed.value, &mut ledger)?;
    let procedure = procedure::read_procedure(&file, &mut people, &mut ledger)?;
    elsewhere::account_unmatched_keys(&file, &mut ledger)?;
    ledger.leave_unknown(tree);
    say_what_ours_decides(&mut ledger);

    let mut draft = YamlDraft::default();
    draft.write_line(0, "experiment", &writing::quote_yaml(&experiment_name(shown)), "# from the file's name");
    let scenario = format!("{}{}", builtin::PREFIX, builtin::RAWLS);
    draft.write_line(0, "scenario", &writing::quote_yaml(&scenario), "# as the framework does");
    procedure.write_parameters(&mut draft);
    draft.write_line(
        0,
        "seed",
        &seed.value.to_string(),
        &seed.origin_or("# from the file's content: it names no seed"),
    );
    draft.write_line(0, "replicates", "1", "# as the framework does: one session a file");
    procedure.write_language(&mut draft);
    people.write(&mut draft);
    procedure.write_sections(&mut draft);
    let (left_out, same) = ledger.close();
    Ok(ImportedConfig { yaml: format!("{}{}", render_header(shown, &left_out, &same), draft.as_str()), left_out })
}

/// The seed of the file. Without one, the seed is derived from the content, as in the framework, so that equal files give equal
/// runs. No seed makes both programs draw alike.
fn read_seed(file: &RawlsSection<'_>, tree: &Node, ledger: &mut Ledger) -> Result<Sourced<i64>, Problem> {
    const LARGEST: i64 = (1 << 53) - 1;
    if let Some(given) = file.get("seed", ledger) {
        return Ok(ledger.account_used(&given, given.as_whole_number(0, LARGEST)?));
    }
    let number = digest_number(&tree.to_json().to_string(), 8);
    Ok(Sourced { value: (number >> 1) as i64, from: Vec::new() })
}

/// The number that the first hexadecimal digits of a text's digest write.
fn digest_number(text: &str, digits: usize) -> u64 {
    let digest = Digest::of(text.as_bytes());
    let hexadecimal: String = digest.as_str().chars().skip("b3:".len()).take(digits).collect();
    u64::from_str_radix(&hexadecimal, 16).expect("invariant: a digest is printed in hexadecimal")
}

/// Lists the values that a run needs here and that the framework lacks.
fn say_what_ours_decides(ledger: &mut Ledger) {
    ledger.add_own_default(
        "models.*.max_tokens",
        "the framework sets no limit to the length of a reply; here there is one",
    );
    ledger.add_own_default(
        "models.*.answers",
        "the framework lets seats answer freely and has another model read the answers; here replies have a fixed form",
    );
}

/// The experiment's name: the file's name, with `-` for characters that a folder's name cannot have.
fn experiment_name(shown: &str) -> String {
    let file = shown.rsplit(['/', '\\']).next().unwrap_or(shown);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    writing::plain_name(stem, "rawls")
}

fn render_header(shown: &str, left_out: &[LeftOutValue], same: &[String]) -> String {
    let mut text = format!("# Made by `ekklesia import rawls` of {}.\n", one_line(shown));
    let (ours, theirs): (Vec<_>, Vec<_>) = left_out.iter().partition(|item| item.fate == ValueFate::OursByDefault);
    let in_words = |items: Vec<&LeftOutValue>| items.into_iter().map(LeftOutValue::to_string).collect();
    let lists: [(&str, Vec<String>); 3] = [
        ("What the file says and this config does not, or not in the same way:", in_words(theirs)),
        ("What the file does not say:", in_words(ours)),
        ("What needs no key here:", same.to_vec()),
    ];
    for (title, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
        put!(text, "#\n# {title}\n");
        items.iter().for_each(|item| put!(text, "# {item}\n"));
    }
    text.push('\n');
    text
}
