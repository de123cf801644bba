//! The remarks that a circle of seats hears, stored once with running totals.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::lapses::Lapses;
use super::recall::StatementIndex;
use super::remark::{RemarkHeader, RenderedRemark};
use super::{FloorEvent, GuidanceStyle, MemoryPlan, Strategy, guidance, plan};
use crate::domain::{
    AlternativeName, Choice, Language, Motion, NamedChoice, Opinion, PhaseName, Places, Ranges, Remark, Remarks, Seq,
    Shown, StatementChars,
};
use crate::text;

/// All remarks that a circle has heard in one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Floor {
    /// The true names of the seats, used to measure the public history.
    names: Arc<[Box<str>]>,
    alternatives: Vec<AlternativeName>,
    pub remarks: Vec<Remark>,
    events: Vec<FloorEvent>,
    /// The positions of all unpinned statements, of unpinned announcements, and of pinned remarks.
    pub places: Places,
    /// Totals before each position; one more than `remarks`.
    before: Vec<RunningTotals>,
    /// Declared stances before each position, in rows of one entry per alternative; one row more than `remarks`.
    stances_before: Vec<u32>,
    /// The last declared amount for each alternative, and the position of its remark.
    amounts: Vec<Option<(u32, u32)>>,
    /// The positions of all remarks that declare an amount, for each alternative.
    amounts_at: Vec<Vec<u32>>,
    /// The records that every seat must integrate, in order, since the session began.
    pub news: Vec<Seq>,
    /// The search index of the statements, if the plan needs one.
    pub index: Option<StatementIndex>,
    /// Number of statements dropped from the public history, now and before the newest remark.
    dropped: usize,
    dropped_before: usize,
    /// The session's language.
    pub language: Language,
    /// The first position of the current round.
    pub round_from: usize,
    /// The first position of each phase.
    phases: Vec<(PhaseName, usize)>,
}

/// Running totals; lengths in rendered characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct RunningTotals {
    statements: u32,
    /// Length in memories.
    statement_chars: u64,
    /// Length in full, as in the public history; for a pinned statement, only its excess over the length in memories.
    full_chars: u64,
    /// Length in the rendering that measures the public history.
    public_chars: u64,
    /// Length of the bare text of all statements, pinned ones included: in full, and in memories.
    text_chars: u64,
    kept_chars: u64,
    /// Unpinned announcements.
    notices: u32,
    notice_chars: u64,
    /// Tokens of statements and announcements, and of announcements alone.
    tokens: u64,
    notice_tokens: u64,
    pinned_chars: u64,
    pinned_tokens: u64,
    /// Pinned exhibits.
    exhibits: u32,
    exhibit_chars: u64,
    exhibit_tokens: u64,
}

impl Floor {
    /// An empty floor, with a search index if the plan needs one.
    pub fn new(plan: &MemoryPlan, motion: &Motion, names: Arc<[Box<str>]>) -> Self {
        let alternatives: Vec<_> = motion.alternatives.iter().map(|alternative| alternative.said().clone()).collect();
        Self {
            names,
            before: vec![RunningTotals::default()],
            stances_before: vec![0; alternatives.len()],
            amounts: vec![None; alternatives.len()],
            amounts_at: vec![Vec::new(); alternatives.len()],
            alternatives,
            language: motion.language,
            index: plan.looks_up_statements().then(|| StatementIndex::new(&motion.text)),
            ..Self::default()
        }
    }

    /// Renders and measures a remark; the result holds for all memories with this plan.
    ///
    /// The public history is measured in one fixed rendering, so that arms with different styles or names keep equal parts.
    pub fn render_remark(
        &self,
        plan: &MemoryPlan,
        (said, event): (RemarkHeader, FloorEvent),
        public_name: &str,
        text: &Arc<str>,
        stance: Option<Choice>,
    ) -> RenderedRemark {
        let favours = stance.map(|choice| self.name_choice(choice));
        let rendering = (plan.guidance_style, self.language);
        let frame = guidance::frame_chars(&said, public_name, favours.as_ref(), rendering);
        let chars_max = plan.remark_limit(event, frame);
        let kept_bytes = text::truncate_text(text, u32::try_from(chars_max).unwrap_or(u32::MAX)).kept_bytes as u32;
        let text_chars = text::char_count(text);
        let public_chars = self.public_frame(&said, event) + text_chars;
        let RemarkHeader { seq, round, turn, speaker } = said;
        let remark = Remark { seq, round, turn, speaker, text: Arc::clone(text), kept_bytes, stance, opinion: None };
        let line = guidance::render_remark_line(
            &said,
            public_name,
            favours.as_ref(),
            rendering,
            &guidance::kept_text(&remark),
        );
        let (chars, tokens) = (text::char_count(&line), plan::entry_tokens(&line));
        // Quoting replaces single characters, so a text is equally long inside and outside its frame.
        RenderedRemark { remark, event, chars, full_chars: frame + text_chars, text_chars, tokens, public_chars }
    }

    /// Appends a remark and drops the oldest statements until the public history is within its limit.
    pub fn push(&mut self, plan: &MemoryPlan, rendered: &RenderedRemark) {
        let RenderedRemark { remark, event, .. } = rendered;
        self.count_remark(plan, rendered);
        self.count_stance(remark.stance);
        if plan.routing.of_floor(*event) == Strategy::Integrated {
            self.news.push(remark.seq);
        }
        // Indexes only the kept text, so that a match cannot reveal words that seats do not see.
        if let Some(index) = self.index.as_mut().filter(|_| *event == FloorEvent::Statement) {
            index.push(self.remarks.len(), &guidance::kept_text(remark));
        }
        self.remarks.push(remark.clone());
        self.events.push(*event);
        self.dropped_before = self.dropped;
        while self.public_chars() > plan.public_history_limit() && self.dropped + 1 < self.places.statements.len() {
            self.dropped += 1;
        }
    }

    /// Sets the opinion that the newest remark declares.
    pub fn set_opinion(&mut self, opinion: Option<Opinion>) {
        self.remarks.last_mut().expect("invariant: an opinion belongs to a remark").opinion = opinion;
    }

    /// The length of a statement's frame in the rendering that measures the public history, in characters: the speaker's true
    /// name, the number and the quotes of the narrative style.
    fn public_frame(&self, said: &RemarkHeader, event: FloorEvent) -> u64 {
        match (event, said.speaker) {
            (FloorEvent::Statement, Some(seat)) => {
                guidance::frame_chars(said, &self.names[seat.index()], None, (GuidanceStyle::Narrative, self.language))
            }
            _ => 0,
        }
    }

    /// Pins the newest statement: counts it as pinned and no longer as a statement.
    pub fn pin_newest(&mut self) {
        let newest = self.remarks.len() - 1;
        assert!(self.events[newest] == FloorEvent::Statement, "invariant: only statements are pinned");
        self.places.statements.pop();
        self.places.pinned.push(newest as u32);
        let [before, sums] = &mut self.before[newest..] else {
            unreachable!("invariant: totals stand around a remark")
        };
        sums.pinned_chars += sums.statement_chars - before.statement_chars;
        sums.pinned_tokens += sums.tokens - before.tokens;
        sums.full_chars -= sums.statement_chars - before.statement_chars;
        (sums.statements, sums.statement_chars, sums.public_chars, sums.tokens) =
            (before.statements, before.statement_chars, before.public_chars, before.tokens);
        self.dropped = self.dropped_before;
    }

    /// The positions of the statements among the first `pinned` pinned remarks.
    pub fn pinned_statements(&self, pinned: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.places.pinned[..pinned].iter().map(|place| *place as usize);
        places.filter(|place| self.events[*place] == FloorEvent::Statement)
    }

    /// Whether the remark at a position is pinned.
    pub fn is_pinned(&self, place: usize) -> bool {
        self.places.pinned.binary_search(&(place as u32)).is_ok()
    }

    /// Adds the totals of the remark about to be appended.
    fn count_remark(&mut self, plan: &MemoryPlan, rendered: &RenderedRemark) {
        let kept_chars = text::char_count(&rendered.remark.text[..rendered.remark.kept_bytes as usize]);
        let RenderedRemark { event, chars: rendered, full_chars, text_chars, tokens, public_chars, .. } = *rendered;
        let place = self.remarks.len() as u32;
        let mut sums = self.before[self.remarks.len()];
        if event == FloorEvent::Statement {
            sums.statements += 1;
            sums.statement_chars += rendered;
            sums.full_chars += full_chars;
            sums.public_chars += public_chars;
            sums.text_chars += text_chars;
            sums.kept_chars += kept_chars;
            sums.tokens += if plan.routing.statement == Strategy::Skip { 0 } else { tokens };
            self.places.statements.push(place);
        } else if plan.routing.of_floor(event) == Strategy::Skip {
            // Heard, but no memory keeps it.
        } else if plan.pin.hold_remark(event) {
            sums.pinned_chars += rendered;
            sums.pinned_tokens += tokens;
            self.places.pinned.push(place);
            if event == FloorEvent::Exhibit {
                sums.exhibits += 1;
                sums.exhibit_chars += rendered;
                sums.exhibit_tokens += tokens;
            }
        } else {
            sums.notices += 1;
            sums.notice_chars += rendered;
            sums.tokens += tokens;
            sums.notice_tokens += tokens;
            self.places.notices.push(place);
        }
        self.before.push(sums);
    }

    /// Begins a round or phase.
    pub fn begin_part(&mut self, phase: &PhaseName) {
        self.round_from = self.remarks.len();
        self.enter_part(phase);
    }

    /// Has what follows belong to a phase that has begun.
    pub fn enter_part(&mut self, phase: &PhaseName) {
        if self.phases.last().is_none_or(|(last, _)| last != phase) {
            self.phases.push((phase.clone(), self.remarks.len()));
        }
    }

    /// The positions of a phase's remarks so far; several ranges if the phase was entered again.
    pub fn of_phase(&self, phase: &PhaseName) -> Ranges {
        let mut ranges = Ranges::default();
        let ends = self.phases.iter().skip(1).map(|(_, start)| *start).chain([self.remarks.len()]);
        let of = self.phases.iter().zip(ends).filter(|((name, _), _)| phase.covers_moment(name));
        of.for_each(|((_, start), end)| ranges.add(*start..end));
        ranges
    }

    pub fn len(&self) -> usize {
        self.remarks.len()
    }

    /// The position of the first statement in the public history; the end if there is none.
    pub fn history_start(&self) -> usize {
        self.places.statements.get(self.dropped).map_or(self.len(), |place| *place as usize)
    }

    /// The remark at a position, and its kind.
    pub fn remark(&self, place: usize) -> (&Remark, FloorEvent) {
        (&self.remarks[place], self.events[place])
    }

    /// Rendered characters of the statement at a position.
    pub fn chars_at(&self, place: usize) -> u64 {
        self.statement_chars(place..place + 1)
    }

    /// The statements between two positions, as indices into all statements.
    pub fn numbers_of_statements(&self, range: Range<usize>) -> Range<usize> {
        self.before[range.start].statements as usize..self.before[range.end].statements as usize
    }

    pub fn numbers_of_notices(&self, range: Range<usize>) -> Range<usize> {
        self.before[range.start].notices as usize..self.before[range.end].notices as usize
    }

    /// The record of the first statement between two positions.
    pub fn first_statement(&self, range: Range<usize>) -> Option<Seq> {
        let numbers = self.numbers_of_statements(range);
        self.places.statements[numbers].first().map(|place| self.remarks[*place as usize].seq)
    }

    /// The position of the oldest of the `statements` newest statements that a seat with these lapses remembers; `None` if it
    /// remembers fewer.
    pub fn start_of_newest(&self, lapses: &Lapses, statements: u32) -> Option<usize> {
        let all = self.places.statements.len();
        let (mut left, mut from) = (statements as usize, all);
        for gap in lapses.statements.within(0..all).rev() {
            if from - gap.end >= left {
                break;
            }
            (left, from) = (left - (from - gap.end), gap.start);
        }
        let from = from.checked_sub(left)?;
        Some(self.places.statements.get(from).map_or(self.len(), |place| *place as usize))
    }

    /// The position of the first statement that a seat with these lapses remembers; the end if there is none.
    pub fn first_remembered(&self, lapses: &Lapses) -> usize {
        let all = &self.places.statements;
        lapses.statements.stretch(all, 0..all.len(), all.len()).first().map_or(self.len(), |place| *place as usize)
    }

    /// The number of unpinned statements between two positions.
    pub fn statements_within(&self, range: Range<usize>) -> u32 {
        self.before[range.end].statements - self.before[range.start].statements
    }

    /// The number of unpinned announcements between two positions that are not forgotten.
    pub fn notices_within(&self, lapses: &Lapses, range: Range<usize>) -> u32 {
        lapses.floor.rest(range, |place| u64::from(self.before[place].notices)) as u32
    }

    /// The number of statements between two positions that are not forgotten, or not before `history`.
    pub fn statements_known(&self, lapses: &Lapses, range: Range<usize>, history: usize) -> u32 {
        let forgotten = lapses.floor.within(range.start..range.end.min(history));
        self.statements_within(range) - forgotten.map(|gap| self.statements_within(gap)).sum::<u32>()
    }

    /// Rendered characters of these statements: as memories keep them before `history`, and in full from `history` on. There, a
    /// pinned statement counts only its excess over the kept length.
    pub fn statement_chars_known(&self, lapses: &Lapses, range: Range<usize>, history: usize) -> u64 {
        let remembered = range.start..range.end.min(history).max(range.start);
        let full = remembered.end..range.end;
        let forgotten = lapses.floor.within(remembered.clone());
        self.statement_chars(remembered) - forgotten.map(|gap| self.statement_chars(gap)).sum::<u64>()
            + self.before[full.end].full_chars
            - self.before[full.start].full_chars
    }

    /// Counts the heard and shown characters of statements for a question, except one that rewrites a memory.
    pub fn count_shown_chars(&self, shown: &Shown) -> StatementChars {
        let range = shown.floor.start as usize..shown.floor.end as usize;
        let history = shown.history.map_or(range.end, |place| (place as usize).clamp(range.start, range.end));
        let forgotten = &shown.forgotten.statements;
        let is_listed = |place: usize| {
            range.contains(&place)
                && !forgotten.iter().any(|gap| (gap.start as usize..gap.end as usize).contains(&place))
        };
        let between = |range: Range<usize>, of: fn(&RunningTotals) -> u64| {
            of(&self.before[range.end]) - of(&self.before[range.start])
        };
        let mut account = StatementChars { heard: self.before[range.end].text_chars, ..StatementChars::default() };
        let mut add = |part: Range<usize>, is_full: bool| {
            let (text, kept) = (between(part.clone(), |sums| sums.text_chars), between(part, |sums| sums.kept_chars));
            let shown = if is_full { text } else { kept };
            account.shown += shown;
            account.cut += text - shown;
        };
        let mut start = range.start;
        for gap in forgotten {
            add(start..gap.start as usize, false);
            start = gap.end as usize;
        }
        add(start..history.max(start), false);
        add(history.max(start)..range.end, true);
        // Shown outside these lists: pinned, recalled and looked-up statements.
        let mut others: BTreeSet<usize> = self.pinned_statements(shown.pinned_remarks as usize).collect();
        others.extend(shown.recalled.iter().chain(&shown.found).map(|place| *place as usize));
        for place in others.into_iter().filter(|place| !is_listed(*place)) {
            add(place..place + 1, shown.history.is_some_and(|from| place >= from as usize));
        }
        account
    }

    /// Rendered characters of the unpinned statements between two positions.
    pub fn statement_chars(&self, range: Range<usize>) -> u64 {
        self.before[range.end].statement_chars - self.before[range.start].statement_chars
    }

    /// Rendered characters of the unpinned announcements between two positions that are not forgotten.
    pub fn notice_chars(&self, lapses: &Lapses, range: Range<usize>) -> u64 {
        lapses.floor.rest(range, |place| self.before[place].notice_chars)
    }

    /// Tokens from a position to the end, without pinned or forgotten remarks.
    pub fn tokens_from(&self, lapses: &Lapses, from: usize) -> u64 {
        lapses.floor.rest(from..self.len(), |place| self.before[place].tokens)
    }

    /// Tokens of kept statements between two positions and of unpinned announcements between two others. Forgotten remarks do not
    /// count, except statements from `history` on.
    pub fn tokens_known(
        &self,
        lapses: &Lapses,
        statements: Range<usize>,
        history: usize,
        notices: Range<usize>,
    ) -> u64 {
        let said = |place: usize| self.before[place].tokens - self.before[place].notice_tokens;
        let between = |range: Range<usize>| said(range.end) - said(range.start);
        let forgotten = lapses.floor.within(statements.start..statements.end.min(history)).map(between).sum::<u64>();
        between(statements) - forgotten + lapses.floor.rest(notices, |place| self.before[place].notice_tokens)
    }

    /// Rendered characters of pinned remarks.
    pub fn pinned_chars(&self) -> u64 {
        self.running_totals().pinned_chars
    }

    /// Tokens of pinned remarks.
    pub fn pinned_tokens(&self) -> u64 {
        self.running_totals().pinned_tokens
    }

    /// The statements and announcements between these positions, without forgotten ones except statements from `history` on, and
    /// the first `pinned` pinned remarks.
    pub fn shown_remarks<'a>(
        &'a self,
        lapses: &'a Lapses,
        (statements, history): (&Range<usize>, usize),
        notices: &Range<usize>,
        pinned: usize,
    ) -> Remarks<'a> {
        let Places { statements: said, notices: announced, pinned: kept } = &self.places;
        let until = self.before[history].statements as usize;
        Remarks {
            floor: &self.remarks,
            statements: lapses.statements.stretch(said, self.numbers_of_statements(statements.clone()), until),
            notices: lapses.notices.stretch(announced, self.numbers_of_notices(notices.clone()), announced.len()),
            pinned: &kept[..pinned],
        }
    }

    /// The number of exhibits, which are the first pinned remarks, and their rendered characters.
    pub fn exhibit_totals(&self) -> (usize, u64) {
        (self.running_totals().exhibits as usize, self.running_totals().exhibit_chars)
    }

    /// Tokens of the exhibits.
    pub fn exhibit_tokens(&self) -> u64 {
        self.running_totals().exhibit_tokens
    }

    /// Declared stances before a position, one entry per alternative.
    pub fn stances_before(&self, before: usize) -> &[u32] {
        let width = self.alternatives.len();
        &self.stances_before[before * width..(before + 1) * width]
    }

    /// The last declared amount for each alternative and its position, without remarks before `history` that a seat with these
    /// lapses has forgotten.
    pub fn last_amounts(&self, lapses: &Lapses, history: usize) -> Cow<'_, [Option<(u32, u32)>]> {
        if lapses.floor.within(0..history).next().is_none() {
            return Cow::Borrowed(&self.amounts);
        }
        let last = |at: &Vec<u32>| {
            let mut end = at.len();
            for gap in lapses.floor.within(0..history).rev() {
                let position = *at[..end].last()? as usize;
                if position >= gap.end {
                    break;
                }
                end = at.partition_point(|position| (*position as usize) < gap.start).min(end);
            }
            let position = *at[..end].last()?;
            let amount = self.remarks[position as usize].stance?.amount?;
            Some((amount, position))
        };
        Cow::Owned(self.amounts_at.iter().map(last).collect())
    }

    /// The number of statements dropped from the public history, and their measured length.
    pub fn dropped_statements(&self) -> (u32, u64) {
        (self.dropped as u32, self.running_totals().public_chars - self.public_chars())
    }

    /// The measured length of the public history.
    pub fn public_chars(&self) -> u64 {
        self.running_totals().public_chars - self.before[self.history_start()].public_chars
    }

    fn running_totals(&self) -> &RunningTotals {
        &self.before[self.remarks.len()]
    }

    /// A choice with the names that seats read.
    fn name_choice(&self, choice: Choice) -> NamedChoice {
        NamedChoice { alternative: self.alternatives[choice.alternative.index()].clone(), amount: choice.amount }
    }

    /// Adds the stance of the remark about to be appended.
    fn count_stance(&mut self, stance: Option<Choice>) {
        let row = self.stances_before.len() - self.alternatives.len();
        self.stances_before.extend_from_within(row..);
        let Some(Choice { alternative, amount }) = stance else { return };
        self.stances_before[row + self.alternatives.len() + alternative.index()] += 1;
        if let Some(amount) = amount {
            self.amounts[alternative.index()] = Some((amount, self.remarks.len() as u32));
            self.amounts_at[alternative.index()].push(self.remarks.len() as u32);
        }
    }
}

impl Lapses {
    /// Forgets the remarks between two positions.
    pub fn add_remarks(&mut self, floor: &Floor, range: Range<usize>) {
        self.statements.add(floor.numbers_of_statements(range.clone()));
        self.notices.add(floor.numbers_of_notices(range.clone()));
        self.floor.add(range);
    }
}
