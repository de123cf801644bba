//! A course in which options have their labels instead of their names.

use super::SessionCourse;

impl SessionCourse {
    /// Replaces the names of options by their labels wherever the page prints them. `label` returns the label of an option.
    pub fn label_choices(&self, label: impl Fn(&str) -> String) -> Self {
        let mut course = self.clone();
        let relabel = |choice: &mut String| {
            let (name, amount) = match choice.find(|character: char| character.is_whitespace()) {
                Some(end) => choice.split_at(end),
                None => (choice.as_str(), ""),
            };
            if !name.is_empty() {
                *choice = label(name) + amount;
            }
        };
        let relabel_each = |choices: &mut String| {
            let each = choices.split(", ").map(|choice| {
                let mut choice = choice.to_owned();
                relabel(&mut choice);
                choice
            });
            *choices = each.collect::<Vec<String>>().join(", ");
        };
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
            relabel_each(&mut seat.ballots);
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
