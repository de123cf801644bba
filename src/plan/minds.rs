//! Minds: what an author writes of them, and what it means.

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::json;

use super::decimal::{parts_per_million, scaled};
use super::harvest_minds::{
    self, ConditionalCooperatorConfig, FixedShareConfig, QuantalHarvesterConfig, Written as Taking,
};
use super::items::Item;
use super::opinion_minds::{
    self, ArgumentExchangeConfig, DeffuantConfig, DegrootConfig, FriedkinJohnsenConfig, HegselmannKrauseConfig,
    JurorConfig, MajorityConfig, PolyaConfig, QVoterConfig, SocialDecisionSchemeConfig, Written,
};
use super::quantal_response::{self, QUANTAL_RESPONSE, QuantalResponseConfig};
use super::scenario::{Scenario, Soundness};
use super::scripts::ScriptConfig;
use super::tree::{Entry, Node, Value};
use super::voting::Voting;
use super::{Place, Problems};
use crate::domain::Motion;
use crate::mechanism::{Commons, IncomePrinciples};
use crate::minds::{Counts, Justice, Mind, TraitValue};

/// Decimals of a trait.
const DECIMALS: usize = 6;
/// What is known of a trait: its name, its default and its greatest value; the least is 0.
pub type Term = (&'static str, f64, f64);
/// Each trait of a `justice` mind.
const TRAITS: [Term; 4] =
    [("risk_aversion", 1.0, 20.0), ("fairness", 0.0, 1.0), ("precision", 4.0, 1_000.0), ("persuasion", 0.5, 1.0)];

/// The rule by which a simulated seat answers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MindConfig {
    /// Uniform choices and texts.
    Random(RandomConfig),
    /// Copies heard stances.
    Voter(VoterConfig),
    /// Weighs risk, the worst off and what it hears.
    Justice(JusticeConfig),
    /// Takes weighted means of what it hears.
    Degroot(DegrootConfig),
    /// Takes weighted means, and holds on to an anchor.
    FriedkinJohnsen(FriedkinJohnsenConfig),
    /// Takes the mean of those who are near enough.
    HegselmannKrause(HegselmannKrauseConfig),
    /// Meets others, and moves towards those who are near enough.
    Deffuant(DeffuantConfig),
    /// Gives in to so many that agree.
    QVoter(QVoterConfig),
    /// Takes what most of a small group hold.
    Majority(MajorityConfig),
    /// Exchanges arguments with those who are like it.
    ArgumentExchange(ArgumentExchangeConfig),
    /// Votes for what becomes of the first positions.
    SocialDecisionScheme(SocialDecisionSchemeConfig),
    /// Chooses the better the likelier.
    QuantalResponse(QuantalResponseConfig),
    /// Counts answers, and answers as it believes.
    Polya(PolyaConfig),
    /// Holds what its signal points to.
    Juror(JurorConfig),
    /// Takes the same share of a common stock each time.
    FixedShare(FixedShareConfig),
    /// Takes as much of a common stock as the others did.
    ConditionalCooperator(ConditionalCooperatorConfig),
    /// Takes of a common stock what is worth more the likelier.
    QuantalHarvester(QuantalHarvesterConfig),
    /// Says what is written.
    Scripted(ScriptConfig),
    /// Counts the facts of the case that it knows.
    Tallying(TallyingConfig),
    /// Never speaks and never chooses.
    Silent(SilentConfig),
}

/// A seat that says nothing has no settings.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SilentConfig {}

/// Counts the facts of the case that it knows.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TallyingConfig {
    /// How many of the facts that it knows it cites each time it speaks.
    #[schemars(range(min = 0), extend("default" = 1))]
    pub cites: u32,
}

/// Uniform choices and texts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomConfig {
    /// The probability of a reply that cannot be read; at most six decimals.
    #[schemars(range(min = 0, max = 1), extend("default" = 0))]
    pub malformed: f64,
    /// The probability of a vote for nothing, where seats may abstain; at most six decimals.
    #[schemars(range(min = 0, max = 1), extend("default" = 0))]
    pub abstain: f64,
}

/// Copies heard stances.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoterConfig {
    /// The probability of taking over a heard stance; at most six decimals.
    #[schemars(range(min = 0, max = 1))]
    pub copy: f64,
}

/// Weighs risk, the worst off and what it hears.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_traits)]
pub struct JusticeConfig {
    /// How much it minds bad cases: at 0 only the average counts, at 12 almost only the worst case.
    risk_aversion: TraitConfig,
    /// The weight of the low class's income, whoever has it.
    fairness: TraitConfig,
    /// How seldom it takes the lesser good; at 0 it chooses by lot.
    precision: TraitConfig,
    /// The weight of what it heard others favour.
    persuasion: TraitConfig,
}

/// A trait's value: a number, or `uniform: [least, greatest]` for one that is drawn for each seat and session.
#[derive(Debug, Clone, Copy, JsonSchema)]
#[schemars(untagged)]
pub enum TraitConfig {
    /// The same on every seat in every session.
    Fixed(f64),
    /// Drawn for each seat and session.
    Uniform(f64, f64),
}

fn bound_traits(schema: &mut Schema) {
    bound(schema, &TRAITS);
}

/// Traits that are left out unless they are written.
const OPTIONAL: [(&str, Option<f64>, f64); 2] = [("opinion", None, 1.0), ("indifference", None, 1.0)];

/// Gives each trait its default and its range; those that may be left out their range.
pub fn bound(schema: &mut Schema, terms: &[Term]) {
    let bounds = |(name, default, greatest): &Term| (*name, Some(*default), *greatest);
    for (name, default, greatest) in terms.iter().map(bounds).chain(OPTIONAL) {
        let property = schema.pointer_mut(&format!("/properties/{name}")).and_then(|property| property.as_object_mut());
        let Some(property) = property else { continue };
        let number = json!({ "type": "number", "minimum": 0, "maximum": greatest });
        let drawn = json!({
            "type": "object",
            "properties": { "uniform": {
                "description": "The least and the greatest value; each between is as probable.",
                "type": "array",
                "prefixItems": [number.clone(), number.clone()],
                "minItems": 2,
                "maxItems": 2,
            } },
            "required": ["uniform"],
            "additionalProperties": false,
        });
        property.remove("$ref");
        property.insert("anyOf".to_string(), json!([number, drawn]));
        property.extend(default.map(|default| ("default".to_string(), json!(default))));
    }
}

/// Fills in what an author may leave out of the mind under a key.
pub fn fill(holder: &mut Node, key: &str) {
    let Some(mind) = holder.child_mut(key) else { return };
    fill_mind(mind);
}

/// The same of a mind.
pub fn fill_mind(mind: &mut Node) {
    fill_settings(mind, "random", &[("malformed", 0.0), ("abstain", 0.0)]);
    fill_traits(mind, "justice", &TRAITS);
    fill_traits(mind, "fixed_share", &harvest_minds::FIXED_SHARE);
    fill_traits(mind, "conditional_cooperator", &harvest_minds::CONDITIONAL_COOPERATOR);
    fill_traits(mind, "quantal_harvester", &harvest_minds::QUANTAL_HARVESTER);
    fill_traits(mind, "degroot", opinion_minds::DEGROOT);
    fill_traits(mind, "friedkin_johnsen", opinion_minds::FRIEDKIN_JOHNSEN);
    fill_traits(mind, "hegselmann_krause", opinion_minds::HEGSELMANN_KRAUSE);
    fill_traits(mind, "q_voter", opinion_minds::Q_VOTER);
    fill_traits(mind, "deffuant", opinion_minds::DEFFUANT);
    fill_traits(mind, "argument_exchange", opinion_minds::ARGUMENT_EXCHANGE);
    fill_traits(mind, "quantal_response", QUANTAL_RESPONSE);
    fill_traits(mind, "polya", opinion_minds::POLYA);
    fill_setting(mind, "tallying", "cites", Value::Int(1));
    for (kind, key, default) in opinion_minds::COUNTED {
        fill_setting(mind, kind, key, Value::Int(default));
    }
}

fn fill_traits(mind: &mut Node, kind: &str, terms: &[Term]) {
    let defaults: Vec<(&str, f64)> = terms.iter().map(|(name, default, _)| (*name, *default)).collect();
    fill_settings(mind, kind, &defaults);
}

fn fill_settings(mind: &mut Node, kind: &str, defaults: &[(&str, f64)]) {
    defaults.iter().for_each(|(key, default)| fill_setting(mind, kind, key, Value::Real(*default)));
}

fn fill_setting(mind: &mut Node, kind: &str, key: &str, default: Value) {
    let Value::Map(_) = mind.value else { return };
    let Some(settings) = mind.child_mut(kind) else { return };
    if settings.get(key).is_none() {
        let place = Place::of_default();
        let node = Node { value: default, place: place.clone() };
        settings.put(Entry { key: key.to_string(), place, node });
    }
}

/// Makes minds of what was written, with what they refer to.
pub struct MindReader<'a> {
    /// What a line may choose.
    pub motion: &'a Motion,
    /// Whose phases a line may name.
    pub scenario: &'a Scenario,
    /// What decisions pay; `None` where nothing is paid, or where the mechanism is broken.
    pub mechanism: Option<&'a Arc<IncomePrinciples>>,
    /// The stock that is taken from; `None` where there is none.
    pub commons: Option<&'a Commons>,
    /// Whether that the mechanism is not there means that the scenario has none.
    pub soundness: Soundness,
    /// The columns of items that lines may name, and the items; empty without.
    pub asked: (&'a [String], &'a IndexMap<String, Arc<Item>>),
    /// What seats vote by; `None` where that is broken.
    pub voting: &'a Option<Voting>,
    /// Where all stands.
    pub tree: &'a Node,
}

impl MindReader<'_> {
    /// Makes a mind of what was written under a path; `None` when a probability, trait, phase, alternative or line in it
    /// is wrong, or when what it weighs is broken elsewhere.
    pub fn mind(&self, mind: &MindConfig, path: &str, problems: &mut Problems) -> Option<Mind> {
        match mind {
            MindConfig::Random(random) => {
                let malformed_ppm = self.ppm(random.malformed, &format!("{path}.random.malformed"), problems)?;
                let abstain_ppm = self.ppm(random.abstain, &format!("{path}.random.abstain"), problems)?;
                Some(Mind::Random { malformed_ppm, abstain_ppm })
            }
            MindConfig::Voter(voter) => {
                Some(Mind::Voter { copy_ppm: self.ppm(voter.copy, &format!("{path}.voter.copy"), problems)? })
            }
            MindConfig::Justice(justice) => {
                self.justice(justice, &format!("{path}.justice"), problems).map(Mind::Justice)
            }
            MindConfig::Degroot(one) => opinion_minds::mind(self, Written::Degroot(one), path, problems),
            MindConfig::FriedkinJohnsen(one) => {
                opinion_minds::mind(self, Written::FriedkinJohnsen(one), path, problems)
            }
            MindConfig::HegselmannKrause(one) => {
                opinion_minds::mind(self, Written::HegselmannKrause(one), path, problems)
            }
            MindConfig::Deffuant(one) => opinion_minds::mind(self, Written::Deffuant(one), path, problems),
            MindConfig::QVoter(one) => opinion_minds::mind(self, Written::QVoter(one), path, problems),
            MindConfig::Majority(one) => opinion_minds::mind(self, Written::Majority(one), path, problems),
            MindConfig::ArgumentExchange(one) => {
                opinion_minds::mind(self, Written::ArgumentExchange(one), path, problems)
            }
            MindConfig::SocialDecisionScheme(one) => {
                opinion_minds::mind(self, Written::SocialDecisionScheme(one), path, problems)
            }
            MindConfig::QuantalResponse(one) if quantal_response::goes_by_pay(one, self.scenario) => {
                quantal_response::of_pay(self, one, path, problems)
            }
            MindConfig::QuantalResponse(one) => {
                opinion_minds::mind(self, Written::QuantalResponse(one), path, problems)
            }
            MindConfig::Polya(one) => opinion_minds::mind(self, Written::Polya(one), path, problems),
            MindConfig::Juror(one) => opinion_minds::mind(self, Written::Juror(one), path, problems),
            MindConfig::FixedShare(one) => harvest_minds::mind(self, Taking::FixedShare(one), path, problems),
            MindConfig::ConditionalCooperator(one) => {
                harvest_minds::mind(self, Taking::ConditionalCooperator(one), path, problems)
            }
            MindConfig::QuantalHarvester(one) => harvest_minds::mind(self, Taking::Quantal(one), path, problems),
            MindConfig::Scripted(script) => self.script(script, &format!("{path}.scripted"), problems),
            MindConfig::Tallying(TallyingConfig { cites }) => {
                if self.scenario.written.facts.is_empty() && self.scenario.written.signals.is_none() {
                    let message = "this mind counts facts, and the scenario has neither facts nor signals";
                    problems.push(self.tree.problem(&format!("{path}.tallying"), message));
                }
                Some(Mind::Tallying { cites: *cites })
            }
            MindConfig::Silent(SilentConfig {}) => Some(Mind::Silent),
        }
    }

    fn ppm(&self, probability: f64, path: &str, problems: &mut Problems) -> Option<u32> {
        problems.keep(parts_per_million(probability).map_err(|message| self.tree.problem(path, message)))
    }

    fn justice(&self, written: &JusticeConfig, path: &str, problems: &mut Problems) -> Option<Justice> {
        if self.mechanism.is_none() && self.soundness == Soundness::Sound {
            let message = "this mind weighs what alternatives pay, and the scenario has no mechanism";
            problems.push(self.tree.problem(path, message));
        }
        let values = [written.risk_aversion, written.fairness, written.precision, written.persuasion];
        let mut traits = [None; 4];
        for ((slot, value), (name, _, greatest)) in traits.iter_mut().zip(values).zip(TRAITS) {
            let path = format!("{path}.{name}");
            *slot = problems.keep(trait_value(value, greatest).map_err(|message| self.tree.problem(&path, message)));
        }
        let [risk_aversion, fairness, precision, persuasion] = traits;
        Some(Justice {
            risk_aversion: risk_aversion?,
            fairness: fairness?,
            precision: precision?,
            persuasion: persuasion?,
            counts: Counts::Everything,
            practised: Arc::clone(self.mechanism?),
        })
    }
}

pub fn trait_value(written: TraitConfig, greatest: f64) -> Result<TraitValue, String> {
    let millionths = |number: f64| {
        if !(0.0..=greatest).contains(&number) {
            return Err(format!("{number} is outside 0 … {greatest}"));
        }
        scaled(number, DECIMALS).map(|millionths| i64::try_from(millionths).unwrap_or(i64::MAX))
    };
    match written {
        TraitConfig::Fixed(number) => millionths(number).map(TraitValue::Fixed),
        TraitConfig::Uniform(least, greatest) if least > greatest => {
            Err(format!("uniform: [{least}, {greatest}] is not in order"))
        }
        TraitConfig::Uniform(least, greatest) => {
            Ok(TraitValue::Uniform { least: millionths(least)?, greatest: millionths(greatest)? })
        }
    }
}

impl<'de> Deserialize<'de> for TraitConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Drawn {
            uniform: (f64, f64),
        }

        struct TraitVisitor;

        impl<'de> Visitor<'de> for TraitVisitor {
            type Value = TraitConfig;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number or { uniform: [least, greatest] }")
            }

            fn visit_i64<E>(self, number: i64) -> Result<TraitConfig, E> {
                Ok(TraitConfig::Fixed(number as f64))
            }

            fn visit_f64<E>(self, number: f64) -> Result<TraitConfig, E> {
                Ok(TraitConfig::Fixed(number))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TraitConfig, A::Error> {
                let drawn = Drawn::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(TraitConfig::Uniform(drawn.uniform.0, drawn.uniform.1))
            }
        }

        deserializer.deserialize_any(TraitVisitor)
    }
}
