//! BM25 as its formula reads, worked out anew for every text and every query, without an index.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

/// The words of one record.
#[derive(Debug, Clone, Default)]
pub struct Text {
    pub session: String,
    pub seq: u64,
    pub phase: String,
    pub round: u64,
    pub seat: String,
    pub kind: String,
    words: Vec<String>,
}

/// Every record that holds words.
#[derive(Debug, Default)]
pub struct Naive(Vec<Text>);

/// A record that answers a query.
#[derive(Debug)]
pub struct Hit {
    pub place: (String, u64),
    pub score: f64,
}

impl Naive {
    /// The words of all minutes below a results folder, read as JSON.
    pub fn read(root: &Path) -> Self {
        let mut names: Vec<_> =
            fs::read_dir(root.join("sessions")).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        let mut all = Self::default();
        for folder in names {
            let session = folder.file_name().unwrap().to_str().unwrap();
            for line in fs::read_to_string(folder.join("minutes.jsonl")).unwrap().lines() {
                let record: Value = serde_json::from_str(line).unwrap();
                let (event, fields) = record["event"].as_object().unwrap().iter().next().unwrap();
                let field = |name: &str| fields[name].as_str().unwrap_or_default();
                let value = |name: &str| fields["values"][name].as_str().unwrap_or_default();
                // Of forms every field may be called like that.
                let (said, reason) = match record["at"]["step"].as_str() {
                    Some("ask") => ("", ""),
                    Some("statement") => (value("statement"), ""),
                    _ => (value("text"), value("reasoning")),
                };
                let text = match (field("text").to_owned() + said, field("raw"), reason) {
                    (text, raw, reason) if text.is_empty() && raw.contains(reason) => raw.to_owned(),
                    (text, raw, reason) if text.is_empty() => format!("{reason} {raw}"),
                    (text, ..) => text,
                };
                let at = &record["at"];
                let kind = match event.as_str() {
                    "Briefed" if record["event"]["Briefed"]["what"].get("notes").is_some() => "notes",
                    "Briefed" => "instruction",
                    "Faulted" => "fault",
                    _ => at["step"].as_str().unwrap(),
                };
                if let Some(text) = all.add(session, record["seq"].as_u64().unwrap(), &text) {
                    text.phase = at["phase"].as_str().unwrap().to_owned();
                    text.round = at["round"].as_u64().unwrap();
                    text.seat = record["seat"].as_str().unwrap_or_default().to_owned();
                    text.kind = kind.to_owned();
                }
            }
        }
        all
    }

    /// Adds a text; one without words is none.
    pub fn add(&mut self, session: &str, seq: u64, text: &str) -> Option<&mut Text> {
        let words = words(text);
        if words.is_empty() {
            return None;
        }
        self.0.push(Text { session: session.to_owned(), seq, words, ..Text::default() });
        self.0.last_mut()
    }

    /// The texts that answer a query and pass a filter, the best first; scores equal to six decimals are ties.
    pub fn ranked(&self, query: &str, passes: impl Fn(&Text) -> bool) -> Vec<Hit> {
        let parts: Vec<&str> = query.split('"').collect();
        let phrases: Vec<Vec<String>> = parts.iter().skip(1).step_by(2).map(|part| words(part)).collect();
        let asked: BTreeSet<String> = parts.iter().flat_map(|part| words(part)).collect();
        let loose: BTreeSet<String> = parts.iter().step_by(2).flat_map(|part| words(part)).collect();
        let mut parts: Vec<Vec<(f64, u32)>> = vec![Vec::new(); self.0.len()];
        for word in &asked {
            let of_word = self.parts(word, &loose);
            parts.iter_mut().zip(of_word).for_each(|(parts, part)| parts.push(part));
        }
        let mut hits: Vec<(&Text, f64, u32)> = Vec::new();
        for (text, parts) in self.0.iter().zip(parts).filter(|(text, _)| passes(text)) {
            let holds = |phrase: &Vec<String>| text.words.windows(phrase.len()).any(|window| window == phrase);
            let score: f64 = parts.iter().map(|(part, _)| part).sum();
            if score > 0.0 && phrases.iter().all(holds) {
                hits.push((text, score, parts.iter().map(|(_, whole)| whole).sum()));
            }
        }
        let millionths = |score: f64| (score * 1e6).round() as i64;
        hits.sort_by_key(|(text, score, whole)| {
            (-millionths(*score), Reverse(*whole), Reverse(text.seq), text.session.clone())
        });
        hits.into_iter().map(|(text, score, _)| Hit { place: (text.session.clone(), text.seq), score }).collect()
    }

    /// What a word is worth to each text, and whether the text holds it as a word of its own. Inside longer words it is worth
    /// less than to any text that holds it as a word of its own.
    fn parts(&self, word: &str, loose: &BTreeSet<String>) -> Vec<(f64, u32)> {
        let whole = self.parts_of(|other| other == word, f64::INFINITY);
        let least = whole.iter().copied().filter(|part| *part > 0.0).fold(f64::INFINITY, f64::min);
        let any = self.parts_of(|other| loose.contains(word) && other.contains(word), least / 2.2);
        whole.into_iter().zip(any).map(|(whole, any)| if whole > 0.0 { (whole, 1) } else { (any, 0) }).collect()
    }

    /// What words of some kind are worth to each text, with a weight of no more than this.
    fn parts_of(&self, is_one: impl Fn(&str) -> bool, weight_max: f64) -> Vec<f64> {
        let times = |text: &Text| text.words.iter().filter(|word| is_one(word)).count() as f64;
        let all = self.0.len() as f64;
        let with = self.0.iter().filter(|text| times(text) > 0.0).count() as f64;
        let mean = self.0.iter().map(|text| text.words.len()).sum::<usize>() as f64 / all;
        let weight = (1.0 + (all - with + 0.5) / (with + 0.5)).ln().min(weight_max);
        let part = |text: &Text| {
            let length = text.words.len() as f64;
            weight * times(text) * 2.2 / (times(text) + 1.2 * (0.25 + 0.75 * length / mean))
        };
        self.0.iter().map(part).collect()
    }
}

fn words(text: &str) -> Vec<String> {
    text.unicode_words().map(str::to_lowercase).collect()
}
