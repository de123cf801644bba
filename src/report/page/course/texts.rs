//! The texts that a session keeps under names: their versions, and the ballots that they got.

use indexmap::IndexMap;
use serde::Serialize;

use super::readings::forms_of;
use super::votes::VoteResult;
use crate::plan::Plan;
use crate::report::numbers::{counted, trim_zeros};
use crate::report::page::cells::Row;

/// A text that is kept under a name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TextHistory {
    /// The name under which it is kept.
    pub name: String,
    /// Its letter.
    pub letter: String,
    /// Its versions, in order.
    pub versions: Vec<TextVersion>,
    /// What it got in each vote over the texts of its name.
    pub votes: Vec<String>,
}

/// A version of a text, or its withdrawal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TextVersion {
    /// The number, from 1.
    pub version: u64,
    /// The seat that wrote it.
    pub author: String,
    /// Its words; `None` if its author withdrew it.
    pub words: Option<String>,
    /// The number of the record.
    pub seq: u64,
}

/// Reads the rows of `texts` of a session of this plan, with what each text got in the votes.
pub fn read_texts(plan: &Plan, rows: &[Row<'_>], votes: &[VoteResult]) -> Vec<TextHistory> {
    let mut texts: IndexMap<[String; 2], TextHistory> = IndexMap::new();
    for row in rows {
        let key = ["name", "letter"].map(|column| row.owned(column).unwrap_or_default());
        let text = texts.entry(key).or_insert_with_key(|[name, letter]| {
            let (name, letter) = (name.clone(), letter.clone());
            TextHistory { name, letter, ..TextHistory::default() }
        });
        text.versions.push(TextVersion {
            version: row.count("version").unwrap_or(0),
            author: row.owned("author").unwrap_or_default(),
            words: row.owned("text"),
            seq: row.count("seq").unwrap_or(0),
        });
    }
    let mut texts: Vec<TextHistory> = texts.into_values().collect();
    texts.sort_by(|one, other| {
        (&one.name, one.letter.len(), &one.letter).cmp(&(&other.name, other.letter.len(), &other.letter))
    });
    for vote in votes {
        let Some(name) = name_voted_texts(plan, &vote.phase) else { continue };
        for text in texts.iter_mut().filter(|text| text.name == name) {
            // A text that is written later was no option.
            let was_there = vote.seq.is_none_or(|seq| text.versions.iter().any(|version| version.seq < seq));
            let count = vote.counts.iter().find(|count| count.alternative == text.letter);
            let got = match count {
                Some(count) if count.points.is_empty() => counted(count.count, "ballot"),
                Some(count) => format!("points: {}", trim_zeros(&count.points)),
                None if was_there => "no ballots".to_owned(),
                None => continue,
            };
            let number = vote.number.map_or(String::new(), |number| format!(" {number}"));
            text.votes.push(format!("vote{number} ({}): {got}", vote.phase));
        }
    }
    texts
}

/// The name of the kept texts that a phase votes on; `None` if it votes on none.
fn name_voted_texts<'p>(plan: &'p Plan, phase: &str) -> Option<&'p str> {
    let mut votes = plan.vote_phases().filter(|(place, _)| plan.agenda[*place].name.written() == phase);
    let pool = votes.find_map(|(_, vote)| vote.over.texts())?;
    let mut kept = forms_of(plan).flat_map(|(_, form)| &form.kept);
    kept.find(|field| field.pool == pool).map(|field| field.name.as_str())
}
