//! Changes of declared stance, and the relevant statements and facts that came before them.
//!
//! A move lists only what the seat heard and its mind can respond to. For a mind that responds to takes from a common stock, it
//! lists the takes of the month before. If only the amount changed, it lists the amounts heard. Nothing here says what caused it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::amounts::{HeardAmounts, collect_amounts};
use super::choices::strip_amount;
use super::hearing::{Earshot, HearingRules};
use super::news::{Cited, News};
use super::spoken::Spoken;
use crate::minds::InfluenceSource;

/// A change of declared stance, or a first stance that differs from the poll before the talk or the seat's own evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The seat.
    pub seat: String,
    /// The round.
    pub round: u64,
    /// The record of the statement.
    pub seq: u64,
    /// The earlier position.
    pub from: String,
    /// The source of the earlier position.
    pub stood: PositionSource,
    /// The new stance.
    pub to: String,
    /// Whether only the amount changed.
    pub is_of_amount: bool,
    /// The beginning of the statement; empty without a text.
    pub words: String,
    /// The heard seats that declared the new stance since this seat last spoke, each with its last such record. Empty if what
    /// the seat heard is unknown.
    pub after: Vec<StatementRef>,
    /// If `after` is empty: the last seat that declared the new stance before this seat last spoke.
    pub earlier: Option<StatementRef>,
    /// If only the amount changed: the amounts heard since this seat last spoke. `None` if there are none, or what the seat heard
    /// is unknown.
    pub amounts: Option<HeardAmounts>,
    /// The facts that were new to the seat, heard since it last spoke.
    pub news: Vec<Cited>,
    /// What the page can say about the time before the move.
    pub before: MoveBackground,
}

/// The source of a seat's position before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PositionSource {
    /// The seat's last declared stance.
    Declared,
    /// The private poll before the talk.
    Polled,
    /// The seat's private signal.
    Evidence,
}

/// What the page can say about the time before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveBackground {
    /// The seats that had spoken for the new stance.
    Voices,
    /// The new facts: the mind weighs facts and ignores who favours what.
    Facts,
    /// Nothing: the mind ignores statements.
    Unheeded,
    /// Nothing: the seat hears no other seat.
    Alone,
    /// Nothing: statements may not have reached the seat, or not in these words.
    Unknown,
}

/// An earlier statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatementRef {
    /// The seat.
    pub seat: String,
    /// The record.
    pub seq: u64,
}

/// Finds the moves of a session.
///
/// A mind that responds to nothing follows a script or a random draw, so a first stance against its own evidence is no move.
pub fn find_moves(
    spoken: &[Spoken],
    begun: &BTreeMap<&str, (String, PositionSource)>,
    news: &[News],
    hearing: &HearingRules,
) -> Vec<Move> {
    let mut found = Vec::new();
    let declared = || spoken.iter().filter(|turn| !turn.stance.is_empty()).map(|turn| &turn.alternative);
    let is_one = declared().zip(declared().skip(1)).all(|(one, next)| one == next);
    for (place, turn) in spoken.iter().enumerate().filter(|(_, turn)| !turn.stance.is_empty()) {
        let own = spoken[..place].iter().rposition(|other| other.seat == turn.seat && !other.stance.is_empty());
        let from = match own {
            Some(last) => Some((&spoken[last].stance, PositionSource::Declared)),
            None => begun.get(turn.seat.as_str()).map(|(from, stood)| (from, *stood)),
        };
        let source = hearing.influence_source(&turn.seat);
        let is_moved = |(from, stood): &(&String, PositionSource)| match stood {
            PositionSource::Evidence => **from != turn.alternative && source > InfluenceSource::Nothing,
            PositionSource::Declared | PositionSource::Polled => **from != turn.stance,
        };
        let Some((from, stood)) = from.filter(|(from, _)| !from.is_empty()).filter(is_moved) else { continue };
        let (long_ago, heard) = hearing.statements_heard(&spoken[..place], turn, own);
        let follows_stances = source >= InfluenceSource::EarlierRounds;
        let mut after: Vec<StatementRef> = Vec::new();
        let mut earlier = None;
        if follows_stances {
            let is_for = |other: &&&Spoken| other.stance == turn.stance;
            let last = long_ago.iter().rfind(is_for);
            earlier = last.map(|voice| StatementRef { seat: voice.seat.clone(), seq: voice.seq });
            for voice in heard.iter().filter(is_for) {
                after.retain(|known| known.seat != voice.seat);
                after.push(StatementRef { seat: voice.seat.clone(), seq: voice.seq });
            }
        }
        let is_of_amount = strip_amount(from) == strip_amount(&turn.stance);
        let mut amounts = collect_amounts(&heard, &turn.alternative);
        // With one alternative, its name adds nothing.
        if let Some(amounts) = amounts.as_mut().filter(|_| is_one) {
            amounts.of.clear();
        }
        let is_new = |one: &&News| heard.iter().any(|other| other.seq == one.seq);
        found.push(Move {
            seat: turn.seat.clone(),
            round: turn.round,
            seq: turn.seq,
            from: from.clone(),
            stood,
            to: turn.stance.clone(),
            is_of_amount,
            words: turn.words.clone(),
            earlier: earlier.filter(|_| after.is_empty()),
            after,
            amounts: amounts.filter(|_| is_of_amount && follows_stances),
            news: news.iter().filter(is_new).flat_map(|one| one.heard_by(&turn.seat)).collect(),
            before: match (hearing.floor, source) {
                (_, InfluenceSource::Nothing) => MoveBackground::Unheeded,
                _ if hearing.is_alone(&turn.seat) => MoveBackground::Alone,
                (Earshot::Some, _) => MoveBackground::Unknown,
                (_, InfluenceSource::Facts) if hearing.network.is_some() => MoveBackground::Unknown,
                (_, InfluenceSource::Facts) => MoveBackground::Facts,
                (_, InfluenceSource::EarlierRounds | InfluenceSource::Stances) => MoveBackground::Voices,
            },
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::amounts::NamedAmount;
    use super::super::choices::with_amount;
    use super::super::news::find_news;
    use super::*;

    fn turn((seat, round, seq, stance): (&str, u64, u64, &str)) -> Spoken {
        let [seat, stance, phase] = [seat, stance, "talk"].map(str::to_owned);
        Spoken { seat, phase, round, seq, alternative: stance.clone(), stance, ..Spoken::default() }
    }

    fn hearing(floor: Earshot, minds: &[(&str, InfluenceSource)]) -> HearingRules {
        HearingRules {
            floor,
            network: None,
            minds: minds.iter().map(|(seat, source)| ((*seat).to_owned(), *source)).collect(),
        }
    }

    const TALK: [(&str, u64, u64, &str); 7] = [
        ("Ann", 1, 1, "yes"),
        ("Bob", 1, 2, "no"),
        ("Cem", 1, 3, "yes"),
        ("Ann", 2, 4, "yes"),
        ("Dan", 2, 5, ""),
        ("Bob", 2, 6, "yes"),
        ("Cem", 2, 7, "no"),
    ];

    /// The records of moves, each with the records in `after`.
    fn list_moves(polled: &BTreeMap<&str, (String, PositionSource)>, hearing: &HearingRules) -> Vec<(u64, Vec<u64>)> {
        let voices = |found: &Move| found.after.iter().map(|voice| voice.seq).collect();
        let found = find_moves(&TALK.map(turn), polled, &[], hearing);
        found.iter().map(|found| (found.seq, voices(found))).collect()
    }

    #[test]
    fn a_move_lists_the_seats_that_spoke_for_it_since_the_mover_last_spoke() {
        let nobody = BTreeMap::new();
        // Bob himself had spoken for the other side, but before Cem last spoke.
        assert_eq!(list_moves(&nobody, &hearing(Earshot::AllBefore, &[])), [(6, vec![3, 4]), (7, vec![])]);
        assert_eq!(list_moves(&nobody, &hearing(Earshot::EarlierRounds, &[])), [(6, vec![1, 3]), (7, vec![2])]);
        assert_eq!(list_moves(&nobody, &hearing(Earshot::Some, &[])), [(6, vec![]), (7, vec![])]);
    }

    #[test]
    fn without_a_recent_voice_a_move_names_the_last_earlier_one() {
        let found = find_moves(&TALK.map(turn), &BTreeMap::new(), &[], &hearing(Earshot::AllBefore, &[]));
        let earlier: Vec<_> = found.iter().map(|one| one.earlier.as_ref().map(|voice| voice.seq)).collect();
        // Ann spoke for Bob's new stance after Bob last spoke. Bob spoke for Cem's new stance before Cem last spoke.
        assert_eq!(earlier, [None, Some(2)]);
        let deaf = hearing(Earshot::AllBefore, &[("Cem", InfluenceSource::Nothing)]);
        assert_eq!(find_moves(&TALK.map(turn), &BTreeMap::new(), &[], &deaf)[1].earlier, None);
    }

    #[test]
    fn a_first_stance_that_differs_from_the_poll_before_the_talk_is_a_move() {
        let polled = [("Ann", "yes"), ("Bob", "yes"), ("Cem", "no"), ("Dan", "no")];
        let polled = polled.map(|(seat, to)| (seat, (to.to_owned(), PositionSource::Polled)));
        let found = find_moves(&TALK.map(turn), &BTreeMap::from(polled), &[], &hearing(Earshot::AllBefore, &[]));
        let listed: Vec<_> =
            found.iter().map(|one| (one.seq, one.from.as_str(), one.stood == PositionSource::Polled)).collect();
        // Ann keeps her choice, and Dan declares nothing.
        assert_eq!(listed, [(2, "yes", true), (3, "no", true), (6, "no", false), (7, "yes", false)]);
        assert_eq!(found[1].after, [StatementRef { seat: "Ann".to_owned(), seq: 1 }]);
    }

    #[test]
    fn a_move_lists_only_what_the_rule_of_its_mind_responds_to() {
        let nobody = BTreeMap::new();
        let before = |source: InfluenceSource, floor: Earshot| {
            let found = find_moves(&TALK.map(turn), &nobody, &[], &hearing(floor, &[("Bob", source)]));
            (found[0].before, found[0].after.iter().map(|voice| voice.seq).collect::<Vec<_>>())
        };
        assert_eq!(before(InfluenceSource::Nothing, Earshot::AllBefore), (MoveBackground::Unheeded, vec![]));
        assert_eq!(before(InfluenceSource::Nothing, Earshot::Some), (MoveBackground::Unheeded, vec![]));
        assert_eq!(before(InfluenceSource::Facts, Earshot::AllBefore), (MoveBackground::Facts, vec![]));
        assert_eq!(before(InfluenceSource::Facts, Earshot::Some), (MoveBackground::Unknown, vec![]));
        assert_eq!(before(InfluenceSource::EarlierRounds, Earshot::AllBefore), (MoveBackground::Voices, vec![1, 3]));
        assert_eq!(before(InfluenceSource::Stances, Earshot::AllBefore), (MoveBackground::Voices, vec![3, 4]));
        assert_eq!(before(InfluenceSource::Stances, Earshot::Some), (MoveBackground::Unknown, vec![]));
    }

    #[test]
    fn a_fact_is_news_once_to_seats_that_lack_it_and_is_listed_with_a_later_move() {
        let mut talk = TALK.map(turn);
        talk[0].facts = vec!["A1".to_owned(), "A2".to_owned()];
        talk[3].facts = vec!["A1".to_owned(), "A3".to_owned()];
        let alone = |facts: &[&str]| facts.iter().map(|fact| (*fact).to_owned()).collect::<Vec<_>>();
        let seats = [
            ("Ann", alone(&["A1", "A2", "A3"])),
            ("Bob", alone(&["A2"])),
            ("Cem", alone(&["A2", "A3"])),
            ("Dan", alone(&["A2"])),
        ]
        .map(|(seat, facts)| (seat.to_owned(), facts));
        let all = find_news(&talk, &seats, Earshot::AllBefore);
        let to: Vec<_> = all
            .iter()
            .flat_map(|one| one.facts.iter().map(|new| (one.seq, new.fact.as_str(), new.to.join(" "))))
            .collect();
        // Everybody knows A2, and Ann's second mention of A1 is no news.
        assert_eq!(to, [(1, "A1", "Bob Cem Dan".to_owned()), (4, "A3", "Bob Dan".to_owned())]);
        let found = find_moves(&talk, &BTreeMap::new(), &all, &hearing(Earshot::AllBefore, &[]));
        let heard: Vec<_> = found
            .iter()
            .map(|one| (one.seat.as_str(), one.news.iter().map(|new| new.fact.as_str()).collect::<Vec<_>>()))
            .collect();
        assert_eq!(heard, [("Bob", vec!["A3"]), ("Cem", vec![])]);
        let unknown = find_news(&talk, &seats, Earshot::Some);
        assert!(unknown.iter().flat_map(|one| &one.facts).all(|new| new.to.is_empty() && !new.is_told), "{unknown:?}");
        assert_eq!(unknown.iter().map(|one| one.facts.len()).collect::<Vec<_>>(), [1, 1]);
    }

    /// Five seats that name amounts for one alternative in two rounds.
    fn estimates() -> Vec<Spoken> {
        let named =
            [("Ann", 1, 1, 100), ("Bob", 1, 2, 300), ("Cem", 1, 3, 200), ("Dan", 1, 4, 1500), ("Eve", 1, 5, 900)];
        let named = named.into_iter().chain([("Ann", 2, 6, 250), ("Bob", 2, 7, 300)]);
        let turn = |(seat, round, seq, amount): (&str, u64, u64, u64)| Spoken {
            stance: with_amount("estimate".to_owned(), Some(amount)),
            alternative: "estimate".to_owned(),
            amount: Some(amount),
            ..turn((seat, round, seq, ""))
        };
        named.map(turn).collect()
    }

    #[test]
    fn a_move_to_another_amount_lists_the_amounts_heard() {
        let amounts_heard = |network: &[&str]| {
            let own = BTreeMap::from([("Ann".to_owned(), network.iter().map(|name| (*name).to_owned()).collect())]);
            let hearing = HearingRules { network: Some(own), ..hearing(Earshot::EarlierRounds, &[]) };
            let found = find_moves(&estimates(), &BTreeMap::new(), &[], &hearing);
            assert_eq!((found.len(), found[0].seq, found[0].before), (1, 6, MoveBackground::Voices));
            let amounts = found[0].amounts.clone();
            let listed = |one: &NamedAmount| (one.seq, one.amount.clone());
            amounts.map(|all| (all.seats, all.is_all, all.listed.iter().map(listed).collect::<Vec<_>>()))
        };
        let named = |seq: u64, amount: &str| (seq, amount.to_owned());
        let (bob, cem, dan, eve) = (named(2, "300"), named(3, "200"), named(4, "1\u{a0}500"), named(5, "900"));
        assert_eq!(amounts_heard(&["Eve"]), Some((1, true, vec![eve.clone()])));
        assert_eq!(amounts_heard(&["Bob", "Eve"]), Some((2, true, vec![bob.clone(), eve.clone()])));
        assert_eq!(amounts_heard(&["Bob", "Dan", "Eve"]), Some((3, true, vec![bob, dan.clone(), eve])));
        assert_eq!(amounts_heard(&["Bob", "Cem", "Dan", "Eve"]), Some((4, false, vec![cem, dan])));
        let alone = HearingRules { network: Some(BTreeMap::new()), ..hearing(Earshot::EarlierRounds, &[]) };
        let found = find_moves(&estimates(), &BTreeMap::new(), &[], &alone);
        assert_eq!((found[0].before, &found[0].amounts), (MoveBackground::Alone, &None));
        let all = |hearing: &HearingRules| find_moves(&estimates(), &BTreeMap::new(), &[], hearing)[0].amounts.clone();
        assert_eq!(all(&hearing(Earshot::AllBefore, &[])).unwrap().seats, 4);
        assert_eq!(all(&hearing(Earshot::Some, &[])), None);
        assert_eq!(all(&hearing(Earshot::AllBefore, &[("Ann", InfluenceSource::Nothing)])), None);
    }

    #[test]
    fn a_first_stance_against_own_evidence_is_a_move_unless_the_mind_responds_to_nothing() {
        let signals = [("Ann", "no"), ("Bob", "yes"), ("Cem", "yes")];
        let begun = BTreeMap::from(signals.map(|(seat, to)| (seat, (to.to_owned(), PositionSource::Evidence))));
        let listed = |hearing: &HearingRules| -> Vec<(u64, PositionSource)> {
            find_moves(&TALK.map(turn), &begun, &[], hearing).iter().map(|one| (one.seq, one.stood)).collect()
        };
        let later = [(6, PositionSource::Declared), (7, PositionSource::Declared)];
        let all = [(1, PositionSource::Evidence), (2, PositionSource::Evidence)];
        assert_eq!(listed(&hearing(Earshot::AllBefore, &[])), [&all[..], &later].concat());
        assert_eq!(
            listed(&hearing(Earshot::AllBefore, &[("Ann", InfluenceSource::Nothing)])),
            [&all[1..], &later].concat()
        );
    }
}
