//! One contrast in a paragraph that a paper could have, with what a reader must beware of.

use super::{AnalysisKind, Comparison, Words, p_is, title};
use crate::analysis::statistics::{Estimate, Interval, Unit};
use crate::report::arm::levels_in_words;
use crate::report::numbers::{counted, grouped};
use crate::report::plain::on_line;

impl Comparison {
    /// A sentence for each contrast.
    pub(super) fn sentences_in(&self, words: Words) -> impl Iterator<Item = String> {
        self.compared.contrasts.iter().map(move |contrast| self.sentence(contrast, words))
    }

    fn sentence(&self, contrast: &Estimate, words: Words) -> String {
        let main = &contrast.main;
        let (Some(difference), Some(test)) = (main.difference, main.test) else {
            let why = if self.is_paired() {
                "no block has a number on both sides"
            } else {
                "an arm has no session with a number"
            };
            return format!("{}: {why}.", title(contrast));
        };
        let (finding, limit) = self.finding(contrast, difference, words);
        let is_paired = self.is_paired();
        let unit = match is_paired {
            true => format!("over {}, each {}", counted(main.blocks, "paired block"), self.block()),
            false => format!("over {}", counted(main.sessions, "session")),
        };
        let (method, how) = match (is_paired, &contrast.flags) {
            (true, Some(_)) => ("Newcombe", "McNemar's exact test"),
            (false, Some(_)) => ("Newcombe", "Fisher's exact test"),
            (true, None) => ("sign-flip", "sign-flip permutation test"),
            (false, None) => ("label-permutation", "permutation test of labels"),
        };
        let interval = main.interval.map_or_else(
            || self.no_interval(main),
            |Interval { low, high }| {
                let [low, high] = [low, high].map(|bound| self.signed(bound));
                format!("{}95 % {method} interval {low} to {high}", self.unadjusted(contrast))
            },
        );
        let adjusted = match contrast.p_adjusted {
            Some(adjusted) if self.tests > 1 => format!(", Holm-adjusted {}", p_is(adjusted)),
            _ => String::new(),
        };
        let kind = match self.analysis {
            AnalysisKind::Primary => "the comparison announced before the run",
            AnalysisKind::Exploratory => "an exploratory comparison",
        };
        let deviated: String = self.deviated.iter().map(|what| format!("; {}", on_line(what))).collect();
        let chance = self.chance.map_or(String::new(), |chance| format!("; by lot it would be {:.3}", chance.level));
        let missing = self.missing(contrast, difference);
        let minds = match (self.simulated_minds, self.minds_alone) {
            (false, _) => "",
            (true, true) => "; seats are simulated: rules, not people",
            (true, false) => "; some seats are simulated: rules, not people",
        };
        format!(
            "{finding} ({} against {}{chance}; {unit}; {interval}; {how}, {}{adjusted}{missing}; {kind}{deviated}{minds}).{limit}{}",
            contrast.first_mean.map_or("–".to_owned(), |mean| self.side(contrast, mean)),
            contrast.second_mean.map_or("–".to_owned(), |mean| self.side(contrast, mean)),
            p_is(test.p),
            self.caution(contrast),
        )
    }

    /// What was found, without its numbers, and what that does not show.
    fn finding(&self, contrast: &Estimate, difference: f64, words: Words) -> (String, &'static str) {
        let place = |side: &str| match &contrast.factor {
            Some(factor) if words == Words::Labels => on_line(&levels_in_words(&[(factor.clone(), side.to_owned())])),
            Some(factor) => format!("{} = {}", on_line(factor), on_line(side)),
            None => match self.levels.get(side).filter(|levels| words == Words::Labels && !levels.is_empty()) {
                Some(levels) => levels.clone(),
                None => on_line(side),
            },
        };
        let the = if words == Words::Labels { "the " } else { "" };
        let bare = self.metric.words(words).to_owned();
        let metric = format!("{the}{bare}");
        // Its label says already that it is a share of sessions.
        let is_share = bare.starts_with("share of sessions");
        let (one, many, first, second) = match &contrast.factor {
            Some(factors) if !contrast.minus.is_empty() => {
                let (factor, other) = factors.split_once(':').unwrap_or((factors, ""));
                let parted =
                    |side: &str| side.split_once(" under ").map(|(less, label)| (on_line(less), on_line(label)));
                let ((less, first), (_, second)) =
                    parted(&contrast.first).zip(parted(&contrast.second)).unwrap_or_default();
                let (factor, other) = (on_line(factor), on_line(other));
                (
                    format!("difference in the mean of {metric} by {factor} {less}"),
                    format!("differences in the mean of {metric} by {factor} {less}"),
                    format!("{other} = {first}"),
                    format!("{other} = {second}"),
                )
            }
            _ => (
                if is_share { bare.clone() } else { format!("mean of {metric}") },
                if is_share {
                    format!("samples' {}", bare.replacen("share", "shares", 1))
                } else {
                    format!("sample means of {metric}")
                },
                place(&contrast.first),
                place(&contrast.second),
            ),
        };
        match difference {
            d if self.number(d.abs()) == self.number(0.0) => {
                let digits = if d == 0.0 { "" } else { " to the digits shown" };
                (
                    format!("The {many} were equal{digits} under {first} and under {second}"),
                    " Equal sample means do not show that the sides do not differ.",
                )
            }
            d if d < 0.0 => (format!("The {one} was {} lower under {first} than under {second}", self.number(-d)), ""),
            d => (format!("The {one} was {} higher under {first} than under {second}", self.number(d)), ""),
        }
    }

    /// What a block of this comparison is.
    pub(super) fn block(&self) -> &'static str {
        match (self.unit, self.items > 0) {
            (Unit::Session, false) | (Unit::Replicate, false) => "one replicate in every arm compared",
            (Unit::Session, true) => "one replicate of one item in every arm compared",
            (Unit::Replicate, true) => "one replicate in every arm compared, averaged over its items",
            (Unit::Item, _) => "one item in every arm compared, averaged over its replicates",
            (Unit::Panel, _) => "one panel in every arm compared, averaged over its waves",
        }
    }

    /// What to beware of, as sentences after the first; empty where there is nothing.
    fn caution(&self, contrast: &Estimate) -> String {
        let warnings = contrast.warnings.iter().map(|warning| self.beware(contrast, *warning));
        let all: Vec<String> = warnings.chain(self.notes.iter().cloned()).collect();
        if all.is_empty() { String::new() } else { format!(" To be read with caution: {}.", all.join("; ")) }
    }

    /// What of the sentence tells of missing numbers; empty where none is missing.
    fn missing(&self, contrast: &Estimate, difference: f64) -> String {
        let Some(lost) = self.describe_left_out(contrast) else { return String::new() };
        let others: Vec<f64> = contrast.other_rules.iter().filter_map(|rule| rule.difference).collect();
        let low = others.iter().copied().fold(difference, f64::min);
        let high = others.iter().copied().fold(difference, f64::max);
        let between = format!("the difference is between {} and {}", self.signed(low), self.signed(high));
        format!("; {lost}, and under the other rules for what is missing {between}")
    }

    /// How many blocks or sessions are left out because a number is missing; `None` if none is.
    pub(super) fn describe_left_out(&self, contrast: &Estimate) -> Option<String> {
        let main = &contrast.main;
        let blocks = contrast.blocks_planned.saturating_sub(main.blocks);
        let sessions = contrast.sessions.planned.saturating_sub(main.sessions);
        let of_planned = format!("{} of {} sessions", grouped(sessions), grouped(contrast.sessions.planned));
        match (self.is_paired(), blocks, sessions) {
            (_, 0, 0) => None,
            (false, _, 0) => None,
            (false, _, _) => Some(format!("{of_planned} have no number and are left out")),
            (true, 0, _) if self.unit != Unit::Session => {
                Some(format!("{of_planned} have no number in some arm and are left out of the means of their blocks"))
            }
            (true, 0, _) => None,
            (true, lost, _) => Some(format!(
                "{} of {} blocks have no number on some side and are left out",
                grouped(lost),
                grouped(contrast.blocks_planned)
            )),
        }
    }
}
