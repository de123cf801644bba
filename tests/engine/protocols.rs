//! Random agendas of blocks, conditions, forms, talk and votes: each is checked, held, cut, and foreseen.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::told::{answered_at_random, check_changes};
use crate::fixtures::sample::law_cases;
use crate::fixtures::trial::{check_told_audiences, folded, go_on, read, whole, write_own_scenario};
use crate::plan::forecast::assert_foreseen;
use ekklesia::domain::{Event, Record, order_by_group};
use ekklesia::minds::Mind;
use proptest::prelude::*;

/// A phase or block, before it has names.
#[derive(Debug, Clone)]
enum Entry {
    /// What it prints of the session.
    Brief(u8),
    /// What it computes from answers: a value of each seat, and one of the session or the group.
    Compute(u8),
    Talk(usize),
    Vote(usize),
    Ask(Vec<Kind>),
    /// How it is repeated, how seats are put into groups if it takes place in each, and its entries.
    Block(Repeat, Option<u8>, Vec<(Gate, Entry)>),
}

/// What decides whether an entry takes place, who takes part in it, and who hears it.
type Gate = [Option<u8>; 3];

fn gate() -> impl Strategy<Value = Gate> {
    let seats = || prop_oneof![2 => Just(None), 1 => any::<u8>().prop_map(Some)];
    (prop::option::of(any::<u8>()), seats(), seats()).prop_map(|(when, who, heard_by)| [when, who, heard_by])
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Number,
    YesNo,
    Choice,
    Ranking,
    Allocation,
    Seat,
    Seats,
    /// A text that is kept.
    Kept,
    Text,
    /// The alternative that a seat favours, and how certain it is.
    Stance,
    /// A ranking of the alternatives, and how certain the seat is.
    Order,
    /// How far a seat favours the first alternative.
    Degree,
    /// A choice that has the options of an item in a block for items.
    Item,
}

#[derive(Debug, Clone, Copy)]
enum Repeat {
    Once,
    Times(u32),
    /// As often as an expression says, up to three times.
    Counted(u8),
    Until(u8, u32),
    /// For each of the seats that an expression selects.
    Each(u8),
    /// For each item of the config.
    Items,
}

fn entry(kinds: &[Kind]) -> impl Strategy<Value = Entry> {
    let kind = prop::sample::select(kinds.to_vec());
    let leaf = prop_oneof![
        2 => any::<u8>().prop_map(Entry::Brief),
        2 => any::<u8>().prop_map(Entry::Compute),
        3 => (0..TALKS.len()).prop_map(Entry::Talk),
        3 => (0..VOTES.len()).prop_map(Entry::Vote),
        4 => prop::collection::vec(kind, 1..4).prop_map(Entry::Ask),
    ];
    hold_in_blocks(leaf)
}

/// A phase or block that mostly computes values, from answers and from earlier values.
fn computing_entry() -> impl Strategy<Value = Entry> {
    let leaf = prop_oneof![
        6 => any::<u8>().prop_map(Entry::Compute),
        1 => Just(Entry::Ask(vec![Kind::Number])),
        1 => (0..VOTES.len()).prop_map(Entry::Vote),
    ];
    hold_in_blocks(leaf)
}

fn hold_in_blocks(leaf: impl Strategy<Value = Entry> + 'static) -> impl Strategy<Value = Entry> {
    let repeat = prop_oneof![
        Just(Repeat::Once),
        (1_u32..4).prop_map(Repeat::Times),
        any::<u8>().prop_map(Repeat::Counted),
        (any::<u8>(), 1_u32..4).prop_map(|(until, max)| Repeat::Until(until, max)),
        any::<u8>().prop_map(Repeat::Each),
        Just(Repeat::Items),
    ];
    leaf.prop_recursive(3, 10, 4, move |inner| {
        let held = prop::collection::vec((gate(), inner), 1..4);
        let groups = prop_oneof![2 => Just(None), 1 => any::<u8>().prop_map(Some)];
        (repeat.clone(), groups, held).prop_map(|(repeat, groups, held)| Entry::Block(repeat, groups, held))
    })
}

/// Settings of talks.
const TALKS: [&str; 11] = [
    "",
    "rounds: 2, stance: false",
    "rounds: 2, order: rotating, speakers: 1",
    "rounds: 3, order: random, speakers: 2, until: round >= 2",
    "order: volunteer, speakers: 1",
    "rounds: 2, order: simultaneous, until: \"count(everyone) > 1\"",
    "rounds: 2, vote: every_round",
    "rounds: 2, network: self",
    "rounds: 2, order: random, network: { star: { hub: Bob } }",
    "rounds: 2, network: { small_world: { neighbours: 2, rewired: 0.5 } }",
    "rounds: 2, network: complete, vote: every_round",
];

/// Settings of votes, and what they say besides in a block.
/// One over `TEXTS` is over texts that are kept, and one over `WON` over what has won the vote over texts before, if there are any.
const VOTES: [(&str, &str); 16] = [
    ("binding: true", ""),
    ("rule: plurality, tie_break: lot", ", ends: block"),
    ("rule: unanimity, open: announced, ends: session", ""),
    ("binding: false, announce: false, rule: borda", ""),
    ("over: [red, tan, sky], rule: plurality, tie_break: lot, open: in_turn", ", ends: block"),
    ("over: [low, mid, top], question: \"Which one?\", rule: score, score_max: 3, invalid: exclude", ""),
    ("over: [low, top], rule: approval, tie_break: agenda_order, abstain: true, quorum: 1/2", ""),
    ("reasons: true, rule: approval, abstain: true, open: in_turn", ", ends: block"),
    ("rule: supermajority, threshold: 2/3, of: valid, invalid: abstain, weights: { Bob: 2 }", ""),
    ("over: TEXTS, rule: plurality, tie_break: lot", ""),
    ("over: TEXTS, ballot: ranking, top: 2, rule: borda, winners: 2, tie_break: lot, open: announced", ", ends: block"),
    ("over: WON, rule: approval, tie_break: agenda_order, abstain: true", ""),
    ("over: others, rule: plurality, tie_break: lot", ", ends: block"),
    ("over: seat.index != 2, ballot: ranking, rule: borda, tie_break: lot, winners: 2, open: announced", ""),
    ("over: seat.index <= me.index, rule: approval, tie_break: lot, open: in_turn", ""),
    ("over: seat != me, rule: score, score_max: 3, abstain: true, binding: false, announce: false", ""),
];

/// Those of text are last.
const KINDS: [Kind; 13] = [
    Kind::Number,
    Kind::YesNo,
    Kind::Choice,
    Kind::Ranking,
    Kind::Allocation,
    Kind::Seat,
    Kind::Seats,
    Kind::Stance,
    Kind::Order,
    Kind::Degree,
    Kind::Item,
    Kind::Kept,
    Kind::Text,
];

/// Writes entries as YAML, and remembers the fields that conditions may read.
#[derive(Default)]
struct Writer {
    yaml: String,
    names: u32,
    numbers: Vec<String>,
    assents: Vec<String>,
    /// The values of each seat, of the session and of groups that have been computed.
    computed: [Vec<String>; 3],
    /// The fields whose answers are a seat, and seats.
    named: [Vec<String>; 2],
    /// The votes outside groups that have been written, over seats and over anything else.
    votes: [Vec<String>; 2],
    /// The votes over seats in groups that have been written.
    group_votes: Vec<String>,
    /// The questionnaires and talks outside groups that have been written.
    heard: Vec<String>,
    /// Whether texts are kept by what has been written.
    keeps_texts: bool,
    /// The last vote over texts that has been written, or over what has won one.
    text_vote: Option<String>,
    /// Whether a block for items has been written.
    items: ItemsWritten,
    /// Whether what is written takes place in groups.
    is_grouped: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ItemsWritten {
    #[default]
    Nowhere,
    /// It is written now.
    Around,
    Before,
}

impl Writer {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("p{}", self.names)
    }

    /// A condition; within a block that is repeated a number of times also of its pass.
    fn condition(&self, lot: u8, repeat: Repeat) -> String {
        let mut all = vec!["true".to_owned(), "count(everyone) > 1".to_owned(), "1 > 2".to_owned()];
        match repeat {
            Repeat::Once => {}
            Repeat::Times(_) | Repeat::Counted(_) | Repeat::Each(_) | Repeat::Items => {
                all.extend(["pass.first", "not pass.last", "pass.number % 2 == 1"].map(str::to_owned))
            }
            Repeat::Until(..) => all.push("pass.number > 1".to_owned()),
        }
        for field in &self.numbers {
            all.push(format!("mean(everyone.{field}) > 4"));
            all.push(format!("count(1 for s in everyone if s.{field} <= 5) >= 2"));
        }
        all.extend(self.assents.iter().map(|field| format!("share(everyone.{field}) >= 0.5")));
        all.extend(self.votes.iter().flatten().map(|vote| format!("{vote}.decided")));
        all.extend(self.named[0].iter().map(|field| format!("count(1 for s in everyone if s.{field}.index == 1) > 1")));
        all.extend(self.computed[1].iter().map(|name| format!("{name} > 4")));
        self.word(&all[usize::from(lot) % all.len()])
    }

    /// Writes values of each seat, and of the session or in groups of the group.
    fn write_computed(&mut self, (name, lot): (&str, u8), blank: &str) {
        let field = self.numbers.get(usize::from(lot) % self.numbers.len().max(1));
        let (own, all) = match field {
            Some(field) => (format!("default(seat.{field}, 0) * 2"), format!("sum(group.{field}) / 2")),
            None => ("seat.index".to_owned(), "count(group)".to_owned()),
        };
        let (kind, of) = if self.is_grouped { (2, "group.") } else { (1, "") };
        // Of an earlier value, which may be missing.
        let earlier = |kind: usize| self.computed[kind].get(usize::from(lot) / 2 % self.computed[kind].len().max(1));
        let (earlier_own, earlier_all) = (earlier(0).filter(|_| lot % 2 == 1), earlier(kind).filter(|_| lot % 2 == 1));
        let own = earlier_own.map_or(own, |name| format!("seat.{name} + 1"));
        let all = earlier_all.map_or(all, |name| format!("{of}{name} + 1"));
        writeln!(self.yaml, "{blank}  compute: {{ seat.{name}_own: \"{own}\", {of}{name}_all: \"{all}\" }}").unwrap();
        self.computed[0].push(format!("{name}_own"));
        self.computed[kind].push(format!("{name}_all"));
    }

    /// How often a block is repeated.
    fn times(&self, lot: u8) -> String {
        let mut all = vec!["count(everyone) - 1".to_owned(), "0 - 1".to_owned(), "5".to_owned()];
        all.extend(self.numbers.iter().map(|field| format!("round(default(max(everyone.{field}), 0)) // 4")));
        all.extend(self.votes.iter().flatten().map(|vote| format!("2 if {vote}.decided else 1")));
        all[usize::from(lot) % all.len()].clone()
    }

    /// Who takes part: a list, or an expression.
    fn participants(&self, lot: u8) -> String {
        let fixed = ["[Ann, Bob]", "[Bob]", "seat.index >= 2", "seat.index != 2", "everyone"];
        let mut all: Vec<String> = fixed.map(str::to_owned).to_vec();
        all.extend(self.numbers.iter().map(|field| format!("seat.{field} > 4")));
        all.extend(self.assents.iter().map(|field| format!("not is_missing(seat.{field})")));
        all.extend(self.named[0].iter().map(|field| format!("seat.{field}.index == 1")));
        all.extend(self.named[1].iter().map(|field| format!("seat in seat.{field}")));
        all.extend(
            self.votes[0].iter().flat_map(|vote| [format!("seat == {vote}.winner"), format!("seat in {vote}.winners")]),
        );
        if !self.is_grouped {
            all.extend(self.group_votes.iter().map(|vote| format!("seat in {vote}.winner")));
        }
        self.word(&all[usize::from(lot) % all.len()])
    }

    /// What a brief prints of what has been asked and voted on.
    fn text(&self, lot: u8) -> String {
        let mut all = vec!["me".to_owned()];
        for field in self.numbers.iter().chain(&self.assents) {
            all.push(format!("{{% for s in group %}}{{{{ s.{field} }}}} {{% endfor %}}"));
            all.push(format!("{{{{ group | map(attribute='{field}') | join(' ') }}}}"));
            all.push(format!("{{{{ seat.{field} }}}}"));
            all.push(format!(
                "{{% if seat.{field} is missing %}}none{{% else %}}{{{{ group[0].{field} }}}}{{% endif %}}"
            ));
        }
        all.extend(
            self.named[0].iter().map(|field| format!("{{% for s in others %}}{{{{ s.{field}.name }}}} {{% endfor %}}")),
        );
        for name in &self.computed[0] {
            all.push(format!("{{{{ seat.{name} }}}}"));
            all.push(format!("{{% for s in group %}}{{{{ s.{name} }}}} {{% endfor %}}"));
        }
        all.extend(self.computed[1].iter().map(|name| format!("{{{{ {name} }}}}")));
        if self.is_grouped {
            all.extend(self.computed[2].iter().map(|name| format!("{{{{ group.{name} }}}}")));
        }
        if self.keeps_texts {
            all.push("{% for d in draft %}{{ d.letter }} {{ d.text }} {% endfor %}".to_owned());
        }
        if !self.is_grouped {
            all.extend(
                self.votes
                    .iter()
                    .flatten()
                    .map(|vote| format!("{{{{ {vote}.decided }}}} {{{{ {vote}.winner.name }}}}")),
            );
        }
        all[usize::from(lot) % all.len()].clone()
    }

    /// An expression, which in groups is about the group.
    fn word(&self, expression: &str) -> String {
        if self.is_grouped { expression.replace("everyone", "group") } else { expression.to_owned() }
    }

    /// Writes a phase that puts the seats into two groups.
    fn write_groups(&mut self, lot: u8, blank: &str) {
        let mut all = vec!["lot".to_owned(), "rotation".to_owned(), "seat.index % 2".to_owned()];
        all.extend(self.numbers.iter().map(|field| format!("seat.{field}")));
        let (name, by) = (self.name(), &all[usize::from(lot) % all.len()]);
        let mix = if lot % 3 == 1 && matches!(by.as_str(), "lot" | "rotation") { ", mix: seat.index % 2" } else { "" };
        let team = format!("team: {{ groups: {{ count: 2 }}, by: {by}{mix}, uneven: true }}");
        // Now and then a seat is in no group, and hears those that name it.
        let who = match lot % 8 {
            1 => format!("\n{blank}  who: [Ann, Cleo]"),
            5 => format!("\n{blank}  who: seat.index != 2"),
            _ => String::new(),
        };
        writeln!(self.yaml, "{blank}- name: {name}{who}\n{blank}  assign: {{ {team} }}").unwrap();
    }

    fn write_all(&mut self, entries: &[(Gate, Entry)], indent: usize, around: Repeat) {
        for ([when, who, heard_by], entry) in entries {
            let blank = " ".repeat(indent);
            let groups = match entry {
                Entry::Block(_, Some(lot), _) if !self.is_grouped => {
                    self.write_groups(*lot, &blank);
                    true
                }
                _ => false,
            };
            let name = self.name();
            writeln!(self.yaml, "{blank}- name: {name}").unwrap();
            if groups {
                self.is_grouped = true;
                writeln!(self.yaml, "{blank}  groups: team").unwrap();
            }
            self.write_gates((&name, entry), &[*when, *who, *heard_by], around, &blank);
            match entry {
                Entry::Brief(lot) => {
                    let text = self.text(*lot);
                    writeln!(self.yaml, "{blank}  brief: {{ text: \"Hear: {text}.\" }}").unwrap();
                }
                Entry::Compute(lot) => self.write_computed((&name, *lot), &blank),
                Entry::Talk(which) => {
                    // No votes are held in the rounds of a talk in groups.
                    let which = if self.is_grouped && TALKS[*which].contains("vote") { 0 } else { *which };
                    let settings = self.word(TALKS[which]);
                    writeln!(self.yaml, "{blank}  discussion: {{ {settings} }}").unwrap();
                }
                Entry::Vote(which) => {
                    let (settings, block) = VOTES[*which];
                    let settings = &self.write_over(settings, (&name, *which));
                    // Only a vote within a block ends one.
                    let block = if indent > 2 { block } else { "" };
                    // A vote in groups ends no session.
                    let settings =
                        if self.is_grouped { settings.replace(", ends: session", "") } else { settings.clone() };
                    writeln!(self.yaml, "{blank}  vote: {{ {settings}{block} }}").unwrap();
                    let is_over_seats = settings.contains("over: others") || settings.contains("over: seat");
                    match self.is_grouped {
                        true if is_over_seats => self.group_votes.push(name.clone()),
                        true => {}
                        false => self.votes[usize::from(!is_over_seats)].push(name.clone()),
                    }
                }
                Entry::Ask(kinds) => {
                    writeln!(self.yaml, "{blank}  ask:").unwrap();
                    for (place, kind) in kinds.iter().enumerate() {
                        // A form keeps one text under a name.
                        let is_second = kinds[..place].iter().any(|other| matches!(other, Kind::Kept));
                        let kind = if is_second && matches!(kind, Kind::Kept) { &Kind::Text } else { kind };
                        self.write_field(&format!("{name}_f{place}"), *kind, &blank);
                    }
                }
                Entry::Block(Repeat::Each(_) | Repeat::Counted(_) | Repeat::Items, _, held)
                    if self.is_grouped || holds_groups(held) =>
                {
                    // No block for each of several seats is in groups, or holds some.
                    writeln!(self.yaml, "{blank}  phases:").unwrap();
                    self.write_all(held, indent + 4, around);
                }
                Entry::Block(Repeat::Items, _, held) if self.items == ItemsWritten::Around => {
                    // A block for items holds no other.
                    writeln!(self.yaml, "{blank}  phases:").unwrap();
                    self.write_all(held, indent + 4, around);
                }
                Entry::Block(repeat, _, held) => {
                    let around = if matches!(repeat, Repeat::Once) { around } else { *repeat };
                    self.write_repeat(&name, *repeat, around, &blank);
                    writeln!(self.yaml, "{blank}  phases:").unwrap();
                    let is_items = matches!(repeat, Repeat::Items);
                    self.items = if is_items { ItemsWritten::Around } else { self.items };
                    self.write_all(held, indent + 4, around);
                    self.items = if is_items { ItemsWritten::Before } else { self.items };
                }
            }
            if groups {
                self.is_grouped = false;
            }
        }
    }

    /// The settings of a vote, with the texts or winners that it is over.
    fn write_over(&mut self, settings: &str, (name, which): (&str, usize)) -> String {
        let winners = self.text_vote.clone().map(|vote| format!("{vote}.{}", ["winner", "winners"][which % 2]));
        let texts = self.keeps_texts.then(|| "draft".to_owned());
        let over = if settings.contains("WON") { winners.or(texts) } else { texts };
        let is_over_texts = settings.contains("TEXTS") || settings.contains("WON");
        if is_over_texts && over.is_some() {
            self.text_vote = Some(name.to_owned());
        }
        let over = over.unwrap_or_else(|| "[red, tan]".to_owned());
        settings.replace("TEXTS", &over).replace("WON", &over)
    }

    /// Writes what decides whether an entry takes place, who takes part in it, who hears it, and how it is remembered.
    fn write_gates(
        &mut self,
        (name, entry): (&str, &Entry),
        [when, who, heard_by]: &Gate,
        around: Repeat,
        blank: &str,
    ) {
        let (when, who, heard_by) = (*when, *who, *heard_by);
        if let Some(lot) = when {
            let condition = self.condition(lot, around);
            writeln!(self.yaml, "{blank}  when: \"{condition}\"").unwrap();
        }
        // Of too few seats there are no two groups.
        let holds = matches!(entry, Entry::Block(_, _, held) if holds_groups(held));
        if let Some(lot) = who.filter(|_| !holds) {
            let who = self.participants(lot);
            writeln!(self.yaml, "{blank}  who: {who}").unwrap();
        }
        if let Some(lot) = heard_by.filter(|_| !matches!(entry, Entry::Brief(_) | Entry::Compute(_))) {
            let heard_by = if lot % 7 == 0 { "nobody".to_owned() } else { self.participants(lot) };
            writeln!(self.yaml, "{blank}  heard_by: {heard_by}").unwrap();
        }
        // One of them in five is not remembered, and one as it comes.
        if let (Some(lot), Entry::Ask(_) | Entry::Talk(_) | Entry::Vote(_)) = (heard_by, entry)
            && lot % 5 > 2
        {
            let way = if lot % 5 == 3 { "skip" } else { "direct" };
            writeln!(self.yaml, "{blank}  remember: {way}").unwrap();
        }
        if matches!(entry, Entry::Ask(_) | Entry::Talk(_)) {
            self.write_forgetting(name, who, blank);
        }
    }

    /// Writes how often a block is repeated.
    fn write_repeat(&mut self, name: &str, repeat: Repeat, around: Repeat, blank: &str) {
        match repeat {
            Repeat::Once => {}
            Repeat::Times(times) => writeln!(self.yaml, "{blank}  repeat: {{ times: {times} }}").unwrap(),
            Repeat::Counted(lot) => {
                let times = self.times(lot);
                writeln!(self.yaml, "{blank}  repeat: {{ times: \"{times}\", max: 3 }}").unwrap();
            }
            Repeat::Until(lot, max) => {
                let until = self.condition(lot, around);
                writeln!(self.yaml, "{blank}  repeat: {{ until: \"{until}\", max: {max} }}").unwrap();
            }
            Repeat::Items => writeln!(self.yaml, "{blank}  for: {{ each: items }}").unwrap(),
            Repeat::Each(lot) => {
                let seats = self.participants(lot);
                let seats = if seats.starts_with('[') { "seat.index <= 2" } else { &seats };
                let order = ["fixed", "lot", "latin"][usize::from(lot % 3)];
                writeln!(self.yaml, "{blank}  for: {{ each: {seats}, as: {name}_s, order: {order} }}").unwrap();
            }
        }
    }

    /// Has a phase forget the one before now and then.
    fn write_forgetting(&mut self, name: &str, lot: Option<u8>, blank: &str) {
        if let (Some(lot), Some(forgotten)) = (lot, self.heard.last())
            && lot % 3 == 0
        {
            writeln!(self.yaml, "{blank}  forget: [{forgotten}]").unwrap();
        }
        self.heard.push(name.to_owned());
    }

    fn write_field(&mut self, id: &str, kind: Kind, blank: &str) {
        let settings = match kind {
            Kind::Number => "number: { min: 0, max: 10, decimals: 1 }",
            Kind::YesNo => "yes_no: {}, optional: true",
            Kind::Choice => "choice: { options: [a, b, c] }",
            Kind::Ranking => "ranking: { options: [a, b, c] }",
            Kind::Allocation => "allocation: { options: [a, b], points: 5 }",
            Kind::Seat => "choice: { options: others }",
            Kind::Seats => "approval: { options: seat.index <= 2 }",
            Kind::Kept => "text: { chars: [2, 60] }, keep_as: draft",
            Kind::Text => "text: { chars: [2, 60] }",
            Kind::Stance => "choice: { options: [for, against] }, measures: stance",
            Kind::Order => "ranking: { options: [for, against] }, measures: ranking",
            Kind::Degree => "scale: { from: 1, to: 7 }, measures: opinion",
            Kind::Item if self.items == ItemsWritten::Around => "choice: { options: item.options }",
            Kind::Item => "choice: { options: [x, y] }",
        };
        let (item, key) = match (self.items, kind) {
            (ItemsWritten::Around, Kind::Number) => (" {{ item.text }}", ", key: item.key"),
            (ItemsWritten::Around, _) => (" {{ item.id }} {{ item.hint }}", ""),
            _ => ("", ""),
        };
        writeln!(self.yaml, "{blank}    - {{ id: {id}, question: \"What of {id}?{item}\", {settings}{key} }}").unwrap();
        if matches!(kind, Kind::Stance | Kind::Order) {
            let sure = "number: { min: 0, max: 1, decimals: 2 }, measures: certainty";
            writeln!(self.yaml, "{blank}    - {{ id: {id}_sure, question: \"How sure?\", {sure} }}").unwrap();
        }
        match kind {
            Kind::Number => self.numbers.push(id.to_owned()),
            Kind::YesNo => self.assents.push(id.to_owned()),
            Kind::Seat => self.named[0].push(id.to_owned()),
            Kind::Seats => self.named[1].push(id.to_owned()),
            Kind::Kept => self.keeps_texts = true,
            _ => {}
        }
    }
}

/// Whether some entries are in groups.
fn holds_groups(entries: &[(Gate, Entry)]) -> bool {
    entries.iter().any(|(_, entry)| match entry {
        Entry::Block(_, groups, held) => groups.is_some() || holds_groups(held),
        _ => false,
    })
}

const MEMORIES: [&str; 4] = [
    "",
    "memory: { policy: full, pin: [own_answer] }\n",
    "memory: { policy: { window: { statements: 2 } } }\n",
    "memory: { memory_character_limit: 2400, statement_max_length: 80, memory_compression_threshold: 0.3, memory_compression_target: 0.2 }\n",
];

/// Settings of all talks, and polls around and in them.
const POLLS: [&str; 5] = [
    "discussion: { rounds: 1 }\n",
    "discussion: { rounds: 1, network: star }\n",
    "discussion: { rounds: 1 }\nstraw_polls: [each_round]\n",
    "discussion: { rounds: 1 }\nstraw_polls: [before, each_round]\n",
    "discussion: { rounds: 1 }\nstraw_polls: [before, after]\n",
];

/// Whether there is a talk, so that polls can be put around it.
fn holds_talks(entries: &[(Gate, Entry)]) -> bool {
    entries.iter().any(|(_, entry)| match entry {
        Entry::Talk(_) => true,
        Entry::Block(_, _, held) => holds_talks(held),
        _ => false,
    })
}

fn write_protocol(place: &Path, entries: &[(Gate, Entry)], seats: &str, [memory, polls]: [usize; 2]) -> PathBuf {
    let mut writer = Writer::default();
    writer.write_all(entries, 2, Repeat::Once);
    write_own_scenario(place, "motion", |written| {
        let (before, after) = written.split_once("\nagenda:").unwrap();
        let rest = after.split_once("\n\n").map_or("", |(_, rest)| rest);
        format!("{before}\nagenda:\n{}\n{rest}", writer.yaml)
    });
    let config = place.join("config.yaml");
    let items = match writer.items {
        ItemsWritten::Nowhere => "",
        ItemsWritten::Around | ItemsWritten::Before => {
            fs::write(
                place.join("items.csv"),
                "id,text,key,options,hint\none,How many?,1.5,few|some|many,think\ntwo,And how few?,,few|none at all,\n",
            )
            .unwrap();
            "items: { file: items.csv, id: id, text: text, key: key, options: options, columns: [hint], per: loop }\n"
        }
    };
    let body = format!(
        "experiment: protocol\nscenario: own\nseed: 3\nreplicates: 1\nseat_defaults: {{ model: sim }}\n{seats}\
         {items}{}{}",
        POLLS[if holds_talks(entries) { polls } else { 0 }],
        MEMORIES[memory]
    );
    fs::write(&config, body).unwrap();
    config
}

const SIMULATED: &str = "models: { sim: { simulated: {} } }\nseats:\n  - { name: Ann, mind: { random: { malformed: 0.3 } } }\n  \
                         - { name: Bob, mind: { voter: { copy: 0.5 } } }\n  - { name: Cleo, mind: { silent: {} } }\n";
const MODELS: &str = "models:\n  sim: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, answers: json_schema, \
                      context_window: 100000 } }\nseats: [ { name: Ann }, { name: Bob }, { name: Cleo } ]\n";

fn opened(records: &[Record]) -> Vec<&str> {
    let reached = |event: &Event| matches!(event, Event::PhaseOpened { .. } | Event::PhaseSkipped { block: None, .. });
    let reading = order_by_group(records).into_iter();
    reading.filter(|record| reached(&record.event)).map(|record| record.at.phase.as_str()).collect()
}

proptest! {
    #![proptest_config(law_cases(24))]

    #[test]
    fn a_random_protocol_is_held_and_goes_on_after_any_record(
        entries in prop::collection::vec((gate(), entry(&KINDS)), 1..5),
        settings in [0_usize..MEMORIES.len(), 0..POLLS.len()],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&write_protocol(place.path(), &entries, SIMULATED, settings)).arms[0]);
        let records = whole(&plan, 1);
        let reached = opened(&records);
        prop_assert_eq!(reached.iter().collect::<BTreeSet<_>>().len(), reached.len(), "no phase is reached twice");
        let order: Vec<usize> = reached.iter().map(|name| plan.agenda.iter().position(|phase| phase.name.as_str() == *name).unwrap()).collect();
        prop_assert!(order.is_sorted(), "{reached:?}");
        check_told_audiences(&plan, 1, &records);
        let never: Vec<String> = plan.find_unreachable().into_iter().flat_map(|part| part.phases).collect();
        let is_opened = |record: &&Record| matches!(record.event, Event::PhaseOpened { .. });
        for record in records.iter().filter(is_opened) {
            prop_assert!(!never.iter().any(|phase| record.at.phase.written() == phase), "{} takes place", record.at.phase);
        }
        for cut in cuts {
            let mut kept = records[..cut.index(records.len())].to_vec();
            let mut state = folded(&plan, 1, &kept);
            go_on(&mut state, &plan, &mut kept).unwrap();
            prop_assert_eq!(&kept, &records);
        }
    }

    #[test]
    fn no_value_of_a_random_protocol_is_missing_that_is_not_foreseen(
        entries in prop::collection::vec((gate(), computing_entry()), 2..8),
    ) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&write_protocol(place.path(), &entries, SIMULATED, [0, 0])).arms[0]);
        let foreseen = plan.find_missing_places().values;
        for record in (1..4).flat_map(|replicate| whole(&plan, replicate)) {
            let Event::Computed { name, values } = &record.event else { continue };
            let is_missing = values.iter().any(|(_, value)| value.is_none());
            prop_assert!(!is_missing || foreseen.contains(name), "{name} is missing in {}", record.at.phase);
        }
    }

    #[test]
    fn an_answer_of_a_random_protocol_shows_itself_first_where_it_is_listed(
        entries in prop::collection::vec((gate(), entry(&KINDS)), 1..5),
        settings in [0_usize..MEMORIES.len(), 0..POLLS.len()],
    ) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&write_protocol(place.path(), &entries, SIMULATED, settings)).arms[0]);
        check_changes(&answered_at_random(&plan), 3);
    }

    #[test]
    fn a_random_protocol_of_models_was_foreseen(
        entries in prop::collection::vec((gate(), entry(&KINDS[..12])), 1..4),
        settings in [0_usize..MEMORIES.len(), 0..POLLS.len()],
    ) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&write_protocol(place.path(), &entries, MODELS, settings)).arms[0]);
        assert_foreseen(&plan, 2, &Mind::Voter { copy_ppm: 400_000 });
    }
}
