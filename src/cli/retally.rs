//! `retally`: counts stored ballots again under other rules.

pub mod arguments;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arguments::RetallyArguments;
use indexmap::IndexSet;

use super::exit::{Ending, Refusal};
use super::missing_sessions::note_sessions;
use super::other_format::refuse_other_format;
use super::output::print_result;
use super::planned::list_planned;
use super::{locate, pool};
use crate::analysis::{Election, Status};
use crate::choice::CountTerms;
use crate::domain::RuleKind;
use crate::plan::{Plan, PlannedSession};
use crate::report::{
    ArmRecount, Depth, Question, Recounted, Retally, SessionElection, TermsShown, counted, last_of_their_kind,
};
use crate::store::ballots::{self, SessionVotes};
use crate::store::files::file_error;
use crate::store::inputs::{Inputs, read_file};
use crate::store::preflib;
use crate::store::results::ResultsFolder;

/// Larger PrefLib files are refused.
const FILE_BYTES_MAX: u64 = 1 << 28;
/// The most changed profiles to examine for one election.
const PROFILES_MAX: u64 = 5_000;

/// The elections to count, with notes.
#[derive(Default)]
struct RetallyInput {
    questions: Vec<Question>,
    notes: Vec<String>,
    /// The number of votes that elected several options together.
    with_several: u64,
    /// The number of paths that are experiments.
    experiments: usize,
    /// Whether incomplete sessions are left out.
    is_incomplete: bool,
    seed: Option<u64>,
}

/// Counts stored ballots again.
///
/// # Errors
/// A [`Refusal`] when a path cannot be read, or there is nothing to count.
pub fn run_retally(arguments: &RetallyArguments) -> Result<Ending, Refusal> {
    let mut asked = RetallyInput::default();
    for path in &arguments.paths {
        asked.add_path(path, arguments)?;
    }
    if asked.with_several > 0 {
        let votes = counted(asked.with_several, "vote");
        let seats = "rules other than stv count them as if one won, and no budget is spent; stv elects --seats";
        asked.notes.push(format!("{votes} elected several options together; {seats}"));
    }
    if asked.questions.is_empty() {
        let why: String = asked.notes.iter().map(|note| format!("; {note}")).collect();
        // Incomplete sessions may still yield ballots.
        let ending = if asked.is_incomplete { Ending::Resumable } else { Ending::Failed };
        return Err(Refusal::with_ending(
            ending,
            format!("there is nothing to count: no vote, straw poll or ranking{why}"),
        ));
    }
    let rules = chosen_rules(arguments);
    let seed = arguments.seed.or(asked.seed).unwrap_or(0);
    let depth = match arguments.winners_only {
        true => Depth::Winners,
        false => Depth::Whole { resamples: arguments.resamples, seed, profiles_max: PROFILES_MAX },
    };
    let has_arms = asked.experiments == 1 && arguments.paths.len() == 1;
    // The text output sums up robustness over the last elections of each kind; others need only winners.
    let is_short = asked.experiments > 0 && !arguments.json;
    let helds: Vec<Option<&SessionElection>> = asked.questions.iter().map(|question| question.held.as_ref()).collect();
    let last = last_of_their_kind(&helds);
    let depths = last.iter().map(|is_last| if is_short && !(has_arms && *is_last) { Depth::Winners } else { depth });
    let questions: Vec<(&Question, Depth)> = asked.questions.iter().zip(depths).collect();
    let elections: Vec<Recounted> =
        pool::map_items(&questions, pool::core_count(), |(question, depth)| question.counted(&rules, *depth));
    if elections.iter().all(|election| election.rules.iter().all(|count| count.refused.is_some())) {
        let count = &elections[0].rules[0];
        let why = count.refused.as_deref().unwrap_or_default();
        return Err(Refusal::wrong_input(format!("{}: {}: {why}", elections[0].path, count.rule)));
    }
    let resamples = if depth == Depth::Winners { 0 } else { arguments.resamples };
    let retally = Retally {
        terms: TermsShown {
            irv_ties: arguments.irv_ties.as_str(),
            seats: usize::from(arguments.seats),
            resamples,
            seed,
            profiles_max: PROFILES_MAX,
        },
        arms: if has_arms { ArmRecount::of(&elections, resamples) } else { Vec::new() },
        elections,
        notes: asked.notes,
    };
    print_result(arguments.json.then_some(&retally), || retally.text())?;
    Ok(Ending::Done)
}

/// The chosen rules, without duplicates; by default every rule that counts ballots.
fn chosen_rules(arguments: &RetallyArguments) -> Vec<RuleKind> {
    let rules = if arguments.rules.is_empty() { every_rule() } else { arguments.rules.clone() };
    rules.into_iter().collect::<IndexSet<RuleKind>>().into_iter().collect()
}

/// Every rule that chooses by ballots.
pub(super) fn every_rule() -> Vec<RuleKind> {
    let is_by_ballots = |rule: &RuleKind| !matches!(rule, RuleKind::Imposed | RuleKind::Mean | RuleKind::Median);
    RuleKind::ALL.into_iter().filter(is_by_ballots).collect()
}

impl RetallyInput {
    fn add_path(&mut self, path: &Path, arguments: &RetallyArguments) -> Result<(), Refusal> {
        if path.is_file() {
            return self.add_file(path, arguments);
        }
        let files = if Inputs::are_kept(path) { Vec::new() } else { list_preflib_files(path)? };
        if !files.is_empty() {
            return files.iter().try_for_each(|file| self.add_file(file, arguments));
        }
        let (root, session) = locate::find_experiment(path).map_err(|refusal| match path.is_dir() {
            true => Refusal::wrong_input(format!(
                "{}; nor has it PrefLib files: .{}",
                refusal.message,
                preflib::EXTENSIONS.join(" .")
            )),
            false => refusal,
        })?;
        let folder = ResultsFolder::open_for_reading(&root, session.as_deref())?;
        refuse_other_format(&folder, session.as_deref(), "count the ballots with that one")?;
        let inputs = Inputs::read_results(&root)?;
        let experiment = inputs.resolve()?.experiment;
        note_sessions(&folder, &inputs, &experiment)?;
        let sessions = match &session {
            None => list_planned(&folder, &inputs, &experiment)?,
            Some(name) => vec![PlannedSession::find_by_name(&experiment, name).ok_or_else(|| {
                Refusal::wrong_input(format!("{}: it has no session {name} in its plan", root.display()))
            })?],
        };
        let (votes, stopped) = ballots::read_elections(&folder, &experiment, &sessions)?;
        let of = |is_failed: bool| {
            stopped.iter().filter(|session| matches!(session.status, Status::Failed(_)) == is_failed).count() as u64
        };
        for (sessions, words) in [
            (of(false), "not complete, whose ballots are left out; `ekklesia run` completes what is missing"),
            (of(true), "failed, whose ballots are left out"),
        ] {
            if sessions > 0 {
                self.notes.push(format!("{} {words}", counted(sessions, "session")));
            }
        }
        self.is_incomplete |= of(false) > 0;
        self.experiments += usize::from(session.is_none());
        self.seed = self.seed.or(experiment.arms.first().map(|plan| plan.seed));
        for session in votes {
            self.add_session(&folder, session, arguments);
        }
        Ok(())
    }

    fn add_session(&mut self, folder: &ResultsFolder, session: SessionVotes, arguments: &RetallyArguments) {
        let path = folder.session_folder(&session.name).display().to_string();
        let plan = Arc::clone(&session.plan);
        let elects_several = |election: &&Election| {
            let place = plan.agenda.iter().position(|phase| phase.name == election.phase);
            place.is_some_and(|place| plan.vote_terms(place).elects_several)
        };
        self.with_several += session.voted.elections.iter().filter(elects_several).count() as u64;
        let terms = |election: &Election| recount_terms(arguments, plan_terms(&plan, election));
        self.questions.extend(election_questions(session, &path, &terms));
    }

    fn add_file(&mut self, path: &Path, arguments: &RetallyArguments) -> Result<(), Refusal> {
        let shown = path.display().to_string();
        let bytes = read_file(path, &shown, FILE_BYTES_MAX)?;
        let wrong = |line: usize, reason: &str| {
            let line = if line > 0 { format!(":{line}") } else { String::new() };
            Refusal::wrong_input(format!("{shown}{line}: {reason}"))
        };
        let text = String::from_utf8(bytes).map_err(|_| wrong(0, "it is no text in UTF-8"))?;
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let election =
            preflib::parse_election(&text, extension).map_err(|malformed| wrong(malformed.line, &malformed.reason))?;
        self.questions.push(Question {
            path: shown,
            title: election.title,
            held: None,
            names: election.names,
            ballots: election.ballots,
            voters: None,
            terms: recount_terms(arguments, CountTerms::default()),
            otherwise: None,
        });
        Ok(())
    }
}

/// The elections of a session, ready to count.
pub(super) fn election_questions(
    session: SessionVotes,
    path: &str,
    terms: &dyn Fn(&Election) -> CountTerms,
) -> Vec<Question> {
    let SessionVotes { plan, name, voted } = session;
    let told_of = |choice: &crate::domain::NamedChoice| choice.to_string();
    let session_decided = voted.decided.as_ref().map(told_of);
    let question = |election: Election| {
        let (told, terms) = (election.told.as_ref(), terms(&election));
        let otherwise = find_default(&plan, &election);
        Question {
            path: path.to_owned(),
            title: String::new(),
            held: Some(SessionElection {
                session: name.clone(),
                arm: plan.arm.clone(),
                purpose: election.purpose.as_str(),
                phase: election.phase.to_string(),
                round: election.round,
                vote: election.vote,
                invalid: election.invalid,
                rule: told.map(|told| told.rule.as_str()),
                decided: told.and_then(|told| told.decided.as_ref()).map(told_of),
                session_verdict: voted.verdict,
                session_decided: session_decided.clone(),
            }),
            names: election.names,
            ballots: election.ballots,
            voters: Some(election.voters.iter().map(|seat| seat.as_str().to_owned()).collect()),
            terms,
            otherwise,
        }
    };
    voted.elections.into_iter().map(question).collect()
}

/// What is decided by default in a vote that no other count follows; `None` if nothing is.
fn find_default(plan: &Plan, election: &Election) -> Option<String> {
    let told = election.told.as_ref()?;
    let place = plan.agenda.iter().position(|phase| phase.name == election.phase)?;
    let terms = plan.vote_terms(place);
    let default = terms.electorate.otherwise.filter(|_| terms.is_binding)?;
    let is_last = told.by_default || plan.is_last_count((place, election.round), |pass| pass.of);
    is_last.then(|| terms.motion.name(default).to_string())
}

/// The terms of counting an election in a plan. Polls and rankings have those of the section `decision`.
pub(super) fn plan_terms(plan: &Plan, election: &Election) -> CountTerms {
    let place = plan.agenda.iter().position(|phase| phase.name == election.phase);
    let terms = place.map_or_else(|| plan.talk_terms(), |place| plan.vote_terms(place));
    terms.count_terms()
}

/// The terms of the count, from the arguments, else those of the plan.
fn recount_terms(arguments: &RetallyArguments, own: CountTerms) -> CountTerms {
    CountTerms {
        strength: arguments.strength.map_or(own.strength, Into::into),
        runoff_ties: arguments.irv_ties.into(),
        threshold: arguments.threshold.unwrap_or(own.threshold),
        seats: usize::from(arguments.seats),
        ..own
    }
}

/// The PrefLib files of a folder, sorted; none if the path is not a folder.
fn list_preflib_files(path: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| file_error(path, &error))? {
        let file = entry.map_err(|error| file_error(path, &error))?.path();
        let extension = file.extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| preflib::EXTENSIONS.contains(&extension)) && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
