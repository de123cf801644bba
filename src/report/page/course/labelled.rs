//! A course for reading: choices by the labels of their options.

use super::Course;

impl Course {
    /// The same course, with every choice that is only read replaced. `label` returns the words of an option.
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
