//! Lowers minds that have an opinion.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::config::lower::mind_reader::{MindReader, trait_value};
use crate::config::problem::Problems;
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::minds::{ArgumentExchangeConfig, JurorConfig, MindConfig, TraitConfig};
use crate::minds::{ArgumentSource, InfluenceWeights, Mind, OpinionRule, Opinionated, Scheme, TraitValue};
use crate::plan::{Evidence, Origin, Seat, Sitter, UNSAID, parts_per_million, scale_decimal};

/// Why a mind cannot be a juror.
const WITHOUT_SIGNALS: &str = "this mind holds what its signal points to, and the scenario gives no signals";
const WITHOUT_UTILITIES: &str = "this mind chooses what is worth more the likelier; nothing says what the alternatives \
                                 are worth, and the scenario has no mechanism that pays for them";
const NO_OPINION: &str = "invariant: only minds with an opinion are read here";
/// One, in parts per million.
const WHOLE: u64 = 1_000_000;
/// The integer settings and their defaults.
pub const COUNTED: [(&str, &str, i64); 4] = [
    ("q_voter", "q", 2),
    ("majority", "group", 3),
    ("argument_exchange", "arguments", 6),
    ("argument_exchange", "pool", 20),
];

/// Reads the settings of the mind at a path.
struct OpinionMindReader<'a, 'p> {
    reader: &'a MindReader<'a>,
    path: String,
    problems: &'p mut Problems,
}

/// Lowers the mind under a path.
pub fn lower_opinion_mind(
    reader: &MindReader<'_>,
    written: &MindConfig,
    path: &str,
    problems: &mut Problems,
) -> Option<Mind> {
    let before = problems.len();
    let (name, opinion, indifference) = match written {
        MindConfig::Degroot(one) => ("degroot", one.opinion, one.indifference),
        MindConfig::FriedkinJohnsen(one) => ("friedkin_johnsen", one.opinion, one.indifference),
        MindConfig::HegselmannKrause(one) => ("hegselmann_krause", one.opinion, one.indifference),
        MindConfig::Deffuant(one) => ("deffuant", one.opinion, one.indifference),
        MindConfig::QVoter(one) => ("q_voter", one.opinion, None),
        MindConfig::Majority(one) => ("majority", one.opinion, None),
        MindConfig::SocialDecisionScheme(one) => ("social_decision_scheme", one.opinion, None),
        MindConfig::Polya(one) => ("polya", one.opinion, None),
        MindConfig::ArgumentExchange(one) => ("argument_exchange", one.opinion, None),
        MindConfig::QuantalResponse(_) => ("quantal_response", None, None),
        MindConfig::Juror(JurorConfig {}) => ("juror", None, None),
        _ => unreachable!("{NO_OPINION}"),
    };
    let mut reading = OpinionMindReader { reader, path: format!("{path}.{name}"), problems };
    let opinion = reading.read_opinion(opinion);
    let indifference = indifference.and_then(|value| reading.read_trait(value, "indifference"));
    let rule = reading.read_rule(written);
    reading.check_motion(written);
    (problems.len() == before).then_some(())?;
    Some(Mind::Opinionated(Opinionated { opinion, indifference, rule: rule? }))
}

impl OpinionMindReader<'_, '_> {
    fn read_rule(&mut self, written: &MindConfig) -> Option<OpinionRule> {
        Some(match written {
            MindConfig::Degroot(one) => {
                let self_weight = self.read_trait(one.self_weight, "self_weight");
                let weights = self.read_weights(one.weights.as_ref(), self_weight);
                OpinionRule::Degroot { self_weight: self_weight?, weights: weights? }
            }
            MindConfig::FriedkinJohnsen(one) => {
                let stubbornness = self.read_trait(one.stubbornness, "stubbornness");
                let self_weight = self.read_trait(one.self_weight, "self_weight");
                let attractor = self.read_trait(one.attractor, "attractor");
                let pull = self.read_trait(one.pull, "pull");
                let weights = self.read_weights(one.weights.as_ref(), self_weight);
                OpinionRule::FriedkinJohnsen {
                    stubbornness: stubbornness?,
                    self_weight: self_weight?,
                    weights: weights?,
                    attractor: attractor?,
                    pull: pull?,
                }
            }
            MindConfig::HegselmannKrause(one) => {
                OpinionRule::HegselmannKrause { confidence: self.read_trait(one.confidence, "confidence")? }
            }
            MindConfig::Deffuant(one) => {
                let confidence = self.read_trait(one.confidence, "confidence");
                let convergence = self.read_trait(one.convergence, "convergence");
                OpinionRule::Deffuant { confidence: confidence?, convergence: convergence? }
            }
            MindConfig::QVoter(one) => OpinionRule::QVoter { q: one.q, noise: self.read_trait(one.noise, "noise")? },
            MindConfig::Majority(one) => OpinionRule::Majority { group: one.group },
            MindConfig::ArgumentExchange(one) => {
                let homophily = self.read_trait(one.homophily, "homophily");
                let source = self.read_arguments(one);
                OpinionRule::ArgumentExchange { arguments: one.arguments, source, homophily: homophily? }
            }
            MindConfig::SocialDecisionScheme(one) => self.read_scheme(one.scheme)?,
            MindConfig::QuantalResponse(one) => {
                let precision = self.read_trait(one.precision, "precision");
                OpinionRule::QuantalResponse {
                    utilities: self.read_utilities(one.utilities.as_ref())?,
                    precision: precision?,
                }
            }
            MindConfig::Polya(one) => {
                let concentration = self.read_trait(one.concentration, "concentration");
                let least = match concentration? {
                    TraitValue::Fixed(value) => value,
                    TraitValue::Uniform { least, .. } => least,
                };
                if least == 0 {
                    self.report_problem("concentration", "a belief that counts for nothing has no mean");
                }
                OpinionRule::Polya { concentration: concentration? }
            }
            MindConfig::Juror(JurorConfig {}) => OpinionRule::Juror,
            _ => unreachable!("{NO_OPINION}"),
        })
    }

    /// The source of arguments; reports errors.
    fn read_arguments(&mut self, written: &ArgumentExchangeConfig) -> ArgumentSource {
        if written.facts == Some(true) {
            if self.reader.scenario.written.facts.is_empty() {
                self.report_problem("facts", "its arguments are facts of the case, and the scenario has none");
            }
            if self.reader.motion.alternatives.len() < 2 {
                self.report_problem("facts", "facts speak for alternatives, and the scenario decides an amount alone");
            }
            if written.opinion.is_some() {
                self.report_problem("opinion", "where it stands at first follows from the facts that it is told");
            }
            return ArgumentSource::Facts;
        }
        let count = self.reader.motion.alternatives.len().max(2) as u32;
        // If an opinion is given, all arguments of a seat may support one side.
        let (sides, whose) = if written.opinion.is_some() { (1, " for each side") } else { (count, "") };
        let there_are = written.pool.saturating_mul(sides);
        if written.arguments > there_are {
            self.report_problem("arguments", format!("there are only {there_are} arguments{whose} to have in mind"));
        }
        ArgumentSource::Pool { each: written.pool }
    }

    fn read_scheme(&mut self, scheme: Scheme) -> Option<OpinionRule> {
        // Whether every session has a truth is checked later.
        let is_said = self.reader.scenario.written.truth.is_some() || self.reader.tree.find("items.key").is_some();
        if scheme.needs_truth() && !is_said {
            self.report_problem("scheme", UNSAID);
            return None;
        }
        Some(OpinionRule::SocialDecisionScheme(scheme))
    }

    fn report_problem(&mut self, key: &str, message: impl Into<String>) {
        self.ok_or_report::<()>(key, Err(message.into()));
    }

    fn ok_or_report<T>(&mut self, key: &str, outcome: Result<T, String>) -> Option<T> {
        self.problems.ok_or_report_at(self.reader.tree, &format!("{}.{key}", self.path), outcome)
    }

    fn read_trait(&mut self, value: TraitConfig, name: &str) -> Option<TraitValue> {
        self.ok_or_report(name, trait_value(value))
    }

    /// The initial opinion; reports an error if there are more than two alternatives.
    fn read_opinion(&mut self, written: Option<TraitConfig>) -> Option<TraitValue> {
        let written = written?;
        let count = self.reader.motion.alternatives.len();
        if count > 2 {
            let message = format!("one number says nothing of {count} alternatives; left out, it is drawn");
            self.report_problem("opinion", message);
        }
        self.read_trait(written, "opinion")
    }

    /// The weights of other seats. With the seat's own weight they sum to 1.
    fn read_weights(
        &mut self,
        written: Option<&IndexMap<String, f64>>,
        own: Option<TraitValue>,
    ) -> Option<InfluenceWeights> {
        let Some(written) = written else { return Some(InfluenceWeights::Equal) };
        let seats = self.reader.tree.items_at("seats");
        let before = self.problems.len();
        let (mut named, mut sum) = (BTreeMap::new(), 0);
        for (name, weight) in written {
            let key = format!("weights.{name}");
            let Some(seat) = seats.iter().position(|seat| seat.text_at("name") == Some(name.as_str())) else {
                self.report_problem(&key, format!("no seat is named \"{name}\""));
                continue;
            };
            let Some(ppm) = self.ok_or_report(&key, parts_per_million(*weight)) else { continue };
            sum += u64::from(ppm);
            named.insert(seat as u32, ppm);
        }
        // An invalid weight is not reported again for the sum.
        (self.problems.len() == before).then_some(())?;
        match own? {
            TraitValue::Fixed(own) if sum + own as u64 == WHOLE => {
                Some(InfluenceWeights::Named(named.into_iter().collect()))
            }
            TraitValue::Fixed(own) => {
                let (sum, own) = (sum as f64 / 1e6, own as f64 / 1e6);
                self.report_problem(
                    "weights",
                    format!("they sum to {sum}, with self_weight {own} to {} and not to 1", sum + own),
                );
                None
            }
            TraitValue::Uniform { .. } => {
                self.report_problem("self_weight", "with written weights it is one number: together they sum to 1");
                None
            }
        }
    }

    /// The utility of each alternative; reports an error if they are missing.
    fn read_utilities(&mut self, written: Option<&IndexMap<String, f64>>) -> Option<Vec<i64>> {
        let motion = self.reader.motion;
        let Some(written) = written else {
            // `check_motion` reports a motion that decides only an amount.
            if motion.alternatives.len() > 1 {
                let names: Vec<String> = motion.alternatives.iter().map(|one| format!("{}: 1", one.name)).collect();
                let hint = format!("a number for each: utilities: {{ {} }}", names.join(", "));
                self.problems.push(self.reader.tree.problem(&self.path, WITHOUT_UTILITIES).with_advice(hint));
            }
            return None;
        };
        let mut utilities = vec![None; motion.alternatives.len()];
        for (name, utility) in written {
            let key = format!("utilities.{name}");
            let Some(found) = motion.find(name) else {
                self.report_problem(&key, format!("no alternative is named \"{name}\""));
                continue;
            };
            let millionths = self.ok_or_report(&key, scale_decimal(*utility, 6));
            utilities[found.index()] = millionths.and_then(|value| i64::try_from(value).ok());
        }
        let missing = motion.alternatives.iter().find(|one| !written.contains_key(one.name.as_str()));
        if let Some(missing) = missing {
            self.report_problem("utilities", format!("nothing is said of what {} is worth", missing.name));
        }
        utilities.into_iter().collect()
    }

    fn check_motion(&mut self, written: &MindConfig) {
        let count = self.reader.motion.alternatives.len();
        let chooses = matches!(
            written,
            MindConfig::QVoter(_)
                | MindConfig::Majority(_)
                | MindConfig::SocialDecisionScheme(_)
                | MindConfig::QuantalResponse(_)
                | MindConfig::Polya(_)
                | MindConfig::Juror(_)
        );
        if chooses && count < 2 {
            let message = "this mind chooses among alternatives, and the scenario decides an amount alone";
            self.problems.push(self.reader.tree.problem(&self.path, message));
        }
        if matches!(written, MindConfig::Juror(_)) && self.reader.scenario.written.signals.is_none() {
            let problem = self.reader.tree.problem(&self.path, WITHOUT_SIGNALS);
            self.problems.push(problem.with_advice("take a scenario with `truth` and `signals`, such as jury"));
        }
        let pull = self.reader.tree.find(&format!("{}.pull", self.path));
        let is_pulled = matches!(written, MindConfig::FriedkinJohnsen(_))
            && pull.is_some_and(|node| node.place.origin != Origin::Default);
        if is_pulled && count > 2 {
            let message = format!("an attractor is one number, which says nothing of {count} alternatives");
            self.report_problem("pull", message);
        }
    }
}

/// Checks that jurors get signals if the scenario gives them only under some parameters.
pub fn check_signals(
    sound: Option<(&[Seat], &Option<Evidence>)>,
    scenario: &Scenario,
    tree: &Node,
    problems: &mut Problems,
) {
    let Some((seats, evidence)) = sound.filter(|_| scenario.written.signals.is_some()) else { return };
    let are_given = evidence.as_ref().is_some_and(|evidence| evidence.signals.is_some());
    let is_juror =
        |seat: &&Seat| matches!(&seat.sitter, Sitter::Mind(Mind::Opinionated(mind)) if mind.rule == OpinionRule::Juror);
    if let Some(seat) = seats.iter().find(is_juror).filter(|_| !are_given) {
        let problem = tree.problem(&format!("seats.{}.mind.juror", seat.name), WITHOUT_SIGNALS);
        problems.push(problem.with_advice("its `signals.when` is false under these parameters"));
    }
}
