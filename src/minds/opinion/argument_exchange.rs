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

/// So many alternatives are counted in an array of their own, in half the time that adding to the shares takes.
const FEW: usize = 16;

/// Takes an argument into mind: it becomes the newest. As long as fewer than `most` are in mind none falls out; then the oldest does,
/// unless it was in mind already.
///
/// ```
/// use ekklesia::minds::adopt;
/// let mut held = vec![3, 1, 2];
/// adopt(&mut held, 2, 3);
/// assert_eq!(held, [2, 3, 1]);
/// adopt(&mut held, 4, 3);
/// assert_eq!(held, [4, 2, 3]);
/// adopt(&mut held, 5, 4);
/// assert_eq!(held, [5, 4, 2, 3]);
/// ```
pub fn adopt(held: &mut Vec<u32>, argument: u32, most: usize) {
    match held.iter().position(|other| *other == argument) {
        Some(place) => held[..=place].rotate_right(1),
        None => held.insert(0, argument),
    }
    held.truncate(most);
}

/// Writes, for each alternative, the share of the arguments that speak for it into `shares`.
pub fn balance(held: &[u32], shares: &mut [f64]) {
    let alternatives = shares.len() as u32;
    // A remainder is most of the work of a step, and by a power of two it is none.
    if alternatives.is_power_of_two() {
        shared_out(held.iter().map(|argument| (argument & (alternatives - 1)) as usize), shares);
    } else {
        shared_out(held.iter().map(|argument| (argument % alternatives) as usize), shares);
    }
}

/// Writes how the sides of some arguments are shared out among the alternatives; the same for each where there are none.
pub fn shared_out(sides: impl Iterator<Item = usize>, shares: &mut [f64]) {
    let mut few = [0_u32; FEW];
    let mut all = 0_u32;
    if shares.len() <= FEW {
        for side in sides {
            few[side] += 1;
            all += 1;
        }
        shares.iter_mut().zip(few).for_each(|(share, count)| *share = f64::from(count));
    } else {
        shares.fill(0.0);
        for side in sides {
            shares[side] += 1.0;
            all += 1;
        }
    }
    let (all, even) = (f64::from(all), 1.0 / shares.len() as f64);
    shares.iter_mut().for_each(|share| *share = if all > 0.0 { *share / all } else { even });
}

/// How attractive somebody at this distance is as a partner, 0 … 1; everybody equally where `homophily` is 0.
pub fn attraction(distance: f64, homophily: f64) -> f64 {
    let similarity = (1.0 - distance).clamp(0.0, 1.0);
    if homophily == 0.0 { 1.0 } else { libm::pow(similarity, homophily) }
}
