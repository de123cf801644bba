//! Where seats began and where they ended: who moved from what to what.

use std::collections::BTreeMap;

use super::{Absent, Gathered, facts, first_arms, outcome};
use crate::plot::{self, Flow, Ribbon, Stage};
use crate::report::counted;
use crate::report::page::course::{Course, SeatShown};
use crate::report::page::parts::{Cell, Part, Table};

/// Arms that have a figure.
const ARMS: usize = 12;
/// What a seat without a position is told as.
const NONE: &str = "none";

/// A moment at which seats have a position.
type Moment = (&'static str, fn(&SeatShown) -> &str);

/// The moments in the order in which they may come; of rankings and stances the first and the last.
const MOMENTS: [Moment; 7] = [
    ("poll before", |seat| &seat.before),
    ("ranked first", |seat| &seat.ranked_first),
    ("first stance", |seat| &seat.first),
    ("last stance", |seat| &seat.last),
    ("poll after", |seat| &seat.after),
    ("ranked first at last", |seat| &seat.ranked_last),
    ("last valid ballot", |seat| &seat.ballot_for),
];

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    if gathered.has_one_alternative() {
        return Err(Absent(
            "there is one alternative alone, so that no seat can move to another; the seats' amounts are in seats.csv",
        ));
    }
    let mut parts = Vec::new();
    let arms = gathered.arms();
    for arm in arms.iter().take(ARMS) {
        let courses: Vec<&Course> = gathered.complete().filter(|course| course.arm == *arm).collect();
        let moments = moments(&courses);
        if moments.len() < 2 {
            continue;
        }
        if arms.len() > 1 {
            parts.push(Part::heading(outcome::named(gathered, arm)));
        }
        parts.push(of_arm(gathered, arm, &courses, &moments));
        parts.extend(facts::table(arm, &courses).map(Part::table));
    }
    if parts.is_empty() {
        return Err(Absent(
            "no seat of a complete session has a first and a last position: no poll, ranking, stance or ballot",
        ));
    }
    parts.extend(first_arms(ARMS, arms.len(), "seats.csv").map(Part::words));
    if gathered.experiment.is_some_and(|experiment| experiment.items.values().any(|item| !item.options.is_empty())) {
        let words = "Items have options of their own here, so that a letter means another thing in another item: this counts letters.";
        parts.insert(0, Part::words(words));
    }
    Ok(parts)
}

/// The first and the last moment at which seats have a position; the poll after the talk or the last stance between them, where the
/// last is a ballot.
fn moments(courses: &[&Course]) -> Vec<Moment> {
    let seats = || courses.iter().flat_map(|course| &course.seats);
    let there: Vec<Moment> =
        MOMENTS.into_iter().filter(|moment| seats().any(|seat| !moment.1(seat).is_empty())).collect();
    match there.as_slice() {
        [] | [_] => Vec::new(),
        [first, last] => vec![*first, *last],
        [first, between @ .., last] => {
            let middle =
                ["poll after", "last stance"].into_iter().find_map(|name| between.iter().find(|one| one.0 == name));
            [Some(*first), middle.copied(), Some(*last)].into_iter().flatten().collect()
        }
    }
}

fn of_arm(gathered: &Gathered<'_>, arm: &str, courses: &[&Course], moments: &[Moment]) -> Part {
    let names = positions(gathered, arm, courses, moments);
    let place = |name: &str| names.iter().position(|known| known == name).unwrap_or(names.len());
    let at =
        |moment: &Moment, seat: &SeatShown| place(Some(moment.1(seat)).filter(|name| !name.is_empty()).unwrap_or(NONE));
    let seats = || courses.iter().flat_map(|course| course.seats.iter().map(move |seat| (course, seat)));
    let count = seats().count() as u64;
    let prefix = gathered.arms().iter().position(|name| *name == arm).unwrap_or(0);
    let mut of = Flow { title: format!("From first to last position in {arm}"), ..Flow::default() };
    of.about = format!("{} of {}", counted(count, "seat"), counted(courses.len() as u64, "session"));
    // Which of the positions each stage shows, and where.
    let mut shown: Vec<Vec<usize>> = Vec::new();
    for moment in moments {
        let mut counts = vec![0_u64; names.len()];
        seats().for_each(|(_, seat)| counts[at(moment, seat)] += 1);
        let there: Vec<usize> = (0..names.len()).filter(|place| counts[*place] > 0).collect();
        let node = |place: &usize| (names[*place].clone(), colour(*place, &names), counts[*place]);
        of.stages.push(Stage { name: moment.0.to_owned(), nodes: there.iter().map(node).collect() });
        shown.push(there);
    }
    let mut table =
        Table::new(format!("Who moved from what to what in {arm}"), &["from", "to", "seats#", "of them moved#"]);
    for (stage, pair) in moments.windows(2).enumerate() {
        let mut ways: BTreeMap<(usize, usize), (u64, Vec<&str>)> = BTreeMap::new();
        for (course, seat) in seats() {
            let way = ways.entry((at(&pair[0], seat), at(&pair[1], seat))).or_default();
            way.0 += 1;
            if way.1.last() != Some(&course.name.as_str()) {
                way.1.push(&course.name);
            }
        }
        for ((from, to), (count, sessions)) in ways {
            let id = format!("flow-{prefix}-{stage}-{from}-{to}");
            let within = |stage: usize, place: usize| shown[stage].iter().position(|one| *one == place).unwrap_or(0);
            of.ribbons.push(Ribbon {
                stage,
                from: within(stage, from),
                to: within(stage + 1, to),
                count,
                address: format!("#{id}"),
            });
            let moved = if from == to { 0 } else { count };
            table.row_at(
                id,
                vec![
                    Cell::text(format!("{}: {}", pair[0].0, names[from])),
                    Cell::text(format!("{}: {}", pair[1].0, names[to])),
                    Cell::count(count).of(sessions),
                    Cell::count(moved),
                ],
            );
        }
    }
    let stages: Vec<&str> = moments.iter().map(|moment| moment.0).collect();
    let caption = format!(
        "{} of {} from {}; a ribbon is as wide as those are many who went its way, and leads to the numbers and their sessions. It shows \
         that seats moved, not why; a seat that moved and came back is where it was.",
        counted(count, "seat"),
        counted(courses.len() as u64, "complete session"),
        stages.join(" to ")
    );
    let here = names.iter().enumerate().filter(|(place, _)| shown.iter().any(|stage| stage.contains(place)));
    let legend = here.map(|(place, name)| (colour(place, &names), name.clone()));
    Part::figure(plot::flow(&of), "wide", caption, table.shortened("seats.csv")).legend(legend.collect::<Vec<_>>())
}

/// What seats of any arm hold, in the scenario's order, then what else there is, and last that they hold nothing.
fn positions(gathered: &Gathered<'_>, arm: &str, courses: &[&Course], moments: &[Moment]) -> Vec<String> {
    let plan = gathered.experiment.and_then(|experiment| experiment.arms.iter().find(|plan| plan.arm == arm));
    let mut names: Vec<String> = plan
        .map(|plan| plan.motion.alternatives.iter().map(|alternative| alternative.name.to_string()).collect())
        .unwrap_or_default();
    let seats = || courses.iter().flat_map(|course| &course.seats);
    let mut others: Vec<&str> = moments.iter().flat_map(|moment| seats().map(move |seat| moment.1(seat))).collect();
    others.sort_unstable();
    others.dedup();
    others.retain(|name| !name.is_empty() && !names.iter().any(|known| known == name));
    names.extend(others.into_iter().map(str::to_owned));
    // Those of all arms: a colour stands for the same in each.
    let everybody = || gathered.complete().flat_map(|course| &course.seats);
    names.retain(|name| everybody().any(|seat| MOMENTS.iter().any(|moment| moment.1(seat) == name)));
    if seats().any(|seat| moments.iter().any(|moment| moment.1(seat).is_empty())) {
        names.push(NONE.to_owned());
    }
    names
}

/// The number of a position's colour; holding none has none.
fn colour(place: usize, names: &[String]) -> usize {
    if names[place] == NONE { plot::COLOURS } else { place }
}
