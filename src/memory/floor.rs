//! What was said on the floor, stored once for all seats, with running totals so that nothing is ever counted twice.

use std::ops::Range;

use super::recall::Postings;
use super::{FloorEvent, MemoryPlan, Strategy, guidance};
use crate::domain::{AlternativeName, Choice, Motion, NamedChoice, PhaseName, Places, Remark, Remarks, SeatId, Seq};
use crate::text;

/// Where and by whom something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    /// The record.
    pub seq: Seq,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The turn; 0 for an announcement.
    pub turn: u32,
    /// The speaker; `None` is the facilitator.
    pub speaker: Option<SeatId>,
}

/// The floor of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floor {
    alternatives: Vec<AlternativeName>,
    remarks: Vec<Remark>,
    events: Vec<FloorEvent>,
    places: Places,
    /// What stands before a position; one entry more than `remarks`.
    before: Vec<Sums>,
    /// Declared stances before a position, a row of one entry an alternative each; one row more than `remarks`.
    stances_before: Vec<u32>,
    /// The amount declared last with each alternative, and the position of the remark that declared it.
    amounts: Vec<Option<(u32, u32)>>,
    /// The records that every seat is to integrate, in order.
    news: Vec<Seq>,
    /// The words of the statements, where they are looked up.
    index: Option<Postings>,
    /// How many statements the public history has dropped.
    dropped: usize,
    /// Where the round under way began.
    round_from: usize,
    /// Where each phase began.
    phases: Vec<(PhaseName, usize)>,
}

/// Running totals; lengths in rendered characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sums {
    statements: u32,
    statement_chars: u64,
    /// Of the announcements that may be dropped.
    notices: u32,
    notice_chars: u64,
    /// Tokens of both, where the policy counts them.
    tokens: u64,
    pinned_chars: u64,
    pinned_tokens: u64,
    /// Of the exhibits among what is pinned.
    exhibits: u32,
    exhibit_chars: u64,
    /// Of everything, whatever became of it.
    heard_chars: u64,
}

impl Floor {
    /// Nothing was said; the statements are indexed where the plan has them looked up.
    pub fn new(plan: &MemoryPlan, motion: &Motion) -> Self {
        let alternatives: Vec<_> = motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect();
        Self {
            remarks: Vec::new(),
            events: Vec::new(),
            places: Places::default(),
            before: vec![Sums::default()],
            stances_before: vec![0; alternatives.len()],
            amounts: vec![None; alternatives.len()],
            alternatives,
            news: Vec::new(),
            index: plan.finds().then(|| Postings::new(&motion.text)),
            dropped: 0,
            round_from: 0,
            phases: Vec::new(),
        }
    }

    /// Appends a remark and drops whole oldest statements until the public history is within its limit.
    pub fn push(
        &mut self,
        plan: &MemoryPlan,
        (said, event): (Said, FloorEvent),
        public_name: &str,
        text: String,
        stance: Option<Choice>,
    ) {
        let favours = stance.map(|choice| self.named(choice));
        let frame = guidance::frame_chars(&said, public_name, favours.as_ref(), plan.guidance_style);
        let chars_max = plan.remark_limit(event, frame);
        let cut = text::truncate(&text, u32::try_from(chars_max).unwrap_or(u32::MAX));
        let Said { seq, round, turn, speaker } = said;
        let remark = Remark { seq, round, turn, speaker, text, kept_bytes: cut.kept_bytes as u32, stance };
        let line =
            guidance::line(&said, public_name, favours.as_ref(), plan.guidance_style, &guidance::kept_text(&remark));
        self.count(plan, event, &line);
        self.declare(stance);
        if plan.routing.of_floor(event) == Strategy::Integrated {
            self.news.push(seq);
        }
        if let Some(index) = self.index.as_mut().filter(|_| event == FloorEvent::Statement) {
            index.push(self.remarks.len(), &guidance::kept_text(&remark));
        }
        self.remarks.push(remark);
        self.events.push(event);
        while self.public_chars() > plan.public_history_limit() && self.dropped + 1 < self.places.statements.len() {
            self.dropped += 1;
        }
    }

    /// Counts the remark about to be appended.
    fn count(&mut self, plan: &MemoryPlan, event: FloorEvent, line: &str) {
        let (place, rendered) = (self.remarks.len() as u32, text::chars(line));
        let tokens = plan.tokens(line);
        let mut sums = self.before[self.remarks.len()];
        sums.heard_chars += rendered;
        if event == FloorEvent::Statement {
            sums.statements += 1;
            sums.statement_chars += rendered;
            sums.tokens += if plan.routing.statement == Strategy::Skip { 0 } else { tokens };
            self.places.statements.push(place);
        } else if plan.routing.of_floor(event) == Strategy::Skip {
            // It was heard, and no memory keeps it.
        } else if plan.pin.hold_remark(event) {
            sums.pinned_chars += rendered;
            sums.pinned_tokens += tokens;
            self.places.pinned.push(place);
            if event == FloorEvent::Exhibit {
                sums.exhibits += 1;
                sums.exhibit_chars += rendered;
            }
        } else {
            sums.notices += 1;
            sums.notice_chars += rendered;
            sums.tokens += tokens;
            self.places.notices.push(place);
        }
        self.before.push(sums);
    }

    /// A round or phase begins.
    pub fn begin_part(&mut self, phase: &PhaseName) {
        self.round_from = self.remarks.len();
        if self.phases.last().is_none_or(|(last, _)| last != phase) {
            self.phases.push((phase.clone(), self.remarks.len()));
        }
    }

    /// Where a phase ended: where the next began, or the end of the floor; its beginning for one that has not begun.
    pub fn end_of(&self, phase: &PhaseName) -> usize {
        let next = self.phases.iter().position(|(name, _)| name == phase).map(|place| place + 1);
        next.map_or(0, |next| self.phases.get(next).map_or(self.remarks.len(), |(_, place)| *place))
    }

    pub fn len(&self) -> usize {
        self.remarks.len()
    }

    /// The first statement that the public history still holds; the end where there is none.
    pub fn first(&self) -> usize {
        self.places.statements.get(self.dropped).map_or(self.len(), |place| *place as usize)
    }

    /// Where the round under way began.
    pub fn round_from(&self) -> usize {
        self.round_from
    }

    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The remark of a position, and what it is.
    pub fn remark(&self, place: usize) -> (&Remark, FloorEvent) {
        (&self.remarks[place], self.events[place])
    }

    /// The words of the statements, where they are looked up.
    pub fn index(&self) -> Option<&Postings> {
        self.index.as_ref()
    }

    /// Rendered characters of the statement at a position.
    pub fn chars_at(&self, place: usize) -> u64 {
        self.statement_chars(place..place + 1)
    }

    /// The positions of all statements.
    pub fn statements(&self) -> &[u32] {
        &self.places.statements
    }

    /// The position of the oldest of this many newest statements: of the first where there are fewer, the end for none.
    pub fn newest(&self, statements: u32) -> usize {
        let from = self.places.statements.len().saturating_sub(statements as usize);
        self.places.statements.get(from).map_or(self.len(), |place| *place as usize)
    }

    /// How many statements stand between two positions.
    pub fn statements_within(&self, range: Range<usize>) -> u32 {
        self.before[range.end].statements - self.before[range.start].statements
    }

    /// How many announcements that may be dropped stand between two positions.
    pub fn notices_within(&self, range: Range<usize>) -> u32 {
        self.before[range.end].notices - self.before[range.start].notices
    }

    /// Rendered characters of the statements between two positions.
    pub fn statement_chars(&self, range: Range<usize>) -> u64 {
        self.before[range.end].statement_chars - self.before[range.start].statement_chars
    }

    /// Rendered characters of the announcements that may be dropped between two positions.
    pub fn notice_chars(&self, range: Range<usize>) -> u64 {
        self.before[range.end].notice_chars - self.before[range.start].notice_chars
    }

    /// Tokens from a position to the end, without what is pinned.
    pub fn tokens(&self, from: usize) -> u64 {
        self.sums().tokens - self.before[from].tokens
    }

    /// Rendered characters of what is never dropped.
    pub fn pinned_chars(&self) -> u64 {
        self.sums().pinned_chars
    }

    /// Its tokens.
    pub fn pinned_tokens(&self) -> u64 {
        self.sums().pinned_tokens
    }

    /// Rendered characters of everything since the session began.
    pub fn heard_chars(&self) -> u64 {
        self.sums().heard_chars
    }

    /// The statements and announcements that stand between positions, and this many of the pinned ones.
    pub fn shown(&self, statements: &Range<usize>, notices: &Range<usize>, pinned: usize) -> Remarks<'_> {
        let row = |place: usize| self.before[place];
        let within = |range: &Range<usize>, count: fn(&Sums) -> u32| {
            count(&row(range.start)) as usize..count(&row(range.end)) as usize
        };
        Remarks {
            floor: &self.remarks,
            statements: &self.places.statements[within(statements, |sums| sums.statements)],
            notices: &self.places.notices[within(notices, |sums| sums.notices)],
            pinned: &self.places.pinned[..pinned],
        }
    }

    /// How many announcements are never dropped.
    pub fn pinned(&self) -> usize {
        self.places.pinned.len()
    }

    /// How many of them are exhibits, which were handed out before all else, and their rendered characters.
    pub fn exhibits(&self) -> (usize, u64) {
        (self.sums().exhibits as usize, self.sums().exhibit_chars)
    }

    /// Declared stances before a position, one entry an alternative.
    pub fn stances(&self, before: usize) -> &[u32] {
        let width = self.alternatives.len();
        &self.stances_before[before * width..(before + 1) * width]
    }

    /// The amount declared last with each alternative, and the position where that was.
    pub fn amounts(&self) -> &[Option<(u32, u32)>] {
        &self.amounts
    }

    /// The records that every seat is to integrate, in order, since the session began.
    pub fn news(&self) -> &[Seq] {
        &self.news
    }

    /// Statements that the public history has dropped, and their length.
    pub fn dropped(&self) -> (u32, u64) {
        (self.dropped as u32, self.sums().statement_chars - self.public_chars())
    }

    fn sums(&self) -> &Sums {
        &self.before[self.remarks.len()]
    }

    fn public_chars(&self) -> u64 {
        self.statement_chars(self.first()..self.len())
    }

    fn named(&self, choice: Choice) -> NamedChoice {
        NamedChoice { alternative: self.alternatives[choice.alternative.index()].clone(), amount: choice.amount }
    }

    /// Counts what the remark about to be appended declares.
    fn declare(&mut self, stance: Option<Choice>) {
        let row = self.stances_before.len() - self.alternatives.len();
        self.stances_before.extend_from_within(row..);
        let Some(Choice { alternative, amount }) = stance else { return };
        self.stances_before[row + self.alternatives.len() + alternative.index()] += 1;
        if let Some(amount) = amount {
            self.amounts[alternative.index()] = Some((amount, self.remarks.len() as u32));
        }
    }
}
