//! Lists what an agenda tells seats beyond what they say and hear: values that texts print, texts and ballots that votes show, and values
//! that decide what takes place.
//!
//! The account is made from templates and expressions alone. It is cautious: it may list a value that a text prints in no session, but
//! not the other way round.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    BlockSpan, BoundEnd, Evidence, FormPlan, Formula, GroupRule, Phase, PhaseKind, Plan, Reach, SeatRule, SeatSet,
    Thing, VoteOver, VotePhase,
};
use crate::domain::{Holder, OpenBallots, spelled};
use crate::expression::{NameRead, Series, list_names};
use crate::prompt::{LiveText, PUBLIC};

/// Whose a value is that only the seat itself is told.
pub const ITSELF: &str = "the seat itself";

/// What a value comes from that may be the key of an item itself.
const KEY: &str = "what is right";

/// What one part of a phase or block tells.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PhaseDisclosure {
    /// The phase or block, as it is written.
    pub phase: String,
    /// The part of it.
    pub by: DisclosedBy,
    /// The field, of a question and its options or bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The seats that are told.
    pub to: String,
    /// The values.
    pub values: Vec<DisclosedValue>,
}

impl PhaseDisclosure {
    /// The phase or block with the part of it, in words; of the text of a brief the phase alone.
    pub fn describe_part(&self) -> String {
        let Self { phase, by, field, .. } = self;
        match (by, field) {
            (DisclosedBy::Text, _) => phase.clone(),
            (by, Some(field)) => format!("{phase} {} {field}", by.as_str()),
            (by, None) => format!("{phase} {}", by.as_str()),
        }
    }

    /// Who is told which values, in words.
    pub fn describe_values(&self) -> String {
        let values: Vec<String> = self.values.iter().map(DisclosedValue::describe).collect();
        format!("{}: {}", self.to, values.join("; "))
    }
}

/// The part of a phase or block that tells something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DisclosedBy {
    /// The text of a brief.
    Text,
    /// The words of a question.
    Question,
    /// The options of a question or vote, or the seats that it is about.
    Options,
    /// The bounds of a number.
    Bounds,
    /// Ballots that are not secret.
    Ballots,
    /// What each seat is paid.
    Pay,
    /// Where the group stands, as models of opinions hear it.
    Opinion,
    /// How seats are put into groups or roles.
    Assign,
    /// The condition without which it is left out.
    When,
    /// The condition at which it ends.
    Until,
    /// How often, and for which seats, it takes place.
    Repeat,
    /// Who takes part.
    Who,
    /// Who hears it.
    HeardBy,
}

spelled!(DisclosedBy);

impl DisclosedBy {
    /// Whether it tells a value only by what takes place.
    fn is_condition(self) -> bool {
        matches!(
            self,
            DisclosedBy::When | DisclosedBy::Until | DisclosedBy::Repeat | DisclosedBy::Who | DisclosedBy::HeardBy
        )
    }
}

/// A value that is told.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DisclosedValue {
    /// Its name, with the part of it.
    pub name: String,
    /// Whose it is; absent of a value of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The answers, texts and votes that it is computed from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub computed_from: Vec<String>,
    /// Why it may be told to seats that the author did not think of; absent if nothing suggests it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<String>,
}

impl DisclosedValue {
    /// The value with whose it is and what it is computed from, in words.
    pub fn describe(&self) -> String {
        let Self { name, of, computed_from, beyond } = self;
        let shown = match of.as_deref() {
            None => name.clone(),
            Some(ITSELF) => format!("its own {name}"),
            Some(of) => format!("{name} of {of}"),
        };
        let from = match computed_from.is_empty() {
            true => String::new(),
            false => format!(" (from {})", computed_from.join(", ")),
        };
        let beyond = beyond.as_ref().map_or(String::new(), |beyond| format!(" ({beyond}!)"));
        format!("{shown}{from}{beyond}")
    }
}

/// Whose value something reads.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Whose {
    /// The reader's own.
    Own,
    /// Those of the others that are there.
    Others,
    /// Those of all that are there.
    Group,
    /// Those of all seats.
    Everyone,
    /// Those of some of these, whom a text chooses by a condition.
    Chosen(Box<Whose>),
    /// Those of a role, or of the seats that a value names.
    Named(String),
    /// Those of some seats: where they come from is not traced.
    Some,
    /// Of the session.
    Session,
    /// Of a group.
    OfGroup,
}

/// Whom the names `seat` and `me` mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Perspective {
    /// The reader.
    Reader,
    /// `me` is the reader, and `seat` each seat that may be selected.
    Candidates,
}

/// A value as something reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DisclosedRead {
    /// The value that phases set: a field, a variable, a name of texts, a role or a vote.
    value: String,
    /// What is written for it, with the part that is read.
    name: String,
    whose: Whose,
    /// Whether each seat gave it itself, so that its own is no news to it.
    is_own_word: bool,
}

impl DisclosedRead {
    /// A value of the session, by what is written for it.
    fn of_session(value: &str, name: String) -> Self {
        Self { value: value.to_owned(), name, whose: Whose::Session, is_own_word: false }
    }
}

impl Plan {
    /// What the agenda tells seats beyond what they say and hear, in the order of the agenda.
    pub fn list_disclosures(&self) -> Vec<PhaseDisclosure> {
        let mut account = Account {
            plan: self,
            reach: self.find_reach(),
            found: Vec::new(),
            grounds: BTreeMap::new(),
            key_holders: self.list_key_holders(),
        };
        let mut open: Vec<usize> = Vec::new();
        for (place, phase) in self.agenda.iter().enumerate().filter(|(_, phase)| phase.is_first_pass()) {
            let is_held = |block: &BlockSpan| account.reach.may_open[block.start..block.end].contains(&true);
            let begun = phase.within.iter().filter(|block| !open.contains(block)).map(|block| &self.blocks[*block]);
            for block in begun.filter(|block| is_held(block)).collect::<Vec<_>>() {
                account.add_block(place, block);
            }
            open.clone_from(&phase.within);
            let mut places = self.sources.places_of(phase.name.written()).iter();
            if places.any(|place| account.reach.may_open[*place]) {
                account.add_phase(place, phase);
            }
        }
        account.found
    }

    /// The parts of questions that show a seat the key of an item before it answers, with the name of the value.
    pub fn find_told_keys(&self) -> Vec<(PhaseDisclosure, String)> {
        if self.list_key_holders().is_empty() {
            return Vec::new();
        }
        let of_question = |part: &PhaseDisclosure| {
            matches!(part.by, DisclosedBy::Question | DisclosedBy::Options | DisclosedBy::Bounds)
        };
        let told = self.list_disclosures().into_iter().filter(of_question).filter_map(|part| {
            let is_key = |value: &&DisclosedValue| value.computed_from.iter().any(|from| from == KEY);
            let name = part.values.iter().find(is_key)?.name.clone();
            Some((part, name))
        });
        told.collect()
    }
}

struct Account<'p> {
    plan: &'p Plan,
    reach: Reach,
    found: Vec<PhaseDisclosure>,
    /// What each variable is computed from.
    grounds: BTreeMap<String, BTreeSet<String>>,
    /// The variables that may hold the key of an item.
    key_holders: Vec<&'p str>,
}

impl Account<'_> {
    fn add_block(&mut self, place: usize, block: &BlockSpan) {
        let name = block.name.clone();
        let at = |by| (place, name.as_str(), by, None);
        if let Some(when) = &block.when {
            self.add_formula(at(DisclosedBy::When), &when.formula);
        }
        if let Some(until) = &block.until {
            self.add_formula(at(DisclosedBy::Until), &until.formula);
        }
        if let Some(who) = &block.who {
            self.add_set(at(DisclosedBy::Who), who);
        }
        let pass = self.plan.agenda[place].passes.iter().find(|pass| pass.block == block.name);
        match pass.and_then(|pass| pass.thing.as_ref()) {
            Some(Thing::Times { times, .. }) => self.add_formula(at(DisclosedBy::Repeat), times),
            Some(Thing::Seat { seats, .. }) => self.add_set(at(DisclosedBy::Repeat), seats),
            _ => {}
        }
    }

    fn add_phase(&mut self, place: usize, phase: &Phase) {
        let name = phase.name.written();
        let at = |by| (place, name, by, None);
        // Nobody notices that something is computed.
        let is_noticed = !matches!(phase.kind, PhaseKind::Compute(_));
        if let Some(when) = phase.when.as_ref().filter(|_| is_noticed) {
            self.add_formula(at(DisclosedBy::When), &when.formula);
        }
        if let Some(who) = phase.who.as_ref().filter(|_| is_noticed) {
            self.add_set(at(DisclosedBy::Who), who);
        }
        if let Some(heard_by) = &phase.heard_by {
            self.add_set(at(DisclosedBy::HeardBy), heard_by);
        }
        match &phase.kind {
            PhaseKind::Brief { opinion, .. } => {
                let texts = self.list_texts(place);
                let reads = texts.iter().flat_map(|(_, text)| self.resolve_text(place, text)).collect();
                self.add(at(DisclosedBy::Text), reads);
                if let Some(opinion) = opinion {
                    self.add_formula(at(DisclosedBy::Opinion), opinion);
                }
            }
            PhaseKind::Form(form) => self.add_form(place, name, form),
            PhaseKind::Vote(vote) => self.add_vote(place, name, vote),
            PhaseKind::Discussion(talk) => {
                if let Some(until) = &talk.until {
                    self.add_formula(at(DisclosedBy::Until), &until.formula);
                }
            }
            PhaseKind::Pay(pay) => {
                let grounds = pay.list_formulas().flat_map(|formula| self.find_grounds(place, formula));
                let computed_from: Vec<String> = grounds.collect::<BTreeSet<String>>().into_iter().collect();
                if !computed_from.is_empty() {
                    let of = Some(ITSELF.to_owned());
                    let value = DisclosedValue { name: "payoff".to_owned(), of, computed_from, beyond: None };
                    self.push(at(DisclosedBy::Pay), vec![value]);
                }
            }
            PhaseKind::Assign(rules) => {
                for formula in rules.iter().flat_map(GroupRule::list_formulas) {
                    let reads = self.resolve_all(place, &list_names(&formula.expression), Perspective::Candidates);
                    self.add(at(DisclosedBy::Assign), reads);
                }
            }
            PhaseKind::Ask { .. }
            | PhaseKind::Ranking
            | PhaseKind::Comprehension(_)
            | PhaseKind::Applications
            | PhaseKind::Settle
            | PhaseKind::Compute(_) => {}
        }
    }

    fn add_form(&mut self, place: usize, name: &str, form: &FormPlan) {
        let field = |position: usize| form.asked.form.fields.get(position).map(|field| field.id.as_str());
        if let Some(per) = &form.per {
            self.add_set((place, name, DisclosedBy::Options, None), per);
        }
        for (position, text) in self.list_texts(place) {
            let reads = self.resolve_text(place, &text);
            self.add((place, name, DisclosedBy::Question, field(position)), reads);
        }
        for options in &form.options {
            self.add_set((place, name, DisclosedBy::Options, field(options.field)), &options.seats);
        }
        for end in [BoundEnd::Min, BoundEnd::Max] {
            for bound in form.bounds.iter().filter(|bound| bound.end == end) {
                self.add_formula((place, name, DisclosedBy::Bounds, field(bound.field)), &bound.formula);
            }
        }
    }

    fn add_vote(&mut self, place: usize, name: &str, vote: &VotePhase) {
        match &vote.over {
            VoteOver::Seats(set) => self.add_set((place, name, DisclosedBy::Options, None), set),
            over => {
                let pool = over.texts().and_then(|pool| self.plan.sources.name_of_texts(pool));
                let read = pool.map(|pool| DisclosedRead::of_session(pool, format!("{pool}.text")));
                let won = match over {
                    VoteOver::Winners(won) => Some((&won.vote, won.part.attribute())),
                    _ => None,
                };
                let won = won.map(|(vote, part)| DisclosedRead::of_session(vote, format!("{vote}.{part}")));
                self.add((place, name, DisclosedBy::Options, None), read.into_iter().chain(won).collect());
            }
        }
        let is_heard = match vote.open {
            OpenBallots::Never => false,
            OpenBallots::Announced => vote.is_announced,
            OpenBallots::InTurn => true,
        };
        if is_heard {
            let of = self.describe_whose(place, &Whose::Group);
            let value = DisclosedValue { name: "ballot".to_owned(), of, computed_from: Vec::new(), beyond: None };
            let heard_by = self.plan.agenda[place].heard_by.as_ref().map(|set| set.text.clone());
            let to = heard_by.unwrap_or_else(|| self.describe_group(place, "every seat"));
            self.found.push(PhaseDisclosure {
                phase: name.to_owned(),
                by: DisclosedBy::Ballots,
                field: None,
                to,
                values: vec![value],
            });
        }
    }

    /// The texts of a phase that print values, in all languages, with the positions of their fields.
    fn list_texts(&self, place: usize) -> Vec<(usize, LiveText)> {
        let plans = std::iter::once(self.plan).chain(self.plan.translations.iter().map(|plan| &**plan));
        let texts = plans.filter_map(|plan| plan.agenda.get(place)).flat_map(|phase| match &phase.kind {
            PhaseKind::Brief { live: Some(live), .. } => vec![(0, LiveText::clone(live))],
            PhaseKind::Form(form) => form.live.clone(),
            _ => Vec::new(),
        });
        texts.collect()
    }

    fn add_formula(&mut self, at: PartOfPhase<'_>, formula: &Formula) {
        let reads = self.resolve_all(at.0, &list_names(&formula.expression), Perspective::Reader);
        self.add(at, reads);
    }

    fn add_set(&mut self, at: PartOfPhase<'_>, set: &SeatSet) {
        let Some(formula) = set.formula() else { return };
        let reads = self.resolve_all(at.0, &list_names(&formula.expression), Perspective::Candidates);
        self.add(at, reads);
    }

    /// Adds what a part of a phase tells of these reads.
    fn add(&mut self, at: PartOfPhase<'_>, reads: Vec<DisclosedRead>) {
        let (place, _, by, _) = at;
        let is_part_of = |one: &DisclosedRead, other: &DisclosedRead| {
            one.whose == other.whose && other.name.strip_prefix(&one.name).is_some_and(|rest| rest.starts_with('.'))
        };
        let mut values: Vec<DisclosedValue> = Vec::new();
        for read in &reads {
            let is_known =
                read.whose == Whose::Own && read.is_own_word || by.is_condition() && self.is_heard_by_all(read);
            if is_known || reads.iter().any(|other| is_part_of(read, other)) {
                continue;
            }
            let grounds = self.grounds_of_value(&read.value);
            let name = read.name.strip_prefix("ballot in ").unwrap_or(&read.name);
            let root = name.split('.').next().unwrap_or_default();
            let value = DisclosedValue {
                name: read.name.clone(),
                of: self.describe_whose(place, &read.whose),
                computed_from: grounds.into_iter().filter(|ground| *ground != root).collect(),
                beyond: self.find_beyond(place, read),
            };
            if !values.contains(&value) {
                values.push(value);
            }
        }
        self.push(at, values);
    }

    fn push(&mut self, (place, phase, by, field): PartOfPhase<'_>, values: Vec<DisclosedValue>) {
        if values.is_empty() {
            return;
        }
        let field = field.map(str::to_owned);
        let is_same = |known: &&mut PhaseDisclosure| known.phase == phase && known.by == by && known.field == field;
        match self.found.iter_mut().find(is_same) {
            Some(known) => {
                let new: Vec<DisclosedValue> =
                    values.into_iter().filter(|value| !known.values.contains(value)).collect();
                known.values.extend(new);
            }
            None => {
                let to = self.describe_readers(place);
                self.found.push(PhaseDisclosure { phase: phase.to_owned(), by, field, to, values });
            }
        }
    }
}

/// A part of a phase: its place, the name of the phase or block, what tells something, and the field.
type PartOfPhase<'a> = (usize, &'a str, DisclosedBy, Option<&'a str>);

/// What reads stand for.
impl Account<'_> {
    fn resolve_all(&self, place: usize, reads: &[NameRead], perspective: Perspective) -> Vec<DisclosedRead> {
        reads.iter().flat_map(|read| self.resolve_read(place, read, perspective)).collect()
    }

    /// The values of the session that a text reads.
    fn resolve_text(&self, place: usize, text: &LiveText) -> Vec<DisclosedRead> {
        let chosen = text.list_chosen_reads();
        let resolve = |read: &NameRead| {
            let mut values = self.resolve_read(place, read, Perspective::Reader);
            for value in values.iter_mut().filter(|_| chosen.contains(read)) {
                if matches!(value.whose, Whose::Others | Whose::Group | Whose::Everyone) {
                    value.whose = Whose::Chosen(Box::new(value.whose.clone()));
                }
            }
            values
        };
        text.list_reads().iter().flat_map(resolve).collect()
    }

    /// The values of the session that a name with its attributes reads.
    fn resolve_read(&self, place: usize, read: &NameRead, perspective: Perspective) -> Vec<DisclosedRead> {
        let attributes: Vec<&str> = read.attributes.iter().map(String::as_str).collect();
        let Some(root) = read.name.as_deref() else { return self.follow_seat(&Whose::Some, &attributes) };
        let of_candidates = if perspective == Perspective::Candidates { Whose::Everyone } else { Whose::Own };
        if let Some(series) = read.series {
            let whose = if series == Series::Received { Whose::Others } else { of_candidates };
            return self.follow_seat(&whose, &[root]);
        }
        match root {
            "parameters" | "pass" | "phase" | "round" | "wave" | "nobody" => return Vec::new(),
            "seat" => return self.follow_seat(&of_candidates, &attributes),
            "me" => return self.follow_seat(&Whose::Own, &attributes),
            "others" | "target" => return self.follow_seat(&Whose::Others, &attributes),
            "everyone" | "seats" => return self.follow_seat(&Whose::Everyone, &attributes),
            // A seat knows in which group it is.
            "group" if attributes == ["number"] => return Vec::new(),
            "group" => return self.follow_group(&attributes),
            _ => {}
        }
        let plan = self.plan;
        if root == "truth" && self.evidence().is_some_and(|evidence| evidence.truth.is_some()) {
            return vec![DisclosedRead::of_session(root, root.to_owned())];
        }
        let path = |name: &str| std::iter::once(name).chain(attributes.iter().copied()).collect::<Vec<_>>().join(".");
        if plan.roles.iter().any(|role| role.name == root) {
            return self.follow_seat(&Whose::Named(root.to_owned()), &attributes);
        }
        let is_of_session = |variable: usize| plan.variables[variable].of == Holder::Session;
        if plan.sources.find_role(root).is_some() || plan.sources.find_variable(root).is_some_and(is_of_session) {
            let named = self.follow_seat(&Whose::Named(root.to_owned()), &attributes);
            return std::iter::once(DisclosedRead::of_session(root, root.to_owned())).chain(named).collect();
        }
        if plan.sources.find_texts(root).is_some() {
            return vec![DisclosedRead::of_session(root, path(root))];
        }
        let thing = plan.agenda[place].passes.iter().rev().filter_map(|pass| pass.thing.as_ref());
        match thing.into_iter().find(|thing| thing.name() == root) {
            Some(Thing::Text { pool, .. }) => {
                let pool = plan.sources.name_of_texts(*pool).unwrap_or(root);
                return vec![DisclosedRead::of_session(pool, path(pool))];
            }
            Some(Thing::Seat { .. }) => return self.follow_seat(&Whose::Named(root.to_owned()), &attributes),
            Some(Thing::Word { .. } | Thing::Item { .. } | Thing::Times { .. }) => return Vec::new(),
            None => {}
        }
        let is_vote = |place: &usize| plan.agenda[*place].kind.holds_votes();
        if plan.sources.places_of(root).first().is_some_and(is_vote) {
            let named =
                self.follow_seat(&Whose::Named(format!("{root}.winner")), attributes.get(1..).unwrap_or_default());
            let is_text = attributes.iter().any(|part| matches!(*part, "text" | "label" | "author"));
            let value = self.pool_of_vote(root).filter(|_| is_text).unwrap_or(root);
            return std::iter::once(DisclosedRead::of_session(value, path(root))).chain(named).collect();
        }
        Vec::new()
    }

    fn follow_group(&self, attributes: &[&str]) -> Vec<DisclosedRead> {
        let plan = self.plan;
        let variable = attributes.first().and_then(|name| plan.sources.find_variable(name));
        match (variable.filter(|own| plan.variables[*own].of == Holder::Group), attributes.first()) {
            (Some(_), Some(name)) => {
                vec![DisclosedRead { whose: Whose::OfGroup, ..DisclosedRead::of_session(name, (*name).to_owned()) }]
            }
            _ => self.follow_seat(&Whose::Group, attributes),
        }
    }

    fn evidence(&self) -> Option<&Evidence> {
        self.plan.evidence.as_deref()
    }

    /// The values of seats that attributes stand for, one after the other: those of another seat follow a value that is a seat.
    fn follow_seat(&self, whose: &Whose, attributes: &[&str]) -> Vec<DisclosedRead> {
        let sources = &self.plan.sources;
        let mut found = Vec::new();
        let mut whose = whose.clone();
        for name in attributes {
            if PUBLIC.contains(name) {
                break;
            }
            let is_variable = sources.find_variable(name).is_some();
            if !is_variable && sources.is_form(name) {
                continue;
            }
            let holds_votes = |place: &usize| self.plan.agenda[*place].kind.holds_votes();
            let is_vote = !is_variable && sources.places_of(name).first().is_some_and(holds_votes);
            let is_field = sources.phase_of_field(name).is_some() || sources.phase_about(name).is_some();
            let is_role = sources.roles_of(name).next().is_some();
            let is_signal = *name == "signal" && self.evidence().is_some_and(|evidence| evidence.signals.is_some());
            if !(is_variable || is_vote || is_field || is_role || is_signal) {
                continue;
            }
            let shown = if is_vote { format!("ballot in {name}") } else { (*name).to_owned() };
            let is_own_word = !is_variable && (is_vote || is_field);
            let value = (*name).to_owned();
            found.push(DisclosedRead { value, name: shown, whose: whose.clone(), is_own_word });
            whose = Whose::Named((*name).to_owned());
        }
        found
    }

    /// The name of the texts that a vote is over.
    fn pool_of_vote(&self, vote: &str) -> Option<&str> {
        let place = *self.plan.sources.places_of(vote).first()?;
        self.plan.sources.name_of_texts(self.plan.agenda[place].kind.as_vote()?.over.texts()?)
    }

    /// The answers, texts, roles and votes that a value is computed from; of one that is not computed, itself.
    fn grounds_of_value(&mut self, name: &str) -> BTreeSet<String> {
        let Some(variable) = self.plan.sources.find_variable(name) else { return BTreeSet::from([name.to_owned()]) };
        if let Some(known) = self.grounds.get(name) {
            return known.clone();
        }
        // A value that is computed from itself adds nothing.
        self.grounds.insert(name.to_owned(), BTreeSet::new());
        let mut grounds = BTreeSet::new();
        let plan = self.plan;
        for (place, phase) in plan.agenda.iter().enumerate().filter(|(_, phase)| phase.is_first_pass()) {
            let own = phase.kind.assignments().iter().filter(|own| own.variable == variable);
            let mut formulas: Vec<&Formula> = own.map(|own| &own.formula).collect();
            if !formulas.is_empty() {
                // A reader also learns whether it was computed, which no other disclosure lists.
                formulas.extend(phase.when.iter().map(|when| &when.formula));
                formulas.extend(phase.who.iter().filter_map(SeatSet::formula));
            }
            for formula in formulas {
                grounds.extend(self.find_grounds(place, formula));
            }
        }
        if self.key_holders.contains(&name) {
            grounds.insert(KEY.to_owned());
        }
        self.grounds.insert(name.to_owned(), grounds.clone());
        grounds
    }

    fn find_grounds(&mut self, place: usize, formula: &Formula) -> BTreeSet<String> {
        let reads = self.resolve_all(place, &list_names(&formula.expression), Perspective::Reader);
        reads.into_iter().flat_map(|read| self.grounds_of_value(&read.value)).collect()
    }
}

/// Who is told, and what is worth a mark.
impl Account<'_> {
    /// Whether everybody hears a result when it is announced, so that a condition on it tells nothing new.
    fn is_heard_by_all(&self, read: &DisclosedRead) -> bool {
        let Some(place) = self.plan.sources.places_of(&read.value).first() else { return false };
        let phase = &self.plan.agenda[*place];
        let is_announced = match &phase.kind {
            PhaseKind::Vote(vote) => vote.is_announced,
            kind => kind.holds_votes(),
        };
        is_announced && read.whose == Whose::Session && phase.heard_by.is_none() && phase.group.is_none()
    }

    fn describe_readers(&self, place: usize) -> String {
        let blocks = self.plan.agenda[place].within.iter().filter_map(|block| self.plan.blocks[*block].who.as_ref());
        let sets: Vec<String> =
            blocks.map(|set| set.text.clone()).chain(self.plan.describe_participants(place)).collect();
        let readers = if sets.is_empty() { "every seat".to_owned() } else { sets.join(" and ") };
        self.describe_group(place, &readers)
    }

    /// Seats of the group of a place, in words.
    fn describe_group(&self, place: usize, seats: &str) -> String {
        match &self.plan.agenda[place].group {
            Some(group) => format!("{seats} of a {}", group.assignment),
            None => seats.to_owned(),
        }
    }

    fn describe_whose(&self, place: usize, whose: &Whose) -> Option<String> {
        let group = self.plan.agenda[place].group.as_ref().map(|group| group.assignment.as_str());
        Some(match (whose, group) {
            (Whose::Session, _) => return None,
            (Whose::Own, _) => ITSELF.to_owned(),
            (Whose::Group, Some(group)) => format!("each seat of its {group}"),
            (Whose::Others, Some(group)) => format!("each other seat of its {group}"),
            (Whose::Others, None) => "every other seat".to_owned(),
            (Whose::Group, None) | (Whose::Everyone, _) => "every seat".to_owned(),
            (Whose::OfGroup, Some(group)) => format!("its {group}"),
            (Whose::OfGroup, None) => "each group".to_owned(),
            (Whose::Chosen(all), _) => {
                format!("{} that the text chooses", self.describe_whose(place, all).unwrap_or_default())
            }
            (Whose::Named(name), _) => name.clone(),
            (Whose::Some, _) => "some seats".to_owned(),
        })
    }

    /// The places at which a value is set, or the vote is held; those in the first group and outside groups.
    fn list_sources(&self, value: &str) -> Vec<usize> {
        let sources = &self.plan.sources;
        let keeps =
            |phase: &Phase| phase.kind.as_form().is_some_and(|form| form.kept.iter().any(|kept| kept.name == value));
        let places: Vec<usize> =
            match (sources.find_variable(value), sources.phase_of_field(value).or(sources.phase_about(value))) {
                (Some(variable), _) => sources.places_computing(variable).to_vec(),
                _ if sources.find_texts(value).is_some() => {
                    (0..self.plan.agenda.len()).filter(|place| keeps(&self.plan.agenda[*place])).collect()
                }
                (None, Some(phase)) => sources.places_of(phase).to_vec(),
                (None, None) => sources.places_of(value).to_vec(),
            };
        places.into_iter().filter(|place| self.plan.agenda[*place].is_in_first_group()).collect()
    }

    /// Why a value may go further than the author meant: it is from another group, or fewer seats heard it.
    fn find_beyond(&self, place: usize, read: &DisclosedRead) -> Option<String> {
        if read.whose == Whose::Own {
            return None;
        }
        let sources = self.list_sources(&read.value);
        let heard = sources.iter().filter_map(|source| Some((*source, self.plan.agenda[*source].heard_by.as_ref()?)));
        let is_wider = |(source, hearers): &(usize, &SeatSet)| {
            !self.are_among(place, hearers) && !self.is_heard_in_groups(place, *source, hearers)
        };
        if let Some((_, hearers)) = heard.into_iter().find(is_wider) {
            return Some(format!("only {} heard it", hearers.text));
        }
        let written = self.plan.agenda[place].name.written();
        let readers = self.plan.sources.places_of(written).iter();
        let mut readers = readers.filter(|reader| self.plan.agenda[**reader].is_in_first_group());
        readers
            .any(|reader| self.is_of_other_group(*reader, (&read.value, &sources)))
            .then(|| "of other groups too".to_owned())
    }

    /// Whether all readers at a place are surely among these hearers.
    fn are_among(&self, place: usize, hearers: &SeatSet) -> bool {
        let is_same = |set: &SeatSet| set.text == hearers.text;
        let readers: Vec<&SeatSet> = self.plan.who(place).collect();
        let is_held = |seat: usize| match &hearers.rule {
            SeatRule::Named(named) => named.iter().any(|own| own.index() == seat),
            SeatRule::Where { .. } => false,
        };
        let seats = 0..self.plan.seats.len();
        let mut may_read = seats.filter(|seat| self.plan.may_take_part(place, &self.plan.seats[*seat].name));
        readers.into_iter().any(is_same) || may_read.all(is_held)
    }

    /// Whether a group heard what was said at a source, and those who read it are in groups of that assignment. Whether their group is another
    /// one is looked at apart.
    fn is_heard_in_groups(&self, reader: usize, source: usize, hearers: &SeatSet) -> bool {
        let group_at = |place: usize| self.plan.agenda[place].group.as_ref().map(|group| group.assignment.as_str());
        hearers.text.trim() == "group" && group_at(source).is_some() && group_at(source) == group_at(reader)
    }

    /// Whether a reader in the first group, or outside groups, may read a value that was set in another group than its own.
    fn is_of_other_group(&self, reader: usize, (value, sources): (&str, &[usize])) -> bool {
        let agenda = &self.plan.agenda;
        let own = agenda[reader].group.as_ref().map(|group| group.assignment.as_str());
        // A computed value is kept until it is set again, and an answer is read in the pass that asked for it.
        let is_kept = self.plan.sources.find_variable(value).is_some() || self.plan.sources.find_texts(value).is_some();
        let is_of_pass = |source: usize| {
            let shared = agenda[source].passes.iter().zip(&agenda[reader].passes);
            shared.take_while(|(one, other)| one.block == other.block).all(|(one, other)| one.number == other.number)
        };
        let is_read =
            |source: &&usize| **source < reader && self.reach.may_open[**source] && (is_kept || is_of_pass(**source));
        let Some(source) = sources.iter().rev().find(is_read) else { return false };
        let set_in = agenda[*source].group.as_ref().map(|group| group.assignment.as_str());
        let assigns =
            |place: usize| self.reach.may_open[place] && own.is_some_and(|own| agenda[place].kind.assigns(own));
        match set_in {
            None => false,
            Some(_) if own != set_in => true,
            Some(_) => (*source..reader).any(assigns),
        }
    }
}
