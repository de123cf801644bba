//! The questions of the ask under way, each with what its seat is shown.

use std::sync::Arc;

use super::asking::{Asked, Due};
use super::ballot_box::Cast;
use super::deliberation::Deliberation;
use crate::chance::DrawPurpose;
use crate::domain::{AlternativeId, Ask, MemoryAct, Moment, OpenBallots, Query, QuestionId, RuleTold, SeatId, Step};
use crate::plan::{Deed, Discussion, Network, OptionOrder, VoteTerms};

impl<'p> Deliberation<'p> {
    /// The questions to put now.
    ///
    /// # Errors
    /// The place of a phase with a message, if a question needs a value that an expression does not have.
    pub(super) fn queries(&self) -> Result<Vec<Query<'_>>, (usize, String)> {
        let open = self.open_questions().into_iter();
        let put: Result<Vec<Query<'_>>, _> =
            open.map(|(asked, due)| self.query(asked, due).map_err(|reason| (asked.phase, reason))).collect();
        put.map(|queries| match &self.departure {
            Some(departure) => departure.mark_queries(queries),
            None => queries,
        })
    }

    fn query(&self, asked: Asked, due: Due) -> Result<Query<'_>, String> {
        let Due { member, seat, attempt, retry, retry_field, room } = due;
        let turn = match asked.step {
            // The parts of a memory that is rewritten part by part are numbered, and so are the times that names are
            // asked for.
            Step::Compression | Step::Naming => asked.turn,
            _ if asked.turn == 0 => 0,
            _ => asked.turn + member as u32,
        };
        let at = Moment { phase: self.phase_name(asked.phase), round: asked.round, turn, step: asked.step };
        let id = QuestionId { at, seat: self.seat_name(seat).clone(), attempt };
        let ask = self.ask(asked, seat, &id)?;
        let ruled = self.apply_rules(seat, asked, &ask)?;
        let (mut brief, mut shown) = match asked.step {
            Step::Compression => self.memory.recall_oldest(seat),
            step if step.is_small() => self.memory.recall_short(seat),
            _ => self.memory.recall_brief(seat),
        };
        let standing = &self.standing[seat.index()];
        brief.found = self.found(seat, &mut shown);
        self.tell_case(seat, &mut brief);
        let offer = self.offer(seat, asked);
        let open = match asked.step {
            Step::Ballot | Step::Amount => self.vote_terms(asked.phase).heard_ballots(),
            _ => OpenBallots::Never,
        };
        let rule = matches!(asked.step, Step::Ballot | Step::Amount).then(|| {
            let VoteTerms { decision, electorate, .. } = self.vote_terms(asked.phase);
            let vote = &self.course_of(seat).vote;
            let (seats, ballots) = vote.electorate;
            RuleTold {
                is_binding: vote.is_binding,
                seats,
                ballots,
                needed: decision.winning_threshold(ballots),
                rule: decision.rule,
                tolerance: decision.amount_tolerance,
                otherwise: electorate.otherwise,
            }
        });
        let is_heard = match asked.step {
            Step::Statement => true,
            Step::Ask => self.phase(asked.phase).heard_by.is_some(),
            _ => open != OpenBallots::Never,
        };
        // A vote over options of its own has nothing to do with what a seat is to push, and with what is right.
        let is_of_motion = !self.plan.votes_on_own_options(&id.at);
        Ok(Query {
            id,
            seat,
            ask,
            motion: self.motion_put_to(seat, asked.phase).filter(|_| asked.step == Step::Ballot).cloned(),
            offer,
            retry,
            retry_field,
            room,
            brief,
            shown,
            pushes: standing.pushes.filter(|_| is_of_motion),
            first: standing.first,
            truth: self.truth_for(seat).filter(|_| is_of_motion),
            sample: self.sample(asked.step, asked.round),
            ruled,
            departed: false,
            state: &standing.mind,
            chosen: &self.chosen,
            audience: if is_heard { self.find_audience(seat, asked.phase, asked.step) } else { None },
            open,
            rule,
        })
    }

    /// What is asked now, and when.
    pub(super) fn asked(&self) -> Asked {
        self.course.asking.what.expect("invariant: an ask says what it asks")
    }

    fn ask(&self, asked: Asked, seat: SeatId, id: &QuestionId) -> Result<Ask, String> {
        Ok(match asked.step {
            Step::Statement => {
                let discussion = self.discussion(asked.phase);
                let chars_min = self.plan.statement_min_length(seat, asked.phase);
                Ask::Statement {
                    options: if discussion.stance { self.options(seat, id) } else { Vec::new() },
                    chars_min,
                    chars_max: self.readable_length.filter(|most| *most >= chars_min),
                    marks: discussion.proposals,
                    opinion: self.plan.asks_opinion && discussion.stance,
                }
            }
            Step::StrawPoll => Ask::StrawPoll { options: self.options(seat, id), opinion: self.plan.asks_opinion },
            Step::Ballot => {
                let VoteTerms { voting, motion, .. } = self.vote_terms(asked.phase);
                let motion = self.motion_put_to(seat, asked.phase).unwrap_or(motion);
                let options = self.order_options(seat, id, motion.alternatives.len() as u32);
                Ask::Ballot {
                    options,
                    form: voting.form,
                    may_abstain: voting.may_abstain,
                    asks_reasons: voting.asks_reasons,
                }
            }
            Step::Ranking => Ask::Ranking { options: self.options(seat, id) },
            Step::Application => {
                let (situation, _) = self.situation.as_ref().expect("invariant: a practice round has a situation");
                Ask::Application { options: self.options(seat, id), situation: situation.clone() }
            }
            Step::Comprehension => {
                let test = self.comprehension_test(asked.phase);
                Ask::Comprehension { situation: self.mechanism().sample.clone(), questions: test.questions.clone() }
            }
            Step::Amount => {
                let Cast::For(choice) = &self.standing[seat.index()].cast else {
                    unreachable!("invariant: only a valid ballot has an amount")
                };
                Ask::Amount { alternative: choice.alternative }
            }
            Step::Volunteer => Ask::Volunteer,
            Step::Reasoning => Ask::Reasoning,
            Step::VoteCall => Ask::VoteCall,
            Step::Confirmation => {
                let caller = self.course.vote.caller.expect("invariant: a vote that is confirmed was called");
                Ask::Confirmation { caller: Some(caller).filter(|_| self.plan.network != Network::Alone) }
            }
            Step::Integration => {
                let due = self.memory.integration_due(seat);
                let (news_from, chars_max) = due.expect("invariant: only a seat with news integrates them");
                Ask::Integration { news_from, chars_max }
            }
            Step::Compression => {
                let chars_max = self.memory.compression_due(seat).unwrap_or(crate::memory::RENDERED_LIMIT_MIN);
                Ask::Compression { chars_max, words_max: self.memory.words_max(seat), focus: self.focus() }
            }
            Step::Naming => Ask::Naming { taken: self.naming.taken.clone() },
            Step::Ask => Ask::Form { asked: self.fill_form(seat, asked.phase)? },
            Step::Recognition => Ask::Recognition,
            Step::Notes => Ask::Notes { notes: self.shown_notes(seat).into() },
            other => unreachable!("invariant: seats are never asked at the step {other:?}"),
        })
    }

    /// What a shorter memory is to keep above all, as the author says.
    fn focus(&self) -> Option<Arc<str>> {
        let demanded = self.reminding.map(|position| &self.plan.interventions[position].deed);
        match demanded {
            Some(Deed::Reminded(MemoryAct::Compact { focus: Some(focus) })) => Some(focus.as_str().into()),
            _ => self.plan.memory_focus.clone(),
        }
    }

    /// # Panics
    /// When the phase is no discussion.
    pub(super) fn discussion(&self, place: usize) -> &'p Discussion {
        self.phase(place).kind.as_discussion().expect("invariant: rounds belong to discussions")
    }

    /// The options in the order in which a seat is shown them; the same on every attempt and at every turn.
    fn options(&self, seat: SeatId, id: &QuestionId) -> Vec<AlternativeId> {
        self.order_options(seat, id, self.plan.motion.alternatives.len() as u32)
    }

    fn order_options(&self, seat: SeatId, id: &QuestionId, count: u32) -> Vec<AlternativeId> {
        match self.plan.controls.option_order {
            _ if count == 0 => Vec::new(),
            OptionOrder::Fixed => (0..count).map(AlternativeId).collect(),
            OptionOrder::Latin => {
                let start = u64::from(self.latin_start) + u64::from(seat.0);
                (0..count).map(|k| AlternativeId(((start + u64::from(k)) % u64::from(count)) as u32)).collect()
            }
            OptionOrder::Seeded => {
                let mut question = id.clone();
                question.at.turn = 0;
                question.attempt = 0;
                let lots = self.seed.at_question(DrawPurpose::OptionOrder, &question, 0).draw_order(count);
                lots.into_iter().map(AlternativeId).collect()
            }
        }
    }
}
