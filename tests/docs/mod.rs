//! The documents are true: commands run, YAML means something, links lead somewhere, and reference pages say what the code says.
//!
//! `EKKLESIA_REFRESH=1 cargo test --test all docs::` writes the generated pages anew, and puts what commands really print into the
//! `text` blocks behind them. Read the difference before you keep it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use ekklesia::store::inputs::{Inputs, Overrides};

use crate::fixtures::sample;

mod generated;
mod keys;
mod lay;
mod links;
mod output;
mod page;
mod run;
mod source;

/// Whether pages are to be written instead of compared.
fn is_refresh() -> bool {
    std::env::var_os("EKKLESIA_REFRESH").is_some()
}

#[track_caller]
fn assert_true(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_command_runs_and_every_file_means_something() {
    let (mut wrong, mut not_run) = (Vec::new(), Vec::new());
    let mut proved = 0;
    // All pages are written anew, and one in twelve is proved; `.ci/run` proves all of them on the program as it is shipped.
    let pages = if is_refresh() { page::pages() } else { sample::sample_cases(page::pages(), 12) };
    let outcomes: Vec<run::Outcome> = thread::scope(|scope| {
        let running: Vec<_> = pages.iter().map(|page| scope.spawn(|| run::done(page))).collect();
        running.into_iter().map(|page| page.join().expect("a page is done")).collect()
    });
    for (page, outcome) in pages.iter().zip(outcomes) {
        if let Some(mended) = outcome.mended.filter(|_| is_refresh()) {
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(page), mended).expect("a page is written");
        }
        wrong.extend(outcome.wrong);
        wrong.extend(outcome.differs.into_iter().filter(|_| !is_refresh()));
        not_run.extend(outcome.not_run);
        proved += outcome.proved;
    }
    println!("{proved} blocks proved");
    println!("{} not run:\n  {}", not_run.len(), not_run.join("\n  "));
    assert!(proved > pages.len(), "only {proved} blocks of {} pages were proved", pages.len());
    assert_true(&wrong);
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn the_pages_can_be_followed_one_after_another_in_one_folder() {
    let is_followed =
        |page: &Path| !page.starts_with("docs/src/reference") && !page.starts_with("docs/src/explanation");
    let pages = links::in_order().into_iter().filter(|page| is_followed(page));
    let pages: Vec<_> = [Path::new("README.md").to_owned()].into_iter().chain(pages).collect();
    assert!(pages.len() > 10, "{pages:?}");
    // One page in seven is followed after others; each was followed in a folder of its own above.
    let pages = sample::sample_cases(pages.iter().map(|page| page.as_path()), 7);
    let outcomes = run::followed(&pages);
    assert_true(&outcomes.into_iter().flat_map(|outcome| outcome.wrong).collect::<Vec<_>>());
}

/// The second tutorial shows lines of shipped files: laid where they belong, they change nothing.
#[test]
fn the_tutorial_of_designs_shows_what_is_shipped() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/src/twelve-designs.md")).expect("the page");
    let blocks = page::blocks(&page).expect("blocks");
    let shown: Vec<_> = blocks.iter().filter(|block| block.language == "yaml").collect();
    assert!(shown.len() >= 12);
    for block in shown {
        let (file, at) = (block.note("in").expect("a file"), block.note("at").expect("a place"));
        let shipped = fs::read_to_string(root.join(file)).expect("a shipped file");
        let laid = lay::laid(&shipped, &block.text, at).expect("YAML");
        assert_eq!(
            laid,
            lay::laid(&shipped, "{}", "").expect("YAML"),
            "line {}: {file} has something else at {at}",
            block.line
        );
    }
}

/// A value that no setting takes is refused at the setting itself, not on the way there.
#[test]
fn settings_that_a_scenario_describes_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut tried, mut wrong) = (0, Vec::new());
    for page in page::pages().into_iter().filter(|page| page.starts_with("scenarios")) {
        let text = fs::read_to_string(root.join(&page)).expect("a page");
        let name = page.parent().and_then(Path::file_name).and_then(|name| name.to_str()).expect("a scenario's folder");
        let firsts = text.lines().filter_map(|line| line.strip_prefix("| `agenda.")?.split_once(" |"));
        for key in
            firsts.flat_map(|(first, _)| first.split("`agenda.").map(|key| key.split('`').next().unwrap_or_default()))
        {
            let no_value = if key.contains('.') { "[[]]" } else { "{ no_such_key: 1 }" };
            let set = vec![format!("agenda.{key}={no_value}")];
            let config = root.join("configs").join(format!("{name}.yaml"));
            let read = Inputs::read_config(&config, Overrides { set, ..Overrides::default() });
            let problems =
                read.and_then(|inputs| inputs.resolve()).map(|_| ()).expect_err("no setting takes this").to_string();
            let unknown = format!("{}: unknown key", key.rsplit('.').next().unwrap_or_default());
            let astray = [&unknown, "no phase of this name", "no field of this name", "no setting of this name"];
            if astray.iter().any(|astray| problems.contains(*astray)) {
                wrong.push(format!("{}: agenda.{key}\n{problems}", page.display()));
            }
            tried += 1;
        }
    }
    assert!(tried > 25, "{tried}");
    assert_true(&wrong);
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages = page::pages();
    pages.extend(["ARCHITECTURE.md", "GLOSSARY.md", "CHANGELOG.md", "results/README.md"].map(Into::into));
    pages.extend(["CONTRIBUTING.md", "SECURITY.md", "packaging/README.md"].map(Into::into));
    let broken: Vec<String> = pages.iter().flat_map(|page| links::broken(page)).collect();
    assert_true(&broken);
}

#[test]
fn the_contents_name_every_page() {
    assert_true(&links::unlisted());
}

#[test]
fn generated_pages_say_what_the_code_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut stale = Vec::new();
    for page in generated::pages() {
        let path = root.join(page.path);
        if is_refresh() {
            fs::write(&path, &page.text).expect("a page is written");
        } else if fs::read_to_string(&path).unwrap_or_default() != page.text {
            stale.push(format!("{} is stale: EKKLESIA_REFRESH=1 cargo test --test all docs::", page.path));
        }
    }
    assert_true(&stale);
}

#[test]
fn every_record_of_a_run_is_described() {
    let described = source::members("src/domain/event.rs", "Event").1;
    let tally = source::members("src/domain/tally.rs", "TallyReport").1;
    let answered = source::members("src/domain/answered.rs", "Answered").1;
    let briefing = source::members("src/domain/briefing.rs", "Briefing").1;
    let payment = source::members("src/domain/payoff.rs", "Payment").1;
    let out = tempfile::TempDir::new().expect("a folder");
    let arguments = ["run", "configs/justice.yaml", "--replicates", "3", "--json", "--out"];
    let ran = Command::new(sample::program())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .arg(out.path().join("results"))
        .output();
    assert!(ran.expect("the program was built").status.success());
    let mut kinds = BTreeSet::new();
    for session in fs::read_dir(out.path().join("results/sessions")).expect("sessions") {
        let minutes = session.expect("a session").path().join("minutes.jsonl");
        for line in fs::read_to_string(minutes).expect("minutes").lines() {
            let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let (kind, fields) = record["event"].as_object().and_then(|event| event.iter().next()).expect("an event");
            let member = described.iter().find(|member| member.name == *kind);
            let member = member.unwrap_or_else(|| panic!("{kind} is not described"));
            let own;
            let known = match kind.as_str() {
                "Tallied" => &tally,
                "Answered" => &answered,
                "Briefed" => &briefing,
                "Paid" => &payment,
                _ => {
                    own = generated::fields_of_event(member);
                    &own
                }
            };
            for field in fields.as_object().expect("fields").keys() {
                assert!(known.iter().any(|member| member.name == *field), "{kind}.{field} is not described");
            }
            if kind == "Answered" {
                let names =
                    ekklesia::domain::ANSWER_VALUES.iter().find(|(step, _)| step.as_str() == record["at"]["step"]);
                let names = names.expect("a step of answers").1;
                let values = fields["values"].as_object().expect("values");
                assert!(values.keys().all(|name| names.contains(&name.as_str())), "{record}");
            }
            kinds.insert(record["at"]["step"].to_string() + kind);
        }
    }
    assert!(kinds.len() > 15, "only {kinds:?} were recorded");
}
