//! The reference pages that are written from the code: columns, events, words of settings, scenarios, commands, exit codes.
//!
//! The sources: the declarations of the tables, the doc comments of the types that are read and written, the shipped
//! scenarios, and the program's own `--help`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use ekklesia::expression::Function;
use ekklesia::report::LINTS;
use ekklesia::store::tables::render_dictionary;
use serde_json::Value;

use super::keys::keys;
use super::source::{Member, members};

/// What every page begins with.
/// The parts of events: the file of each, and its name.
const PARTS: [(&str, &str); 31] = [
    ("given", "Given"),
    ("tally", "TallyReport"),
    ("tally", "TallyCount"),
    ("tally", "Ratio"),
    ("tally", "SampledVotes"),
    ("seated", "Seated"),
    ("seated", "Trait"),
    ("briefing", "Briefing"),
    ("matching", "Target"),
    ("beginning", "FirstOpinions"),
    ("beginning", "FirstOpinion"),
    ("panel", "Needed"),
    ("panel", "SeatNotes"),
    ("remembered", "MemoryReport"),
    ("remembered", "Spared"),
    ("remembered", "StatementChars"),
    ("mark", "Marked"),
    ("mark", "Number"),
    ("payoff", "Payoff"),
    ("payoff", "PaymentTables"),
    ("payoff", "PaidIncome"),
    ("payoff", "Payment"),
    ("texts", "KeptText"),
    ("brief", "Shown"),
    ("brief", "Forgotten"),
    ("window", "ContextWindow"),
    ("form", "LearntForm"),
    ("inquiry", "PageShown"),
    ("answer", "Usage"),
    ("choice", "Choice"),
    ("answered", "Answered"),
];
const HEAD: &str = "<!-- generated: EKKLESIA_REFRESH=1 cargo test --test all docs:: -->\n\n";
const WROTE: &str = "a string takes every character";

/// A page's path from the root, and what it must read.
pub struct Generated {
    pub path: &'static str,
    pub text: String,
}

pub fn pages() -> Vec<Generated> {
    let page = |path, text: String| Generated { path, text: format!("{HEAD}{}\n", text.trim_end()) };
    vec![
        page("docs/src/reference/columns.md", columns()),
        page("docs/src/reference/events.md", events()),
        page("docs/src/reference/words.md", words()),
        page("docs/src/reference/scenarios.md", scenarios()),
        page("docs/src/reference/commands.md", commands()),
        page("docs/src/reference/exit-codes.md", exit_codes()),
        page("docs/src/reference/keys.md", all_keys()),
        page("docs/src/reference/lints.md", lints()),
        page("docs/src/reference/functions.md", functions()),
    ]
}

fn lints() -> String {
    let mut out = "# Warnings of check

`ekklesia check` prints these kinds of warnings, each with its id in brackets. None of them is a mistake: weigh it, then change the
design or allow it. `allow: [no-baseline]` in the config leaves out all warnings of a kind and changes no session.

| id | when | explained in |
| --- | --- | --- |
"
    .to_owned();
    let (_, variants) = members("src/plan/lints.rs", "Lint");
    for (rule, variant) in LINTS.iter().zip(variants) {
        let page = rule.page.split_once('/').map_or(rule.page, |(_, name)| name).trim_end_matches(".md");
        writeln!(out, "| `{}` | {} | [{}](../{}) |", rule.lint, cell(&variant.doc), page.replace('-', " "), rule.page)
            .expect(WROTE);
    }
    out
}

fn functions() -> String {
    let (doc, variants) = members("src/expression/function.rs", "Function");
    let known: Vec<String> = Function::ALL.iter().map(|function| format!("{function:?}")).collect();
    assert_eq!(variants.iter().map(|variant| &variant.name).collect::<Vec<_>>(), known.iter().collect::<Vec<_>>());
    let mut out = format!(
        "# Functions of expressions\n\n{doc} [Expressions](scenario.md#expressions) say where there are any.\n\n| function | meaning |\n| --- | --- |\n"
    );
    for (function, variant) in Function::ALL.iter().zip(&variants) {
        let calls: Vec<String> = function.usage().split(" or ").map(|call| format!("`{call}`")).collect();
        writeln!(out, "| {} | {} |", calls.join(", "), cell(&variant.doc)).expect(WROTE);
    }
    out
}

fn columns() -> String {
    render_dictionary()
        .replacen("# Results\n", "# Columns of the tables\n", 1)
        .replace("leaves a folder here", "leaves a folder in `results/`")
}

fn events() -> String {
    let mut out = "# Events of the record

`sessions/<session>/minutes.jsonl` holds one record a line: `seq`, its number; `at`, its moment (phase, round, turn, step); `seat`
and `attempt` where a seat answered; and `event`, one of the kinds below, as `{\"Kind\": { … }}`. An optional field that has
nothing to say is left out. Numbers are whole.
"
    .to_owned();
    put_kinds(&mut out);
    out.push_str("\n## Parts of events\n");
    for (file, name) in PARTS {
        let (doc, fields) = members(&format!("src/domain/{file}.rs"), name);
        writeln!(out, "\n### {name}\n\n{doc}\n").expect(WROTE);
        table(&mut out, &fields);
    }
    put_values(&mut out);
    out.push_str("\n## Words of events\n");
    for (file, name) in [
        ("moment", "Step"),
        ("phase_kind", "PhaseKindName"),
        ("remembered", "MemoryAct"),
        ("remembered", "SparedBecause"),
        ("brief", "Extent"),
        ("inquiry", "Inquiry"),
        ("window", "WindowSource"),
        ("form", "ReplyForm"),
        ("form", "FormSource"),
        ("briefing", "Matter"),
        ("dealt", "Truth"),
        ("computed", "ComputedValues"),
        ("matching", "MatchUnit"),
        ("voice", "Voice"),
        ("stop", "StopReason"),
        ("ballot", "Verdict"),
        ("mark", "Sign"),
        ("mark", "Named"),
        ("mark", "Ignored"),
        ("fault", "Fault"),
        ("fault", "Consequence"),
        ("payoff", "PaymentStage"),
        ("choice", "Certainty"),
    ] {
        let (doc, variants) = members(&format!("src/domain/{file}.rs"), name);
        word_table(&mut out, &format!("### {name}"), &doc, &variants);
    }
    out
}

/// The values of answers by step.
fn put_values(out: &mut String) {
    out.push_str(
        "
## Values of answers

The values of a valid answer, by the step of its question. A form of the scenario (`ask`) has the values of its fields. A value that is
not said is left out. A statement whose `text` is `null` is a pass, a ballot whose `choice` is `null` an abstention, and a seat
whose `urgency` is `null` does not want to speak. An `opinion` is in billionths.

| step | values |
| --- | --- |
",
    );
    for (step, names) in ekklesia::domain::ANSWER_VALUES {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        writeln!(out, "| `{}` | {} |", step.as_str(), names.join(", ")).expect(WROTE);
    }
}

/// The kinds of events, each with its fields.
fn put_kinds(out: &mut String) {
    let (_, kinds) = members("src/domain/event.rs", "Event");
    out.push_str("\n## Kinds\n");
    for kind in kinds {
        writeln!(out, "\n### {}\n\n{}\n", kind.name, kind.doc).expect(WROTE);
        match kind.name.as_str() {
            "Tallied" => out.push_str("Its fields are those of [TallyReport](#tallyreport).\n"),
            "Paid" => out.push_str("Its fields are those of [Payment](#payment).\n"),
            "Briefed" => out.push_str("Its fields are those of [Briefing](#briefing).\n"),
            "Answered" => out.push_str("Its fields are those of [Answered](#answered-1).\n"),
            _ => table(out, &fields_of_event(&kind)),
        }
    }
}

/// The fields of a kind of event: its own, or those of what it holds.
pub fn fields_of_event(kind: &Member) -> Vec<Member> {
    if kind.fields.is_empty() { members("src/domain/event.rs", &kind.name).1 } else { kind.fields.clone() }
}

fn table(out: &mut String, fields: &[Member]) {
    out.push_str("| field | type | meaning |\n| --- | --- | --- |\n");
    for field in fields {
        writeln!(out, "| `{}` | {} | {} |", field.name, kind(&field.of), cell(&field.doc)).expect(WROTE);
    }
}

/// A type in words.
fn kind(of: &str) -> String {
    let inner = |prefix: &str| of.strip_prefix(prefix).and_then(|rest| rest.strip_suffix('>'));
    match (inner("Option<"), inner("Vec<"), of) {
        (Some(inner), ..) => format!("{}, or left out", kind(inner)),
        (_, Some(inner), _) => format!("list of {}", kind(inner)),
        (_, _, "u8" | "u32" | "u64" | "i64" | "Decimal" | "Seq" | "Opinion") => "number".to_owned(),
        (_, _, "A") => "text".to_owned(),
        (_, _, "NamedChoice") => "[Choice](#choice)".to_owned(),
        (_, _, "MindState") => "list of number".to_owned(),
        (_, _, "RuleKind") => "[RuleKind](words.md#decisionrule)".to_owned(),
        (_, _, "Base") => "[Base](words.md#decisionof)".to_owned(),
        (_, _, "TieBreak") => "[TieBreak](words.md#decisiontie_break)".to_owned(),
        (_, _, "Range<u32>") => "mapping of `start` and `end`, the end not included".to_owned(),
        (_, _, "NamedValues") => "mapping of values by field".to_owned(),
        (_, _, "bool") => "`true` or `false`".to_owned(),
        (_, _, "String" | "SeatName" | "PhaseName" | "AlternativeName" | "FactId" | "Digest") => "text".to_owned(),
        (_, _, other) if other.starts_with(char::is_uppercase) && !other.contains('<') => {
            format!("[{other}](#{})", other.to_lowercase())
        }
        (_, _, other) => format!("`{}`", cell(other)),
    }
}

fn word_table(out: &mut String, title: &str, doc: &str, variants: &[Member]) {
    writeln!(out, "\n{title}\n\n{doc}\n\n| word | meaning |\n| --- | --- |").expect(WROTE);
    for variant in variants {
        writeln!(out, "| `{}` | {} |", variant.name, cell(&variant.doc)).expect(WROTE);
    }
}

fn words() -> String {
    let mut out = "# Words that settings take

Settings that take one of a few words, and what each word does. Defaults stand with the keys in the [config](config.md).
"
    .to_owned();
    for (title, file, name) in [
        ("decision.rule", "src/domain/ballot.rs", "RuleKind"),
        ("decision.of", "src/domain/ballot.rs", "Base"),
        ("decision.invalid", "src/domain/ballot.rs", "InvalidBallots"),
        ("decision.tie_break", "src/domain/ballot.rs", "TieBreak"),
        ("discussion.order", "src/plan/agenda.rs", "SpeakingOrder"),
        ("discussion.vote", "src/config/written/config.rs", "VoteTime"),
        ("discussion.vote_call", "src/plan/agenda.rs", "VoteCall"),
        ("straw_polls", "src/domain/moment.rs", "PollTime"),
        ("controls.option_order", "src/plan/plan.rs", "OptionOrder"),
        ("seats.role", "src/plan/plan.rs", "SeatRole"),
        ("seats.naming", "src/config/written/config.rs", "NamingWord"),
        ("seats.mind", "src/config/written/minds.rs", "MindConfig"),
        ("interventions.as", "src/domain/voice.rs", "Voice"),
        ("memory.policy", "src/config/written/policy.rs", "PolicyConfig"),
        ("memory.history_in_brief", "src/memory/policy/terms.rs", "HistoryInBrief"),
        ("memory.pin", "src/memory/kinds.rs", "EventKind"),
        ("memory.guidance_style", "src/domain/brief.rs", "GuidanceStyle"),
        ("memory.routing", "src/memory/plan.rs", "Strategy"),
        ("models.openai.answers", "src/plan/endpoint.rs", "Answers"),
        ("design.pairing", "src/chance/seed.rs", "Pairing"),
        ("mechanism", "src/config/written/mechanism.rs", "MechanismConfig"),
    ] {
        let (doc, variants) = members(file, name);
        word_table(&mut out, &format!("## {title}"), &doc, &with_snake_names(variants));
        if name == "MindConfig" {
            traits(&mut out);
        }
    }
    let (_, events) = members("src/memory/plan.rs", "Routing");
    word_table(&mut out, "## Events of memory.routing", "What may be remembered.", &events);
    out
}

/// The traits of a `justice` mind, from the constant that reading and defaults go by.
fn traits(out: &mut String) {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/config/written/minds.rs"))
        .expect("a source file");
    let constant = source.split_once("const TRAITS").and_then(|(_, rest)| rest.split("];").next()).expect("the traits");
    let list = constant.split_once('=').map_or(constant, |(_, list)| list);
    let rows: Vec<Vec<&str>> = list
        .split('(')
        .skip(1)
        .filter_map(|row| row.split(')').next())
        .map(|row| row.split(',').map(str::trim).collect())
        .collect();
    out.push_str("\nTraits of `justice`: a number, or `{ uniform: [least, greatest] }`.\n\n| trait | values | default |\n| --- | --- | --- |\n");
    for row in &rows {
        let [name, default, greatest] = row[..] else { panic!("a trait has a name, a default and a greatest value") };
        let (name, greatest) = (name.trim_matches('"'), greatest.replace('_', ""));
        writeln!(out, "| `{name}` | 0 … {greatest} | `{}` |", default.trim_end_matches(".0")).expect(WROTE);
    }
    assert!(rows.len() >= 4, "the traits are read");
}

/// Words are written in snake case, also where the type is read by another spelling of itself.
fn with_snake_names(variants: Vec<Member>) -> Vec<Member> {
    let snake = |name: &str| {
        let pieces = name.char_indices().map(|(place, letter)| match (letter.is_uppercase(), place) {
            (true, 1..) => format!("_{}", letter.to_lowercase()),
            _ => letter.to_lowercase().to_string(),
        });
        pieces.collect::<String>()
    };
    variants.into_iter().map(|variant| Member { name: snake(&variant.name), ..variant }).collect()
}

/// The phases of an agenda, those of blocks in their place.
fn list_phases(agenda: &Value) -> Vec<&Value> {
    let list = agenda.as_array().into_iter().flatten();
    list.flat_map(|phase| match phase.get("phases") {
        Some(inner) => list_phases(inner),
        None => vec![phase],
    })
    .collect()
}

fn scenarios() -> String {
    let mut out = "# The shipped scenarios\n\nEach folder's README tells what happens, where it comes from and what it cannot tell you.\n".to_owned();
    for name in [
        "motion",
        "justice",
        "jury",
        "hidden_profile",
        "conformity",
        "debate_qa",
        "debate_judge",
        "estimation",
        "commons",
        "public_goods",
        "nominal_group",
        "group_statement",
        "trust",
        "beauty_contest",
        "delphi",
        "polarisation",
        "participatory_budget",
        "wason",
        "werewolf",
        "conformity_series",
        "multiagent_debate",
        "deliberative_poll",
        "parliament",
        "code_review",
    ] {
        let scenario = read_yaml(&format!("scenarios/{name}/scenario.yaml"));
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let title = scenario.get("title").map_or_else(|| name.to_owned(), &text);
        writeln!(out, "\n## {name}\n\n{title}.\n").expect(WROTE);
        if scenario.get("alternatives").is_some() {
            out.push_str("| alternative | label | |\n| --- | --- | --- |\n");
        }
        for alternative in scenario["alternatives"].as_array().into_iter().flatten() {
            let is = |key: &str| alternative[key] == Value::Bool(true);
            let marks = [(is("status_quo"), "the status quo"), (is("takes_amount"), "takes an amount")];
            let marks: Vec<&str> = marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)).collect();
            let (name, label) = (text(&alternative["name"]), cell(&text(&alternative["label"])));
            writeln!(out, "| `{name}` | {label} | {} |", marks.join(", ")).expect(WROTE);
        }
        if scenario.get("alternatives").is_some() {
            out.push('\n');
        }
        out.push_str("| phase | kind |\n| --- | --- |\n");
        for phase in list_phases(&scenario["agenda"]) {
            let of_phase = ["name", "when", "who", "heard_by", "groups"];
            let kind = phase.as_object().into_iter().flatten().find(|(key, _)| !of_phase.contains(&key.as_str()));
            let (kind, what) = kind.map_or((String::new(), &Value::Null), |(kind, what)| (kind.clone(), what));
            let inner = what.as_object().and_then(|map| map.keys().next()).filter(|_| kind == "ask");
            let inner = inner.filter(|inner| *inner != "form" && *inner != "per");
            let kind = inner.map_or(kind.clone(), |inner| format!("{kind}: {inner}"));
            writeln!(out, "| `{}` | {kind} |", text(&phase["name"])).expect(WROTE);
        }
        if scenario.get("parameters").is_some() {
            out.push_str("\n| parameter | values | default | meaning |\n| --- | --- | --- | --- |\n");
        }
        for (name, parameter) in scenario["parameters"].as_object().into_iter().flatten() {
            let values = match (&parameter["choices"], &parameter["range"]) {
                (Value::Array(words), _) => {
                    words.iter().map(|word| format!("`{}`", text(word))).collect::<Vec<_>>().join(", ")
                }
                (_, Value::Array(range)) => format!("{} … {}", range[0], range[1]),
                _ => text(&parameter["type"]),
            };
            let help = parameter.get("help").map_or_else(String::new, |help| cell(&text(help)));
            let default = text(&parameter["default"]);
            writeln!(out, "| `{name}` | {values} | `{default}` | {help} |").expect(WROTE);
        }
    }
    out
}

fn commands() -> String {
    let mut out = "# Commands\n\nWhat the program says of itself with `--help`. [Exit codes](exit-codes.md) are the same for all.\n".to_owned();
    let first = help(&[]);
    writeln!(out, "\n```text\n{}\n```", first.trim_end()).expect(WROTE);
    let verbs = first.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A line that is deeper goes on with what the verb above does.
    let verbs = verbs.filter(|line| !line.starts_with("   "));
    for verb in verbs.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help") {
        let words: &[&str] = if verb == "import" { &["import", "rawls"] } else { &[verb] };
        writeln!(out, "\n## {}\n\n```text\n{}\n```", words.join(" "), help(words).trim_end()).expect(WROTE);
    }
    out
}

fn help(words: &[&str]) -> String {
    let output = Command::new(crate::fixtures::sample::program()).args(words).arg("--help").output();
    let output = output.expect("the program was built");
    assert!(output.status.success(), "{words:?} --help");
    let text = String::from_utf8(output.stdout).expect("help is text");
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn exit_codes() -> String {
    let (_, endings) = members("src/cli/exit.rs", "Ending");
    let source =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/exit.rs")).expect("a source file");
    let mut out = "# Exit codes\n\n| code | meaning |\n| --- | --- |\n".to_owned();
    for ending in endings {
        let arm = format!("Ending::{} => ", ending.name);
        let code =
            source.split_once(&arm).and_then(|(_, rest)| rest.split(',').next()).expect("every ending has a code");
        writeln!(out, "| {code} | {} |", cell(&ending.doc)).expect(WROTE);
    }
    out.push_str("| 101 | A bug in the program; please report it. |\n");
    out.push_str(
        "
Results go to standard output; progress, warnings and errors to standard error.

After 4 and 130 the same command continues where it stopped; nothing that was answered is asked again. With `--defer`, add `--answers FILE`. After 1, too, once the disk
or the server is well again. After 2 nothing was run.
",
    );
    out
}

/// The keys of configs and scenarios, by the schema that the program prints.
fn all_keys() -> String {
    let mut out = "# All keys\n\nEvery key that a config and a scenario may hold, by the JSON Schema that `ekklesia schema` prints. `<name>` stands for a
name of your choice, `[]` for each item of a list. What keys mean together is told under [config](config.md) and [scenario](scenario.md).\n"
        .to_owned();
    for (of, title) in [("config", "Config"), ("scenario", "Scenario")] {
        let output = Command::new(crate::fixtures::sample::program()).args(["schema", of]).output();
        let output = output.expect("the program was built");
        let said = String::from_utf8_lossy(&output.stderr);
        writeln!(out, "\n## {title}").expect(WROTE);
        if !output.status.success() && said.contains("not built yet") {
            out.push_str("\nThe program does not print this schema yet.\n");
            continue;
        }
        let schema: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
        out.push_str(&keys(&schema));
    }
    out
}

fn read_yaml(path: &str) -> Value {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file of the tree");
    serde_yaml::from_str(&text).expect("YAML")
}

/// Text as a cell of a Markdown table; a link into the code keeps its words alone.
fn cell(text: &str) -> String {
    let mut out = text.to_owned();
    while let Some((begin, rest)) = out.split_once("](super::") {
        let (begin, rest) = (begin.to_owned(), rest.split_once(')').map_or("", |(_, rest)| rest).to_owned());
        let open = begin.rfind('[').unwrap_or(begin.len());
        out = format!("{}{}{rest}", &begin[..open], begin[open..].trim_start_matches('['));
    }
    out.replace('|', "\\|").replace('<', "&lt;")
}
