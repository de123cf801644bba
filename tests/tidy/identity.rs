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
