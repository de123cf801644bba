//! Ballots that say more than one choice, as forms: approvals, rankings and scores. Nothing is repaired: a name that is unknown or
//! stands twice, and a score that is missing or out of range, make the ballot inadmissible.

use crate::domain::{AlternativeId, Ask, Ballot, BallotForm, Fault, Motion, Reply, Scored, check_ballot};
use crate::prompt::parse::anchors::word;
use crate::question::{Field, FieldFault, FieldKind, FieldReason, FieldValue, Form, Values};

/// The form of a ballot; `None` where an alternative or an amount is voted for, or something else is asked.
pub(super) fn build_ballot_form(ask: &Ask, motion: &Motion) -> Option<Form> {
    let Ask::Ballot { form, options, .. } = ask else { return None };
    let options = options.iter().map(|id| motion.said(*id).to_string()).collect();
    let (id, anchor, kind) = match *form {
        BallotForm::Choice | BallotForm::Amount => return None,
        BallotForm::Approval => ("approves", "APPROVES", FieldKind::Approval { options }),
        BallotForm::Ranking { ties, truncated } => {
            ("ranking", "RANKING", FieldKind::Ranking { options, ties, truncated })
        }
        BallotForm::Score { max } => ("scores", "SCORES", FieldKind::Score { options, max }),
    };
    let anchor = word(anchor, motion.language).to_owned();
    let field = Field { id: id.to_owned(), anchor, kind, is_optional: false };
    Some(Form { fields: vec![field], language: motion.language })
}

/// The ballot that a reply to such a form casts.
///
/// # Errors
/// The fault of the reply.
pub(super) fn cast_ballot(ask: &Ask, motion: &Motion, read: Result<Values, FieldFault>) -> Result<Reply, Fault> {
    let value = read.map_err(|fault| fault_of(fault.reason))?.pop().flatten();
    let id = |name: String| motion.find_said(&name).expect("invariant: a form takes options alone");
    let ballot: Ballot<AlternativeId> = match value {
        Some(FieldValue::Options(names)) => Ballot::Approval(names.into_iter().map(id).collect()),
        Some(FieldValue::Ranks(ranks)) => {
            Ballot::Ranking(ranks.into_iter().map(|rank| rank.into_iter().map(id).collect()).collect())
        }
        Some(FieldValue::Shares(scores)) => {
            let scored = |(name, score)| Scored { alternative: id(name), score };
            Ballot::Score(scores.into_iter().map(scored).collect())
        }
        _ => unreachable!("invariant: the form has one field, of a ballot"),
    };
    check_ballot(ask, ballot).map(Reply::Ballot)
}

fn fault_of(reason: FieldReason) -> Fault {
    match reason {
        FieldReason::Missing => Fault::Empty,
        FieldReason::Unreadable | FieldReason::WrongTotal | FieldReason::TooLong => Fault::Unreadable,
        FieldReason::SaidTwice => Fault::Ambiguous,
        FieldReason::UnknownOption => Fault::UnknownAlternative,
        FieldReason::NamedTwice => Fault::NamedTwice,
        FieldReason::NotARanking => Fault::NotARanking,
        FieldReason::NotScored => Fault::NotScored,
        FieldReason::OutOfRange => Fault::ScoreOutOfRange,
        FieldReason::TooShort => Fault::TooShort,
    }
}
