//! What is covered of a line, and what is not.

use super::*;

#[test]
fn keys_and_passwords_are_covered_and_columns_stay() {
    for (line, told) in [
        ("api_key_env: sk-1234 # mine", "api_key_env: ******* # mine"),
        ("{ model: m, api_key_env: \"sk-a b\", modle: n }", "{ model: m, api_key_env: \"******\", modle: n }"),
        ("api_key: 'sk-1'", "api_key: '****'"),
        ("--set models.a.openai.api_key=sk-1", "--set models.a.openai.api_key=****"),
        ("api_key_env: MY_KEY, concurrency: 4", "api_key_env: MY_KEY, concurrency: 4"),
        ("api_key_env: gsk_Zx81kQw0aPmN4LrT7uVb", "api_key_env: ************************"),
        ("api_key_env: [sk-1]", "api_key_env: [****]"),
        ("base_url: \"https://me:geheim@host/v1\"", "base_url: \"https://*********@host/v1\""),
        ("base_url: https://host/v1?key=abc", "base_url: https://host/v1?*******"),
        ("{ base_url: https://host/v1#abc }", "{ base_url: https://host/v1#*** }"),
        (
            "{ base_url: 'https://me:a,b}c d\"@host/v1', model: m }",
            "{ base_url: 'https://***********@host/v1', model: m }",
        ),
        ("base_url: https://me:a,b}c d@host/v1 # mine", "base_url: https://**********@host/v1 # mine"),
        ("{ base_url: https://me:a/b@host, model: m }", "{ base_url: https://******@host, model: m }"),
        ("the api_key of Bob", "the api_key of Bob"),
        ("api_key: correct horse battery # mine", "api_key: ********************* # mine"),
        ("api_key_env: correct horse battery", "api_key_env: *********************"),
        ("api_key: abcd,defg}hijk", "api_key: **************"),
        ("api_key_env: abcd,defg}hijk", "api_key_env: **************"),
        ("{api_key_env: MY_KEY,concurrency: 4}", "{api_key_env: MY_KEY,concurrency: 4}"),
        ("{ api_key: AIzaSyA1b2C3d4E5f6, modle: n }", "{ api_key: ******************, modle: n }"),
        ("api_key: !geheim", "api_key: *******"),
        ("api_key_env: &geheim", "api_key_env: *******"),
        ("api_key: |geheim", "api_key: *******"),
        ("base_url: { a: \"p4,!x9$z\" }", "base_url: { ** \"********\" }"),
        ("api_key: a, api_key: b, base_url: c", "api_key: *, api_key: *, base_url: *"),
        ("see mailto:a@b.example, 10:30@home", "see mailto:a@b.example, 10:30@home"),
        ("10:geheim@home, mailto:me:geheim@host", "*********@home, ****************@host"),
        ("api_key: \"sk\\\"geheim\"", "api_key: \"**********\""),
        ("base_url: \"me:geheim@host/v1\"", "base_url: \"*****************\""),
        ("base_url: \"https:/me:geheim@host/v1\"", "base_url: \"************************\""),
        ("{ base_url: host/v1?key=geheim, model: m }", "{ base_url: ******************, model: m }"),
        ("base_url: \"https://me:ge\\\"heim@host/v1\"", "base_url: \"https://***********@host/v1\""),
        ("{\"base_url\":'https://me:ge''heim@host/v1'}", "{\"base_url\":'https://***********@host/v1'}"),
        ("base_url: &a \"me:ge #heim@host\" # mine", "base_url: &a \"****************\" # mine"),
        ("base_url: https://host/v1?key=a@geheim", "base_url: ****************************"),
        ("{ base_url: localhost:8080/v1, modle: n }", "{ base_url: localhost:8080/v1, modle: n }"),
        ("base_url: https://me:geheim", "base_url: *****************"),
        ("base_url: [me:geheim@host, a]", "base_url: [**************, *]"),
        ("x.base_url=me:geheim@host", "x.base_url=**************"),
        ("base_ulr: \"https://me:ge\\\"heim@host/v1\"", "base_ulr: \"https://***********@host/v1\""),
        ("{ base_url: http://127.0.0.1:8000/v1, modle: n }", "{ base_url: http://127.0.0.1:8000/v1, modle: n }"),
        ("base_ulr: me:geheim@host/v1", "base_ulr: *********@host/v1"),
        ("{ base_ulr: \"http:/me:geheim@host\", model: m }", "{ base_ulr: \"***************@host\", model: m }"),
        ("# was me:geheim@[::1]:80, see below", "# was *********@[::1]:80, see below"),
        ("endpoint: http://me:geheim@host:80/v1", "endpoint: http://*********@host:80/v1"),
        ("--set models.a.openai.base_ulr=me:ge=h,eim@host", "--set models.a.openai.base_ulr=***********@host"),
        ("[me:geheim@host]", "[*********@host]"),
        ("authors: [{ name: A. Author, email: a@b.example }]", "authors: [{ name: A. Author, email: a@b.example }]"),
        ("at: { phase: talk, round: 3 } # @ home", "at: { phase: talk, round: 3 } # @ home"),
        ("base_url: \"http://[::1]:8000/v1/\" # mine", "base_url: \"http://[::1]:8000/v1/\" # mine"),
    ] {
        assert_eq!(concealed_line(line), told);
        assert_eq!(line.chars().count(), told.chars().count());
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_line_of_any_length_is_gone_through_once_on_a_small_stack() {
    const SIGNS: usize = 200_000;
    for part in [
        "://, ",
        "api_key: x, ",
        "api_key_env: \"x\", ",
        "base_url: # ",
        "a:b@c ",
        "api_key ",
        "://a@b",
        "'://",
        "base_url: [' ",
    ] {
        let line = format!("# {}{}", part.repeat(SIGNS / part.len()), " ".repeat(SIGNS));
        let small = std::thread::Builder::new().stack_size(256 * 1024);
        let told = small.spawn(move || {
            let lines = concealed_lines(&[line.clone(), line.clone()]);
            (concealed(&line).len(), concealed_line(&line).len(), lines[0].len(), lines[1].len(), line.len())
        });
        let (words, told, first, next, written) = told.unwrap().join().unwrap();
        assert_eq!([words, told, first, next], [written; 4], "{part}");
    }
}

#[test]
fn words_of_ours_behind_the_path_of_a_key_are_told() {
    for words in [
        "models.a.openai.api_key: unknown key",
        "models.a.openai.api_key_env: the environment variable MY_KEY, which holds the key, is not set",
        "write api_key_env: NAME, the environment variable that holds the key",
    ] {
        assert_eq!(concealed(words), words);
    }
    assert_eq!(concealed("api_key_env: sk-1, api_key_env=sk-2 here"), "api_key_env: ****, api_key_env=**** here");
}

#[test]
fn an_address_whose_scheme_was_forgotten_is_told() {
    for address in ["localhost:8080", "127.0.0.1:8080/v1", "api.example.org"] {
        assert_eq!(told(ADDRESS, address), address);
    }
    assert_eq!(told(ADDRESS, "sk-geheim"), "*********");
    assert_eq!(told(ADDRESS, "me:geheim"), "*********");
}

#[test]
fn a_value_that_goes_on_in_the_next_lines_is_covered_there_and_what_follows_it_is_told() {
    for (text, told) in [
        (
            "base_url: >-\n  me:geheim@host\n\n  geheim\nmodel: m",
            "base_url: >-\n  **************\n\n  ******\nmodel: m",
        ),
        ("- base_url: |\n    geheim\n  model: m", "- base_url: |\n    ******\n  model: m"),
        ("base_url:\n  # mine\n  me:geheim@host\nmodel: m", "base_url:\n  # mine\n  **************\nmodel: m"),
        ("base_url:\n  http://host/v1\nmodel: m", "base_url:\n  http://host/v1\nmodel: m"),
        (
            "base_url: \"https://me:\\\"ge\n heim@host\", model: m",
            "base_url: \"***************\n *********\", model: m",
        ),
        ("base_url: me:ge\n heim@host\nmodel: m", "base_url: *****\n *********\nmodel: m"),
        ("api_key:\n  sk-geheim\nmodel: m", "api_key:\n  *********\nmodel: m"),
        ("{ base_url:\n    me:geheim@host,\n  model: m }", "{ base_url:\n    **************,\n  model: m }"),
        ("base_url: http://host/v1\n   model: m", "base_url: http://host/v1\n   model: m"),
    ] {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        assert_eq!(concealed_lines(&lines).join("\n"), told);
    }
}

#[test]
fn a_value_alone_in_its_line_is_covered() {
    assert_eq!(covered("api_key", "sk-1234"), "*******");
    assert_eq!(covered("api_key_env", "api_key_env: MY_KEY"), "api_key_env: MY_KEY");
    assert_eq!(covered(ADDRESS, "me:geheim@host"), "**************");
    assert_eq!(covered(ADDRESS, "http://host/v1"), "http://host/v1");
}
