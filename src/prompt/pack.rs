//! A language pack: the compiled templates of one scenario in one language.
//!
//! A pack knows no session: what its templates say about a question comes in as [`Facts`]. It reads no file, and a
//! template can neither loop for ever (fuel) nor print a variable that does not exist (strict).

mod sample;

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};

use crate::domain::{Agent, Ask, Digest, Fault, Motion};
use crate::prompt::AnswerForm;

/// The templates a pack has, no more and no fewer.
///
/// `system` opens every prompt and `history` stands before what was said. `statement`, `straw_poll` and `ballot` put the
/// questions, `form_json` and `form_anchored` say how to reply, and `reask` gives the reason why a question is put again.
pub const TEMPLATES: [&str; 8] =
    ["ballot", "form_anchored", "form_json", "history", "reask", "statement", "straw_poll", "system"];

/// What a template may read; the fields of [`Facts`].
const VARIABLES: [&str; 9] =
    ["ask", "chars_min", "fault", "motion", "name", "options", "persona", "public_name", "round"];

/// Instructions a template may run. A shipped one needs some tens and a few for each option.
const FUEL: u64 = 1_000_000;

const FAULTS: [Fault; 8] = [
    Fault::Unreadable,
    Fault::UnknownAlternative,
    Fault::Ambiguous,
    Fault::Empty,
    Fault::TooShort,
    Fault::Refused,
    Fault::CutByLength,
    Fault::ContextTooLong,
];

/// The templates of one scenario in one language, compiled. Cloning shares them.
#[derive(Debug, Clone)]
pub struct Pack {
    compiled: Arc<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    environment: Environment<'static>,
    digest: Digest,
}

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{template}:{line}: {reason}")]
pub struct PromptError {
    /// The template's name.
    pub template: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// What templates are told about a question.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    name: &'a str,
    public_name: &'a str,
    persona: Option<&'a str>,
    motion: &'a str,
    options: Vec<OptionFacts<'a>>,
    ask: &'static str,
    round: u32,
    chars_min: u32,
    fault: Option<&'static str>,
}

#[derive(Debug)]
struct OptionFacts<'a> {
    name: &'a str,
    label: &'a str,
    status_quo: bool,
}

impl Pack {
    /// Compiles templates by name (without `.j2`) and renders each once for every kind of question, so that a mistake is
    /// found before a session begins.
    ///
    /// # Errors
    /// When a template is missing, superfluous, does not compile, reads an unknown variable, or renders to nothing.
    pub fn compile(templates: &BTreeMap<String, String>) -> Result<Self, PromptError> {
        check_names(templates)?;
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_syntax(whole_line_blocks());
        environment.set_fuel(Some(FUEL));
        for (name, source) in templates {
            environment
                .add_template_owned(name.clone(), source.replace("\r\n", "\n"))
                .map_err(|error| mistake(name, &error))?;
        }
        check_variables(&environment)?;
        let digest = digest(templates);
        let pack = Self { compiled: Arc::new(Compiled { environment, digest }) };
        pack.rehearse()?;
        Ok(pack)
    }

    /// The digest of the templates' names and texts.
    pub fn digest(&self) -> &Digest {
        &self.compiled.digest
    }

    /// Renders a template; blank space around the result is dropped.
    pub(super) fn render(&self, template: &str, facts: &Facts<'_>) -> Result<String, PromptError> {
        let words = self
            .compiled
            .environment
            .get_template(template)
            .and_then(|compiled| compiled.render(facts.value()))
            .map_err(|error| mistake(template, &error))?;
        Ok(words.trim().to_owned())
    }

    /// Renders every template with sample facts.
    fn rehearse(&self) -> Result<(), PromptError> {
        let motion = sample::motion();
        let options: Vec<_> = (0..motion.alternatives.len() as u32).map(crate::domain::AlternativeId).collect();
        let asks = [
            Ask::Statement { options: options.clone(), chars_min: 20 },
            Ask::StrawPoll { options: options.clone() },
            Ask::Ballot { options },
        ];
        for agent in &sample::agents() {
            for ask in &asks {
                let facts = Facts::new(&motion, agent, ask, 1);
                for template in ["system", "history", question_template(ask)] {
                    self.render_words(template, &facts)?;
                }
                for form in [AnswerForm::JsonSchema, AnswerForm::Anchored] {
                    self.render_words(form_template(form), &facts)?;
                }
                for fault in FAULTS {
                    self.render_words("reask", &Facts::new(&motion, agent, ask, 1).after(fault))?;
                }
            }
        }
        Ok(())
    }

    /// Renders a template that must not come out empty.
    fn render_words(&self, template: &str, facts: &Facts<'_>) -> Result<(), PromptError> {
        if self.render(template, facts)?.is_empty() {
            let of = facts.fault.map_or(String::new(), |fault| format!(" for the fault {fault}"));
            return Err(PromptError {
                template: template.to_owned(),
                line: 1,
                reason: format!("renders to nothing{of}"),
            });
        }
        Ok(())
    }
}

impl<'a> Facts<'a> {
    /// The facts of a question's first try. Options are in the order in which they are shown.
    pub(super) fn new(motion: &'a Motion, agent: &'a Agent, ask: &Ask, round: u32) -> Self {
        let options = ask.options().iter().map(|id| {
            let alternative = &motion.alternatives[id.index()];
            OptionFacts {
                name: alternative.name.as_str(),
                label: &alternative.label,
                status_quo: alternative.status_quo,
            }
        });
        Self {
            name: &agent.name,
            public_name: &agent.public_name,
            persona: agent.persona.as_deref(),
            motion: &motion.text,
            options: options.collect(),
            ask: question_template(ask),
            round,
            chars_min: match ask {
                Ask::Statement { chars_min, .. } => *chars_min,
                _ => 0,
            },
            fault: None,
        }
    }

    fn value(&self) -> Value {
        let options = self.options.iter().map(|option| {
            context! { name => option.name, label => option.label, status_quo => option.status_quo }
        });
        context! {
            name => self.name,
            public_name => self.public_name,
            persona => self.persona,
            motion => self.motion,
            options => options.collect::<Vec<Value>>(),
            ask => self.ask,
            round => self.round,
            chars_min => self.chars_min,
            fault => self.fault,
        }
    }

    /// The same facts for a question that is put again.
    pub(super) fn after(self, fault: Fault) -> Self {
        Self { fault: Some(fault.as_str()), ..self }
    }
}

/// The template that puts a question; also the kind of question as templates know it.
pub(super) fn question_template(ask: &Ask) -> &'static str {
    match ask {
        Ask::Statement { .. } => "statement",
        Ask::StrawPoll { .. } => "straw_poll",
        _ => "ballot",
    }
}

/// The template that says how to reply.
pub(super) fn form_template(form: AnswerForm) -> &'static str {
    match form {
        AnswerForm::JsonSchema => "form_json",
        AnswerForm::Anchored => "form_anchored",
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

fn check_names(templates: &BTreeMap<String, String>) -> Result<(), PromptError> {
    let fail = |template: &str, reason: String| Err(PromptError { template: template.to_owned(), line: 1, reason });
    if let Some(missing) = TEMPLATES.iter().find(|name| !templates.contains_key(**name)) {
        return fail(missing, "this template is missing".to_owned());
    }
    if let Some(superfluous) = templates.keys().find(|name| !TEMPLATES.contains(&name.as_str())) {
        let known = TEMPLATES.join(", ");
        return fail(superfluous, format!("no template has this name; there are {known}"));
    }
    Ok(())
}

/// Finds unknown variables in branches, too, that no sample reaches.
fn check_variables(environment: &Environment<'static>) -> Result<(), PromptError> {
    for (name, template) in environment.templates() {
        let mut unknown: Vec<String> = template
            .undeclared_variables(false)
            .into_iter()
            .filter(|variable| !VARIABLES.contains(&variable.as_str()))
            .filter(|variable| environment.globals().all(|(global, _)| global != variable))
            .collect();
        unknown.sort();
        if let Some(variable) = unknown.first() {
            let line = template.source().lines().position(|line| line.contains(variable.as_str()));
            return Err(PromptError {
                template: name.to_owned(),
                line: line.map_or(1, |place| place + 1),
                reason: format!("unknown variable {variable}; there are {}", VARIABLES.join(", ")),
            });
        }
    }
    Ok(())
}

/// The template named by the error is the one at fault when one includes another.
fn mistake(template: &str, error: &minijinja::Error) -> PromptError {
    PromptError {
        template: error.name().unwrap_or(template).to_owned(),
        line: error.line().unwrap_or(1).max(1),
        reason: match error.detail() {
            Some(detail) => format!("{}: {detail}", error.kind()),
            None => error.kind().to_string(),
        },
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
mod tests;
