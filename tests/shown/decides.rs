//! How a group decides, in words, for everything that a design can say of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;

use crate::fixtures::trial;
use ekklesia::report::way_to_decide;

const VOIDS: &str = "; an invalid ballot voids the vote";
const CALLED: &str = "; a vote is held when a seat calls one and all others agree";

/// How five seats decide on a shipped scenario under these sections of a config.
fn told(scenario: &str, sections: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.yaml");
    let scenario = trial::repository().join("scenarios").join(scenario);
    let head = format!("experiment: t\nscenario: {}\nseed: 1\nreplicates: 1\n", scenario.display());
    let seats = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { name: Ann }, { name: Ben }, { name: Cem }, { name: Dan }, { name: Eva } ]\n";
    fs::write(&path, format!("{head}{seats}{sections}\n")).unwrap();
    way_to_decide(&trial::read(&path).arms[0])
}

#[test]
fn every_rule_is_told_with_the_ballots_that_it_needs() {
    let rules = [
        ("unanimity", "unanimity, 5 of 5 members", ""),
        ("majority", "majority, 3 of 5 members", ""),
        ("unanimity, of: valid", "unanimity of the valid ballots, 5 of 5 if all are valid", ""),
        ("majority, of: valid", "majority of the valid ballots, 3 of 5 if all are valid", ""),
        ("supermajority, threshold: 2/3", "supermajority of 2/3, 4 of 5 members", ""),
        ("plurality", "plurality, the most ballots", "; a tie is broken by lot"),
        ("random_ballot", "random ballot", ""),
        ("two_round", "two round", "; a ballot ranks the alternatives; a tie is broken by lot"),
        ("instant_runoff", "instant runoff", "; a ballot ranks the alternatives; a tie is broken by lot"),
        ("borda", "borda", "; a ballot ranks the alternatives; a tie is broken by lot"),
        ("copeland", "copeland", "; a ballot ranks the alternatives; a tie is broken by lot"),
        ("kemeny_young", "kemeny young", "; a ballot ranks the alternatives; a tie is broken by lot"),
        ("minimax", "minimax, strength margins", "; a ballot ranks the alternatives; a tie is broken by lot"),
        (
            "schulze, strength: winning_votes",
            "schulze, strength winning votes",
            "; a ballot ranks the alternatives; a tie is broken by lot",
        ),
        ("ranked_pairs", "ranked pairs, strength margins", "; a ballot ranks the alternatives; a tie is broken by lot"),
        ("approval", "approval", "; a ballot names all that it approves of; a tie is broken by lot"),
        ("score", "score", "; a ballot scores each alternative; a tie is broken by lot"),
        (
            "amendment_agenda, agenda: [against, for]",
            "amendment agenda",
            "; a ballot ranks the alternatives; one against the next, in the order against, for; of a tied pair what stood before stands",
        ),
    ];
    for (rule, named, more) in rules {
        assert_eq!(
            told("motion", &format!("decision: {{ rule: {rule}, tie_break: lot }}")),
            format!("{named}{VOIDS}{more}"),
            "{rule}"
        );
    }
    let amounts =
        [("mean", "the mean of the amounts, to the nearest whole number"), ("median", "the median of the amounts")];
    for (rule, named) in amounts {
        assert_eq!(
            told("estimation", &format!("decision: {{ rule: {rule}, invalid: void_round }}")),
            format!("{named}{VOIDS}"),
            "{rule}"
        );
    }
}

#[test]
fn what_else_a_decision_hangs_on_is_told_behind_its_rule() {
    let plurality = "plurality, the most ballots";
    for (more, words) in [
        (
            "invalid: abstain, tie_break: agenda_order",
            "; an invalid ballot is an abstention; of a tie the first alternative is taken",
        ),
        (
            "invalid: exclude, tie_break: status_quo",
            "; a seat with an invalid ballot is not counted; a tie leaves the status quo, if it is tied",
        ),
        ("invalid: void_round, tie_break: no_decision", "; an invalid ballot voids the vote; a tie decides nothing"),
        (
            "tie_break: chair, chair: Ben",
            "; an invalid ballot voids the vote; the ballot of the chair breaks a tie, or else the lot",
        ),
        ("tie_break: random_ballot", "; an invalid ballot voids the vote; ballots drawn by lot break a tie"),
        (
            "abstain: true, tie_break: lot",
            "; an invalid ballot voids the vote; seats may abstain; a tie is broken by lot",
        ),
        (
            "quorum: 3/5, tie_break: lot",
            "; an invalid ballot voids the vote; a tie is broken by lot; valid ballots of at least 3/5 of members are needed",
        ),
        (
            "weights: { Ann: 0, Ben: 0, Cem: 3, Dan: 0, Eva: 0 }, tie_break: lot",
            "; an invalid ballot voids the vote; a tie is broken by lot; only Cem's ballot counts",
        ),
        (
            "weights: { Ben: 3, Eva: 2 }, tie_break: lot",
            "; an invalid ballot voids the vote; a tie is broken by lot; ballots count once, but for Ben 3, Eva 2",
        ),
    ] {
        assert_eq!(
            told("motion", &format!("decision: {{ rule: plurality, {more} }}")),
            format!("{plurality}{words}"),
            "{more}"
        );
    }
    assert_eq!(
        told("motion", "decision: { rule: majority, weights: { Ben: 3 } }"),
        format!("majority, 4 of 7 members{VOIDS}; ballots count once, but for Ben 3")
    );
    assert_eq!(
        told("justice", "decision: { rule: majority, amount_tolerance: 1500, tie_break: lot }"),
        format!(
            "majority, 3 of 5 members{VOIDS}; amounts up to 1 500 apart count as the same; a tie is broken by lot{CALLED}"
        )
    );
}

#[test]
fn who_has_a_vote_held_is_told_and_nothing_where_nobody_votes() {
    let unanimity =
        |vote: &str| told("motion", &format!("discussion: {{ vote: {vote} }}\ndecision: {{ rule: unanimity }}"));
    assert_eq!(unanimity("on_call"), format!("unanimity, 5 of 5 members{VOIDS}{CALLED}"));
    for vote in ["every_round", "at_end"] {
        assert_eq!(unanimity(vote), format!("unanimity, 5 of 5 members{VOIDS}"), "{vote}");
    }
    assert_eq!(told("motion", "decision: { rule: imposed, imposed: { alternative: for } }"), "");
    assert_eq!(told("commons", ""), "");
}

#[test]
fn a_vote_in_which_not_all_take_part_is_told_apart_and_counts_those_who_do() {
    let agenda = "agenda:
  - { name: deal, assign: { job: { roles: { wolf: 2, lamb: rest }, by: lot } } }
  - { name: wolves, who: wolf, heard_by: wolf, discussion: { vote: on_call } }
  - { name: all, discussion: { vote: on_call } }
";
    let folder = tempfile::tempdir().unwrap();
    let told = |agenda: &str| {
        let config = trial::write_agenda(folder.path(), agenda, "decision: { rule: majority }\n");
        way_to_decide(&trial::read(&config).arms[0])
    };
    assert_eq!(
        told(agenda),
        format!("wolves: majority of those who take part{VOIDS}. all: majority, 2 of 3 members{VOIDS}{CALLED}")
    );
    let all = agenda.replace(", who: wolf, heard_by: wolf", "");
    assert_eq!(told(&all), format!("majority, 2 of 3 members{VOIDS}{CALLED}"));
    let two = agenda.replace("who: wolf", "who: [Ann, Cleo]");
    assert_eq!(
        told(&two),
        format!("wolves: majority, 2 of 2 members{VOIDS}. all: majority, 2 of 3 members{VOIDS}{CALLED}")
    );
}
