//! What `check` says that an agenda tells seats beyond what they say and hear. The law that nothing else is told is in `engine::told`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{read, repository, write_file};
use ekklesia::plan::{DisclosedValue, PhaseDisclosure, Plan};
use serde_json::Value;

/// Each disclosure in a line: `phase part field → to: values`.
fn describe(plan: &Plan) -> Vec<String> {
    let line = |PhaseDisclosure { phase, by, field, to, values }: PhaseDisclosure| {
        let values: Vec<String> = values.iter().map(DisclosedValue::describe).collect();
        let field = field.map_or(String::new(), |field| format!(" {field}"));
        format!("{phase} {}{field} → {to}: {}", by.as_str(), values.join("; "))
    };
    plan.list_disclosures().into_iter().map(line).collect()
}

/// What an agenda of four seats tells; the scenario has roles that are named in it.
fn told(agenda: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let roles =
        if agenda.contains("mediator") { "roles: { citizen: { seats: 3 }, mediator: { seats: 1 } }\n" } else { "" };
    let parameters = "parameters: { on: { type: bool, default: false } }\n";
    fs::write(place.path().join("scenario.yaml"), format!("scenario: own\n{parameters}{roles}agenda:\n{agenda}\n"))
        .unwrap();
    let body = "experiment: t\nscenario: .\nseed: 1\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { count: 4 } ]\n";
    let config = write_file(place.path(), "config.yaml", body);
    describe(&read(&config).arms[0])
}

fn shipped(config: &str) -> Vec<String> {
    describe(&read(&repository().join("configs").join(config)).arms[0])
}

/// Worked out by hand from the three agendas.
#[test]
fn the_disclosures_of_three_published_designs_are_listed() {
    let public_goods = [
        "shown text → every seat of a team: c of each seat of its team; its own gross (from c)",
        "payment pay → every seat: its own payoff (from c, p)",
    ];
    assert_eq!(shipped("public_goods.yaml"), public_goods);
    let group_statement =
        ["rank options → citizen: candidate.text", "announce text → every seat: rank.winner.text (from candidate)"];
    assert_eq!(shipped("group_statement.yaml"), group_statement);
    let nominal_group = [
        "list text → every seat: idea.letter; idea.text",
        "read text → every seat: idea.letter; idea.text",
        "first options → every seat: idea.text",
        "board text → every seat: first.options.letter; first.options.score",
        "final options → every seat: idea.text",
    ];
    assert_eq!(shipped("nominal_group.yaml"), nominal_group);
}

const ASK: &str = "  - { name: a, ask: [ { id: x, number: { min: 0, max: 9 }, question: How many? }, { id: y, yes_no: {}, question: Yes? } ] }\n";

fn brief(text: &str) -> String {
    format!("{ASK}  - {{ name: b, brief: {{ text: \"{text}\" }} }}")
}

#[test]
fn values_are_told_of_those_whom_a_text_names() {
    let cases: [(String, &[&str]); 29] = [
        (brief("Nothing."), &[]),
        (brief("You said {{ seat.x }}, and {{ seat.name }}."), &[]),
        (brief("{% for s in everyone %}{{ s.x }} {% endfor %}."), &["b text → every seat: x of every seat"]),
        (brief("{{ everyone | map(attribute='x') | join(' ') }}."), &["b text → every seat: x of every seat"]),
        (brief("{% for s in others %}{{ s['x'] }} {% endfor %}{{ seat.y }}."), &["b text → every seat: x of every other seat"]),
        (brief("{{ (everyone | sort(attribute='x') | first).name }}."), &["b text → every seat: x of every seat"]),
        (brief("{% if seat.x is missing %}None{% else %}{{ everyone[0].y }}{% endif %}."), &["b text → every seat: y of every seat"]),
        (
            brief("{% for s in others %}{% if s.index == seat.index + 1 %}{{ s.x }}{% endif %}{% endfor %}."),
            &["b text → every seat: x of every other seat that the text chooses"],
        ),
        // Both branches print it, an inner loop prints all, and the reader alone chooses nothing.
        (
            brief("{% for s in others %}{% if s.index == 1 %}One: {{ s.x }}{% else %}{{ s.x }}{% endif %}{% endfor %}."),
            &["b text → every seat: x of every other seat"],
        ),
        (
            brief("{% for s in others %}{% if s.index == 1 %}{% for o in others %}{{ o.x }}{% endfor %}{% endif %}{% endfor %}."),
            &["b text → every seat: x of every other seat"],
        ),
        (
            brief("{% for s in others %}{% if seat.index > 0 %}{{ s.x }}{% endif %}{% endfor %}."),
            &["b text → every seat: x of every other seat"],
        ),
        (brief("{% for s in everyone if s.index > 2 %}{{ s.x }}{% endfor %}."), &["b text → every seat: x of every seat that the text chooses"]),
        (brief("{% if parameters.on %}{% for s in others %}{{ s.x }}{% endfor %}{% endif %}."), &["b text → every seat: x of every other seat"]),
        (
            brief("{% for s in others %}{% if s.x > 3 %}{{ s.y }}{% endif %}{% endfor %}."),
            &["b text → every seat: x of every other seat; y of every other seat that the text chooses"],
        ),
        (format!("{ASK}  - {{ name: m, who: seat.x > 3, when: max(everyone.x) > 5, compute: {{ seat.double: seat.x * 2 }} }}"), &[]),
        (brief("{% set s = everyone[1] %}{{ s.x }}."), &["b text → every seat: x of every seat"]),
        (
            format!("{ASK}  - {{ name: m, compute: {{ half: mean(everyone.x) / 2, seat.double: seat.x * 2, third: half / 3 }} }}\n  - {{ name: b, brief: {{ text: \"{{{{ third }}}} {{{{ seat.double }}}}\" }} }}"),
            &["b text → every seat: third (from x); its own double (from x)"],
        ),
        (
            format!("{ASK}  - {{ name: m, when: share(everyone.y) > 0.5, compute: {{ half: mean(everyone.x) / 2 }} }}\n  - {{ name: b, brief: {{ text: \"{{{{ half }}}}\" }} }}"),
            &["b text → every seat: half (from x, y)"],
        ),
        (format!("{ASK}  - {{ name: b, when: share(everyone.y) > 0.5 and not parameters.on, brief: {{ text: Hear. }} }}"), &["b when → every seat: y of every seat"]),
        (format!("{ASK}  - {{ name: b, who: seat.x > 3, brief: {{ text: Hear. }} }}"), &["b who → seat.x > 3: x of every seat"]),
        (
            format!("{ASK}  - name: loop\n    repeat: {{ until: max(everyone.x) > 8, max: 2 }}\n    phases: [ {{ name: c, discussion: {{}} }} ]"),
            &["loop until → every seat: x of every seat"],
        ),
        (
            format!("{ASK}  - {{ name: q, ask: [ {{ id: z, number: {{ min: 0, max: \"default(seat.x, 3)\" }}, question: \"Of {{{{ seat.x }}}}?\" }} ] }}"),
            &[],
        ),
        (
            format!("{ASK}  - {{ name: m, compute: {{ most: max(everyone.x) }} }}\n  - {{ name: q, ask: [ {{ id: z, yes_no: {{}}, question: \"More than {{{{ most }}}}?\" }} ] }}"),
            &["q question z → every seat: most (from x)"],
        ),
        (
            format!("{ASK}  - {{ name: q, ask: [ {{ id: peer, choice: {{ options: \"seat.x > 3 and seat != me\" }}, question: Who? }} ] }}\n  - {{ name: b, brief: {{ text: \"{{{{ seat.peer.name }}}} {{{{ seat.peer.y }}}}\" }} }}"),
            &["q options peer → every seat: x of every seat", "b text → every seat: y of peer"],
        ),
        (
            "  - { name: v, vote: { over: [red, tan], rule: plurality, tie_break: lot, open: announced } }\n  - { name: b, brief: { text: \"{{ v.winner.name }} {{ seat.v.name }} {% for s in others %}{{ s.v.name }} {% endfor %}\" } }".to_owned(),
            &["v ballots → every seat: ballot of every seat", "b text → every seat: v.winner.name; ballot in v of every other seat"],
        ),
        (
            "  - { name: v, vote: { over: [red, tan], rule: plurality, tie_break: lot } }\n  - { name: b, when: v.decided, brief: { text: Done. } }".to_owned(),
            &[],
        ),
        (
            "  - { name: v, vote: { over: [red, tan], rule: plurality, tie_break: lot, announce: false } }\n  - { name: b, when: v.decided, brief: { text: Done. } }".to_owned(),
            &["b when → every seat: v.decided"],
        ),
        (
            "  - { name: w, ask: [ { id: t, text: { chars: [2, 60] }, keep_as: draft, question: Write. } ] }\n  - name: each_one\n    for: { each: draft, as: this }\n    phases: [ { name: b, brief: { text: \"{{ this.text }} by {{ this.author }}\" } } ]".to_owned(),
            &["b text → every seat: draft.text; draft.author"],
        ),
        (
            format!("{ASK}  - {{ name: r, assign: {{ job: {{ roles: {{ boss: 1, clerk: rest }}, by: seat.x }} }} }}\n  - {{ name: b, brief: {{ text: \"{{{{ boss.name }}}} {{{{ boss.y }}}}\" }} }}"),
            &["r assign → every seat: x of every seat", "b text → every seat: boss; y of boss"],
        ),
    ];
    for (agenda, expected) in cases {
        assert_eq!(told(&agenda), expected, "{agenda}");
    }
}

#[test]
fn a_value_of_another_group_or_of_a_smaller_audience_is_marked() {
    let groups = |when: &str, play: &str| {
        format!(
            "  - name: period\n    repeat: {{ times: 3 }}\n    phases:\n      - {{ name: match, when: {when}, assign: {{ team: {{ groups: {{ size: 2 }}, by: lot \
             }} }} }}\n      - name: play\n        groups: team\n        phases:\n{play}"
        )
    };
    let feedback = "          - { name: back, when: not pass.first, brief: { text: \"{% for s in group %}{{ s.net }} {% endfor %}.\" } }\n";
    let asked = "          - { name: give, ask: [ { id: c, number: { min: 0, max: 9 }, question: How many? } ] }\n          - { name: net, compute: { seat.net: seat.c * 2, group.pot: sum(group.c) } }\n";
    let after = "          - { name: now, brief: { text: \"{% for s in group %}{{ s.c }} {{ s.net }} {% endfor %}{{ group.pot }}\" } }\n";
    let outside =
        "  - { name: board, brief: { text: \"{% for s in everyone %}{{ s.net }} {% endfor %}{{ seat.c }}\" } }";
    let now = "now text → every seat of a team: c of each seat of its team; net of each seat of its team (from c); pot of its team (from c)";
    let board = "board text → every seat: net of every seat (from c) (of other groups too!)";
    for (when, back) in [
        ("pass.first", "back text → every seat of a team: net of each seat of its team (from c)"),
        ("true", "back text → every seat of a team: net of each seat of its team (from c) (of other groups too!)"),
        (
            "not parameters.on",
            "back text → every seat of a team: net of each seat of its team (from c) (of other groups too!)",
        ),
        ("pass.first or parameters.on", "back text → every seat of a team: net of each seat of its team (from c)"),
    ] {
        let agenda = format!("{}{outside}", groups(when, &format!("{feedback}{asked}{after}")));
        assert_eq!(told(&agenda), [back, now, board], "{when}");
    }
    let heard = |who: &str, to: &str| {
        format!(
            "  - {{ name: a, who: citizen, heard_by: {to}, ask: [ {{ id: x, yes_no: {{}}, question: Yes? }} ] }}\n  - {{ name: b, {who}brief: {{ text: \"{{% for s \
             in citizen %}}{{{{ s.x }}}} {{% endfor %}}.\" }} }}\n  - {{ name: end, who: mediator, brief: {{ text: End. }} }}"
        )
    };
    for (who, to, expected) in [
        ("", "mediator", "b text → every seat: x of citizen (only mediator heard it!)"),
        ("who: mediator, ", "mediator", "b text → mediator: x of citizen"),
        ("", "everyone", "b text → every seat: x of citizen"),
        ("who: citizen, ", "nobody", "b text → citizen: x of citizen (only nobody heard it!)"),
    ] {
        assert_eq!(told(&heard(who, to)), [expected], "{who}{to}");
    }
}

/// A group that hears answers is told nothing beyond them, until groups are made anew.
#[test]
fn what_a_group_heard_is_marked_outside_that_group_alone() {
    let agenda = "  - { name: split, assign: { table: { groups: { size: 2 }, by: lot } } }
  - { name: halves, assign: { half: { groups: { size: 2 }, by: lot } } }
  - name: seek
    groups: table
    repeat: { until: min(group.cons) == max(group.cons), max: 3 }
    phases:
      - { name: agree, heard_by: group, ask: [ { id: cons, number: { min: 0, max: 5 }, question: How many? } ] }
      - { name: back, brief: { text: \"{% for s in group %}{{ s.cons }} {% endfor %}\" } }
  - { name: other, groups: half, brief: { text: \"{% for s in group %}{{ s.cons }} {% endfor %}\" } }
  - { name: board, brief: { text: \"{% for s in everyone %}{{ s.cons }} {% endfor %}\" } }";
    let expected = [
        "seek until → every seat of a table: cons of each seat of its table",
        "back text → every seat of a table: cons of each seat of its table",
        "other text → every seat of a half: cons of each seat of its half (only group heard it!)",
        "board text → every seat: cons of every seat (only group heard it!)",
    ];
    assert_eq!(told(agenda), expected);
}

#[test]
fn a_phase_that_never_takes_place_tells_nothing() {
    let agenda = |when: &str| {
        format!(
            "  - {{ name: estimate, ask: [ {{ id: e, number: {{ min: 0, max: 9 }}, question: How many? }} ] }}\n  - {{ name: sums, compute: {{ average: \
             mean(everyone.e) }} }}\n  - {{ name: back, when: {when}, brief: {{ text: \"The mean is {{{{ average }}}}.\" }} }}"
        )
    };
    assert!(told(&agenda("parameters.on")).is_empty());
    assert_eq!(told(&agenda("not parameters.on")), ["back text → every seat: average (from e)"]);
}

#[test]
fn check_prints_disclosures_in_lines_and_as_json() {
    let config = repository().join("configs/public_goods.yaml");
    let told = ekklesia(&["check", text(&config)]);
    let lines = [
        "\n disclosure              told to: what\n",
        "\n   shown                 every seat of a team: c of each seat of its team; its\n                         own gross (from c)\n",
    ];
    told.says(0, &lines);
    let told = ekklesia(&["check", "--json", text(&config)]);
    let design: Value = serde_json::from_str(&told.says(0, &[]).stdout).unwrap();
    let shown = &design["arms"][0]["disclosures"][0];
    let expected = serde_json::json!({
        "phase": "shown", "by": "text", "to": "every seat of a team",
        "values": [
            { "name": "c", "of": "each seat of its team" },
            { "name": "gross", "of": "the seat itself", "computed_from": ["c"] },
        ],
    });
    assert_eq!(*shown, expected);
}
