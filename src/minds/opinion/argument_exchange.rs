//! Exchange of arguments: opinions are what the arguments in mind add up to, and people listen to those who are like them.
//!
//! Source: Mäs and Flache 2013, "Differentiation without distancing: explaining bi-polarization of opinions without negative
//! influence", PLoS ONE 8(11). A seat has S arguments in mind, the newest first; its opinion is the share of them that speak for
//! each alternative. It picks a partner with a probability proportional to similarity^h, similarity being 1 − the distance of their
//! opinions, takes over the argument that the partner used, and the oldest falls out; one it had already is only renewed.
//!
//! Where a seat's arguments are the facts of the case that it was told, it begins with these, a lot saying which is the newest, and has
//! at most S in mind.
//!
//! An argument is a number. Number n speaks for the alternative n mod K, so that each alternative has as many; where an amount alone is
//! decided, even numbers speak for the greatest and odd ones for the least. In the model two meet
//! at a time; here everybody who speaks uses one of its arguments, drawn by lot, and everybody else picks one of those who spoke.

/// So many alternatives are counted side by side: each argument adds one or nothing to every count, so that no addition waits for
/// another and no count is found by what was read.
const FEW: usize = 8;

/// Takes an argument into mind: it becomes the newest. As long as fewer than `most` are in mind none falls out; then the oldest does,
/// unless it was in mind already.
///
/// ```
/// use ekklesia::minds::adopt_argument;
/// let mut held = vec![3, 1, 2];
/// adopt_argument(&mut held, 2, 3);
/// assert_eq!(held, [2, 3, 1]);
/// adopt_argument(&mut held, 4, 3);
/// assert_eq!(held, [4, 2, 3]);
/// adopt_argument(&mut held, 5, 4);
/// assert_eq!(held, [5, 4, 2, 3]);
/// ```
pub fn adopt_argument(held: &mut Vec<u32>, argument: u32, most: usize) {
    held.truncate(most);
    // One pass: each takes the place of the next, up to where the argument was before.
    let mut moved = argument;
    for place in held.iter_mut() {
        std::mem::swap(place, &mut moved);
        if moved == argument {
            return;
        }
    }
    if held.len() < most {
        held.push(moved);
    }
}

/// Writes, for each alternative, the share of the arguments that speak for it into `shares`.
pub fn balance_arguments(held: &[u32], shares: &mut [f64]) {
    let alternatives = shares.len() as u32;
    shared_out(held.iter().map(|argument| argument % alternatives), shares);
}

/// Writes how the sides of some arguments are shared out among the alternatives; the same for each where there are none.
pub fn shared_out(sides: impl Iterator<Item = u32>, shares: &mut [f64]) {
    let mut all = 0_u32;
    if shares.len() <= FEW {
        let mut few = [0_u32; FEW];
        for side in sides {
            (0..).zip(&mut few).for_each(|(place, count)| *count += u32::from(side == place));
            all += 1;
        }
        shares.iter_mut().zip(few).for_each(|(share, count)| *share = f64::from(count) / f64::from(all));
    } else {
        shares.fill(0.0);
        for side in sides {
            shares[side as usize] += 1.0;
            all += 1;
        }
        shares.iter_mut().for_each(|share| *share /= f64::from(all));
    }
    if all == 0 {
        let even = 1.0 / shares.len() as f64;
        shares.fill(even);
    }
}

/// How attractive somebody at this distance is as a partner, 0 … 1; everybody equally where `homophily` is 0.
pub fn partner_attraction(distance: f64, homophily: f64) -> f64 {
    let similarity = (1.0 - distance).clamp(0.0, 1.0);
    if homophily == 0.0 { 1.0 } else { libm::pow(similarity, homophily) }
}
