//! Texts that seats wrote and that are kept under a name: their letters, versions, and what is live of them.

use std::sync::Arc;

use super::deliberation::{Cast, Deliberation, Stage};
use super::text_pool::TextState;
use crate::chance::DrawPurpose;
use crate::domain::{
    Alternative, Event, FieldValue, FieldValues, KeptText, Language, Moment, Motion, NamedChoice, Ratio, SeatId, Step,
    TallyCount, TallyReport, TieBreak, join_choices, letter_of, number_of_letter,
};
use crate::plan::{KeptField, PhaseKind, VoteOver, VoteTerms};
use crate::question::number_lines;

impl Deliberation<'_> {
    /// Minutes the texts of the next field from this position on that changed, or goes on.
    pub(super) fn keep_from(&mut self, place: usize, position: usize) {
        let fields = self.kept_fields(place);
        match (position..fields.len()).find(|next| !self.find_changed(place, *next).is_empty()) {
            Some(next) => self.stage = Stage::Keeping(place, next),
            None => self.finish(place, 0),
        }
    }

    fn kept_fields(&self, place: usize) -> &[KeptField] {
        match &self.phase(place).kind {
            PhaseKind::Form(form) => &form.kept,
            _ => &[],
        }
    }

    /// The moment and the record of the texts of a field.
    pub(super) fn keep_texts(&self, place: usize, position: usize) -> (Moment, Event) {
        let name = self.kept_fields(place)[position].name.clone();
        let texts = self.find_changed(place, position);
        (self.keeping_moment(place, position), Event::Kept { name, texts })
    }

    fn keeping_moment(&self, place: usize, position: usize) -> Moment {
        Moment { turn: position as u32 + 1, ..self.moment(place, 0, Step::Compute) }
    }

    /// The texts that a form's answers changed: new ones and new versions in the order of seats and places, and those withdrawn.
    fn find_changed(&self, place: usize, position: usize) -> Vec<KeptText> {
        let KeptField { field, pool, .. } = &self.kept_fields(place)[position];
        let pool = &self.texts[*pool];
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        for (seat, standing) in (0..).map(SeatId).zip(&self.standing) {
            let answered = standing.answers.get(&place).and_then(|answers: &FieldValues| answers.get(*field)?.as_ref());
            let texts: &[String] = match answered {
                Some(FieldValue::Words(text)) => std::slice::from_ref(text),
                Some(FieldValue::Options(texts)) => texts,
                _ => continue,
            };
            let last = pool.all.iter().filter(|state| state.author == seat).map(|state| state.place).max();
            for place in 1..=last.unwrap_or(0).max(texts.len() as u32) {
                let text = texts.get(place as usize - 1).filter(|text| !text.is_empty());
                let kept = |letter, version| KeptText {
                    letter,
                    author: self.seat_name(seat).clone(),
                    place,
                    version,
                    text: text.cloned(),
                };
                match pool.find_own(seat, place) {
                    Some((_, state)) if state.text.as_deref() == text.map(String::as_str) => {}
                    Some((number, state)) => {
                        let version = state.version + u32::from(text.is_some());
                        changed.push(kept(letter_of(number), version));
                    }
                    None if text.is_some() => {
                        new.push(changed.len());
                        changed.push(kept(String::new(), 1));
                    }
                    None => {}
                }
            }
        }
        let at = self.keeping_moment(place, position);
        let lots = self.seed.at_moment(DrawPurpose::Letters, &at, 0).draw_order(new.len() as u32);
        for (text, lot) in new.into_iter().zip(lots) {
            changed[text].letter = letter_of(pool.all.len() as u32 + lot);
        }
        changed
    }

    /// Texts are kept from now on, and the next field's are.
    pub(super) fn kept(&mut self, place: usize, position: usize, texts: &[KeptText]) {
        let pool = self.kept_fields(place)[position].pool;
        let mut sorted: Vec<(u32, &KeptText)> =
            texts.iter().filter_map(|text| Some((number_of_letter(&text.letter)?, text))).collect();
        sorted.sort_by_key(|(number, _)| *number);
        for (number, text) in sorted {
            let state = TextState {
                author: self.seat_id(&text.author),
                place: text.place,
                version: text.version,
                text: text.text.as_deref().map(Into::into),
            };
            let all = &mut self.texts[pool].all;
            match all.get_mut(number as usize) {
                Some(old) => *old = state,
                None => all.push(state),
            }
        }
        self.keep_from(place, position + 1);
    }

    /// What is added to the question of a field whose author has texts already; `None` for nothing.
    pub(super) fn own_texts_line(&self, seat: SeatId, kept: &KeptField, language: Language) -> Option<String> {
        let own: Vec<String> = self.texts[kept.pool].list_live_of(seat).iter().map(|text| make_inert(text)).collect();
        let words = match own.as_slice() {
            [] => return None,
            [only] => only.clone(),
            several => format!("\n{}", number_lines(several)),
        };
        let words = if words.starts_with('\n') || language == Language::Zh { words } else { format!(" {words}") };
        Some(match language {
            Language::En => format!("Your last version, which your answer replaces:{words}"),
            Language::Es => format!("Su última versión, que su respuesta sustituye:{words}"),
            Language::Zh => format!("你上次的版本，将被你的回答取代：{words}"),
        })
    }
}

/// Words of a seat in one line, so that they look like nothing else in a prompt.
pub(super) fn make_inert(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'p> Deliberation<'p> {
    /// The terms of the vote of a phase; if it is over texts, with those that it is about now.
    pub(super) fn vote_terms(&self, place: usize) -> VoteTerms<'_> {
        let terms = self.plan.vote_terms(place);
        let held = self.held_votes.get(&place).and_then(|vote| vote.motion.as_ref());
        match self.vote.motion.as_ref().filter(|_| self.vote.place == Some(place)).or(held) {
            Some(motion) if self.is_over_texts(place) => VoteTerms { motion, ..terms },
            _ => terms,
        }
    }

    fn is_over_texts(&self, place: usize) -> bool {
        matches!(&self.phase(place).kind, PhaseKind::Vote(vote) if matches!(vote.over, VoteOver::Texts(_)))
    }

    /// What a vote over texts is about: the texts that are live now; `None` of any other vote.
    pub(super) fn text_motion(&self, place: usize) -> Option<Arc<Motion>> {
        let PhaseKind::Vote(vote) = &self.phase(place).kind else { return None };
        let (VoteOver::Texts(pool), Some(most)) = (vote.over, &vote.motion) else { return None };
        let option = |(number, state): (u32, &TextState)| {
            let label = make_inert(state.text.as_deref().unwrap_or_default());
            Alternative { label, ..most.alternatives[number as usize].clone() }
        };
        let alternatives = self.texts[pool].list_live().map(option).collect();
        Some(Arc::new(Motion { alternatives, ..(**most).clone() }))
    }

    /// Begins a vote over texts of which there are fewer than two: nobody is asked. `false` if seats are to be asked.
    pub(super) fn begin_unopposed(&mut self, place: usize, round: u32) -> bool {
        match self.vote.motion.as_ref().map(|motion| motion.alternatives.len()) {
            Some(0) => self.finish(place, round),
            Some(1) => {
                for standing in &mut self.standing {
                    standing.cast = Cast::Nothing;
                }
                self.stage = Stage::Counting(place, round);
            }
            _ => return false,
        }
        true
    }

    /// The count of a vote, in which a text without rival wins unopposed.
    pub(super) fn count_vote(&self, at: &Moment, place: usize) -> TallyReport {
        let terms = self.vote_terms(place);
        let mut report = self.count(at, &terms);
        if let (true, [only]) = (self.is_over_texts(place), terms.motion.alternatives.as_slice()) {
            let winner = NamedChoice { alternative: only.name.clone(), amount: None };
            report.decided = terms.is_binding.then(|| winner.clone());
            report.winners = vec![winner];
            (report.quorum_met, report.uncounted, report.tie_break) = (None, None, None);
        }
        if let PhaseKind::Vote(vote) = &self.phase(place).kind
            && let Some(winners) = vote.winners
            && terms.motion.alternatives.len() > 1
        {
            self.elect_several(&mut report, winners as usize, at, &terms);
        }
        report
    }

    /// Lets the options with the most points win, or with the most ballots where there are no points.
    fn elect_several(&self, report: &mut TallyReport, winners: usize, at: &Moment, terms: &VoteTerms<'_>) {
        if report.winners.is_empty() {
            return;
        }
        let worth = |count: &TallyCount| match count.points {
            Some(Ratio { of, unit }) => (i128::from(of), i128::from(unit)),
            None => (i128::from(count.count), 1),
        };
        let compare = |one: &TallyCount, other: &TallyCount| {
            let ((of, unit), (other_of, other_unit)) = (worth(one), worth(other));
            (other_of * unit).cmp(&(of * other_unit))
        };
        let tie_break = terms.decision.tie_break;
        let mut ranked: Vec<&TallyCount> = match tie_break {
            TieBreak::Lot => {
                let lots = self.seed.at_moment(DrawPurpose::TieBreak, at, 1).draw_order(report.counts.len() as u32);
                lots.into_iter().map(|place| &report.counts[place as usize]).collect()
            }
            _ => report.counts.iter().collect(),
        };
        ranked.sort_by(|one, other| compare(one, other));
        let elected = &ranked[..winners.min(ranked.len())];
        let is_tied = ranked.get(winners).is_some_and(|next| compare(elected[winners - 1], next).is_eq());
        let names: Vec<NamedChoice> =
            elected.iter().map(|count| NamedChoice { alternative: count.alternative.clone(), amount: None }).collect();
        let is_decided = terms.is_binding && !(is_tied && tie_break == TieBreak::NoDecision);
        report.tie_break = (terms.is_binding && is_tied).then_some(tie_break);
        report.decided = is_decided.then(|| join_choices(&names));
        report.winners = names;
    }
}
