//! A language pack: the compiled templates of one scenario in one language.
//!
//! A pack knows no session: what its templates say about an occasion comes in as facts. It reads no file, and a template
//! can neither loop for ever (fuel) nor print a variable that does not exist (strict).

mod compilation;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use minijinja::Environment;

use crate::domain::{Digest, Motion, RuleKind, Step};
use crate::prompt::facts::Facts;
use crate::prompt::setting::Known;
use crate::prompt::templates::PromptError;

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

impl Pack {
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

    /// Whether any template that a session about this motion may show reads a variable, such as `vote.rule`.
    pub fn reads_anywhere(&self, path: &str, motion: &Motion) -> bool {
        self.find_shown(path, motion, |_| true)
    }

    /// Whether any template that a session about this motion may show has words for a rule of votes; without a rule, whether one has words
    /// for every rule. A template that does no more with the rule than to compare it with some rules has words for these.
    pub fn has_words_for_rule(&self, rule: Option<RuleKind>, motion: &Motion) -> bool {
        self.find_shown(RULE, motion, |source| has_words_for(source, rule))
    }

    /// Whether any template that a session about this motion may show reads a variable and has a source as wanted.
    fn find_shown(&self, path: &str, motion: &Motion, is_wanted: impl Fn(&str) -> bool) -> bool {
        let names_amounts = motion.alternatives.iter().any(|alternative| alternative.takes_amount);
        let is_shown = |name: &str| names_amounts || name != Step::Amount.as_str();
        let mut shown = self.compiled.environment.templates().filter(|(name, _)| is_shown(name));
        shown.any(|(_, template)| template.undeclared_variables(true).contains(path) && is_wanted(template.source()))
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

/// The variable of templates that is the rule of a vote.
const RULE: &str = "vote.rule";

/// Whether the source of a template that reads the rule of a vote has words for a rule, or for every rule.
fn has_words_for(source: &str, rule: Option<RuleKind>) -> bool {
    let quotes = ['"', '\''];
    let has_else = source.split("{%").skip(1).any(|block| {
        let block = block.split("%}").next().unwrap_or_default();
        block.trim_matches(['-', '+']).trim() == "else"
    });
    let mut reads = source.match_indices(RULE).map(|(start, _)| source[start + RULE.len()..].trim_start());
    reads.any(|behind| {
        let compared = behind.strip_prefix("==").and_then(|other| other.trim_start().strip_prefix(quotes));
        let compared = compared.and_then(|word| word.split(quotes).next());
        has_else || compared.is_none_or(|word| rule.is_some_and(|rule| rule.as_str() == word))
    })
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

#[cfg(test)]
pub(super) mod tests;
