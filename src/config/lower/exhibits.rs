//! Exhibits: evidence documents of a scenario or config, and the seats that see them.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::draft::ExhibitFile;
use crate::config::lower::interventions;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Soundness;
use crate::config::tree::Node;
use crate::config::written::config::{Config, ItemsPer};
use crate::config::written::interventions::TOKEN_LIMIT_MIN;
use crate::domain::{Digest, Language, SeatName};
use crate::memory::Exhibit;
use crate::plan::{HandOut, Item, OpenAiModel, Origin, Seat, Sitter, check_apart, check_name};
use crate::text;

/// The default limit on an exhibit's tokens; a longer exhibit is shown in pages.
const TOKEN_LIMIT: u32 = 20_000;
/// Tokens that a chat template may add around the message with the exhibits.
const FRAME: u64 = 8;

/// Replaces the config's file paths by stored paths, so that `plan.yaml` contains no path of the author's machine. A scenario's
/// files are stored with its folder.
pub fn set_stored_exhibit_paths(exhibits: &mut Node) {
    for entry in exhibits.entries_mut() {
        if entry.node.place_of("file").origin == Origin::Config {
            entry.node.replace_text_at("file", stored_exhibit_path(&entry.key));
        }
    }
}

/// The stored path of a config's exhibit, beside the config.
pub fn stored_exhibit_path(name: &str) -> String {
    format!("exhibits/{name}.txt")
}

/// The exhibits of one arm; `None` if one has no file, an empty file, or an unknown seat.
pub fn lower_exhibits(
    config: &Config,
    files: &BTreeMap<String, ExhibitFile>,
    (seats, language): (Soundness, Language),
    tree: &Node,
    problems: &mut Problems,
) -> Option<Vec<HandOut>> {
    let limit = config.memory.exhibit_token_limit.unwrap_or(TOKEN_LIMIT);
    let before = problems.len();
    let (mut handed, mut names, mut all_are_read) = (Vec::new(), Vec::new(), true);
    for (name, written) in config.exhibits.iter().flatten() {
        let path = format!("exhibits.{name}");
        problems.note_key(tree, "exhibits", name, check_name(name).and_then(|()| check_apart(name, &names)));
        names.push(name.as_str());
        let to = match written.to.as_deref() {
            Some([]) => continue,
            to => interventions::lower_recipients(to, config, seats, (&format!("{path}.to"), tree), problems),
        };
        if written.file.is_none() {
            problems.push(tree.problem(&path, "the key \"file\" is missing: neither scenario nor config names a file"));
        } else if tree.place_of(&format!("{path}.file")).origin > Origin::Config {
            problems.push(
                tree.problem(&format!("{path}.file"), "only the config itself can say this; a level may say `to`"),
            );
        }
        match files.get(name) {
            Some(ExhibitFile { text, .. }) => handed.push(HandOut {
                exhibit: Exhibit::new(name, text, limit.into(), language),
                digest: Digest::of_text(text),
                to,
                of_items: false,
            }),
            None => all_are_read = false,
        }
    }
    (problems.len() == before && all_are_read).then_some(handed)
}

/// The columns of the items that seats of some roles are shown, each with the longest text of the column.
pub fn lower_shown_columns(
    config: &Config,
    items: &IndexMap<String, Arc<Item>>,
    language: Language,
    tree: &Node,
    problems: &mut Problems,
) -> Vec<HandOut> {
    let limit = config.memory.exhibit_token_limit.unwrap_or(TOKEN_LIMIT);
    // Texts of phases print the columns of items that a session goes through.
    let of_session = config.items.iter().filter(|items| items.per != ItemsPer::Loop);
    let shown = of_session.filter_map(|items| items.shown_to.as_ref()).flatten();
    let mut handed: Vec<HandOut> = Vec::new();
    for (role, columns) in shown {
        for (position, column) in columns.iter().enumerate() {
            if config.exhibits.iter().flatten().any(|(name, _)| name == column) {
                let path = format!("items.shown_to.{role}.{position}");
                problems.push(tree.problem(&path, format!("an exhibit is called {column}, too; rename one")));
            }
            let of_role = config.seats.iter().filter(|seat| seat.role == *role);
            let to = of_role.map(|seat| SeatName::new(&seat.name));
            if let Some(known) = handed.iter_mut().find(|known| known.exhibit.name() == column) {
                known.to.extend(to);
                continue;
            }
            let texts = items.values().filter_map(|item| item.shown.get(column));
            let longest = texts.max_by_key(|text| text.len()).cloned().unwrap_or_default();
            handed.push(HandOut {
                exhibit: Exhibit::new(column, &longest, limit.into(), language),
                digest: Digest::of_text(&longest),
                to: to.collect(),
                of_items: true,
            });
        }
    }
    handed
}

/// The size of the exhibits of one seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExhibitLoad {
    /// The name of the longest; empty without exhibits.
    pub longest: String,
    /// Characters as shown.
    pub chars: u64,
    /// Tokens as shown. The estimate is an upper bound unless a tokenizer counts them.
    pub tokens: u64,
}

/// The exhibits of an arm, and the seats that may see them.
#[derive(Debug, Clone, Copy)]
pub struct ExhibitHandouts<'a> {
    /// Each exhibit with its recipients.
    pub handed: &'a [HandOut],
    /// All seats of the arm.
    pub seats: &'a [Seat],
}

fn seat_load(handed: &[HandOut], seat: &SeatName, tokens: impl Fn(&str) -> u64) -> ExhibitLoad {
    let own = || handed.iter().filter(|handed| handed.is_shown_to(seat)).map(|handed| &handed.exhibit);
    let longest = own().max_by_key(|exhibit| exhibit.shown_text().len());
    ExhibitLoad {
        longest: longest.map_or(String::new(), |exhibit| exhibit.name().to_owned()),
        chars: own().map(|exhibit| text::char_count(exhibit.shown_text())).sum(),
        tokens: own().map(|exhibit| tokens(exhibit.shown_text())).sum(),
    }
}

impl ExhibitHandouts<'_> {
    /// The size of the exhibits of the seat that sees the most characters.
    pub fn greatest_load(&self) -> ExhibitLoad {
        let of_seats = self.seats.iter().map(|seat| seat_load(self.handed, &seat.name, text::tokens_at_most));
        of_seats.max_by_key(|most| most.chars).unwrap_or_default()
    }

    /// A hint with the greatest token limit at which the exhibits fit; `None` if none does.
    pub fn suggest_limit(&self, fit: impl Fn(&ExhibitHandouts<'_>) -> bool) -> Option<String> {
        let whole = self.handed.iter().map(|handed| &handed.exhibit).filter(|exhibit| exhibit.page_count() == 0);
        let mut limits: Vec<u64> =
            whole.map(|exhibit| text::tokens_at_most(exhibit.shown_text()).saturating_sub(1)).collect();
        limits.sort_unstable();
        let with_limit = |limit: u64| {
            let shortened =
                |handed: &HandOut| HandOut { exhibit: handed.exhibit.with_token_limit(limit), ..handed.clone() };
            self.handed.iter().map(shortened).collect::<Vec<_>>()
        };
        let fits = |limit: &u64| fit(&ExhibitHandouts { handed: &with_limit(*limit), seats: self.seats });
        let found = limits.into_iter().rev().filter(|limit| *limit >= TOKEN_LIMIT_MIN.into()).find(fits)?;
        Some(format!(
            "with memory.exhibit_token_limit: {found} a longer one is shown by its first and last lines, and by pages"
        ))
    }
}

/// Checks that each seat's exhibits and a reply fit the known window of its model.
///
/// # Errors
/// The first seat for which they do not fit.
pub fn check_windows(table: ExhibitHandouts<'_>, models: &[OpenAiModel], tree: &Node) -> Result<(), Problem> {
    let ExhibitHandouts { handed, seats } = table;
    let is_over = |handed: &[HandOut], seat: &Seat| {
        let Sitter::Model(place) = seat.sitter else { return None };
        let model = &models[place];
        let needed = seat_load(handed, &seat.name, |text| model.count_tokens(text));
        let usable = model.usable_window()?;
        let is_over = needed.tokens > 0 && FRAME + needed.tokens + u64::from(model.max_tokens) > usable;
        is_over.then_some((needed, model, usable))
    };
    let Some((seat, (needed, model, usable))) = seats.iter().find_map(|seat| Some((seat, is_over(handed, seat)?)))
    else {
        return Ok(());
    };
    let message = format!(
        "the exhibits of {} need up to {} tokens of its model's window, of which {usable} are used, {} of them for the reply",
        seat.name, needed.tokens, model.max_tokens
    );
    let shorter = table.suggest_limit(|shorter| seats.iter().all(|seat| is_over(shorter.handed, seat).is_none()));
    let hint = shorter.unwrap_or_else(|| format!("show {} fewer or shorter ones, or give it another model", seat.name));
    Err(tree.problem(&format!("exhibits.{}", needed.longest), message).with_advice(hint))
}
