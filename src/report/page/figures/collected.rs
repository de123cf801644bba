//! The readings of all sessions by subject, occasion and arm.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use crate::plan::{Experiment, Pass, PhaseKind};
use crate::report::page::course::{Reading, ReadingMeasure, ReadingOccasion, Subject, forms_of, options_of};
use crate::report::page::gathered::Gathered;

/// The options of a field that have a panel of their own.
const OPTIONS_MAX: usize = 8;

/// The readings of one occasion by arm, one a session.
type OccasionReadings<'g> = (&'g ReadingOccasion, Vec<Vec<&'g Reading>>);

/// What was read of one subject.
pub(super) struct Collected<'g> {
    /// The subject.
    pub subject: &'g Subject,
    /// The occasions with an answer or value, in their order.
    pub occasions: Vec<OccasionReadings<'g>>,
    /// The readings of each session by arm, with an answer or value and in the order of their occasions.
    pub sessions: Vec<Vec<Vec<&'g Reading>>>,
    /// The items of the occasions that take place for one.
    pub items: BTreeMap<&'g ReadingOccasion, String>,
    /// The place of its last occasion in the agenda.
    pub last_place: usize,
    /// The answers or values that are missing.
    pub missing: u64,
    /// The optional answers that seats left empty.
    pub left_empty: u64,
}

impl<'g> Collected<'g> {
    /// All readings.
    pub fn readings(&self) -> impl Iterator<Item = &'g Reading> {
        self.occasions.iter().flat_map(|(_, arms)| arms.iter().flatten().copied())
    }

    /// The phases of the occasions, each once.
    pub fn phases(&self) -> Vec<&'g str> {
        let phases: IndexSet<&str> = self.occasions.iter().map(|((phase, _), _)| phase.as_str()).collect();
        phases.into_iter().collect()
    }

    /// The options in the order in which the form has them, then in order of appearance, and how many are left out: of more than there
    /// is room for those that were chosen least.
    pub fn options(&self, experiment: Option<&Experiment>) -> (Vec<&'g str>, usize)
    where
        Self: 'g,
    {
        let mut sums: IndexMap<&str, f64> = IndexMap::new();
        for (option, sum) in self.readings().flat_map(|reading| &reading.sums) {
            *sums.entry(option).or_default() += sum;
        }
        let mut sums = Vec::from_iter(sums);
        let written = written_options(self.subject, experiment);
        let rank = |option: &str| written.iter().position(|known| known == option).unwrap_or(usize::MAX);
        sums.sort_by_key(|(option, _)| rank(option));
        let left_out = sums.len().saturating_sub(OPTIONS_MAX);
        let mut shown: Vec<(usize, f64)> = sums.iter().map(|(_, sum)| *sum).enumerate().collect();
        shown.sort_by(|one, other| other.1.total_cmp(&one.1));
        let mut shown: Vec<usize> = shown.into_iter().take(OPTIONS_MAX).map(|(place, _)| place).collect();
        shown.sort_unstable();
        (shown.into_iter().map(|place| sums[place].0).collect(), left_out)
    }

    /// The value that a variable always has, so that there is nothing to draw; `None` if it differs, and for fields of forms.
    pub fn constant(&self) -> Option<f64> {
        if self.subject.of.is_form() {
            return None;
        }
        let mut numbers = self.readings().flat_map(|reading| &reading.numbers);
        let first = *numbers.next()?;
        numbers.all(|number| *number == first).then_some(first)
    }
}

/// The options of a field as the first form that asks it has them.
fn written_options(subject: &Subject, experiment: Option<&Experiment>) -> Vec<String> {
    let forms = experiment.into_iter().flat_map(|experiment| &experiment.arms).flat_map(|plan| forms_of(plan));
    let mut fields = forms.flat_map(|(_, form)| &form.asked.form.fields);
    let field =
        fields.find(|field| field.id == subject.name && ReadingMeasure::of_field(&field.kind) == subject.measure);
    field.map_or(Vec::new(), |field| options_of(&field.kind).to_vec())
}

/// The words that ask for a field, if they are the same for all seats and passes.
pub(super) fn question_of<'g>(subject: &Subject, experiment: Option<&'g Experiment>) -> Option<&'g str> {
    let plans = experiment.into_iter().flat_map(|experiment| &experiment.arms);
    let (place, form) = plans.flat_map(|plan| forms_of(plan)).find_map(|(_, form)| {
        let place = form.asked.form.fields.iter().position(|field| field.id == subject.name)?;
        Some((place, form))
    })?;
    let is_live = form.live.iter().any(|(live, _)| *live == place);
    form.asked.questions.get(place).map(String::as_str).filter(|_| !is_live)
}

/// The places of phases, passes, fields and variables in the agendas; where arms differ, the latest.
#[derive(Default)]
struct AgendaOrder<'g> {
    occasions: BTreeMap<(&'g str, &'g str), usize>,
    items: BTreeMap<(&'g str, &'g str), String>,
    names: BTreeMap<(bool, &'g str), usize>,
}

impl<'g> AgendaOrder<'g> {
    fn of(experiment: Option<&'g Experiment>) -> Self {
        let mut order = Self::default();
        for plan in experiment.into_iter().flat_map(|experiment| &experiment.arms) {
            for (place, phase) in plan.agenda.iter().enumerate() {
                if !matches!(phase.kind, PhaseKind::Form(_) | PhaseKind::Compute(_)) {
                    continue;
                }
                let key = (phase.name.written(), phase.name.pass().unwrap_or_default());
                let known = order.occasions.entry(key).or_default();
                *known = place.max(*known);
                let items: Vec<&str> =
                    phase.passes.iter().filter_map(Pass::item).map(|item| item.id.as_str()).collect();
                if !items.is_empty() {
                    order.items.insert(key, items.join(" "));
                }
            }
            for field in forms_of(plan).flat_map(|(_, form)| &form.asked.form.fields) {
                let next = order.names.len();
                order.names.entry((false, &field.id)).or_insert(next);
            }
            for variable in plan.variables.iter() {
                let next = order.names.len();
                order.names.entry((true, &variable.name)).or_insert(next);
            }
        }
        order
    }

    /// The items of the occasions that take place for one.
    fn find_items<'o>(
        &self,
        occasions: impl Iterator<Item = &'o ReadingOccasion>,
    ) -> BTreeMap<&'o ReadingOccasion, String> {
        let item_of = |occasion: &'o ReadingOccasion| {
            let item = self.items.get(&(occasion.0.as_str(), occasion.1.as_str()))?;
            Some((occasion, item.clone()))
        };
        occasions.filter_map(item_of).collect()
    }
}

/// The readings of sessions, by arm and session, each with the place of its occasion in the agenda.
type BySession<'g> = BTreeMap<(usize, usize), Vec<(usize, &'g Reading)>>;

/// The readings of each session by arm, with an answer or value and in the order of their occasions.
fn order_sessions(by_session: BySession<'_>, arms: usize) -> Vec<Vec<Vec<&Reading>>> {
    let mut ordered = vec![Vec::new(); arms];
    for ((arm, _), mut own) in by_session {
        own.retain(|(_, reading)| reading.given > 0);
        own.sort_by(|(one, first), (other, second)| (one, &first.occasion).cmp(&(other, &second.occasion)));
        if !own.is_empty() {
            ordered[arm].push(own.into_iter().map(|(_, reading)| reading).collect());
        }
    }
    ordered
}

/// Collects the readings of the complete sessions: fields in the order in which they are first asked, then variables.
pub(super) fn collect_readings<'g>(gathered: &Gathered<'g>) -> Vec<Collected<'g>> {
    type ByOccasion<'g> = BTreeMap<(usize, &'g ReadingOccasion), Vec<Vec<&'g Reading>>>;
    let order = AgendaOrder::of(gathered.experiment);
    let arms = gathered.arms();
    let mut all: BTreeMap<&Subject, (ByOccasion<'g>, BySession<'g>)> = BTreeMap::new();
    for (session, course) in gathered.complete().enumerate() {
        let Some(arm) = arms.iter().position(|arm| *arm == course.arm) else { continue };
        for reading in &course.readings {
            let (phase, pass) = &reading.occasion;
            let place = order.occasions.get(&(phase.as_str(), pass.as_str())).copied().unwrap_or(usize::MAX);
            let (by_occasion, by_session) = all.entry(&reading.subject).or_default();
            let occasion = by_occasion.entry((place, &reading.occasion));
            occasion.or_insert_with(|| vec![Vec::new(); arms.len()])[arm].push(reading);
            by_session.entry((arm, session)).or_default().push((place, reading));
        }
    }
    let collected = all.into_iter().map(|(subject, (by_occasion, by_session))| {
        let readings = || by_occasion.values().flatten().flatten();
        let missing = readings().map(|reading| reading.missing).sum();
        let left_empty = readings().map(|reading| reading.left_empty).sum();
        let has_any = |arms: &[Vec<&Reading>]| arms.iter().flatten().any(|reading| reading.given > 0);
        let kept = by_occasion.into_iter().filter(|(_, arms)| has_any(arms));
        let (places, occasions): (Vec<usize>, Vec<OccasionReadings<'g>>) =
            kept.map(|((place, occasion), arms)| (place, (occasion, arms))).unzip();
        Collected {
            subject,
            sessions: order_sessions(by_session, arms.len()),
            items: order.find_items(occasions.iter().map(|(occasion, _)| *occasion)),
            occasions,
            last_place: places.last().copied().unwrap_or(0),
            missing,
            left_empty,
        }
    });
    let mut collected: Vec<Collected<'g>> = collected.collect();
    collected.sort_by_key(|of| {
        let is_variable = !of.subject.of.is_form();
        let place = order.names.get(&(is_variable, of.subject.name.as_str()));
        (is_variable, place.copied().unwrap_or(usize::MAX))
    });
    collected
}
