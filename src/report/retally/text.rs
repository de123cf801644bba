//! The recount as text: few elections in full, otherwise one line for each election in which rules disagree.

use indexmap::IndexMap;

use super::{ArmRecount, BestOrders, FewestShown, HangsOn, Recounted, Retally, RuleCount};
use crate::choice::ranked::DefeatStrength;
use crate::domain::Verdict;
use crate::report::lines::{WIDTH, fitted, padded, wrapped_within};
use crate::report::numbers::{counted, grouped, trim_zeros};
use crate::report::plain::{escape_unseen, quoted};
use crate::text::put_line;

/// The maximum number of elections shown in full. Those of a single session always are.
const FULL_MAX: usize = 3;
/// The maximum number of listed elections in which rules disagree.
const LINES_MAX: usize = 20;
/// The rules that compare defeat strengths.
const COMPARING: [&str; 3] = ["minimax", "schulze", "ranked_pairs"];
/// The widths of a rule's name and of its winners, in columns.
const RULE: usize = 17;
const WINNERS: usize = 19;
/// The width of the chances of a lot, which replace all columns after the rule.
const CHANCES: usize = 61;
/// The maximum number of alternatives in the pairwise table.
const PAIRS_MAX: usize = 10;
/// The width of an alternative's name beside that table, in columns.
const NAME: usize = 20;

impl Retally {
    /// The recount as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let is_one_session = self.arms.is_empty() && self.elections.iter().all(|election| election.held.is_some());
        match self.elections.len() <= FULL_MAX || is_one_session {
            true => self.put_in_full(&mut out),
            false => self.put_in_short(&mut out),
        }
        for note in &self.notes {
            out.push('\n');
            wrapped_within(&mut out, " ", note, WIDTH);
        }
        out
    }

    fn put_in_full(&self, out: &mut String) {
        for (place, election) in self.elections.iter().enumerate() {
            if place > 0 {
                out.push('\n');
            }
            election.put_heading(out);
            election.put_terms(out);
            self.put_rules(out, election);
            election.put_refusals(out);
            election.put_disagreement(out);
            election.put_pairs(out);
        }
        let legend = self.legend();
        if !legend.is_empty() {
            out.push('\n');
            wrapped_within(out, " ", &legend, WIDTH);
        }
    }

    /// The meaning of the columns of elections in full.
    fn legend(&self) -> String {
        let any = |holds: fn(&RuleCount) -> bool| self.elections.iter().flat_map(|election| &election.rules).any(holds);
        let mut legend = Vec::new();
        if any(|count| count.margin.is_some()) {
            legend.push("Margin: the greatest points less the second greatest, where they decide.".to_owned());
        }
        if any(|count| count.fewest.is_some()) {
            let resampled = match self.terms.resamples {
                0 => String::new(),
                resamples => format!(
                    ". Drawn again: how often each wins alone when ballots are drawn with replacement, {} times (seed {})",
                    grouped(u64::from(resamples)),
                    self.terms.seed
                ),
            };
            legend.push(format!(
                "Changed by: the fewest ballots that change who wins, or that nobody does. Alone: ballots each of which changes that by \
                 itself{resampled}."
            ));
        }
        legend.join(" ")
    }

    fn put_rules(&self, out: &mut String, election: &Recounted) {
        let told: Vec<&RuleCount> = election.rules.iter().filter(|count| count.refused.is_none()).collect();
        if told.is_empty() {
            return;
        }
        let is_whole = told.iter().any(|count| count.fewest.is_some());
        let columns = if is_whole { "margin  changed by  alone  drawn again" } else { "margin" };
        put_line!(out, "\n {}", format!("{:<RULE$} {:<WINNERS$} {columns}", "rule", "winners").trim_end());
        for count in told {
            if count.rule == "random_ballot" {
                let chances = fitted(&count.chance_words(&election.alternatives), CHANCES);
                put_line!(out, " {:<RULE$} {chances}", count.rule);
                continue;
            }
            let hangs = if is_whole {
                count.robustness_cells(&election.alternatives, self.terms.resamples)
            } else {
                String::new()
            };
            let margin = count.margin.map_or_else(|| "–".to_owned(), format_points);
            let line = format!("{:<RULE$} {} {margin:>6}  {hangs}", count.rule, padded(&count.winner_words(), WINNERS));
            put_line!(out, " {}", line.trim_end());
        }
    }

    fn put_in_short(&self, out: &mut String) {
        let sessions: std::collections::BTreeSet<(&str, &str)> = self
            .elections
            .iter()
            .filter_map(|election| Some((election.path.as_str(), election.held.as_ref()?.session.as_str())))
            .collect();
        let of_sessions = match sessions.len() as u64 {
            0 => String::new(),
            sessions => format!(" of {}", counted(sessions, "session")),
        };
        put_line!(out, "{}{of_sessions} counted again", counted(self.elections.len() as u64, "election"));
        let by_votes =
            self.elections.iter().filter(|election| election.strength != DefeatStrength::default().as_str()).count();
        if by_votes > 0 {
            let which =
                if by_votes == self.elections.len() { String::new() } else { format!(" in {by_votes} of them") };
            let line = format!("{} count defeats by winning votes{which}", COMPARING.join(", "));
            wrapped_within(out, " ", &line, WIDTH);
        }
        self.put_arms(out);
        let disagree: Vec<&Recounted> =
            self.elections.iter().filter(|election| election.opinions().len() > 1).collect();
        put_line!(out, "\n rules disagree in {} of {}", disagree.len(), self.elections.len());
        for election in disagree.iter().take(LINES_MAX) {
            let opinions = election.opinions();
            let said = opinions.iter().map(|(told, rules)| format!("{told} by {}", list_rules(rules)));
            let line = format!("{}: {}", election.name_words(), said.collect::<Vec<_>>().join("; "));
            wrapped_within(out, "   ", &line, WIDTH);
        }
        if disagree.len() > LINES_MAX {
            put_line!(out, "   and {} more; --json has all", disagree.len() - LINES_MAX);
        }
        if let Some(first) = disagree.first().or(self.elections.first().as_ref()) {
            let path = escape_unseen(&first.path);
            put_line!(out, "\n in full  ekklesia retally {path}");
        }
    }

    fn put_arms(&self, out: &mut String) {
        let heading = |arm: &ArmRecount| (arm.arm.clone(), arm.purpose, arm.phase.clone());
        for of_kind in self.arms.chunk_by(|one, other| heading(one) == heading(other)) {
            let first = &of_kind[0];
            let place = if first.phase == first.purpose { String::new() } else { format!(" in {}", first.phase) };
            let what = format!("{} · {}{place}", escape_unseen(&first.arm), first.purpose.replace('_', " "));
            put_decisions(out, &what, of_kind);
            let hanging: Vec<(&str, &HangsOn)> =
                of_kind.iter().filter_map(|arm| Some((arm.rule, arm.hangs_on.as_ref()?))).collect();
            if hanging.is_empty() {
                continue;
            }
            put_line!(out, "\n {what}: what the result hangs on");
            let columns = "margin  changed by  one ballot  pivotal seats  drawn again";
            put_line!(out, " {:<RULE$} {columns}", "rule");
            for (rule, hangs) in hanging {
                put_line!(out, " {rule:<RULE$} {}", hangs.cells().trim_end());
            }
        }
        if self.arms.iter().any(|arm| arm.nobody + arm.somebody > 0) {
            let legend = "Another: another winner than what was decided for. Nobody: no winner, where something was decided. Somebody: a \
                          winner or a tie, where the session decided nothing.";
            out.push('\n');
            wrapped_within(out, " ", legend, WIDTH);
        }
        if self.arms.iter().any(|arm| arm.hangs_on.is_some()) {
            let resampled = match self.terms.resamples {
                0 => String::new(),
                resamples => format!(
                    " Drawn again: how often ballots drawn with replacement, {} times (seed {}), give the same single winner, or nobody \
                     where nobody won; the mean over sessions without a tie.",
                    grouped(u64::from(resamples)),
                    self.terms.seed
                ),
            };
            let legend = format!(
                "Margin: the greatest points less the second greatest, where points decide. Changed by: the fewest ballots that change \
                 who wins, or that nobody does. Both are medians over sessions, of two in the middle the lower. One ballot: sessions in which a single \
                 ballot changes that, of those of which it was worked out. Pivotal seats: how many do so each by itself, the \
                 mean.{resampled}"
            );
            out.push('\n');
            wrapped_within(out, " ", &legend, WIDTH);
        }
    }
}

/// Writes what each rule would have decided in the sessions that held a vote, and the number without one.
fn put_decisions(out: &mut String, what: &str, of_kind: &[ArmRecount]) {
    let without = of_kind.iter().map(|arm| arm.without_vote).max().unwrap_or(0);
    if of_kind.iter().any(|arm| arm.of_votes() > 0) {
        put_line!(out, "\n {what}: what it would have decided");
        let columns = "sessions  as decided  tied with it  another  nobody  somebody";
        put_line!(out, " {:<RULE$} {columns}", "rule");
        for arm in of_kind.iter().filter(|arm| arm.of_votes() > 0) {
            let ArmRecount { rule, same, tied, other, nobody, somebody, .. } = arm;
            let first = format!(" {rule:<RULE$} {:>8}  {same:>10}  {tied:>12}", arm.of_votes());
            put_line!(out, "{first}  {other:>7}  {nobody:>6}  {somebody:>8}");
        }
    } else {
        put_line!(out, "\n {what}");
    }
    if without > 0 {
        let line = format!("{} held no vote: no rule is compared with a decision there", counted(without, "session"));
        wrapped_within(out, " ", &line, WIDTH);
    }
}

impl HangsOn {
    /// The cells of a row.
    fn cells(&self) -> String {
        let or_none = |told: Option<String>| told.unwrap_or_else(|| "–".to_owned());
        let margin = or_none(self.margin_median.map(|margin| format!("{margin:.1}")));
        let changed = or_none(self.fewest_median.map(FewestShown::words));
        let one = format!("{} of {}", self.by_one_ballot, self.of_sessions);
        let pivotal = or_none(self.pivotal_seats_mean.map(|seats| format!("{seats:.1}")));
        let again = or_none(self.same_again_mean.map(|share| format!("{:.0} %", 100.0 * share)));
        format!("{margin:>6}  {changed:>10}  {one:>10}  {pivotal:>13}  {again:>11}")
    }
}

impl FewestShown {
    fn words(self) -> String {
        match self {
            FewestShown::Exactly(ballots) => grouped(ballots),
            FewestShown::MoreThan(0) => "–".to_owned(),
            FewestShown::MoreThan(ballots) => format!("over {}", grouped(ballots)),
            FewestShown::Never => "never".to_owned(),
        }
    }
}

impl Recounted {
    /// The election's name among others.
    fn name_words(&self) -> String {
        match &self.held {
            None => escape_unseen(&self.path),
            Some(held) => {
                let round = if held.round > 0 { format!(" {}", held.round) } else { String::new() };
                let vote = held.vote.map_or(String::new(), |vote| format!(" {vote}"));
                let phase = if held.phase == held.purpose { String::new() } else { format!(" {}", held.phase) };
                format!("{}{phase}{round} {}{vote}", held.session, held.purpose.replace('_', " "))
            }
        }
    }

    fn put_heading(&self, out: &mut String) {
        let title = if self.title.is_empty() { String::new() } else { format!(" · {}", escape_unseen(&self.title)) };
        let line = format!(
            "{}{title} · {} · {}",
            self.name_words(),
            counted(self.ballots, &format!("{} ballot", self.form)),
            counted(self.alternatives.len() as u64, "alternative")
        );
        wrapped_within(out, "", &line, WIDTH);
        let Some(held) = &self.held else { return };
        let decision = match (held.rule, &held.session_decided) {
            (Some(rule), _) => {
                let decided = held.decided.as_deref().map_or_else(|| "no decision".to_owned(), quoted);
                format!("decided by {rule}: {decided}")
            }
            (None, Some(decided)) => format!("the session decided for {}", quoted(decided)),
            (None, None) if held.session_verdict == Some(Verdict::NotApplicable) => {
                "the session held no vote".to_owned()
            }
            (None, None) => "the session decided nothing".to_owned(),
        };
        let invalid = match held.invalid {
            0 => String::new(),
            invalid => format!(" · {} left out", counted(u64::from(invalid), "invalid ballot")),
        };
        put_line!(out, " {}", escape_unseen(&(decision + &invalid)));
    }

    /// Writes the settings that differ from the defaults.
    fn put_terms(&self, out: &mut String) {
        let is_counted =
            |rules: &[&str]| self.rules.iter().any(|count| count.refused.is_none() && rules.contains(&count.rule));
        let mut said = Vec::new();
        if self.strength != DefeatStrength::default().as_str() && is_counted(&COMPARING) {
            said.push("defeats by winning votes".to_owned());
        }
        if self.threshold != "2/3" && is_counted(&["supermajority"]) {
            said.push(format!("a supermajority is {}", self.threshold));
        }
        if !said.is_empty() {
            put_line!(out, " {}", said.join(" · "));
        }
    }

    /// Writes the rules that cannot be counted, grouped by reason.
    fn put_refusals(&self, out: &mut String) {
        let mut why: IndexMap<&str, Vec<&str>> = IndexMap::new();
        for count in &self.rules {
            if let Some(refused) = &count.refused {
                why.entry(refused).or_default().push(count.rule);
            }
        }
        if !why.is_empty() {
            out.push('\n');
        }
        for (refused, rules) in why {
            let line = format!("not counted: {}: {refused}", rules.join(", "));
            wrapped_within(out, " ", &line, WIDTH);
        }
    }

    fn put_disagreement(&self, out: &mut String) {
        let opinions = self.opinions();
        if opinions.len() < 2 {
            return;
        }
        put_line!(out, "\n rules disagree");
        for (told, rules) in opinions {
            wrapped_within(out, "   ", &format!("{told}: {}", rules.join(", ")), WIDTH);
        }
    }

    /// Writes the Condorcet winner or the Smith set, the Kemeny order, and the pairwise table.
    fn put_pairs(&self, out: &mut String) {
        let Some(above) = &self.above else { return };
        out.push('\n');
        let leads = match (&self.condorcet_winner, self.smith_set.as_slice()) {
            (Some(winner), _) => format!("Condorcet winner: {winner}"),
            (None, set) => format!("no Condorcet winner; in a circle or tied at the top: {}", set.join(", ")),
        };
        wrapped_within(out, " ", &leads, WIDTH);
        if let Some(best) = &self.kemeny {
            wrapped_within(out, " ", &best.words(), WIDTH);
        }
        if above.len() > PAIRS_MAX {
            return;
        }
        let cells = above.iter().flatten().map(|weight| grouped(*weight).len());
        let width = cells.max().unwrap_or(1).max(3) + 2;
        let numbers: String = (1..=above.len()).map(|number| format!("{number:>width$}")).collect();
        put_line!(out, " {:<NAME$}{numbers}", "above, by ballots");
        for (place, row) in above.iter().enumerate() {
            let cell = |(other, weight): (usize, &u64)| match other == place {
                true => format!("{:>width$}", "–"),
                false => format!("{:>width$}", grouped(*weight)),
            };
            let cells: String = row.iter().enumerate().map(cell).collect();
            let name = padded(&format!("{} {}", place + 1, self.alternatives[place]), NAME);
            put_line!(out, " {name}{cells}");
        }
    }
}

impl BestOrders {
    fn words(&self) -> String {
        let which = match self.orders {
            1 => "best order".to_owned(),
            many => format!("one of {} best orders", grouped(many)),
        };
        format!("{which} by Kemeny: {}; agreement {}", self.order.join(" > "), self.agreement)
    }
}

impl RuleCount {
    /// The cells about the robustness of the result.
    fn robustness_cells(&self, alternatives: &[String], resamples: u32) -> String {
        let changed = self.fewest.map_or_else(|| "–".to_owned(), FewestShown::words);
        let alone = self.pivotal_ballots.map_or_else(|| "–".to_owned(), grouped);
        format!("{changed:>10}  {alone:>5}  {}", self.bootstrap_words(alternatives, resamples))
    }

    /// The most frequent winner over the resamples, with its share.
    fn bootstrap_words(&self, alternatives: &[String], resamples: u32) -> String {
        let Some(shares) = &self.bootstrap else { return String::new() };
        let percent = |times: u32| format!("{:.0} %", 100.0 * f64::from(times) / f64::from(resamples.max(1)));
        let names = shares.alone.iter().zip(alternatives).map(|(times, name)| (*times, name.as_str()));
        let mut all: Vec<(u32, &str)> =
            names.chain([(shares.nobody, "nobody")]).filter(|(times, _)| *times > 0).collect();
        all.sort_by_key(|(times, _)| std::cmp::Reverse(*times));
        let otherwise = if shares.tied.iter().all(|times| *times == 0) { "–" } else { "ties" };
        all.first().map_or(otherwise.to_owned(), |(times, name)| fitted(&format!("{} {name}", percent(*times)), 14))
    }

    /// The chance of each alternative under a random ballot.
    fn chance_words(&self, alternatives: &[String]) -> String {
        let points = self.points.iter().flatten();
        let all: i128 = points.clone().sum();
        let mut of: Vec<(i128, &String)> =
            points.copied().zip(alternatives).filter(|(points, _)| *points > 0).collect();
        of.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
        let share = |(points, name): &(i128, &String)| format!("{name} {:.0} %", 100.0 * *points as f64 / all as f64);
        match of.is_empty() {
            true => self.winner_words(),
            false => of.iter().map(share).collect::<Vec<_>>().join(", "),
        }
    }
}

/// Formats points with up to two decimals.
fn format_points(points: f64) -> String {
    trim_zeros(&format!("{points:.2}")).to_owned()
}

/// Lists the rules, at most three of them by name.
fn list_rules(rules: &[&'static str]) -> String {
    match rules {
        [first, second, third, rest @ ..] if rest.len() > 1 => {
            format!("{first}, {second}, {third} and {} more", rest.len())
        }
        rules => rules.join(", "),
    }
}
