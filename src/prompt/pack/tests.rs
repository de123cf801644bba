//! What a pack promises: it says what is missing, and shows a seat its own perspective.

use super::*;

fn shipped() -> BTreeMap<String, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/motion/prompts/en");
    TEMPLATES
        .iter()
        .map(|name| {
            let source = std::fs::read_to_string(format!("{folder}/{name}.j2")).unwrap();
            ((*name).to_owned(), source)
        })
        .collect()
}

fn with(name: &str, source: &str) -> PromptError {
    let mut templates = shipped();
    templates.insert(name.to_owned(), source.to_owned());
    Pack::compile(&templates).unwrap_err()
}

#[test]
fn the_shipped_pack_compiles_and_its_digest_ignores_line_endings() {
    let pack = Pack::compile(&shipped()).unwrap();
    let crlf = shipped().into_iter().map(|(name, source)| (name, source.replace('\n', "\r\n"))).collect();
    assert_eq!(pack.digest(), Pack::compile(&crlf).unwrap().digest());
}

#[test]
fn every_fault_has_words_of_its_own() {
    let pack = Pack::compile(&shipped()).unwrap();
    let motion = sample::motion();
    let [agent, _] = sample::agents();
    let ask = Ask::Ballot { options: Vec::new() };
    let mut words: Vec<String> = FAULTS
        .iter()
        .map(|fault| pack.render("reask", &Facts::new(&motion, &agent, &ask, 1).after(*fault)).unwrap())
        .collect();
    words.sort();
    words.dedup();
    assert_eq!(words.len(), FAULTS.len());
}

#[test]
fn a_missing_and_a_superfluous_template_are_named() {
    let mut templates = shipped();
    templates.remove("ballot");
    assert_eq!(Pack::compile(&templates).unwrap_err().template, "ballot");
    assert_eq!(with("balot", "x").template, "balot");
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
    let error = with("ballot", "Vote.\n{% if round > 1000 %}{{ nmae }}{% endif %}");
    assert_eq!((error.template.as_str(), error.line), ("ballot", 2));
    assert!(error.reason.contains("nmae"), "{error}");
    let error = with("ballot", "Vote.\n{{ options[0].nmae }}");
    assert_eq!((error.template.as_str(), error.line), ("ballot", 2), "{error}");
}

#[test]
fn a_template_that_says_nothing_for_one_fault_is_turned_away() {
    let error = with("reask", "{% if fault != \"refused\" %}Again.{% endif %}");
    assert_eq!(error.reason, "renders to nothing for the fault refused");
}

#[test]
fn a_template_that_never_ends_runs_out_of_fuel() {
    let error = with("ballot", "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}");
    assert_eq!(error.template, "ballot", "{error}");
}
