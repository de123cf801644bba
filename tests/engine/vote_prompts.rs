//! What prompts say of a vote: of the one that is asked for, of the one that decides before it is held, and of those who hear a form.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::sync::Arc;

use crate::fixtures::cli::text;
use crate::fixtures::trial::{folded, read, repository, whole, write_agenda, write_file};
use ekklesia::domain::{Record, Step, Verdict};
use ekklesia::engine::Next;
use ekklesia::plan::Plan;
use ekklesia::session::QuestionWording;

/// The words that put the question of this record to its seat.
fn words_at(plan: &Arc<Plan>, records: &[Record], asked: usize) -> String {
    let state = folded(plan, 1, &records[..asked]);
    let Next::Ask(queries) = state.next() else { panic!("a seat is asked") };
    let query = queries.iter().find(|query| Some(&query.id.seat) == records[asked].seat.as_ref()).unwrap();
    let agents: Vec<_> = plan.seats.iter().map(|seat| seat.agent.clone()).collect();
    let wording = QuestionWording::for_person(plan, &agents, query).unwrap();
    wording.messages.iter().map(|message| message.content()).collect::<Vec<_>>().join("\n\n")
}

/// The words of the first question at a step of a phase.
fn question(plan: &Arc<Plan>, records: &[Record], (phase, step): (&str, Step)) -> String {
    let is_asked = |record: &Record| record.at.phase.written() == phase && record.at.step == step;
    words_at(plan, records, records.iter().position(is_asked).unwrap())
}

const TOLD: &str = "<{{ vote.rule }}, {{ vote.needed or 'no' }} of {{ vote.ballots }} by {{ vote.seats }}, {{ vote.when }}, \
                    {{ vote.open }}, {{ vote.otherwise or 'no default' }}, {% if vote.binding %}binding{% else %}not binding{% endif %}>";

/// What a brief before the votes, and the ballot of `v`, say of the vote.
fn told(agenda: &str, more: &str) -> [String; 2] {
    let place = tempfile::tempdir().unwrap();
    let config = write_agenda(place.path(), agenda, more);
    for template in ["told", "ballot"] {
        fs::write(place.path().join(format!("own/prompts/en/{template}.j2")), TOLD).unwrap();
    }
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    let words = question(&plan, &records, ("v", Step::Ballot));
    let told: Vec<String> = words.split('<').skip(1).map(|part| part.split('>').next().unwrap().to_owned()).collect();
    [told[0].clone(), told.last().unwrap().clone()]
}

#[test]
fn a_ballot_tells_its_own_vote_and_a_brief_the_one_that_decides() {
    let brief = "{ name: told, brief: { template: told } }";
    let deciding = "unanimity, 3 of 3 by 3, at_end, announced, against, binding";
    for (votes, more, expected) in [
        ("{ name: v, vote: { rule: unanimity, open: announced, otherwise: against } }", "", [deciding; 2]),
        (
            "{ name: v, vote: { over: [low, high], rule: unanimity, otherwise: low } }",
            "",
            ["unanimity, 3 of 3 by 3, at_end, never, low, binding"; 2],
        ),
        // Another vote comes before the one that decides.
        (
            "{ name: v, who: [Ann], vote: { binding: false, rule: majority } },\n\
             { name: w, vote: { rule: unanimity, open: announced, otherwise: against } }",
            "",
            [deciding, "majority, 1 of 1 by 1, at_end, never, no default, not binding"],
        ),
        (
            "{ name: v, who: [Ann, Bob], vote: { rule: supermajority, threshold: 2/3, weights: { Bob: 4 } } }",
            "",
            ["supermajority, 4 of 5 by 2, at_end, never, no default, binding"; 2],
        ),
        // Without a vote that gives the result, the last binding one is described.
        (
            "{ name: v, vote: { over: [low, high], rule: unanimity, decides: false } },\n\
             { name: w, vote: { over: [low, high], rule: plurality, binding: false } }",
            "",
            ["unanimity, 3 of 3 by 3, at_end, never, no default, binding"; 2],
        ),
        // Votes in rounds are what the briefs before them describe.
        (
            "{ name: v, who: [Ann, Bob], discussion: {} }, { name: w, vote: { binding: false } }",
            "discussion: { rounds: 1, vote: every_round }\ndecision: { rule: unanimity }\n",
            ["unanimity, 2 of 2 by 2, every_round, never, no default, binding"; 2],
        ),
        (
            "{ name: talk, discussion: {} }, { name: v, vote: { over: [low, high], rule: plurality } }",
            "discussion: { rounds: 1, vote: every_round }\ndecision: { rule: unanimity }\n",
            [
                "unanimity, 3 of 3 by 3, every_round, never, no default, binding",
                "plurality, no of 3 by 3, at_end, never, no default, binding",
            ],
        ),
    ] {
        let votes = votes.replace("},\n{", "},\n  {");
        assert_eq!(told(&format!("agenda: [ {brief}, {votes} ]"), more), expected, "{votes}");
    }
}

#[test]
fn each_group_is_told_of_its_own_vote() {
    let place = tempfile::tempdir().unwrap();
    let split = "{ name: split, assign: { team: { groups: { joined: 2 }, by: '1 if seat.index == 1 else 2' } } }";
    let agenda = format!(
        "agenda:\n  - {split}\n  - {{ name: g, groups: team, phases: [ {{ name: v, vote: {{ rule: unanimity }} }} ] }}"
    );
    let config = write_agenda(place.path(), &agenda, "");
    fs::write(place.path().join("own/prompts/en/ballot.j2"), TOLD).unwrap();
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    let mut seen = 0;
    for (asked, record) in records.iter().enumerate().filter(|(_, record)| record.at.step == Step::Ballot) {
        let expected = match record.seat.as_ref().unwrap().as_str() {
            "Ann" => "<unanimity, 1 of 1 by 1,",
            _ => "<unanimity, 2 of 2 by 2,",
        };
        let words = words_at(&plan, &records, asked);
        assert!(words.contains(expected), "{record:?}: {words}");
        seen += 1;
    }
    assert!(seen >= 3);
}

#[test]
fn the_instructions_of_a_jury_state_the_law_of_its_vote() {
    let place = tempfile::tempdir().unwrap();
    let body = format!(
        "experiment: jury\nscenario: {}\nseed: 1\nreplicates: 1\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim, mind: {{ juror: {{}} }} }}\nseats: [ {{ count: 6 }} ]\ndiscussion: {{ rounds: 0 }}\n\
         agenda: {{ verdict: {{ rule: majority }} }}\n",
        text(&repository().join("scenarios/jury"))
    );
    let config = write_file(place.path(), "config.yaml", body);
    let plan = Arc::clone(&read(&config).arms[0]);
    let words = question(&plan, &whole(&plan, 1), ("verdict", Step::Ballot));
    assert!(words.contains("The law asks for more than half of the votes for one verdict, 4 of 6"), "{words}");
}

/// The words of the first ballot in `v`.
fn ballot(vote: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_agenda(place.path(), &format!("agenda: [ {vote} ]"), "")).arms[0]);
    question(&plan, &whole(&plan, 1), ("v", Step::Ballot))
}

#[test]
fn a_vote_that_something_reads_does_not_say_that_it_decides_nothing() {
    let vote = "{ name: v, vote: { binding: false, over: [low, high], rule: plurality, tie_break: lot } }";
    for (reader, is_idle) in [
        ("{ name: b, brief: { text: Done. } }", true),
        ("{ name: b, when: v.winner.name == 'low', brief: { text: Low. } }", false),
        ("{ name: b, brief: { text: 'It is {{ v.winner.name }}.' } }", false),
        ("{ name: w, vote: { over: v.winners, rule: plurality } }", false),
        ("{ name: b, repeat: { until: v.decided, max: 2 }, phases: [ { name: c, brief: { text: On. } } ] }", false),
    ] {
        let words = ballot(&format!("{vote}, {reader}"));
        assert_eq!(words.contains("This vote decides nothing."), is_idle, "{reader}: {words}");
    }
}

#[test]
fn a_ballot_says_before_who_votes_and_whether_that_decides_nothing() {
    const NOTHING: &str = "This vote decides nothing.";
    for ballots in
        ["ballot: choice, rule: plurality", "ballot: ranking, rule: borda", "ballot: approval, rule: approval"]
    {
        for (who, opening) in [("", "The group votes now."), ("who: [Bob], ", "You vote now.")] {
            for (binding, nothing) in [("true", ""), ("false", NOTHING)] {
                let vote = format!("{{ name: v, {who}vote: {{ binding: {binding}, {ballots} }} }}");
                let words = ballot(&vote);
                assert!(words.contains(&format!("{opening} {nothing}")), "{vote}: {words}");
                assert_eq!(words.contains(NOTHING), binding == "false", "{vote}: {words}");
            }
        }
    }
}

#[test]
fn a_seat_is_told_before_who_hears_its_answers_to_a_form() {
    for (phase, expected) in [
        ("heard_by: everyone", Some("\nEveryone hears your answer.")),
        ("heard_by: [Ann, Cleo]", Some("\nThese members hear your answer: Cleo.")),
        ("heard_by: nobody", None),
        ("heard_by: [Ann]", None),
        ("heard_by: seat.n_before == 3", Some("\nPerhaps some members hear your answer.")),
        ("who: everyone", None),
    ] {
        let place = tempfile::tempdir().unwrap();
        let form = |name: &str, phase: &str| {
            format!(
                "{{ name: {name}, {phase}, ask: [ {{ id: n_{name}, number: {{ min: 0, max: 9 }}, question: \"How many?\" }} ] }}"
            )
        };
        let agenda = format!("agenda: [ {}, {} ]", form("before", "who: everyone"), form("f", phase));
        let plan = Arc::clone(&read(&write_agenda(place.path(), &agenda, "")).arms[0]);
        let words = question(&plan, &whole(&plan, 1), ("f", Step::Ask));
        match expected {
            Some(line) => assert!(words.contains(&format!("How many?{line}")), "{phase}: {words}"),
            None => assert!(!words.contains("hear"), "{phase}: {words}"),
        }
    }
}

#[test]
fn a_vote_that_says_decides_false_binds_and_gives_no_result() {
    for (decides, verdict) in [("", Verdict::Carried), (", decides: false", Verdict::NotApplicable)] {
        let place = tempfile::tempdir().unwrap();
        let agenda = format!(
            "agenda:\n  - name: b\n    repeat: {{ until: 'v.winner.name == \"accept\"', max: 3 }}\n    phases:\n      \
             - {{ name: v, vote: {{ over: [accept, reject], question: Agreed?, rule: plurality{decides} }} }}"
        );
        let seats = "models: { sim: { simulated: {} } }\nseats: [ { name: Ann, mind: { rule: { v: \"'accept' if pass.number == 2 else 'reject'\" } } } ]\n";
        let plan = Arc::clone(&read(&write_agenda(place.path(), &agenda, seats)).arms[0]);
        let records = whole(&plan, 1);
        let decided = records.iter().filter_map(|record| record.event.tallied()?.decided.as_ref());
        assert_eq!(decided.map(ToString::to_string).collect::<Vec<_>>(), ["reject", "accept"]);
        assert_eq!(records.last().unwrap().event.adjourned().unwrap().verdict, verdict);
    }
}
