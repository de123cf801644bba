//! Where the talk stands, written anew from the list of everything that was said, each time it is asked for.

use ekklesia::domain::{Extent, GuidanceStyle, Sign};
use ekklesia::memory::{MemoryPolicy, RENDERED_LIMIT_MIN};

use super::naive::{Naive, Thing, quoted, truncated};
use super::{NAMES, SEATS, Saying, chars, motion};

/// A statement as it was made.
pub(super) struct Statement {
    pub(super) number: usize,
    pub(super) place: usize,
    pub(super) saying: Saying,
}

/// A proposal as all statements together make it.
struct Proposal<'n> {
    by: &'n Statement,
    /// Who supports it now, and who opposes it.
    reactions: Vec<(usize, bool)>,
    /// How it was settled, and by which statement.
    settled: Option<(&'static str, usize)>,
}

/// A public number.
fn numbered(number: usize) -> String {
    format!("#{}.{}", number / 7, number % 7 + 1)
}

/// Marks that count for something, with the statements that they name.
fn counting<'s>(statement: &'s Statement, made: &[Proposal<'_>]) -> Vec<(Sign, Option<&'s usize>)> {
    let Saying { speaker, marks, .. } = &statement.saying;
    let by = |number: usize| made.iter().find(|proposal| proposal.by.number == number).map(|p| p.by.saying.speaker);
    let mut counting = Vec::new();
    for (place, (sign, named)) in marks.iter().enumerate() {
        let is_reaction = matches!(sign, Sign::Support | Sign::Oppose);
        if is_reaction {
            let later = marks[place + 1..].iter();
            let mut later = later.filter(|(other, _)| matches!(other, Sign::Support | Sign::Oppose));
            let Some(number) = named else { continue };
            if later.any(|(_, other)| other == named) || by(*number).is_none_or(|other| other == *speaker) {
                continue;
            }
            counting.push((*sign, named.as_ref()));
        } else if !marks[..place].iter().any(|(other, _)| other == sign) {
            let own = named.as_ref().filter(|number| by(**number) == Some(*speaker));
            counting.push((*sign, own));
        }
    }
    counting
}

impl Naive {
    /// What was said, but for what a seat was made to forget: for that seat it was never said.
    fn remembered(&self, seat: usize) -> Vec<&Statement> {
        self.said.iter().filter(|statement| self.is_told(seat, statement)).collect()
    }

    /// All proposals that a seat remembers, and the order in which they were settled.
    fn proposals(&self, seat: usize) -> (Vec<Proposal<'_>>, Vec<usize>) {
        let (mut all, mut closed): (Vec<Proposal<'_>>, Vec<usize>) = Default::default();
        for statement in self.remembered(seat) {
            let marks = counting(statement, &all);
            for (sign, named) in marks {
                let of = named.and_then(|number| all.iter().position(|proposal| proposal.by.number == *number));
                let mut settle = |all: &mut Vec<Proposal<'_>>, place: usize, how| {
                    if all[place].settled.is_none() {
                        all[place].settled = Some((how, statement.number));
                        closed.push(place);
                    }
                };
                match (sign, of) {
                    (Sign::Proposal, of) => {
                        if let Some(old) = of {
                            settle(&mut all, old, "modified");
                        }
                        all.push(Proposal { by: statement, reactions: Vec::new(), settled: None });
                    }
                    (Sign::Support | Sign::Oppose, Some(place)) => {
                        let (seat, is_for) = (statement.saying.speaker, sign == Sign::Support);
                        all[place].reactions.retain(|(other, _)| *other != seat);
                        all[place].reactions.push((seat, is_for));
                        let share = |with: bool| {
                            let count = all[place].reactions.iter().filter(|(_, is_for)| *is_for == with).count();
                            2 * count > SEATS - 1
                        };
                        if share(true) {
                            settle(&mut all, place, "accepted");
                        } else if share(false) {
                            settle(&mut all, place, "rejected");
                        }
                    }
                    _ => {}
                }
            }
        }
        (all, closed)
    }

    fn is_told(&self, seat: usize, statement: &Statement) -> bool {
        let own = &self.seats[seat];
        statement.place >= own.forgotten && !own.lost.contains(&Thing::Remark(statement.place))
    }

    /// The statements that state a decision.
    fn decisions(&self, seat: usize) -> Vec<&Statement> {
        let decides = |statement: &&Statement| statement.saying.marks.iter().any(|(sign, _)| *sign == Sign::Decision);
        self.remembered(seat).into_iter().filter(decides).collect()
    }

    /// What stands behind a name: what is favoured.
    fn favours(saying: &Saying) -> Option<String> {
        let (place, amount) = saying.stance?;
        let name = motion().alternatives[place as usize].name.to_string();
        Some(amount.map_or(format!("favours {name}"), |amount| format!("favours {name} {amount}")))
    }

    fn quote(&self, statement: &Statement) -> String {
        quoted(&truncated(&statement.saying.text, self.plan.statement_max_length), GuidanceStyle::Narrative)
    }

    /// Where the talk stands for one seat; empty where there is nothing to tell.
    pub(super) fn standing(&self, seat: usize, extent: Extent) -> String {
        if !matches!(self.plan.policy, MemoryPolicy::Digest(_)) {
            return String::new();
        }
        let (proposals, closed) = self.proposals(seat);
        let mut text = String::new();
        let mut put = |heading: &str, all: usize, told: Vec<String>| {
            let earlier = all - told.len();
            if !told.is_empty() {
                text += &format!("\n{heading}");
                if earlier > 0 {
                    text += &format!("\n- and {earlier} earlier");
                }
                told.iter().for_each(|line| text += &format!("\n- {line}"));
            }
        };
        let decisions = self.decisions(seat);
        let lines = decisions[decisions.len().saturating_sub(8)..].iter().map(|statement| {
            let favours = Self::favours(&statement.saying).map_or(String::new(), |favours| format!(" ({favours})"));
            let (number, name) = (numbered(statement.number), NAMES[statement.saying.speaker]);
            format!("{number} {name}{favours}: \"{}\"", self.quote(statement))
        });
        put("Decisions stated:", decisions.len(), lines.collect());
        let open: Vec<&Proposal<'_>> = proposals.iter().filter(|proposal| proposal.settled.is_none()).collect();
        let lines = open[open.len().saturating_sub(8)..].iter().map(|proposal| {
            let names = |with: bool| {
                let seats = (0..SEATS).filter(|seat| proposal.reactions.contains(&(*seat, with)));
                let names: Vec<&str> = seats.map(|seat| NAMES[seat]).collect();
                if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
            };
            let favours = Self::favours(&proposal.by.saying).map_or(String::new(), |favours| format!("{favours}; "));
            let (number, name) = (numbered(proposal.by.number), NAMES[proposal.by.saying.speaker]);
            let reactions = format!("supported by {}; opposed by {}", names(true), names(false));
            format!("{number} {name} ({favours}{reactions}): \"{}\"", self.quote(proposal.by))
        });
        put("Open proposals:", open.len(), lines.collect());
        if extent == Extent::Whole {
            let lines = closed[closed.len().saturating_sub(4)..].iter().map(|place| {
                let proposal = &proposals[*place];
                let (how, by) = proposal.settled.expect("it is settled");
                let (number, name) = (numbered(proposal.by.number), NAMES[proposal.by.saying.speaker]);
                format!("{number} {name}: {how} by {}", numbered(by))
            });
            put("Closed proposals:", closed.len(), lines.collect());
            let speakers = self.speakers(seat);
            put("Seats heard last:", speakers.len(), speakers.iter().map(|by| self.seat_line(seat, *by)).collect());
        }
        if text.is_empty() { text } else { format!("Where the talk stands (statements by their numbers):{text}") }
    }

    /// Who has spoken, by the newest statement.
    fn speakers(&self, seat: usize) -> Vec<usize> {
        let said = self.remembered(seat);
        let last = |by: usize| said.iter().rev().find(|statement| statement.saying.speaker == by);
        let mut speakers: Vec<(usize, usize)> = (0..SEATS).filter_map(|by| Some((last(by)?.place, by))).collect();
        speakers.sort_unstable();
        speakers.into_iter().map(|(_, by)| by).collect()
    }

    /// The statement in which a seat declared something last.
    fn position(&self, seat: usize, by: usize) -> Option<&Statement> {
        let declares = |statement: &&&Statement| statement.saying.speaker == by && statement.saying.stance.is_some();
        self.remembered(seat).iter().rev().find(declares).copied()
    }

    fn seat_line(&self, seat: usize, by: usize) -> String {
        let mut own = self.remembered(seat);
        own.retain(|statement| statement.saying.speaker == by);
        let plural = if own.len() == 1 { "" } else { "s" };
        let mut line = format!("{}: {} statement{plural}", NAMES[by], own.len());
        let favoured = self.position(seat, by).map(|statement| (Self::favours(&statement.saying), statement.number));
        if let Some((Some(favours), number)) = favoured {
            line += &format!("; {favours} ({})", numbered(number));
        }
        let (mut key, mut before) = (Vec::new(), None);
        for statement in &own {
            let stance = statement.saying.stance;
            let has_changed = before.is_some() && stance.is_some() && before != stance;
            before = stance.or(before);
            let is_marked = |sign: &Sign| matches!(sign, Sign::Proposal | Sign::Decision);
            if has_changed || statement.saying.marks.iter().any(|(sign, _)| is_marked(sign)) {
                key.push(*statement);
            }
        }
        let newest = &key[key.len().saturating_sub(5)..];
        let numbers: Vec<String> = newest.iter().map(|statement| numbered(statement.number)).collect();
        if !numbers.is_empty() {
            line += &format!("; proposals, decisions and changes of position: {}", numbers.join(", "));
            if key.len() > 5 {
                line += &format!(" and {} earlier", key.len() - 5);
            }
        }
        line
    }

    /// What of that is told beside a memory: it leaves room for something else.
    pub(super) fn told(&self, seat: usize) -> Option<(Extent, String)> {
        let words = self.standing(seat, Extent::Whole);
        let fits = chars(&words) + RENDERED_LIMIT_MIN <= self.room(seat, self.limit(seat));
        (!self.seats[seat].is_bare && !words.is_empty() && fits).then_some((Extent::Whole, words))
    }

    /// Its length.
    pub(super) fn told_length(&self, seat: usize) -> u64 {
        self.told(seat).map_or(0, |(_, words)| chars(&words))
    }

    /// What is told in the place of a memory.
    pub(super) fn told_short(&self, seat: usize) -> Option<(Extent, String)> {
        let words = self.standing(seat, Extent::Short);
        let fits = chars(&words) <= self.room(seat, self.limit(seat));
        (!self.seats[seat].is_bare && !words.is_empty() && fits).then_some((Extent::Short, words))
    }

    /// The places of the statements of which it is told what they declare.
    pub fn declared(&self, seat: usize, extent: Extent) -> Vec<usize> {
        let (proposals, _) = self.proposals(seat);
        let open: Vec<&Statement> = proposals.iter().filter(|p| p.settled.is_none()).map(|p| p.by).collect();
        let mut statements: Vec<&Statement> = open[open.len().saturating_sub(8)..].to_vec();
        let decisions = self.decisions(seat);
        statements.extend(&decisions[decisions.len().saturating_sub(8)..]);
        if extent == Extent::Whole {
            statements.extend((0..SEATS).filter_map(|by| self.position(seat, by)));
        }
        let mut places: Vec<usize> = statements.into_iter().map(|statement| statement.place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}
