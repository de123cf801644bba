//! A language pack: the compiled templates of one scenario in one language.
//!
//! A pack knows no session: what its templates say about an occasion comes in as facts. It reads no file, and a template
//! can neither loop for ever (fuel) nor print a variable that does not exist (strict).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use crate::domain::{Ask, BallotForm, Digest, Fault, Step};
use crate::prompt::facts::{Facts, OF_MOTION, OF_QUESTION, OF_SETTING};
use crate::prompt::names::{hint, is_template, meant_template, misnamed_templates, unknown_filters};
use crate::prompt::setting::Known;
use crate::prompt::telling::{OF_BRIEF, OF_MANIPULATION, OF_NOTICE, OF_PAYMENT, OF_TEST};
use crate::prompt::{AnswerForm, Setting, rehearsal, write_value};

/// The templates every pack has.
///
/// `system` opens every prompt and `history` stands before what happened. `statement`, `straw_poll`, `ballot`, `reasoning`,
/// `vote_call`, `confirmation`, `integration` and `compression` put the questions, `form_json` and `form_anchored` say how
/// to reply, `reask` gives the reason why a question is put again, and `countdown` tells how many rounds remain.
pub const TEMPLATES: [&str; 14] = [
    "ballot",
    "compression",
    "confirmation",
    "countdown",
    "form_anchored",
    "form_json",
    "history",
    "integration",
    "reask",
    "reasoning",
    "statement",
    "straw_poll",
    "system",
    "vote_call",
];

/// The templates that only some scenarios need; a pack may have them all the same.
///
/// `ballot_allocation`, `ballot_approval`, `ballot_ranking` and `ballot_score` put the question of a vote by ballots of these forms, in other words than the
/// built-in ones. `amount`, `ranking`, `comprehension`, `application`, `volunteer`, `naming`, `notes` and `recognition` put questions, of
/// which the last three say themselves how to reply; `proposals` says, behind the question for a
/// statement, how to mark it; `payment` (of a practice round), `settlement` (of
/// the group's decision), `test_result` and `manipulation` tell a seat something. `look_up` tells it in other words than the
/// built-in ones what it may ask to see before it answers: `form` is `json` or `anchored`, and `can_look_up` and `can_page` say
/// what.
pub const OPTIONAL: [&str; 18] = [
    "amount",
    "application",
    "ballot_allocation",
    "ballot_approval",
    "ballot_ranking",
    "ballot_score",
    "comprehension",
    "look_up",
    "manipulation",
    "naming",
    "notes",
    "payment",
    "proposals",
    "ranking",
    "recognition",
    "settlement",
    "test_result",
    "volunteer",
];

/// How the name of a template begins that others include and that nothing renders by itself.
pub(super) const PART: char = '_';

/// Instructions a template may run. A shipped one needs some hundreds and a few for each option.
const FUEL: u64 = 1_000_000;

/// What templates may read of variables that are no plain values; of `parameters` it is what the scenario declares.
const FIELDS: [(&str, &[&str]); 8] = [
    ("alternative", &OPTION_FIELDS),
    ("best", &["income_shown", "pay"]),
    ("choice", &CHOICE_FIELDS),
    ("paid", &["income_shown", "lost", "pay", "shortfall_shown", "table"]),
    ("pay", &["application", "average", "settlement"]),
    ("situation", &["name", "tables", "weights", "weights_shown"]),
    ("target", &OPTION_FIELDS),
    (
        "vote",
        &["ballots", "decides", "needed", "open", "roll_call", "rounds_min", "rule", "seats", "tolerance", "when"],
    ),
];
const OPTION_FIELDS: [&str; 6] = ["id", "label", "name", "number", "status_quo", "takes_amount"];
const CHOICE_FIELDS: [&str; 8] =
    ["amount", "amount_shown", "id", "label", "name", "number", "status_quo", "takes_amount"];

/// The templates of one scenario in one language, compiled for one arm. Cloning shares them.
#[derive(Debug, Clone)]
pub struct Pack {
    compiled: Arc<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    environment: Arc<Environment<'static>>,
    digest: Digest,
    known: Known,
    /// The templates that may read why a question is put again; found when it is asked for.
    fault_readers: OnceLock<BTreeSet<String>>,
}

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{template}:{line}: {reason}")]
pub struct PromptError {
    /// The template's name.
    pub template: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
    /// What was probably meant, and what there is.
    pub hint: Option<String>,
}

impl PromptError {
    pub(super) fn whole(template: &str, reason: String) -> Self {
        Self { template: template.to_owned(), line: 1, column: 1, reason, hint: None }
    }
}

/// When a template is rendered, and so what it may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occasion {
    /// A question is put.
    Question,
    /// A seat was paid.
    Payment,
    /// A seat was tested.
    Test,
    /// Rounds run out.
    Notice,
    /// A seat is privately told what to push.
    Manipulation,
    /// The facilitator speaks.
    Brief,
    /// Another template includes it.
    Part,
}

impl Occasion {
    pub(super) fn of(template: &str) -> Self {
        match template {
            "payment" | "settlement" => Occasion::Payment,
            "test_result" => Occasion::Test,
            "countdown" => Occasion::Notice,
            "manipulation" => Occasion::Manipulation,
            part if part.starts_with(PART) => Occasion::Part,
            known if TEMPLATES.contains(&known) || OPTIONAL.contains(&known) => Occasion::Question,
            _ => Occasion::Brief,
        }
    }

    /// What templates may read on this occasion, in order. A part may read whatever some occasion has: what is missing
    /// where it is included, the rehearsal finds.
    fn variables(self) -> Vec<&'static str> {
        let own: &[&str] = match self {
            Occasion::Question => &OF_QUESTION,
            Occasion::Payment => &OF_PAYMENT,
            Occasion::Test => &OF_TEST,
            Occasion::Notice => &OF_NOTICE,
            Occasion::Manipulation => &OF_MANIPULATION,
            Occasion::Brief => &OF_BRIEF,
            Occasion::Part => {
                &[&OF_QUESTION[..], &OF_PAYMENT, &OF_TEST, &OF_NOTICE, &OF_MANIPULATION, &OF_BRIEF].concat()
            }
        };
        let of_motion: &[&str] = match self {
            Occasion::Test | Occasion::Notice => &[],
            Occasion::Question | Occasion::Payment | Occasion::Manipulation | Occasion::Brief | Occasion::Part => {
                &OF_MOTION
            }
        };
        let mut all = [own, of_motion, &OF_SETTING].concat();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Pack {
    /// Compiles templates by name (without `.j2`) and renders each for every occasion it has, on the setting's own motion,
    /// parameters and situations, so that a mistake is found before a session begins.
    ///
    /// A template whose name begins with `_` is there for others to include or import.
    ///
    /// # Errors
    /// Every template that is missing, superfluous, does not compile, reads an unknown variable, or renders to nothing.
    pub fn compile(templates: &BTreeMap<String, String>, setting: &Setting<'_>) -> Result<Self, Vec<PromptError>> {
        let (pack, mut errors) = Self::gather(templates, setting);
        errors.extend(misnamed_templates(templates, setting.needs));
        let is_blameless = |tried: &PromptError| {
            // What is known to be wrong fails again when it is tried, and so does what includes it.
            let source = templates.get(&tried.template).map_or("", String::as_str);
            let includes =
                |name: &str| source.contains(&format!("\"{name}\"")) || source.contains(&format!("'{name}'"));
            !errors.iter().any(|known| known.template == tried.template || includes(&known.template))
        };
        let tried = rehearsal::rehearse(&pack, setting, &|_| true);
        let tried: Vec<PromptError> = tried.into_iter().filter(is_blameless).collect();
        errors.extend(tried);
        // A template whose name is misspelt is told by its name; that it is missing says no more.
        let misspelt = templates.keys().filter(|name| !is_template(name, setting.needs));
        let written: BTreeSet<&str> = misspelt
            .filter_map(|name| meant_template(name, setting.needs, |other| templates.contains_key(other)))
            .collect();
        errors.retain(|error| !written.contains(error.template.as_str()));
        if errors.is_empty() { Ok(pack) } else { Err(sorted(errors)) }
    }

    /// The same templates for another setting; only those are rendered anew that read what the two settings differ in. `None`
    /// where they differ in more than values that templates read by name.
    ///
    /// `self` was compiled for the setting `before`, without an error.
    pub fn compile_again(&self, before: &Setting<'_>, setting: &Setting<'_>) -> Option<Result<Self, Vec<PromptError>>> {
        let changed = setting.changes_since(before)?;
        let Compiled { environment, digest, .. } = &*self.compiled;
        let known = Known::new(setting);
        let compiled = Compiled {
            environment: Arc::clone(environment),
            digest: digest.clone(),
            known,
            fault_readers: OnceLock::new(),
        };
        let pack = Self { compiled: Arc::new(compiled) };
        let is_within = |path: &str, whole: &str| {
            path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let overlaps = |path: &String| changed.iter().any(|other| is_within(path, other) || is_within(other, path));
        let reads_it = |template: &str| pack.reads(template).is_none_or(|paths| paths.iter().any(overlaps));
        let anew: BTreeSet<&str> =
            environment.templates().map(|(name, _)| name).filter(|name| reads_it(name)).collect();
        let errors = rehearsal::rehearse(&pack, setting, &|template| anew.contains(template));
        Some(if errors.is_empty() { Ok(pack) } else { Err(sorted(errors)) })
    }

    /// Compiles templates without trying them, where it is not known which there must be and what they may tell.
    ///
    /// # Errors
    /// Every template that does not compile or reads an unknown variable.
    pub fn read(templates: &BTreeMap<String, String>, setting: &Setting<'_>) -> Result<Self, Vec<PromptError>> {
        let (pack, errors) = Self::gather(templates, setting);
        if errors.is_empty() { Ok(pack) } else { Err(sorted(errors)) }
    }

    fn gather(templates: &BTreeMap<String, String>, setting: &Setting<'_>) -> (Self, Vec<PromptError>) {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_syntax(whole_line_blocks());
        environment.set_fuel(Some(FUEL));
        environment.set_formatter(write_value);
        environment.remove_global("debug");
        let mut errors = Vec::new();
        for (name, source) in templates {
            let added = environment.add_template_owned(name.clone(), source.replace("\r\n", "\n"));
            errors.extend(added.err().map(|error| mistake(name, &error, Some(source))));
        }
        errors.extend(unknown_variables(&environment, setting));
        for (name, template) in environment.templates() {
            errors.extend(unknown_filters(&environment, name, template.source()));
        }
        let (environment, known) = (Arc::new(environment), Known::new(setting));
        let compiled = Compiled { environment, digest: digest(templates), known, fault_readers: OnceLock::new() };
        (Self { compiled: Arc::new(compiled) }, errors)
    }

    /// The digest of the templates' names and texts.
    pub fn digest(&self) -> &Digest {
        &self.compiled.digest
    }

    /// Whether the other is the same pack, and not merely one like it.
    pub fn is(&self, other: &Pack) -> bool {
        Arc::ptr_eq(&self.compiled, &other.compiled)
    }

    /// What the pack was compiled for.
    pub(super) fn known(&self) -> &Known {
        &self.compiled.known
    }

    /// Whether the pack has a template.
    pub(super) fn has(&self, template: &str) -> bool {
        self.compiled.environment.get_template(template).is_ok()
    }

    /// Whether any template reads a variable, such as `vote.rule`.
    pub fn reads_anywhere(&self, path: &str) -> bool {
        self.compiled.environment.templates().any(|(_, template)| template.undeclared_variables(true).contains(path))
    }

    /// The dotted paths that a template reads, itself or in what it includes; `None` where that is only known when it runs.
    pub(super) fn reads(&self, template: &str) -> Option<Vec<String>> {
        let (mut paths, mut others) = (BTreeSet::new(), BTreeSet::from([template.to_owned()]));
        let mut waiting = vec![template.to_owned()];
        while let Some(name) = waiting.pop() {
            let found = self.compiled.environment.get_template(&name).ok()?;
            paths.extend(found.undeclared_variables(true));
            let included = included(found.source())?;
            waiting.extend(included.into_iter().filter(|other| others.insert(other.clone())));
        }
        Some(paths.into_iter().collect())
    }

    /// Whether a template of the pack may read why a question is put again.
    pub(super) fn reads_fault(&self, template: &str) -> bool {
        let is_fault = |path: &String| path.split('.').next() == Some("fault");
        let may_read = |name: &&str| self.reads(name).is_none_or(|paths| paths.iter().any(is_fault));
        let find_readers = || {
            let names = self.compiled.environment.templates().map(|(name, _)| name);
            names.filter(may_read).map(str::to_owned).collect()
        };
        self.compiled.fault_readers.get_or_init(find_readers).contains(template)
    }

    /// Renders a template; blank space around the result is dropped.
    pub(super) fn render(&self, template: &str, facts: &Facts) -> Result<String, PromptError> {
        let words = self
            .compiled
            .environment
            .get_template(template)
            .and_then(|compiled| compiled.render(facts.value()))
            .map_err(|error| {
                let known = self.compiled.environment.get_template(error.name().unwrap_or(template)).ok();
                mistake(template, &error, known.as_ref().map(|known| known.source()))
            })?;
        Ok(words.trim().to_owned())
    }
}

/// The template that puts a question; also the kind of question as templates know it.
pub(super) fn question_template(ask: &Ask) -> &'static str {
    // A ballot for an amount alone asks for the amount at once.
    if ask.ballot_form() == Some(BallotForm::Amount) { Step::Amount.as_str() } else { ask.step().as_str() }
}

/// Whether the template of a question says itself how to reply, and what was wrong with a name or with notes.
pub(super) fn says_form(ask: &Ask) -> bool {
    matches!(ask.step(), Step::Naming | Step::Notes | Step::Recognition)
}

/// Whether `reask` gives the reason, which otherwise the template of the question does.
pub(super) fn is_reasked(fault: Fault) -> bool {
    !matches!(fault, Fault::UnfitName | Fault::NameTaken | Fault::NotOnce)
}

/// The form of a reply as templates know it.
pub(super) fn form_word(form: AnswerForm) -> &'static str {
    match form {
        AnswerForm::JsonSchema => "json",
        AnswerForm::Anchored | AnswerForm::Typed => "anchored",
    }
}

/// The template that says how to reply.
pub(super) fn form_template(form: AnswerForm) -> &'static str {
    match form {
        AnswerForm::JsonSchema => "form_json",
        AnswerForm::Anchored | AnswerForm::Typed => "form_anchored",
    }
}

/// The names of the templates that a source includes, imports or extends; `None` where one of them is no plain text.
fn included(source: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for block in source.split("{%").skip(1) {
        let block = block.split("%}").next().unwrap_or_default().trim_matches(['-', '+', ' ', '\t', '\n', '\r']);
        let (word, rest) = block.split_once(char::is_whitespace).unwrap_or((block, ""));
        if !["include", "import", "from", "extends"].contains(&word) {
            continue;
        }
        let mut parts = rest.trim_start().split(['"', '\'']);
        let (Some(""), Some(name), Some(behind)) = (parts.next(), parts.next(), parts.next()) else { return None };
        let behind = behind.split_whitespace().next();
        if !matches!(behind, None | Some("import" | "as" | "ignore")) {
            return None;
        }
        names.push(name.to_owned());
    }
    Some(names)
}

/// A block tag that has a line to itself leaves no line behind.
fn whole_line_blocks() -> SyntaxConfig {
    SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .expect("invariant: the usual delimiters are valid")
}

fn sorted(mut errors: Vec<PromptError>) -> Vec<PromptError> {
    errors.sort_by(|a, b| (&a.template, a.line).cmp(&(&b.template, b.line)));
    errors
}

/// Finds unknown variables in branches, too, that no rehearsal reaches.
fn unknown_variables(environment: &Environment<'static>, setting: &Setting<'_>) -> Vec<PromptError> {
    let mut errors = Vec::new();
    for (name, template) in environment.templates() {
        // What stands under a name that none has is read as what was meant; where nobody knows what was, as nothing.
        let is_there = |other: &str| environment.get_template(other).is_ok();
        let named = Some(name).filter(|name| is_template(name, setting.needs));
        let Some(named) = named.or_else(|| meant_template(name, setting.needs, is_there)) else { continue };
        let known = Occasion::of(named).variables();
        let is_global = |variable: &str| environment.globals().any(|(global, _)| global == variable);
        let paths: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
        for path in paths {
            let mut parts = path.split('.');
            let variable = parts.next().unwrap_or_default();
            let (unknown, hint) = if !known.contains(&variable) && !is_global(variable) {
                (variable.to_owned(), hint(variable, &known))
            } else if let Some(field) = parts.next()
                && let Some(fields) = fields(variable, setting)
                && !fields.contains(&field)
            {
                (format!("{variable}.{field}"), hint(field, &fields))
            } else {
                continue;
            };
            let (line, column) = place_of(template.source(), &path);
            let reason = format!("unknown variable {unknown}");
            errors.push(PromptError { template: name.to_owned(), line, column, reason, hint: Some(hint) });
        }
    }
    errors
}

/// The fields of a variable that is no plain value.
fn fields<'a>(variable: &str, setting: &Setting<'a>) -> Option<Vec<&'a str>> {
    if variable == "parameters" {
        return Some(setting.parameters.iter().map(|(name, _)| name.as_str()).collect());
    }
    FIELDS.iter().find(|(name, _)| *name == variable).map(|(_, fields)| fields.to_vec())
}

/// The line and column of a variable's path in a text, both from 1: the first that stands in a tag and is no part of a longer
/// name.
fn place_of(source: &str, path: &str) -> (usize, usize) {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let is_whole = |at: &usize| {
        let is_in_tag = source[..*at].rfind("{{").max(source[..*at].rfind("{%")).is_some_and(|open| {
            let inside = &source[open..*at];
            !inside.contains("}}") && !inside.contains("%}")
        });
        let ends = !source[at + path.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        is_in_tag && ends && !source[..*at].ends_with(is_of_name)
    };
    let Some(at) = source.match_indices(path).map(|(at, _)| at).find(is_whole) else { return (1, 1) };
    let line = source[..at].matches('\n').count() + 1;
    (line, source[..at].rsplit('\n').next().unwrap_or_default().chars().count() + 1)
}

/// The template named by the error is the one at fault when one includes another.
fn mistake(template: &str, error: &minijinja::Error, source: Option<&str>) -> PromptError {
    let begun = source.zip(error.range()).and_then(|(source, range)| source.get(..range.start));
    let column = begun.map_or(1, |begun| begun.rsplit('\n').next().unwrap_or_default().chars().count() + 1);
    PromptError {
        template: error.name().unwrap_or(template).to_owned(),
        line: error.line().unwrap_or(1).max(1),
        column,
        reason: match error.detail() {
            Some(detail) => format!("{}: {detail}", error.kind()),
            None => error.kind().to_string(),
        },
        hint: None,
    }
}

fn digest(templates: &BTreeMap<String, String>) -> Digest {
    let mut texts = String::new();
    for (name, source) in templates {
        let source = source.replace("\r\n", "\n");
        texts.push_str(&format!("{name} {}\n{source}", source.len()));
    }
    Digest::of(texts.as_bytes())
}

#[cfg(test)]
pub(super) mod tests;
