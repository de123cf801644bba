//! Tables of ballots and payments.

use super::markup::Markup;
use crate::domain::{CLASS_NAMES, Payoff, TallyReport};
use crate::report::numbers::grouped;
use crate::report::told::{PlanWords, format_dollars};

/// Writes the ballots by alternative and marks the winners and the decision.
pub(super) fn tally(out: &mut Markup, report: &TallyReport, plan: &PlanWords) {
    let has_points = report.counts.iter().any(|count| count.points.is_some());
    out.own("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Ballots by alternative\"><table class=\"tally\"><caption>Ballots by alternative</caption><thead><tr><th scope=\"col\">alternative</th><th scope=\"col\" class=\"n\">ballots</th>");
    out.own(if has_points { "<th scope=\"col\" class=\"n\">points</th>" } else { "" });
    out.own("<th scope=\"col\">result</th></tr></thead><tbody>\n");
    for count in &report.counts {
        let is = |named: &crate::domain::NamedChoice| {
            named.alternative == count.alternative && (count.amount.is_none() || named.amount == count.amount)
        };
        let is_winner = report.winners.iter().any(is);
        let is_decided = report.decided.as_ref().is_some_and(is) || report.has_several_elected() && is_winner;
        let outcome = match (is_decided, is_winner) {
            (true, _) if report.by_default => "decided for by default",
            (true, _) => "decided for",
            (false, true) if report.winners.len() > 1 => "tied winner",
            (false, true) => "winner",
            (false, false) => "",
        };
        out.own("<tr><th scope=\"row\">").isolated(&plan.word_choice(&count.alternative, count.amount));
        out.own("</th><td class=\"n\">").number(count.count).own("</td>");
        if has_points {
            let points = count.points.map_or(String::new(), |points| points.to_string());
            out.own("<td class=\"n\">").text(&points).own("</td>");
        }
        out.own("<td>").own(outcome).own("</td></tr>\n");
    }
    out.own("</tbody></table></div>\n");
}

/// Writes the payment of each seat.
pub(super) fn payoffs(out: &mut Markup, payoffs: &[Payoff], plan: &PlanWords) {
    out.own("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Payments by seat\"><table class=\"payoffs\"><caption>Payments by seat</caption><thead><tr><th scope=\"col\">seat</th><th scope=\"col\">choice</th><th scope=\"col\" class=\"n\">table</th><th scope=\"col\">class</th><th scope=\"col\" class=\"n\">income, dollars a year</th><th scope=\"col\" class=\"n\">paid, dollars</th><th scope=\"col\" class=\"n\">balance, dollars</th></tr></thead><tbody>\n");
    for payoff in payoffs {
        let Some(income) = &payoff.income else { continue };
        let by = income.alternative.as_ref().map_or("by lot".to_owned(), |name| plan.word_choice(name, income.amount));
        let class = CLASS_NAMES.get(usize::from(income.class)).copied().unwrap_or_default().replace('_', " ");
        out.own("<tr><th scope=\"row\">").isolated(payoff.seat.as_str());
        out.own("</th><td>").isolated(&by);
        out.own("</td><td class=\"n\">").number(income.table);
        out.own("</td><td>").text(&class);
        out.own("</td><td class=\"n\">").text(&grouped(u64::from(income.income)));
        out.own("</td><td class=\"n\">").text(&format_dollars(payoff.payoff_cents.unwrap_or(0).unsigned_abs()));
        out.own("</td><td class=\"n\">").text(&format_dollars(income.balance_cents)).own("</td></tr>\n");
    }
    out.own("</tbody></table></div>\n");
}
