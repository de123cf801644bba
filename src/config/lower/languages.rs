//! A scenario's texts in other languages. They change the texts that seats read and write, but not the names in tables.
//!
//! The engine's own words and the prompt templates are defined elsewhere.

use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Scenario;
use crate::config::tree::{Node, Value};
use crate::config::written::scenario::{AskConfig, LanguageConfig, ParameterKind, PhaseConfig, fields_of};
use crate::domain::Language;
use crate::plan::Origin;

/// The divisor of the default minimum statement length for languages written without spaces.
const SHORTER: i64 = 5;
/// The longest name of an alternative, in characters.
const NAME_CHARS_MAX: usize = 40;
/// Characters that are not allowed in names of alternatives, because replies and lists use them as separators.
const SEPARATORS: [char; 10] = ['>', '=', ',', '，', '|', '"', '\n', '\r', '[', ']'];

impl Scenario {
    /// The scenario in a language; the scenario's own texts if it has none in that language.
    #[must_use]
    pub fn in_language(&self, language: Language) -> Self {
        let mut scenario = self.clone();
        let Some(texts) = self.written.languages.get(language.code()) else { return scenario };
        scenario.texts_of = Some(language);
        scenario.written.motion.text.clone_from(&texts.motion.text);
        for alternative in &mut scenario.written.alternatives {
            if let Some(said) = texts.alternatives.get(&alternative.name) {
                alternative.label.clone_from(&said.label);
                alternative.said = Some(said.name.clone());
            }
        }
        for phase in &mut scenario.written.agenda {
            let brief = phase.brief.as_mut().and_then(|brief| brief.text.as_mut());
            if let Some((text, words)) = brief.zip(texts.agenda.get(&phase.name)) {
                text.clone_from(words);
            }
            let fields = phase.ask.as_mut().map(AskConfig::fields_mut).unwrap_or_default();
            for field in fields {
                if let Some(words) = texts.agenda.get(&format!("{}.{}", phase.name, field.id)) {
                    field.question.clone_from(words);
                    field.help = None;
                }
            }
        }
        scenario
    }

    /// Checks that each language has all required texts and no unknown ones.
    pub fn check_languages(&self, problems: &mut Problems) {
        for (code, texts) in &self.written.languages {
            let path = format!("languages.{code}");
            if !Language::ALL.iter().any(|language| language.code() == code) {
                let known = Language::ALL.map(Language::code);
                let message = format!("the program has no words in this language (it has {})", known.join(", "));
                let problem = Problem::at_place(self.tree.key_place_of(&path), &path, message);
                problems.push(problem.with_hint(suggest_word(code, known)));
                continue;
            }
            self.check_said(&path, texts, problems);
            self.check_briefs(&path, texts, problems);
            for name in texts.parameters.keys() {
                let declared = self.written.parameters.get(name);
                if declared.is_none_or(|parameter| parameter.kind != ParameterKind::Text) {
                    let path = format!("{path}.parameters.{name}");
                    let message = "the scenario declares no parameter of this name and of the type text";
                    problems.push(Problem::at_place(self.tree.key_place_of(&path), &path, message));
                }
            }
        }
    }

    fn check_said(&self, path: &str, texts: &LanguageConfig, problems: &mut Problems) {
        let known = || self.written.alternatives.iter().map(|alternative| alternative.name.as_str());
        for name in known().filter(|name| !texts.alternatives.contains_key(*name)) {
            let message = format!("the alternative \"{name}\" is missing");
            problems.push(self.tree.problem(&format!("{path}.alternatives"), message));
        }
        let mut said: Vec<&str> = Vec::new();
        for (name, words) in &texts.alternatives {
            let path = format!("{path}.alternatives.{name}");
            if !known().any(|other| other == name) {
                let problem =
                    Problem::at_place(self.tree.key_place_of(&path), &path, "the scenario has no such alternative");
                problems.push(problem.with_hint(suggest_word(name, known())));
            }
            let mut tell =
                |key: &str, message: String| problems.push(self.tree.problem(&format!("{path}.{key}"), message));
            if words.label.trim().is_empty() {
                tell("label", "the label is empty: seats would read nothing".to_owned());
            }
            let is_fit = words.name.trim() == words.name
                && (1..=NAME_CHARS_MAX).contains(&words.name.chars().count())
                && !words.name.contains(SEPARATORS);
            let is_word = Language::ALL.iter().any(|language| language.is_none(&words.name));
            if !is_fit || is_word {
                let message = format!(
                    "\"{}\" is no name for seats: 1 to {NAME_CHARS_MAX} characters, none of > = , | \" [ ], and no word for none",
                    words.name
                );
                tell("name", message);
            } else if said.contains(&words.name.as_str()) {
                tell("name", format!("the name \"{}\" is given twice", words.name));
            }
            said.push(&words.name);
        }
    }

    fn check_briefs(&self, path: &str, texts: &LanguageConfig, problems: &mut Problems) {
        let has_words = |phase: &&PhaseConfig| phase.brief.as_ref().is_some_and(|brief| brief.text.is_some());
        let briefs = self.written.agenda.iter().filter(has_words).map(|phase| phase.name.clone());
        let asked = fields_of(&self.written.agenda).map(|(phase, field)| format!("{}.{}", phase.name, field.id));
        let worded: Vec<String> = briefs.chain(asked).collect();
        for name in worded.iter().filter(|name| !texts.agenda.contains_key(*name)) {
            let what = if name.contains('.') { "question" } else { "brief" };
            problems.push(self.tree.problem(path, format!("the words of the {what} \"{name}\" are missing")));
        }
        for name in texts.agenda.keys().filter(|name| !worded.contains(name)) {
            let path = format!("{path}.agenda.{name}");
            let message = "no brief with words has this name, and no field of a form (PHASE.FIELD)";
            let problem = Problem::at_place(self.tree.key_place_of(&path), &path, message);
            problems.push(problem.with_hint(suggest_word(name, worded.iter().map(String::as_str))));
        }
    }
}

/// The language of a tree; English if the program has no words in the one it names.
pub fn language_of(tree: &Node) -> Language {
    tree.text_at("language").and_then(Language::of_pack).unwrap_or_default()
}

/// Sets the texts of parameters and the minimum length of a statement for the language, unless the config sets them.
pub fn lay_language_texts(tree: &mut Node, scenario: Option<&Scenario>, problems: &mut Problems) {
    let language = language_of(tree);
    let texts = scenario.and_then(|scenario| scenario.tree.find(&format!("languages.{}.parameters", language.code())));
    for text in texts.map(Node::entries).unwrap_or_default() {
        let path = format!("parameters.{}", text.key);
        let is_default = tree.find(&path).is_some_and(|said| said.place.origin <= Origin::Scenario);
        if is_default {
            problems.ok_or_report(tree.set(&path, text.node.clone()));
        }
    }
    let path = "discussion.statement_min_length";
    if let Some(least) = tree.find(path).filter(|least| least.place.origin == Origin::Default).cloned()
        && language.is_written_without_blanks()
        && let Value::Int(chars) = least.value
    {
        problems.ok_or_report(tree.set(path, Node { value: Value::Int((chars / SHORTER).max(1)), ..least }));
    }
}
