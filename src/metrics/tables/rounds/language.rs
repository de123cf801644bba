//! How alike and how varied the words of a round are.

use super::Col;
use crate::metrics::why::{Language as Words, Of, Reach, Working};

/// What was said in a round of talk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Language {
    /// Seats that said a word.
    pub speakers: u64,
    /// How varied the words are.
    pub mattr: Option<f64>,
    /// The mean cosine over pairs of speakers.
    pub similarity_pair: Option<f64>,
    /// The mean of Jaccard's coefficient over pairs of speakers.
    pub jaccard_pair: Option<f64>,
    /// How far speakers' distributions over words are apart.
    pub jsd_speakers: Option<f64>,
    /// Phrases, and those of them that had been said before in the session.
    pub phrases: [u64; 2],
    /// How alike pairs of speakers are in words and form.
    pub convergence: Option<f64>,
}

pub(super) static LANGUAGE: &[Col] = &[
    Col::count("speakers", "seats that said a word: their pairs are the denominator of similarity_pair, jaccard_pair and convergence; empty outside rounds of talk", |r| {
        r.language.map(|language| language.speakers)
    })
    .why(Reach::Part, &[Of::Spoke], Working::Language(Words::Speakers))
    .in_talk()
    .unit("seats")
    .source("Spoke"),
    Col::real("mattr_50", "how varied the round's words are, whatever their number: different words over 50, from 0.02 to 1, mean over all windows of 50 words in a row, across statements in the order of the minutes; empty below 50 words", |r| {
        r.language?.mattr
    })
    .why(Reach::Part, &[Of::Spoke], Working::Language(Words::Mattr))
    .in_talk()
    .formula("mean over windows of (different words / 50)")
    .source("Spoke; Covington and McFall 2010"),
    Col::real("similarity_pair", "how alike the words of two speakers are, mean over pairs; 0 no word in common, 1 the same words as often; empty below two speakers", |r| {
        r.language?.similarity_pair
    })
    .why(Reach::Part, &[Of::Spoke], Working::Language(Words::Similarity))
    .in_talk()
    .formula("mean over pairs of sum_w a_w b_w / (|a| |b|), a_w how often a speaker said word w in the round")
    .source("Spoke; Salton, Wong and Yang 1975"),
    Col::real("jaccard_pair", "share of two speakers' different words that both said, mean over pairs; 0 none, 1 all; empty below two speakers", |r| {
        r.language?.jaccard_pair
    })
    .why(Reach::Part, &[Of::Spoke], Working::Language(Words::Jaccard))
    .in_talk()
    .formula("mean over pairs of |A and B| / |A or B|, A the set of a speaker's words")
    .source("Spoke; Jaccard 1901"),
    Col::real("jsd_speakers", "how far the speakers' distributions over words are apart, each weighing the same; 0 the same, 1 no word in common; of two speakers in bits; empty below two", |r| {
        r.language?.jsd_speakers
    })
    .why(Reach::Part, &[Of::Spoke], Working::Language(Words::Divergence))
    .in_talk()
    .formula("(H(m) - mean H(p_i)) / ln n, m = mean p_i, H(p) = -sum p ln p, n speakers")
    .source("Spoke; Lin 1991"),
    Col::count("phrases", "phrases of four words in a row within a statement: the denominator of repetition_rate; empty outside rounds of talk", |r| {
        r.language.map(|language| language.phrases[0])
    })
    .why(Reach::Part, &[Of::Spoke], Working::Language(Words::Phrases))
    .in_talk()
    .unit("phrases")
    .source("Spoke"),
    Col::real("repetition_rate", "share of the round's phrases that had been said before in the session, by anyone, or earlier in the same statement; empty when phrases is 0", |r| {
        let [phrases, repeated] = r.language?.phrases;
        (phrases > 0).then(|| repeated as f64 / phrases as f64)
    })
    .why(Reach::SoFar, &[Of::Spoke], Working::Language(Words::Repetition))
    .in_talk()
    .formula("phrases said before / phrases")
    .source("Spoke"),
    Col::real("convergence", "how alike two speakers' statements are in words and form, mean over pairs; 0 nothing alike, 1 the same; empty below two speakers", |r| {
        r.language?.convergence
    })
    .why(Reach::Part, &[Of::Spoke], Working::Language(Words::Convergence))
    .in_talk()
    .formula("weights of the profile times content, structure, sentences, length and punctuation; balanced: 0.40 0.15 0.20 0.15 0.10")
    .source("Spoke"),
];
