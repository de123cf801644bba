//! The comparison of arms as it is told: what was compared and why so, as text at 80 columns and as the fields of a JSON object.

mod beware;
mod brief;
mod lines;
mod nulls;
mod sentence;
mod terms;

use crate::text::{extend_decimals, put_line};
use std::collections::BTreeMap;

use serde::Serialize;

use lines::{cut, line, put_title, wrapped};

pub use brief::capitalise;
pub use nulls::NullMeasure;

use crate::analysis::statistics::{
    Adjustment, ArmComparison, CompletionCounts, Estimate, EstimatedDifference, Interval, IntervalMethod, MetricScale,
    MissingRule, NoInterval, PermutationMethod, Unit,
};
use crate::plan::Deviation;
use crate::report::arm::words_beside_name;
use crate::report::chance::Chance;
use crate::report::definitions::{Method, methods};
use crate::report::numbers::{counted, grouped};
use crate::report::plain::on_line;

const NAME: usize = 32;

/// A comparison with all that is needed to read it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's seed, which seeds every resampling.
    pub seed: u64,
    /// What is compared; of several metrics the first.
    pub metric: Metric,
    /// All metrics of the family of tests.
    pub metrics: Vec<Metric>,
    /// The factor whose levels are compared, or two with a colon for their interaction; `None` for whole arms.
    pub by: Option<String>,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// Who named it.
    pub baseline_from: BaselineFrom,
    /// `common_random_numbers` or `independent`.
    pub pairing: &'static str,
    /// What is independent.
    pub unit: Unit,
    /// Whether this is what was announced before the run.
    pub analysis: AnalysisKind,
    /// Why it is exploratory; empty where it is primary.
    pub exploratory_because: Vec<String>,
    /// What was changed in the design after its first session was run, oldest first.
    pub deviations: Vec<Deviation>,
    /// Which of these changes make the comparison exploratory, in words.
    #[serde(skip)]
    pub deviated: Vec<String>,
    /// How several contrasts are corrected for.
    pub correction: Adjustment,
    /// The tests of the family: the contrasts that have one, over all metrics.
    pub tests: u64,
    /// Patterns of signs or labels that are drawn if there are too many to count all.
    pub resamples: u32,
    /// Whether any seat is simulated.
    pub simulated_minds: bool,
    /// Whether every seat of every arm is.
    #[serde(skip)]
    pub minds_alone: bool,
    /// What became of all sessions.
    pub sessions: CompletionCounts,
    /// What choosing by lot would give; `None` for metrics other than `correct`.
    pub chance: Option<Chance>,
    /// The items whose sessions are compared; 0 in an experiment without items.
    pub items: u64,
    /// The levels of each arm in words, by the arm's name.
    #[serde(skip)]
    pub levels: BTreeMap<String, String>,
    /// Arms and contrasts.
    pub compared: ArmComparison,
    /// What nulls reach of the convergence of their arms; left out where the design has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nulls: Option<Vec<NullMeasure>>,
    /// What a reader must know besides.
    pub notes: Vec<String>,
    /// What each number is.
    pub methods: Vec<Method>,
    /// One sentence a contrast, as a paper could have it.
    pub sentences: Vec<String>,
    /// The comparison of each metric, if there are several.
    #[serde(skip)]
    pub parts: Vec<Comparison>,
}

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Metric {
    /// A column of `sessions.csv`, or a column and a value.
    pub name: String,
    /// What its numbers are, as a noun phrase.
    #[serde(skip)]
    pub label: String,
    /// The alternative that it counts, by name and label; `None` where it counts none.
    #[serde(skip)]
    pub alternative: Option<(String, String)>,
    /// What it means.
    pub definition: String,
    /// The unit of its numbers; empty for pure numbers.
    pub unit: String,
    /// How it is measured.
    pub scale: MetricScale,
}

/// How metrics and arms are named in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    /// As in tables, for programs.
    Names,
    /// By what they are, with the name behind it.
    Labels,
}

impl Metric {
    fn words(&self, words: Words) -> String {
        let name = on_line(&self.name);
        if words == Words::Labels { format!("{} ({name})", on_line(&self.label)) } else { name }
    }
}

/// Who named the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BaselineFrom {
    /// The config.
    Config,
    /// The command line.
    CommandLine,
    /// Nobody: it is the first arm.
    FirstArm,
}

/// Whether a comparison is what was announced before the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnalysisKind {
    /// It is.
    Primary,
    /// It is not.
    Exploratory,
}

impl Comparison {
    /// The comparison of a family of at least one metric, with the methods that were used and the sentences, which follow from the rest.
    /// What stands once, such as the definition of the metric, is the first metric's; arms, contrasts, notes and sentences are of all.
    ///
    /// # Panics
    /// When the family is empty.
    pub fn of_family(mut parts: Vec<Self>) -> Self {
        for part in &mut parts {
            part.methods = methods(part.pairing);
            part.sentences = part.sentences_in(Words::Names).collect();
        }
        let mut all = parts.first().expect("invariant: a comparison has a metric").clone();
        for part in &parts[1..] {
            all.metrics.extend(part.metrics.iter().cloned());
            all.compared.arms.extend(part.compared.arms.iter().cloned());
            all.compared.contrasts.extend(part.compared.contrasts.iter().cloned());
            all.sentences.extend(part.sentences.iter().cloned());
            let new: Vec<String> = part.notes.iter().filter(|note| !all.notes.contains(note)).cloned().collect();
            all.notes.extend(new);
        }
        if parts.len() > 1 {
            all.parts = parts;
        }
        all
    }

    /// Lays the comparison out as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.head(&mut out);
        let parts = if self.parts.is_empty() { std::slice::from_ref(self) } else { &self.parts };
        for part in parts {
            part.measure(&mut out);
            part.arms(&mut out);
            part.compared.contrasts.iter().for_each(|contrast| part.contrast(&mut out, contrast));
        }
        self.nulls(&mut out);
        for note in &self.notes {
            wrapped(&mut out, " note: ", note);
        }
        self.terms(&mut out);
        if !self.sentences.is_empty() {
            out.push('\n');
        }
        let sentences = parts.iter().flat_map(|part| part.sentences_in(Words::Labels));
        sentences.for_each(|sentence| wrapped(&mut out, " ", &sentence));
        out
    }

    fn head(&self, out: &mut String) {
        let pairing = match (self.pairing, self.unit) {
            ("independent", _) => "arms independent",
            (_, Unit::Session) => "paired by session",
            (_, Unit::Replicate) => "paired by replicate",
            (_, Unit::Item) => "paired by item",
            (_, Unit::Panel) => "paired by panel",
        };
        let title = [
            on_line(&self.experiment),
            self.metrics.iter().map(|metric| metric.words(Words::Labels)).collect::<Vec<_>>().join(", "),
            counted(self.sessions.planned, "session"),
            format!("seed {}", self.seed),
            pairing.to_owned(),
        ];
        put_title(out, &title);
        if self.simulated_minds {
            out.push_str(if self.minds_alone { "" } else { "some seats are " });
            out.push_str("simulated minds: rules, not people and not language models\n");
        }
        match self.analysis {
            AnalysisKind::Primary => out.push_str("primary: announced in the config\n"),
            AnalysisKind::Exploratory => wrapped(out, "exploratory: ", &self.exploratory_because.join("; ")),
        }
        for deviation in &self.deviations {
            wrapped(out, "deviation: ", &on_line(&deviation.to_string()));
        }
        let whence = match self.baseline_from {
            BaselineFrom::Config => "named in the config",
            BaselineFrom::CommandLine => "named on the command line",
            BaselineFrom::FirstArm => "the first arm, because the config names none",
        };
        wrapped(out, "baseline: ", &format!("{}, {whence}", on_line(&self.baseline)));
    }

    /// The metric, and the sessions that it is measured in.
    fn measure(&self, out: &mut String) {
        out.push('\n');
        wrapped(out, &format!(" {}: ", on_line(&self.metric.name)), &on_line(&self.metric.definition));
        if let Some((name, label)) = &self.metric.alternative {
            wrapped(out, &format!(" {}: ", on_line(name)), &on_line(label));
        }
        if let Some(chance) = &self.chance {
            wrapped(out, " chance: ", &chance.words());
        }
        wrapped(out, " sessions: ", &account(&self.sessions));
    }

    fn arms(&self, out: &mut String) {
        put_line!(out, "\n {:<NAME$}{:>8}{:>11}   95 % interval", "arm", "sessions", "mean");
        for arm in &self.compared.arms {
            let (name, n) = (cut(&arm.arm, NAME - 1), grouped(arm.sessions.measured));
            let interval = match (arm.interval, arm.interval_method) {
                (None, _) => "none".to_owned(),
                (Some(interval), IntervalMethod::Wilson) => format!("{} Wilson", self.interval(interval)),
                (Some(interval), IntervalMethod::SignFlip) => format!("{} sign flips", self.interval(interval)),
            };
            match arm.mean.map(|mean| self.number(mean)) {
                Some(mean) => put_line!(out, " {name:<NAME$}{n:>8}{mean:>11}   {interval}"),
                None => put_line!(out, " {name:<NAME$}{n:>8}   no session has a number"),
            }
            let levels = self.levels.get(&arm.arm).and_then(|levels| words_beside_name(levels, &arm.arm));
            if let Some(levels) = levels {
                wrapped(out, "   ", levels);
            }
        }
    }

    fn contrast(&self, out: &mut String, contrast: &Estimate) {
        out.push('\n');
        let averaged = match contrast.pairs.len() {
            1 => String::new(),
            pairs => format!(", averaged over {pairs} pairs of arms"),
        };
        wrapped(out, " ", &format!("{}{averaged}", title(contrast)));
        let main = &contrast.main;
        let blocks = format!("{} of {}", grouped(main.blocks), counted(contrast.blocks_planned, "block"));
        let Some(difference) = main.difference else {
            let why = match self.is_paired() {
                false => "an arm has no session with a number".to_owned(),
                true => format!("{blocks} have a number on both sides"),
            };
            line(out, "no result", &why);
            return self.other_rules(out, contrast);
        };
        let is_paired = contrast.median_difference.is_some();
        let over = if is_paired { blocks } else { "arms drawn apart".to_owned() };
        let method = match contrast.flags {
            Some(_) => "Newcombe",
            None if is_paired => "sign flips",
            None => "labels",
        };
        let interval = main.interval.map_or_else(
            || self.no_interval(main),
            |interval| format!("95 % {}  {method}, {over}", self.signed_interval(interval)),
        );
        line(out, "difference", &format!("{:<11}{interval}", self.signed(difference)));
        if let Some(test) = main.test {
            let drawn = grouped(test.arrangements);
            let how = match (test.method, is_paired, &contrast.flags) {
                (_, true, Some(_)) => "McNemar's exact test".to_owned(),
                (_, false, Some(_)) => "Fisher's exact test".to_owned(),
                (PermutationMethod::Exact, ..) => format!("all sign flips ({drawn} different)"),
                (PermutationMethod::MonteCarlo, true, None) => format!("random sign flips ({drawn})"),
                (PermutationMethod::MonteCarlo, false, None) => format!("random labels ({drawn})"),
            };
            let of_all = match self.compared.contrasts.iter().filter(|other| other.main.test.is_some()).count() as u64 {
                own if own == self.tests => counted(own, "contrast"),
                _ => format!("{} of all metrics", counted(self.tests, "contrast")),
            };
            let adjusted = match contrast.p_adjusted {
                Some(adjusted) if self.tests > 1 => format!("Holm over {of_all} {}", p(adjusted)),
                Some(_) => "the only contrast".to_owned(),
                None if self.tests > 1 => format!("not corrected for {of_all}"),
                None => "not corrected".to_owned(),
            };
            line(out, "p", &format!("{:<11}{how}; {adjusted}", p(test.p)));
        }
        line(out, "", &self.sides(contrast));
        for warning in &contrast.warnings {
            wrapped(out, "   beware       ", &self.beware(contrast, *warning));
        }
        self.other_rules(out, contrast);
    }

    /// Why a difference has no interval.
    pub(super) fn no_interval(&self, difference: &EstimatedDifference) -> String {
        let why = match (difference.no_interval, difference.differing) {
            (Some(NoInterval::Equal), Some(_)) => {
                format!("all {} are equal", counted(difference.blocks, "difference"))
            }
            (Some(NoInterval::Equal), None) => "every number of each arm is equal".to_owned(),
            (Some(NoInterval::TooFew), Some(pairs)) => {
                let rest = match difference.blocks - pairs {
                    0 => String::new(),
                    1 => "; 1 other pair does not differ".to_owned(),
                    same => format!("; {} other pairs do not differ", grouped(same)),
                };
                format!("{} cannot reach p < .05{rest}", counted(pairs, "pair"))
            }
            (Some(NoInterval::TooFew), None) => {
                format!("{} in the smallest arm cannot reach p < .05", counted(difference.blocks, self.unit.as_str()))
            }
            (Some(NoInterval::NoNumber) | None, _) => "a side has no number".to_owned(),
        };
        format!("no 95 % interval: {why}")
    }

    /// The word for the interval of a contrast beside an adjusted p; empty where p is not adjusted.
    pub(super) fn unadjusted(&self, contrast: &Estimate) -> &'static str {
        if self.tests > 1 && contrast.p_adjusted.is_some() { "unadjusted " } else { "" }
    }

    /// Whether arms are compared block by block; arms that drew their own are compared session by session.
    fn is_paired(&self) -> bool {
        self.pairing != "independent"
    }

    fn sides(&self, contrast: &Estimate) -> String {
        let mean = |mean: Option<f64>| mean.map_or("–".to_owned(), |mean| self.side(contrast, mean));
        let means = format!("{} against {}", mean(contrast.first_mean), mean(contrast.second_mean));
        let plain =
            |value: Option<f64>| value.map_or("undefined".to_owned(), |value| format!("{:+.2}", rounded(value, 2)));
        match contrast.median_difference {
            Some(median) => format!(
                "{means} · median {} · r {} · d_z {}",
                self.signed(median),
                plain(contrast.correlation),
                plain(contrast.effect_size)
            ),
            None => format!("{means} · d {}", plain(contrast.effect_size)),
        }
    }

    /// The mean of a side; of an interaction it is a difference, with its sign.
    fn side(&self, contrast: &Estimate, mean: f64) -> String {
        if contrast.minus.is_empty() { self.number(mean) } else { self.signed(mean) }
    }

    /// The table of other rules, unless every rule gives the same because nothing is missing.
    fn other_rules(&self, out: &mut String, contrast: &Estimate) {
        let sessions = &contrast.sessions;
        let missing = sessions.planned - sessions.measured;
        if missing == 0 && sessions.with_invalid_answers == 0 {
            return line(out, "missing", "nothing: every session has a number, and no answer stayed invalid");
        }
        let told = format!(
            "{} without a number, {} with an answer that stayed invalid",
            counted(missing, "session"),
            grouped(sessions.with_invalid_answers)
        );
        line(out, "missing", &told);
        if let Some(left_out) = self.left_out_of_blocks(contrast) {
            line(out, "left out", &left_out);
        }
        for other in &contrast.other_rules {
            put_line!(out, "     {:<24}{}", rule(other.rule), self.under(contrast, other));
        }
    }

    /// Which sessions are not in the means of their blocks, and why; `None` where a block is one session or arms are unpaired.
    fn left_out_of_blocks(&self, contrast: &Estimate) -> Option<String> {
        let (sessions, main) = (&contrast.sessions, &contrast.main);
        if self.unit == Unit::Session || !self.is_paired() {
            return None;
        }
        Some(format!(
            "{} of {}: {} incomplete, {} failed, {} undefined, and {} whose counterpart in another arm has no number; a block is the mean \
             over the others, and one without any is left out",
            grouped(sessions.planned - main.sessions),
            counted(sessions.planned, "session"),
            grouped(sessions.incomplete),
            grouped(sessions.failed),
            grouped(sessions.undefined),
            grouped(sessions.measured - main.sessions)
        ))
    }

    fn under(&self, contrast: &Estimate, other: &EstimatedDifference) -> String {
        let (Some(difference), Some(test)) = (other.difference, other.test) else {
            let is_bound = matches!(other.rule, MissingRule::LeastDifference | MissingRule::GreatestDifference);
            // With a range seen, only a bound without a known limit has no number for what is missing.
            return match is_bound && contrast.range.is_some() {
                true => "no bounds: the limits of the metric are not known".to_owned(),
                false => "no result: a side has no number".to_owned(),
            };
        };
        let interval = other.interval.map_or("no interval".to_owned(), |interval| self.signed_interval(interval));
        format!("{:<10}{interval:<19}  p {}  n {}", self.signed(difference), p(test.p), grouped(other.sessions))
    }

    /// Digits after the point, by the size of the metric's numbers.
    fn digits(&self) -> usize {
        match self.compared.size {
            size if size >= 10_000.0 => 0,
            size if size >= 100.0 => 1,
            size if size >= 10.0 => 2,
            _ => 3,
        }
    }

    fn number(&self, value: f64) -> String {
        let digits = extend_decimals(value, self.digits());
        format!("{:.digits$}", rounded(value, digits))
    }

    fn signed(&self, value: f64) -> String {
        write_difference(value, self.digits())
    }

    fn interval(&self, Interval { low, high }: Interval) -> String {
        format!("{} – {}", self.number(low), self.number(high))
    }

    fn signed_interval(&self, Interval { low, high }: Interval) -> String {
        format!("{} – {}", self.signed(low), self.signed(high))
    }
}

/// A number that rounds to nothing has no sign.
fn rounded(value: f64, digits: usize) -> f64 {
    if value.abs() < 0.5 * 10f64.powi(-(digits as i32)) { 0.0 } else { value }
}

/// Writes a difference with its sign and at least so many digits after the point. It reads as zero only if it is zero, because on which
/// side of zero it lies matters.
fn write_difference(value: f64, digits: usize) -> String {
    let digits = extend_decimals(value, digits);
    format!("{:+.digits$}", rounded(value, digits))
}

fn title(contrast: &Estimate) -> String {
    let sides = format!("{} − {}", on_line(&contrast.first), on_line(&contrast.second));
    contrast.factor.as_deref().map_or(sides.clone(), |factor| format!("{}: {sides}", on_line(factor)))
}

fn account(sessions: &CompletionCounts) -> String {
    format!(
        "{} planned · {} completed · {} incomplete · {} failed · {} undefined",
        grouped(sessions.planned),
        grouped(sessions.completed),
        grouped(sessions.incomplete),
        grouped(sessions.failed),
        grouped(sessions.undefined)
    )
}

fn rule(rule: MissingRule) -> &'static str {
    match rule {
        MissingRule::CompletePairs => "complete blocks",
        MissingRule::AllAvailable => "all there is, unpaired",
        MissingRule::WithoutInvalid => "without invalid answers",
        MissingRule::MissingLowest => "missing as the lowest",
        MissingRule::MissingHighest => "missing as the highest",
        MissingRule::LeastDifference => "least possible",
        MissingRule::GreatestDifference => "greatest possible",
    }
}

/// A p as a sentence has it.
fn p_is(value: f64) -> String {
    let text = p(value);
    if text.starts_with('<') { text.replacen('<', "p < ", 1) } else { format!("p = {text}") }
}

fn p(p: f64) -> String {
    if p < 0.000_05 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_nothing_has_no_sign_and_no_p_is_zero() {
        assert_eq!(rounded(-0.0001, 3), 0.0);
        assert_eq!(rounded(-0.0005, 3), -0.0005);
        let written = [0.0, 5.56e-5, -0.02, -4e-4, 5e-18].map(|difference| write_difference(difference, 3));
        assert_eq!(written, ["+0.000", "+0.00006", "-0.020", "-0.0004", "+0.000"]);
        assert_eq!([p(0.0), p(0.00012), p(1.0)], ["<0.0001", "0.0001", "1.0000"]);
        assert_eq!([p_is(0.0), p_is(0.00012)], ["p < 0.0001", "p = 0.0001"]);
    }
}
