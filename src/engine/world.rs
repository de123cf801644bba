//! What expressions read of a session: parameters, passes, seats with their answers, and variables.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::ballot_box::HeldVote;
use super::deliberation::Deliberation;
use super::stored_values::{read_truth, read_value};
use super::variables::VariableState;
use crate::chance::DrawPurpose;
use crate::domain::{
    AlternativeId, AlternativeName, BallotForm, FieldValue, Holder, Moment, NamedChoice, PhaseName, QuestionId, SeatId,
    SeatName, Step, TextId,
};
use crate::expression::{DrawPlace, Fraction, RecordId, Series, Value, World, evaluate, show_expression};
use crate::plan::Holders;
use crate::plan::{Formula, GroupPlace, Pass, Phase, PhaseKind, Thing, VariableKind, VoteOver, WinnersPart, id_about};

/// The records that expressions read: the parameters, the pass, the item of the pass, and from [`FORMS`] on the form of a phase as one seat answered it.
const PARAMETERS: RecordId = RecordId(0);
const PASS: RecordId = RecordId(1);
pub(super) const ITEM: RecordId = RecordId(2);
const FORMS: u64 = 3;
/// From here on a vote, by the place of its phase's first pass.
const VOTES: u64 = 1 << 60;
/// From here on an option of a vote: the place at which the vote was held, and the position of the option.
const OPTIONS: u64 = 1 << 61;
/// From here on a text: the position of the name under which it is kept, and its code.
const TEXTS: u64 = 1 << 62;
/// The letters of one name.
const LETTERS_OF_NAME: u64 = 1 << 32;
/// The positions of options at one place.
const OPTIONS_OF_PLACE: u64 = 1 << 20;
/// What a seat's signal says is right.
const SIGNAL: &str = "signal";
/// What a vote has.
const OF_VOTES: [&str; 4] = ["decided", "winner", "winners", "options"];
/// What an option of a vote has.
const OF_OPTIONS: [&str; 10] =
    ["name", "label", "amount", "count", "score", "letter", "text", "author", "seat", "voters"];
/// What seats may read of an item.
const OF_ITEMS: [&str; 2] = ["id", "text"];
/// What a text has.
const OF_TEXTS: [&str; 6] = ["letter", "name", "text", LINES, "author", "version"];
/// A text of a seat as it was written, in several lines.
pub(super) const LINES: &str = "lines";

/// The record of an option of the vote at a place.
fn option_record(place: usize, position: usize) -> Value {
    Value::Record(RecordId(OPTIONS + place as u64 * OPTIONS_OF_PLACE + position as u64))
}

/// The place and the position of an option, by its number among the records of options.
fn locate_option(option: u64) -> (usize, usize) {
    ((option / OPTIONS_OF_PLACE) as usize, (option % OPTIONS_OF_PLACE) as usize)
}

/// The record of a text, by the position of the name under which it is kept and its code.
fn text_record(pool: usize, code: u32) -> Value {
    Value::Record(RecordId(TEXTS + pool as u64 * LETTERS_OF_NAME + u64::from(code)))
}

/// The moment of a session in which an expression is read.
#[derive(Clone, Copy)]
pub(super) struct SessionWorld<'w, 'p> {
    pub session: &'w Deliberation<'p>,
    /// The passes of the phase or block that reads it.
    pub passes: &'w [Pass],
    /// The group in which it is read; `None` outside groups.
    pub group: Option<&'w GroupPlace>,
    /// The seat that it is about; `None` of the session.
    pub seat: Option<SeatId>,
    /// The seat that is asked about it, where that is another.
    pub me: Option<SeatId>,
    /// The seat that it is asked about; `None` where it is asked about nobody.
    pub target: Option<SeatId>,
    /// The round of a discussion that is over; `None` outside rounds.
    pub round: Option<u32>,
    /// The phase that draws, and for which variable; `None` if nothing may be drawn.
    pub drawing: Option<(&'w Phase, &'w str)>,
}

impl Deliberation<'_> {
    /// The values of variables before anything was computed.
    pub(super) fn first_values(&self) -> Vec<VariableState> {
        let first = |variable: &crate::plan::Variable| {
            let count = match variable.of {
                Holder::Session => 1,
                Holder::Seat => self.plan.seats.len(),
                Holder::Group => self.regions.iter().map(|region| region.groups.len()).max().unwrap_or(0),
            };
            let start = |position| self.read_stored(variable.start_at(position), variable.kind);
            VariableState { now: (0..count).map(start).collect(), computed: BTreeMap::new() }
        };
        self.plan.variables.iter().map(first).collect()
    }

    /// A stored value of a variable as expressions read it.
    pub(super) fn read_stored(&self, stored: Option<&FieldValue>, kind: VariableKind) -> Value {
        let seat = |name: &str| Value::Seat(self.seat_id(&SeatName::new(name)).0);
        match (stored, kind) {
            (None, _) => Value::Missing,
            (Some(FieldValue::Words(name)), VariableKind::Seat) => seat(name),
            (Some(FieldValue::Options(names)), VariableKind::Seats) => {
                Value::List(names.iter().map(|name| seat(name)).collect())
            }
            (Some(stored), _) => read_value(stored),
        }
    }

    /// The place of a phase that these passes read: this pass's, and in a block that is over the last pass's; `None` if that pass
    /// left it out, or it has not come yet. Of a phase in groups it is the one of the reader's group at the time.
    pub(super) fn find_visited(&self, written: &str, passes: &[Pass], reader: Option<SeatId>) -> Option<usize> {
        self.find_visited_among(&self.places_for(self.plan.sources.places_of(written), reader), passes)
    }

    /// The same of these places of a phase.
    fn find_visited_among(&self, places: &[usize], passes: &[Pass]) -> Option<usize> {
        let place = *self.places_in(places, self.reach_passes(places, passes)?).first()?;
        self.visited.binary_search(&place).is_ok().then_some(place)
    }

    /// The passes of these places of a block that a reader in these passes means: its own, and of a block that is over the last one;
    /// `None` if the block has not begun.
    fn reach_passes<'s>(&'s self, places: &[usize], passes: &'s [Pass]) -> Option<&'s [Pass]> {
        let agenda = &self.plan.agenda;
        let named = &agenda[*places.first()?].passes;
        let mut reached = shared_passes(named, passes);
        while reached.len() < named.len() {
            let depth = reached.len();
            let inside = &agenda[*self.places_in(places, reached).first()?];
            let spans = inside.within.iter().map(|block| &self.plan.blocks[*block]);
            let block = &inside.passes[depth].block;
            let span = spans.filter(|span| span.around == depth).find(|span| span.name == *block)?;
            let before_end = self.visited.partition_point(|place| *place < span.end);
            let last = *self.visited[..before_end].last().filter(|place| **place >= span.start)?;
            reached = &agenda[last].passes[..=depth];
        }
        Some(reached)
    }

    /// The last of these places of a phase that took place.
    fn find_last_visited(&self, places: &[usize]) -> Option<usize> {
        let begun = places.partition_point(|place| self.visited.last().is_some_and(|last| place <= last));
        places[..begun].iter().copied().rfind(|place| self.visited.binary_search(place).is_ok())
    }

    /// Those of a phase's places in which a seat was a member of the group, or that are outside groups.
    fn places_for<'a>(&self, places: &'a [usize], seat: Option<SeatId>) -> Cow<'a, [usize]> {
        match places.first() {
            Some(first) if self.plan.agenda[*first].group.is_some() => {
                let is_own = |place: &&usize| seat.is_some_and(|seat| self.is_gathered_at(**place, seat));
                places.iter().filter(is_own).copied().collect()
            }
            _ => Cow::Borrowed(places),
        }
    }

    /// Those of a phase's places that are in these passes.
    fn places_in<'a>(&self, places: &'a [usize], passes: &[Pass]) -> &'a [usize] {
        let compare = |place: usize| {
            let own = self.plan.agenda[place].passes.iter().map(|pass| pass.number);
            own.take(passes.len()).cmp(passes.iter().map(|pass| pass.number))
        };
        let start = places.partition_point(|place| compare(*place).is_lt());
        let length = places[start..].partition_point(|place| compare(*place).is_eq());
        &places[start..start + length]
    }
}

impl<'w, 'p> SessionWorld<'w, 'p> {
    /// The value of an expression.
    ///
    /// # Errors
    /// A message, if it has none.
    pub fn evaluate(&self, formula: &Formula) -> Result<Value, String> {
        match evaluate(&formula.expression, &mut self.clone()) {
            Ok(value) => Ok(value),
            Err(_) if self.session.supposed.is_some() => Ok(Value::Missing),
            Err(failure) => {
                let part = formula.text.get(failure.span.start..failure.span.end).unwrap_or(&formula.text);
                let (part, whole) = (show_expression(part), formula.shown());
                let within = if part == whole { String::new() } else { format!(" of `{whole}`") };
                let about = self.seat.map_or(String::new(), |seat| format!(", for {}", self.session.seat_name(seat)));
                Err(format!("{failure} in `{part}`{within}{about}"))
            }
        }
    }

    fn seats(&self, seats: impl Iterator<Item = SeatId>) -> Value {
        Value::List(seats.map(|seat| Value::Seat(seat.0)).collect())
    }

    fn pass(&self, attribute: &str) -> Option<Value> {
        let pass = self.passes.last()?;
        let (number, of) = (&pass.number, self.session.count_passes(pass));
        match attribute {
            "number" => Some(Value::Number(Fraction::from(*number))),
            "first" => Some(Value::YesNo(*number == 1)),
            "last" => Some(Value::YesNo(*number == of)),
            _ => None,
        }
    }

    /// What a seat answered to a field of the phase with this name; missing if it did not.
    fn answer(&self, seat: u32, phase: &str, field: &str) -> Option<Value> {
        let position = self.session.plan.sources.field_position(phase, field)?;
        let Some(place) = self.session.find_visited(phase, self.passes, Some(SeatId(seat))) else {
            return Some(Value::Missing);
        };
        Some(self.answer_at(seat, place, position))
    }

    fn answer_at(&self, seat: u32, place: usize, position: usize) -> Value {
        let answers = self.session.standing[seat as usize].answers.get(&place);
        answers
            .and_then(|answers| answers[position].as_ref())
            .map_or(Value::Missing, |answer| self.read_answer(answer, place, position))
    }

    /// An answer to the field of a position, with the seats that it names as seats.
    fn read_answer(&self, answer: &FieldValue, place: usize, position: usize) -> Value {
        let read = read_value(answer);
        let form = self.session.phase(place).kind.as_form();
        if form.is_some_and(|form| form.names_seats(position)) { self.find_named_seats(read) } else { read }
    }

    /// The seats that go by these names; missing of another name.
    fn find_named_seats(&self, names: Value) -> Value {
        match names {
            Value::Text(name) => {
                let seats = self.session.plan.seat_ids();
                let mut named = seats.filter(|seat| self.session.public_name(*seat) == &*name);
                named.next().map_or(Value::Missing, |seat| Value::Seat(seat.0))
            }
            Value::List(names) => Value::List(names.iter().map(|name| self.find_named_seats(name.clone())).collect()),
            Value::Points(points) => {
                let named = points.iter().map(|(name, points)| (self.find_named_seats(name.clone()), *points));
                Value::Points(named.collect())
            }
            other => other,
        }
    }

    fn seat_attribute(&self, seat: u32, attribute: &str) -> Option<Value> {
        let Deliberation { plan, standing, variables, .. } = self.session;
        match attribute {
            "role" => return Some(plan.seats[seat as usize].role_value()),
            "name" => return Some(Value::Text(self.session.public_name(SeatId(seat)).into())),
            "index" => return Some(Value::Number(Fraction::from(seat + 1))),
            "present" => return Some(Value::YesNo(!standing[seat as usize].is_excluded)),
            _ => {}
        }
        let mut roles = plan.sources.roles_of(attribute).peekable();
        if roles.peek().is_some() {
            let own = roles.find(|(_, role)| self.session.has_role(role, SeatId(seat)));
            return Some(own.map_or(Value::Missing, |(name, _)| Value::Text(name.into())));
        }
        if let Some(variable) = plan.sources.find_variable(attribute) {
            return variables[variable].now.get(seat as usize).cloned();
        }
        if let Some(phase) = plan.sources.phase_of_field(attribute) {
            return self.answer(seat, phase, attribute);
        }
        if attribute == SIGNAL && plan.evidence.as_ref().is_some_and(|evidence| evidence.signals.is_some()) {
            let signal = self.session.signal_of(SeatId(seat));
            return Some(signal.map_or(Value::Missing, |name| Value::Text(name.as_str().into())));
        }
        let first = plan.sources.places_of(attribute).first();
        if first.is_some_and(|place| matches!(plan.agenda[*place].kind, PhaseKind::Vote(_))) {
            return Some(self.ballot(SeatId(seat), attribute));
        }
        if !plan.sources.is_form(attribute) {
            // This arm leaves the phase out.
            return Some(Value::Missing);
        }
        let place = plan.sources.places_of(attribute)[0] as u64;
        Some(Value::Record(RecordId(FORMS + place * plan.seats.len() as u64 + u64::from(seat))))
    }

    /// What a vote has that was held in these passes; missing if it was not held. Of a vote in groups it is the one of the group, or
    /// outside groups what it has in each group, in their order.
    pub(super) fn vote_attribute(&self, first: usize, attribute: &str) -> Option<Value> {
        let phase = self.session.plan.agenda.get(first)?;
        let places = self.session.plan.sources.places_of(phase.name.written());
        let in_group = |number: u32| {
            let is_its = |place: &&usize| {
                self.session.plan.agenda[**place].group.as_ref().is_some_and(|group| group.number == number)
            };
            let places: Vec<usize> = places.iter().filter(is_its).copied().collect();
            self.held_vote_attribute(&places, attribute)
        };
        match (&phase.group, self.group) {
            (None, _) => self.held_vote_attribute(places, attribute),
            (Some(_), Some(group)) => in_group(group.number),
            (Some(region), None) => {
                let groups = self.session.regions.get(region.region)?.groups.len() as u32;
                Some(Value::List((1..=groups).map(in_group).collect::<Option<_>>()?))
            }
        }
    }

    /// What the vote has that was held at one of these places in these passes; missing if none was.
    fn held_vote_attribute(&self, places: &[usize], attribute: &str) -> Option<Value> {
        let held = self.session.find_visited_among(places, self.passes);
        let held = held.and_then(|place| Some((place, &self.session.held_votes.get(&place)?.report)));
        let Some((place, report)) = held else { return Some(Value::Missing) };
        let motion = self.session.vote_terms(place).motion;
        let option = |position: usize| option_record(place, position);
        let is_over_seats = self.is_over_seats(place);
        let named = |choice: &NamedChoice| {
            let id = motion.find(choice.alternative.as_str())?;
            Some(if is_over_seats { self.read_seat(&choice.alternative) } else { option(id.index()) })
        };
        Some(match (attribute, &report.decided, report.winners.as_slice()) {
            ("decided", decided, _) => Value::YesNo(decided.is_some()),
            ("winner", Some(decided), winners) => named(decided).or_else(|| winners.first().and_then(named))?,
            ("winner", None, [only]) => named(only)?,
            ("winner", None, _) => Value::Missing,
            ("winners", _, winners) => Value::List(winners.iter().filter_map(named).collect()),
            ("options", ..) => Value::List((0..motion.alternatives.len()).map(option).collect()),
            _ => return None,
        })
    }

    /// The options that have won a vote, by their names, in every group of it that is read here. With `part` all that might have.
    pub(super) fn list_winners(&self, vote: &str, part: WinnersPart) -> Vec<AlternativeName> {
        fn gather(value: Value, records: &mut Vec<u64>) {
            match value {
                Value::Record(RecordId(option @ OPTIONS..)) => records.push(option - OPTIONS),
                Value::List(values) => values.iter().for_each(|value| gather(value.clone(), records)),
                _ => {}
            }
        }
        let Some(first) = self.session.plan.sources.places_of(vote).first() else { return Vec::new() };
        let mut records = Vec::new();
        gather(self.vote_attribute(*first, part.attribute()).unwrap_or(Value::Missing), &mut records);
        let name = |option: u64| {
            let (place, position) = locate_option(option);
            Some(self.session.vote_terms(place).motion.alternatives.get(position)?.name.clone())
        };
        records.into_iter().filter_map(name).collect()
    }

    /// A seat's own ballot in a vote: the option that it chose, or those that it approved or ranked; missing if it cast none that is valid.
    fn ballot(&self, seat: SeatId, vote: &str) -> Value {
        let cast = || {
            let place = self.session.find_visited(vote, self.passes, Some(seat))?;
            let held = self.session.held_votes.get(&place)?;
            Some((place, held.voters.iter().find(|voter| voter.seat == seat)?))
        };
        let Some((place, voter)) = cast() else { return Value::Missing };
        let terms = self.session.vote_terms(place);
        let option = |id: &AlternativeId| match self.is_over_seats(place) {
            true => self.read_seat(terms.motion.name(*id)),
            false => option_record(place, id.index()),
        };
        match (terms.voting.form, voter.named.as_slice()) {
            (BallotForm::Choice | BallotForm::Amount, [only]) => option(only),
            (BallotForm::Choice | BallotForm::Amount, _) => Value::Missing,
            (_, named) => Value::List(named.iter().map(option).collect()),
        }
    }

    /// What an option of a vote has.
    fn option_attribute(&self, option: u64, attribute: &str) -> Option<Value> {
        let (place, position) = locate_option(option);
        let HeldVote { report, voters, .. } = self.session.held_votes.get(&place)?;
        let alternative = self.session.vote_terms(place).motion.alternatives.get(position)?;
        let counts = || report.counts.iter().filter(|count| count.alternative == alternative.name);
        match attribute {
            "name" if self.is_over_seats(place) => Some(Value::Text(alternative.label.as_str().into())),
            "name" | "letter" => Some(Value::Text(alternative.name.as_str().into())),
            "label" | "text" => Some(Value::Text(alternative.label.as_str().into())),
            "author" => Some(self.find_author(place, alternative.name.as_str())),
            "seat" if self.is_over_seats(place) => Some(self.read_seat(&alternative.name)),
            "seat" => Some(Value::Missing),
            "voters" => {
                let own = voters.iter().filter(|voter| voter.tops.iter().any(|top| top.index() == position));
                Some(Value::List(own.map(|voter| Value::Seat(voter.seat.0)).collect()))
            }
            "amount" => {
                let chosen = report.decided.iter().chain(&report.winners);
                let own = chosen.filter(|choice| choice.alternative == alternative.name);
                let amount = own.filter_map(|choice| choice.amount).next();
                Some(amount.map_or(Value::Missing, |amount| Value::Number(Fraction::from(amount))))
            }
            "count" => Some(Value::Number(Fraction::from(counts().map(|count| count.count).sum::<u32>()))),
            "score" => {
                let points = counts().next().and_then(|count| count.points);
                let number = points.map(|points| Fraction::from_fraction(points.of.into(), points.unit.into()));
                Some(number.and_then(Result::ok).map_or(Value::Missing, Value::Number))
            }
            _ => None,
        }
    }

    /// The thing of that name that a pass takes place for.
    fn find_thing(&self, name: &str) -> Option<Value> {
        let is_named = |pass: &&Pass| pass.thing.as_ref().is_some_and(|thing| thing.name() == name);
        let Some(pass) = self.passes.iter().rev().find(is_named) else {
            return (name == "item" && self.session.plan.item.is_some()).then_some(Value::Record(ITEM));
        };
        Some(match &pass.thing {
            Some(Thing::Text { pool, .. }) => {
                self.session.thing_of(pass).map_or(Value::Missing, |code| text_record(*pool, code))
            }
            Some(Thing::Seat { .. }) => self.session.thing_of(pass).map_or(Value::Missing, Value::Seat),
            Some(Thing::Item { .. }) => Value::Record(ITEM),
            _ => self.session.word_of(pass).map_or(Value::Missing, Value::Text),
        })
    }

    /// What the item of the innermost pass for items has, or else the item of the session. The key of an item is a text, whatever it
    /// reads as.
    fn item_attribute(&self, attribute: &str) -> Option<Value> {
        let mut found = self.passes.iter().rev().filter_map(|pass| match &pass.thing {
            Some(Thing::Item { items, .. }) => Some((pass, items)),
            _ => None,
        });
        let (id, text, key) = match found.next() {
            Some((pass, items)) => {
                let Some(item) = self.session.thing_of(pass).and_then(|place| items.get(place as usize)) else {
                    return Some(Value::Missing);
                };
                if let Some(text) = item.columns.get(attribute) {
                    return Some(Value::Text(text.as_str().into()));
                }
                (&item.id, &item.text, item.key.as_deref().map(|key| Value::Text(key.into())))
            }
            None => {
                let item = self.session.plan.item.as_ref()?;
                (&item.id, &item.text, item.key.as_ref().map(read_truth))
            }
        };
        Some(match attribute {
            "id" => Value::Text(id.as_str().into()),
            "text" => Value::Text(text.as_str().into()),
            "key" => key.unwrap_or(Value::Missing),
            _ => return None,
        })
    }

    /// The live texts under a name, within a group its own.
    fn texts(&self, position: usize) -> Value {
        let live = self.session.texts[position].list_live(self.group.map(|group| group.number));
        Value::List(live.into_iter().map(|(id, _)| text_record(position, id.code())).collect())
    }

    /// What a text has.
    fn text_attribute(&self, text: u64, attribute: &str) -> Option<Value> {
        let id = TextId::of_code((text % LETTERS_OF_NAME) as u32);
        let state = self.session.texts.get((text / LETTERS_OF_NAME) as usize)?.find_text(id)?;
        match attribute {
            "letter" | "name" => Some(Value::Text(id.letter().into())),
            "text" | LINES => Some(state.text.as_ref().map_or(Value::Missing, |text| Value::Text(Arc::clone(text)))),
            "author" => Some(Value::Seat(state.author.0)),
            "version" => Some(Value::Number(Fraction::from(state.version))),
            _ => None,
        }
    }

    /// What something with parts has, for texts that print it; `None` of anything whose parts depend on the scenario.
    pub fn list_parts(&self, holder: &Value) -> Option<&'static [&'static str]> {
        match holder {
            Value::Record(ITEM) => Some(&OF_ITEMS),
            Value::Record(RecordId(TEXTS..)) => Some(&OF_TEXTS),
            Value::Record(RecordId(OPTIONS..)) => Some(&OF_OPTIONS),
            Value::Record(RecordId(VOTES..)) => Some(&OF_VOTES),
            _ => None,
        }
    }

    /// Whether the vote of a place is over seats.
    fn is_over_seats(&self, place: usize) -> bool {
        self.session.phase(place).kind.as_vote().is_some_and(|vote| matches!(vote.over, VoteOver::Seats(_)))
    }

    /// The seat that is an option.
    fn read_seat(&self, option: &AlternativeName) -> Value {
        Value::Seat(self.session.seat_id(&SeatName::new(option.as_str())).0)
    }

    /// The author of an option of a vote over texts; missing of any other.
    fn find_author(&self, place: usize, letter: &str) -> Value {
        let author = || {
            let pool = self.session.phase(place).kind.as_vote()?.over.texts()?;
            Some(Value::Seat(self.session.texts[pool].find_text(TextId::of_letter(letter)?)?.author.0))
        };
        author().unwrap_or(Value::Missing)
    }

    fn form_attribute(&self, form: u64, field: &str) -> Option<Value> {
        let seats = self.session.plan.seats.len() as u64;
        let phase: &PhaseName = &self.session.plan.agenda.get((form / seats) as usize)?.name;
        self.answer((form % seats) as u32, phase.written(), field)
    }

    /// What other seats answered about the seat, or it about them, to a field of the pass.
    fn read_about(&self, series: Series, field: &str) -> Option<Arc<[Value]>> {
        let (session, seat) = (self.session, self.seat?);
        let Some(phase) = session.plan.sources.phase_about(field) else { return self.read_points(series, field) };
        let Some(place) = session.find_visited(phase, self.passes, Some(seat)) else { return Some(Arc::new([])) };
        let Some(position) = session.plan.sources.position_about(field) else { return Some(Arc::new([])) };
        let answer = |from: SeatId, id: &str| {
            let value = session.standing[from.index()].about.get(&place)?.find(id)?;
            value.as_ref().map(|value| self.read_answer(value, place, position))
        };
        let others = session.plan.seat_ids().filter(|other| *other != seat);
        let about_seat = id_about(field, seat);
        let answers = others.filter_map(|other| match series {
            Series::Received => answer(other, &about_seat),
            _ => answer(seat, &id_about(field, other)),
        });
        Some(answers.collect())
    }

    /// The points of a field that the seat got from others, or gave to others.
    fn read_points(&self, series: Series, field: &str) -> Option<Arc<[Value]>> {
        let seat = self.seat?;
        let phase = self.session.plan.sources.phase_of_field(field)?;
        let points = |from: u32, about: SeatId| match self.answer(from, phase, field)? {
            Value::Points(points) => Some(Value::find_points(&points, &Value::Seat(about.0))),
            _ => None,
        };
        let others = self.session.plan.seat_ids().filter(|other| *other != seat);
        let found = others.filter_map(|other| match series {
            Series::Received => points(other.0, seat),
            _ => points(seat.0, other),
        });
        Some(found.collect())
    }

    /// Where a name is set for the seat or the session.
    fn find_source(&self, name: &str) -> Option<NameSource<'w>> {
        let (session, sources) = (self.session, &self.session.plan.sources);
        if let Some(variable) = sources.find_variable(name) {
            let column = match session.plan.variables[variable].of {
                Holder::Session => 0,
                Holder::Seat => self.seat?.index(),
                Holder::Group => self.group?.number as usize - 1,
            };
            let set = SetValues::Computed(&session.variables[variable].computed, column);
            return Some(NameSource { places: self.places_setting(variable, sources.places_computing(variable)), set });
        }
        let phase = sources.phase_of_field(name)?;
        let set = SetValues::Answered(self.seat?, sources.field_position(phase, name)?);
        Some(NameSource { places: session.places_for(sources.places_of(phase), self.seat), set })
    }

    /// The value that a name got at a place; `None` if it was not set there.
    fn read_set(&self, set: &SetValues<'_>, place: usize) -> Option<Value> {
        match set {
            SetValues::Computed(computed, column) => computed.get(&place).and_then(|values| values[*column].clone()),
            SetValues::Answered(seat, position) => {
                let is_visited = self.session.visited.binary_search(&place).is_ok();
                is_visited.then(|| self.answer_at(seat.0, place, *position))
            }
        }
    }

    /// Those of the places that compute a variable that do so for the seat, group or session of which this is read.
    fn places_setting(&self, variable: usize, places: &'w [usize]) -> Cow<'w, [usize]> {
        match self.session.plan.variables[variable].of {
            Holder::Group => places.iter().copied().filter(|place| self.is_of_group(*place)).collect(),
            Holder::Session | Holder::Seat => self.session.places_for(places, self.seat),
        }
    }

    /// Whether a place is one of the group in which this is read.
    fn is_of_group(&self, place: usize) -> bool {
        let group = self.session.plan.agenda[place].group.as_ref();
        group.map(|group| group.number) == self.group.map(|group| group.number)
    }

    /// The values of a name in each pass that set it, with the place of the phase: of the passes of the innermost block around the name
    /// where this is read within it, and of all passes of the blocks that are over.
    fn list_passes(&self, name: &str) -> Option<Vec<(usize, Value)>> {
        let NameSource { places, set } = self.find_source(name)?;
        let agenda = &self.session.plan.agenda;
        let Some(first) = places.first() else { return Some(Vec::new()) };
        let mut outer = shared_passes(&agenda[*first].passes, self.passes);
        let depth = agenda[*first].passes.len();
        if depth > 0 && outer.len() == depth {
            outer = &outer[..depth - 1];
        }
        let passes = |place: usize| agenda[place].passes.iter().map(|pass| (&pass.block, pass.number));
        let mut values: Vec<(usize, Value)> = Vec::new();
        for place in self.session.places_in(&places, outer) {
            let Some(value) = self.read_set(&set, *place) else { continue };
            // What is set once more in a pass replaces what it was.
            match values.last_mut().filter(|(last, _)| passes(*last).eq(passes(*place))) {
                Some((_, last)) => *last = value,
                None => values.push((*place, value)),
            }
        }
        Some(values)
    }

    /// The values of a name in the earlier passes of the innermost repeated block in which it is set, oldest first; missing of a pass
    /// that did not set it. If several blocks set it, it is the innermost around the reader. After the block its last pass is the
    /// current one.
    fn list_past(&self, name: &str) -> Option<Vec<Value>> {
        let (phases, set) = self.find_setting(name)?;
        let passes_at = |place: usize| self.session.plan.agenda[place].passes.as_slice();
        let repeated = || phases.iter().filter_map(|places| Some((passes_at(*places.first()?), &**places)));
        let is_around = |named: &[Pass]| !named.is_empty() && shared_passes(named, self.passes).len() == named.len();
        let reached = match repeated().map(|(named, _)| named).filter(|named| is_around(named)).map(<[Pass]>::len).max()
        {
            Some(depth) => Some(&self.passes[..depth]),
            None => {
                let set_last = repeated().filter(|(named, _)| !named.is_empty());
                let last = set_last.max_by_key(|(_, places)| self.session.find_last_visited(places));
                last.and_then(|(_, places)| self.session.reach_passes(places, self.passes))
            }
        };
        let Some((current, around)) = reached.and_then(<[Pass]>::split_last) else { return Some(Vec::new()) };
        let earlier = current.number.saturating_sub(1) as usize;
        let mut past: Vec<(Option<usize>, Value)> = vec![(None, Value::Missing); earlier];
        for (named, places) in repeated() {
            let is_within = shared_passes(named, around).len() == around.len();
            if !is_within || named.get(around.len()).is_none_or(|pass| pass.block != current.block) {
                continue;
            }
            for place in self.session.places_in(places, around) {
                let Some(own) = past.get_mut(passes_at(*place)[around.len()].number as usize - 1) else { break };
                // What is set once more in a pass replaces what it was.
                if let Some(value) = self.read_set(&set, *place).filter(|_| own.0.is_none_or(|last| last < *place)) {
                    *own = (Some(*place), value);
                }
            }
        }
        Some(past.into_iter().map(|(_, value)| value).collect())
    }

    /// The places of each phase that sets a name for the seat or the session, and what they set.
    fn find_setting(&self, name: &str) -> Option<(Vec<Cow<'w, [usize]>>, SetValues<'w>)> {
        let NameSource { places, set } = self.find_source(name)?;
        let sources = &self.session.plan.sources;
        let Some(variable) = sources.find_variable(name) else { return Some((vec![places], set)) };
        let places_of = |written: &String| self.places_setting(variable, sources.places_of(written));
        Some((sources.phases_computing(variable).iter().map(places_of).collect(), set))
    }
}

/// Those of these passes that belong to blocks around both.
fn shared_passes<'p>(named: &[Pass], passes: &'p [Pass]) -> &'p [Pass] {
    let shared = named.iter().zip(passes).take_while(|(own, here)| own.block == here.block);
    &passes[..shared.count()]
}

/// Where a name is set.
struct NameSource<'w> {
    /// The places of the phases that set it, in their order.
    places: Cow<'w, [usize]>,
    /// What they set.
    set: SetValues<'w>,
}

/// The values that phases set.
enum SetValues<'w> {
    /// Computed values, by the place of the phase, and the column among them.
    Computed(&'w BTreeMap<usize, Vec<Option<Value>>>, usize),
    /// The answers of a seat to the field of this position.
    Answered(SeatId, usize),
}

impl World for SessionWorld<'_, '_> {
    fn read_name(&self, name: &str) -> Option<Value> {
        let session = self.session;
        match name {
            "parameters" => Some(Value::Record(PARAMETERS)),
            "pass" => Some(Value::Record(PASS)),
            "everyone" => Some(self.seats(session.present())),
            "group" => Some(self.seats(session.gathered(self.group))),
            "others" => {
                let me = self.me.or(self.seat);
                Some(self.seats(session.gathered(self.group).filter(|other| Some(*other) != me)))
            }
            "nobody" => Some(self.seats(std::iter::empty())),
            "truth" if let Some(truth) = &session.dealt.truth => Some(read_truth(truth)),
            "target" if self.target.is_some() => self.target.map(|seat| Value::Seat(seat.0)),
            "round" => self.round.map(|round| Value::Number(Fraction::from(round))),
            "seats" => Some(self.seats(session.plan.seat_ids())),
            "me" if self.me.is_some() => self.me.map(|seat| Value::Seat(seat.0)),
            "seat" | "me" => self.seat.map(|seat| Value::Seat(seat.0)),
            _ => {
                if let Some(role) = session.plan.roles.iter().find(|role| role.name == name) {
                    let is_own = |seat: &crate::plan::Seat| seat.part.as_ref().is_some_and(|own| own.name == name);
                    let members: Option<Vec<SeatId>> = self.group.map(|group| session.gathered(Some(group)).collect());
                    let is_here = |place: u32| members.as_ref().is_none_or(|seats| seats.contains(&SeatId(place)));
                    let seats = (0u32..).zip(&session.plan.seats);
                    let own = seats.filter(|(place, seat)| is_own(seat) && is_here(*place));
                    let mut own = own.map(|(place, _)| Value::Seat(place));
                    return Some(match role.seats {
                        1 => own.next().unwrap_or(Value::Missing),
                        _ => Value::List(own.collect()),
                    });
                }
                let sources = &session.plan.sources;
                if let Some(role) = sources.find_role(name) {
                    let mut seats = session.gathered(self.group).filter(|seat| session.has_role(role, *seat));
                    return match (role.holders, self.group) {
                        (Holders::One, _) | (Holders::OneAGroup, Some(_)) => {
                            Some(seats.next().map_or(Value::Missing, |seat| Value::Seat(seat.0)))
                        }
                        (Holders::OneAGroup, None) | (Holders::Many, _) => Some(self.seats(seats)),
                    };
                }
                if let Some(variable) = sources.find_variable(name) {
                    return session.variables[variable].now.first().cloned();
                }
                if let Some(position) = sources.find_texts(name) {
                    return Some(self.texts(position));
                }
                if let Some(thing) = self.find_thing(name) {
                    return Some(thing);
                }
                // A vote that this arm leaves out was never held.
                let first = sources.places_of(name).first();
                Some(first.map_or(Value::Missing, |place| Value::Record(RecordId(VOTES + *place as u64))))
            }
        }
    }

    fn read_member(&self, name: &str, attribute: &str) -> Option<Value> {
        let Deliberation { plan, variables, .. } = self.session;
        if name != "group" {
            return None;
        }
        let Some(variable) = plan.sources.find_variable(attribute) else {
            let group = self.group.filter(|_| attribute == "number")?;
            return Some(Value::Number(Fraction::from(group.number)));
        };
        if plan.variables[variable].of != Holder::Group {
            return None;
        }
        let values = &variables[variable].now;
        match self.group {
            Some(group) => values.get(group.number as usize - 1).cloned(),
            None => Some(Value::List(values.iter().cloned().collect())),
        }
    }

    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value> {
        match holder {
            Value::Seat(seat) => self.seat_attribute(*seat, attribute),
            Value::Record(PARAMETERS) => self.session.plan.parameter_value(attribute),
            Value::Record(PASS) => self.pass(attribute),
            Value::Record(ITEM) => self.item_attribute(attribute),
            Value::Record(RecordId(text @ TEXTS..)) => self.text_attribute(text - TEXTS, attribute),
            Value::Record(RecordId(option @ OPTIONS..)) => self.option_attribute(option - OPTIONS, attribute),
            Value::Record(RecordId(vote @ VOTES..)) => self.vote_attribute((vote - VOTES) as usize, attribute),
            Value::Record(RecordId(form)) => self.form_attribute(form.checked_sub(FORMS)?, attribute),
            _ => None,
        }
    }

    fn read_series(&self, series: Series, name: &str) -> Option<Arc<[Value]>> {
        match series {
            Series::Received | Series::Given => self.read_about(series, name),
            Series::AllPasses => Some(self.list_passes(name)?.into_iter().map(|(_, value)| value).collect()),
            Series::Past => Some(self.list_past(name)?.into()),
        }
    }

    fn draw_below(&mut self, place: DrawPlace, bound: u64) -> u64 {
        let (phase, variable) = self.drawing.expect("invariant: nothing is drawn in a condition");
        // The name of the variable is part of the coordinate, so that another variable changes no draw of this one.
        let phase = PhaseName::new(&format!("{}/{variable}", phase.name));
        let at = Moment { phase, round: place.repetition, turn: place.site, step: Step::Compute };
        let seat = self.seat.map_or_else(|| SeatName::new(""), |seat| self.session.seat_name(seat).clone());
        let question = QuestionId { at, seat, attempt: 0 };
        self.session.seed.at_question(DrawPurpose::Computed, &question, place.step).draw_below(bound)
    }
}
