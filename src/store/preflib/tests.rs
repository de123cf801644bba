//! Files as preflib.org has them, files that are none, and what is written reads back.

use proptest::prelude::*;

use super::*;
use crate::choice::{CountTerms, countable_rules, recount_ballots};

/// In the form of preflib.org; the orders are those of Tennessee.
const TENNESSEE: &str = "# FILE NAME: tennessee.soc\n# TITLE: Capital: of Tennessee\n# DATA TYPE: soc\n\
    # NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 100\n# NUMBER UNIQUE ORDERS: 4\n# ALTERNATIVE NAME 1: Memphis\n\
    # ALTERNATIVE NAME 2: Nashville\n# ALTERNATIVE NAME 3: Chattanooga\n# ALTERNATIVE NAME 4: Knoxville\n\
    42: 1,2,3,4\n26: 2,3,4,1\n15: 3,4,2,1\n17: 4,3,2,1\n";

#[test]
fn a_file_is_read_with_its_names_and_weights() {
    let election = parse_election(TENNESSEE, "soc").unwrap();
    assert_eq!(election.title, "Capital: of Tennessee");
    assert_eq!(election.names, ["Memphis", "Nashville", "Chattanooga", "Knoxville"]);
    assert_eq!((election.ballots.ballot_count(), election.ballots.bundles().len()), (100, 4));
    assert_eq!(file_extension(&election.ballots), "soc");
}

#[test]
fn alternatives_of_one_name_are_told_apart_by_their_numbers() {
    let head =
        "# NUMBER ALTERNATIVES: 4\n# ALTERNATIVE NAME 1: Kim\n# ALTERNATIVE NAME 3: Kim\n# ALTERNATIVE NAME 4: Lee\n";
    assert_eq!(parse_election(&format!("{head}1: 1,2,3,4\n"), "").unwrap().names, ["Kim (1)", "2", "Kim (3)", "Lee"]);
    assert_eq!(parse_election(&format!("{}1: 1\n", head.replace(": Lee", ":")), "").unwrap().names[3], "4");
    let twice = head.replace(": Lee", ": Kim (3)");
    assert_eq!(
        parse_election(&format!("{twice}1: 1\n"), "").unwrap_err().reason,
        "two alternatives are called \"Kim (3)\""
    );
}

#[test]
fn categories_are_approvals_or_scores() {
    let head = "# DATA TYPE: cat\n# NUMBER ALTERNATIVES: 3\n";
    let two = "# NUMBER CATEGORIES: 2\n# CATEGORY NAME 1: Yes\n# CATEGORY NAME 2: No\n";
    let approvals =
        parse_election(&format!("{head}{two}2: 3, {{1,2}}\n1: {{}},{{1,2,3}}\n4: {{1, 2, 3}}\n"), "").unwrap();
    let of = |ballot: &[bool]| {
        let ballot = TallyBallot::Approval(ballot.to_vec());
        approvals.ballots.bundles().iter().find(|bundle| bundle.ballot == ballot).map(|bundle| bundle.count)
    };
    assert_eq!([of(&[false, false, true]), of(&[false; 3]), of(&[true; 3])], [Some(2), Some(1), Some(4)]);
    let three = "# NUMBER CATEGORIES: 3\n# CATEGORY NAME 1: 5\n# CATEGORY NAME 2: 2\n# CATEGORY NAME 3: 0\n";
    let scores = parse_election(&format!("{head}{three}1: 2,{{}},{{1,3}}\n"), "").unwrap();
    assert_eq!(scores.ballots.form(), TallyForm::Score(5));
    assert_eq!(scores.ballots.bundles()[0].ballot, TallyBallot::Score(vec![0, 5, 0]));
    let wrong = parse_election(&format!("{head}{three}1: 2,{{}},3\n"), "").unwrap_err();
    assert_eq!((wrong.line, wrong.reason.as_str()), (7, "the ballot does not score \"1\""));
    let words = three.replace(": 5", ": good");
    assert!(parse_election(&format!("{head}{words}1: 2,1,3\n"), "").unwrap_err().reason.contains("good, 2, 0"));
}

#[test]
fn what_is_no_such_file_is_told_with_its_line() {
    for (text, line, words) in [
        ("4\n1, A\n", 1, "no line `# NUMBER ALTERNATIVES"),
        ("", 0, "no line `# NUMBER ALTERNATIVES"),
        ("# NUMBER ALTERNATIVES: 0\n", 1, "0 alternatives are outside"),
        ("# NUMBER ALTERNATIVES: many\n", 1, "whole number"),
        ("# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 3: C\n", 2, "no alternative from 1 to 2"),
        ("# NUMBER ALTERNATIVES: 2\n1: 1,3\n", 2, "3 is no alternative; there are 2"),
        ("# NUMBER ALTERNATIVES: 2\n1: 0\n", 2, "a ballot is a count"),
        ("# NUMBER ALTERNATIVES: 2\n1: 1,1\n", 2, "1 stands on the ballot twice"),
        ("# NUMBER ALTERNATIVES: 2\n1: {1,2\n", 2, "a ballot is a count"),
        ("# NUMBER ALTERNATIVES: 2\n-1: 1\n", 2, "a ballot is a count"),
        ("# NUMBER ALTERNATIVES: 2\n18446744073709551615: 1\n1: 2\n", 2, "too many"),
        ("# NUMBER ALTERNATIVES: 2\n# NUMBER VOTERS: 3\n2: 1\n", 0, "says 3 voters, the ballots are of 2"),
        ("# NUMBER ALTERNATIVES: 2\n# BALLOT FORM: choice\n2: 1,2\n", 3, "a ballot names one alternative"),
        ("# NUMBER ALTERNATIVES: 2\n# BALLOT FORM: order\n", 2, "`choice` or left out"),
        ("# NUMBER ALTERNATIVES: 2\n# NUMBER CATEGORIES: 2\n# CATEGORY NAME 1: yes\n1: 1,2\n", 4, "is missing"),
    ] {
        let malformed = parse_election(text, "").unwrap_err();
        assert!(malformed.line == line && malformed.reason.contains(words), "{text:?}: {malformed:?}");
    }
}

#[test]
fn an_order_with_a_gap_is_refused_where_the_data_type_is_complete_and_one_with_a_tie_where_it_is_strict() {
    let names =
        "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Ben\n# ALTERNATIVE NAME 3: Cy\n";
    let gap = "leaves out [\"Ben\"], but";
    let cases = [
        ("soc", "2: 1,3,2", None),
        ("soc", "2: 1,3", Some(gap)),
        ("soc", "2: 1,{2,3}", Some("ties [\"Ben\", \"Cy\"], but soc orders have no ties; toc allows them")),
        ("soi", "2: 1,3", None),
        ("soi", "2: {1,3}", Some("ties [\"Ann\", \"Cy\"], but soi orders have no ties; toi allows them")),
        ("toc", "2: {1,3},2", None),
        ("toc", "2: {1,3}", Some("leaves out [\"Ben\"], but toc orders rank every alternative; toi allows gaps")),
        ("toi", "2: {1,3}", None),
        ("soi", "2: 1,,3", Some("has a gap")),
        ("toi", "2: {1,,3}", Some("has a gap")),
        ("toi", "2: {1,},3", Some("has a gap")),
        ("soi", "2: ,1", Some("has a gap")),
        ("soi", "2: 1,3,", Some("has a gap")),
        ("soi", "2:", None),
    ];
    for (kind, ballot, wrong) in cases {
        let said = format!("# DATA TYPE: {kind}\n{names}{ballot}\n");
        // What the header says counts; where it says nothing the name of the file does.
        for (text, extension) in [(said.as_str(), "toi"), (&format!("{names}{ballot}\n"), kind)] {
            match (parse_election(text, extension), wrong) {
                (Ok(_), None) => {}
                (Err(malformed), Some(words)) => {
                    let line = text.lines().count();
                    assert!(malformed.line == line && malformed.reason.contains(words), "{text}: {malformed:?}");
                }
                (found, expected) => panic!("{text}: {found:?}, not {expected:?}"),
            }
        }
    }
}

fn ballots() -> impl Strategy<Value = Ballots> {
    let forms = vec![TallyForm::Choice, TallyForm::Approval, TallyForm::Ranking, TallyForm::Score(3)];
    let numbers = prop::collection::vec((prop::collection::vec(0_usize..5, 4), 1_u64..3, 0_u64..9), 1..9);
    (prop::sample::select(forms), numbers, 0_u64..3).prop_map(|(form, numbers, absent)| {
        let ballot = |numbers: &[usize]| match form {
            TallyForm::Choice => TallyBallot::Choice(numbers[0] % 4),
            TallyForm::Approval => TallyBallot::Approval(numbers.iter().map(|number| number % 2 == 0).collect()),
            TallyForm::Score(_) => TallyBallot::Score(numbers.iter().map(|number| (*number as u32).min(3)).collect()),
            TallyForm::Ranking => {
                let level = |level: usize| (0..4).filter(|one| numbers[*one] == level).collect::<Vec<_>>();
                TallyBallot::Ranking(Ranking::of_levels(4, &(0..4).map(level).collect::<Vec<_>>()))
            }
        };
        let bundle =
            |(numbers, weight, count): (Vec<usize>, u64, u64)| Bundle { ballot: ballot(&numbers), weight, count };
        Ballots::new(form, 4, numbers.into_iter().map(bundle).collect(), absent)
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_and_has_the_same_winners_under_every_rule(
        ballots in ballots(), title in "[a-z:#]{0,9}", description in "[a-z:#]{0,9}",
    ) {
        let names = ["a", "b: c", "# d", "{e}"].map(str::to_owned).to_vec();
        let election = PrefLibElection { title, description, names, ballots };
        let text = render_election(&election, "any");
        let read = parse_election(&text, "").unwrap();
        prop_assert_eq!((&read.title, &read.description, &read.names), (&election.title, &election.description, &election.names));
        if election.ballots.bundles().iter().all(|bundle| bundle.weight == 1) {
            prop_assert_eq!(&read.ballots, &election.ballots.merge_equal(), "{}", text);
        }
        let rules = countable_rules(read.ballots.form());
        let of = |ballots: &Ballots| recount_ballots(ballots, &rules, &CountTerms::default());
        prop_assert_eq!(of(&read.ballots), of(&election.ballots), "{}", text);
        // What is read is written as it was.
        prop_assert_eq!(render_election(&read, "any"), text);
    }
}
