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

/// Takes an argument into mind: it becomes the newest, and where it is new the oldest falls out.
///
/// ```
/// use ekklesia::minds::adopted;
/// assert_eq!(adopted(&[3, 1, 2], 2), [2, 3, 1]);
/// assert_eq!(adopted(&[3, 1, 2], 4), [4, 3, 1]);
/// ```
pub fn adopted(held: &[u32], argument: u32) -> Vec<u32> {
    adopted_up_to(held, argument, held.len())
}

/// The same where as many as this may be in mind: as long as there are fewer, none falls out.
pub fn adopted_up_to(held: &[u32], argument: u32, most: usize) -> Vec<u32> {
    let others = held.iter().copied().filter(|other| *other != argument);
    std::iter::once(argument).chain(others).take(most).collect()
}

/// The share of the arguments that speak for each of so many alternatives.
pub fn balance(held: &[u32], alternatives: usize) -> Vec<f64> {
    shares(held.iter().map(|argument| *argument as usize % alternatives), alternatives)
}

/// How the sides of some arguments are shared out among so many alternatives; the same for each where there are none.
pub fn shares(sides: impl Iterator<Item = usize>, alternatives: usize) -> Vec<f64> {
    let mut counts = vec![0.0; alternatives];
    let mut all = 0.0;
    for side in sides {
        counts[side] += 1.0;
        all += 1.0;
    }
    let share = |count: &f64| if all > 0.0 { count / all } else { 1.0 / alternatives as f64 };
    counts.iter().map(share).collect()
}

/// How attractive somebody at this distance is as a partner, 0 … 1; everybody equally where `homophily` is 0.
pub fn attraction(distance: f64, homophily: f64) -> f64 {
    let similarity = (1.0 - distance).clamp(0.0, 1.0);
    if homophily == 0.0 { 1.0 } else { libm::pow(similarity, homophily) }
}
