//! Votes with several winners: a number of them, or as many as a budget pays for.

use std::cmp::Ordering;

use num_bigint::BigUint;

/// Points of an option: a numerator and its unit.
pub type OptionPoints = (i128, i128);

/// The winners of a vote, in the order in which they won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elected {
    /// Their places among the options.
    pub winners: Vec<usize>,
    /// Whether an option that did as well as a winner lost by the order alone.
    pub is_tied: bool,
}

/// What a budget pays for.
#[derive(Debug, Clone, Copy)]
pub struct Money<'c> {
    /// The budget.
    pub budget: u64,
    /// The cost of each option, at least 1.
    pub costs: &'c [u64],
}

fn compare_points((of, unit): OptionPoints, (other, of_unit): OptionPoints) -> Ordering {
    (of * of_unit).cmp(&(other * unit))
}

/// The options in order of points, those with as many in this order.
fn rank_options(points: &[OptionPoints], order: &[usize]) -> Vec<usize> {
    let mut ranked = order.to_vec();
    ranked.sort_by(|one, other| compare_points(points[*other], points[*one]));
    ranked
}

/// The options with the most points. `order` is by which those with as many are taken.
pub fn elect_number(points: &[OptionPoints], order: &[usize], number: usize) -> Elected {
    let ranked = rank_options(points, order);
    let winners = ranked[..number.min(ranked.len())].to_vec();
    let is_tied = winners
        .last()
        .zip(ranked.get(number))
        .is_some_and(|(last, next)| compare_points(points[*last], points[*next]).is_eq());
    Elected { winners, is_tied }
}

/// One option after the other, the one with the most points first, as long as the budget pays for it; what costs more than is left is
/// passed over, and what has no points does not win. `order` is by which those with as many points are taken. Source: Rey and Maly
/// 2023, "The (computational) social choice take on indivisible participatory budgeting", section 3.1 (greedy rule).
pub fn elect_greedily(points: &[OptionPoints], order: &[usize], money: Money<'_>) -> Elected {
    let mut elected = Elected { winners: Vec::new(), is_tied: false };
    spend_greedily(points, order, money, &mut elected);
    elected
}

/// Adds to the winners what the rest of the budget pays for.
fn spend_greedily(points: &[OptionPoints], order: &[usize], money: Money<'_>, elected: &mut Elected) {
    let mut left = money.budget - elected.winners.iter().map(|place| money.costs[*place]).sum::<u64>();
    let ranked = rank_options(points, order);
    let is_open = |place: &usize, elected: &Elected| points[*place].0 > 0 && !elected.winners.contains(place);
    for (position, place) in ranked.iter().enumerate() {
        if !is_open(place, elected) || money.costs[*place] > left {
            continue;
        }
        let equals =
            ranked[position + 1..].iter().filter(|other| compare_points(points[*place], points[**other]).is_eq());
        // Of those that do as well, some may find no money left.
        let needed: u64 = equals.filter(|other| is_open(other, elected)).map(|other| money.costs[*other]).sum();
        elected.is_tied |= needed > left - money.costs[*place];
        left -= money.costs[*place];
        elected.winners.push(*place);
    }
}

/// The method of equal shares: every voter has an equal share of the budget, and an option wins if those who support it can pay for it
/// out of their shares. The next winner is the one that asks the least of them for each unit of what it is worth to them, its cost times
/// the score that they give it; whoever has less left pays all of it. What is left in the end is spent by [`elect_greedily`]. `voters` has
/// scores of all options, 1 for an approval, and a weight. Numbers are exact. Source: Peters, Pierczyński and Skowron 2021,
/// "Proportional participatory budgeting with additive utilities"; with costs as utilities as in the cities that use it.
///
/// # Panics
/// If a voter has scores of another number of options, or the winners cost more than the budget.
pub fn elect_by_equal_shares(
    voters: &[(Vec<u32>, u32)],
    points: &[OptionPoints],
    order: &[usize],
    money: Money<'_>,
) -> Elected {
    let weights: u64 = voters.iter().map(|(_, weight)| u64::from(*weight)).sum();
    // What a unit of money is in parts, and what each voter has in parts; options that did as well as a winner.
    let mut unit = BigUint::from(weights);
    let mut held: Vec<BigUint> = voters.iter().map(|(_, weight)| BigUint::from(*weight) * money.budget).collect();
    let mut elected = Elected { winners: Vec::new(), is_tied: false };
    let mut lost: Vec<usize> = Vec::new();
    loop {
        let open = order.iter().copied().filter(|place| !elected.winners.contains(place));
        let worth = |place: usize| {
            let worth = |(scores, weight): &(Vec<u32>, u32)| {
                u128::from(scores[place]) * u128::from(*weight) * u128::from(money.costs[place])
            };
            voters.iter().map(worth).collect::<Vec<u128>>()
        };
        let mut next: Option<(usize, OptionPrice)> = None;
        let mut rivals = Vec::new();
        for place in open {
            let Some(price) = find_price(&(BigUint::from(money.costs[place]) * &unit), &held, &worth(place)) else {
                continue;
            };
            match next.as_ref().map(|(_, best)| price.compare_price(best)) {
                Some(Ordering::Greater) => {}
                Some(Ordering::Equal) => rivals.push(place),
                Some(Ordering::Less) | None => {
                    rivals.clear();
                    next = Some((place, price));
                }
            }
        }
        let Some((place, price)) = next else { break };
        unit *= price.of;
        for (left, worth) in held.iter_mut().zip(worth(place)) {
            let has = std::mem::take(left) * price.of;
            let due = &price.parts * worth;
            *left = if has > due { has - due } else { BigUint::ZERO };
        }
        elected.winners.push(place);
        lost.append(&mut rivals);
    }
    spend_greedily(points, order, money, &mut elected);
    elected.is_tied |= lost.iter().any(|rival| !elected.winners.contains(rival));
    elected
}

/// What supporters pay for each unit of worth: so many parts for so many units.
struct OptionPrice {
    parts: BigUint,
    of: u128,
}

impl OptionPrice {
    fn compare_price(&self, other: &Self) -> Ordering {
        (&self.parts * other.of).cmp(&(&other.parts * self.of))
    }
}

/// The least price at which voters pay a cost together; `None` if they cannot. Whoever has less than the price asks pays all.
fn find_price(cost: &BigUint, held: &[BigUint], worth: &[u128]) -> Option<OptionPrice> {
    let mut payers: Vec<(&BigUint, u128)> =
        held.iter().zip(worth).filter(|(_, worth)| **worth > 0).map(|(held, worth)| (held, *worth)).collect();
    if payers.iter().map(|(held, _)| *held).sum::<BigUint>() < *cost {
        return None;
    }
    // Those who run out first are first.
    payers.sort_by(|(held, worth), (other, of_other)| (*held * *of_other).cmp(&(*other * *worth)));
    let (mut due, mut of) = (cost.clone(), payers.iter().map(|(_, worth)| worth).sum::<u128>());
    for (held, worth) in payers {
        if held * of >= &due * worth {
            return Some(OptionPrice { parts: due, of });
        }
        due -= held;
        of -= worth;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn approvals(voters: &[&[usize]], options: usize) -> Vec<(Vec<u32>, u32)> {
        let scores = |approved: &&[usize]| (0..options).map(|place| u32::from(approved.contains(&place))).collect();
        voters.iter().map(|approved| (scores(approved), 1)).collect()
    }

    fn sum_points(voters: &[(Vec<u32>, u32)], options: usize) -> Vec<OptionPoints> {
        let of = |place: usize| voters.iter().map(|(scores, weight)| i128::from(scores[place] * weight)).sum();
        (0..options).map(|place| (of(place), 1)).collect()
    }

    /// Two thirds want the first three projects, one third the last three, and the budget pays for three: by points the majority gets
    /// all, by equal shares two and one.
    #[test]
    fn equal_shares_are_proportional_where_points_are_not() {
        let voters = approvals(&[&[0, 1, 2], &[0, 1, 2], &[3, 4, 5]], 6);
        let (points, order) = (sum_points(&voters, 6), [0, 1, 2, 3, 4, 5]);
        let money = Money { budget: 3, costs: &[1; 6] };
        assert_eq!(elect_greedily(&points, &order, money).winners, [0, 1, 2]);
        assert_eq!(elect_by_equal_shares(&voters, &points, &order, money).winners, [0, 1, 3]);
    }

    #[test]
    fn what_costs_more_than_is_left_is_passed_over() {
        let points = [(5, 1), (4, 1), (3, 1), (0, 1)];
        let money = Money { budget: 10, costs: &[7, 5, 3, 1] };
        assert_eq!(elect_greedily(&points, &[0, 1, 2, 3], money), Elected { winners: vec![0, 2], is_tied: false });
        let money = Money { budget: 5, costs: &[9, 5, 3, 1] };
        assert_eq!(
            elect_greedily(&[(5, 1), (4, 1), (4, 1), (0, 1)], &[0, 2, 1, 3], money),
            Elected { winners: vec![2], is_tied: true }
        );
    }

    proptest! {
        /// Nothing is spent that is not there; whoever cannot be paid for out of the supporters' whole shares wins by what is left alone;
        /// and a group that is a share of the voters and agrees on what its share pays for gets something.
        #[test]
        fn a_budget_is_kept_and_a_group_that_agrees_is_heard(
            approved in prop::collection::vec(prop::collection::btree_set(0_usize..5, 0..5), 1..8),
            costs in prop::collection::vec(1_u64..9, 5),
            budget in 1_u64..30,
        ) {
            let lists: Vec<Vec<usize>> = approved.iter().map(|one| one.iter().copied().collect()).collect();
            let voters = approvals(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>(), 5);
            let (points, order) = (sum_points(&voters, 5), [0, 1, 2, 3, 4]);
            let money = Money { budget, costs: &costs };
            for elected in [elect_greedily(&points, &order, money), elect_by_equal_shares(&voters, &points, &order, money)] {
                let spent: u64 = elected.winners.iter().map(|place| costs[*place]).sum();
                prop_assert!(spent <= budget);
                let once: std::collections::BTreeSet<usize> = elected.winners.iter().copied().collect();
                prop_assert_eq!(once.len(), elected.winners.len());
                prop_assert!(elected.winners.iter().all(|place| points[*place].0 > 0));
                // No option that somebody wants could be added.
                let could = |place: &usize| !once.contains(place) && points[*place].0 > 0 && spent + costs[*place] <= budget;
                prop_assert!(!order.iter().any(could));
            }
            // Extended justified representation for one project: of all who approve of it somebody gets something approved.
            let elected = elect_by_equal_shares(&voters, &points, &order, money);
            for place in order {
                let group: Vec<&Vec<usize>> = lists.iter().filter(|list| list.contains(&place)).collect();
                if !group.is_empty() && group.len() as u64 * budget >= costs[place] * voters.len() as u64 {
                    prop_assert!(group.iter().any(|list| list.iter().any(|one| elected.winners.contains(one))));
                }
            }
        }
    }
}
