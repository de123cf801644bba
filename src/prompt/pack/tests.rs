//! What a pack promises: it says what is missing, and shows a seat its own perspective.

use std::collections::BTreeMap;

use super::*;
use crate::domain::tests::{ask_ballot, ask_statement, make_alternative, make_motion};
use crate::domain::{
    Alternative, AlternativeId, Ask, BallotForm, Choice, Fault, Motion, OpenBallots, PaymentStage, RuleKind, RuleTold,
    SeatId,
};
use crate::mechanism::{Average, IncomePrinciples, Multiplier, Principle};
use crate::prompt::rehearsal::{FAULTS, sample};
use crate::prompt::templates::{OPTIONAL, is_reasked, question_template};
use crate::prompt::{CounterfactualFacts, Parameter, PaymentFacts, PickFacts, Procedure, Setting, TestFacts, Votes};

fn motion() -> Motion {
    let [one, other] = ["for", "against"].map(|name| make_alternative(name, &format!("the label of {name}")));
    make_motion("a sample question?", vec![one, Alternative { status_quo: true, ..other }], None)
}

pub(in crate::prompt) fn principles() -> Motion {
    let all = [("floor", false), ("average", false), ("average_floor", true), ("average_range", true)].map(
        |(name, takes_amount)| Alternative { takes_amount, ..make_alternative(name, &format!("the label of {name}")) },
    );
    make_motion("Which principle?", all.to_vec(), Some(100_000))
}

fn mechanism() -> IncomePrinciples {
    let twice = Multiplier { least: 500, greatest: 2_000 };
    IncomePrinciples {
        principles: vec![Principle::Floor, Principle::Average, Principle::AverageFloor, Principle::AverageRange],
        average: Average::Weighted,
        sample: Arc::new(sample::situation()),
        applications: vec![Arc::new(sample::situation())],
        drawn: None,
        settlement: twice,
        application_cents: 100,
        settlement_cents: 500,
    }
}

fn procedure(votes: Votes, rule: RuleKind) -> Procedure {
    let needed = (rule != RuleKind::Plurality).then_some(3);
    let vote = RuleTold { is_binding: true, seats: 5, ballots: 5, needed, rule, tolerance: 0, otherwise: None };
    Procedure { rounds: 10, decides: true, votes, vote, open: OpenBallots::Never }
}

/// The built-in templates, and the scenario's in their place.
fn folder(scenario: &str) -> BTreeMap<String, String> {
    let mut templates = shipped();
    templates.extend(read_folder(&format!("scenarios/{scenario}/prompts/en")));
    templates
}

fn read_folder(folder: &str) -> BTreeMap<String, String> {
    let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn shipped() -> BTreeMap<String, String> {
    read_folder("src/prompt/templates/en")
}

fn compile(templates: &BTreeMap<String, String>, needs: &[&str]) -> Result<Pack, Vec<PromptError>> {
    let parameters = [("motion".to_owned(), Parameter::Text("a sample question".to_owned()))];
    Pack::compile(
        templates,
        &Setting {
            motion: &motion(),
            parameters: &parameters,
            procedure: procedure(Votes::AtEnd, RuleKind::Majority),
            decided: &motion(),
            mechanism: None,
            needs,
        },
    )
}

fn with(name: &str, source: &str) -> PromptError {
    let mut templates = shipped();
    templates.insert(name.to_owned(), source.to_owned());
    first(compile(&templates, &[]))
}

fn first(compiled: Result<Pack, Vec<PromptError>>) -> PromptError {
    compiled.unwrap_err().remove(0)
}

#[test]
fn the_shipped_pack_compiles_and_its_digest_ignores_line_endings() {
    let pack = compile(&shipped(), &[]).unwrap();
    let crlf = shipped().into_iter().map(|(name, source)| (name, source.replace('\n', "\r\n"))).collect();
    assert_eq!(pack.digest(), compile(&crlf, &[]).unwrap().digest());
}

#[test]
fn every_fault_has_words_of_its_own() {
    let motion = motion();
    for pack in [compile(&shipped(), &[]).unwrap(), justice("named", "gain", Votes::AtEnd, RuleKind::Unanimity)] {
        let [agent, _] = sample::agents();
        let ask = ask_ballot(Vec::new(), BallotForm::Choice);
        let facts =
            |fault: Fault| Facts::of_question(pack.known(), &motion, &[&agent], SeatId(0), &ask, 1).after(fault);
        let told: Vec<Fault> = FAULTS.into_iter().filter(|fault| is_reasked(*fault)).collect();
        let mut words: Vec<String> = told.iter().map(|fault| pack.render("reask", &facts(*fault)).unwrap()).collect();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), told.len());
        // Of the others the question itself tells.
        let asks = [Ask::Naming { taken: [].into() }, Ask::Notes { notes: "We met.".into() }];
        let own = [("naming", Fault::UnfitName), ("naming", Fault::NameTaken), ("notes", Fault::NotOnce)];
        for (template, fault) in own {
            let ask = asks.iter().find(|ask| question_template(ask) == template).unwrap();
            let facts = Facts::of_question(pack.known(), &motion, &[&agent], SeatId(0), ask, 1);
            let again = pack.render(template, &facts.clone().after(fault)).unwrap();
            assert_ne!(again, pack.render(template, &facts).unwrap(), "{fault:?}");
        }
    }
}

#[test]
fn a_missing_and_a_superfluous_template_are_named() {
    let mut templates = shipped();
    templates.remove("ballot");
    assert_eq!(first(compile(&templates, &[])).template, "ballot");
    assert_eq!(with("balot", "x").template, "balot");
    let missing = compile(&shipped(), &["ranking", "rules"]).unwrap_err();
    let missing: Vec<&str> = missing.iter().map(|error| error.template.as_str()).collect();
    assert_eq!(missing, ["ranking", "rules"]);
}

#[test]
fn how_to_reply_must_be_said_of_every_question_that_is_asked() {
    let mut templates = shipped();
    templates.insert("ranking".to_owned(), "Rank.".to_owned());
    assert!(compile(&templates, &[]).is_ok(), "words for what is not asked are no mistake");
    let told: Vec<(String, String)> = compile(&templates, &["ranking"])
        .unwrap_err()
        .into_iter()
        .map(|error| (error.template, error.reason.rsplit(": ").next().unwrap().to_owned()))
        .collect();
    let named = [
        ("form_anchored", "it names no RANKING and no CERTAINTY"),
        ("form_json", "it names no ranking and no certainty"),
    ];
    assert_eq!(told, named.map(|(template, reason)| (template.to_owned(), reason.to_owned())));
    let branch = "{% if ask == \"ranking\" %}RANKING and CERTAINTY, in JSON ranking and certainty{% else %}";
    for form in ["form_json", "form_anchored"] {
        let whole = format!("{branch}{}{{% endif %}}", templates[form]);
        templates.insert(form.to_owned(), whole);
    }
    compile(&templates, &["ranking"]).unwrap();
}

#[test]
fn a_template_of_another_scenarios_or_one_that_the_agenda_names_or_a_part_is_welcome() {
    let mut templates = shipped();
    templates.insert("ranking".to_owned(), "Rank.".to_owned());
    templates.insert("rules".to_owned(), "{% include \"_rounds\" %} of talk.".to_owned());
    templates.insert("_rounds".to_owned(), "{{ rounds }} rounds".to_owned());
    let pack = compile(&templates, &["rules"]).unwrap();
    assert_eq!(pack.brief("rules", &motion(), None).unwrap(), "10 rounds of talk.");
    assert_eq!(first(compile(&templates, &[])).template, "rules");
}

#[test]
fn a_syntax_error_names_template_and_line() {
    let error = with("system", "one\n{% if name %}\n");
    assert_eq!((error.template.as_str(), error.line), ("system", 2), "{error}");
    let error = with("ballot", "one\ntwo {{ name");
    assert_eq!((error.template.as_str(), error.line), ("ballot", 2), "{error}");
}

#[test]
fn an_unknown_variable_is_found_even_where_no_sample_comes() {
    for (template, source, variable) in [
        ("ballot", "Vote.\n{% if round > 1000 %}{{ nmae }}{% endif %}", "nmae"),
        ("ballot", "Vote.\n{% if round > 1000 %}{{ parameters.mtion }}{% endif %}", "parameters.mtion"),
        ("ballot", "Vote.\n{% if vote.when == \"x\" %}{{ vote.whn }}{% endif %}", "vote.whn"),
        ("countdown", "Soon.\n{{ name }}", "name"),
        ("payment", "Paid.\n{% if choice %}{{ choice.tabel }}{% endif %}", "choice.tabel"),
    ] {
        let error = with(template, source);
        assert_eq!((error.template.as_str(), error.line), (template, 2), "{error}");
        assert_eq!(error.reason, format!("unknown variable {variable}"));
        assert!(error.hint.is_some_and(|hint| hint.contains("available here: ")));
    }
    let near = with("ballot", "Vote.\n{% if round > 1000 %}{{ nmae | trimm }}{% endif %}").hint;
    assert!(near.is_some_and(|hint| hint.starts_with("did you mean \"name\"? available here: alternative, ")));
    let filter = with("ballot", "Vote.\n{% if round > 1000 %}{{ name | trimm }}{% endif %}");
    assert_eq!((filter.line, filter.reason.as_str()), (2, "unknown filter trimm"));
    let error = with("ballot", "Vote.\n{{ options[0].nmae }}");
    assert_eq!((error.template.as_str(), error.line), ("ballot", 2), "{error}");
}

#[test]
fn a_template_that_says_nothing_for_one_fault_is_turned_away() {
    let error = with("reask", "{% if fault != \"refused\" %}Again.{% endif %}");
    assert_eq!(error.reason, "renders to nothing for the fault refused");
}

#[test]
fn every_template_that_fails_is_told_and_none_that_only_includes_one_that_fails() {
    let mut templates = shipped();
    templates.insert("ballot".to_owned(), "{{ nmae }} {{ lable }}".to_owned());
    templates.insert("reask".to_owned(), "{% if fault != \"refused\" %}Again.{% endif %}".to_owned());
    templates.insert("_part".to_owned(), "{% if %}".to_owned());
    templates.insert("history".to_owned(), "{% include \"_part\" %} x".to_owned());
    templates.insert("system".to_owned(), "one\n{{ name + 1 }}".to_owned());
    let errors = compile(&templates, &[]).unwrap_err();
    let told: Vec<(&str, usize)> = errors.iter().map(|error| (error.template.as_str(), error.line)).collect();
    assert_eq!(told, [("_part", 1), ("ballot", 1), ("ballot", 1), ("reask", 1), ("system", 2)], "{errors:?}");
}

#[test]
fn a_template_that_never_ends_runs_out_of_fuel() {
    let error = with("ballot", "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}");
    assert_eq!(error.template, "ballot", "{error}");
}

pub(in crate::prompt) fn justice(wording: &str, frame: &str, votes: Votes, rule: RuleKind) -> Pack {
    let parameters = [("wording", wording), ("frame", frame)]
        .map(|(name, word)| (name.to_owned(), Parameter::Text(word.to_owned())));
    let setting = Setting {
        motion: &principles(),
        parameters: &parameters,
        procedure: procedure(votes, rule),
        decided: &principles(),
        mechanism: Some(&mechanism()),
        needs: &OPTIONAL
            .into_iter()
            .filter(|name| *name != "look_up" && !name.starts_with("ballot_"))
            .chain(["explanation", "vote_process"])
            .collect::<Vec<_>>(),
    };
    Pack::compile(&folder("justice"), &setting).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Compares with a golden file; a changed text is looked at and copied by hand.
pub(in crate::prompt) fn golden(name: &str, told: &str) {
    let path = format!("{}/tests/data/prompts/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == told, "{path} should hold:\n{told}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_pack_of_justice_compiles_in_every_arm() {
    let rules =
        [RuleKind::Unanimity, RuleKind::Majority, RuleKind::Supermajority, RuleKind::Plurality, RuleKind::Imposed];
    let votes = [Votes::Never, Votes::AtEnd, Votes::EveryRound, Votes::OnCall { rounds_min: 3 }];
    for wording in ["named", "neutral"] {
        for frame in ["gain", "loss"] {
            for (rule, votes) in rules.iter().flat_map(|rule| votes.map(|votes| (*rule, votes))) {
                justice(wording, frame, votes, rule);
            }
        }
    }
}

/// What a seat reads in a whole session of justice, question by question.
fn told(pack: &Pack) -> String {
    let motion = principles();
    let [alice, bob] = sample::agents();
    let mut told = String::new();
    let mut show = |name: &str, words: String| told.push_str(&format!("== {name}\n{words}\n"));
    let ids = |order: [u32; 4]| order.map(AlternativeId).to_vec();
    let situation = Arc::new(sample::situation());
    let asks = [
        Ask::Ranking { options: ids([0, 1, 2, 3]) },
        Ask::Application { options: ids([2, 0, 3, 1]), situation: situation.clone() },
        ask_statement(ids([0, 1, 2, 3]), 10),
        Ask::Reasoning,
        Ask::VoteCall,
        Ask::Confirmation { caller: Some(SeatId(1)) },
        ask_ballot(ids([0, 1, 2, 3]), BallotForm::Choice),
        Ask::Amount { alternative: AlternativeId(2) },
    ];
    let picks = [(0, None, 4), (1, None, 1), (2, Some(13_000), 3), (3, Some(15_000), 2)]
        .map(|(id, amount, table)| PickFacts { alternative: AlternativeId(id), amount, table });
    show("explanation", pack.brief("explanation", &motion, Some((&situation, &picks))).unwrap());
    show("vote_process", pack.brief("vote_process", &motion, Some((&situation, &picks))).unwrap());
    for (place, ask) in asks.iter().enumerate() {
        let facts = Facts::of_question(pack.known(), &motion, &[&alice, &bob], SeatId(0), ask, 2);
        if place == 0 {
            show("system", pack.render("system", &facts).unwrap());
        }
        show(question_template(ask), pack.render(question_template(ask), &facts).unwrap());
        show("form_json", pack.render("form_json", &facts).unwrap());
        if !crate::prompt::form::is_note(ask) {
            show("form_anchored", pack.render("form_anchored", &facts).unwrap());
        }
    }
    let others = |rate: u64| {
        [(0, 4, 15_000), (1, 1, 12_000)].map(|(id, table, income): (u32, u32, u32)| CounterfactualFacts {
            choice: AlternativeId(id).into(),
            table,
            income,
            payoff_cents: u64::from(income) * rate / 10_000,
        })
    };
    let facts = PaymentFacts {
        motion: &motion,
        situation: &situation,
        stage: PaymentStage::Application,
        choice: Some(Choice { alternative: AlternativeId(2), amount: Some(13_000) }),
        decided: true,
        table: 3,
        class: 4,
        income: 14_000,
        payoff_cents: 140,
        balance_cents: 270,
        counterfactuals: others(100).to_vec(),
    };
    show("payment", pack.payment(&facts).unwrap());
    let facts = PaymentFacts {
        stage: PaymentStage::Settlement,
        choice: None,
        decided: false,
        payoff_cents: 700,
        balance_cents: 970,
        counterfactuals: others(500).to_vec(),
        ..facts
    };
    show("settlement", pack.payment(&facts).unwrap());
    let test = TestFacts { correct: 2, of: 5, passed: false, last_try: false };
    show("test_result", pack.test_result(&test).unwrap());
    show("countdown", pack.notice("countdown", 2).unwrap());
    show("manipulation", pack.manipulation(&motion, AlternativeId(3)).unwrap());
    told
}

#[test]
fn justice_is_told_in_these_words() {
    golden("justice", &told(&justice("named", "gain", Votes::OnCall { rounds_min: 3 }, RuleKind::Unanimity)));
}

#[test]
fn justice_is_told_as_losses_and_by_letters_in_these_words() {
    golden("justice_neutral_loss", &told(&justice("neutral", "loss", Votes::AtEnd, RuleKind::Majority)));
}

#[test]
fn a_loss_and_what_is_kept_of_it_make_up_what_the_best_table_is_worth() {
    let pack = justice("named", "loss", Votes::AtEnd, RuleKind::Majority);
    let words = told(&pack);
    assert!(words.contains("worth $1.50") && words.contains("lose $0.10 and keep $1.40"), "{words}");
    assert!(words.contains("worth $7.50") && words.contains("lose $0.50 and keep $7.00"), "{words}");
}

#[test]
fn neutral_words_name_no_principle_and_no_justice() {
    let words = told(&justice("neutral", "gain", Votes::OnCall { rounds_min: 3 }, RuleKind::Unanimity));
    assert!(!words.replace("Which principle?", "").contains("principle") && !words.contains("ustice"), "{words}");
    assert!(words.contains("floor (rule A)") && words.contains("average_range (rule D)"), "{words}");
}

#[test]
fn what_a_template_reads_is_known_through_what_it_includes() {
    let mut templates = shipped();
    templates.insert("_part".to_owned(), "{% if news %}{{ parameters.motion }}{% endif %}".to_owned());
    let reads = |source: &str| {
        let mut templates = templates.clone();
        templates.insert("history".to_owned(), source.to_owned());
        compile(&templates, &[]).unwrap().reads("history")
    };
    let paths = |paths: &[&str]| Some(paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
    assert_eq!(reads("{{ name }}: {{ vote.seats }}"), paths(&["name", "vote.seats"]));
    assert_eq!(reads("a{{ round }}{%- include \"_part\" -%}"), paths(&["news", "parameters.motion", "round"]));
    assert_eq!(reads("a{% import '_part' as part %}"), paths(&["news", "parameters.motion"]));
    assert_eq!(reads("a{% include '_part' ignore missing %}"), paths(&["news", "parameters.motion"]));
    for dynamic in ["['_part']", "'_' ~ 'part'", "'_part' if name else '_part'"] {
        assert_eq!(reads(&format!("a{{% include {dynamic} %}}")), None, "{dynamic}");
    }
}

#[test]
fn a_template_that_fails_on_one_occasion_only_is_found_however_it_reads_it() {
    let sources = [
        "a{% if ask == 'confirmation' %}{{ options[9].name }}{% endif %}",
        "a{% include '_part' %}",
        "a{% include ['_part'] %}",
        "a{% from '_part' import told %}{{ told(ask) }}",
        "a{% set asked = ask %}{{ {'confirmation': options}[asked][9].name if asked == 'confirmation' }}",
    ];
    let part = "{% if ask is defined and ask == 'confirmation' %}{{ options[9].name }}{% endif %}\
                {% macro told(asked) %}{% if asked == 'confirmation' %}{{ [][9].name }}{% endif %}{% endmacro %}";
    for (place, source) in sources.into_iter().enumerate() {
        let mut templates = shipped();
        templates.insert("history".to_owned(), source.to_owned());
        if (1..4).contains(&place) {
            templates.insert("_part".to_owned(), part.to_owned());
        }
        let error = first(compile(&templates, &[]));
        assert!(["history", "_part"].contains(&error.template.as_str()), "{source}: {error}");
    }
}

/// For some values of rounds, seats, rule, parameter and motion each of these templates fails; others include them.
#[test]
fn a_pack_compiled_again_for_other_values_fails_where_one_compiled_anew_does() {
    let sources = [
        ("_part", "{% if parameters.tone == 2 %}{{ 1 // 0 }}{% endif %}of {{ rounds }}"),
        ("statement", "Speak. {% include '_part' %}"),
        ("straw_poll", "{% if vote.seats != 4 %}Which?{% endif %}"),
        ("ballot", "{{ 12 // (rounds - 3) }}{{ motion }}"),
        ("reasoning", "{% set all = parameters %}{{ 1 // (all.tone - 3) }}"),
        ("vote_call", "{% if motion != 'so' %}{{ vote.rule }}{% endif %}"),
        ("countdown", "{% if rounds_left < 5 %}{{ rounds_left }}{% endif %}"),
    ];
    let mut templates = shipped();
    templates.extend(sources.map(|(name, source)| (name.to_owned(), source.to_owned())));
    let motions = ["why", "so"].map(|text| Motion { text: text.to_owned(), ..motion() });
    let tones = [1, 2, 3].map(|tone| [("tone".to_owned(), Parameter::Int(tone))]);
    let setting = |[rounds, seats, tone, of]: [usize; 4]| {
        let procedure = procedure(Votes::EveryRound, RuleKind::Majority);
        let vote = RuleTold { seats: seats as u32, ballots: seats as u32, ..procedure.vote };
        let procedure = Procedure { rounds: rounds as u32, vote, ..procedure };
        let motion = &motions[of];
        Setting { motion, parameters: &tones[tone], procedure, decided: motion, mechanism: None, needs: &[] }
    };
    let sound = [2, 5, 0, 0];
    let pack = Pack::compile(&templates, &setting(sound)).unwrap();
    let (mut failed, mut compiled) = (BTreeSet::new(), 0);
    for case in [2, 3, 4, 7].into_iter().flat_map(|rounds| {
        let places = (0..12).map(move |place| [rounds, 4 + place % 2, place / 2 % 3, place / 6]);
        places.collect::<Vec<_>>()
    }) {
        let again = pack.compile_again(&setting(sound), &setting(case)).unwrap();
        let anew = Pack::compile(&templates, &setting(case));
        assert_eq!(again.as_ref().err(), anew.as_ref().err(), "{case:?}");
        compiled += usize::from(anew.is_ok());
        failed.extend(anew.err().into_iter().flatten().map(|error| error.template));
    }
    assert!(compiled > 1, "{compiled}");
    assert_eq!(
        failed,
        ["ballot", "countdown", "reasoning", "statement", "straw_poll", "vote_call"].map(str::to_owned).into()
    );
    let other = Motion { alternatives: motion().alternatives[..1].to_vec(), ..motion() };
    assert!(pack.compile_again(&setting(sound), &Setting { motion: &other, ..setting(sound) }).is_none());
}
