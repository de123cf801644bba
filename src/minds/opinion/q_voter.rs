//! The q-voter model: somebody gives in when all of q others that it looks at agree.
//!
//! Source: Castellano, Muñoz and Pastor-Satorras 2009, "Nonlinear q-voter model", Physical Review E 80, 041129. The q others are
//! drawn with repetition from those who are heard; where they do not agree, the seat changes its mind with the probability `noise`.
//! With q = 1 it is the voter model.
//!
//! The model knows two opinions. Of more, who changes its mind without having been convinced takes any other, each equally likely.

/// What is held after so many others were looked at: what all of them hold, else `otherwise`.
pub fn q_voter_choice(looked_at: &[u32], otherwise: u32) -> u32 {
    match looked_at {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => *first,
        _ => otherwise,
    }
}
