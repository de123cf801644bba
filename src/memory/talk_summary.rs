//! The summary of a talk: decisions and proposals from marks, and each seat's last stance. It never interprets prose. Seats that
//! hear the same share one summary, except those that were made to forget something (`talk.rs`).
//!
//! Every list is bounded and counts omitted items, so costs do not grow with the talk or the seats. The summary is not an entry
//! of a memory, but counts against its limit and is dropped first if room is short (`view.rs`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::summary_wording::StandingWords;
use super::{MarkedStatement, MemoryPlan, Proposal, Proposals, RemarkHeader, guidance};
use crate::domain::{
    AlternativeName, Choice, Extent, GuidanceStyle, Language, Marked, Motion, NamedChoice, Number, SeatId,
};
use crate::text;

/// The number of newest decisions quoted.
const DECISIONS: usize = 8;
/// The number of newest open proposals quoted: as many as the search for an unanswered proposal reads.
const OPEN: usize = super::proposals::LOOKED_AT;
/// The number of last closed proposals listed.
const CLOSED: usize = 4;
/// The number of last speakers listed.
const SEATS: usize = 12;
/// The number of a seat's newest contributions listed.
const CONTRIBUTIONS: usize = 5;
/// The number of supporters or opponents listed, in the plan's order.
const REACTING: usize = 6;

/// The summary of one session's talk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkStanding {
    /// The names that seats use.
    alternatives: Vec<AlternativeName>,
    language: Language,
    /// The maximal length of a quotation, in characters.
    quote_max: u32,
    /// The seats that have spoken.
    seats: BTreeMap<SeatId, Speaker>,
    /// The last speakers, newest first.
    newest: VecDeque<SeatId>,
    /// The quotes of statements that propose or state a decision, by position on the floor.
    quotes: BTreeMap<usize, String>,
    /// The words by extent; empty if there is nothing to summarize.
    words: [String; 2],
    /// The lengths of the words in characters.
    chars: [u64; 2],
}

/// The statements of one seat so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Speaker {
    name: String,
    statements: u32,
    /// The last stance, with the number and position of its statement.
    declared: Option<(Choice, Number, usize)>,
    /// The newest statements that propose, state a decision or change the stance; and the number of all.
    contributed: VecDeque<(Number, usize)>,
    contributions: u32,
}

impl TalkStanding {
    /// An empty summary; `None` if the policy does not show one.
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Option<Self> {
        let alternatives = || motion.alternatives.iter().map(|alternative| alternative.said().clone()).collect();
        let is_told = plan.policy.terms().tells_standing;
        is_told.then(|| Self::with_settings(alternatives(), motion.language, plan.statement_max_length))
    }

    fn with_settings(alternatives: Vec<AlternativeName>, language: Language, quote_max: u32) -> Self {
        Self {
            alternatives,
            language,
            quote_max,
            seats: BTreeMap::new(),
            newest: VecDeque::new(),
            quotes: BTreeMap::new(),
            words: Default::default(),
            chars: [0; 2],
        }
    }

    /// An empty summary with these settings.
    #[must_use]
    pub fn empty_copy(&self) -> Self {
        Self::with_settings(self.alternatives.clone(), self.language, self.quote_max)
    }

    /// Adds a statement at a position on the floor. An announcement changes nothing.
    pub fn add_statement(&mut self, said: RemarkHeader, place: usize, public_name: &str, stance: Option<Choice>) {
        let Some(seat) = said.speaker else { return };
        let number = Number { round: said.round, turn: said.turn };
        let speaker = self.seats.entry(seat).or_default();
        if speaker.name != public_name {
            public_name.clone_into(&mut speaker.name);
        }
        speaker.statements += 1;
        if let Some(stance) = stance {
            let before = speaker.declared.replace((stance, number, place));
            if before.is_some_and(|(before, ..)| before != stance) {
                speaker.add_contribution(number, place);
            }
        }
        self.newest.retain(|other| *other != seat);
        self.newest.push_front(seat);
        self.newest.truncate(SEATS);
    }

    /// Adds the marks of a statement, after the proposals have applied them.
    pub fn add_marks(&mut self, stated: MarkedStatement, text: &str, marks: &[Marked]) {
        if marks.iter().any(|mark| mark.proposes() || mark.decides()) {
            self.seats.entry(stated.seat).or_default().add_contribution(stated.number, stated.place);
            let cut = text::truncate_text(text, self.quote_max);
            let mut quote = text[..cut.kept_bytes].to_owned();
            cut.apply(&mut quote);
            self.quotes.insert(stated.place, guidance::quote_words(&quote, GuidanceStyle::Narrative).into_owned());
        }
    }

    /// Renders the summary again.
    pub fn update_words(&mut self, proposals: &Proposals) {
        self.words = [Extent::Whole, Extent::Short].map(|extent| self.render_words(extent, proposals));
        self.chars = [&self.words[0], &self.words[1]].map(|words| text::char_count(words));
    }

    /// The summary; empty if there is nothing to summarize.
    pub fn words(&self, extent: Extent) -> &str {
        &self.words[extent as usize]
    }

    /// The summary's length in characters.
    pub fn chars(&self, extent: Extent) -> u64 {
        self.chars[extent as usize]
    }

    /// The positions of the statements whose stance the summary reports, in order.
    pub fn stance_places(&self, extent: Extent, proposals: &Proposals) -> BTreeSet<usize> {
        let positions = self.speakers().filter_map(|speaker| speaker.declared.map(|(.., place)| place));
        let positions = positions.filter(|_| extent == Extent::Whole);
        let decided = last_items(&proposals.decisions, DECISIONS).iter().map(|stated| stated.place);
        let open = quoted_proposals(proposals).into_iter().map(|proposal| proposal.stated.place);
        positions.chain(decided).chain(open).collect()
    }

    fn render_words(&self, extent: Extent, proposals: &Proposals) -> String {
        let words = StandingWords::for_language(self.language);
        let decisions = last_items(&proposals.decisions, DECISIONS).iter().map(|stated| {
            let favours =
                self.favours_phrase(stated.stance).map(|favours| words.in_brackets(&favours)).unwrap_or_default();
            let (name, quote) = (self.public_name(stated.seat), self.quote_at(stated.place));
            format!("- {} {name}{favours}{}\"{quote}\"", stated.number, words.colon)
        });
        let open = quoted_proposals(proposals).into_iter();
        let mut sections = vec![
            words.render_section(words.decisions, decisions, proposals.decisions.len().saturating_sub(DECISIONS)),
            words.render_section(
                words.open,
                open.map(|proposal| self.open_line(proposal)),
                proposals.active.len().saturating_sub(OPEN),
            ),
        ];
        if extent == Extent::Whole {
            let closed = last_items(&proposals.closed, CLOSED).iter().map(|place| &proposals.all[*place]);
            sections.push(words.render_section(
                words.closed,
                closed.map(|proposal| self.closed_line(proposal)),
                proposals.closed.len().saturating_sub(CLOSED),
            ));
            let seats = self.speakers().map(|speaker| self.seat_line(speaker));
            sections.push(words.render_section(words.seats, seats, self.seats.len() - self.newest.len()));
        }
        let told = sections.concat();
        if told.is_empty() { told } else { format!("{}{told}", words.heading) }
    }

    /// A line for an active proposal.
    fn open_line(&self, proposal: &Proposal) -> String {
        let Proposal { stated, supporters, opponents, .. } = proposal;
        let words = StandingWords::for_language(self.language);
        let (number, name, quote) = (stated.number, self.public_name(stated.seat), self.quote_at(stated.place));
        let parts = [
            self.favours_phrase(stated.stance).unwrap_or_default(),
            format!("{}{}", words.supported, self.join_names(supporters)),
            format!("{}{}", words.opposed, self.join_names(opponents)),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("- {number} {name}{}{}\"{quote}\"", words.in_brackets(&parts.join(words.semicolon)), words.colon)
    }

    /// A line for a settled proposal.
    fn closed_line(&self, proposal: &Proposal) -> String {
        let words = StandingWords::for_language(self.language);
        let stated = proposal.stated;
        let verb = words.status_phrase(proposal.status);
        format!("- {} {}{}{verb}{}", stated.number, self.public_name(stated.seat), words.colon, proposal.since.1)
    }

    fn seat_line(&self, speaker: &Speaker) -> String {
        let words = StandingWords::for_language(self.language);
        let mut line = format!("- {}{}{}", speaker.name, words.colon, words.statement_count(speaker.statements));
        if let Some((stance, number, _)) = speaker.declared
            && let Some(favours) = self.favours_phrase(Some(stance))
        {
            line += &format!("{}{favours}{}", words.semicolon, words.in_brackets(&number.to_string()));
        }
        let numbers: Vec<String> = speaker.contributed.iter().map(|(number, _)| number.to_string()).collect();
        if !numbers.is_empty() {
            line += &format!("{}{}{}", words.semicolon, words.contributed, numbers.join(words.comma));
            let earlier = speaker.contributions as usize - speaker.contributed.len();
            if earlier > 0 {
                line += &words.after_list(earlier);
            }
        }
        line
    }

    /// The last speakers, newest last.
    fn speakers(&self) -> impl Iterator<Item = &Speaker> {
        self.newest.iter().rev().map(|seat| &self.seats[seat])
    }

    fn favours_phrase(&self, stance: Option<Choice>) -> Option<String> {
        let Choice { alternative, amount } = stance?;
        let named = NamedChoice { alternative: self.alternatives[alternative.index()].clone(), amount };
        Some(format!("{}{named}", StandingWords::for_language(self.language).favours))
    }

    /// The public name of a seat that has spoken.
    pub(super) fn public_name(&self, seat: SeatId) -> &str {
        self.seats.get(&seat).map_or("", |speaker| &speaker.name)
    }

    fn quote_at(&self, place: usize) -> &str {
        self.quotes.get(&place).map_or("", String::as_str)
    }

    /// Some seats by public name, and the number of others.
    fn join_names(&self, seats: &BTreeSet<SeatId>) -> String {
        let words = StandingWords::for_language(self.language);
        let named: Vec<&str> = seats.iter().take(REACTING).map(|seat| self.public_name(*seat)).collect();
        match seats.len() - named.len() {
            _ if named.is_empty() => words.nobody.to_owned(),
            0 => named.join(words.comma),
            others => words.names_and_others(&named.join(words.comma), others),
        }
    }
}

impl Speaker {
    fn add_contribution(&mut self, number: Number, place: usize) {
        if self.contributed.back().is_some_and(|(_, last)| *last == place) {
            return;
        }
        self.contributions += 1;
        self.contributed.push_back((number, place));
        if self.contributed.len() > CONTRIBUTIONS {
            self.contributed.pop_front();
        }
    }
}

/// The open proposals that the summary quotes, in order.
fn quoted_proposals(proposals: &Proposals) -> Vec<&Proposal> {
    let mut newest: Vec<&Proposal> = proposals.active.iter().rev().take(OPEN).map(|p| &proposals.all[*p]).collect();
    newest.reverse();
    newest
}

fn last_items<T>(all: &[T], most: usize) -> &[T] {
    &all[all.len().saturating_sub(most)..]
}
