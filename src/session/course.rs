//! The courses of a rehearsal: what seats are assumed to say, so that a session becomes as short or as long as its procedure
//! allows.
//!
//! A course is not a prediction. Together the courses bound what can be asked: a session without re-asks puts at least as many
//! questions as the smallest course and at most as many as the largest. Nothing here draws lots. Only scripts and silent minds,
//! whose answers are known, answer for themselves.

use std::collections::BTreeMap;

use super::simulated::answer_by_mind;
use crate::chance::SessionSeed;
use crate::domain::{
    AlternativeId, Answer, Ask, Ballot, BallotForm, Certainty, Choice, Fault, Field, FieldValues, Form, Language, Mark,
    Moment, Motion, Named, NoteTaken, Number, Opinion, PhaseName, Query, Reply, Scored, SeatId, Sign, Step,
    URGENCY_MAX, check_ballot,
};
use crate::engine::admissible;
use crate::minds::Mind;
use crate::plan::{Condition, Phase, Plan, Respondent, Seat, Sitter};
use crate::prompt::{AnswerForm, MARKS_MAX, schema};
use crate::question::{AnswerLength, build_extreme_values};
use crate::text::render_tag;

/// Filler for words that are not known yet. The words are short, so that the token estimate is that of prose.
const FILLER: &str = "as long as it may be, so it is. ";
/// Filler for a mind that babbles in all scripts. No character has a higher token estimate.
const BABBLE: &str = "🙂";
/// The most characters of prose per token, on average over a reply.
const CHARS_PER_TOKEN: u64 = 5;
/// The longest statement of a simulated seat, in characters.
const MIND_CHARS_MAX: u64 = 2_000;
/// The most characters that a person is assumed to type: what a line of a terminal holds.
const PERSON_CHARS_MAX: u64 = 4_000;

/// One course of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RehearsalCourse {
    /// The length of replies.
    pub words: ReplyLength,
    /// Who calls a vote, if votes are held on call.
    pub call: CallPattern,
    /// How ballots differ.
    pub vote: BallotPattern,
    /// The results of comprehension tests.
    pub test: TestPattern,
    /// Which phases take place that need not.
    pub optional: OptionalPhases,
}

/// Which phases take place of those whose condition, or who takes part in them, depends on answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionalPhases {
    /// All, with everyone.
    All,
    /// None.
    None,
    /// Those that vote, with one seat where answers decide who takes part, so that later votes are spared.
    Votes,
}

/// The length of replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyLength {
    /// As short as the question allows.
    Short,
    /// As long as the question and the model's `max_tokens` allow.
    Long,
}

/// Who calls a vote, if votes are held on call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallPattern {
    /// Every seat that is asked; all others agree. If all are asked at the same time, none is left to agree.
    Everyone,
    /// The last seat asked in each round; all others agree. No other pattern puts as many questions in a round.
    Last,
    /// Nobody.
    Never,
}

/// How ballots differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BallotPattern {
    /// The votes in which all ballots are equal.
    pub agree: RehearsedAgreement,
    /// The ballots in all other votes.
    pub otherwise: Disagreement,
}

/// The votes in which all ballots are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RehearsedAgreement {
    /// All.
    Everywhere,
    /// None.
    Nowhere,
    /// Those in which a decision ends nothing, and the last of the agenda.
    Late,
    /// Those in which a decision ends something.
    ToEnd,
}

/// The ballots of a vote without agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disagreement {
    /// They differ as far as they can.
    Differ,
    /// None is valid. Used only if ballots that differ would decide too.
    Spoil,
}

/// The results of comprehension tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestPattern {
    /// Every seat passes at once.
    Pass,
    /// Every seat fails once and then passes.
    PassLate,
    /// Every seat fails where that ends its part in the session, and passes at once elsewhere.
    FailForGood,
}

impl RehearsalCourse {
    /// Votes are called and agreed as early as allowed, the first ballot is unanimous, replies are short, and every seat fails a
    /// comprehension test that excludes it.
    pub const SHORTEST: RehearsalCourse = RehearsalCourse {
        words: ReplyLength::Short,
        call: CallPattern::Everyone,
        vote: BallotPattern::differing(RehearsedAgreement::Everywhere),
        test: TestPattern::FailForGood,
        optional: OptionalPhases::None,
    };
    /// Replies are short, nobody calls a vote, ballots differ and every seat passes. Shorter than the shortest if there is only
    /// one round.
    pub const QUIET: RehearsalCourse = RehearsalCourse {
        words: ReplyLength::Short,
        call: CallPattern::Never,
        vote: BallotPattern::differing(RehearsedAgreement::Nowhere),
        test: TestPattern::Pass,
        optional: OptionalPhases::None,
    };
    /// All rounds are used, every possible vote is held, none decides, replies are as long as allowed, and seats take the test
    /// twice.
    pub const LONGEST: RehearsalCourse = RehearsalCourse {
        words: ReplyLength::Long,
        call: CallPattern::Last,
        vote: BallotPattern::differing(RehearsedAgreement::Nowhere),
        test: TestPattern::PassLate,
        optional: OptionalPhases::All,
    };
    /// Like the longest, but votes decide where that ends nothing, and so does the last: outcomes are remembered and perhaps paid.
    pub const LATE: RehearsalCourse =
        RehearsalCourse { vote: BallotPattern::differing(RehearsedAgreement::Late), ..RehearsalCourse::LONGEST };

    /// Like the shortest, but the first vote that need not be held decides. Its questions are not counted.
    pub const EARLY: RehearsalCourse = RehearsalCourse { optional: OptionalPhases::Votes, ..RehearsalCourse::SHORTEST };

    /// Like the shortest, but votes decide only where that ends something: nothing else is remembered.
    pub const DIRECT: RehearsalCourse =
        RehearsalCourse { vote: BallotPattern::differing(RehearsedAgreement::ToEnd), ..RehearsalCourse::SHORTEST };

    /// All courses of every plan, the longest first.
    pub const ALL: [RehearsalCourse; 4] =
        [RehearsalCourse::LONGEST, RehearsalCourse::LATE, RehearsalCourse::SHORTEST, RehearsalCourse::QUIET];

    /// This course without valid ballots where they differ; `None` if they always agree.
    pub fn with_spoiled_ballots(self) -> Option<RehearsalCourse> {
        let vote = BallotPattern { otherwise: Disagreement::Spoil, ..self.vote };
        (self.vote.agree != RehearsedAgreement::Everywhere).then_some(RehearsalCourse { vote, ..self })
    }
}

impl BallotPattern {
    /// Ballots that are equal in these votes and differ elsewhere.
    const fn differing(agree: RehearsedAgreement) -> Self {
        Self { agree, otherwise: Disagreement::Differ }
    }
}

/// Answers for every seat according to a course.
pub struct Player<'p> {
    plan: &'p Plan,
    course: RehearsalCourse,
    seed: SessionSeed,
    /// By phase and round.
    asked_to_call: BTreeMap<(PhaseName, u32), usize>,
    /// How many seats may call a vote in the phase under way.
    callers: usize,
}

impl<'p> Player<'p> {
    /// A player before the first question. The seed is passed only to scripts and silent minds, which draw nothing.
    pub fn new(plan: &'p Plan, course: RehearsalCourse, seed: SessionSeed) -> Self {
        Self { plan, course, seed, asked_to_call: BTreeMap::new(), callers: plan.seats.len() }
    }

    /// Notes how many seats may call a vote in the phase under way.
    pub fn note_callers(&mut self, callers: usize) {
        self.callers = callers;
    }

    /// The answer of a seat. Scripts and silent minds answer for themselves if their answer is admissible.
    pub fn answer(&mut self, query: &Query<'_>) -> Answer {
        let motion = self.plan.motion_asked(query);
        if let Respondent::Mind(mind @ (Mind::Scripted(_) | Mind::Silent)) =
            self.plan.respondent(query.seat, query.id.at.step)
            && let Ok(answer) = answer_by_mind(self.plan, mind, &self.seed, query)
            && answer.parsed.clone().and_then(|reply| admissible(motion, &query.ask, reply)).is_ok()
        {
            return answer;
        }
        let parsed = self.choose_reply(query);
        let raw = match &parsed {
            Ok(Reply::Statement { text, .. } | Reply::Note(text)) => text.to_string(),
            Ok(Reply::Choice(choice) | Reply::Opined(choice, _)) => motion.named(*choice).to_string(),
            _ => String::new(),
        };
        Answer { raw, parsed, field: None, usage: None, model_served: None, state: query.state.clone() }
    }

    fn form_values(&self, query: &Query<'_>, form: &Form) -> FieldValues {
        let extent = if self.course.words == ReplyLength::Short { AnswerLength::Least } else { AnswerLength::Most };
        let words = |field: &Field, least: u32, most: u32| self.reply_text(query, least, &field.id, most.into());
        build_extreme_values(form, extent, &words)
    }

    fn recognition_reply(&self, query: &Query<'_>) -> Reply {
        let words = self.if_long(|| self.reply_text(query, 1, "which", u64::MAX).into());
        Reply::Recognition { recognised: words.is_some(), recognised_as: words }
    }

    fn choose_reply(&mut self, query: &Query<'_>) -> Result<Reply, Fault> {
        let reply = self.choose_answer(query)?;
        let reasoning = || self.if_long(|| self.reply_text(query, 1, "reasoning", u64::MAX).into());
        Ok(reply.with_reasoning(query.ask.asks_reasons().then(reasoning).flatten()))
    }

    /// What only long replies hold.
    fn if_long<T>(&self, part: impl FnOnce() -> T) -> Option<T> {
        (self.course.words == ReplyLength::Long).then(part)
    }

    fn choose_answer(&mut self, query: &Query<'_>) -> Result<Reply, Fault> {
        Ok(match &query.ask {
            Ask::Statement { options, chars_min, marks, opinion, .. } => Reply::Statement {
                text: match (marks, self.course.words) {
                    (true, ReplyLength::Long) => {
                        prefix_longest_tags(&self.reply_text(query, *chars_min, "statement", u64::MAX)).into()
                    }
                    _ => self.reply_text(query, *chars_min, "statement", u64::MAX).into(),
                },
                stance: self.if_long(|| options.first().map(|_| self.favoured_choice(query, options))).flatten(),
                opinion: opinion.then(|| self.extreme_opinion()),
            },
            Ask::StrawPoll { options, opinion: false } => Reply::Choice(self.favoured_choice(query, options)),
            Ask::StrawPoll { options, opinion: true } => {
                Reply::Opined(self.favoured_choice(query, options), self.extreme_opinion())
            }
            Ask::Ballot { options, form, .. } if form.says_more() => return self.ballot_over(query, options, *form),
            Ask::Ballot { options, form: BallotForm::Amount, .. } => {
                let Reply::Amount(amount) = self.amount_reply(query)? else {
                    unreachable!("invariant: an amount is answered by one")
                };
                Reply::Choice(Choice { alternative: options[0], amount: Some(amount) })
            }
            Ask::Ballot { options, .. } => return self.single_choice_ballot(query, options),
            Ask::Amount { .. } => return self.amount_reply(query),
            Ask::Ranking { options } => Reply::Ranking {
                order: options.clone(),
                certainty: match self.course.words {
                    ReplyLength::Short => Certainty::Sure,
                    ReplyLength::Long => Certainty::VeryUnsure,
                },
            },
            Ask::Comprehension { situation, questions } => {
                let tables = situation.tables.len() as u32;
                let fails = self.fails_test(&query.id.at);
                let wrong = |right: u32| if fails { right % tables + 1 } else { right };
                Reply::Test(questions.iter().map(|question| wrong(question.answer)).collect())
            }
            Ask::Application { options, situation } => {
                let motion = &self.plan.motion;
                let alternative = self.preferred_alternative(motion, options);
                let takes_amount = takes_amount(motion, alternative);
                Reply::Application {
                    choice: Choice { alternative, amount: takes_amount.then(|| situation.income_max().max(1)) },
                    certainty: Certainty::VeryUnsure,
                    reasoning: self
                        .if_long(|| self.reply_text(query, 0, "reasoning", u64::MAX).into())
                        .unwrap_or_default(),
                }
            }
            Ask::Volunteer => Reply::Urgency(self.if_long(|| URGENCY_MAX)),
            Ask::Reasoning => Reply::Note(self.reply_text(query, 1, "text", u64::MAX).into()),
            Ask::VoteCall => Reply::Assent(self.calls_vote(&query.id.at, query.id.attempt)),
            Ask::Confirmation { .. } => Reply::Assent(true),
            Ask::Naming { .. } => Reply::Name(self.pick_name(query).into()),
            Ask::Form { asked } => Reply::Form(self.form_values(query, &asked.form)),
            Ask::Recognition => self.recognition_reply(query),
            Ask::Notes { .. } => Reply::Notes(NoteTaken {
                append: self.if_long(|| self.reply_text(query, 1, "append", u64::MAX).into()),
                replace: None,
            }),
            Ask::Integration { chars_max, .. } | Ask::Compression { chars_max, .. } => {
                Reply::Note(self.reply_text(query, 1, "text", *chars_max).into())
            }
        })
    }

    /// A short name per seat, or a long one, which all seats share until the last time, so that they are asked again.
    fn pick_name(&self, query: &Query<'_>) -> String {
        /// How often names are asked for at most.
        const TIMES: u32 = 3;
        let place = query.seat.0 + 1;
        match (self.course.words, query.id.at.turn) {
            (ReplyLength::Short, _) => format!("A{place}"),
            (ReplyLength::Long, TIMES..) => format!("{place:0>6} {}", "wide ".repeat(7).trim_end())[..40].to_owned(),
            (ReplyLength::Long, time) => format!("w{time} {}", "wide ".repeat(8))[..40].to_owned(),
        }
    }

    /// A text of the course's length; `field` is the schema field that limits it.
    fn reply_text(&self, query: &Query<'_>, chars_min: u32, field: &str, chars_max: u64) -> String {
        let least = u64::from(chars_min).max(1);
        let length = match (self.course.words, self.plan.respondent(query.seat, query.id.at.step)) {
            (ReplyLength::Short, _) => least,
            (ReplyLength::Long, Respondent::Person(_)) => PERSON_CHARS_MAX.min(chars_max).max(least),
            (ReplyLength::Long, Respondent::Mind(_) | Respondent::Rule) => MIND_CHARS_MAX.min(chars_max).max(least),
            (ReplyLength::Long, Respondent::Model(place)) => {
                let model = &self.plan.models[place];
                let by_tokens = u64::from(model.max_tokens).saturating_mul(CHARS_PER_TOKEN);
                let by_schema =
                    match model.answer_form() {
                        AnswerForm::Anchored | AnswerForm::Typed => None,
                        AnswerForm::JsonSchema => {
                            schema(&query.ask, self.plan.motion_for(query.seat), model.max_tokens)["properties"][field]
                                ["maxLength"]
                                .as_u64()
                        }
                    };
                by_tokens.min(by_schema.unwrap_or(u64::MAX)).min(chars_max).max(least)
            }
        };
        let babbles = |seat: &Seat| matches!(seat.sitter, Sitter::Mind(Mind::Random { .. }));
        // A seat may hear another group's words, which may be those of any seat.
        let babbles = match self.plan.memory.policy.terms().is_lent {
            true => self.plan.seats.iter().any(babbles),
            false => babbles(&self.plan.seats[query.seat.index()]),
        };
        repeat_filler(if babbles && self.course.words == ReplyLength::Long { BABBLE } else { FILLER }, length)
    }

    /// For short replies an alternative without an amount, for long ones one with an amount; if there is none, the first.
    fn preferred_alternative(&self, motion: &Motion, options: &[AlternativeId]) -> AlternativeId {
        let with_amount = self.course.words == ReplyLength::Long;
        let found = options.iter().filter(|id| takes_amount(motion, **id) == with_amount).min();
        found.or(options.iter().min()).copied().expect("invariant: a question with options has some")
    }

    fn favoured_choice(&self, query: &Query<'_>, options: &[AlternativeId]) -> Choice {
        let motion = &self.plan.motion;
        let alternative = self.preferred_alternative(motion, options);
        let amount = takes_amount(motion, alternative).then(|| self.amount_of(query.seat));
        Choice { alternative, amount }
    }

    /// The opinion with the shortest or longest text.
    fn extreme_opinion(&self) -> Opinion {
        let hundredths = if self.course.words == ReplyLength::Short { 0 } else { 100 };
        Opinion::percent(hundredths).expect("invariant: an opinion is at most 100 hundredths")
    }

    fn ballots_agree(&self, at: &Moment) -> bool {
        match self.course.vote.agree {
            RehearsedAgreement::Everywhere => true,
            RehearsedAgreement::Nowhere => false,
            RehearsedAgreement::Late => self.ends_nothing(at) || self.is_last_vote(at),
            RehearsedAgreement::ToEnd => !self.ends_nothing(at),
        }
    }

    /// A ballot with one alternative at the top: the first if ballots agree, otherwise one for each seat in turn.
    fn ballot_over(&self, query: &Query<'_>, options: &[AlternativeId], form: BallotForm) -> Result<Reply, Fault> {
        let mut in_order = options.to_vec();
        in_order.sort_unstable();
        match (self.course.vote.otherwise, self.ballots_agree(&query.id.at)) {
            (_, true) => {}
            (Disagreement::Spoil, _) => return Err(Fault::Unreadable),
            _ => {
                let of_seat = query.seat.index() % in_order.len();
                in_order.rotate_left(of_seat);
            }
        }
        let ballot = match form {
            BallotForm::Choice | BallotForm::Amount => {
                unreachable!("invariant: such ballots say one choice")
            }
            BallotForm::Approval => Ballot::Approval(vec![in_order[0]]),
            BallotForm::Ranking { top, .. } => {
                in_order.truncate(top.map_or(usize::MAX, |top| top as usize));
                Ballot::Ranking(in_order.into_iter().map(|one| vec![one]).collect())
            }
            BallotForm::Score { max } | BallotForm::Allocation { points: max } => {
                let score = |place: usize| if place == 0 { max } else { 0 };
                let scored = in_order.into_iter().enumerate();
                Ballot::Score(scored.map(|(place, alternative)| Scored { alternative, score: score(place) }).collect())
            }
        };
        check_ballot(&query.ask, ballot).map(Reply::Ballot)
    }

    fn single_choice_ballot(&self, query: &Query<'_>, options: &[AlternativeId]) -> Result<Reply, Fault> {
        let motion = self.plan.motion_asked(query);
        let mut in_order = options.to_vec();
        in_order.sort_unstable();
        let with_amount: Vec<AlternativeId> = in_order.iter().copied().filter(|id| takes_amount(motion, *id)).collect();
        // Amounts distinguish more ballots than alternatives do, and each takes one more question.
        let apart = if with_amount.is_empty() { &in_order } else { &with_amount };
        let alternative = match (self.course.vote.otherwise, self.ballots_agree(&query.id.at)) {
            (_, true) => self.preferred_alternative(motion, options),
            (Disagreement::Spoil, _) if with_amount.is_empty() => return Err(Fault::Unreadable),
            _ => apart[query.seat.index() % apart.len()],
        };
        Ok(Reply::Choice(alternative.into()))
    }

    fn amount_reply(&self, query: &Query<'_>) -> Result<Reply, Fault> {
        match (self.course.vote.otherwise, self.ballots_agree(&query.id.at)) {
            (_, true) => Ok(Reply::Amount(self.plan.motion.amount_max.unwrap_or(1))),
            (Disagreement::Spoil, _) => Err(Fault::Unreadable),
            _ => Ok(Reply::Amount(self.amount_of(query.seat))),
        }
    }

    /// An amount as far as possible from those of the other seats.
    fn amount_of(&self, seat: SeatId) -> u32 {
        let least = self.plan.motion.amount_min;
        let greatest = self.plan.motion.amount_max.unwrap_or(least).max(least);
        let others = (self.plan.seats.len() as u64 - 1).max(1);
        let above = u64::from(greatest - least) * u64::from(seat.0) / others;
        least + u32::try_from(above).expect("invariant: an amount is within the greatest, which is a u32")
    }

    fn calls_vote(&mut self, at: &Moment, attempt: u8) -> bool {
        let before = self.asked_to_call.entry((at.phase.clone(), at.round)).or_default();
        *before += usize::from(attempt == 0);
        match self.course.call {
            CallPattern::Everyone => true,
            CallPattern::Last => *before == self.callers,
            CallPattern::Never => false,
        }
    }

    fn fails_test(&self, at: &Moment) -> bool {
        match self.course.test {
            TestPattern::Pass => false,
            TestPattern::PassLate => at.round == 1,
            TestPattern::FailForGood => {
                self.plan.agenda.iter().any(|phase| phase.name == at.phase && phase.kind.may_exclude())
            }
        }
    }

    /// Whether a decision in this vote ends neither a talk nor a part of the agenda.
    fn ends_nothing(&self, at: &Moment) -> bool {
        let phase = self.plan.agenda.iter().find(|phase| phase.name == at.phase);
        phase.is_some_and(|phase| phase.kind.votes_without_end())
    }

    /// Whether no vote can follow the one at this moment.
    fn is_last_vote(&self, at: &Moment) -> bool {
        assert!(matches!(at.step, Step::Ballot | Step::Amount), "invariant: only ballots and their amounts are votes");
        let agenda = &self.plan.agenda;
        let Some(place) = agenda.iter().position(|phase| phase.name == at.phase) else { return false };
        let may_vote =
            |phase: &Phase| phase.kind.holds_votes() && !phase.when.as_ref().is_some_and(Condition::is_taken_as_never);
        let is_last_of_phase = agenda[place].kind.as_discussion().is_none_or(|talk| at.round == talk.rounds.get());
        is_last_of_phase && !agenda[place + 1..].iter().any(may_vote)
    }
}

fn takes_amount(motion: &Motion, alternative: AlternativeId) -> bool {
    motion.alternatives[alternative.index()].takes_amount
}

/// Puts as many and as long tags before a statement as a seat can type.
fn prefix_longest_tags(text: &str) -> String {
    let longest = Number { round: u32::MAX, turn: u32::MAX };
    let longest = render_tag(Mark { sign: Sign::Proposal, names: Named::Number(longest) }, Language::En);
    format!("{}{text}", format!("{longest} ").repeat(MARKS_MAX))
}

/// Filler of this length, up to a fixed maximum. It neither begins nor ends with a space.
fn repeat_filler(filler: &str, chars: u64) -> String {
    let length = usize::try_from(chars).unwrap_or(usize::MAX).min(4_000_000);
    let mut text: String = filler.chars().cycle().take(length).collect();
    if text.ends_with(' ') {
        text.pop();
        text.push('.');
    }
    text
}
