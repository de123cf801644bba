//! Exchange of arguments: an opinion is the balance of the arguments in mind, and seats listen to those who are like them.
//!
//! Source: Mäs and Flache 2013, "Differentiation without distancing: explaining bi-polarization of opinions without negative
//! influence", PLoS ONE 8(11). A seat has S arguments in mind, the newest first; its opinion is the share that supports each
//! alternative. It picks a partner with a probability proportional to similarity^h, where similarity is 1 − the distance of their
//! opinions. It adopts the argument that the partner used and drops its oldest; an argument that it already has is only renewed.
//!
//! If the arguments are the facts of the case, a seat begins with those that it was given, in random order, and has at most S in
//! mind.
//!
//! Argument n supports the alternative n mod K, so that each alternative has as many; if an amount alone is decided, even numbers
//! support the greatest and odd ones the least. In the model two agents meet at a time; here every speaker uses one of its
//! arguments, drawn at random, and every other seat picks one of the speakers.

/// Up to this many alternatives are counted side by side, so that no addition waits for another.
const FEW: usize = 8;

/// Makes an argument the newest in mind. The oldest falls out if `most` were in mind and the argument is new.
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
    // One pass: each argument moves to the next place, up to where the adopted one was.
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

/// Writes into `shares` the share of the arguments that supports each alternative.
pub fn balance_arguments(held: &[u32], shares: &mut [f64]) {
    let alternatives = shares.len() as u32;
    shared_out(held.iter().map(|argument| argument % alternatives), shares);
}

/// Writes into `shares` the share of each side; equal shares if there are no arguments.
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

/// The weight of a seat at this distance as a partner, 0 … 1; always 1 if `homophily` is 0.
pub fn partner_attraction(distance: f64, homophily: f64) -> f64 {
    let similarity = (1.0 - distance).clamp(0.0, 1.0);
    if homophily == 0.0 { 1.0 } else { libm::pow(similarity, homophily) }
}
