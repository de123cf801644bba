//! Copies of the version and of the repository's address agree with Cargo.toml.

use crate::docs::Tree;

/// Addresses in the tree that name a repository of this project's name and are not the one in Cargo.toml.
pub fn foreign_addresses(tree: &Tree, repository: &str) -> Vec<String> {
    let name = repository.rsplit('/').next().unwrap_or(repository);
    let mut found = Vec::new();
    for (path, text) in tree {
        for (index, line) in text.lines().enumerate() {
            let ends = |c: char| c.is_whitespace() || "\"'<>()[]{}`,;".contains(c);
            for address in line.match_indices("https://").filter_map(|(start, _)| line[start..].split(ends).next()) {
                let parts: Vec<&str> = address.trim_end_matches('.').splitn(6, '/').collect();
                let is_named_so = |part: &&str| [name, "ekklesia"].contains(&part.trim_end_matches(".git"));
                if parts.get(4).is_some_and(is_named_so) && parts[..5].join("/").trim_end_matches(".git") != repository
                {
                    found.push(format!("{path}:{}: `{address}` is not the repository in Cargo.toml", index + 1));
                }
            }
        }
    }
    found
}

/// Lines that CITATION.cff lacks.
pub fn missing_in_citation(citation: &str, version: &str, repository: &str) -> Vec<String> {
    let lines = [format!("version: {version}"), format!("repository-code: {repository}")];
    let missing = lines.iter().filter(|line| !citation.lines().any(|there| there == line.as_str()));
    missing.map(|line| format!("CITATION.cff: no line `{line}`")).collect()
}

#[cfg(test)]
const REPOSITORY: &str = concat!("https:/", "/host/us/ekklesia");

#[test]
fn a_foreign_address_is_caught() {
    let found = |text: &str| foreign_addresses(&[("a.md".to_owned(), text.to_owned())].into(), REPOSITORY);
    for same in ["", ".", ".git", "/issues", ")", "/releases/download/v1/x.zip"] {
        assert_eq!(
            found(&format!("see {REPOSITORY}{same} and https://host/them/other")),
            Vec::<String>::new(),
            "{same}"
        );
    }
    for other in [concat!("https:/", "/host/them/ekklesia"), concat!("https:/", "/else/us/ekklesia.git")] {
        assert_eq!(found(&format!("{REPOSITORY}\n<{other}/issues>")).len(), 1, "{other}");
    }
}

#[test]
fn a_stale_citation_is_caught() {
    let citation = format!("title: x\nversion: 1.2.3\nrepository-code: {REPOSITORY}\n");
    assert_eq!(missing_in_citation(&citation, "1.2.3", REPOSITORY), Vec::<String>::new());
    assert_eq!(missing_in_citation(&citation, "1.2", REPOSITORY).len(), 1);
    assert_eq!(missing_in_citation("", "1.2.3", REPOSITORY).len(), 2);
}
