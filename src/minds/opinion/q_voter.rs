//! The q-voter model: a seat gives in if all of q others that it looks at agree.
//!
//! Source: Castellano, Muñoz and Pastor-Satorras 2009, "Nonlinear q-voter model", Physical Review E 80, 041129. The q others are
//! drawn with repetition from those heard; if they disagree, the seat changes its mind with the probability `noise`. With q = 1
//! it is the voter model.
//!
//! The model has two opinions. With more, a seat that changes its mind by noise takes any other with equal probability.

/// The alternative that all of these others hold, else `otherwise`.
pub fn q_voter_choice(looked_at: &[u32], otherwise: u32) -> u32 {
    match looked_at {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => *first,
        _ => otherwise,
    }
}
