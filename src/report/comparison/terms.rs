//! What the words beside the numbers of a comparison mean, and whose they are: a line each, of those that stand there.

use super::{Comparison, IntervalMethod, PermutationMethod, wrapped};
use crate::analysis::statistics::{Adjustment, Estimate};
use crate::report::numbers::grouped;

impl Comparison {
    /// Tells the words that the text above has used.
    pub(super) fn terms(&self, out: &mut String) {
        let told = self.terms_used();
        if !told.is_empty() {
            out.push('\n');
        }
        for (word, meaning) in told {
            wrapped(out, &format!(" {word}: "), &meaning);
        }
    }

    fn terms_used(&self) -> Vec<(&'static str, String)> {
        let contrasts = || self.compared.contrasts.iter();
        let has = |is: &dyn Fn(&Estimate) -> bool| contrasts().any(is);
        let is_paired = self.is_paired();
        let drawn = |method| {
            has(&|contrast| contrast.flags.is_none() && contrast.main.test.is_some_and(|test| test.method == method))
        };
        let has_method =
            |method| self.compared.arms.iter().any(|arm| arm.interval.is_some() && arm.interval_method == method);
        let (has_wilson, has_flips) = (has_method(IntervalMethod::Wilson), has_method(IntervalMethod::SignFlip));
        let newcombe = |contrast: &Estimate| contrast.flags.is_some_and(|flags| flags.newcombe.is_some());
        let adjusted = self.tests > 1 && self.correction == Adjustment::Holm;
        let found = [
            (is_paired && has(&|contrast| contrast.main.difference.is_some()), "block", self.block().to_owned()),
            (has_wilson, "Wilson", "score interval of a share (Wilson 1927)".to_owned()),
            (
                has_flips,
                "sign flips",
                "interval of an arm's mean: the means that a test by flipped signs does not reject at .05 (Hartigan 1969)".to_owned(),
            ),
            (is_paired && drawn(PermutationMethod::Exact), "all sign flips", self.sign_flips(PermutationMethod::Exact)),
            (
                is_paired && drawn(PermutationMethod::MonteCarlo),
                "random sign flips",
                self.sign_flips(PermutationMethod::MonteCarlo),
            ),
            (!is_paired && drawn(PermutationMethod::MonteCarlo), "random labels", self.labels()),
            (adjusted, "Holm", "p of several contrasts, corrected step by step (Holm 1979); intervals are unadjusted: each is for its contrast alone".to_owned()),
            (
                is_paired && has(&|contrast| contrast.flags.is_some()),
                "McNemar",
                "exact test of the blocks whose sides differ, two-sided (McNemar 1947)".to_owned(),
            ),
            (
                !is_paired && has(&|contrast| contrast.flags.is_some()),
                "Fisher",
                "exact test of two shares, two-sided (Fisher 1935)".to_owned(),
            ),
            (
                has(&newcombe),
                "Newcombe",
                "interval of the difference of two shares, from Wilson's of each (Newcombe 1998, method 10)".to_owned(),
            ),
            (
                is_paired && has(&|contrast| contrast.main.difference.is_some()),
                "r, d_z",
                "Pearson's correlation of both sides over blocks; the mean of the differences over their standard deviation \
                 (Cohen 1988)"
                    .to_owned(),
            ),
            (
                !is_paired && has(&|contrast| contrast.main.difference.is_some()),
                "d",
                "the difference over the standard deviation within arms (Cohen 1988)".to_owned(),
            ),
        ];
        found.into_iter().filter(|(is_used, ..)| *is_used).map(|(_, word, meaning)| (word, meaning)).collect()
    }

    fn sign_flips(&self, method: PermutationMethod) -> String {
        let which = match method {
            PermutationMethod::Exact => {
                "p is the part of all patterns of signs, equal differences taken together,".to_owned()
            }
            PermutationMethod::MonteCarlo => {
                format!("p is the part of {} patterns drawn at random", grouped(self.resamples.into()))
            }
        };
        let more = match method {
            PermutationMethod::Exact => "Fisher 1935",
            PermutationMethod::MonteCarlo => "Fisher 1935; Phipson and Smyth 2010",
        };
        format!(
            "if the sides were alike, each block's difference might as well have the other sign; {which} with a mean at least as \
             far from 0 as the one seen ({more}). The interval holds the differences that the same test does not reject at .05 \
             (Hartigan 1969)"
        )
    }

    fn labels(&self) -> String {
        format!(
            "if the arms were alike, their sessions might as well be dealt out otherwise; p is the part of {} random ways with a \
             difference at least as far from 0 as the one seen (Pitman 1937; Phipson and Smyth 2010). The interval holds the \
             differences that the same test does not reject at .05 (Lehmann 1963)",
            grouped(self.resamples.into())
        )
    }
}
