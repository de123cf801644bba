//! Language packs: every language has the same prompts with the same facts, is written in its own words alone, and reads its own
//! replies and no others.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::sample_cases;
use ekklesia::domain::{
    AlternativeId, Answer, Ask, Certainty, Choice, Fault, Inquiry, Language, Motion, Offer, Opinion, Query, Reply,
    SeatId,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::{PhaseKind, Plan, Respondent};
use ekklesia::prompt::{AnswerForm, read, schema};
use ekklesia::store::inputs::{Inputs, Overrides};
use ekklesia::text::parse_marks;

const MOTION: &str = "configs/motion-languages.yaml";
const JUSTICE: &str = "configs/justice.yaml";

/// What else is set, so that every word of the engine and every template is used somewhere.
const SETTINGS: [(&str, &[&str]); 6] = [
    (
        MOTION,
        &["memory.policy=full", "discussion.proposals=true", "controls.anonymous=true", "decision.roll_call=true"],
    ),
    (
        MOTION,
        &[
            "memory={ policy: { digest: { every: 4 } }, guidance_style: structured }",
            "discussion.proposals=true",
            "discussion.opinion=true",
        ],
    ),
    (
        MOTION,
        &[
            "discussion={ vote: on_call, order: volunteer, private_reasoning: true }",
            "memory={ policy: { window: { statements: 3 } }, look_up: true }",
            "interventions=[{ at: { phase: discussion, round: 2 }, as: human, text: '2 + 2' }]",
        ],
    ),
    (JUSTICE, &["memory.policy=full", "discussion.statement_min_length=10"]),
    (JUSTICE, &["parameters={ frame: loss, wording: neutral, class_weights: shown }", "decision.rule=majority"]),
    (JUSTICE, &["memory={ policy: { compact: {} }, memory_character_limit: 9000 }", "discussion.vote=every_round"]),
];

pub(super) fn plan(config: &str, set: &[&str], language: Language) -> Arc<Plan> {
    let set = set.iter().map(|one| (*one).to_owned());
    // The other config has the language as a factor: an arm for each, in this order.
    let (said, arm) = match config {
        MOTION => (None, language as usize),
        _ => (Some(format!("language={}", language.code())), 0),
    };
    let set = set.chain(said);
    let overrides = Overrides { set: set.collect(), ..Overrides::default() };
    let inputs = Inputs::read_config(Path::new(config), overrides).unwrap_or_else(|problems| panic!("{problems}"));
    inputs.resolve().unwrap_or_else(|problems| panic!("{problems}")).experiment.arms.remove(arm)
}

/// Every prompt of a session, in both forms, by its question; of a try that failed, too.
pub(super) fn prompts(plan: &Plan) -> Vec<(String, String)> {
    let mut deliberation = Deliberation::convene(plan, 1);
    let (seed, agents) = (*deliberation.seed(), plan.agents(1));
    let agents: Vec<_> = agents.iter().collect();
    let mut found = Vec::new();
    loop {
        let drafts = match deliberation.next() {
            Next::Adjourned(_) => return found,
            Next::Undefined { reason, .. } => panic!("{reason}"),
            Next::Declare(draft) => vec![*draft],
            Next::Ask(queries) => {
                let answer = |query: &Query<'_>| {
                    for form in [AnswerForm::JsonSchema, AnswerForm::Anchored] {
                        let messages = plan
                            .prompts_for(query.seat)
                            .messages(plan.motion_for(query.seat), &agents, query, (form, 400))
                            .unwrap();
                        let words: Vec<String> = messages.into_iter().map(|message| message.content()).collect();
                        found.push((query.id.to_string(), words.join("\n")));
                    }
                    let Respondent::Mind(mind) = plan.respondent(query.seat, query.id.at.step) else {
                        let answer = ekklesia::minds::rewrite_memory(plan.motion_for(query.seat), query);
                        return deliberation.admit(query, answer);
                    };
                    // Once everyone looks something up, and once everyone replies what cannot be read.
                    let asks = (query.offer.look_up && query.id.at.round == 2)
                        .then(|| Ok(Reply::Inquiry(Inquiry::LookUp("#1.1".to_owned()))));
                    let fails = (query.retry.is_none() && query.seat == SeatId(0)).then_some(Err(Fault::Unreadable));
                    let answer = match asks.or(fails) {
                        Some(parsed) => Answer {
                            raw: String::new(),
                            parsed,
                            field: None,
                            usage: None,
                            model_served: None,
                            state: query.state.clone(),
                        },
                        None => mind.answer(plan.motion_for(query.seat), &seed, query).unwrap(),
                    };
                    deliberation.admit(query, answer)
                };
                queries.iter().map(answer).collect()
            }
        };
        for draft in drafts {
            let record = deliberation.minute(draft);
            deliberation.evolve(&record);
        }
    }
}

/// The numbers of a text as they are meant, each once.
fn numbers(text: &str, language: Language) -> BTreeSet<String> {
    let is_of_one = |c: char| c.is_ascii_digit() || ['.', ',', '#'].contains(&c);
    let (group, point) = if language == Language::Es { ('.', ',') } else { (',', '.') };
    let parts = text.split(|c| !is_of_one(c)).map(|part| part.trim_matches(['.', ',']));
    let parts = parts.filter(|part| part.contains(|c: char| c.is_ascii_digit()));
    let meant = |part: &str| match part.starts_with('#') {
        // The number of a statement is written alike in all languages.
        true => part.to_owned(),
        false => part.replace(group, "").replace(point, "."),
    };
    parts.map(meant).collect()
}

/// The folders that hold templates in every language: those of one scenario, and the built-in ones.
const FOLDERS: [&str; 2] = ["scenarios/justice/prompts", "src/prompt/templates"];

fn templates(folder: &str, language: Language) -> BTreeMap<String, String> {
    let folder = format!("{folder}/{}", language.code());
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let paths = files.map(|file| file.unwrap().path());
    paths
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// What a template reads, prints and asks: its variables, and the conditions and loops of its blocks. An option's id stands where
/// English, whose names are the ids, has its name. A language with genders writes the noun out where its articles differ.
fn skeleton(source: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let noun = r#"{% if parameters.wording == "neutral" %}{% else %}{% endif %}"#;
    let source = &source.replace(r#"{% include "_noun" %}"#, noun);
    let mut environment = minijinja::Environment::new();
    environment.add_template_owned("one", source.to_owned()).unwrap();
    let variables = environment.get_template("one").unwrap().undeclared_variables(true);
    let by_name = |words: &str| words.replace(".id ", ".name ").replace(".id", ".name");
    let blocks = source.split("{%").skip(1).map(|block| block.split("%}").next().unwrap());
    let blocks = blocks.map(|block| by_name(block.trim_matches(['-', ' '])));
    let kept =
        blocks.filter(|block| !block.starts_with("from ") && !block.contains("class_name") && block != "endmacro");
    (variables.iter().map(|path| by_name(path)).collect(), kept.collect())
}

#[test]
fn every_pack_has_the_same_templates_with_the_same_variables_and_conditions() {
    for folder in FOLDERS {
        let english = templates(folder, Language::En);
        for language in [Language::Es, Language::Zh] {
            let others = templates(folder, language);
            assert_eq!(english.keys().collect::<Vec<_>>(), others.keys().collect::<Vec<_>>(), "{folder} {language:?}");
            for (name, source) in &english {
                let told = format!("{folder}/{}/{name}", language.code());
                assert_eq!(skeleton(source), skeleton(&others[name]), "{told}");
                assert!(others[name].contains("Not read by a native speaker."), "{told}");
            }
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn whole_sessions_tell_the_same_numbers_in_every_language() {
    let settings = [SETTINGS[0], SETTINGS[3]].into_iter();
    let settings = settings.flat_map(|settings| [Language::Es, Language::Zh].map(|language| (settings, language)));
    for ((config, set), language) in sample_cases(settings, 3) {
        let set = [set, &["discussion.statement_min_length=10"]].concat();
        let english = prompts(&plan(config, &set, Language::En));
        let others = prompts(&plan(config, &set, language));
        assert_eq!(english.len(), others.len(), "{config} {language:?}");
        for ((question, words), (same, others)) in english.iter().zip(&others) {
            assert_eq!(question, same);
            let (told, also) = (numbers(words, Language::En), numbers(others, language));
            assert_eq!(told, also, "{question} in {language:?}\n{words}\n\n{others}");
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn no_word_of_english_is_left_in_any_prompt_of_another_language() {
    // Keys of JSON, names of situations, and what two languages share.
    let keys = "JSON null statement stance amount opinion text urgency answer choice name append replace old new ranking certainty answers \
                reasoning marks mark to look_up page A B C D Alice Bob Carol Dave Erin Member Moderación";
    let allowed: BTreeSet<&str> = keys.split_whitespace().collect();
    let english = "the you your are was were of and with which what will this that from not have has been is by said an or if for";
    let english: BTreeSet<&str> = english.split_whitespace().collect();
    let settings = SETTINGS.into_iter().flat_map(|settings| [Language::Es, Language::Zh].map(|one| (settings, one)));
    // One in three takes each language in turn.
    for ((config, set), language) in sample_cases(settings, 3) {
        for (question, words) in prompts(&plan(config, set, language)) {
            let latin =
                words.split(|c: char| (('\u{3000}'..'\u{f900}').contains(&c) || !c.is_alphabetic()) && c != '_');
            let is_foreign = |word: &&str| match language {
                Language::Zh => !word.is_empty() && word.is_ascii() && !allowed.contains(word),
                _ => english.contains(word),
            };
            let found: BTreeSet<&str> = latin.filter(is_foreign).collect();
            assert!(found.is_empty(), "{found:?} at {question} of {config} {set:?} in {language:?}:\n{words}");
        }
    }
}

/// What a seat may write in each language, and what it says; the last is the same in all of them.
fn replies(motion: &Motion) -> Vec<(Ask, [&'static str; 3], Reply)> {
    let options: Vec<AlternativeId> = (0..motion.alternatives.len() as u32).map(AlternativeId).collect();
    let choice = Choice { alternative: AlternativeId(2), amount: Some(12_500) };
    vec![
        (
            Ask::StrawPoll { options: options.clone(), opinion: false },
            [
                "CHOICE: average_floor\nAMOUNT: 12,500",
                "ELECCIÓN: promedio con mínimo\nCANTIDAD: 12.500",
                "选择：平均收入加下限\n金额：1.25万",
            ],
            Reply::Choice(choice),
        ),
        (
            Ask::Statement { options: options.clone(), chars_min: 0, chars_max: None, marks: false, opinion: false },
            [
                "STANCE: none\nAMOUNT: none\nSTATEMENT: 1 + 1",
                "POSTURA: ninguno\nCANTIDAD: ninguno\nINTERVENCIÓN: 1 + 1",
                "立场：无\n金额: 无\n发言：1 + 1",
            ],
            Reply::Statement { text: "1 + 1".into(), stance: None, opinion: None },
        ),
        (
            Ask::StrawPoll { options: options.clone(), opinion: true },
            [
                "CHOICE: average_floor\nAMOUNT: 12,500\nOPINION: 70",
                "ELECCIÓN: promedio con mínimo\nCANTIDAD: 12.500\nOPINIÓN: 70",
                "选择：平均收入加下限\n金额：1.25万\n意见：70",
            ],
            Reply::Opined(choice, Opinion::percent(70).unwrap()),
        ),
        (
            Ask::Ranking { options },
            [
                "RANKING: floor > average > average_floor > average_range\nCERTAINTY: very_sure",
                "ORDEN: mínimo > promedio > promedio con mínimo > promedio con rango\nCERTEZA: muy alta",
                "排序：最低收入 > 平均收入 > 平均收入加下限 > 平均收入限差距\n确定程度：很确定",
            ],
            Reply::Ranking { order: (0..4).map(AlternativeId).collect(), certainty: Certainty::VerySure },
        ),
        (Ask::VoteCall, ["ANSWER: yes", "RESPUESTA: sí", "回答：是"], Reply::Assent(true)),
        (Ask::VoteCall, ["ANSWER: no", "RESPUESTA: no", "回答：否"], Reply::Assent(false)),
        (Ask::Volunteer, ["URGENCY: none", "URGENCIA: ninguno", "迫切程度：无"], Reply::Urgency(None)),
        (Ask::Volunteer, ["URGENCY: none", "URGENCIA: ninguna", "迫切程度：无"], Reply::Urgency(None)),
    ]
}

#[test]
fn each_language_reads_its_own_replies_and_those_of_no_other() {
    let plans = Language::ALL.map(|language| plan(JUSTICE, &[], language));
    for (ask, written, reply) in replies(&plans[0].motion) {
        for (plan, language) in plans.iter().zip(Language::ALL) {
            for (raw, other) in written.iter().zip(Language::ALL) {
                let told =
                    read(Offer::NONE, &ask, &plan.motion, AnswerForm::Anchored, raw).map_err(|unfit| unfit.fault);
                match other == language {
                    true => assert_eq!(told.as_ref(), Ok(&reply), "{raw} in {language:?}"),
                    false => assert!(told.is_err(), "{raw} in {language:?}"),
                }
            }
        }
    }
}

#[test]
fn what_a_schema_allows_is_read_in_each_language() {
    for language in Language::ALL {
        let plan = plan(JUSTICE, &[], language);
        let motion = &plan.motion;
        let options: Vec<AlternativeId> = (0..4).map(AlternativeId).collect();
        let first = |schema: &serde_json::Value, key: &str| schema["properties"][key]["enum"][0].clone();
        let poll = Ask::StrawPoll { options: options.clone(), opinion: false };
        let raw = serde_json::json!({ "choice": first(&schema(&poll, motion, 400), "choice"), "amount": null });
        let read = |ask: &Ask, raw: &serde_json::Value| {
            read(Offer::NONE, ask, motion, AnswerForm::JsonSchema, &raw.to_string()).map_err(|unfit| unfit.fault)
        };
        assert_eq!(read(&poll, &raw), Ok(Reply::Choice(AlternativeId(0).into())));
        let raw = serde_json::json!({ "answer": first(&schema(&Ask::VoteCall, motion, 400), "answer") });
        assert_eq!(read(&Ask::VoteCall, &raw), Ok(Reply::Assent(true)));
        let said = Ask::Statement { options, chars_min: 0, chars_max: None, marks: true, opinion: false };
        let signs = schema(&said, motion, 400)["properties"]["marks"]["items"]["properties"]["mark"]["enum"].clone();
        for sign in signs.as_array().unwrap() {
            let marked = serde_json::json!([{ "mark": sign, "to": "#1.2" }]);
            let raw = serde_json::json!({ "statement": "1", "stance": null, "amount": null, "marks": marked });
            let Ok(Reply::Statement { text, .. }) = read(&said, &raw) else { panic!("{raw} is no statement") };
            assert_eq!(parse_marks(&text, language).len(), 1, "{text}");
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn sessions_of_every_language_are_proven_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let settings = SETTINGS.into_iter().flat_map(|settings| ["es", "zh"].map(|language| (settings, language)));
    let settings = settings.filter(|((config, _), language)| *config != MOTION || *language == "es");
    for (place, ((config, set), language)) in sample_cases(settings, 4).into_iter().enumerate() {
        let out = folder.path().join(format!("{place}-{language}"));
        let language = format!("language={language}");
        let mut arguments = vec!["run", config, "--replicates", "1", "--out", text(&out)];
        arguments.extend((config != MOTION).then_some(["--set", &language]).into_iter().flatten());
        arguments.extend(set.iter().flat_map(|one| ["--set", *one]));
        ekklesia(&arguments).says(0, &[]);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    }
}

#[test]
fn a_seat_with_a_language_of_its_own_is_asked_and_read_in_it_and_the_others_are_not() {
    let bob = SeatId(1);
    let mixed = plan(JUSTICE, &["seats.Bob.language=es"], Language::En);
    let alike = [plan(JUSTICE, &[], Language::En), plan(JUSTICE, &[], Language::Es)];
    // Who it is, and the form of the reply: what a brief told before is in the language of the session.
    let ends = |(id, words): &(String, String)| {
        let words = (words.chars().take(500).collect::<String>(), words.lines().last().unwrap().to_owned());
        (id.clone(), words)
    };
    let first = |plan: &Plan| {
        let all = prompts(plan);
        let step = all[0].0.split(" of ").next().unwrap().to_owned();
        all.into_iter().filter(|(id, _)| id.starts_with(&step) && !id.contains("attempt")).collect::<Vec<_>>()
    };
    let [own, english, spanish] = [&mixed, &alike[0], &alike[1]].map(|plan| first(plan));
    for ((own, english), spanish) in own.iter().zip(&english).zip(&spanish) {
        let (english, spanish) = (ends(english), ends(spanish));
        assert!(english.1.0 != spanish.1.0 && english.1.1 != spanish.1.1);
        assert_eq!(ends(own), if own.0.contains("Bob") { spanish } else { english });
    }
    // Chinese is written without blanks, and its statements may be a fifth as long.
    let chinese = plan(JUSTICE, &["seats.Bob.language=zh"], Language::En);
    let talk = |kind: &PhaseKind| matches!(kind, PhaseKind::Discussion(_));
    let discussion = chinese.agenda.iter().position(|phase| talk(&phase.kind)).unwrap();
    let least = [SeatId(0), bob].map(|seat| chinese.statement_min_length(seat, discussion));
    assert!(least[0] >= 5 && least[1] == least[0] / 5, "{least:?}");
    for (ask, raw, reply) in replies(mixed.motion_for(bob)) {
        let parsed = |seat, raw| {
            read(Offer::NONE, &ask, mixed.motion_for(seat), AnswerForm::Anchored, raw).map_err(|unfit| unfit.fault)
        };
        assert_eq!(parsed(bob, raw[Language::Es as usize]).as_ref(), Ok(&reply));
        assert!(parsed(bob, raw[Language::En as usize]).is_err());
    }
    assert_ne!(mixed.digest, alike[0].digest);
}

#[test]
fn a_session_in_which_one_seat_has_another_language_is_proven_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("mixed");
    for (config, seat) in [(JUSTICE, "Bob"), ("configs/first.yaml", "Alice")] {
        let own = format!("seats.{seat}.language=zh");
        ekklesia(&["run", config, "--set", &own, "--replicates", "1", "--out", text(&out)]).says(0, &[]);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
        let seats = fs::read_to_string(out.join("seats.csv")).unwrap();
        let (mut own, mut others) = (0, 0);
        let header: Vec<&str> = seats.lines().next().unwrap().split(',').collect();
        let place = |name: &str| header.iter().position(|column| *column == name).unwrap();
        let (name, language) = (place("seat"), place("language"));
        for row in csv::Reader::from_path(out.join("seats.csv")).unwrap().records().map(Result::unwrap) {
            assert_eq!(&row[language], if &row[name] == seat { "zh" } else { "en" });
            *(if &row[name] == seat { &mut own } else { &mut others }) += 1;
        }
        assert!(own > 0 && others > 0);
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn languages_are_arms_with_the_same_draws_and_the_same_names_in_tables() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    ekklesia(&["run", MOTION, "--replicates", "4", "--out", text(&out)]).says(0, &[]);
    let table = |name: &str| csv::Reader::from_path(out.join(name)).unwrap();
    let mut chosen: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    let mut ballots = table("ballots.csv");
    let head = ballots.headers().unwrap().clone();
    let cell =
        |row: &csv::StringRecord, column: &str| row[head.iter().position(|name| name == column).unwrap()].to_owned();
    for row in ballots.records().map(Result::unwrap) {
        let at = format!("{} {} {}", cell(&row, "phase"), cell(&row, "round"), cell(&row, "seat"));
        chosen.entry((cell(&row, "replicate"), at)).or_default().insert(cell(&row, "alternative"));
    }
    assert!(chosen.values().all(|alternatives| alternatives.len() == 1), "{chosen:?}");
    assert!(chosen.values().flatten().all(|name| ["for", "against"].contains(&name.as_str())));
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("No native speaker of Spanish had read"), "{methods}");
    ekklesia(&["check", MOTION]).says(0, &["language: es; no native speaker", "language: zh; no native speaker"]);
}

#[test]
fn a_language_without_words_or_without_prompts_is_a_mistake() {
    let at = |language: &str| format!("language={language}");
    let check = |language: &str| ekklesia(&["check", JUSTICE, "--set", &at(language)]);
    check("de").says(2, &["has no prompts in \"de\"", "en, es, zh"]);
    check("ES").says(2, &["has no prompts in \"ES\"", "write language: es"]);
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("own");
    for (pack, words) in [("de", "Wer sind Sie?"), ("es_formal", "Usted es {{ name }}.")] {
        let prompts = scenario.join("prompts").join(pack);
        fs::create_dir_all(&prompts).unwrap();
        fs::write(prompts.join("system.j2"), words).unwrap();
    }
    fs::copy("scenarios/motion/scenario.yaml", scenario.join("scenario.yaml")).unwrap();
    let config = folder.path().join("own.yaml");
    let written = fs::read_to_string(MOTION).unwrap().replace("../scenarios/motion", "own");
    fs::write(&config, written.split_once("\ndesign:").unwrap().0).unwrap();
    let check = |language: &str| ekklesia(&["check", text(&config), "--set", &at(language)]);
    check("de").says(2, &["has no words of its own in \"de\"", "es_formal"]);
    check("es_formal").says(0, &[]);
}
