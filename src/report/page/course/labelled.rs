//! A course in which options have their labels instead of their names.

use super::SessionCourse;

impl SessionCourse {
    /// Replaces the names of options by their labels wherever the page prints them. `label` returns the label of an option.
    pub fn label_choices(&self, label: impl Fn(&str) -> String) -> Self {
        let mut course = self.clone();
        let labelled = |choice: &str| {
            let (name, amount) = choice.split_at(choice.find(char::is_whitespace).unwrap_or(choice.len()));
            if name.is_empty() { choice.to_owned() } else { label(name) + amount }
        };
        let relabel = |choice: &mut String| *choice = labelled(choice);
        relabel(&mut course.result);
        for vote in &mut course.votes {
            vote.counts.iter_mut().for_each(|count| relabel(&mut count.name));
            relabel(&mut vote.decided);
        }
        for moved in &mut course.moves {
            relabel(&mut moved.from);
            relabel(&mut moved.to);
            moved.amounts.iter_mut().for_each(|amounts| relabel(&mut amounts.of));
        }
        for seat in &mut course.seats {
            for choice in [
                &mut seat.signal,
                &mut seat.said_before,
                &mut seat.ranked_first,
                &mut seat.first,
                &mut seat.last,
                &mut seat.said_after,
                &mut seat.ranked_last,
                &mut seat.ballot,
            ] {
                relabel(choice);
            }
            seat.ballots = seat.ballots.split(", ").map(labelled).collect::<Vec<String>>().join(", ");
            if let Some(otherwise) = &mut seat.otherwise {
                relabel(&mut otherwise.declared);
                relabel(&mut otherwise.ballot);
            }
        }
        course.settled.iter_mut().for_each(|settled| relabel(&mut settled.by));
        course.case.sides.iter_mut().for_each(|side| side.alternative = label(&side.alternative));
        course
    }
}
