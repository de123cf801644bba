//! The votes of an agenda: what each is about, and where it differs from the section `decision`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::choice::DecisionRule;
use crate::config::check::declared::SchemaPart;
use crate::config::check::decode::decode_node;
use crate::config::lower::chosen_seats::{WrittenOver, read_options, read_over};
use crate::config::lower::grouping::find_groups;
use crate::config::lower::{budget, decision, electorate, network, participants, seats, texts};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::{MapEntry, Node};
use crate::config::written::config::{Config, SeatConfig};
use crate::config::written::decision::DecisionConfig;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::PhaseConfig;
use crate::config::written::vote::{EndsWord, OptionConfig, VoteConfig};
use crate::domain::{
    Alternative, AlternativeName, BallotForm, Language, Motion, OpenBallots, RuleKind, SeatName, TieBreak,
};
use crate::plan::{Electorate, Scalar, VoteEnds, VoteOver, VotePhase, VoteWinners, Voting, check_alternative};

/// The most options of a vote of its own.
const OPTIONS_MAX: usize = 100;

/// Reports what is wrong with a vote, as far as no config is needed. `tell` gets a key of the phase.
pub fn check_vote(vote: &VoteConfig, phase: &PhaseConfig, scenario: &Scenario, tell: &mut impl FnMut(&str, &str)) {
    match read_over(vote, scenario) {
        WrittenOver::Nothing(word) => {
            let message = format!(
                "\"{word}\" is nothing to vote on: write alternatives, a list of options, a name under which texts are kept, or seats, as in others or seat != me"
            );
            tell("vote.over", &message);
        }
        WrittenOver::Winners(name, _) => {
            let message = match read_options(phase, scenario) {
                None => format!("{name} is held later: winners are voted on of a vote before"),
                Some(WrittenOver::Alternatives) => format!(
                    "{name} is over the alternatives: write them there as a list of options, as in over: [NAME, NAME]"
                ),
                Some(WrittenOver::Seats(_)) => format!("{name} is over seats: write over: seat in {name}.winners"),
                Some(_) => String::new(),
            };
            if !message.is_empty() {
                tell("vote.over", &message);
            }
        }
        WrittenOver::Options(options) => check_options(options, tell),
        WrittenOver::Texts(..) | WrittenOver::Seats(_) | WrittenOver::Alternatives => {}
    }
    if vote.question.as_ref().is_some_and(|question| question.trim().is_empty()) {
        tell("vote.question", "the question is empty: seats would read nothing");
    }
    let has_own_words = !is_over_alternatives(vote) || vote.question.is_some();
    if has_own_words && !scenario.written.languages.is_empty() {
        let key = if vote.question.is_some() { "vote.question" } else { "vote.over" };
        tell(key, "a vote has words of its own only in a scenario with one language, and this one has `languages`");
    }
    if vote.ends == Some(EndsWord::Block) && phase.within.is_empty() {
        tell("vote.ends", "no block holds this vote: write ends: session, or leave it out");
    }
    if find_groups(scenario, phase).is_some() {
        check_in_groups(vote, phase, tell);
    }
    if vote.binding == Some(false) {
        for (key, is_written) in [("decides", vote.decides == Some(true)), ("ends", vote.ends.is_some())] {
            if is_written {
                tell(&format!("vote.{key}"), "a vote that is not binding decides nothing");
            }
        }
    }
}

/// Reports what a vote cannot do that is held in each of several groups.
fn check_in_groups(vote: &VoteConfig, phase: &PhaseConfig, tell: &mut impl FnMut(&str, &str)) {
    if vote.decides == Some(true) {
        tell(
            "vote.decides",
            "each group has a result of its own, so the result of the session comes from another vote",
        );
    }
    if vote.ends == Some(EndsWord::Session) {
        tell("vote.ends", "the other groups go on: write ends: block, or leave it out");
    }
    if vote.ends == Some(EndsWord::Block) && phase.groups.is_some() {
        tell("vote.ends", "the block is not within the groups: write groups on a block that holds the vote");
    }
}

fn check_options(options: &[OptionConfig], tell: &mut impl FnMut(&str, &str)) {
    if !(2..=OPTIONS_MAX).contains(&options.len()) {
        tell("vote.over", &format!("a vote has 2 to {OPTIONS_MAX} options, this one has {}", options.len()));
    }
    let mut seen = BTreeSet::new();
    for (position, option) in options.iter().enumerate() {
        let key = format!("vote.over.{position}");
        if let Err(message) = check_alternative(option.name()) {
            tell(&key, &message);
        } else if Language::ALL.iter().any(|language| language.is_none(option.name())) {
            tell(&key, &format!("\"{}\" is a word for none, which no option may be", option.name()));
        } else if !seen.insert(option.name()) {
            tell(&key, &format!("the option \"{}\" is listed twice", option.name()));
        }
        if option.label().trim().is_empty() {
            tell(&key, "the label is empty: seats would read nothing");
        }
        if option.label().contains("item.text") {
            tell(&key, "only the question prints {{ item.text }}: the options are the same for all items");
        }
    }
}

/// Reports votes of which several should give the result of the session.
pub fn check_deciding(scenario: &Scenario, problems: &mut Problems) {
    let decides = |phase: &&PhaseConfig| phase.vote.as_ref().is_some_and(|vote| vote.decides == Some(true));
    let mut deciding = scenario.written.agenda.iter().filter(decides);
    let Some(first) = deciding.next() else { return };
    for phase in deciding {
        let message = format!("the result comes from one vote, and {} has decides: true already", first.name);
        problems.push(scenario.tree.problem(&format!("agenda.{}.vote.decides", phase.name), message));
    }
}

/// What the votes of an arm are lowered from.
pub struct VoteContext<'a> {
    /// The config of the arm.
    pub config: &'a Config,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The motion.
    pub motion: &'a Motion,
    /// The values of the parameters.
    pub values: &'a IndexMap<String, Scalar>,
    /// The rule, the ballots and the electorate of the section `decision`.
    pub usual: (DecisionRule, Voting, &'a Electorate),
    /// Whether ballots are open unless a vote says otherwise.
    pub open: OpenBallots,
    /// Whether the names of all seats are known.
    pub seats: Soundness,
    /// The config's tree.
    pub tree: &'a Node,
}

/// The votes of an arm by the names of their phases; a phase without an entry is left out. `None` after an error, which is reported.
pub fn lower_votes(context: &VoteContext<'_>, problems: &mut Problems) -> Option<BTreeMap<String, Arc<VotePhase>>> {
    let before = problems.len();
    let agenda = &context.scenario.written.agenda;
    let nodes = context.scenario.phase_nodes();
    let mut votes: Vec<(&PhaseConfig, VotePhase)> = Vec::new();
    for (position, phase) in agenda.iter().enumerate() {
        let Some(written) = phase.vote.as_ref().filter(|_| !context.is_replaced(position)) else { continue };
        let node = nodes[position].get("vote").unwrap_or(nodes[position]);
        votes.extend(context.lower_vote((phase, written, node), problems).map(|vote| (phase, vote)));
    }
    let deciding = context.find_deciding(&votes).map(str::to_owned);
    for (phase, vote) in &mut votes {
        vote.decides = deciding.as_ref() == Some(&phase.name);
    }
    let own = votes.iter().find(|(_, vote)| vote.decides && vote.over != VoteOver::Alternatives);
    if let Some((phase, _)) = own.filter(|_| agenda.iter().any(PhaseConfig::pays_decision)) {
        let message = "the mechanism pays for the alternatives, and the vote that decides is over other options";
        let problem = context.scenario.tree.problem(&format!("agenda.{}.vote.over", phase.name), message);
        let hint = "write decides: true at a vote over the alternatives, or binding: false here";
        problems.push(problem.with_advice(hint));
    }
    let votes = votes.into_iter().map(|(phase, vote)| (phase.name.clone(), Arc::new(vote))).collect();
    (problems.len() == before).then_some(votes)
}

impl VoteContext<'_> {
    /// Whether votes in the rounds of a discussion take the place of the vote at this position: the next binding one over the
    /// alternatives in the same block.
    fn is_replaced(&self, position: usize) -> bool {
        let agenda = &self.scenario.written.agenda;
        let is_alike = |phase: &PhaseConfig| {
            phase.vote.as_ref().is_some_and(|vote| vote.binding != Some(false) && is_over_alternatives(vote))
        };
        let is_grouped = find_groups(self.scenario, &agenda[position]).is_some();
        if is_grouped || !is_alike(&agenda[position]) {
            return false;
        }
        let before = agenda[..position].iter().rev().filter(|phase| phase.within == agenda[position].within);
        before.take_while(|phase| !is_alike(phase)).any(|phase| self.config.votes_in_rounds(phase))
    }

    /// The vote that the result of the session comes from; `None` if that is a vote in a discussion, or there is none.
    fn find_deciding<'v>(&self, votes: &[(&'v PhaseConfig, VotePhase)]) -> Option<&'v str> {
        if self.config.decision.rule == RuleKind::Imposed {
            return None;
        }
        let is_written = |phase: &PhaseConfig| phase.vote.as_ref().is_some_and(|vote| vote.decides == Some(true));
        if let Some((phase, _)) = votes.iter().find(|(phase, _)| is_written(phase)) {
            return Some(&phase.name);
        }
        for phase in self.scenario.written.agenda.iter().rev() {
            if self.config.votes_in_rounds(phase) {
                return None;
            }
            let is_deciding = |other: &PhaseConfig, vote: &VotePhase| {
                let may_decide = phase.vote.as_ref().is_some_and(|vote| vote.decides != Some(false));
                let is_same = vote.is_binding && other.name == phase.name;
                is_same && may_decide && find_groups(self.scenario, phase).is_none()
            };
            if let Some((phase, _)) = votes.iter().find(|(other, vote)| is_deciding(other, vote)) {
                return Some(&phase.name);
            }
        }
        None
    }

    /// A vote; `None` if it is left out, or has an error, which is reported.
    fn lower_vote(
        &self,
        (phase, written, node): (&PhaseConfig, &VoteConfig, &Node),
        problems: &mut Problems,
    ) -> Option<VotePhase> {
        let (before, name) = (problems.len(), &phase.name);
        let motion = self.lower_motion(phase, written, problems);
        let options = motion.as_ref().unwrap_or(self.motion);
        if options.alternatives.is_empty() {
            let message = "there is nothing to vote on: the scenario has no alternatives";
            let problem = self.scenario.tree.problem(&format!("agenda.{name}.vote"), message);
            problems.push(problem.with_advice("write over: [NAME, NAME], or alternatives"));
            return None;
        }
        let (decision, mut voting, mut electorate) = self.lower_rules((name, written, node), options, problems)?;
        electorate.otherwise = electorate.otherwise.filter(|_| written.binding != Some(false));
        if let Some(top) = written.top
            && let BallotForm::Ranking { ties, .. } = voting.form
        {
            voting.form = BallotForm::Ranking { ties, truncated: true, top: Some(top) };
        }
        let over = self.over_of(written);
        let mut tell = |key: &str, message: &str| {
            problems.push(Problem::at_place(node.place_of(key), format!("agenda.{name}.vote.{key}"), message));
        };
        if written.top.is_some() && !matches!(voting.form, BallotForm::Ranking { .. }) {
            tell("top", "only rankings name at most so many options: write ballot: ranking");
        }
        let winners =
            budget::lower_winners(written, (options, &over), (&decision, voting.form), self.values, &mut tell);
        if let WrittenOver::Seats(text) = read_over(written, self.scenario)
            && let Some(message) = self.refuse_seats(phase, text, decision.rule)
        {
            tell("over", &message);
        }
        let open = written.open.unwrap_or(self.open);
        (problems.len() == before).then_some(VotePhase {
            decision,
            voting,
            electorate,
            motion: motion.map(Arc::new),
            over,
            open: if network::is_alone(self.config) { OpenBallots::Never } else { open },
            is_announced: written.announce != Some(false),
            is_binding: written.binding != Some(false),
            decides: false,
            winners,
            ends: match written.ends {
                None => VoteEnds::Nothing,
                Some(EndsWord::Block) => VoteEnds::Block,
                Some(EndsWord::Session) => VoteEnds::Session,
            },
        })
    }

    fn over_of(&self, vote: &VoteConfig) -> VoteOver {
        match read_over(vote, self.scenario) {
            WrittenOver::Alternatives => VoteOver::Alternatives,
            WrittenOver::Options(_) => VoteOver::OwnOptions,
            WrittenOver::Texts(position, _) => VoteOver::Texts(position),
            WrittenOver::Winners(vote, part) => {
                let phase = self.scenario.find_phase(vote);
                let pool = match phase.and_then(|phase| read_options(phase, self.scenario)) {
                    Some(WrittenOver::Texts(position, _)) => Some(position),
                    _ => None,
                };
                VoteOver::Winners(VoteWinners { vote: vote.to_owned(), part, pool, assumed: None })
            }
            WrittenOver::Seats(text) | WrittenOver::Nothing(text) => {
                let written = SeatsConfig::Expression(Scalar::Text(text.to_owned()));
                let set = participants::lower_targets(&written, self.config, self.scenario);
                VoteOver::Seats(set.expect("invariant: an expression names no seats in a list"))
            }
        }
    }

    /// The seats as options, under the names by which others know them.
    fn list_seats(&self) -> Vec<Alternative> {
        let seats = self.config.seats.iter().enumerate();
        let option = |(position, seat): (usize, &SeatConfig)| {
            let public_name = seats::public_name(self.config, position, self.motion.language);
            Alternative::of_seat(&SeatName::new(&seat.name), &public_name)
        };
        seats.map(option).collect()
    }

    /// Why a vote cannot be over seats, if it cannot.
    fn refuse_seats(&self, phase: &PhaseConfig, text: &str, rule: RuleKind) -> Option<String> {
        let is_none = |seat: &&SeatConfig| Language::ALL.iter().any(|language| language.is_none(&seat.name));
        if let Some(seat) = self.config.seats.iter().find(is_none) {
            return Some(format!(
                "the seat \"{}\" has a word for none as its name, so nobody could vote for it",
                seat.name
            ));
        }
        let is_for_all = phase.who.is_none() && self.scenario.blocks_around(phase).all(|block| block.who.is_none());
        (text == "others" && rule == RuleKind::Unanimity && is_for_all).then(|| {
            "nobody votes for herself, so no seat can have every ballot: write another rule than unanimity".to_owned()
        })
    }

    /// As many letters as there may be of the texts of this name.
    fn list_letters(&self, name: &str) -> Vec<Alternative> {
        let texts = texts::list_ids(self.scenario, name, self.config.seats.len() as u32);
        texts.into_iter().map(|id| Alternative::of_text(id, id.letter())).collect()
    }

    /// The words and options of a vote; `None` for those of the motion.
    fn lower_motion(&self, phase: &PhaseConfig, written: &VoteConfig, problems: &mut Problems) -> Option<Motion> {
        let over = read_options(phase, self.scenario).unwrap_or(WrittenOver::Alternatives);
        if over == WrittenOver::Alternatives && written.question.is_none() {
            return None;
        }
        let mut fill = |text: &str, key: &str| {
            let filled = self.scenario.fill_text(text, &format!("agenda.{}.vote.{key}", phase.name), self.values);
            problems.ok_or_report(filled).unwrap_or_else(|| text.to_owned())
        };
        let text = written.question.as_ref().map_or_else(|| self.motion.text.clone(), |text| fill(text, "question"));
        let language = self.motion.language;
        let of_own =
            |text, alternatives| Motion { text, alternatives, amount_max: None, amount_min: 1, unit: None, language };
        let own = match over {
            WrittenOver::Alternatives => return Some(Motion { text, ..self.motion.clone() }),
            WrittenOver::Texts(_, name) => return Some(of_own(text, self.list_letters(name))),
            WrittenOver::Seats(_) | WrittenOver::Nothing(_) | WrittenOver::Winners(..) => {
                return Some(of_own(text, self.list_seats()));
            }
            WrittenOver::Options(own) => own,
        };
        let option = |(position, option): (usize, &OptionConfig)| Alternative {
            name: AlternativeName::new(option.name()),
            label: fill(option.label(), &format!("over.{position}.label")),
            status_quo: false,
            takes_amount: false,
            said: None,
        };
        let alternatives = own.iter().enumerate().map(option).collect();
        Some(of_own(text, alternatives))
    }

    /// How ballots of a vote become a decision: as in the section `decision`, with what the vote says otherwise. `None` if the decision
    /// is imposed, or after an error.
    fn lower_rules(
        &self,
        (name, written, node): (&str, &VoteConfig, &Node),
        motion: &Motion,
        problems: &mut Problems,
    ) -> Option<(DecisionRule, Voting, Electorate)> {
        let shared = SchemaPart::of_config().property("decision").map(SchemaPart::keys).unwrap_or_default();
        let own = node.entries().iter().filter(|entry| shared.contains(&entry.key.as_str()));
        let own: Vec<&MapEntry> = own.collect();
        let writes = |key: &str| own.iter().any(|entry| entry.key == key);
        let path = |key: &str| format!("agenda.{name}.vote.{key}");
        if !writes("rule") && self.config.decision.rule == RuleKind::Imposed {
            return None;
        }
        let over = self.over_of(written);
        if own.is_empty() && over == VoteOver::Alternatives {
            let (rule, voting, electorate) = self.usual;
            return Some((rule, voting, electorate.clone()));
        }
        let mut tree = self.tree.clone();
        let section = tree.child_mut("decision").expect("invariant: a merged config has a section on the decision");
        for key in stale_keys(writes, &over) {
            section.remove_key(key);
        }
        for entry in &own {
            section.remove_key(&entry.key);
            section.insert_entry((*entry).clone());
        }
        let mut decision: DecisionConfig = problems.ok_or_report(decode_node(section))?;
        if over != VoteOver::Alternatives && !writes("tie_break") && decision.tie_break == TieBreak::StatusQuo {
            // There is no status quo among options of a vote's own, and a tie without it decides nothing.
            decision.tie_break = TieBreak::NoDecision;
        }
        let mut config = Config { decision, ..self.config.clone() };
        if config.decision.rule == RuleKind::Imposed {
            let message =
                "nobody votes where a decision is imposed; only the section `decision` of the config imposes one";
            problems.push(Problem::at_place(node.place_of("rule"), path("rule"), message));
            return None;
        }
        if let Some(message) = refuse_otherwise(&over, written) {
            if writes("otherwise") {
                problems.push(Problem::at_place(node.place_of("otherwise"), path("otherwise"), message));
                return None;
            }
            config.decision.otherwise = None;
        }
        let mut found = Problems::default();
        let (rule, voting, _) = decision::lower_decision(&config, motion, &tree, &mut found);
        let electorate = electorate::lower_electorate(&config, self.seats, (motion, &tree), &mut found);
        for problem in found.iter() {
            let inner = problem.path.strip_prefix("decision.").unwrap_or(&problem.path);
            let key = inner.split('.').next().unwrap_or_default();
            problems.push(match writes(key) {
                true => Problem { path: path(inner), ..problem.clone() },
                false => Problem::at_place(&node.place, path(inner), &problem.message).with_hint(problem.hint.clone()),
            });
        }
        Some((rule?, voting?, electorate?))
    }
}

/// The keys of the section `decision` that do not hold for a vote which writes some of its own.
fn stale_keys(writes: impl Fn(&str) -> bool, over: &VoteOver) -> Vec<&'static str> {
    const OF_BALLOT: [&str; 4] = ["score_max", "points", "ties", "truncated"];
    const OF_RULE: [&str; 5] = ["threshold", "ballot", "strength", "agenda", "imposed"];
    let mut stale = Vec::new();
    if writes("rule") {
        stale.extend(OF_RULE);
    }
    if writes("rule") || writes("ballot") {
        stale.extend(OF_BALLOT);
    }
    if writes("tie_break") {
        stale.push("chair");
    }
    if *over != VoteOver::Alternatives {
        stale.extend(["agenda", "otherwise"]);
    }
    stale
}

/// Why a vote decides nothing by default, if it cannot.
fn refuse_otherwise(over: &VoteOver, vote: &VoteConfig) -> Option<&'static str> {
    if vote.binding == Some(false) {
        return Some("a vote that is not binding decides nothing");
    }
    over.is_found_at_opening().then_some(
        "only a vote over alternatives or a list of options decides something by default: the options of this vote are known only when it \
         opens",
    )
}

fn is_over_alternatives(vote: &VoteConfig) -> bool {
    vote.over.as_ref().is_none_or(|over| matches!(over.own_options(), Ok(None)))
}
