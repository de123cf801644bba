//! Scripts of confederates: their lines, with the phases and alternatives that lines name.

use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

use crate::config::lower::mind_reader::MindReader;
use crate::config::lower::script_lines::list_kinds;
use crate::config::lower::{decision, items, voting};
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::written::interventions::POLL_PHASES;
use crate::config::written::minds::{LineConfig, ScriptConfig};
use crate::domain::{
    AlternativeId, Ballot, BallotForm, Choice, Inquiry, Mark, Motion, Named, NamedValues, NoteTaken, Opinion,
    PhaseName, Replacement, Reply, Sign, Step,
};
use crate::minds::{Mind, Said, Script, ScriptLine};
use crate::plan::{Item, VoteOver, scale_decimal};
use crate::text;

const KINDS: &str = "a line is exactly one of statement, pass, choice, amount, ranking, ballot, abstains, answer, answers, assent, urgency, note, called, recognises, raw, and append with or without replace";
/// The items that a vote over options of its own is about.
static NO_ITEMS: LazyLock<IndexMap<String, Arc<Item>>> = LazyLock::new(IndexMap::new);
/// The phase of questions outside all phases.
const SESSION: &str = "session";

impl MindReader<'_> {
    /// Lowers the script under a path; `None` if a line has an error.
    pub fn read_script(&self, script: &ScriptConfig, path: &str, problems: &mut Problems) -> Option<Mind> {
        let lines = match script {
            ScriptConfig::List(lines) => lines,
            ScriptConfig::Table(lines) => return self.read_table(lines, &format!("{path}.table"), problems),
        };
        let mut list = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let path = format!("{path}.list.{i}");
            if line.phase.is_some() || line.round.is_some() || line.step.is_some() {
                problems.push(self.tree.problem(&path, "lines of a list have no phase, round or step; a table's have"));
            }
            list.extend(self.read_line(line, &path, problems));
        }
        (list.len() == lines.len()).then_some(Mind::Scripted(Script::List(list)))
    }

    fn read_table(&self, lines: &[LineConfig], path: &str, problems: &mut Problems) -> Option<Mind> {
        let mut table: Vec<(PhaseName, u32, Step, ScriptLine)> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let path = format!("{path}.{i}");
            let coordinate = self.read_coordinate(line, &path, problems);
            if coordinate.is_some() && !self.check_line(line, &path, problems) {
                continue;
            }
            let line = self.of_phase(line).and_then(|reader| reader.read_line(line, &path, problems));
            let Some((phase, round, step)) = coordinate else { continue };
            if table.iter().any(|(p, r, s, _)| (p, *r, *s) == (&phase, round, step)) {
                problems.push(self.tree.problem(&path, "an earlier line has the same phase, round and step"));
                continue;
            }
            table.extend(line.map(|line| (phase, round, step, line)));
        }
        (table.len() == lines.len()).then_some(Mind::Scripted(Script::Table(table)))
    }

    /// The reader of a line of a table: a line for the ballots of a vote chooses among the options of that vote, in its form. `None` if
    /// the votes have an error.
    pub fn of_phase(&self, line: &LineConfig) -> Option<MindReader<'_>> {
        let phase = line.phase.as_ref().filter(|_| matches!(line.step, Some(Step::Ballot | Step::Amount)));
        let phase = phase.map(|phase| PhaseName::new(phase).written().to_owned());
        let is_vote = |phase: &&String| {
            self.scenario.written.agenda.iter().any(|known| known.vote.is_some() && known.name == **phase)
        };
        let Some(phase) = phase.as_ref().filter(is_vote) else { return Some(*self) };
        let Some(vote) = self.votes?.get(phase) else { return Some(*self) };
        Some(MindReader {
            motion: vote.motion.as_deref().unwrap_or(self.motion),
            voting: Some(vote.voting),
            asked: if vote.over != VoteOver::Alternatives { (self.asked.0, &NO_ITEMS) } else { self.asked },
            ..*self
        })
    }

    fn read_coordinate(
        &self,
        line: &LineConfig,
        path: &str,
        problems: &mut Problems,
    ) -> Option<(PhaseName, u32, Step)> {
        for (key, is_given) in
            [("phase", line.phase.is_some()), ("round", line.round.is_some()), ("step", line.step.is_some())]
        {
            if !is_given {
                problems.push(self.tree.problem(path, format!("the key \"{key}\" is missing")));
            }
        }
        let phase = line.phase.as_ref()?;
        let occurrences = self.scenario.occurrence_names();
        let mut known: Vec<&str> = self.scenario.phase_names().chain(POLL_PHASES).chain([SESSION]).collect();
        let passes: Vec<&str> = occurrences.iter().map(String::as_str).filter(|name| !known.contains(name)).collect();
        let of_phase = |name: &&&str| PhaseName::new(name).written() == PhaseName::new(phase).written();
        if !known.iter().chain(&passes).any(|name| name == phase) {
            let own: Vec<&str> = passes.iter().filter(of_phase).copied().collect();
            let block = self.scenario.blocks.iter().find(|block| block.name == PhaseName::new(phase).written());
            let hint = match block {
                Some(_) => Some("a block asks nothing itself: name a phase within it".to_owned()),
                None if !own.is_empty() => Some(format!("its passes are {}", own.join(", "))),
                None => {
                    known.extend(&passes);
                    suggest_word(phase, known)
                }
            };
            let problem = self.tree.problem(&format!("{path}.phase"), format!("no phase is named \"{phase}\""));
            problems.push(problem.with_hint(hint));
            return None;
        }
        Some((PhaseName::new(phase), line.round?, line.step?))
    }

    /// Lowers a line; reports all errors, and returns `None` if there are any.
    fn read_line(&self, line: &LineConfig, path: &str, problems: &mut Problems) -> Option<ScriptLine> {
        let before = problems.len();
        let column = line.stance.as_deref().or(line.choice.as_deref()).and_then(item_column).map(str::to_owned);
        let marks = line.marks.as_deref().unwrap_or_default().iter().enumerate();
        let marks = marks.map(|(i, mark)| problems.ok_or_report(self.read_mark(mark, &format!("{path}.marks.{i}"))));
        let marks: Vec<Mark> = marks.collect::<Vec<_>>().into_iter().flatten().collect();
        let said = self.read_reply(line, path, problems);
        let (first, words) = match (&line.look_up, &line.page) {
            (None, None) => (None, "…"),
            (Some(words), None) => (Some(Inquiry::LookUp(words.trim().to_owned())), words.as_str()),
            (None, Some(name)) => (Some(Inquiry::Page(name.trim().to_owned())), name.as_str()),
            (Some(_), Some(_)) => {
                problems.push(self.tree.problem(path, "a seat asks for one thing: look_up or page"));
                return None;
            }
        };
        if words.trim().is_empty() {
            problems.push(self.tree.problem(path, "the seat asks for nothing: look_up or page is empty"));
        }
        (problems.len() == before).then_some(ScriptLine { first, column, marks, said: said? })
    }

    /// What a line says; reports all errors, and returns `None` if there are any.
    fn read_reply(&self, line: &LineConfig, path: &str, problems: &mut Problems) -> Option<Said> {
        let before = problems.len();
        self.check_kind(line, path, problems);
        let stance = line.stance.as_ref().map(|name| self.read_choice(name, line.amount, (path, "stance"), problems));
        let choice = line.choice.as_ref().map(|name| self.read_choice(name, line.amount, (path, "choice"), problems));
        let ranking = line.ranking.as_ref().map(|names| self.read_ranking(names, &format!("{path}.ranking"), problems));
        let opinion = line.opinion.map(|opinion| problems.ok_or_report(self.read_opinion(opinion, line, path)));
        if problems.len() > before {
            return None;
        }
        let (choice, ranking, opinion) = (choice.flatten(), ranking.flatten(), opinion.flatten());
        if let Some(values) = &line.answer {
            return self.read_values(values, &format!("{path}.answer"), problems).map(Said::Values);
        }
        if let Some(raw) = &line.raw {
            return Some(Said::Malformed(raw.clone()));
        }
        let replaced =
            line.replace.as_ref().map(|it| Replacement { old: it.old.as_str().into(), new: it.new.as_str().into() });
        Some(Said::Reply(if let Some(text) = line.statement.as_deref() {
            Reply::Statement { text: text.into(), stance: stance.flatten(), opinion }
        } else if let (Some(choice), Some(certainty)) = (choice, line.certainty) {
            Reply::Application { choice, certainty, reasoning: line.reasoning.as_deref().unwrap_or_default().into() }
        } else if let Some(choice) = choice {
            opinion.map_or(Reply::Choice(choice), |opinion| Reply::Opined(choice, opinion))
        } else if line.abstains.is_some() {
            Reply::Abstention
        } else if let Some(name) = line.called.as_deref() {
            Reply::Name(name.into())
        } else if let Some(words) = line.recognises.as_deref() {
            Reply::Recognition { recognised: true, recognised_as: Some(words.into()) }
        } else if line.append.is_some() || replaced.is_some() {
            Reply::Notes(NoteTaken { append: line.append.as_deref().map(Arc::from), replace: replaced })
        } else if let Some(order) = ranking {
            Reply::Ranking { order, certainty: line.certainty? }
        } else if let Some(ballot) = &line.ballot {
            let form = self.voting?.form;
            Reply::Ballot(problems.ok_or_report(self.read_ballot(ballot, form, &format!("{path}.ballot")))?)
        } else if line.urgency.is_some() {
            Reply::Urgency(line.urgency)
        } else if let Some(answers) = line.answers.clone() {
            Reply::Test(answers)
        } else if let Some(assents) = line.assent {
            Reply::Assent(assents)
        } else if let Some(note) = line.note.as_deref() {
            Reply::Note(note.into())
        } else {
            line.amount.map_or(Reply::Pass, Reply::Amount)
        }))
    }

    /// Checks that a line is one kind of reply, without parts of another kind.
    fn check_kind(&self, line: &LineConfig, path: &str, problems: &mut Problems) {
        let (states, chooses, ranks) = (line.statement.is_some(), line.choice.is_some(), line.ranking.is_some());
        // A choice has two entries.
        let mut kinds: Vec<&str> = list_kinds(line).map(|(key, _)| key).collect();
        kinds.dedup();
        let given = kinds.len() + usize::from(line.raw.is_some()) + usize::from(line.answer.is_some());
        if given > 1 || (given == 0 && line.amount.is_none()) {
            // Without a single kind, the other parts cannot be checked.
            problems.push(self.tree.problem(path, KINDS));
            return;
        }
        let mut tell = |key: &str, message: &str| {
            let path = if key.is_empty() { path.to_string() } else { format!("{path}.{key}") };
            problems.push(self.tree.problem(&path, message));
        };
        if line.stance.is_some() && !states {
            tell("stance", "only a statement declares a stance");
        }
        if line.marks.is_some() && !states {
            tell("marks", "only a statement is marked");
        }
        if line.abstains == Some(false) {
            tell("abstains", "`abstains` is true or left out");
        }
        if line.pass == Some(false) {
            tell("pass", "`pass` is true or left out");
        }
        if line.amount.is_some() && given == 1 && !chooses && line.stance.is_none() {
            tell("amount", "an amount belongs to a stance or a choice, or stands alone");
        }
        if line.certainty.is_some() && !chooses && !ranks {
            tell("certainty", "certainty belongs to a ranking, or to a choice in a practice round");
        }
        if line.reasoning.is_some() && !(chooses && line.certainty.is_some()) {
            tell("reasoning", "reasoning belongs to a choice in a practice round, beside its certainty");
        }
        if ranks && line.certainty.is_none() {
            tell("", "a ranking needs `certainty`, one for the whole");
        }
    }

    /// The values of a form as they are written; `null` is no answer.
    fn read_values(
        &self,
        written: &IndexMap<String, serde_json::Value>,
        path: &str,
        problems: &mut Problems,
    ) -> Option<NamedValues> {
        let read = |(field, value): (&String, &serde_json::Value)| {
            let value = serde_json::from_value(value.clone()).map_err(|_| {
                let message = "expected a number, true or false, words, a list of names or ranks, or numbers of names";
                self.tree.problem(&format!("{path}.{field}"), message)
            });
            Some((field.clone(), problems.ok_or_report(value)?))
        };
        written.iter().map(read).collect()
    }

    /// The opinion that a line declares.
    fn read_opinion(&self, written: f64, line: &LineConfig, path: &str) -> Result<Opinion, Problem> {
        let path = format!("{path}.opinion");
        if line.statement.is_none() && (line.choice.is_none() || line.certainty.is_some()) {
            return Err(self.tree.problem(&path, "an opinion belongs to a statement, or to a choice in a poll"));
        }
        let billionths = scale_decimal(written, 9).map_err(|message| self.tree.problem(&path, message))?;
        u32::try_from(billionths)
            .ok()
            .and_then(Opinion::new)
            .ok_or_else(|| self.tree.problem(&path, format!("an opinion is a number from 0 to 1, not {written}")))
    }

    /// Reads a mark, for example `proposal` or `support 3.2`.
    fn read_mark(&self, written: &str, path: &str) -> Result<Mark, Problem> {
        let (word, named) = written.trim().split_once(' ').unwrap_or((written.trim(), ""));
        let signs = [Sign::Proposal, Sign::Support, Sign::Oppose, Sign::Decision];
        let sign = signs.into_iter().find(|sign| sign.as_str() == word);
        let names = match named.trim() {
            "" => Some(Named::Nothing),
            // In YAML, ` #` begins a comment, so the sign is optional.
            named => text::parse_statement_number(&format!("#{}", named.trim_start_matches('#'))).map(Named::Number),
        };
        sign.zip(names).map(|(sign, names)| Mark { sign, names }).ok_or_else(|| {
            let message = format!("\"{written}\" is no mark");
            let hint = "proposal, support, oppose or decision, and the number of a statement, as in support 3.2";
            self.tree.problem(path, message).with_advice(hint)
        })
    }

    fn read_choice(
        &self,
        name: &str,
        amount: Option<u32>,
        (path, key): (&str, &str),
        problems: &mut Problems,
    ) -> Option<Choice> {
        if let Some(column) = item_column(name) {
            problems.ok_or_report(self.check_column(column, &format!("{path}.{key}")))?;
            // A placeholder: the item names the alternative.
            return Some(Choice { alternative: AlternativeId(0), amount: None });
        }
        let alternative = problems.ok_or_report(self.find_alternative(name, &format!("{path}.{key}")))?;
        let takes_amount = self.motion.alternatives[alternative.index()].takes_amount;
        if amount.is_some() && !takes_amount {
            problems.push(self.tree.problem(&format!("{path}.amount"), format!("\"{name}\" takes no amount")));
            return None;
        }
        Some(Choice { alternative, amount })
    }

    /// Checks that scripts may use a column of the items: each session has an item of its own, and the column is listed.
    fn check_column(&self, column: &str, path: &str) -> Result<(), Problem> {
        if self.asked.1.is_empty() && self.asked.0.iter().any(|known| known == column) {
            let message =
                "a script cannot name a column of the items here: the options are not those of the session's item";
            let hint = "name the option; or let a mind of the kind rule read the item of a pass, as in rule: { pick: item.said }";
            return Err(self.tree.problem(path, message).with_advice(hint));
        }
        if self.asked.0.iter().any(|known| known == column) {
            return Ok(());
        }
        let message = format!("`items.columns` lists no column \"{column}\"");
        Err(self.tree.problem(path, message).with_hint(suggest_word(column, self.asked.0.iter().map(String::as_str))))
    }

    /// Reads a ballot with more than one choice in the arm's form. If items have options of their own, it must be valid for each.
    fn read_ballot(&self, text: &str, form: BallotForm, path: &str) -> Result<Ballot<AlternativeId>, Problem> {
        let told = |(message, hint): (String, String)| self.tree.problem(path, message).with_advice(hint);
        let mut offers = items::distinct_offers(self.asked.1).peekable();
        if offers.peek().is_none() {
            return voting::parse_typed_ballot(text, form, self.motion).map_err(told);
        }
        let differ = items::distinct_offers(self.asked.1).nth(1).is_some();
        let mut read = None;
        for item in offers {
            let motion = Motion { alternatives: item.alternatives(), ..self.motion.clone() };
            let ballot = voting::parse_typed_ballot(text, form, &motion).map_err(|(message, hint)| {
                let few =
                    "items do not have equally many options: choice: a puts a before all others, how many these may be";
                told((format!("{message} in the item {}", item.id), if differ { few.to_owned() } else { hint }))
            })?;
            read = Some(ballot);
        }
        // Ballots refer to options by position, so all items give the same ballot.
        Ok(read.expect("invariant: some item has options"))
    }

    fn read_ranking(&self, names: &[String], path: &str, problems: &mut Problems) -> Option<Vec<AlternativeId>> {
        let mut order = Vec::new();
        for (i, name) in names.iter().enumerate() {
            order.extend(problems.ok_or_report(self.find_alternative(name, &format!("{path}.{i}"))));
        }
        if order.len() < names.len() {
            return None;
        }
        let mut each = order.clone();
        each.sort_unstable();
        each.dedup();
        if each.len() < names.len() || each.len() < self.motion.alternatives.len() {
            problems.push(self.tree.problem(path, "a ranking lists every alternative once"));
            return None;
        }
        Some(order)
    }

    /// The alternative of a name.
    ///
    /// # Errors
    /// If there is none, with the names that there are.
    pub fn find_alternative(&self, name: &str, path: &str) -> Result<AlternativeId, Problem> {
        decision::find_alternative(self.motion, name, path, self.tree)
    }
}

/// The column of the items that a line names instead of an alternative, for example `{{ item.wrong }}`.
fn item_column(name: &str) -> Option<&str> {
    let inner = name.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    inner.trim().strip_prefix("item.").map(str::trim)
}
