//! Checks a scenario without a config.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::analysis::name_answer_column;
use crate::config::check::decode::decode_node;
use crate::config::check::hints;
use crate::config::lower::formula::write_scalar;
use crate::config::lower::grouping::read_count;
use crate::config::lower::{blocks, conditions, forms, minds, numbers, shared_facts, votes};
use crate::config::presets;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::{ItemsGiven, Scenario, Soundness};
use crate::config::texts::Texts;
use crate::config::tree::Node;
use crate::config::written::interventions::POLL_PHASES;
use crate::config::written::scenario::{AskConfig, AssignConfig, BuiltInAsk, PhaseConfig, ScenarioConfig, fields_of};
use crate::domain::{OUTSIDE_PHASES, PollTime};
use crate::plan::{Scalar, check_alternative, check_apart, check_name, check_word};

impl Scenario {
    /// Checks alternatives and amounts as far as possible without a config.
    pub fn check_alternatives(&self, problems: &mut Problems) {
        let alternatives = &self.written.alternatives;
        if alternatives.len() == 1 && !alternatives[0].takes_amount {
            let problem = self.tree.problem("alternatives", "one alternative leaves nothing to choose");
            let hint =
                "write two or more, none, or one with `takes_amount: true`, of which the amount alone is decided";
            problems.push(problem.with_advice(hint));
        }
        if alternatives.iter().filter(|alternative| alternative.status_quo).count() > 1 {
            problems.push(self.tree.problem("alternatives", "at most one alternative is the status quo"));
        }
        let nodes: Vec<&Node> = self.tree.items_at("alternatives").iter().collect();
        let names = alternatives.iter().map(|alternative| alternative.name.as_str());
        self.check_names("alternatives", names, &nodes, problems);
        for (i, alternative) in alternatives.iter().enumerate() {
            if alternative.label.trim().is_empty() {
                let label = nodes.get(i).and_then(|item| item.get("label"));
                let place = label.map_or(&self.tree.place, |label| &label.place);
                let path = format!("alternatives.{}.label", alternative.name);
                problems.push(Problem::at_place(place, path, "the label is empty: seats would read nothing"));
            }
        }
        self.check_amount(problems);
    }

    fn check_amount(&self, problems: &mut Problems) {
        let written = &self.written;
        let alone = written.alternatives.len() == 1;
        for phase in written.agenda.iter().filter(|_| alone) {
            if phase.built_in_ask().is_some_and(|ask| ask.ranking.is_some()) {
                let path = format!("agenda.{}.ask.ranking", phase.name);
                problems.push(self.tree.problem(&path, "there is nothing to rank: the scenario has one alternative"));
            }
        }
        let Some(amount) = &written.amount else { return };
        if written.mechanism.is_some() {
            problems.push(self.tree.problem("amount", "the mechanism says which amounts may be named"));
        } else if !written.alternatives.iter().any(|alternative| alternative.takes_amount) {
            let problem = self.tree.problem("amount", "no alternative takes an amount");
            problems.push(problem.with_advice("write `takes_amount: true` at one, or leave this out"));
        }
        if amount.min >= amount.max {
            let message = format!("the least amount {} is not below the greatest {}", amount.min, amount.max);
            problems.push(self.tree.problem("amount.min", message));
        }
        if amount.unit.trim().is_empty() {
            problems.push(self.tree.problem("amount.unit", "the unit is empty: nobody would know what is counted"));
        }
    }

    /// Decodes a scenario without the shared sections; `None` if its structure is wrong. Numbers of phases that are expressions are
    /// computed from the defaults of parameters.
    pub fn from_tree(tree: Node, problems: &mut Problems) -> Option<Self> {
        let parameters = numbers::default_parameters(&tree);
        Self::with_parameters(tree, &parameters, problems)
    }

    /// The same with these values of parameters.
    pub fn with_parameters(
        source: Node,
        parameters: &IndexMap<String, Scalar>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let mut tree = source.clone();
        let before = problems.len();
        numbers::fill_numbers(&mut tree, parameters, problems);
        let are_numbers_sound = problems.len() == before;
        minds::fill_default_mind(&mut tree);
        let mut written: ScenarioConfig = problems.ok_or_report(decode_node(&tree))?;
        let (phases, blocks) = blocks::flatten_agenda(std::mem::take(&mut written.agenda));
        written.agenda = phases;
        let (broken_parameters, agenda) = (BTreeSet::new(), Soundness::Sound);
        let mut scenario = Self {
            tree,
            source,
            written,
            broken_parameters,
            blocks,
            variables: IndexMap::new(),
            agenda,
            items: ItemsGiven::default(),
            texts_of: None,
            texts: Texts::default(),
        };
        conditions::find_variables(&mut scenario);
        scenario.check_scenario(problems);
        if !are_numbers_sound {
            scenario.agenda = Soundness::Broken;
        }
        Some(scenario)
    }

    /// The values of the parameters, and the names of the invalid ones, which are reported and get the scenario's default.
    pub fn parameter_values(
        &self,
        written: &IndexMap<String, Scalar>,
        config: &Node,
        problems: &mut Problems,
    ) -> (IndexMap<String, Scalar>, BTreeSet<String>) {
        let mut values = IndexMap::new();
        let mut broken = self.broken_parameters.clone();
        for (name, value) in written {
            let path = format!("parameters.{name}");
            let Some(declared) = self.written.parameters.get(name) else {
                let known = self.written.parameters.keys().map(String::as_str);
                let message = "the scenario declares no such parameter";
                let problem = Problem::at_place(config.key_place_of(&path), &path, message);
                problems.push(problem.with_hint(suggest_word(name, known)));
                continue;
            };
            let refused = declared.refusal_reason(value).filter(|_| !self.broken_parameters.contains(name));
            if let Some(message) = refused {
                let node = config.find(&path);
                let found =
                    node.filter(|_| message.starts_with("expected ")).map(|node| hints::describe_value(&node.value));
                let message = found.map_or_else(|| message.clone(), |found| format!("{message}, found {found}"));
                let hint = node.and_then(|node| declared.suggest_value(node, &path));
                problems.push(config.problem(&path, message).with_hint(hint));
                broken.insert(name.clone());
            }
            let value = if broken.contains(name) { &declared.default } else { value };
            values.insert(name.clone(), value.clone());
        }
        (values, broken)
    }

    fn check_scenario(&mut self, problems: &mut Problems) {
        problems.ok_or_report_at(&self.tree, "scenario", check_word(&self.written.scenario));
        let mut names: Vec<&str> = Vec::new();
        let mut broken = BTreeSet::new();
        for (name, parameter) in &self.written.parameters {
            let path = format!("parameters.{name}");
            let before = problems.len();
            for message in parameter.mistakes(name) {
                problems.push(self.tree.problem(&path, message));
            }
            problems.note_key(&self.tree, "parameters", name, check_apart(name, &names));
            names.push(name);
            if problems.len() == before
                && let Some(message) = parameter.refusal_reason(&parameter.default)
            {
                problems.push(self.tree.problem(&format!("{path}.default"), message));
            }
            if problems.len() > before {
                broken.insert(name.clone());
            }
        }
        presets::check_presets(self, problems);
        self.check_alternatives(problems);
        self.check_languages(problems);
        let before = problems.len();
        self.check_agenda(problems);
        let is_sound = problems.len() == before;
        self.broken_parameters = broken;
        self.agenda = if is_sound { Soundness::Sound } else { Soundness::Broken };
        shared_facts::check_defaults(self, problems);
    }

    fn check_agenda(&self, problems: &mut Problems) {
        let (names, nodes): (Vec<&str>, Vec<&Node>) = self.agenda_names().into_iter().unzip();
        self.check_names("agenda", names.into_iter(), &nodes, problems);
        self.check_blocks(problems);
        if self.written.agenda.is_empty() {
            problems.push(self.tree.problem("agenda", "an agenda has at least one phase"));
        }
        for (i, phase) in self.written.agenda.iter().enumerate() {
            self.check_phase(i, phase, problems);
        }
        let mut columns: BTreeMap<String, &str> = BTreeMap::new();
        for (phase, field) in fields_of(&self.written.agenda) {
            let column = name_answer_column(&phase.name, &field.id);
            if self.written.agenda.iter().any(|other| other.name == field.id && other.ask.is_some()) {
                let message = format!("the field \"{}\" has the name of a phase that asks; rename one", field.id);
                problems.push(self.tree.problem(&format!("agenda.{}.ask", phase.name), message));
            }
            let is_twice = phase.fields().iter().filter(|other| other.id == field.id).count() > 1;
            // The name of a phase that is given twice is reported there.
            let is_of_other = |other: &str| other != phase.name;
            if !is_twice && columns.insert(column.clone(), &phase.name).is_some_and(is_of_other) {
                let message = format!("two fields of different phases would have the column {column}; rename one");
                problems.push(self.tree.problem(&format!("agenda.{}.ask", phase.name), message));
            }
        }
        votes::check_deciding(self, problems);
        conditions::check_expressions(self, problems);
        self.check_settlement(problems);
    }

    fn check_phase(&self, position: usize, phase: &PhaseConfig, problems: &mut Problems) {
        let path = format!("agenda.{}", phase.name);
        // Found by position, because two phases may have the same name.
        let nodes = self.phase_nodes();
        let item = nodes.get(position).copied().unwrap_or(&self.tree);
        let mut tell = |key: &str, message: &str| {
            let path = if key.is_empty() { path.clone() } else { format!("{path}.{key}") };
            problems.push(Problem::at_place(item.place_of(key), path, message));
        };
        if phase.name == OUTSIDE_PHASES || POLL_PHASES.contains(&phase.name.as_str()) {
            tell("", "this name is the engine's own");
        }
        let kinds = [
            phase.brief.is_some(),
            phase.ask.is_some(),
            phase.discussion.is_some(),
            phase.vote.is_some(),
            phase.compute.is_some(),
            phase.pay.is_some(),
            phase.assign.is_some(),
        ];
        if kinds.iter().filter(|given| **given).count() != 1 {
            tell(
                "",
                "a phase is exactly one of brief, ask, discussion, vote, assign, compute and pay, or a block with phases",
            );
        }
        if phase.compute.as_ref().is_some_and(IndexMap::is_empty) {
            tell("compute", "nothing is computed: write NAME: EXPRESSION, or seat.NAME: EXPRESSION");
        }
        for (name, assign) in phase.assign.iter().flatten() {
            check_assignment(name, assign, &mut tell);
        }
        if phase.assign.as_ref().is_some_and(IndexMap::is_empty) {
            tell("assign", "nothing is assigned: write NAME: { groups: { size: 4 }, by: lot }");
        }
        if phase.brief.as_ref().is_some_and(|brief| brief.text.is_some() == brief.template.is_some()) {
            tell("brief", "a brief is exactly one of text and template");
        }
        if let Some(ask) = phase.built_in_ask() {
            let asked =
                [ask.time.is_some(), ask.ranking.is_some(), ask.comprehension.is_some(), ask.application.is_some()];
            if asked.iter().filter(|given| **given).count() != 1 {
                tell(
                    "ask",
                    "an ask is a list of fields, or exactly one of form (with per), time, ranking, comprehension and application",
                );
            }
            if ask.time == Some(PollTime::EachRound) {
                tell("ask.time", "a phase polls before or after the talk, not in its rounds");
            }
        }
        let practises = |ask: &BuiltInAsk| ask.comprehension.is_some() || ask.application.is_some();
        let pays = phase.pays_decision() || phase.built_in_ask().is_some_and(practises);
        if pays && self.written.mechanism.is_none() {
            tell("", "this phase needs a mechanism, and the scenario has none");
        }
        if let Some(pay) = &phase.pay {
            let has_other = pay.seat.is_some() || pay.unit.is_some() || pay.rate.is_some() || pay.fee.is_some();
            match (pay.mechanism, has_other) {
                (Some(_), true) => tell("pay.mechanism", "the mechanism says what it pays: leave out the other keys"),
                (None, _) if pay.seat.is_none() => {
                    tell("pay", "write seat: EXPRESSION, or mechanism: income_principles")
                }
                _ => {}
            }
        }
        if let Some(vote) = &phase.vote {
            votes::check_vote(vote, phase, self, &mut tell);
        }
        let list = item.get("ask").unwrap_or(item);
        match &phase.ask {
            Some(AskConfig::Form(fields)) => forms::check_fields(fields, &format!("{path}.ask"), list, problems),
            Some(AskConfig::BuiltIn(BuiltInAsk { per, form: Some(fields), .. })) => {
                if per.is_none() {
                    tell("ask.per", "say about which seats the form is asked: write per: others");
                }
                forms::check_fields(fields, &format!("{path}.ask.form"), list.get("form").unwrap_or(list), problems);
            }
            _ => {}
        }
        let fields = phase.fields();
        forms::check_measures(fields, &self.written, (&format!("{path}.ask"), list), problems);
    }

    /// Checks that the settlement comes once, after all votes.
    fn check_settlement(&self, problems: &mut Problems) {
        let agenda = &self.written.agenda;
        let Some(first) = agenda.iter().position(|phase| phase.pays_decision()) else { return };
        if agenda[first].within.iter().any(|block| self.blocks[*block].times.is_some()) {
            let path = format!("agenda.{}", agenda[first].name);
            problems.push(self.tree.problem(&path, "the decision is paid once, and this phase is repeated"));
        }
        for phase in &agenda[first + 1..] {
            let path = format!("agenda.{}", phase.name);
            if phase.pays_decision() {
                problems.push(self.tree.problem(&path, "the decision is paid once"));
            }
            let is_late = phase.vote.as_ref().is_some_and(|vote| vote.binding != Some(false));
            if phase.discussion.is_some() || is_late {
                problems.push(self.tree.problem(&path, "a decision after it was paid"));
            }
        }
    }

    /// Checks names in a section; `nodes` are what they name, in the same order.
    fn check_names<'a>(
        &self,
        section: &str,
        names: impl Iterator<Item = &'a str>,
        nodes: &[&Node],
        problems: &mut Problems,
    ) {
        let mut seen: Vec<&str> = Vec::new();
        for (position, name) in names.enumerate() {
            let path = format!("{section}.{name}.name");
            let written = nodes.get(position).and_then(|item| item.get("name"));
            let place = written.map_or(&self.tree.place, |name| &name.place);
            let mut tell = |message: String| problems.push(Problem::at_place(place, &path, message));
            let check = if section == "alternatives" { check_alternative } else { check_name };
            if let Err(message) = check(name) {
                tell(message);
            }
            if seen.contains(&name) {
                tell(format!("the name \"{name}\" is given twice"));
            } else if let Err(message) = check_apart(name, &seen) {
                tell(message);
            }
            seen.push(name);
        }
    }
}

/// Reports what is wrong with an assignment by itself.
fn check_assignment(name: &str, written: &AssignConfig, tell: &mut dyn FnMut(&str, &str)) {
    match (&written.groups, &written.roles) {
        (Some(_), Some(_)) | (None, None) => {
            tell(&format!("assign.{name}"), "an assignment has exactly one of groups and roles");
        }
        (Some(groups), None) => {
            if [groups.size, groups.count, groups.joined].iter().flatten().count() != 1 {
                tell(&format!("assign.{name}.groups"), "groups have exactly one of size, count and joined");
            }
            if groups.joined.is_some() && (written.mix.is_some() || written.uneven) {
                let message = "groups that seats join are as large as they become: leave out mix and uneven";
                tell(&format!("assign.{name}"), message);
            }
            if groups.joined.is_some() && matches!(write_scalar(&written.by).trim(), "lot" | "rotation") {
                let message = "seats join groups by an expression that has the number of a group for each seat";
                tell(&format!("assign.{name}.by"), message);
            }
        }
        (None, Some(roles)) => {
            let is_rest = |seats: &Scalar| write_scalar(seats).trim() == "rest";
            for (role, _) in
                roles.iter().filter(|(_, seats)| !is_rest(seats) && read_count(seats).is_none_or(|count| count == 0))
            {
                tell(&format!("assign.{name}.roles.{role}"), "write the number of its seats, 1 or more, or rest");
            }
            if roles.values().filter(|seats| is_rest(seats)).count() > 1 {
                tell(&format!("assign.{name}.roles"), "the rest goes to one role");
            }
            if roles.is_empty() {
                tell(&format!("assign.{name}.roles"), "no role is assigned: write ROLE: NUMBER");
            }
            if written.uneven {
                tell(&format!("assign.{name}.uneven"), "only groups may be uneven");
            }
        }
    }
}
