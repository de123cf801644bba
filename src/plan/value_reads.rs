//! What phases are and do by their kind: the values that they set, and what reads them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    Assignment, BlockSpan, Discussion, FormPlan, Formula, GroupRule, Phase, PhaseKind, Plan, SeatRule, SeatSet, Sitter,
    SourceIndex, SpeakingOrder, TestFailurePolicy, Thing, VoteOver, VotePhase,
};
use crate::expression::{NameRead, list_names};
use crate::minds::{Mind, QuestionRule};
use crate::prompt::LiveText;

impl Plan {
    /// The names of the values that phases set.
    pub fn list_values(&self) -> BTreeSet<String> {
        self.agenda.iter().filter(|phase| phase.is_first_pass()).flat_map(Phase::list_set_values).collect()
    }

    /// Whether an expression, a text or a vote reads this value.
    pub fn reads_value(&self, name: &str) -> bool {
        let known = BTreeSet::from([name.to_owned()]);
        self.agenda.iter().filter(|phase| phase.is_first_pass()).any(|phase| {
            let blocks = phase.within.iter().flat_map(|block| phase.list_block_formulas(&self.blocks[*block]));
            !phase.list_read_values(&self.sources, &known).is_empty()
                || blocks.into_iter().any(|formula| !list_read_by(formula, &known).is_empty())
        })
    }

    /// The values that the rules of simulated seats read when they answer in a phase.
    pub fn list_rule_reads(&self, phase: &Phase, known: &BTreeSet<String>) -> BTreeSet<String> {
        let is_asked = |rule: &&QuestionRule| match &phase.kind {
            PhaseKind::Form(form) => form.asked.form.fields.iter().any(|field| field.id == rule.answers),
            PhaseKind::Vote(_) | PhaseKind::Discussion(_) => phase.name.written() == rule.answers,
            _ => false,
        };
        let rules = self.seats.iter().filter_map(|seat| match &seat.sitter {
            Sitter::Mind(Mind::Rule(rules)) => Some(rules),
            _ => None,
        });
        rules.flatten().filter(is_asked).flat_map(|rule| list_read_by(&rule.formula, known)).collect()
    }
}

impl Phase {
    /// The values that it reads: in its expressions, in its sets of seats and in its texts. `known` are the values that there are.
    pub fn list_read_values(&self, sources: &SourceIndex, known: &BTreeSet<String>) -> BTreeSet<String> {
        let sets = self.seat_sets().into_iter().chain(&self.who).chain(&self.heard_by);
        let conditions = self.when.iter().map(|when| &when.formula);
        let formulas = self.kind.list_formulas().into_iter().chain(conditions).chain(sets.filter_map(SeatSet::formula));
        let mut read: BTreeSet<String> = formulas.flat_map(|formula| list_read_by(formula, known)).collect();
        if let PhaseKind::Vote(vote) = &self.kind {
            let of_vote = match &vote.over {
                VoteOver::Texts(pool) => sources.name_of_texts(*pool).map(str::to_owned),
                VoteOver::Winners(won) => Some(won.vote.clone()),
                VoteOver::Alternatives | VoteOver::OwnOptions | VoteOver::Seats(_) => None,
            };
            read.extend(of_vote.filter(|name| known.contains(name)));
        }
        for name in self.kind.list_live_texts().into_iter().flat_map(LiveText::list_reads) {
            read.extend(list_values_read(&name, known).map(str::to_owned));
            let text = name.name.and_then(|name| self.find_texts_called(&name, sources));
            read.extend(text.filter(|name| known.contains(*name)).map(str::to_owned));
        }
        read
    }

    /// The name of the kept texts of which one is called so in the passes around.
    fn find_texts_called<'s>(&self, called: &str, sources: &'s SourceIndex) -> Option<&'s str> {
        let things = self.passes.iter().rev().filter_map(|pass| pass.thing.as_ref());
        things.filter(|thing| thing.name() == called).find_map(|thing| thing.name_of_texts(sources))
    }

    /// The name of the kept texts that a block which holds it goes through; `None` if it goes through no texts.
    pub fn find_texts_of_block<'s>(&self, block: &BlockSpan, sources: &'s SourceIndex) -> Option<&'s str> {
        let pass = self.passes.iter().find(|pass| pass.block == block.name)?;
        pass.thing.as_ref()?.name_of_texts(sources)
    }

    /// The expressions of a block that holds it: its conditions, its seats, and how often or for whom it is repeated.
    pub fn list_block_formulas<'p>(&'p self, block: &'p BlockSpan) -> Vec<&'p Formula> {
        let pass = self.passes.iter().find(|pass| pass.block == block.name);
        let of_passes = pass.and_then(|pass| pass.thing.as_ref()).and_then(|thing| match thing {
            Thing::Times { times, .. } => Some(times),
            Thing::Seat { seats, .. } => seats.formula(),
            Thing::Word { .. } | Thing::Item { .. } | Thing::Text { .. } => None,
        });
        let conditions = block.when.iter().chain(&block.until).map(|condition| &condition.formula);
        conditions.chain(block.who.as_ref().and_then(SeatSet::formula)).chain(of_passes).collect()
    }

    /// The names of the values that it sets: fields and kept texts, variables, its votes, and groups or roles.
    pub fn list_set_values(&self) -> Vec<String> {
        match &self.kind {
            PhaseKind::Form(form) => {
                let fields: Vec<String> = form.asked.form.fields.iter().map(|field| field.id.clone()).collect();
                let kept = form.kept.iter().map(|kept| kept.name.clone()).filter(|name| !fields.contains(name));
                let kept: Vec<String> = kept.collect();
                [fields, kept].concat()
            }
            PhaseKind::Compute(set) => set.iter().map(|set| set.bare_name().to_owned()).collect(),
            PhaseKind::Vote(_) => vec![self.name.written().to_owned()],
            PhaseKind::Assign(rules) => rules.iter().flat_map(GroupRule::list_set_values).collect(),
            _ => Vec::new(),
        }
    }
}

impl Thing {
    /// The name of the kept texts of which it is one; `None` of any other thing.
    fn name_of_texts<'s>(&self, sources: &'s SourceIndex) -> Option<&'s str> {
        if let Thing::Text { pool, .. } = self { sources.name_of_texts(*pool) } else { None }
    }
}

impl PhaseKind {
    /// Its form; `None` of a phase that asks none.
    pub fn as_form(&self) -> Option<&Arc<FormPlan>> {
        if let PhaseKind::Form(form) = self { Some(form) } else { None }
    }

    /// Its settings as a discussion; `None` of any other phase.
    pub fn as_discussion(&self) -> Option<&Discussion> {
        if let PhaseKind::Discussion(talk) = self { Some(talk) } else { None }
    }

    /// Its settings as a vote; `None` of any other phase.
    pub fn as_vote(&self) -> Option<&VotePhase> {
        if let PhaseKind::Vote(vote) = self { Some(vote) } else { None }
    }

    /// The values that it computes, in order; none of any other phase.
    pub fn assignments(&self) -> &[Assignment] {
        if let PhaseKind::Compute(assignments) = self { assignments } else { &[] }
    }

    /// The groups and roles into which it puts seats, in order; none of any other phase.
    pub fn group_rules(&self) -> &[GroupRule] {
        if let PhaseKind::Assign(rules) = self { rules } else { &[] }
    }

    /// Whether it puts seats into the groups or roles of an assignment.
    pub fn assigns(&self, assignment: &str) -> bool {
        self.group_rules().iter().any(|rule| rule.name == assignment)
    }

    /// Whether it is a test that excludes the seats that fail it.
    pub fn may_exclude(&self) -> bool {
        matches!(self, PhaseKind::Comprehension(test) if test.failing == TestFailurePolicy::Excludes)
    }

    /// Whether it is a discussion in which all seats of a round speak at once.
    pub fn speaks_at_once(&self) -> bool {
        matches!(self, PhaseKind::Discussion(talk) if talk.order == SpeakingOrder::Simultaneous)
    }

    /// Whether it is a discussion with votes in its rounds.
    pub fn votes_in_rounds(&self) -> bool {
        matches!(self, PhaseKind::Discussion(talk) if talk.votes_in_rounds())
    }

    /// The expressions of what it does, without the sets of seats.
    pub fn list_formulas(&self) -> Vec<&Formula> {
        match self {
            PhaseKind::Brief { opinion, .. } => opinion.iter().collect(),
            PhaseKind::Compute(set) => set.iter().map(|set| &set.formula).collect(),
            PhaseKind::Pay(pay) => pay.list_formulas().collect(),
            PhaseKind::Discussion(talk) => talk.until.iter().map(|until| &until.formula).collect(),
            PhaseKind::Form(form) => form.bounds.iter().map(|bound| &bound.formula).collect(),
            PhaseKind::Assign(rules) => rules.iter().flat_map(GroupRule::list_formulas).collect(),
            _ => Vec::new(),
        }
    }

    /// The texts that print values of the session.
    pub fn list_live_texts(&self) -> Vec<&LiveText> {
        match self {
            PhaseKind::Brief { live, .. } => live.iter().map(|live| &**live).collect(),
            PhaseKind::Form(form) => form.live.iter().map(|(_, text)| text).collect(),
            _ => Vec::new(),
        }
    }
}

impl GroupRule {
    /// The names of its roles, or of the assignment of groups.
    fn list_set_values(&self) -> Vec<String> {
        let roles: Vec<String> = self.size.list_roles().iter().map(|role| role.name.clone()).collect();
        if roles.is_empty() { vec![self.name.clone()] } else { roles }
    }
}

impl SeatSet {
    /// The expression that selects its seats; `None` of a list of names.
    pub fn formula(&self) -> Option<&Formula> {
        match &self.rule {
            SeatRule::Where { formula, .. } => Some(formula),
            SeatRule::Named(_) => None,
        }
    }
}

/// The values that an expression reads.
pub fn list_read_by(formula: &Formula, known: &BTreeSet<String>) -> Vec<String> {
    let names = list_names(&formula.expression);
    names.iter().flat_map(|name| list_values_read(name, known)).map(str::to_owned).collect()
}

/// The values of the session that a name with its attributes reads, the one that it stands for first: of `scribe.words` the words and
/// who the scribe is.
pub fn list_values_read<'r>(read: &'r NameRead, values: &BTreeSet<String>) -> impl Iterator<Item = &'r str> {
    let is_of_design = matches!(read.name.as_deref(), Some("parameters" | "item" | "pass"));
    let names = read.attributes.iter().rev().chain(&read.name).filter(move |_| !is_of_design);
    names.map(String::as_str).filter(|name| values.contains(*name))
}
