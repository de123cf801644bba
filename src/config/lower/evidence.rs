//! The evidence of a case: the right answer, the signals about it, and the facts dealt to seats.
//!
//! Nothing is drawn here: each session draws its own.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::config::draft::ArmDraft;
use crate::config::lower::shared_facts::{self, Mistake, PATH};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Scenario;
use crate::config::written::case::{FactConfig, Shared, SignalsConfig, TruthConfig};
use crate::config::written::config::Config;
use crate::domain::{AlternativeId, FactId};
use crate::plan::{
    Evidence, Fact, MARKS, Scalar, SharedFacts, Signals, TruthRule, Version, check_apart, check_name,
    parse_truth_value, parts_per_million,
};

/// Certainty, in parts per million.
const WHOLE: u32 = 1_000_000;

/// The evidence of an arm; `Some(None)` if the scenario has none, `None` after an error, which is reported.
pub fn lower_evidence(
    draft: &ArmDraft<'_>,
    (config, values): (&Config, &IndexMap<String, Scalar>),
    problems: &mut Problems,
) -> Option<Option<Evidence>> {
    EvidenceReader { draft, config, values, scenario: draft.scenario }.read_case(problems)
}

struct EvidenceReader<'a> {
    draft: &'a ArmDraft<'a>,
    config: &'a Config,
    values: &'a IndexMap<String, Scalar>,
    scenario: &'a Scenario,
}

impl EvidenceReader<'_> {
    fn read_case(&self, problems: &mut Problems) -> Option<Option<Evidence>> {
        let written = &self.scenario.written;
        let before = problems.len();
        let written_truth = written.truth.as_ref().filter(|_| !self.has_options());
        let truth = written_truth.and_then(|truth| problems.ok_or_report(self.read_truth(truth)));
        // An error in the truth is not reported again for facts that print it.
        let is_drawn = written_truth.is_some_and(|truth| truth.drawn.is_some());
        let in_facts = truth.clone().or(is_drawn.then(|| TruthRule::Drawn(Vec::new())));
        let [truth, in_facts] = [truth, in_facts].map(|truth| truth.filter(|_| self.draft.files.items.is_empty()));
        let signals =
            written.signals.as_ref().and_then(|signals| problems.ok_or_report(self.read_signals(signals))).flatten();
        if signals.is_some() && problems.len() == before {
            problems.ok_or_report(self.check_known(truth.as_ref()));
        }
        let facts = self.read_facts(in_facts.as_ref(), problems);
        let withheld = self.read_withheld(problems);
        let deal = written.deal.as_ref();
        if deal.is_some() && written.facts.is_empty() {
            problems.push(self.scenario.tree.problem("deal", "there are no facts to deal"));
        }
        let is_dealt = deal.and_then(|deal| deal.when.as_ref()).map(|when| self.read_truth_value(when, "deal.when"));
        let is_dealt = is_dealt.map_or(Some(true), |is_dealt| problems.ok_or_report(is_dealt))?;
        // If no facts are dealt, errors in the deal do not matter.
        let deal = deal.filter(|_| is_dealt);
        let shared = deal.and_then(|deal| deal.shared.as_ref()).map(|shared| self.read_shared_facts(shared));
        let shared = shared.map_or(Some(SharedFacts::Count(0)), |shared| problems.ok_or_report(shared));
        let seats = u32::try_from(self.config.seats.len()).unwrap_or(u32::MAX);
        let held_by = deal.and_then(|deal| deal.held_by.as_ref());
        let held_by = held_by.map(|held| self.read_whole_number(held, "deal.held_by", 1, seats));
        let held_by = held_by.map_or(Some(1), |held| problems.ok_or_report(held));
        let intro = deal.and_then(|deal| deal.intro.as_ref());
        let intro =
            intro.and_then(|text| problems.ok_or_report(self.scenario.fill_text(text, "deal.intro", self.values)));
        if problems.len() > before {
            return None;
        }
        let facts = if is_dealt { facts } else { Vec::new() };
        let evidence = Evidence { truth, signals, facts, shared: shared?, held_by: held_by?, intro, withheld };
        let is_there = evidence.truth.is_some() || evidence.signals.is_some() || !evidence.facts.is_empty();
        Some(is_there.then_some(evidence))
    }

    fn has_options(&self) -> bool {
        self.draft.files.items.values().any(|item| !item.options.is_empty())
    }

    fn problem(&self, path: &str, message: impl Into<String>) -> Problem {
        self.scenario.tree.problem(path, message)
    }

    /// A text with its variables filled in, where the truth is this alternative.
    fn fill(&self, text: &str, path: &str, truth: Option<&str>) -> Result<String, Problem> {
        let also: Vec<(&str, &str)> = truth.map(|truth| ("truth", truth)).into_iter().collect();
        self.scenario.fill_template((text, path), self.values, &also)
    }

    /// The alternative whose name a text prints.
    fn read_alternative(&self, text: &str, path: &str, truth: Option<&str>) -> Result<AlternativeId, Problem> {
        Ok(AlternativeId(self.find_alternative(self.fill(text, path, truth)?.trim(), path)? as u32))
    }

    /// The position of the alternative of a name.
    fn find_alternative(&self, name: &str, path: &str) -> Result<usize, Problem> {
        let known = self.scenario.written.alternatives.iter().map(|other| other.name.as_str());
        let place = known.clone().position(|other| other == name);
        place.ok_or_else(|| self.scenario.tree.unknown_name(path, ("alternative", name), known))
    }

    fn read_truth(&self, written: &TruthConfig) -> Result<TruthRule, Problem> {
        let given = [written.alternative.is_some(), written.drawn.is_some(), written.amount.is_some()];
        if given.into_iter().filter(|given| *given).count() != 1 {
            return Err(self.problem("truth", "a truth is exactly one of alternative, drawn and amount"));
        }
        if let Some(name) = &written.alternative {
            return self.read_alternative(name, "truth.alternative", None).map(TruthRule::Alternative);
        }
        if let Some(amount) = &written.amount {
            let (least, greatest) = match &self.scenario.written.amount {
                Some(named) => (named.min, named.max),
                None => (0, u32::MAX),
            };
            return self.read_whole_number(amount, "truth.amount", least, greatest).map(TruthRule::Amount);
        }
        let mut shares = vec![0; self.scenario.written.alternatives.len()];
        for (name, share) in written.drawn.iter().flatten() {
            let path = format!("truth.drawn.{name}");
            let position = self.find_alternative(name, &path)?;
            shares[position] = self.read_ppm(share, &path)?;
        }
        match shares.iter().map(|share| u64::from(*share)).sum::<u64>() {
            sum if sum == u64::from(WHOLE) => Ok(TruthRule::Drawn(shares)),
            sum => {
                Err(self.problem("truth.drawn", format!("the probabilities sum to {} and not to 1", sum as f64 / 1e6)))
            }
        }
    }

    fn read_signals(&self, written: &SignalsConfig) -> Result<Option<Signals>, Problem> {
        let accuracy_ppm = self.read_ppm(&written.accuracy, "signals.accuracy")?;
        let path = "signals.text";
        let fill = |[name, label]: [&str; 2]| {
            let also = [("signal.name", name), ("signal.label", label)];
            self.scenario.fill_template((&written.text, path), self.values, &also)
        };
        let text = fill(MARKS[0])?;
        let other = fill(MARKS[1])?;
        let as_marked = other.replace(MARKS[1][0], MARKS[0][0]).replace(MARKS[1][1], MARKS[0][1]);
        if as_marked != text {
            return Err(self.problem(path, "the text prints the alternative as it is, and does nothing else with it"));
        }
        if !MARKS[0].iter().any(|mark| text.contains(mark)) {
            let problem = self.problem(path, "the text does not tell the alternative");
            return Err(problem.with_advice("print {{ signal.label }} or {{ signal.name }}"));
        }
        let is_given = written.when.as_ref().map_or(Ok(true), |when| self.read_truth_value(when, "signals.when"))?;
        Ok(is_given.then_some(Signals { accuracy_ppm, text }))
    }

    /// Checks that signals refer to an alternative that is right in every session.
    fn check_known(&self, truth: Option<&TruthRule>) -> Result<(), Problem> {
        let items = self.draft.files.items;
        if let Some((id, item)) = items.iter().find(|(_, item)| item.right_alternative().is_none()) {
            let what = if item.key.is_some() { "an amount for its key" } else { "no key" };
            let message = format!("signals tell of the right alternative, and the item {id} has {what}");
            return Err(self.draft.tree.problem("items", message));
        }
        match truth {
            _ if !items.is_empty() => Ok(()),
            Some(TruthRule::Amount(_)) => {
                Err(self.problem("signals", "a signal tells of an alternative, and the truth is an amount"))
            }
            Some(_) => Ok(()),
            None => Err(self.problem("signals", "signals tell of the right answer, and the scenario has no truth")),
        }
    }

    fn read_facts(&self, truth: Option<&TruthRule>, problems: &mut Problems) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut ids: Vec<&str> = Vec::new();
        for (place, written) in self.scenario.written.facts.iter().enumerate() {
            let path = format!("facts.{place}");
            let twice = || format!("the id \"{}\" is given twice", written.id);
            let first = if ids.contains(&written.id.as_str()) { Err(twice()) } else { Ok(()) };
            let checked = first.and_then(|()| check_id(&written.id)).and_then(|()| check_apart(&written.id, &ids));
            problems.ok_or_report_at(&self.scenario.tree, &format!("{path}.id"), checked);
            ids.push(&written.id);
            facts.extend(problems.ok_or_report(self.read_fact(written, truth, &path)));
        }
        facts
    }

    fn read_fact(&self, written: &FactConfig, truth: Option<&TruthRule>, path: &str) -> Result<Fact, Problem> {
        if written.favours.is_some() && self.has_options() {
            let message = "a fact speaks for an alternative of the scenario, and the items bring options of their own";
            return Err(self.problem(&format!("{path}.favours"), message));
        }
        let names: Vec<Option<&str>> = match truth {
            Some(TruthRule::Alternative(_) | TruthRule::Drawn(_)) => {
                self.scenario.written.alternatives.iter().map(|other| Some(other.name.as_str())).collect()
            }
            Some(TruthRule::Amount(_)) | None => vec![None],
        };
        let version = |truth: Option<&str>| {
            let text = self.fill(&written.text, &format!("{path}.text"), truth)?;
            let favours = written.favours.as_ref();
            let favours = favours.map(|name| self.read_alternative(name, &format!("{path}.favours"), truth));
            Ok(Version { text, favours: favours.transpose()? })
        };
        let mut versions = names.into_iter().map(version).collect::<Result<Vec<_>, Problem>>()?;
        if versions.iter().all(|version| *version == versions[0]) {
            versions.truncate(1);
        }
        Ok(Fact { id: FactId::new(&written.id), versions })
    }

    fn read_shared_facts(&self, written: &Shared) -> Result<SharedFacts, Problem> {
        let (facts, path) = (&self.scenario.written.facts, PATH);
        match written {
            Shared::Ids(ids) => shared_facts::find_facts(ids.iter().map(String::as_str), facts)
                .map_err(|mistake| mistake.into_problem(&self.scenario.tree, path)),
            Shared::Scalar(Scalar::Text(text)) => {
                let words = self.scenario.fill_text(text, path, self.values)?;
                // Reported where the word was written, which may be a value in the config.
                shared_facts::read_shared_facts(&words, facts).map_err(|mistake| {
                    match mistake.source_parameter(text, self.values) {
                        Some(name) => mistake.clone().into_problem(self.draft.tree, &format!("parameters.{name}")),
                        None => mistake.into_problem(&self.scenario.tree, path),
                    }
                })
            }
            Shared::Scalar(number) => {
                self.read_whole_number(number, path, 0, facts.len() as u32).map(SharedFacts::Count)
            }
        }
    }

    fn read_withheld(&self, problems: &mut Problems) -> Vec<FactId> {
        let known: BTreeSet<&str> = self.scenario.written.facts.iter().map(|fact| fact.id.as_str()).collect();
        let mut withheld = Vec::new();
        for (place, id) in self.config.withhold.iter().flatten().enumerate() {
            match known.contains(id.as_str()) {
                true => withheld.push(FactId::new(id)),
                false => {
                    let mistake = Mistake::unknown_id(id, &self.scenario.written.facts);
                    problems.push(mistake.into_problem(self.draft.tree, &format!("withhold.{place}")));
                }
            }
        }
        withheld
    }

    /// A number that is written or that a template prints.
    fn read_number(&self, written: &Scalar, path: &str) -> Result<f64, Problem> {
        let expected = "expected a number, or a template that prints one";
        match written {
            Scalar::Int(number) => Ok(*number as f64),
            Scalar::Real(number) => Ok(*number),
            Scalar::Bool(_) => Err(self.problem(path, expected)),
            Scalar::Text(text) => {
                let words = self.scenario.fill_text(text, path, self.values)?;
                let found = || format!("{expected}, found \"{}\"", words.trim());
                words.trim().parse::<f64>().map_err(|_| self.problem(path, found()))
            }
        }
    }

    fn read_ppm(&self, written: &Scalar, path: &str) -> Result<u32, Problem> {
        parts_per_million(self.read_number(written, path)?).map_err(|message| self.problem(path, message))
    }

    fn read_whole_number(&self, written: &Scalar, path: &str, least: u32, greatest: u32) -> Result<u32, Problem> {
        let number = self.read_number(written, path)?;
        match number.fract() == 0.0 && (f64::from(least)..=f64::from(greatest)).contains(&number) {
            true => Ok(number as u32),
            false => Err(self.problem(path, format!("{number} is no whole number from {least} to {greatest}"))),
        }
    }

    fn read_truth_value(&self, written: &Scalar, path: &str) -> Result<bool, Problem> {
        let expected = "expected true or false, or a template that prints one of them";
        match written {
            Scalar::Bool(yes) => Ok(*yes),
            Scalar::Text(text) => {
                let words = self.scenario.fill_text(text, path, self.values)?;
                parse_truth_value(&words)
                    .ok_or_else(|| self.problem(path, format!("{expected}, found \"{}\"", words.trim())))
            }
            Scalar::Int(_) | Scalar::Real(_) => Err(self.problem(path, expected)),
        }
    }
}

/// Checks that an id cannot be mistaken for an ordinary word.
fn check_id(id: &str) -> Result<(), String> {
    check_name(id)?;
    let is_word = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_told_apart = id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.contains(|c: char| c.is_ascii_digit());
    match is_word && is_told_apart {
        true => Ok(()),
        false => {
            Err(format!("\"{id}\" is no id: letters, digits and _, a letter first, with a digit in it, such as F3"))
        }
    }
}
