//! Variants of prompts: folders of templates that replace some of the scenario's. So the wording can be a factor.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::tree::Node;
use crate::domain::Digest;
use crate::plan::check_name;

/// The section of a config that names variants.
const SECTION: &str = "prompts";
/// The key that selects a variant.
const KEY: &str = "controls.prompts";
/// The word that selects the scenario's own templates.
pub const OWN: &str = "scenario";
/// Template texts by name, for each language; line ends are LF.
pub type Templates = BTreeMap<String, BTreeMap<String, String>>;

/// A variant as read from its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Its folder as shown to the author.
    pub shown: String,
    /// Its own templates.
    pub templates: Templates,
}

/// The templates of an arm's prompts.
#[derive(Debug, Clone)]
pub struct PromptWording {
    /// The variant's name, or [`OWN`].
    pub id: String,
    /// All templates: the variant's, completed by the scenario's.
    pub templates: Templates,
    /// The digests of the templates.
    pub digests: BTreeMap<String, BTreeMap<String, Digest>>,
    /// The variant; `None` for the scenario's own templates.
    variant: Option<Variant>,
}

impl PromptWording {
    fn from_templates(id: &str, own: &Templates, variant: Option<Variant>) -> Self {
        let mut templates = own.clone();
        for (language, texts) in variant.iter().flat_map(|variant| &variant.templates) {
            if let Some(all) = templates.get_mut(language) {
                all.extend(texts.clone());
            }
        }
        let digest_all = |texts: &BTreeMap<String, String>| {
            texts.iter().map(|(name, text)| (name.clone(), Digest::of_text(text))).collect()
        };
        let digests = templates.iter().map(|(language, texts)| (language.clone(), digest_all(texts))).collect();
        Self { id: id.to_owned(), templates, digests, variant }
    }

    /// The path of a template as shown to the author; `folder` is the scenario's.
    pub fn template_path(&self, folder: &str, language: &str, template: &str) -> String {
        let has_it =
            |variant: &&Variant| variant.templates.get(language).is_some_and(|texts| texts.contains_key(template));
        match self.variant.as_ref().filter(has_it) {
            Some(variant) => format!("{}/{language}/{template}.j2", variant.shown),
            None => format!("{folder}/prompts/{language}/{template}.j2"),
        }
    }

    /// The key of packs with these templates.
    pub fn pack_name(&self, language: &str) -> String {
        format!("{} {language}", self.id)
    }

    /// Checks that the variant has a template in the language. Otherwise its arm would repeat another under a different name.
    fn check_language(&self, tree: &Node, problems: &mut Problems) {
        let language = tree.text_at("language").unwrap_or_default();
        let Some(variant) = &self.variant else { return };
        if variant.templates.contains_key(language) || !self.templates.contains_key(language) {
            return;
        }
        let known: Vec<&str> = variant.templates.keys().map(String::as_str).collect();
        let message =
            format!("the prompts \"{}\" have no template in \"{language}\" (they have: {})", self.id, known.join(", "));
        let hint = format!("put those that differ from the scenario's into {}/{language}", variant.shown);
        problems.push(tree.problem(KEY, message).with_advice(hint));
    }
}

/// The scenario's own templates and all variants.
#[derive(Debug)]
pub struct Wordings {
    /// The scenario's own templates.
    pub own: PromptWording,
    variants: BTreeMap<String, PromptWording>,
}

impl Wordings {
    /// Makes the wording of each variant, and reports errors.
    pub fn new(own: &Templates, variants: &BTreeMap<String, Variant>, tree: &Node, problems: &mut Problems) -> Self {
        for entry in tree.entries_at(SECTION) {
            problems.note_key(tree, SECTION, &entry.key, check_id(&entry.key));
        }
        let mut made = BTreeMap::new();
        for (id, variant) in variants {
            check_variant(id, variant, own, tree, problems);
            made.insert(id.clone(), PromptWording::from_templates(id, own, Some(variant.clone())));
        }
        Self { own: PromptWording::from_templates(OWN, own, None), variants: made }
    }

    /// The templates of an arm. Unreadable variants have already been reported.
    pub fn for_arm(&self, tree: &Node, problems: &mut Problems) -> &PromptWording {
        let Some(id) = tree.text_at(KEY).filter(|id| *id != OWN) else { return &self.own };
        let named = tree.entries_at(SECTION);
        if !named.iter().any(|entry| entry.key == id) {
            let known: Vec<&str> = named.iter().map(|entry| entry.key.as_str()).chain([OWN]).collect();
            let message = format!("no prompts are named \"{id}\"");
            problems.push(tree.problem(KEY, message).with_hint(suggest_word(id, known)));
        }
        let wording = self.variants.get(id).unwrap_or(&self.own);
        wording.check_language(tree, problems);
        wording
    }
}

fn check_id(id: &str) -> Result<(), String> {
    check_name(id)?;
    if id == OWN { Err(format!("\"{OWN}\" stands for the scenario's own prompts")) } else { Ok(()) }
}

/// Checks that a variant replaces something, in languages that the scenario has, and the same templates in each.
fn check_variant(id: &str, variant: &Variant, own: &Templates, tree: &Node, problems: &mut Problems) {
    let path = format!("{SECTION}.{id}");
    let mut tell = |message: String, hint: Option<String>| problems.push(tree.problem(&path, message).with_hint(hint));
    let Variant { shown, templates } = variant;
    if templates.is_empty() {
        let hint = "a template lies in a folder for its language, as in en/statement.j2";
        tell(format!("{shown} holds no template"), Some(hint.to_owned()));
    }
    for language in templates.keys().filter(|language| !own.contains_key(*language)) {
        let known: Vec<&str> = own.keys().map(String::as_str).collect();
        let message = format!("{shown}/{language}: the scenario has no prompts in \"{language}\"");
        tell(message, suggest_word(language, known));
    }
    let all: BTreeSet<&String> = templates.values().flat_map(BTreeMap::keys).collect();
    for (language, texts) in templates {
        for name in all.iter().filter(|name| !texts.contains_key(**name)) {
            let message = format!("{shown}/{language} has no {name}.j2, which the variant has in another language");
            tell(message, Some("a variant overrules the same templates in each of its languages".to_owned()));
        }
    }
}

/// Replaces the folders by stored paths, so that `plan.yaml` contains no path of the author's machine.
pub fn set_stored_wording_paths(prompts: &mut Node) {
    for entry in prompts.entries_mut() {
        entry.node.replace_text_at("", stored_wording_path(&entry.key));
    }
}

/// The stored path of a variant's templates, beside the config.
pub fn stored_wording_path(id: &str) -> String {
    format!("{SECTION}/{id}")
}

/// The problem of an unreadable variant, at the key that names its folder.
pub fn unread_variant(tree: &Node, id: &str, reason: String) -> Problem {
    tree.problem(&format!("{SECTION}.{id}"), reason)
}
