//! The shipped scenarios, against values that are known beforehand: closed forms, and what must hold for every deal.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::fixtures::trial::{self, repository, whole};
use ekklesia::domain::{
    Adjourned, AlternativeName, Briefing, Convened, Event, FactId, Matter, NamedChoice, Record, Reply, Step, Truth,
};
use ekklesia::plan::{Experiment, Plan};
use ekklesia::store::inputs::{Inputs, Overrides};

fn shipped(config: &str) -> Arc<Experiment> {
    trial::read(&repository().join("configs").join(config))
}

fn staged(scenario: &str, body: &str) -> Arc<Experiment> {
    let folder = tempfile::tempdir().unwrap();
    let scenario: PathBuf = repository().join("scenarios").join(scenario);
    let config = folder.path().join("config.yaml");
    let models = "models: { sim: { simulated: {} } }\n";
    let seats = if body.contains("seat_defaults") { "" } else { "seat_defaults: { model: sim }\n" };
    std::fs::write(&config, format!("experiment: t\nscenario: {}\nseed: 7\n{models}{seats}{body}", scenario.display()))
        .unwrap();
    trial::read(&config)
}

fn arm<'e>(experiment: &'e Experiment, name: &str) -> &'e Arc<Plan> {
    experiment.arms.iter().find(|plan| plan.arm == name).unwrap_or_else(|| panic!("no arm {name}"))
}

fn decided(records: &[Record]) -> Option<NamedChoice> {
    match &records.last().unwrap().event {
        Event::Adjourned(Adjourned { decided, .. }) => decided.clone(),
        _ => panic!("a session ends"),
    }
}

fn truth(records: &[Record]) -> String {
    let dealt = records.iter().find_map(|record| match &record.event {
        Event::Convened(Convened { truth: Some(Truth::Alternative(name)), .. }) => Some(name.to_string()),
        _ => None,
    });
    dealt.unwrap()
}

fn facts_of(hand: &Briefing) -> &[FactId] {
    let Matter::Case { facts, .. } = &hand.what else { panic!("a part of the case") };
    facts
}

/// P(exactly k of n) at p.
fn binomial(n: u64, k: u64, p: f64) -> f64 {
    let ways = (0..k).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64);
    ways * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)
}

/// Whether a probability lies in the Wilson interval of a count, at 99.9 %.
fn is_borne_out(count: u64, of: u64, p: f64) -> bool {
    const Z: f64 = 3.2905;
    let (n, share) = (of as f64, count as f64 / of as f64);
    let centre = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    (centre - half..=centre + half).contains(&p)
}

#[test]
fn the_binomials_are_those_of_the_literature() {
    let at_least = |k: u64, p: f64| (k..=12).map(|k| binomial(12, k, p)).sum::<f64>();
    for (k, expected) in [(7, 0.8822), (8, 0.7237), (10, 0.2528), (12, 0.0138)] {
        assert!((at_least(k, 0.7) - expected).abs() < 5e-5, "{k}");
    }
    let condorcet = |n: u64| (n / 2 + 1..=n).map(|k| binomial(n, k, 0.6)).sum::<f64>();
    for (n, expected) in [(3, 0.648), (5, 0.68256), (11, 0.753498)] {
        assert!((condorcet(n) - expected).abs() < 5e-6, "{n}");
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn sincere_jurors_are_right_wrong_and_hung_as_often_as_the_binomial_says() {
    let experiment = shipped("jury.yaml");
    let sessions = 600;
    for (name, needed) in [("majority", 7), ("ten_of_twelve", 10), ("unanimity", 12)] {
        let plan = arm(&experiment, name);
        let (mut right, mut wrong, mut hung) = (0, 0, 0);
        for replicate in 1..=sessions {
            let records = whole(plan, replicate);
            match decided(&records) {
                None => hung += 1,
                Some(choice) if choice.alternative.as_str() == truth(&records) => right += 1,
                Some(_) => wrong += 1,
            }
        }
        let p: f64 = (needed..=12).map(|k| binomial(12, k, 0.7)).sum();
        let q: f64 = (needed..=12).map(|k| binomial(12, k, 0.3)).sum();
        let told = format!("{name}: {right} right, {wrong} wrong, {hung} hung");
        assert!(is_borne_out(right, sessions.into(), p), "{told}; {p}");
        assert!(is_borne_out(wrong, sessions.into(), q), "{told}; {q}");
        assert!(is_borne_out(hung, sessions.into(), 1.0 - p - q), "{told}; {}", 1.0 - p - q);
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn talk_moves_no_sincere_juror_and_the_majority_is_right_as_often_as_condorcet_says() {
    let body = "parameters: { accuracy: 0.6 }\nseats: [ { count: 5, name: \"Juror {n}\" } ]\n\
                seat_defaults: { model: sim, mind: { juror: {} } }\n\
                discussion: { rounds: 2 }\ndecision: { rule: majority }\n";
    let experiment = staged("jury", body);
    let (mut right, sessions) = (0, 800);
    for replicate in 1..=sessions {
        let records = whole(&experiment.arms[0], replicate);
        let told: Vec<&Briefing> = records.iter().filter_map(|record| record.event.briefed()).collect();
        for record in &records {
            let Some(Reply::Statement { stance, .. }) = record.reply() else { continue };
            let signal = told.iter().find_map(|told| match &told.what {
                Matter::Case { signal, .. } if told.is_for(record.seat.as_ref().unwrap()) => Some(signal.clone()),
                _ => None,
            });
            assert_eq!(stance.map(|choice| choice.alternative), signal.unwrap());
        }
        right += u64::from(decided(&records).unwrap().alternative.as_str() == truth(&records));
    }
    let p = ekklesia::minds::right_at_least(3, 5, 0.6);
    assert!(is_borne_out(right, sessions.into(), p), "{right} of {sessions}, {p}");
}

#[test]
fn a_juror_is_refused_where_signals_are_not_given() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.yaml");
    let jury = repository().join("scenarios/jury");
    let body = "models: { sim: { simulated: {} } }\nparameters: { evidence: facts, held_by: 1 }\nseat_defaults: { model: sim }\n\
                seats:\n  - { name: Ann, mind: { juror: {} } }\n";
    std::fs::write(&config, format!("experiment: t\nscenario: {}\nseed: 7\n{body}", jury.display())).unwrap();
    let inputs = ekklesia::store::inputs::Inputs::read_config(&config, ekklesia::store::inputs::Overrides::default());
    let told = match inputs.map(|inputs| inputs.resolve()) {
        Ok(Err(problems)) | Err(problems) => problems.to_string(),
        Ok(Ok(_)) => panic!("a juror without a signal"),
    };
    assert!(
        told.contains("config.yaml:8:") && told.contains("seats.Ann.mind.juror") && told.contains("signals.when"),
        "{told}"
    );
}

#[test]
fn a_probability_that_is_too_fine_is_one_mistake_and_not_one_of_each_fact_that_prints_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.yaml");
    let body = format!(
        "experiment: t\nscenario: {}\nseed: 7\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\n\
         seats: [ {{ count: 6 }} ]\nparameters: {{ prior_guilty: 0.3333333 }}\n",
        repository().join("scenarios/jury").display()
    );
    std::fs::write(&config, body).unwrap();
    let told =
        Inputs::read_config(&config, Overrides::default()).and_then(|inputs| inputs.resolve().map(drop)).unwrap_err();
    let told = told.to_string();
    assert!(told.contains("0.3333333 has more than six decimals") && !told.contains("unknown variable"), "{told}");
}

#[test]
fn a_jury_that_pools_its_facts_finds_the_truth_whichever_it_is() {
    let body = "parameters: { evidence: facts, held_by: 1 }\nseats: [ { count: 12, name: \"Juror {n}\" } ]\n\
                seat_defaults: { model: sim, mind: { tallying: { cites: 11 } } }\n";
    let experiment = staged("jury", body);
    let mut truths = BTreeMap::new();
    for replicate in 1..=40 {
        let records = whole(&experiment.arms[0], replicate);
        let right = truth(&records);
        assert_eq!(decided(&records).map(|choice| choice.alternative.to_string()), Some(right.clone()));
        *truths.entry(right).or_insert(0) += 1;
    }
    assert!(truths.values().all(|count| *count > 5), "{truths:?}");
}

const FOUR: &str = "seats: [ { count: 4, name: \"Member {n}\" } ]\n";

/// For which alternative most of these facts speak, with how many speak for each.
fn favoured<'f>(plan: &Plan, facts: impl Iterator<Item = &'f FactId>) -> (String, Vec<usize>) {
    let evidence = plan.evidence.as_ref().unwrap();
    let mut counts = vec![0; plan.motion.alternatives.len()];
    for id in facts {
        let fact = evidence.facts.iter().find(|fact| fact.id == *id).unwrap();
        counts[fact.version_for_truth(None).favours.unwrap().index()] += 1;
    }
    let most = *counts.iter().max().unwrap();
    let leaders: Vec<usize> = (0..counts.len()).filter(|place| counts[*place] == most).collect();
    assert_eq!(leaders.len(), 1, "{counts:?}");
    (plan.motion.alternatives[leaders[0]].name.to_string(), counts)
}

#[test]
fn in_every_hidden_deal_each_member_favours_another_candidate_than_all_facts_do() {
    let experiment = staged("hidden_profile", FOUR);
    let plan = &experiment.arms[0];
    let all: Vec<FactId> = plan.evidence.as_ref().unwrap().facts.iter().map(|fact| fact.id.clone()).collect();
    assert_eq!(favoured(plan, all.iter()), ("adler".to_owned(), vec![8, 4, 3]));
    for replicate in 1..=5_000 {
        let dealt = plan.deal_case(replicate);
        assert_eq!((dealt.hands.len(), dealt.truth), (4, Some(Truth::Alternative(AlternativeName::new("adler")))));
        let mut pooled: Vec<&FactId> = Vec::new();
        for hand in &dealt.hands {
            assert_eq!(favoured(plan, facts_of(hand).iter()).0, "brandt");
            pooled.extend(facts_of(hand).iter().filter(|id| !pooled.contains(id)).collect::<Vec<_>>());
        }
        assert_eq!(pooled.len(), all.len(), "together they know everything");
    }
    let shared = staged("hidden_profile", &format!("{FOUR}parameters: {{ deal: shared }}\n"));
    for hand in shared.arms[0].deal_case(1).hands {
        assert_eq!(favoured(plan, facts_of(&hand).iter()).0, "adler");
    }
}

#[test]
fn a_hidden_profile_is_never_found_without_talk_and_always_once_everything_was_said() {
    let experiment = shipped("hidden_profile.yaml");
    let found = |plan: &Arc<Plan>| {
        let found =
            (1..=30).filter(|replicate| decided(&whole(plan, *replicate)).unwrap().alternative.as_str() == "adler");
        found.count()
    };
    assert_eq!(found(arm(&experiment, "hidden-none")), 0);
    assert_eq!(found(arm(&experiment, "shared-none")), 30);
    assert_eq!(found(arm(&experiment, "shared-short")), 30);
    let (short, long) = (found(arm(&experiment, "hidden-short")), found(arm(&experiment, "hidden-long")));
    assert!(short < long, "{short} with two rounds, {long} with eight");
    let told = format!(
        "{FOUR}seat_defaults: {{ model: sim, mind: {{ tallying: {{ cites: 15 }} }} }}\ndiscussion: {{ rounds: 1 }}\n"
    );
    assert_eq!(found(&staged("hidden_profile", &told).arms[0]), 30);
    let deaf = format!("{told}memory: {{ policy: none }}\n");
    assert!(found(&staged("hidden_profile", &deaf).arms[0]) < 25, "who is shown nothing counts nothing");
}

/// What the naive seat said aloud and wrote down in the sessions of an arm: how often it was wrong, and of how many.
fn errors(experiment: &Experiment, name: &str, kind: &str, replicates: u32) -> ([u64; 2], u64) {
    let plan = arm(experiment, name);
    let (mut wrong, mut sessions) = ([0; 2], 0);
    for item in experiment.items.values().filter(|item| item.id.starts_with(kind)) {
        let planned = Arc::new(plan.of_item(item));
        let key = item.right_alternative().unwrap();
        for replicate in 1..=replicates {
            sessions += 1;
            for record in whole(&planned, replicate) {
                let is_naive = record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Naive");
                match record.reply() {
                    Some(Reply::Statement { stance: Some(stance), .. }) if is_naive => {
                        wrong[0] += u64::from(stance.alternative != *key);
                    }
                    Some(Reply::Choice(choice)) if is_naive => wrong[1] += u64::from(choice.alternative != *key),
                    Some(Reply::Statement { text, stance: Some(stance), .. }) => {
                        let says = if name == "ally" && record.seat.as_ref().unwrap().as_str() == "Dan" {
                            "right"
                        } else {
                            "said"
                        };
                        assert_eq!(stance.alternative, item.named[says]);
                        let label = &planned.motion.alternatives
                            [planned.motion.find(stance.alternative.as_str()).unwrap().index()]
                        .label;
                        assert_eq!(*text, *format!("It is {label}."));
                        assert_eq!(stance.alternative != *key, kind == "critical" && says == "said");
                    }
                    _ => {}
                }
            }
        }
    }
    (wrong, sessions)
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn confederates_say_what_the_item_names_and_the_naive_seat_errs_as_often_as_it_copies() {
    let experiment = shipped("conformity.yaml");
    assert_eq!(experiment.items.len(), 18);
    let ([_, alone], of) = errors(&experiment, "alone", "critical", 30);
    assert!(is_borne_out(alone, of, 0.01), "{alone} of {of}");
    // Wrong where it copies, and where it does not and sees another line.
    let p = 0.37 + 0.63 * 0.01;
    let ([aloud, written], of) = errors(&experiment, "majority", "critical", 30);
    assert_eq!((of, aloud), (360, written), "it writes what it has said");
    assert!(is_borne_out(aloud, of, p), "{aloud} of {of}, {p}");
    // Six of the seven are heard before it, Dan among them.
    let ([with_ally, _], of) = errors(&experiment, "ally", "critical", 30);
    assert!(is_borne_out(with_ally, of, 0.37 * 5.0 / 6.0 + 0.63 * 0.01), "{with_ally} of {of}");
    // In private it has said what it saw: nobody had spoken before.
    let ([aloud, _], of) = errors(&experiment, "private", "critical", 30);
    assert!(is_borne_out(aloud, of, 0.01), "{aloud} of {of}");
    let ([aloud, _], of) = errors(&experiment, "majority", "neutral", 30);
    assert!(is_borne_out(aloud, of, 0.63 * 0.01), "{aloud} of {of}");
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn debate_moves_everybody_and_leaves_the_expected_share_of_right_answers_as_it_was() {
    let experiment = shipped("debate_qa.yaml");
    let mut said = BTreeMap::new();
    for name in ["once", "debate"] {
        let plan = arm(&experiment, name);
        // Of one seat a session: seats that debated are not independent.
        let (mut right, mut of, mut moved) = (0, 0, 0);
        for item in experiment.items.values().filter(|item| item.options.len() == 4) {
            let planned = Arc::new(plan.of_item(item));
            for replicate in 1..=80 {
                let records = whole(&planned, replicate);
                let own = records
                    .iter()
                    .filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Member 1"));
                let mut first = None;
                for record in own {
                    match (record.at.step, record.reply()) {
                        (_, Some(Reply::Statement { stance: Some(stance), .. })) => {
                            first.get_or_insert(stance.alternative);
                        }
                        (Step::Ballot, Some(Reply::Choice(choice))) => {
                            let is_right = Some(&choice.alternative) == item.right_alternative();
                            (right, of) = (right + u64::from(is_right), of + 1);
                            moved += u64::from(first.as_ref().is_some_and(|first| *first != choice.alternative));
                        }
                        _ => {}
                    }
                }
            }
        }
        // A belief drawn from all alike holds each of four options as often.
        assert!(of >= 300 && is_borne_out(right, of, 0.25), "{name}: {right} of {of}");
        said.insert(name, moved);
    }
    assert!(said["debate"] > 50, "{said:?}");
}

#[test]
fn every_shipped_scenario_has_a_config_for_minds_and_one_for_a_model_and_says_what_it_cannot_tell() {
    for entry in std::fs::read_dir(repository().join("scenarios")).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.contains("## What it cannot tell you"), "{name}");
        if ["motion", "justice"].contains(&name.as_str()) {
            continue;
        }
        let simulated = shipped(&format!("{name}.yaml"));
        assert!(simulated.sessions_an_arm() > 0 && simulated.arms.iter().all(|plan| plan.is_simulated()), "{name}");
        let model = shipped(&format!("{name}-local-model.yaml"));
        assert!(model.arms.iter().any(|plan| !plan.is_simulated()), "{name}");
    }
}

/// What each seat favoured in its first statement, and what was decided, of a session.
fn first_and_decided(records: &[Record]) -> (BTreeMap<String, String>, Option<String>) {
    let mut first = BTreeMap::new();
    for record in records {
        if let (Some(Reply::Statement { stance: Some(stance), .. }), Some(seat)) = (record.reply(), &record.seat) {
            first.entry(seat.to_string()).or_insert_with(|| stance.alternative.to_string());
        }
    }
    (first, decided(records).map(|choice| choice.alternative.to_string()))
}

#[test]
fn groups_of_schemes_of_truth_decide_for_it_as_soon_as_enough_favour_it_and_never_without() {
    let right = |records: &[Record]| {
        records.iter().find_map(|record| match &record.event {
            Event::Convened(Convened { truth: Some(truth), .. }) => truth.alternative().map(ToString::to_string),
            _ => None,
        })
    };
    for (scheme, needed) in [("truth_wins", 1), ("truth_supported_wins", 2)] {
        let body = format!(
            "seats: [{{ count: 3, mind: {{ social_decision_scheme: {{ scheme: {scheme} }} }} }}]\n\
             seat_defaults: {{ model: sim }}\ndiscussion: {{ rounds: 1, order: simultaneous, vote: at_end }}\n\
             decision: {{ rule: unanimity }}\n"
        );
        let jury = Arc::clone(&staged("jury", &body).arms[0]);
        let mut outcomes = BTreeMap::new();
        for replicate in 1..=120 {
            let records = whole(&jury, replicate);
            let truth = right(&records).expect("what is right is minuted");
            let (first, verdict) = first_and_decided(&records);
            let favour = first.values().filter(|stance| **stance == truth).count();
            let is_right = verdict.as_ref() == Some(&truth);
            assert!(verdict.is_some(), "all have heard all, so that ballots agree");
            // One who is right is overruled by two others where two are needed.
            assert_eq!(is_right, favour >= needed, "{favour} of 3 favoured {truth}");
            *outcomes.entry((favour, is_right)).or_insert(0u32) += 1;
        }
        assert!(outcomes.keys().any(|(_, is_right)| !is_right) && outcomes.len() >= 3, "{outcomes:?}");
    }
}

#[test]
fn a_scheme_of_truth_goes_by_the_key_of_each_item_and_is_refused_where_there_is_none() {
    let place = tempfile::tempdir().unwrap();
    let told = |items: &str, rest: &str| {
        std::fs::write(place.path().join("items.csv"), items).unwrap();
        let body = format!(
            "experiment: t\nscenario: {}\nseed: 7\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
             seat_defaults: {{ model: sim, mind: {{ social_decision_scheme: {{ scheme: truth_wins }} }} }}\n\
             decision: {{ rule: unanimity, tie_break: no_decision }}\nseats: [{{ count: 4 }}]\n\
             discussion: {{ rounds: 1, order: simultaneous, vote: at_end }}\n{rest}",
            repository().join("scenarios/motion").display()
        );
        std::fs::write(place.path().join("config.yaml"), body).unwrap();
        let inputs = Inputs::read_config(&place.path().join("config.yaml"), Overrides::default());
        inputs.and_then(|inputs| inputs.resolve()).map(|resolved| resolved.experiment).map_err(|told| told.to_string())
    };
    let columns = "items: { file: items.csv, id: id, text: text, options: options, key: key }\n";
    let experiment =
        told("id,text,options,key\na,Which?,this|that,that\nb,And now?,this|that,this\n", columns).unwrap();
    let mut seen = [0; 2];
    for replicate in 1..=30 {
        for (place, item) in experiment.items.values().enumerate() {
            let plan = Arc::new(experiment.arms[0].of_item(item));
            let (first, verdict) = first_and_decided(&whole(&plan, replicate));
            let key = item.right_alternative().unwrap().to_string();
            let is_right = verdict.as_ref() == Some(&key);
            assert_eq!(is_right, first.values().any(|stance| *stance == key));
            seen[place] += usize::from(is_right);
        }
    }
    assert!(seen.iter().all(|right| *right > 20), "{seen:?}");
    let refused = told("id,text,options,key\na,Which?,this|that,that\nb,And now?,this|that,\n", columns).unwrap_err();
    assert!(refused.contains("the item b has no such key"), "{refused}");
    let refused = told("", "").unwrap_err();
    assert!(refused.contains("neither the scenario nor a key of the items says it"), "{refused}");
}
