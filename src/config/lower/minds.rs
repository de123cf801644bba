//! Fills in and lowers minds.

use std::sync::Arc;

use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::lower::known_of_others::RULE_READS;
use crate::config::lower::mind_reader::{MindReader, trait_value};
use crate::config::lower::opinion_minds::COUNTED;
use crate::config::lower::{opinion_minds, rules};
use crate::config::problem::{Problem, Problems, SourcePlace, suggest_word};
use crate::config::scenario::Soundness;
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::minds::{JusticeConfig, MindConfig, SilentConfig, TERMS, TRAITS, TallyingConfig};
use crate::minds::{Justice, JusticeScope, Mind, QuestionRule};
use crate::plan::Scalar;
use indexmap::IndexMap;

/// Fills in the defaults of the mind under a key.
pub fn fill_mind_defaults(holder: &mut Node, key: &str) {
    if let Some(mind) = holder.child_mut(key) {
        fill_mind(mind);
    }
}

/// Fills in a scenario's mind of simulated seats, which is `random` unless it says another.
pub fn fill_default_mind(scenario: &mut Node) {
    let random = MapEntry::new("random", Node::empty_map(SourcePlace::of_default()));
    scenario.insert_default("default_mind", Value::Map(vec![random]));
    fill_mind_defaults(scenario, "default_mind");
}

/// Fills in the defaults of a mind.
pub fn fill_mind(mind: &mut Node) {
    fill_setting(mind, "random", "malformed", Value::Real(0.0));
    fill_setting(mind, "random", "abstain", Value::Real(0.0));
    for (kind, terms) in TERMS {
        terms.iter().for_each(|(key, default, _)| fill_setting(mind, kind, key, Value::Real(*default)));
    }
    fill_setting(mind, "tallying", "cites", Value::Int(1));
    for (kind, key, default) in COUNTED {
        fill_setting(mind, kind, key, Value::Int(default));
    }
}

fn fill_setting(mind: &mut Node, kind: &str, key: &str, default: Value) {
    let Value::Map(_) = mind.value else { return };
    if let Some(settings) = mind.child_mut(kind) {
        settings.insert_default(key, default);
    }
}

impl MindReader<'_> {
    /// Lowers the mind under a path; `None` if it has an error, or depends on something that has.
    pub fn read_mind(&self, mind: &MindConfig, path: &str, problems: &mut Problems) -> Option<Mind> {
        let is_neutral = matches!(
            mind,
            MindConfig::Random(_) | MindConfig::Scripted(_) | MindConfig::Rule(_) | MindConfig::Silent(SilentConfig {})
        );
        if self.motion.alternatives.is_empty() && !is_neutral {
            let message = "this mind favours one of the alternatives, and the scenario has none";
            let hint = "write random, rule, scripted or silent, or give the scenario alternatives";
            problems.push(self.tree.problem(path, message).with_advice(hint));
            return None;
        }
        match mind {
            MindConfig::Random(random) => {
                let malformed_ppm = self.read_ppm(random.malformed, &format!("{path}.random.malformed"), problems)?;
                let abstain_ppm = self.read_ppm(random.abstain, &format!("{path}.random.abstain"), problems)?;
                Some(Mind::Random { malformed_ppm, abstain_ppm })
            }
            MindConfig::Voter(voter) => {
                Some(Mind::Voter { copy_ppm: self.read_ppm(voter.copy, &format!("{path}.voter.copy"), problems)? })
            }
            MindConfig::Justice(justice) => {
                self.read_justice(justice, &format!("{path}.justice"), problems).map(Mind::Justice)
            }
            // Without written utilities, the mechanism's payments are the utilities.
            MindConfig::QuantalResponse(one)
                if one.utilities.is_none() && self.scenario.written.mechanism.is_some() =>
            {
                let path = format!("{path}.quantal_response.precision");
                let precision = problems.ok_or_report_at(self.tree, &path, trait_value(one.precision))?;
                Some(Mind::Justice(Justice::of_pay(precision, Arc::clone(self.mechanism?))))
            }
            MindConfig::Degroot(_)
            | MindConfig::FriedkinJohnsen(_)
            | MindConfig::HegselmannKrause(_)
            | MindConfig::Deffuant(_)
            | MindConfig::QVoter(_)
            | MindConfig::Majority(_)
            | MindConfig::ArgumentExchange(_)
            | MindConfig::SocialDecisionScheme(_)
            | MindConfig::QuantalResponse(_)
            | MindConfig::Polya(_)
            | MindConfig::Juror(_) => opinion_minds::lower_opinion_mind(self, mind, path, problems),
            MindConfig::Scripted(script) => self.read_script(script, &format!("{path}.scripted"), problems),
            MindConfig::Tallying(TallyingConfig { cites }) => {
                if self.scenario.written.facts.is_empty() && self.scenario.written.signals.is_none() {
                    let message = "this mind counts facts, and the scenario has neither facts nor signals";
                    problems.push(self.tree.problem(&format!("{path}.tallying"), message));
                }
                Some(Mind::Tallying { cites: *cites })
            }
            MindConfig::Rule(rules) => self.read_rules(rules, &format!("{path}.rule"), problems),
            MindConfig::Silent(SilentConfig {}) => Some(Mind::Silent),
        }
    }

    fn read_rules(&self, rules: &IndexMap<String, Scalar>, path: &str, problems: &mut Problems) -> Option<Mind> {
        // A problem that another seat has, too, is not counted again.
        let mut is_sound = true;
        for (id, written) in rules {
            let (path, text) = (format!("{path}.{id}"), write_scalar(written));
            for message in rules::find_rule_mistakes(self, id, &text) {
                is_sound = false;
                let is_about_others = message.contains(RULE_READS);
                if is_about_others && problems.iter().any(|known| known.message == message) {
                    continue;
                }
                let known = rules::list_ruled(self.scenario);
                let hint = match known.contains(&id.as_str()) {
                    true => rules::suggest_quotes(self, id, &text),
                    false => suggest_word(id, known.iter().copied()),
                };
                let depends_on = is_about_others.then_some("agenda");
                problems.push(Problem { depends_on, ..self.tree.problem(&path, message).with_hint(hint) });
            }
        }
        let rule = |(question, written): (&String, &Scalar)| QuestionRule {
            answers: question.clone(),
            formula: lower_formula(written),
        };
        is_sound.then(|| Mind::Rule(rules.iter().map(rule).collect()))
    }

    fn read_justice(&self, written: &JusticeConfig, path: &str, problems: &mut Problems) -> Option<Justice> {
        if self.mechanism.is_none() && self.soundness == Soundness::Sound {
            let message = "this mind weighs what alternatives pay, and the scenario has no mechanism";
            problems.push(self.tree.problem(path, message));
        }
        let values = [written.risk_aversion, written.fairness, written.precision, written.persuasion];
        let mut traits = [None; 4];
        for ((slot, value), (name, ..)) in traits.iter_mut().zip(values).zip(TRAITS) {
            *slot = problems.ok_or_report_at(self.tree, &format!("{path}.{name}"), trait_value(value));
        }
        let [risk_aversion, fairness, precision, persuasion] = traits;
        Some(Justice {
            risk_aversion: risk_aversion?,
            fairness: fairness?,
            precision: precision?,
            persuasion: persuasion?,
            counts: JusticeScope::Everything,
            practised: Arc::clone(self.mechanism?),
        })
    }
}
