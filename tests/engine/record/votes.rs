//! Ballots and counts of any kind.

use ekklesia::domain::*;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{choice, name, names};

/// Any ballot that says more than one choice, or is for nothing, perhaps with reasons.
pub fn voted() -> impl Strategy<Value = Reply<AlternativeName>> {
    let reasoned = (option::of(ballot()), option::of(any::<String>()));
    reasoned
        .prop_map(|(ballot, why)| ballot.map_or(Reply::Abstention, Reply::Ballot).with_reasoning(why.map(Into::into)))
}

fn seats() -> impl Strategy<Value = Vec<SeatName>> {
    proptest::collection::vec(any::<u8>().prop_map(|number| SeatName::new(&format!("Seat {number}"))), 0..3)
}

fn ballot() -> impl Strategy<Value = Ballot<AlternativeName>> {
    let scored = (name(), any::<u32>()).prop_map(|(alternative, score)| Scored { alternative, score });
    prop_oneof![
        names().prop_map(Ballot::Approval),
        proptest::collection::vec(names(), 0..4).prop_map(Ballot::Ranking),
        proptest::collection::vec(scored, 0..4).prop_map(|scores| {
            let mut named = std::collections::BTreeSet::new();
            Ballot::Score(scores.into_iter().filter(|one| named.insert(one.alternative.clone())).collect())
        }),
    ]
}

pub fn tally() -> impl Strategy<Value = TallyReport> {
    let points = option::of((any::<i64>(), 1..=u64::MAX).prop_map(|(of, unit)| Ratio { of, unit }));
    let counts = proptest::collection::vec((choice(), any::<u32>(), points), 0..4);
    let told = (option::of(name()), option::of(any::<String>()), option::of(any::<bool>()), seats());

    let winners = proptest::collection::vec(choice(), 0..3);
    let rule = select(RuleKind::ALL.to_vec());
    let base = select(vec![Base::Members, Base::Valid]);
    let tie = select(vec![
        TieBreak::Lot,
        TieBreak::AgendaOrder,
        TieBreak::StatusQuo,
        TieBreak::NoDecision,
        TieBreak::Chair,
        TieBreak::RandomBallot,
    ]);
    (
        rule,
        base,
        any::<[u32; 4]>(),
        option::of(any::<u32>()),
        counts,
        winners,
        option::of(tie),
        (option::of(choice()), told),
    )
        .prop_map(
            |(
                rule,
                base,
                [eligible, valid, invalid, abstained],
                threshold,
                counts,
                winners,
                tie_break,
                (decided, told),
            )| {
                TallyReport {
                    rule,
                    base,
                    eligible,
                    valid,
                    invalid,
                    abstained,
                    by_choice: abstained / 2,
                    threshold,
                    counts: counts
                        .into_iter()
                        .map(|(NamedChoice { alternative, amount }, count, points)| TallyCount {
                            alternative,
                            amount,
                            count,
                            points,
                        })
                        .collect(),
                    winners,
                    quorum_met: told.2,
                    tie_ballots: told.3,
                    condorcet_winner: told.0,
                    uncounted: told.1,
                    tie_break,
                    decided,
                    by_default: abstained % 7 == 1,
                    non_binding: abstained % 2 == 1,
                    sampled: (abstained % 5 == 1)
                        .then_some(SampledVotes { samples: eligible, taken: threshold.map(u64::from) }),
                    elects_several: abstained % 3 == 1,
                }
            },
        )
}
