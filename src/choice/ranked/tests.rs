//! Published profiles, and what each rule makes of them.

use super::*;
use crate::choice::{CountTerms, UncountedReason, count_rankings};
use crate::domain::RuleKind;

/// A rule with the terms that it leaves open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TermedRule {
    pub rule: RuleKind,
    pub strength: DefeatStrength,
    pub ties: RunoffTies,
    pub threshold: (u32, u32),
    /// The weight of all who could have voted.
    pub voters: u64,
}

pub(super) const fn plain(rule: RuleKind) -> TermedRule {
    let (strength, ties) = (DefeatStrength::Margins, RunoffTies::Together);
    TermedRule { rule, strength, ties, threshold: (2, 3), voters: 0 }
}

const fn by_winning_votes(rule: RuleKind) -> TermedRule {
    TermedRule { strength: DefeatStrength::WinningVotes, ..plain(rule) }
}

fn count(termed: TermedRule, preferences: &Preferences) -> Result<VoteCount, UncountedReason> {
    let TermedRule { rule, strength, ties, threshold, voters } = termed;
    let terms = CountTerms { strength, runoff_ties: ties, threshold, ..CountTerms::default() };
    count_rankings(rule, &Counting::new(preferences), voters, &terms)
}

/// Ballots written as `18 ADECB`, alternatives by letters.
fn profile(letters: &str, ballots: &str) -> Preferences {
    let ballots = ballots.split(", ").map(|ballot| {
        let (weight, order) = ballot.split_once(' ').expect("a weight and an order");
        let levels: Vec<[usize; 1]> = order.chars().map(|letter| [letters.find(letter).expect("a letter")]).collect();
        (Ranking::of_levels(letters.len(), &levels), weight.parse().expect("a weight"))
    });
    Preferences::new(letters.len(), ballots)
}

pub(super) const RUNOFF: TermedRule = plain(RuleKind::InstantRunoff);
pub(super) const BRANCHES: TermedRule = TermedRule { ties: RunoffTies::Branches, ..plain(RuleKind::InstantRunoff) };

pub(super) const CONDORCET: [TermedRule; 8] = [
    plain(RuleKind::Copeland),
    plain(RuleKind::Minimax),
    by_winning_votes(RuleKind::Minimax),
    plain(RuleKind::Schulze),
    by_winning_votes(RuleKind::Schulze),
    plain(RuleKind::RankedPairs),
    by_winning_votes(RuleKind::RankedPairs),
    plain(RuleKind::KemenyYoung),
];

pub(super) const OTHERS: [TermedRule; 5] =
    [plain(RuleKind::Plurality), plain(RuleKind::Borda), RUNOFF, BRANCHES, plain(RuleKind::TwoRound)];

pub(super) fn all() -> Vec<TermedRule> {
    [&CONDORCET[..], &OTHERS[..]].concat()
}

pub(super) fn winners(rule: TermedRule, preferences: &Preferences) -> Vec<usize> {
    count(rule, preferences).expect("few alternatives").winners
}

fn names(letters: &str, places: &[usize]) -> String {
    places.iter().map(|place| letters.as_bytes()[*place] as char).collect()
}

/// What a rule chooses, in letters.
fn chosen(rule: TermedRule, letters: &str, ballots: &str) -> String {
    names(letters, &winners(rule, &profile(letters, ballots)))
}

const TENNESSEE: (&str, &str) = ("MNCK", "42 MNCK, 26 NCKM, 15 CKNM, 17 KCNM");
const MALKEVITCH: (&str, &str) = ("ABCDE", "18 ADECB, 12 BEDCA, 10 CBEDA, 9 DCEBA, 4 EBDCA, 2 ECDBA");
const SCHULZE_45: (&str, &str) = ("ABCDE", "5 ACBED, 5 ADECB, 8 BEDAC, 3 CABED, 7 CAEBD, 2 CBADE, 7 DCEBA, 8 EBADC");
const SCHULZE_30: (&str, &str) = ("ABCD", "5 ACBD, 2 ACDB, 3 ADCB, 4 BACD, 3 CBDA, 3 CDBA, 1 DACB, 5 DBAC, 4 DCBA");

#[test]
fn tennessee_has_three_capitals_and_nashville_by_most_rules() {
    let (letters, ballots) = TENNESSEE;
    assert_eq!(chosen(plain(RuleKind::Plurality), letters, ballots), "M");
    assert_eq!(chosen(RUNOFF, letters, ballots), "K");
    for rule in CONDORCET.into_iter().chain([plain(RuleKind::TwoRound), plain(RuleKind::Borda)]) {
        assert_eq!(chosen(rule, letters, ballots), "N", "{rule:?}");
    }
    let points = borda(&profile(letters, ballots)).points.expect("points");
    assert_eq!(points, Points { of: vec![252, 388, 346, 214], unit: 2 }, "126, 194, 173, 107");
    let kemeny = kemeny(&Pairwise::from_preferences(&profile(letters, ballots))).expect("four");
    assert_eq!((names(letters, &kemeny.order).as_str(), kemeny.agreement, kemeny.orders), ("NCKM", 393, 1));
}

#[test]
fn five_rules_choose_five_alternatives_from_malkevitchs_ballots() {
    let (letters, ballots) = MALKEVITCH;
    let five = [plain(RuleKind::Plurality), plain(RuleKind::TwoRound), RUNOFF, plain(RuleKind::Borda)];
    let found: Vec<String> = five.into_iter().map(|rule| chosen(rule, letters, ballots)).collect();
    assert_eq!(found, ["A", "B", "C", "D"]);
    for rule in CONDORCET {
        assert_eq!(chosen(rule, letters, ballots), "E", "{rule:?}");
    }
    let points = borda(&profile(letters, ballots)).points.expect("points");
    assert_eq!(points.of, [72, 101, 107, 136, 134].map(|points| points * 2));
}

#[test]
fn schulzes_examples_give_his_strengths_and_orders() {
    let (letters, ballots) = SCHULZE_45;
    let preferences = profile(letters, ballots);
    let paths = schulze::strongest_paths(&Pairwise::from_preferences(&preferences), DefeatStrength::WinningVotes);
    let expected =
        [[0, 28, 28, 30, 24], [25, 0, 28, 33, 24], [25, 29, 0, 29, 24], [25, 28, 28, 0, 24], [25, 28, 28, 31, 0]];
    assert_eq!(paths, expected.map(|row| row.to_vec()));
    let order = |paths: &[Vec<u64>]| {
        let beats = |one: usize| (0..paths.len()).filter(|other| paths[one][*other] > paths[*other][one]).count();
        let mut all: Vec<usize> = (0..paths.len()).collect();
        all.sort_by_key(|one| std::cmp::Reverse(beats(*one)));
        names("ABCDE", &all)
    };
    assert_eq!(order(&paths), "EACBD");
    for (rule, winner) in [
        (plain(RuleKind::Plurality), "C"),
        (RUNOFF, "A"),
        (plain(RuleKind::RankedPairs), "A"),
        (plain(RuleKind::KemenyYoung), "E"),
        (plain(RuleKind::Minimax), "E"),
        (plain(RuleKind::Borda), "E"),
        (plain(RuleKind::Schulze), "E"),
    ] {
        assert_eq!(chosen(rule, letters, ballots), winner, "{rule:?}");
    }
    let (letters, ballots) = SCHULZE_30;
    let pairwise = Pairwise::from_preferences(&profile(letters, ballots));
    assert_eq!(order(&schulze::strongest_paths(&pairwise, DefeatStrength::WinningVotes)), "DACB");
}

#[test]
fn a_cycle_ties_all_three_and_has_no_majority() {
    for rule in all() {
        assert_eq!(chosen(rule, "ABC", "1 ABC, 1 BCA, 1 CAB"), "ABC", "{rule:?}");
    }
    for rule in [plain(RuleKind::Majority), plain(RuleKind::Supermajority), plain(RuleKind::Unanimity)] {
        assert_eq!(chosen(rule, "ABC", "1 ABC, 1 BCA, 1 CAB"), "", "{rule:?}");
    }
    // On the agenda, who enters last wins; A against B, its winner A against C.
    assert_eq!(chosen(plain(RuleKind::AmendmentAgenda), "ABC", "1 ABC, 1 BCA, 1 CAB"), "C");
    assert_eq!(chosen(plain(RuleKind::AmendmentAgenda), "BCA", "1 ABC, 1 BCA, 1 CAB"), "A");
    assert_eq!(
        random_ballot(&profile("ABC", "1 ABC, 1 BCA, 1 CAB")).expect("few ties").points,
        Some(Points { of: vec![1, 1, 1], unit: 1 })
    );
    let pairwise = Pairwise::from_preferences(&profile("ABC", "1 ABC, 1 BCA, 1 CAB"));
    assert_eq!((pairwise.condorcet_winner(), pairwise.smith_set()), (None, vec![0, 1, 2]));
}

/// The agenda of which the option entered last wins, whichever it is.
#[test]
fn on_an_agenda_over_a_cycle_who_enters_last_wins() {
    let ballots = "1 ABC, 1 BCA, 1 CAB";
    for (agenda, last) in [("ABC", "C"), ("BAC", "C"), ("BCA", "A"), ("CBA", "A"), ("ACB", "B"), ("CAB", "B")] {
        assert_eq!(chosen(plain(RuleKind::AmendmentAgenda), agenda, ballots), last, "{agenda}");
    }
}

#[test]
fn a_ballot_is_drawn_by_its_weight_and_a_tie_at_its_top_in_equal_parts() {
    let tied = (Ranking::of_levels(3, &[vec![0, 1]]), 3);
    let preferences =
        Preferences::new(3, [tied, (Ranking::of_levels(3, &[[2]]), 1), (Ranking::of_levels::<[usize; 1]>(3, &[]), 9)]);
    let points = random_ballot(&preferences).expect("few ties").points;
    assert_eq!(points, Some(Points { of: vec![3, 3, 2], unit: 2 }));
    // Every pair of lots, of which the first is below 4 and the second below 2.
    let mut drawn = [0; 3];
    for (first, second) in (0..4).flat_map(|first| (0..2).map(move |second| (first, second))) {
        let mut lots = [(4, first), (2, second)].into_iter();
        let one = drawn_ballot(&preferences, |below| {
            let (most, lot) = lots.next().expect("two lots");
            assert_eq!(below, most);
            lot
        });
        drawn[one.expect("somebody")] += 1;
    }
    assert_eq!(drawn, [3, 3, 2]);
    assert_eq!(drawn_ballot(&Preferences::new(3, []), |_| unreachable!("nothing to draw")), None);
}

#[test]
fn one_at_a_time_the_runoff_of_schulzes_example_elects_another_in_every_branch() {
    let (letters, ballots) = SCHULZE_45;
    assert_eq!(chosen(RUNOFF, letters, ballots), "A");
    assert_eq!(chosen(BRANCHES, letters, ballots), "C");
    // Of A 2, B 1 and C 1 either of the last is dropped: B's ballot goes to C, C's to B.
    assert_eq!(chosen(BRANCHES, "ABC", "2 ABC, 1 BCA, 1 CBA"), "ABC");
    assert_eq!(chosen(RUNOFF, "ABC", "2 ABC, 1 BCA, 1 CBA"), "A");
}

#[test]
fn ties_of_many_sizes_are_refused_where_their_parts_are_too_small() {
    let all: Vec<usize> = (0..100).collect();
    let ballots = (1..=100).map(|ties| (Ranking::of_levels(100, &[&all[..ties]]), 1));
    assert_eq!(plurality(&Preferences::new(100, ballots)), Err(CountRefusal::TooFine));
    assert_eq!(
        count(plain(RuleKind::Copeland), &Preferences::new(501, [(Ranking::of_levels(501, &[[0]]), 1)])),
        Err(CountRefusal::TooManyAlternatives { alternatives: 501, most: 500 }.into())
    );
}

#[test]
fn who_could_have_voted_and_did_not_counts_in_the_whole_of_shares_alone() {
    let preferences = profile("AB", "3 AB, 1 BA");
    assert_eq!(winners(plain(RuleKind::Majority), &preferences), [0]);
    assert_eq!(winners(TermedRule { voters: 5, ..plain(RuleKind::Majority) }, &preferences), [0]);
    assert!(winners(TermedRule { voters: 6, ..plain(RuleKind::Majority) }, &preferences).is_empty());
    let agreed = profile("AB", "3 AB");
    assert_eq!(winners(plain(RuleKind::Unanimity), &agreed), [0]);
    assert!(winners(TermedRule { voters: 4, ..plain(RuleKind::Unanimity) }, &agreed).is_empty());
    assert_eq!(winners(TermedRule { threshold: (3, 4), ..plain(RuleKind::Supermajority) }, &preferences), [0]);
    assert!(
        winners(TermedRule { threshold: (3, 4), voters: 5, ..plain(RuleKind::Supermajority) }, &preferences).is_empty()
    );
}

#[test]
fn the_centre_is_squeezed_out_by_plurality_and_instant_runoff() {
    let ballots = "45 ABC, 15 BAC, 10 BCA, 30 CBA";
    for rule in CONDORCET {
        assert_eq!(chosen(rule, "ABC", ballots), "B", "{rule:?}");
    }
    for rule in [plain(RuleKind::Plurality), RUNOFF, BRANCHES] {
        assert_eq!(chosen(rule, "ABC", ballots), "A", "{rule:?}");
    }
}

#[test]
fn more_support_can_cost_an_instant_runoff() {
    assert_eq!(chosen(RUNOFF, "ABC", "39 ABC, 35 BCA, 26 CAB"), "A");
    assert_eq!(chosen(RUNOFF, "ABC", "49 ABC, 25 BCA, 26 CAB"), "C");
}

#[test]
fn three_seats_go_to_chocolate_oranges_and_strawberries() {
    let ballots = profile("OPCSW", "4 O, 2 PO, 8 CS, 4 CW, 1 S, 1 W");
    let committees = single_transferable_vote(&ballots, 3).expect("few ties");
    assert_eq!(committees.quota, 6);
    assert_eq!(Vec::from_iter(committees.elected), [vec![0, 2, 3]]);
}

/// After the surplus of C and the end of D, A has 3 + 2 + 5/11 + 6/11 votes, as many as B and E.
#[test]
fn shares_of_votes_that_add_up_to_a_tie_are_a_tie() {
    let ballots = profile("ABCDE", "3 ACEDB, 6 BCDEA, 5 CABDE, 6 CABED, 2 DABCE, 4 EBDAC, 2 EDBAC");
    let committees = single_transferable_vote(&ballots, 2).expect("few ties");
    assert_eq!(committees.quota, 10);
    assert_eq!(Vec::from_iter(committees.elected), [vec![1, 2], vec![2, 4]]);
}

/// With a prime, multiples of each number are an order in which everybody comes first once: many are elected, and pass on to many.
#[test]
fn shares_of_votes_that_become_too_long_are_refused() {
    let ballots = |prime: usize| {
        let alternatives = prime - 1;
        let ballot = |first: usize| {
            let order: Vec<[usize; 1]> = (1..prime).map(|place| [first * place % prime - 1]).collect();
            (Ranking::of_levels(alternatives, &order), 1_000 + (first * first) as u64)
        };
        Preferences::new(alternatives, (1..prime).map(ballot))
    };
    let few = single_transferable_vote(&ballots(11), 4).expect("short shares");
    assert!(few.elected.iter().all(|committee| committee.len() == 4));
    assert_eq!(single_transferable_vote(&ballots(53), 40), Err(CountRefusal::TooLong));
}

#[test]
fn what_cannot_be_counted_exactly_is_refused() {
    let many = Preferences::new(16, [(Ranking::of_levels(16, &[[0]]), 1)]);
    let refused = count(plain(RuleKind::KemenyYoung), &many);
    assert_eq!(refused, Err(CountRefusal::TooManyAlternatives { alternatives: 16, most: 15 }.into()));
}

#[test]
fn ranked_pairs_is_counted_where_few_rank_many_and_most_defeats_are_equally_strong() {
    let turned = |alternatives: usize, voters: usize| {
        let order = |first: usize| (0..alternatives).map(|step| [(first + step) % alternatives]).collect::<Vec<_>>();
        let step = alternatives / voters;
        let ballots = (0..voters).map(|voter| (Ranking::of_levels(alternatives, &order(voter * step)), 1));
        Preferences::new(alternatives, ballots.collect::<Vec<_>>())
    };
    let rule = plain(RuleKind::RankedPairs);
    // All stand in the same place in the circle.
    assert_eq!(winners(rule, &turned(15, 15)), (0..15).collect::<Vec<_>>());
    // A circle of three blocks of five: within a block everybody puts the first above the others.
    assert_eq!(winners(rule, &turned(15, 3)), [0, 5, 10]);
}

#[test]
fn nobody_wins_where_nobody_voted() {
    for rule in all() {
        assert!(winners(rule, &Preferences::new(3, [])).is_empty(), "{rule:?}");
    }
}

#[test]
fn a_tie_at_the_top_counts_in_equal_parts() {
    let ballots = [(Ranking::of_levels(3, &[vec![0, 1], vec![2]]), 1), (Ranking::of_levels(3, &[vec![0, 1, 2]]), 1)];
    let points = first_places(&Preferences::new(3, ballots), &[0, 1, 2]);
    assert_eq!(points.expect("few ties"), Points { of: vec![5, 5, 2], unit: 6 });
}
