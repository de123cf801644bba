//! Where the lines of a script's table stand: which steps a phase has, and which lines answer a step.

use indexmap::IndexMap;
use serde_json::Value;

use crate::config::lower::mind_reader::MindReader;
use crate::config::problem::{Problems, suggest_word};
use crate::config::written::interventions::POLL_PHASES;
use crate::config::written::minds::LineConfig;
use crate::config::written::scenario::{AskConfig, FieldConfig, PhaseConfig};
use crate::domain::{BallotForm, FieldValue, PhaseName, Step};

/// The steps at which seats are asked in a discussion.
const OF_TALKS: &[Step] = &[
    Step::Statement,
    Step::Volunteer,
    Step::Reasoning,
    Step::StrawPoll,
    Step::VoteCall,
    Step::Confirmation,
    Step::Ballot,
    Step::Amount,
];

/// The steps at which seats are asked in a phase, without those that rewrite memories.
fn list_steps(phase: &PhaseConfig) -> &'static [Step] {
    match (&phase.ask, &phase.discussion, &phase.vote) {
        (Some(AskConfig::BuiltIn(ask)), ..) if ask.form.is_none() => match (&ask.ranking, &ask.comprehension) {
            (Some(_), _) => &[Step::Ranking],
            (None, Some(_)) => &[Step::Comprehension],
            (None, None) if ask.application.is_some() => &[Step::Application],
            (None, None) => &[Step::StrawPoll],
        },
        (Some(_), ..) => &[Step::Ask],
        (None, Some(_), _) => OF_TALKS,
        (None, None, Some(_)) => &[Step::Ballot, Step::Amount],
        (None, None, None) => &[],
    }
}

/// Whether a step can take place in a round of this number. In a discussion seats may also be asked after the rounds.
fn has_round(phase: Option<&PhaseConfig>, step: Step, round: u32) -> bool {
    match step {
        Step::Statement | Step::Volunteer | Step::Reasoning | Step::Comprehension | Step::Application => round > 0,
        _ if phase.is_some_and(|phase| phase.discussion.is_some()) => true,
        _ => round == 0,
    }
}

/// The keys by which a line is a kind of reply, with the steps that such a line answers, but for those that answer any step.
pub fn list_kinds(line: &LineConfig) -> impl Iterator<Item = (&'static str, &'static [Step])> {
    let kinds: [(&'static str, bool, &'static [Step]); 14] = [
        ("statement", line.statement.is_some(), &[Step::Statement]),
        ("pass", line.pass.is_some(), &[Step::Statement]),
        ("choice", line.choice.is_some() && line.certainty.is_some(), &[Step::Application]),
        ("choice", line.choice.is_some(), &[Step::StrawPoll, Step::Ballot]),
        ("abstains", line.abstains.is_some(), &[Step::Ballot]),
        ("ballot", line.ballot.is_some(), &[Step::Ballot]),
        ("ranking", line.ranking.is_some(), &[Step::Ranking, Step::Ballot]),
        ("answers", line.answers.is_some(), &[Step::Comprehension]),
        ("urgency", line.urgency.is_some(), &[Step::Volunteer]),
        ("assent", line.assent.is_some(), &[Step::VoteCall, Step::Confirmation, Step::Volunteer, Step::Recognition]),
        ("note", line.note.is_some(), &[Step::Reasoning, Step::Integration, Step::Compression]),
        ("called", line.called.is_some(), &[Step::Naming]),
        ("append", line.append.is_some() || line.replace.is_some(), &[Step::Notes]),
        ("recognises", line.recognises.is_some(), &[Step::Recognition]),
    ];
    kinds.into_iter().filter(|(_, is_given, _)| *is_given).map(|(key, _, steps)| (key, steps))
}

/// The key by which a line is one kind of reply, with the steps that such a line answers; `None` for one that answers any step.
fn find_kind(line: &LineConfig) -> Option<(&'static str, &'static [Step])> {
    if line.raw.is_some() || line.answer.is_some() {
        return None;
    }
    let steps: &[Step] = &[Step::Amount, Step::Ballot, Step::StrawPoll];
    let is_amount = line.amount.is_some() && line.stance.is_none();
    list_kinds(line).next().or(is_amount.then_some(("amount", steps)))
}

fn write_steps(steps: &[Step]) -> String {
    steps.iter().map(|step| step.as_str()).collect::<Vec<_>>().join(", ")
}

impl MindReader<'_> {
    /// Reports what is wrong with the place of a line, and with the kind of line for its place. `true` if nothing is.
    pub fn check_line(&self, line: &LineConfig, path: &str, problems: &mut Problems) -> bool {
        let (Some(name), Some(step)) = (&line.phase, line.step) else { return true };
        let before = problems.len();
        let written = PhaseName::new(name).written().to_owned();
        let phase = self.scenario.find_phase(&written);
        let steps = match phase {
            Some(phase) => list_steps(phase),
            None if POLL_PHASES.contains(&name.as_str()) => &[Step::StrawPoll],
            None => &[Step::Naming, Step::Notes, Step::Recognition],
        };
        if !steps.contains(&step) && !step.rewrites_memory() {
            let message = format!("no seat is asked at the step {} in {name}", step.as_str());
            let hint = if steps.is_empty() {
                "nobody is asked anything there".to_owned()
            } else {
                format!("its steps: {}", write_steps(steps))
            };
            problems.push(self.tree.problem(&format!("{path}.step"), message).with_advice(hint));
        } else if let Some(round) =
            line.round.filter(|round| !has_round(phase, step, *round) && !step.rewrites_memory())
        {
            let message = format!("the step {} of {name} has no round {round}", step.as_str());
            let hint = if round > 0 {
                "write round: 0; only talks, tests and practice rounds have rounds"
            } else {
                "rounds count from 1"
            };
            problems.push(self.tree.problem(&format!("{path}.round"), message).with_advice(hint));
        }
        if let Some((key, fits)) = find_kind(line).filter(|(_, fits)| !fits.contains(&step)) {
            let message =
                format!("`{key}` answers no question of the step {}; it answers {}", step.as_str(), write_steps(fits));
            let hint = match (step, phase) {
                (Step::Ask, Some(phase)) => format!(
                    "write answer: {{ {} }}",
                    phase.fields().iter().map(|field| format!("{}: …", field.id)).collect::<Vec<_>>().join(", ")
                ),
                _ => "answer: { FIELD: … } answers any question field by field".to_owned(),
            };
            problems.push(self.tree.problem(&format!("{path}.{key}"), message).with_advice(hint));
        }
        match (&line.answer, phase, step) {
            (Some(answer), Some(phase), Step::Ask) if steps.contains(&step) => {
                self.check_answer(answer, phase, (&format!("{path}.answer"), problems));
            }
            (Some(answer), _, Step::Ballot) if steps.contains(&step) => {
                if let Some(reader) = self.of_phase(line) {
                    reader.check_ballot_answer(answer, (&format!("{path}.answer"), problems));
                }
            }
            _ => {}
        }
        problems.len() == before
    }

    /// Reports what no ballot of the vote has: another field than that of its form, or a choice that is no option.
    fn check_ballot_answer(&self, answer: &IndexMap<String, Value>, (path, problems): (&str, &mut Problems)) {
        let Some(form) = self.voting.map(|voting| voting.form) else { return };
        let own = match form {
            BallotForm::Choice => "choice",
            BallotForm::Amount => "amount",
            BallotForm::Approval => "approves",
            BallotForm::Ranking { .. } => "ranking",
            BallotForm::Score { .. } => "scores",
            BallotForm::Allocation { .. } => "points",
        };
        for (field, value) in answer.iter().filter(|(field, _)| *field != "reasoning") {
            let path = format!("{path}.{field}");
            if field != own {
                let message = format!("a ballot of this vote has no field \"{field}\"");
                problems.push(self.tree.problem(&path, message).with_advice(format!("write {own}")));
            } else if let Some(name) = value.as_str().filter(|name| form == BallotForm::Choice && *name != "abstain") {
                problems.ok_or_report(self.find_alternative(name, &path));
            }
        }
    }

    /// Reports values of a form whose field does not exist or has values of another kind.
    fn check_answer(
        &self,
        answer: &IndexMap<String, Value>,
        phase: &PhaseConfig,
        (path, problems): (&str, &mut Problems),
    ) {
        let fields = phase.fields();
        let is_about_others = phase.asks_about_seats();
        for (id, value) in answer {
            let of_seat = id.rsplit_once('_').filter(|(_, number)| is_about_others && number.parse::<u32>().is_ok());
            let own = of_seat.map_or(id.as_str(), |(own, _)| own);
            let path = format!("{path}.{id}");
            let Some(field) = fields.iter().find(|field| field.id == own) else {
                let problem = self.tree.problem(&path, format!("the form of {} has no field \"{id}\"", phase.name));
                problems.push(problem.with_hint(suggest_word(own, fields.iter().map(|field| field.id.as_str()))));
                continue;
            };
            if let Some(wanted) = find_misfit(field, FieldValue::from_json(value).as_ref()) {
                problems.push(self.tree.problem(&path, format!("the field \"{id}\" is answered by {wanted}")));
            }
        }
    }
}

/// What answers a field, if a value is of another kind. A value that is none is an answer that is left out.
fn find_misfit(field: &FieldConfig, value: Option<&FieldValue>) -> Option<&'static str> {
    let value = value?;
    let is_several = field.text.as_ref().is_some_and(|text| text.count.is_some());
    let (is_fit, wanted) = if field.number.is_some() || field.scale.is_some() {
        (matches!(value, FieldValue::Number(_)), "a number")
    } else if field.yes_no.is_some() {
        (matches!(value, FieldValue::YesNo(_)), "true or false")
    } else if field.approval.is_some() {
        (matches!(value, FieldValue::Options(_)), "a list of options, as in [park, library]")
    } else if field.ranking.is_some() {
        let is_ranking = matches!(value, FieldValue::Options(_) | FieldValue::Ranks(_));
        (is_ranking, "a list of options, the best first, as in [park, library]")
    } else if field.score.is_some() || field.allocation.is_some() {
        (matches!(value, FieldValue::Shares(_)), "a number for each option, as in { park: 30, library: 70 }")
    } else if is_several {
        (matches!(value, FieldValue::Options(_)), "a list of texts")
    } else if field.choice.is_some() {
        (matches!(value, FieldValue::Words(_)), "the name of an option")
    } else {
        (matches!(value, FieldValue::Words(_)), "words in quotes")
    };
    (!is_fit).then_some(wanted)
}
