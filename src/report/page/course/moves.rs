//! Who changed the stance it declares, when, and whose words for the new one came before.

use serde::Serialize;

use crate::report::page::cells::Row;
use crate::text::{MARKER, truncate};

/// Of a statement by which a seat moves so many characters are told beside it.
const WORDS: u32 = 200;

/// Whose statements reach a seat before it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hearing {
    /// All that were made before.
    AllBefore,
    /// Those of earlier rounds: a round's are made at the same time.
    EarlierRounds,
    /// Not those of everybody, or not those that were made.
    Some,
}

/// A turn on the floor.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The beginning of what it said.
    pub words: String,
}

/// A change of declared stance.
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
    /// What it had declared last.
    pub from: String,
    /// What it declares now.
    pub to: String,
    /// The beginning of what it said then; empty where it said nothing.
    pub words: String,
    /// Those who had declared the same since this seat spoke last, each with its last such record, in order; empty where nobody
    /// had, and where not everybody hears everybody.
    pub after: Vec<Voice>,
    /// Whether it can be told who was heard before.
    pub is_told: bool,
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
        words: beginning(row.text("text").unwrap_or_default()),
    };
    statements.map(turn).collect()
}

/// The beginning of a text, in one line.
fn beginning(text: &str) -> String {
    let cut = truncate(text, WORDS);
    let line = text[..cut.kept_bytes].split_whitespace().collect::<Vec<_>>().join(" ");
    if cut.is_cut { line + MARKER } else { line }
}

/// Every statement that declares another stance than its seat had declared last.
pub fn moves(spoken: &[Spoken], hearing: Hearing) -> Vec<Move> {
    let mut found = Vec::new();
    for (place, turn) in spoken.iter().enumerate().filter(|(_, turn)| !turn.stance.is_empty()) {
        let earlier = &spoken[..place];
        let own = earlier.iter().rposition(|other| other.seat == turn.seat && !other.stance.is_empty());
        let Some(last) = own.filter(|last| earlier[*last].stance != turn.stance) else { continue };
        let is_heard = |other: &&Spoken| match hearing {
            Hearing::AllBefore => true,
            Hearing::EarlierRounds => other.phase != turn.phase || other.round < turn.round,
            Hearing::Some => false,
        };
        // What was said in the round of its own last words, at the same time, it heard only afterwards.
        let since = match hearing {
            Hearing::EarlierRounds => {
                let own = &earlier[last];
                earlier.iter().position(|other| other.phase == own.phase && other.round == own.round).unwrap_or(last)
            }
            Hearing::AllBefore | Hearing::Some => last + 1,
        };
        let mut after: Vec<Voice> = Vec::new();
        let those = earlier[since..].iter().filter(is_heard).filter(|other| other.stance == turn.stance);
        for voice in those.filter(|other| other.seat != turn.seat) {
            after.retain(|known| known.seat != voice.seat);
            after.push(Voice { seat: voice.seat.clone(), seq: voice.seq });
        }
        found.push(Move {
            seat: turn.seat.clone(),
            phase: turn.phase.clone(),
            round: turn.round,
            seq: turn.seq,
            from: earlier[last].stance.clone(),
            to: turn.stance.clone(),
            words: turn.words.clone(),
            after,
            is_told: hearing != Hearing::Some,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn((seat, round, seq, stance): (&str, u64, u64, &str)) -> Spoken {
        let [seat, stance, phase] = [seat, stance, "talk"].map(str::to_owned);
        Spoken { seat, phase, round, seq, stance, words: String::new() }
    }

    #[test]
    fn a_move_follows_those_who_spoke_for_it_since_its_seat_spoke_last_and_no_others() {
        let talk = [
            ("Ann", 1, 1, "yes"),
            ("Bob", 1, 2, "no"),
            ("Cem", 1, 3, "yes"),
            ("Ann", 2, 4, "yes"),
            ("Dan", 2, 5, ""),
            ("Bob", 2, 6, "yes"),
            ("Cem", 2, 7, "no"),
        ]
        .map(turn);
        let told = |hearing| {
            let voices = |found: &Move| found.after.iter().map(|voice| voice.seq).collect::<Vec<_>>();
            moves(&talk, hearing).iter().map(|found| (found.seq, voices(found))).collect::<Vec<_>>()
        };
        // Bob had spoken for the other side himself, but that was before Cem moved to it.
        assert_eq!(told(Hearing::AllBefore), [(6, vec![3, 4]), (7, vec![])]);
        assert_eq!(told(Hearing::EarlierRounds), [(6, vec![1, 3]), (7, vec![2])]);
        assert_eq!(told(Hearing::Some), [(6, vec![]), (7, vec![])]);
    }
}
