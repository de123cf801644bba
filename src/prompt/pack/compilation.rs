//! Compiles a pack: gathers the templates of a scenario, and tries them before a session does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use super::{Compiled, Pack, mistake};
use crate::domain::Digest;
use crate::prompt::names::{hint, is_template, meant_template, misnamed_templates, unknown_filters};
use crate::prompt::numbers::write_value;
use crate::prompt::occasion::{Occasion, fields};
use crate::prompt::rehearsal::rehearse;
use crate::prompt::setting::{Known, Setting};
use crate::prompt::templates::PromptError;

/// Instructions a template may run. A shipped one needs some hundreds and a few for each option.
const FUEL: u64 = 1_000_000;

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
        let tried = rehearse(&pack, setting, &|_| true);
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
        let errors = rehearse(&pack, setting, &|template| anew.contains(template));
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

fn digest(templates: &BTreeMap<String, String>) -> Digest {
    let mut texts = String::new();
    for (name, source) in templates {
        let source = source.replace("\r\n", "\n");
        texts.push_str(&format!("{name} {}\n{source}", source.len()));
    }
    Digest::of(texts.as_bytes())
}
