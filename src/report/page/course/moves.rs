//! Who changed the stance it declares, when, and whose words for the new one came before; and which facts were said first by whom.
//!
//! What came before is told only as far as the floor lets a seat hear it and the rule of its mind heeds it. Of a mind that heeds what
//! others take from a common stock it is what they took before it took what it now declares; of a seat that names another amount than
//! before it is what those whom it hears had named. That it was the reason is told nowhere.

use std::collections::BTreeMap;

use serde::Serialize;

use super::amounts::{Amounts, amounts};
use super::hearing::{Floor, Hearing};
use super::news::{Cited, News};
use super::paid::OthersTook;
use crate::minds::InfluenceSource;
use crate::report::page::cells::Row;
use crate::text::{MARKER, truncate_text};

/// Of a statement by which a seat moves so many characters are told beside it.
const WORDS: u32 = 200;

/// A turn on the floor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Who.
    pub seat: String,
    /// The phase.
    pub phase: String,
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// What it declared to favour, with the amount; empty where nothing.
    pub stance: String,
    /// The same without the amount.
    pub alternative: String,
    /// The amount; `None` where there is none.
    pub amount: Option<u64>,
    /// The beginning of what it said.
    pub words: String,
    /// The facts of the case that it cited.
    pub facts: Vec<String>,
}

/// A change of declared stance; or a first stance that is not what its seat had chosen in private before the talk, or what its own
/// evidence points to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Who.
    pub seat: String,
    /// The phase.
    pub phase: String,
    /// The round.
    pub round: u64,
    /// The record of the statement that declares it.
    pub seq: u64,
    /// What it had declared last, chosen in the poll, or been told that its own evidence points to.
    pub from: String,
    /// How it stood for that.
    pub stood: Stood,
    /// What it declares now.
    pub to: String,
    /// Whether only the amount is another one.
    pub is_of_amount: bool,
    /// The beginning of what it said then; empty where it said nothing.
    pub words: String,
    /// Those who had declared the same since this seat spoke last, each with its last such record, in order; empty where nobody
    /// had, and unless that can be told.
    pub after: Vec<Voice>,
    /// Where there is none of these: who had declared the same last, before this seat spoke last.
    pub earlier: Option<Voice>,
    /// Where another amount alone is declared: what those whom it heard since had named; `None` where nobody had, and unless that can
    /// be told.
    pub amounts: Option<Amounts>,
    /// The facts that were new to it among what it heard since it spoke last.
    pub news: Vec<Cited>,
    /// What the others took before it took what it declares, where the rule of its mind heeds that and they had taken anything.
    pub others_took: Option<OthersTook>,
    /// What can be told of what came before.
    pub before: Before,
}

/// How a seat stood for something before it declared another stance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stood {
    /// It had declared it.
    Declared,
    /// It had chosen it in the private poll before the talk.
    Polled,
    /// It was told alone that its own evidence points to it.
    Evidence,
}

/// What can be told of what came before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Before {
    /// Who had spoken for it.
    Voices,
    /// Which facts were new: its mind weighs facts, and not who favours what.
    Facts,
    /// What the others took from a common stock: its mind heeds that, and nothing that is said.
    Takes,
    /// Nothing: its mind heeds nothing that is said.
    Unheeded,
    /// Nothing: it hears no other seat.
    Alone,
    /// Nothing: not all that was said reaches it, or not these words.
    Unknown,
}

/// A statement that came before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Voice {
    /// Whose.
    pub seat: String,
    /// The record.
    pub seq: u64,
}

/// The statements of a session, in order.
pub fn spoken(rows: &[Row<'_>]) -> Vec<Spoken> {
    let statements = rows.iter().filter(|row| row.text("kind") == Some("statement"));
    let turn = |row: &Row<'_>| Spoken {
        seat: row.owned("seat").unwrap_or_default(),
        phase: row.owned("phase").unwrap_or_default(),
        round: row.count("round").unwrap_or(0),
        seq: row.count("seq").unwrap_or(0),
        stance: super::with_amount(row.owned("stance").unwrap_or_default(), row.count("stance_amount")),
        alternative: row.owned("stance").unwrap_or_default(),
        amount: row.count("stance_amount"),
        words: beginning(row.text("text").unwrap_or_default()),
        facts: row.text("facts").map_or(Vec::new(), |ids| ids.split('|').map(str::to_owned).collect()),
    };
    statements.map(turn).collect()
}

/// The beginning of a text, in one line.
pub(super) fn beginning(text: &str) -> String {
    let cut = truncate_text(text, WORDS);
    let line = text[..cut.kept_bytes].split_whitespace().collect::<Vec<_>>().join(" ");
    if cut.is_cut { line + MARKER } else { line }
}

/// Every statement that declares another stance than its seat had declared last, or, where it is its first, than it stood for before
/// the talk, by seat. Of minds that heed nothing a first stance against their own evidence is none: they follow a script, or a lot.
pub fn moves(
    spoken: &[Spoken],
    begun: &BTreeMap<&str, (String, Stood)>,
    news: &[News],
    hearing: &Hearing,
) -> Vec<Move> {
    let mut found = Vec::new();
    let declared = || spoken.iter().filter(|turn| !turn.stance.is_empty()).map(|turn| &turn.alternative);
    let is_one = declared().zip(declared().skip(1)).all(|(one, next)| one == next);
    for (place, turn) in spoken.iter().enumerate().filter(|(_, turn)| !turn.stance.is_empty()) {
        let own = spoken[..place].iter().rposition(|other| other.seat == turn.seat && !other.stance.is_empty());
        let from = match own {
            Some(last) => Some((&spoken[last].stance, Stood::Declared)),
            None => begun.get(turn.seat.as_str()).map(|(from, stood)| (from, *stood)),
        };
        let is_moved = |(from, stood): &(&String, Stood)| match stood {
            Stood::Evidence => **from != turn.alternative && hearing.heeds(&turn.seat) > InfluenceSource::Nothing,
            Stood::Declared | Stood::Polled => **from != turn.stance,
        };
        let Some((from, stood)) = from.filter(|(from, _)| !from.is_empty()).filter(is_moved) else { continue };
        let (long_ago, heard) = hearing.heard(&spoken[..place], turn, own);
        let heeds_stances = hearing.heeds(&turn.seat) >= InfluenceSource::EarlierRounds;
        let mut after: Vec<Voice> = Vec::new();
        let mut earlier = None;
        if heeds_stances {
            let is_for = |other: &&&Spoken| other.stance == turn.stance;
            let last = long_ago.iter().rfind(is_for);
            earlier = last.map(|voice| Voice { seat: voice.seat.clone(), seq: voice.seq });
            for voice in heard.iter().filter(is_for) {
                after.retain(|known| known.seat != voice.seat);
                after.push(Voice { seat: voice.seat.clone(), seq: voice.seq });
            }
        }
        let is_of_amount = alternative(from) == alternative(&turn.stance);
        let mut amounts = amounts(&heard, &turn.alternative);
        // There is nothing to tell apart.
        if let Some(amounts) = amounts.as_mut().filter(|_| is_one) {
            amounts.of.clear();
        }
        let is_new = |one: &&News| heard.iter().any(|other| other.seq == one.seq);
        found.push(Move {
            seat: turn.seat.clone(),
            phase: turn.phase.clone(),
            round: turn.round,
            seq: turn.seq,
            from: from.clone(),
            stood,
            to: turn.stance.clone(),
            is_of_amount,
            words: turn.words.clone(),
            earlier: earlier.filter(|_| after.is_empty()),
            after,
            amounts: amounts.filter(|_| is_of_amount && heeds_stances),
            news: news.iter().filter(is_new).flat_map(|one| one.heard_by(&turn.seat)).collect(),
            others_took: None,
            before: match (hearing.floor, hearing.heeds(&turn.seat)) {
                (_, InfluenceSource::Nothing) => Before::Unheeded,
                (_, InfluenceSource::Takes) => Before::Takes,
                _ if hearing.is_alone(&turn.seat) => Before::Alone,
                (Floor::Some, _) => Before::Unknown,
                (_, InfluenceSource::Facts) if hearing.network.is_some() => Before::Unknown,
                (_, InfluenceSource::Facts) => Before::Facts,
                (_, InfluenceSource::EarlierRounds | InfluenceSource::Stances) => Before::Voices,
            },
        });
    }
    found
}

/// A choice without its amount.
fn alternative(choice: &str) -> &str {
    let is_amount = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '\u{a0}');
    choice.rsplit_once(' ').filter(|(_, rest)| is_amount(rest)).map_or(choice, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::super::news::news;
    use super::*;

    fn turn((seat, round, seq, stance): (&str, u64, u64, &str)) -> Spoken {
        let [seat, stance, phase] = [seat, stance, "talk"].map(str::to_owned);
        Spoken { seat, phase, round, seq, alternative: stance.clone(), stance, ..Spoken::default() }
    }

    fn hearing(floor: Floor, minds: &[(&str, InfluenceSource)]) -> Hearing {
        Hearing {
            floor,
            network: None,
            minds: minds.iter().map(|(seat, heeds)| ((*seat).to_owned(), *heeds)).collect(),
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

    /// The records of moves, each with those that came before it.
    fn told(polled: &BTreeMap<&str, (String, Stood)>, hearing: &Hearing) -> Vec<(u64, Vec<u64>)> {
        let voices = |found: &Move| found.after.iter().map(|voice| voice.seq).collect();
        let found = moves(&TALK.map(turn), polled, &[], hearing);
        found.iter().map(|found| (found.seq, voices(found))).collect()
    }

    #[test]
    fn a_move_follows_those_who_spoke_for_it_since_its_seat_spoke_last_and_no_others() {
        let nobody = BTreeMap::new();
        // Bob had spoken for the other side himself, but that was before Cem moved to it.
        assert_eq!(told(&nobody, &hearing(Floor::AllBefore, &[])), [(6, vec![3, 4]), (7, vec![])]);
        assert_eq!(told(&nobody, &hearing(Floor::EarlierRounds, &[])), [(6, vec![1, 3]), (7, vec![2])]);
        assert_eq!(told(&nobody, &hearing(Floor::Some, &[])), [(6, vec![]), (7, vec![])]);
    }

    #[test]
    fn where_nobody_spoke_for_it_since_it_is_told_who_had_before() {
        let found = moves(&TALK.map(turn), &BTreeMap::new(), &[], &hearing(Floor::AllBefore, &[]));
        let earlier: Vec<_> = found.iter().map(|one| one.earlier.as_ref().map(|voice| voice.seq)).collect();
        // Ann had spoken for what Bob moves to since, Bob for what Cem moves to before Cem's own last words.
        assert_eq!(earlier, [None, Some(2)]);
        let deaf = hearing(Floor::AllBefore, &[("Cem", InfluenceSource::Nothing)]);
        assert_eq!(moves(&TALK.map(turn), &BTreeMap::new(), &[], &deaf)[1].earlier, None);
    }

    #[test]
    fn the_first_stance_that_differs_from_the_poll_before_the_talk_is_a_move() {
        let polled = [("Ann", "yes"), ("Bob", "yes"), ("Cem", "no"), ("Dan", "no")];
        let polled = polled.map(|(seat, to)| (seat, (to.to_owned(), Stood::Polled)));
        let found = moves(&TALK.map(turn), &BTreeMap::from(polled), &[], &hearing(Floor::AllBefore, &[]));
        let told: Vec<_> = found.iter().map(|one| (one.seq, one.from.as_str(), one.stood == Stood::Polled)).collect();
        // Ann stays with what she chose, and Dan declares nothing.
        assert_eq!(told, [(2, "yes", true), (3, "no", true), (6, "no", false), (7, "yes", false)]);
        assert_eq!(found[1].after, [Voice { seat: "Ann".to_owned(), seq: 1 }]);
    }

    #[test]
    fn of_what_came_before_a_move_nothing_is_told_that_the_rule_of_its_mind_does_not_heed() {
        let nobody = BTreeMap::new();
        let before = |heeds: InfluenceSource, floor: Floor| {
            let found = moves(&TALK.map(turn), &nobody, &[], &hearing(floor, &[("Bob", heeds)]));
            (found[0].before, found[0].after.iter().map(|voice| voice.seq).collect::<Vec<_>>())
        };
        assert_eq!(before(InfluenceSource::Nothing, Floor::AllBefore), (Before::Unheeded, vec![]));
        assert_eq!(before(InfluenceSource::Nothing, Floor::Some), (Before::Unheeded, vec![]));
        assert_eq!(before(InfluenceSource::Takes, Floor::AllBefore), (Before::Takes, vec![]));
        assert_eq!(before(InfluenceSource::Facts, Floor::AllBefore), (Before::Facts, vec![]));
        assert_eq!(before(InfluenceSource::Facts, Floor::Some), (Before::Unknown, vec![]));
        assert_eq!(before(InfluenceSource::EarlierRounds, Floor::AllBefore), (Before::Voices, vec![1, 3]));
        assert_eq!(before(InfluenceSource::Stances, Floor::AllBefore), (Before::Voices, vec![3, 4]));
        assert_eq!(before(InfluenceSource::Stances, Floor::Some), (Before::Unknown, vec![]));
    }

    #[test]
    fn a_fact_is_news_once_to_those_who_were_not_told_it_and_stands_with_the_move_behind_it() {
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
        let all = news(&talk, &seats, Floor::AllBefore);
        let to: Vec<_> = all
            .iter()
            .flat_map(|one| one.facts.iter().map(|new| (one.seq, new.fact.as_str(), new.to.join(" "))))
            .collect();
        // Everybody knows A2, and what Ann says of A1 again is no news.
        assert_eq!(to, [(1, "A1", "Bob Cem Dan".to_owned()), (4, "A3", "Bob Dan".to_owned())]);
        let found = moves(&talk, &BTreeMap::new(), &all, &hearing(Floor::AllBefore, &[]));
        let heard: Vec<_> = found
            .iter()
            .map(|one| (one.seat.as_str(), one.news.iter().map(|new| new.fact.as_str()).collect::<Vec<_>>()))
            .collect();
        assert_eq!(heard, [("Bob", vec!["A3"]), ("Cem", vec![])]);
        let unknown = news(&talk, &seats, Floor::Some);
        assert!(unknown.iter().flat_map(|one| &one.facts).all(|new| new.to.is_empty() && !new.is_told), "{unknown:?}");
        assert_eq!(unknown.iter().map(|one| one.facts.len()).collect::<Vec<_>>(), [1, 1]);
    }

    /// Five seats that name amounts in two rounds, of one alternative alone.
    fn estimates() -> Vec<Spoken> {
        let named =
            [("Ann", 1, 1, 100), ("Bob", 1, 2, 300), ("Cem", 1, 3, 200), ("Dan", 1, 4, 1500), ("Eve", 1, 5, 900)];
        let named = named.into_iter().chain([("Ann", 2, 6, 250), ("Bob", 2, 7, 300)]);
        let turn = |(seat, round, seq, amount): (&str, u64, u64, u64)| Spoken {
            stance: super::super::with_amount("estimate".to_owned(), Some(amount)),
            alternative: "estimate".to_owned(),
            amount: Some(amount),
            ..turn((seat, round, seq, ""))
        };
        named.map(turn).collect()
    }

    #[test]
    fn a_move_to_another_amount_follows_what_those_whom_its_seat_hears_had_named() {
        let told = |network: &[&str]| {
            let own = BTreeMap::from([("Ann".to_owned(), network.iter().map(|name| (*name).to_owned()).collect())]);
            let hearing = Hearing { network: Some(own), ..hearing(Floor::EarlierRounds, &[]) };
            let found = moves(&estimates(), &BTreeMap::new(), &[], &hearing);
            assert_eq!((found.len(), found[0].seq, found[0].before), (1, 6, Before::Voices));
            let amounts = found[0].amounts.clone();
            amounts.map(|all| {
                (all.seats, all.is_all, all.told.iter().map(|one| one.seq).collect::<Vec<_>>(), all.in_a_line())
            })
        };
        assert_eq!(told(&["Eve"]), Some((1, true, vec![5], " after Eve (900)".to_owned())));
        assert_eq!(told(&["Bob", "Eve"]), Some((2, true, vec![2, 5], " after Bob (300) and Eve (900)".to_owned())));
        let three = " after Bob (300), Dan (1\u{a0}500) and Eve (900)".to_owned();
        assert_eq!(told(&["Bob", "Dan", "Eve"]), Some((3, true, vec![2, 4, 5], three)));
        let many = Some((4, false, vec![3, 4], " after 4 others (200 to 1\u{a0}500)".to_owned()));
        assert_eq!(told(&["Bob", "Cem", "Dan", "Eve"]), many);
        let alone = Hearing { network: Some(BTreeMap::new()), ..hearing(Floor::EarlierRounds, &[]) };
        let found = moves(&estimates(), &BTreeMap::new(), &[], &alone);
        assert_eq!((found[0].before, &found[0].amounts), (Before::Alone, &None));
        let all = |hearing: &Hearing| moves(&estimates(), &BTreeMap::new(), &[], hearing)[0].amounts.clone();
        assert_eq!(all(&hearing(Floor::AllBefore, &[])).unwrap().seats, 4);
        assert_eq!(all(&hearing(Floor::Some, &[])), None);
        assert_eq!(all(&hearing(Floor::AllBefore, &[("Ann", InfluenceSource::Nothing)])), None);
    }

    #[test]
    fn a_first_stance_against_its_seats_own_evidence_is_told_but_of_minds_that_heed_nothing() {
        let signals = [("Ann", "no"), ("Bob", "yes"), ("Cem", "yes")];
        let begun = BTreeMap::from(signals.map(|(seat, to)| (seat, (to.to_owned(), Stood::Evidence))));
        let told = |hearing: &Hearing| -> Vec<(u64, Stood)> {
            moves(&TALK.map(turn), &begun, &[], hearing).iter().map(|one| (one.seq, one.stood)).collect()
        };
        let later = [(6, Stood::Declared), (7, Stood::Declared)];
        let all = [(1, Stood::Evidence), (2, Stood::Evidence)];
        assert_eq!(told(&hearing(Floor::AllBefore, &[])), [&all[..], &later].concat());
        assert_eq!(
            told(&hearing(Floor::AllBefore, &[("Ann", InfluenceSource::Nothing)])),
            [&all[1..], &later].concat()
        );
    }
}
