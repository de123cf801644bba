//! The expressions of an agenda: conditions, computed values and payoffs, with their mistakes.

use std::collections::BTreeSet;

use crate::config::lower::chosen_seats::{WrittenOver, names_seats, read_over};
use crate::config::lower::each::{WrittenThings, read_things};
use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::lower::grouping::find_groups;
use crate::config::lower::scope::{
    About, Drawing, ExpressionScope, OF_SEATS, PassKnown, RESERVED, holds_votes, is_value_name, write_node,
};
use crate::config::lower::{grouping, hearing, roles, starts, texts, things};
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::{Scenario, ScenarioVariable};
use crate::config::tree::{Node, Value};
use crate::config::written::scenario::{FieldConfig, PhaseConfig, is_answer};
use crate::domain::Holder;
use crate::expression::{Function, KEYWORDS, NameRead, Series, Type, list_names, list_needed_names, parse_expression};
use crate::plan::{Assignment, Condition, PayRule, Scalar, Variable, VariableKind};

/// Reports what is wrong with the expressions of an agenda.
pub fn check_expressions(scenario: &Scenario, problems: &mut Problems) {
    check_variables(scenario, problems);
    starts::check_starts(scenario, problems);
    things::check_texts(scenario, problems);
    things::check_things(scenario, problems);
    roles::check_roles(scenario, problems);
    hearing::check_hearers(scenario, problems);
    grouping::check_groups(scenario, problems);
    let list = scenario.tree.items_at("agenda");
    let mut checker = ConditionChecker { scenario, problems, place: 0, blocks: 0, block: None, in_groups: false };
    let told = checker.problems.len();
    checker.check_items(list, PassKnown::Nowhere);
    if problems.len() == told {
        check_beginnings(scenario, problems);
    }
}

/// Reports values that are missing in every pass, because each is computed from itself or from others like it.
fn check_beginnings(scenario: &Scenario, problems: &mut Problems) {
    let computes = |phase: &PhaseConfig| {
        let one = |(key, value): (&String, &Scalar)| {
            let expression = parse_expression(&write_scalar(value)).ok()?;
            Some((format!("agenda.{}.compute.{key}", phase.name), split_name(key).1.to_owned(), expression))
        };
        phase.compute.iter().flatten().filter_map(one).collect::<Vec<_>>()
    };
    let computed: Vec<_> = scenario.written.agenda.iter().flat_map(computes).collect();
    let mut begun: BTreeSet<&str> = BTreeSet::new();
    let is_started = |name: &str| scenario.variables.get(name).is_some_and(|variable| variable.start.is_some());
    loop {
        let before = begun.len();
        for (_, name, expression) in &computed {
            let is_begun = |needed: &str| begun.contains(needed) || computed.iter().all(|(_, name, _)| name != needed);
            if is_started(name) || list_needed_names(expression).into_iter().all(is_begun) {
                begun.insert(name);
            }
        }
        if begun.len() == before {
            break;
        }
    }
    for (path, name, _) in computed.iter().filter(|(_, name, _)| !begun.contains(name.as_str())) {
        let message =
            format!("`{name}` would always be missing, because it is computed from a value that nothing sets before");
        let hint = match path.rsplit_once(".compute.").map(|(_, key)| split_name(key).0) {
            Some(Holder::Seat) => format!("write its first value: variables: {{ {name}: {{ of: seat, start: 0 }} }}"),
            Some(Holder::Group) => "write what takes its place at first, such as default(…, 0)".to_owned(),
            _ => format!("write its first value: variables: {{ {name}: {{ start: 0 }} }}"),
        };
        problems.push(scenario.tree.problem(path, message).with_advice(hint));
    }
}

struct ConditionChecker<'a> {
    scenario: &'a Scenario,
    problems: &'a mut Problems,
    /// How many phases were checked.
    place: usize,
    /// How many blocks were begun.
    blocks: usize,
    /// The innermost block around what is checked.
    block: Option<usize>,
    /// Whether what is checked takes place in groups.
    in_groups: bool,
}

/// What an expression must be.
struct Wanted {
    /// What it is part of, which draws nothing.
    as_part_of: &'static str,
    kind: Type,
    /// What it is for.
    is: &'static str,
}

const BOUND: Wanted = Wanted { as_part_of: "a question", kind: Type::Number, is: "a bound" };
const COORDINATE: Wanted =
    Wanted { as_part_of: "an assignment", kind: Type::Number, is: "what seats are put together by" };
const CONDITION: Wanted = Wanted { as_part_of: "a condition", kind: Type::YesNo, is: "a condition" };
const OPINION: Wanted = Wanted { as_part_of: "what a brief says", kind: Type::Number, is: "where the group stands" };
const PASSES: Wanted = Wanted { as_part_of: "a number of passes", kind: Type::Number, is: "a number of passes" };
const PAYMENT: Wanted = Wanted { as_part_of: "a payment", kind: Type::Number, is: "a payment" };

/// Where an expression stands: its node, its dotted path, and the phases before it.
struct Written<'n> {
    node: &'n Node,
    path: String,
    place: usize,
}

impl<'a> ConditionChecker<'a> {
    fn check_items(&mut self, items: &[Node], pass: PassKnown) {
        for (position, item) in items.iter().enumerate() {
            let path = format!("agenda.{}", item.segment(position));
            let repeat = item.get("repeat");
            let inside = match repeat {
                None if item.get("for").is_some() => PassKnown::Whole,
                None => pass,
                Some(repeat) if repeat.get("until").is_some() => PassKnown::UntilEnd,
                Some(_) => PassKnown::Whole,
            };
            let begun = self.place;
            let around = self.in_groups;
            self.in_groups |= item.get("groups").is_some();
            self.check_expression((item, &path, "when"), (pass, About::Session), begun, CONDITION);
            let block_around = self.block;
            if item.get("phases").is_some() {
                self.block = Some(self.blocks);
                self.blocks += 1;
            }
            self.check_seats((item, &path, "who"), (inside, About::Candidate, "`who`"), begun);
            self.check_things(item, &path, pass, begun);
            if item.text_at("heard_by") != Some("nobody") {
                self.check_seats((item, &path, "heard_by"), (inside, About::Candidate, "`heard_by`"), begun);
            }
            match item.get("phases").map(Node::items) {
                Some(inner) => self.check_items(inner, inside),
                None => {
                    let (session, place) = ((pass, About::Session), self.place);
                    self.check_expression((item, &path, "brief.opinion"), session, place, OPINION);
                    self.check_compute(item, &path, pass);
                    self.check_expression((item, &path, "pay.seat"), (pass, About::Seat), place, PAYMENT);
                    self.check_expression((item, &path, "pay.rate"), session, place, PAYMENT);
                    self.check_expression((item, &path, "pay.fee"), session, place, PAYMENT);
                    // The end of a discussion reads its own votes, too.
                    let talk = (item, path.as_str(), "discussion.until");
                    self.check_expression(talk, (pass, About::Round), place + 1, CONDITION);
                    self.check_form(item, &path, pass);
                    self.check_vote(item, &path, pass);
                    self.check_assign(item, &path, pass);
                    self.place += 1;
                }
            }
            if item.text_at("repeat.times").is_some() {
                self.check_expression((item, &path, "repeat.times"), (pass, About::Session), begun, PASSES);
            }
            self.check_expression((item, &path, "repeat.until"), (inside, About::Session), self.place, CONDITION);
            (self.in_groups, self.block) = (around, block_around);
        }
    }

    /// Checks the expression under a dotted key of an item, if it is written: what it reads, and its type.
    fn check_expression(
        &mut self,
        (item, path, key): (&Node, &str, &str),
        (pass, about): (PassKnown, About),
        place: usize,
        wanted: Wanted,
    ) {
        let Some(node) = item.find(key) else { return };
        let scope = self.scope(pass, about, Drawing::Refused(wanted.as_part_of));
        let written = Written { node, path: format!("{path}.{key}"), place };
        self.tell_all(&written, scope.find_mistakes(&write_node(node), (&wanted.kind, wanted.is)), None);
        self.check_order(&written);
    }

    /// Checks which seats a dotted key of an item selects, if it is written, as far as that is clear without a config.
    fn check_seats(
        &mut self,
        (item, path, key): (&Node, &str, &str),
        (pass, about, what): (PassKnown, About, &'static str),
        place: usize,
    ) {
        let Some(node) = item.find(key) else { return };
        let written = &Written { node, path: format!("{path}.{key}"), place };
        if matches!(&node.value, Value::List(names) if names.is_empty()) || node.as_text() == Some("nobody") {
            let message = "nobody would take part: name seats, or leave the phase out by `when`";
            return self.tell(written, message.to_owned());
        }
        if matches!(node.value, Value::List(_)) {
            return;
        }
        let scope = self.scope(pass, about, Drawing::Refused(what));
        match scope.type_of(&write_node(node)) {
            Err(mistakes) => {
                let text = write_node(node);
                let is_name = !text.contains(|c: char| !c.is_alphanumeric() && !" _-'".contains(c))
                    && !RESERVED.contains(&text.trim());
                self.tell_all(written, mistakes, is_name.then(|| format!("seats are named in a list: write [{text}]")));
            }
            Ok(Type::YesNo | Type::Seat | Type::Unknown) => {}
            Ok(Type::List(element)) if matches!(*element, Type::Seat | Type::Unknown) => {}
            Ok(other) => {
                let message = match what {
                    "`options`" => format!(
                        "`options` are words in a list, as in [A, B], or seats by an expression, and this is {other}; for other words for other seats, write a phase with `who` for each list"
                    ),
                    _ => format!(
                        "{what} is a condition about a seat, as in seat.index <= 3, or a list of names, and this is {other}"
                    ),
                };
                self.tell(written, message);
            }
        }
        self.check_order(written);
    }

    fn scope(&self, pass: PassKnown, about: About, drawing: Drawing) -> ExpressionScope<'a> {
        let Self { scenario, in_groups, block, .. } = *self;
        ExpressionScope { scenario, pass, about, drawing, in_groups, block, ruled: None }
    }

    fn tell(&mut self, written: &Written<'_>, message: String) {
        self.tell_all(written, vec![message], None);
    }

    fn tell_all(&mut self, written: &Written<'_>, messages: Vec<String>, hint: Option<String>) {
        for message in messages {
            let problem = Problem::at_place(&written.node.place, written.path.clone(), message);
            self.problems.push(problem.with_hint(hint.clone()));
        }
    }

    fn check_compute(&mut self, item: &Node, path: &str, pass: PassKnown) {
        for entry in item.entries_at("compute") {
            let (holder, name) = split_name(&entry.key);
            let about = if holder == Holder::Seat { About::Seat } else { About::Session };
            let scope = self.scope(pass, about, Drawing::Allowed);
            let written =
                Written { node: &entry.node, path: format!("{path}.compute.{}", entry.key), place: self.place };
            let known = self.scenario.variables.get(name);
            if let Some(known) = known.filter(|known| known.of != holder) {
                let (whose, meant) = match known.of {
                    Holder::Session => ("the session", format!("{name} alone")),
                    Holder::Seat => ("each seat", format!("seat.{name}")),
                    Holder::Group => ("each group", format!("group.{name}")),
                };
                let first = self.find_first_setter(name);
                let what = format!("a value of {whose} in {first}: rename one of the two, or write {meant}");
                self.tell(&written, format!("a name has one meaning, and `{name}` is {what}"));
            }
            match scope.type_of(&write_node(&entry.node)) {
                Err(mistakes) => {
                    self.tell_all(&written, mistakes, scope.suggest_quotes(&write_node(&entry.node)));
                }
                Ok(found) => {
                    let kind = known.map_or(&Type::Unknown, |known| &known.kind);
                    if found != Type::Unknown && VariableKind::of_type(&found).is_none() {
                        self.tell(&written, format!("a variable holds one value, texts or seats, and this is {found}"));
                    } else if found == Type::Unknown && *kind == Type::Unknown {
                        let message = "it is not clear what kind of value this is: declare a start in `variables`";
                        self.tell(&written, message.to_owned());
                    } else if found != Type::Unknown && *kind != Type::Unknown && found != *kind {
                        self.tell(&written, format!("`{name}` is {kind} elsewhere, and this is {found}"));
                    }
                }
            }
            self.check_order(&written);
        }
    }

    /// The path at which a variable is declared or first computed.
    fn find_first_setter(&self, name: &str) -> String {
        if self.scenario.written.variables.contains_key(name) {
            return format!("variables.{name}");
        }
        let computes = |phase: &PhaseConfig| {
            let mut keys = phase.compute.iter().flat_map(|compute| compute.keys());
            keys.find(|key| split_name(key).1 == name).map(|key| format!("agenda.{}.compute.{key}", phase.name))
        };
        self.scenario.written.agenda.iter().find_map(computes).unwrap_or_default()
    }

    fn check_assign(&mut self, item: &Node, path: &str, pass: PassKnown) {
        for entry in item.entries_at("assign") {
            let path = format!("{path}.assign.{}", entry.key);
            self.check_mix(&entry.node, &path, pass);
            let Some(node) = entry.node.get("by") else { continue };
            if matches!(node.as_text(), Some("lot" | "rotation")) {
                continue;
            }
            let scope = self.scope(pass, About::Seat, Drawing::Refused(COORDINATE.as_part_of));
            if let Some(word) = node.as_text().filter(|text| scope.is_unknown_word(text)) {
                let message = "groups and roles are made by `lot`, by `rotation`, or by an expression that has a number for each seat";
                let problem = Problem::at_place(&node.place, format!("{path}.by"), message);
                self.problems.push(problem.with_hint(suggest_word(word, ["lot", "rotation"])));
                continue;
            }
            self.check_expression((&entry.node, &path, "by"), (pass, About::Seat), self.place, COORDINATE);
        }
    }

    /// Checks what groups mix.
    fn check_mix(&mut self, assign: &Node, path: &str, pass: PassKnown) {
        let Some(node) = assign.get("mix") else { return };
        let written = Written { node, path: format!("{path}.mix"), place: self.place };
        if assign.get("groups").is_none() {
            self.tell(&written, "only groups mix values: roles are filled in the order of `by`".to_owned());
        }
        if !matches!(assign.text_at("by").map(str::trim), Some("lot" | "rotation")) {
            self.tell(
                &written,
                "with mix, write by: lot, or by: rotation: the order of seats with equal values".to_owned(),
            );
        }
        let scope = self.scope(pass, About::Seat, Drawing::Refused("an assignment"));
        match scope.type_of(&write_node(node)) {
            Err(mistakes) => self.tell_all(&written, mistakes, None),
            Ok(Type::Number | Type::YesNo | Type::Text | Type::Unknown) => {}
            Ok(other) => {
                self.tell(&written, format!("what groups mix is a number, yes or no, or a text, and this is {other}"))
            }
        }
        self.check_order(&written);
    }

    /// Checks for which seats a block takes place, if it does for seats.
    fn check_things(&mut self, item: &Node, path: &str, pass: PassKnown, place: usize) {
        let name = item.text_at("name");
        let block = self.scenario.blocks.iter().find(|block| Some(block.name.as_str()) == name);
        let each = block.and_then(|block| block.each.as_ref());
        // Groups hold no such block, which is reported.
        let Some(each) = each.filter(|_| !self.in_groups) else { return };
        if let WrittenThings::Seats(text) = read_things(each, self.scenario)
            && names_seats(text, self.scenario)
        {
            self.check_seats((item, path, "for.each"), (pass, About::Candidate, "`each`"), place);
        }
    }

    /// Checks which seats a vote is over, if it is over seats.
    fn check_vote(&mut self, item: &Node, path: &str, pass: PassKnown) {
        let vote = self.scenario.written.agenda.get(self.place).and_then(|phase| phase.vote.as_ref());
        if vote.is_some_and(|vote| matches!(read_over(vote, self.scenario), WrittenOver::Seats(_))) {
            self.check_seats((item, path, "vote.over"), (pass, About::Target, "`over`"), self.place);
        }
    }

    fn check_form(&mut self, item: &Node, path: &str, pass: PassKnown) {
        let Some(ask) = item.get("ask") else { return };
        self.check_seats((ask, &format!("{path}.ask"), "per"), (pass, About::Target, "`per`"), self.place);
        let (list, form) = ask.get("form").map_or((ask, ""), |form| (form, "form."));
        for (position, field) in list.items().iter().enumerate() {
            let path = format!("{path}.ask.{form}{position}");
            self.check_field_options(field, &path, (pass, position));
            for key in FieldConfig::BOUNDS {
                let Some(node) = field.find(key).filter(|node| node.as_text().is_some()) else { continue };
                self.check_expression((field, &path, key), (pass, About::Question), self.place, BOUND);
                // Answers of a form that its own questions read, but for those of earlier passes.
                for name in list_own_answers(self.scenario, self.place, &write_node(node)) {
                    let written = Written { node, path: format!("{path}.{key}"), place: self.place };
                    self.tell(&written, missing_own_answer(&name));
                }
            }
        }
    }

    /// Checks which seats are the options of a field, if they are seats.
    fn check_field_options(&mut self, field: &Node, path: &str, (pass, position): (PassKnown, usize)) {
        let ask = self.scenario.written.agenda.get(self.place).and_then(|phase| phase.ask.as_ref());
        let Some(written) = ask.and_then(|ask| ask.fields().get(position)) else { return };
        let Some(key) = written.options_key().filter(|_| written.seat_options().is_some()) else { return };
        self.check_seats((field, path, &key), (pass, About::Target, "`options`"), self.place);
    }

    /// Reports values that are only set later: a read of them would be missing in every session.
    fn check_order(&mut self, written: &Written<'_>) {
        let Ok(expression) = parse_expression(&write_node(written.node)) else { return };
        let mut told = Vec::new();
        for read in list_names(&expression).into_iter().filter(is_session_value) {
            for name in read.name.into_iter().chain(read.attributes) {
                let is_later =
                    is_set_only_later(self.scenario, written.place, &name) && !self.is_set_above(&name, written);
                if is_later && !told.contains(&name) {
                    self.tell(written, format!("`{name}` is set only later, so it would always be missing here"));
                    told.push(name);
                }
            }
        }
    }

    /// Whether a value of the same phase is written above.
    fn is_set_above(&self, name: &str, written: &Written<'_>) -> bool {
        let Some(phase) = self.scenario.written.agenda.get(written.place) else { return false };
        let own = phase.compute.iter().flatten().map(|(key, _)| key.as_str());
        let mut above = own.take_while(|key| !written.path.ends_with(&format!(".compute.{key}")));
        above.any(|key| split_name(key).1 == name)
    }
}

/// Whether a name is that of an answer that the phase at a place asks for, so that its own questions cannot read it.
pub fn is_own_answer(scenario: &Scenario, place: usize, name: &str) -> bool {
    let Some(phase) = scenario.written.agenda.get(place) else { return false };
    let asks = |field: &str| phase.fields().iter().any(|own| own.id == field);
    !scenario.variables.contains_key(name) && (asks(name) || phase.ask.is_some() && phase.name == name)
}

/// Whether what is read is set in the session.
fn is_session_value(read: &NameRead) -> bool {
    !read.name.as_deref().is_some_and(|name| ["parameters", "item", "pass"].contains(&name))
}

/// The answers to the phase at a place that an expression reads, but for those of earlier passes.
pub fn list_own_answers(scenario: &Scenario, place: usize, text: &str) -> Vec<String> {
    let Ok(expression) = parse_expression(text) else { return Vec::new() };
    let is_earlier = |read: &NameRead| matches!(read.series, Some(Series::Past | Series::AllPasses));
    let reads = list_names(&expression).into_iter().filter(|read| is_session_value(read) && !is_earlier(read));
    // Behind a seat stands the field, or the phase that asks it.
    let names = reads.filter_map(|read| match read.series {
        Some(_) => read.name,
        None => read.attributes.into_iter().next(),
    });
    names.filter(|name| is_own_answer(scenario, place, name)).collect()
}

/// What is wrong with a question that reads its own answer.
pub fn missing_own_answer(name: &str) -> String {
    format!(
        "`{name}` is answered only here, so it would always be missing; for the answer of the pass before, write a phase with compute: {{ seat.last: previous({name}) }} above, and read seat.last"
    )
}

/// Whether a value has no start and phases set it, but none before the phase at a place, and none in a repeated block around both.
pub fn is_set_only_later(scenario: &Scenario, place: usize, name: &str) -> bool {
    let agenda = &scenario.written.agenda;
    let is_started = scenario.variables.get(name).is_some_and(|variable| variable.start.is_some());
    let sets = |phase: &PhaseConfig| {
        let computes = phase.compute.iter().flatten().any(|(key, _)| split_name(key).1 == name);
        let asks = phase.fields().iter().any(|field| field.id == name);
        let votes = phase.name == name && holds_votes(phase);
        computes || asks || votes || texts::keeps_texts(phase, name)
    };
    let is_repeated = |block: &usize| scenario.blocks[*block].times.is_some();
    let here = agenda.get(place).map(|phase| phase.within.as_slice()).unwrap_or_default();
    let shares_loop =
        |other: usize| agenda[other].within.iter().any(|block| is_repeated(block) && here.contains(block));
    let mut setters = (0..agenda.len()).filter(|place| sets(&agenda[*place])).peekable();
    !is_started && setters.peek().is_some() && setters.all(|setter| setter >= place && !shares_loop(setter))
}

/// What has a value, and the name of the value, as `seat.NAME`, `group.NAME` or `NAME`.
fn split_name(key: &str) -> (Holder, &str) {
    match key.split_once('.') {
        Some(("seat", name)) => (Holder::Seat, name),
        Some(("group", name)) => (Holder::Group, name),
        _ => (Holder::Session, key),
    }
}

fn check_variables(scenario: &Scenario, problems: &mut Problems) {
    let mut told = BTreeSet::new();
    let declared = scenario.written.variables.keys().map(|name| (format!("variables.{name}"), name.as_str()));
    let computed = scenario.written.agenda.iter().flat_map(|phase| {
        let keys = phase.compute.iter().flat_map(|compute| compute.keys());
        keys.map(|key| (format!("agenda.{}.compute.{key}", phase.name), split_name(key).1))
    });
    for (path, name) in declared.chain(computed) {
        let message = if !is_value_name(name) {
            format!("\"{name}\" is no name of a value: small letters, digits and `_`, a letter first")
        } else if RESERVED.contains(&name) || OF_SEATS.contains(&name) || KEYWORDS.contains(&name) {
            format!("\"{name}\" means something else in expressions; choose another name")
        } else if Function::find_by_name(name).is_some() {
            format!("\"{name}\" is a function; choose another name")
        } else if is_answer(&scenario.written.agenda, name) {
            format!("a field or phase is called \"{name}\", too; rename one")
        } else {
            continue;
        };
        if told.insert(name) {
            problems.push(Problem::at_place(scenario.tree.key_place_of(&path), &path, message));
        }
    }
}

/// The variables of a scenario with their types, as far as these are clear: those that are declared, then those that are computed, in
/// the order in which they are written.
pub fn find_variables(scenario: &mut Scenario) {
    for (name, declared) in &scenario.written.variables {
        let start = declared.start.as_ref().map(write_scalar);
        let found = start.and_then(|start| starts::scope_of_start(scenario, declared.of).type_of(&start).ok());
        let kind = found.unwrap_or(Type::Unknown);
        let variable = ScenarioVariable { of: declared.of, kind, start: declared.start.clone() };
        scenario.variables.insert(name.clone(), variable);
    }
    let agenda = scenario.written.agenda.iter().enumerate();
    let computed: Vec<(usize, String, Scalar)> = agenda
        .flat_map(|(position, phase)| {
            let own = phase.compute.iter().flatten();
            own.map(move |(key, written)| (position, key.clone(), written.clone()))
        })
        .collect();
    for (_, key, _) in &computed {
        let (of, name) = split_name(key);
        let unknown = || ScenarioVariable { of, kind: Type::Unknown, start: None };
        scenario.variables.entry(name.to_owned()).or_insert_with(unknown);
    }
    // A type may follow from a type that follows only later.
    loop {
        let mut is_changed = false;
        for (position, key, written) in &computed {
            let (of, name) = split_name(key);
            if scenario.variables[name].kind != Type::Unknown {
                continue;
            }
            let about = if of == Holder::Seat { About::Seat } else { About::Session };
            let scope = scope_in_phase(scenario, &scenario.written.agenda[*position], about, Drawing::Allowed);
            if let Ok(found) = scope.type_of(&write_scalar(written))
                && found != Type::Unknown
            {
                scenario.variables[name].kind = found;
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// What an expression in a phase may read.
pub fn scope_in_phase<'a>(
    scenario: &'a Scenario,
    phase: &PhaseConfig,
    about: About,
    drawing: Drawing,
) -> ExpressionScope<'a> {
    let pass = match scenario.blocks_around(phase).rev().find(|block| block.times.is_some()) {
        None => PassKnown::Nowhere,
        Some(block) if block.until.is_some() => PassKnown::UntilEnd,
        Some(_) => PassKnown::Whole,
    };
    let (in_groups, block) = (find_groups(scenario, phase).is_some(), phase.within.last().copied());
    ExpressionScope { scenario, pass, about, drawing, in_groups, block, ruled: None }
}

/// A condition without mistakes.
pub fn lower_condition(written: &Scalar) -> Condition {
    Condition { formula: lower_formula(written), assumed: None, set_at: None }
}

/// The variables of a valid scenario, without starts.
pub fn lower_variables(scenario: &Scenario) -> Vec<Variable> {
    let lower = |(name, variable): (&String, &ScenarioVariable)| Variable {
        name: name.clone(),
        of: variable.of,
        kind: VariableKind::of_type(&variable.kind).unwrap_or(VariableKind::Number),
        start: Vec::new(),
    };
    scenario.variables.iter().map(lower).collect()
}

/// What a phase computes.
pub fn lower_compute(scenario: &Scenario, phase: &PhaseConfig) -> Vec<Assignment> {
    let lower = |(key, written): (&String, &Scalar)| Assignment {
        variable: scenario
            .variables
            .get_index_of(split_name(key).1)
            .expect("invariant: what is computed is a variable"),
        written: key.clone(),
        formula: lower_formula(written),
    };
    phase.compute.iter().flatten().map(lower).collect()
}

/// What a phase pays by an expression; `None` if it has none.
pub fn lower_pay_rule(phase: &PhaseConfig) -> Option<PayRule> {
    let pay = phase.pay.as_ref()?;
    Some(PayRule {
        payoff: lower_formula(pay.seat.as_ref()?),
        unit: pay.unit.clone(),
        rate: pay.rate.as_ref().map(lower_formula),
        fee: pay.fee.as_ref().map(lower_formula),
    })
}
