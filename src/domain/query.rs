//! One question put to one seat.

use std::sync::Arc;

use super::{
    AlternativeId, Ballot, BallotForm, Brief, Fault, First, FormAsked, MindState, Motion, NamedValues, Offer,
    OpenBallots, QuestionId, RuleKind, SeatId, Seq, Shown, Situation, Step, TestQuestion,
};

/// The greatest urgency with which a seat may want to speak; the least is 0.
pub const URGENCY_MAX: u32 = 10;

/// What is asked. The options are in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Speak on the floor, and declare which option you favour.
    Statement {
        /// What may be favoured.
        options: Vec<AlternativeId>,
        /// The least length of the text, in Unicode scalar values.
        chars_min: u32,
        /// How much of the text those who hear it can read, in Unicode scalar values; `None` if all of it.
        chars_max: Option<u32>,
        /// Whether marks of proposals are read from it.
        marks: bool,
        /// Whether an opinion is to be declared, too.
        opinion: bool,
    },
    /// Say whether you want to speak in the round that is about to begin, and how urgently.
    Volunteer,
    /// Say privately which option you favour; it binds nobody.
    StrawPoll {
        /// What may be chosen.
        options: Vec<AlternativeId>,
        /// Whether an opinion is to be told, too.
        opinion: bool,
    },
    /// Vote.
    Ballot {
        /// What may be voted for.
        options: Vec<AlternativeId>,
        /// How.
        form: BallotForm,
        /// Whether the seat may vote for nothing instead.
        may_abstain: bool,
        /// Whether the seat is asked for its reasons, too.
        asks_reasons: bool,
    },
    /// Name the amount that belongs to the alternative you voted for.
    Amount {
        /// The alternative; always one that takes an amount.
        alternative: AlternativeId,
    },
    /// Rank all options, the best first, and say how certain you are.
    Ranking {
        /// What is to be ranked.
        options: Vec<AlternativeId>,
    },
    /// Say which table each alternative picks.
    Comprehension {
        /// The tables.
        situation: Arc<Situation>,
        /// The questions; at least one.
        questions: Arc<[TestQuestion]>,
    },
    /// Choose what is applied to a situation, for your own pay.
    Application {
        /// What may be chosen.
        options: Vec<AlternativeId>,
        /// The situation; an amount may not exceed its greatest income.
        situation: Arc<Situation>,
    },
    /// Think before you speak; nobody hears it.
    Reasoning,
    /// Say whether you call a vote now.
    VoteCall,
    /// Say whether you agree to vote now.
    Confirmation {
        /// Who called the vote; `None` where nobody hears another.
        caller: Option<SeatId>,
    },
    /// Rewrite your memory, given what happened.
    Integration {
        /// What happened are the entries of the brief from this record on.
        news_from: Seq,
        /// The length of the new text at the most, in Unicode scalar values.
        chars_max: u64,
    },
    /// Rewrite what is shown of your memory more shortly.
    Compression {
        /// The length of the new text at the most, in Unicode scalar values.
        chars_max: u64,
        /// Its length in words at the most, where that is limited, too.
        words_max: Option<u32>,
        /// What the text is to keep above all, in the author's words.
        focus: Option<Arc<str>>,
    },
    /// Choose the name that the others know you by.
    Naming {
        /// Names that others go by already.
        taken: Arc<[String]>,
    },
    /// Say what you want to remember when you meet the others again.
    Notes {
        /// Your notes so far, as far as you were shown them.
        notes: Arc<str>,
    },
    /// Answer a form that the scenario asks.
    Form {
        /// The form with its words.
        asked: Arc<FormAsked>,
    },
    /// Say whether you recognise what you took part in as a known study, experiment, benchmark or game, and which.
    Recognition,
}

impl Ask {
    /// The step at which it is asked.
    pub fn step(&self) -> Step {
        match self {
            Ask::Statement { .. } => Step::Statement,
            Ask::Volunteer => Step::Volunteer,
            Ask::StrawPoll { .. } => Step::StrawPoll,
            Ask::Ballot { .. } => Step::Ballot,
            Ask::Amount { .. } => Step::Amount,
            Ask::Ranking { .. } => Step::Ranking,
            Ask::Comprehension { .. } => Step::Comprehension,
            Ask::Application { .. } => Step::Application,
            Ask::Reasoning => Step::Reasoning,
            Ask::VoteCall => Step::VoteCall,
            Ask::Confirmation { .. } => Step::Confirmation,
            Ask::Integration { .. } => Step::Integration,
            Ask::Compression { .. } => Step::Compression,
            Ask::Naming { .. } => Step::Naming,
            Ask::Notes { .. } => Step::Notes,
            Ask::Form { .. } => Step::Ask,
            Ask::Recognition => Step::Recognition,
        }
    }

    /// The options in the order in which they are shown; empty for questions without options.
    pub fn options(&self) -> &[AlternativeId] {
        match self {
            Ask::Statement { options, .. }
            | Ask::StrawPoll { options, .. }
            | Ask::Ballot { options, .. }
            | Ask::Ranking { options }
            | Ask::Application { options, .. } => options,
            _ => &[],
        }
    }

    /// The only alternative that an answer may name: the one whose amount is asked for.
    pub fn only_alternative(&self) -> Option<AlternativeId> {
        match self {
            Ask::Amount { alternative } => Some(*alternative),
            Ask::Ballot { options, form: BallotForm::Amount, .. } => options.first().copied(),
            _ => None,
        }
    }

    /// The form of a ballot; `None` of any other question.
    pub fn ballot_form(&self) -> Option<BallotForm> {
        if let Ask::Ballot { form, .. } = self { Some(*form) } else { None }
    }

    /// Whether a ballot may be an abstention.
    pub fn may_abstain(&self) -> bool {
        matches!(self, Ask::Ballot { may_abstain: true, .. })
    }

    /// Whether a ballot asks for reasons, too.
    pub fn asks_reasons(&self) -> bool {
        matches!(self, Ask::Ballot { asks_reasons: true, .. })
    }

    /// Whether an opinion is asked for, too.
    pub fn asks_opinion(&self) -> bool {
        matches!(self, Ask::Statement { opinion: true, .. } | Ask::StrawPoll { opinion: true, .. })
    }

    /// Whether marks of proposals are read from a statement.
    pub fn reads_marks(&self) -> bool {
        matches!(self, Ask::Statement { marks: true, .. })
    }

    /// The least length of a statement, in Unicode scalar values; 0 of any other question.
    pub fn chars_min(&self) -> u32 {
        if let Ask::Statement { chars_min, .. } = self { *chars_min } else { 0 }
    }

    /// How much of a statement its hearers can read, or the greatest length of a rewritten memory, in Unicode scalar values; `None`
    /// if there is no such limit.
    pub fn chars_max(&self) -> Option<u64> {
        match self {
            Ask::Statement { chars_max, .. } => chars_max.map(u64::from),
            Ask::Integration { chars_max, .. } | Ask::Compression { chars_max, .. } => Some(*chars_max),
            _ => None,
        }
    }

    /// The greatest length of a shortened memory in words; `None` if there is no such limit.
    pub fn words_max(&self) -> Option<u32> {
        if let Ask::Compression { words_max, .. } = self { *words_max } else { None }
    }

    /// The record from which on the entries of the brief are news to integrate.
    pub fn news_from(&self) -> Option<Seq> {
        if let Ask::Integration { news_from, .. } = self { Some(*news_from) } else { None }
    }

    /// The form that the scenario asks.
    pub fn form_asked(&self) -> Option<&FormAsked> {
        if let Ask::Form { asked } = self { Some(asked) } else { None }
    }

    /// Who called the vote that is to be confirmed, if the seat may know.
    pub fn caller(&self) -> Option<SeatId> {
        if let Ask::Confirmation { caller } = self { *caller } else { None }
    }

    /// The tables that a question is about.
    pub fn situation(&self) -> Option<&Situation> {
        match self {
            Ask::Comprehension { situation, .. } | Ask::Application { situation, .. } => Some(situation),
            _ => None,
        }
    }
}

/// How much room a reply has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Room {
    /// What the model's `max_tokens` say.
    #[default]
    Planned,
    /// Twice as much, as far as the model's window has it: the reply before was cut, for the first time at this question.
    Doubled,
}

/// One question, with everything the seat may use to answer it.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    /// Its coordinate.
    pub id: QuestionId,
    /// Who is asked.
    pub seat: SeatId,
    /// What is asked.
    pub ask: Ask,
    /// What a ballot is about, if its options were found when the vote opened; `None` of any other question.
    pub motion: Option<Arc<Motion>>,
    /// What the seat may ask to see before it answers.
    pub offer: Offer,
    /// Why it is asked again; `None` on the first try.
    pub retry: Option<Fault>,
    /// The field of the form that this is about; `None` if it is about the whole answer, or no form is asked.
    pub retry_field: Option<String>,
    /// How much room its reply has.
    pub room: Room,
    /// What the seat is shown.
    pub brief: Brief<'a>,
    /// The same as coordinates.
    pub shown: Shown,
    /// What the seat was privately told to push; `None` for all but a manipulator.
    pub pushes: Option<AlternativeId>,
    /// Where the seat's mind stands before it has heard anything.
    pub first: First,
    /// What is right, for a mind that stands for a group that knows it when it sees it; `None` for every other seat. It is shown to
    /// nobody.
    pub truth: Option<AlternativeId>,
    /// Which of several independent votes it is, from 0; 0 everywhere else.
    pub sample: u32,
    /// What the seat's rule says for fields of a form; empty for every other mind.
    pub ruled: NamedValues,
    /// Whether a fork departed from its parent before or with this question; `false` of sessions that are no forks.
    pub departed: bool,
    /// What the seat's mind kept for itself.
    pub state: &'a MindState,
    /// The names that seats chose, one entry a seat; empty where nobody did.
    pub chosen: &'a [Option<String>],
    /// The only seats that hear what the seat says now, its open ballot, or its answers to a form; `None` where the prompt does not name
    /// them, and of questions in private.
    pub audience: Option<Audience>,
    /// When others hear the ballot that is asked for; never of every other question.
    pub open: OpenBallots,
    /// The rule of the vote for which a ballot is asked; `None` of every other question.
    pub rule: Option<RuleTold>,
}

/// A vote, as prompts describe it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleTold {
    /// Whether something follows from it: it is binding, or something of the session reads it.
    pub is_binding: bool,
    /// How many seats vote.
    pub seats: u32,
    /// How many ballots they have together, by their weights.
    pub ballots: u32,
    /// How many equal ballots decide when all seats vote; `None` for rules that compare counts, and where nobody votes.
    pub needed: Option<u32>,
    /// The rule.
    pub rule: RuleKind,
    /// How far apart amounts may be that still count as the same.
    pub tolerance: u32,
    /// What is decided by default, where the last count reaches no decision.
    pub otherwise: Option<AlternativeId>,
}

/// The only seats that hear a statement, a ballot or answers to a form, as the prompt names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// Every seat, of answers to a form, which nobody hears otherwise.
    Everyone,
    /// These seats, beside the speaker; nobody if there are none.
    Seats(Vec<SeatId>),
    /// Those whom a condition selects; which they are is not disclosed, not even whether there are any.
    Undisclosed,
}

/// The ballot, approvals and scores in the scenario's order, if it is one that the question allows.
///
/// # Errors
/// [`Fault::UnknownAlternative`]; [`Fault::NamedTwice`] of approvals; [`Fault::NotARanking`] where a name stands twice, a level is
/// empty, and where ties or gaps are not admitted; [`Fault::NotScored`] where a score is missing or stands twice;
/// [`Fault::ScoreOutOfRange`]; [`Fault::WrongTotal`] of points; [`Fault::Ambiguous`] of a ballot of another form.
pub fn check_ballot(ask: &Ask, ballot: Ballot<AlternativeId>) -> Result<Ballot<AlternativeId>, Fault> {
    let Ask::Ballot { options, form, .. } = ask else { return Err(Fault::Ambiguous) };
    let known = |id: &AlternativeId| if options.contains(id) { Ok(()) } else { Err(Fault::UnknownAlternative) };
    let once = |mut ids: Vec<AlternativeId>| {
        let named = ids.len();
        ids.sort_unstable();
        ids.dedup();
        ids.len() == named
    };
    match (form, ballot) {
        (BallotForm::Approval, Ballot::Approval(mut approved)) => {
            approved.iter().try_for_each(known)?;
            if !once(approved.clone()) {
                return Err(Fault::NamedTwice);
            }
            approved.sort_unstable();
            Ok(Ballot::Approval(approved))
        }
        (BallotForm::Ranking { ties, truncated, top }, Ballot::Ranking(levels)) => {
            levels.iter().flatten().try_for_each(known)?;
            let all: Vec<AlternativeId> = levels.iter().flatten().copied().collect();
            let is_whole = all.len() == options.len() || *truncated && !all.is_empty();
            let has_levels = levels.iter().all(|level| if *ties { !level.is_empty() } else { level.len() == 1 });
            let are_few = top.is_none_or(|top| all.len() <= top as usize);
            if once(all) && is_whole && has_levels && are_few {
                Ok(Ballot::Ranking(levels))
            } else {
                Err(Fault::NotARanking)
            }
        }
        (BallotForm::Score { max } | BallotForm::Allocation { points: max }, Ballot::Score(mut scores)) => {
            scores.iter().try_for_each(|one| known(&one.alternative))?;
            let named: Vec<AlternativeId> = scores.iter().map(|one| one.alternative).collect();
            if named.len() != options.len() || !once(named) {
                return Err(Fault::NotScored);
            }
            let total: u64 = scores.iter().map(|one| u64::from(one.score)).sum();
            if matches!(form, BallotForm::Allocation { points } if total != u64::from(*points)) {
                return Err(Fault::WrongTotal);
            }
            if scores.iter().any(|one| one.score > *max) {
                return Err(Fault::ScoreOutOfRange);
            }
            scores.sort_unstable_by_key(|one| one.alternative);
            Ok(Ballot::Score(scores))
        }
        _ => Err(Fault::Ambiguous),
    }
}
