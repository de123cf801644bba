#!/usr/bin/env python3
"""Measures the code base: size, import circles, names, repeated types, tests and docs. README.md beside this file defines each figure.

    census.py [ROOT] [--json] [--circles] [--check] [--since FILE.json]
    census.py --self-test

ROOT is the repository; by default, the one that holds this script. `--json` prints the figures as JSON, `--since` prints the change of
each total since an earlier `--json` output, and `--circles` lists the files of the largest import circle of each module, and `--check`
fails if one of them is larger than it may be.
"""
import argparse
import json
import pathlib
import re
import sys
import tempfile
from collections import Counter, namedtuple

# The most files that may lead to each other in a circle of imports within a module.
CIRCLE_MAX = 3
# Characters of an average line of code, without indentation, when the census was introduced.
LINE_CHARACTERS = 36.5
SHORT_FILE, LONG_FILE = 60, 800
# Filler: words that name neither an action nor a thing. A function name of two or more words, all of them filler, says nothing.
FILLER = set("""
    a about after again all an and any are as at away back be been before both but by can did do does every for from get gets given gives go
    goes gone had has have here how if in into is it its itself made make makes may more must no not now of off on one ones only or other others
    out over own per put puts read reads said same say says so such take taken takes tell tells than that the their them there these they thing
    things this those through to told too under until up was were what when where which who whose will with without
""".split())
VENDORED = re.compile(r"\.min\.|(^|/)(vendor|vendored|third_party)/")
DOCS = ("*.md", "docs/src/**/*.md", "scenarios/*/README.md", "results/README.md", ".ci/*.md")
# Comments and literals of Rust. A block comment may hold others, here down to the fourth.
BLOCK = r"/\*(?:[^*/]|\*(?!/)|/(?!\*))*\*/"
for _ in range(3):
    BLOCK = rf"/\*(?:[^*/]|\*(?!/)|/(?!\*)|{BLOCK})*\*/"
RUST_TEXT = re.compile(rf"""
    (?P<comment>//[^\n]*|{BLOCK}) | (?<!\w)[bc]?r(?P<hashes>\#*)".*?"(?P=hashes) | (?:(?<!\w)[bc])?"(?:[^"\\]|\\.)*"
    | (?:(?<!\w)b)?'(?:\\(?:u\{{[^}}]*\}}|.[^']*)|[^\\'\n])'""", re.DOTALL | re.VERBOSE)
# Comments of files that are not Rust. In a script, strings and regular expressions are matched first and kept.
HASH = re.compile(r"(?m)^\s*#(?!!).*$")
MARKUP = re.compile(r"<!--.*?-->|\{#.*?#\}", re.DOTALL)
SCRIPT = re.compile(r"""
    (?P<kept>"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `(?:[^`\\]|\\.)*` | (?<=[(=,:])\s?/(?![/*])(?:\[[^\]\n]*\]|\\.|[^/\\\n])+/)
    | //[^\n]* | /\*.*?\*/""", re.DOTALL | re.VERBOSE)
COMMENTS = {"html": MARKUP, "j2": MARKUP, "js": SCRIPT, "css": re.compile(BLOCK), "yaml": HASH, "toml": HASH, "sh": HASH, "py": HASH, "R": HASH}
TEST_FUNCTION = re.compile(r"#\[(?:\w+::)*test\b(?:\([^\]]*\))?\]")
TEST_ITEM = re.compile(rf"(?:#\[[^\[\]]*\]\s*)*(?:#!?\[cfg\((?:test|all\((?:[^\]]*,\s*)?test\b[^\]]*\))\)\]|{TEST_FUNCTION.pattern})")
DEFINITION = re.compile(r"(?<![\w'])(pub\b[^;{}=!']*?)?\b(fn|struct|enum|trait|type|const|static|macro_rules!)\s+(?!fn\b|unsafe\b)(?:r#)?(\w+)")
IMPLEMENTATION = re.compile(r"(?:^|(?<=[;}\]{]))\s*(?:unsafe\s+)?impl\b([^{;]*)\{")
USE = re.compile(r"(pub\s*(?:\([^)]*\)\s*)?)?\buse\s+([^;<]+);")
PATH = re.compile(r"(?<![\w:])\w+(?:\s*::\s*\w+)+")
TAKES_SELF = re.compile(r"\s*(?:<[^{;]*?>)?\s*\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b")
Import = namedtuple("Import", "path alias is_public")
Target = namedtuple("Target", "file is_module is_exact")
OUTSIDE = Target(None, False, True)


# Text: comments, literals and tests of a Rust file

def blank_spans(text, spans):
    """The text with spaces in place of some spans, in order; each character keeps its place."""
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        at = end
    return "".join(parts) + text[at:]


def find_item_end(code, start):
    """The place behind an item or a bracket: the `;` or the `}` at its level."""
    depth = 0
    for match in re.compile(r"[(){}\[\];]").finditer(code, start):
        depth += {"(": 1, "[": 1, "{": 1, ";": 0}.get(match.group(), -1)
        if depth <= 0 and match.group() in ";}":
            return match.end() if depth == 0 else match.start()
    return len(code)


def find_tests(code):
    """The spans of test items."""
    spans, at = [], 0
    while match := TEST_ITEM.search(code, at):
        at = len(code) if "#!" in match.group() else find_item_end(code, match.end())
        spans.append((match.start(), at))
    return spans


def strip_lines(text):
    return [line.strip() for line in text.split("\n")]


class RustFile:
    """A Rust file: its lines, and its production code without comments, literals and tests (`code`)."""

    def __init__(self, path, source, is_test=False):
        text = path.read_text(encoding="utf-8")
        found = list(RUST_TEXT.finditer(text))
        bare = blank_spans(text, [match.span() for match in found if match["comment"]])
        code = blank_spans(text, [match.span() for match in found])
        tests = [(0, len(text))] if is_test else find_tests(code)
        self.path, self.name, self.text, self.is_test = path, path.relative_to(source).as_posix(), text, is_test
        self.module = self.name.split("/")[0]
        self.code = blank_spans(code, tests)
        untested, bare = strip_lines(blank_spans(text, tests)), strip_lines(blank_spans(bare, tests))
        self.line_count, self.tests = len(text.splitlines()), len(TEST_FUNCTION.findall(code))
        self.rust_lines, self.rust_characters = sum(map(bool, bare)), sum(map(len, bare))
        self.comment_lines = sum(bool(line) and not kept for line, kept in zip(untested, bare))
        self.test_lines = sum(map(bool, strip_lines(text))) - sum(map(bool, untested))
        self.read_items()

    def read_items(self):
        """Reads what production code declares, imports and names."""
        used = [match.span() for match in USE.finditer(self.code)]
        self.rest = blank_spans(self.code, used)
        self.modules = re.findall(r"\bmod\s+(\w+)\s*;", self.code)
        self.imports = [entry for match in USE.finditer(self.code) for entry in parse_imports(match[2], bool(match[1]))]
        self.paths = [tuple(re.split(r"\s*::\s*", path)) for path in PATH.findall(self.rest)]
        self.words = set(re.findall(r"(?<!\bmod )\b\w+", self.rest))
        self.items, self.functions, self.types = {}, [], []
        implementations = [match.end() for match in IMPLEMENTATION.finditer(self.rest) if re.search(r"\bfor\b(?!\s*<)", match[1])]
        bodies = [(start, find_item_end(self.rest, start - 1)) for start in implementations]
        for match in DEFINITION.finditer(self.rest):
            self.read_definition(match, bodies)
        for match in re.finditer(r"(?m)^(?!macro_rules)\w+!\s*(?=[(\[{])", self.rest):
            words = re.findall(r"\w+", self.rest[match.end() : find_item_end(self.rest, match.end())])
            # A macro may define what it names, unless that is imported.
            self.items = dict.fromkeys(set(words) - {entry.alias for entry in self.imports}, True) | self.items

    def read_definition(self, match, bodies):
        """Reads the name of an item; `bodies` are those of implementations of traits, which fix the names of functions."""
        kind, name, at, is_outermost = match[2], match[3], match.start(), self.is_balanced(0, match.start())
        if is_outermost:
            self.items[name] = bool(match[1]) or kind == "macro_rules!"
        if kind == "fn" and not any(start <= at < end and self.is_balanced(start, at) for start, end in bodies):
            self.functions.append((name, TAKES_SELF.match(self.rest, match.end()) is not None))
        elif kind in {"struct", "enum", "trait"} or (kind == "type" and is_outermost):
            self.types.append((kind, name))

    def is_balanced(self, start, end):
        return self.rest.count("{", start, end) == self.rest.count("}", start, end)


def parse_imports(tree, is_public):
    """The imports of the tree of a `use`."""
    count = 1
    while count:
        # The innermost groups first: `a::{b, c}` becomes `a::b, a::c`.
        join = lambda match: ",".join(match[1] + part for part in match[2].split(",") if part.strip())
        tree, count = re.subn(r"([^{},]*)\{([^{}]*)\}", join, tree)
    for branch in tree.split(","):
        written, _, alias = branch.partition(" as ")
        names = re.findall(r"\w+|\*|^\s*::", written)
        names = names[:-1] if names[-1] == "self" and len(names) > 1 else names
        yield Import(tuple(names), alias.strip() or names[-1], is_public)


class Graph:
    """The Rust files of a source folder, and the edges from each to the files that define what its production code uses."""

    def __init__(self, source, package):
        self.source, self.package, self.files, self.unresolved = source, package, {}, []
        roots = [path for path in (source / "lib.rs", source / "main.rs", *source.glob("bin/*.rs")) if path.exists()]
        self.library = [self.load_file(path, None) for path in roots][0]
        for path in sorted(set(source.rglob("*.rs")) - set(self.files)):
            # Production code declares no such module: it belongs to tests.
            self.files[path] = RustFile(path, source, is_test=True)
        declared = {name for file in self.files.values() for name in re.findall(r"\bmod (\w+)\s*;", file.text)}
        names = {file: path.parent.name if path.stem == "mod" else path.stem for path, file in self.files.items()}
        self.undeclared = [file.name for file, name in names.items() if file.is_test and name not in declared]
        self.edges = {file: set() for file in self.files.values()}
        for file in self.files.values():
            if not file.is_test:
                self.add_edges(file)

    def load_file(self, path, parent):
        """Reads a file and the files of the modules it declares."""
        file = self.files[path] = RustFile(path, self.source)
        file.parent, file.children = parent, {}
        file.root = parent.root if parent else file
        folder = path.parent if parent is None or path.stem == "mod" else path.with_suffix("")
        for name in file.modules:
            for choice in (folder / f"{name}.rs", folder / name / "mod.rs"):
                if choice.exists():
                    file.children[name] = self.load_file(choice, file)
        return file

    def resolve(self, file, path, wants_module=False, seen=frozenset()):
        """What a path names, read in the module of a file."""
        starts = {"crate": file.root, "self": file, "super": file.parent or file, self.package: self.library}
        start, rest = starts.get(path[0]) if path[0] not in file.children else None, path[1:]
        while start and rest[:1] == ("super",):
            start, rest = start.parent or start, rest[1:]
        module, names = (start, rest) if start else (file, path)
        for place, name in enumerate(names):
            found = self.find_name(module, name, wants_module or place < len(names) - 1, seen)
            if found is None:
                return Target(module, False, False) if start or place else OUTSIDE
            if not found.is_module:
                return found
            module = found.file
        return Target(module, True, True)

    def find_name(self, file, name, wants_module, seen=frozenset()):
        """What a name means in the module of a file; `None` if nothing there explains it."""
        key = (file, name, wants_module)
        if key in seen:
            return None
        if name in file.children and wants_module:
            return Target(file.children[name], True, True)
        if name in file.items:
            return Target(file, False, True)
        for entry in file.imports:
            if entry.alias == name:
                return self.resolve(file, entry.path, wants_module, seen | {key})
        for entry in file.imports:
            target = self.resolve(file, entry.path[:-1], True, seen | {key}) if entry.alias == "*" else OUTSIDE
            found = target.is_module and self.find_name(target.file, name, wants_module, seen | {key})
            if found:
                return found
        return Target(file.children[name], True, True) if name in file.children else None

    def add_edges(self, file):
        for path in [*self.list_imports(file), *file.paths]:
            target = self.resolve(file, path)
            if not target.is_exact:
                self.unresolved.append(f"{file.name}: {'::'.join(path)}")
            # A module alone makes no edge: the paths through it do.
            if target.file not in (None, file) and not target.is_module:
                self.edges[file].add(target.file)

    def list_imports(self, file):
        """The paths that a file imports. A glob stands for the names that the file uses; a re-export counts where its name is used."""
        for entry in file.imports:
            target = self.resolve(file, entry.path[:-1], True) if entry.alias == "*" else OUTSIDE
            if target.is_module:
                names = {name for name, is_public in target.file.items.items() if is_public}
                names |= {other.alias for other in target.file.imports if other.is_public}
                yield from ((*entry.path[:-1], name) for name in file.words & names - set(file.items))
            elif not entry.is_public or entry.alias in file.words:
                yield entry.path


def find_largest_circle(edges, files):
    """The names of the largest set of files that all lead to each other along edges within `files`."""
    reach = {file: edges[file] & files for file in files}
    for middle in files:
        for file in files:
            if middle in reach[file]:
                reach[file] |= reach[middle]
    circles = [sorted({file.name} | {other.name for other in reach[file] if file in reach[other]}) for file in files]
    return min(circles, key=lambda circle: (-len(circle), circle), default=[])


# Figures

def find_embedded(root, graph):
    """The files that are not Rust, each with the module that holds it: those under src, and those that production code embeds."""
    names = {path: path.relative_to(graph.source).parts for path in sorted(graph.source.rglob("*")) if path.is_file()}
    found = {path: parts[0] for path, parts in names.items() if path.suffix != ".rs" and "tests" not in parts}
    for file in graph.files.values():
        for match in re.finditer(r"\binclude_(?:str|bytes)!\(", file.code):
            name = re.match(r'\s*"([^"]*)"', file.text[match.end() :])
            path = (file.path.parent / name[1]).resolve() if name else root
            if path.is_file() and root in path.parents:
                found.setdefault(path, file.module)
    return found


def count_embedded(root, paths, lists):
    """The figures of files that are not Rust; lists those that are vendored or not text, and those outside src."""
    lines = []
    for path in paths:
        name, data = path.relative_to(root).as_posix(), path.read_bytes()
        if VENDORED.search(name) or b"\0" in data:
            lists["vendored"].append(f"{name} ({len(data)} bytes)")
            continue
        comments = COMMENTS.get(path.suffix[1:], re.compile("(?!)"))
        text = comments.sub(lambda match: match.groupdict().get("kept") or "\n" * match.group().count("\n"), data.decode("utf-8", "replace"))
        found = [line for line in strip_lines(text) if line]
        lines += found
        if not name.startswith("src/"):
            lists["outside"].append(f"{name} ({len(found)} lines)")
    return {"embedded_lines": len(lines), "embedded_characters": sum(map(len, lines))}


def count_rust(files, repeated):
    """The figures of Rust files that add up over modules; `repeated` are the names that several types have."""
    functions = [name for file in files for name, _ in file.functions]
    free = [name for file in files for name, takes_self in file.functions if not takes_self]
    lines = ("rust_lines", "rust_characters", "comment_lines", "source_test_lines", "source_tests")
    return {key: sum(getattr(file, key.removeprefix("source_")) for file in files) for key in lines} | {
        "files": len(files),
        "short_files": sum(file.line_count < SHORT_FILE for file in files),
        "long_files": sum(file.line_count > LONG_FILE for file in files),
        "functions": len(functions),
        "one_word": sum(map(is_one_word, functions)),
        "free_functions": len(free),
        "one_word_free": sum(map(is_one_word, free)),
        "filler": sum(map(is_filler, functions)),
        "repeated_types": sum(name in repeated for file in files for kind, name in file.types if kind != "type"),
        "event_files": sum(re.search(r"\bEvent::", file.code) is not None for file in files),
        "ask_files": sum(re.search(r"\bAsk::", file.code) is not None for file in files),
    }


def is_one_word(name):
    return "_" not in name.strip("_")


def is_filler(name):
    return not is_one_word(name) and all(word in FILLER for word in name.split("_") if word)


def count_repeated(files, kinds):
    """The names that several types have, each with their number."""
    counts = Counter(name for file in files for kind, name in file.types if kind in kinds)
    return {name: count for name, count in counts.items() if count > 1}


def count_outside(root, lists):
    """The figures of tests, benches, docs and dependencies."""
    files = [RustFile(path, root, is_test=True) for folder in ("tests", "benches") for path in (root / folder).rglob("*.rs")]
    pages = {page.relative_to(root).as_posix(): page.read_text(encoding="utf-8") for pattern in DOCS for page in sorted(root.glob(pattern))}
    words = {name: len(text.split()) for name, text in pages.items()}
    generated = {name for name, text in pages.items() if text.startswith("<!-- generated") or name == "results/README.md"}
    lists["generated"] = [f"{name} ({words[name]} words)" for name in sorted(generated)]
    return {
        "test_lines": sum(file.test_lines for file in files),
        "tests": sum(file.tests for file in files),
        "doc_words": sum(count for name, count in words.items() if name not in generated),
        "generated_words": sum(words[name] for name in generated),
        "packages": sum(lock.read_text(encoding="utf-8").count("[[package]]") for lock in root.glob("Cargo.lock")),
    }


def add_ratios(figures):
    """Adds the figures that are computed from others and do not add up over modules."""
    figures["lines"] = figures["rust_lines"] + figures["embedded_lines"]
    figures["production_lines"] = round((figures["rust_characters"] + figures["embedded_characters"]) / LINE_CHARACTERS)
    figures["rust_production_lines"] = round(figures["rust_characters"] / LINE_CHARACTERS)
    for part, base in (("one_word", "functions"), ("one_word_free", "free_functions"), ("filler", "functions")):
        figures[f"{part}_percent"] = round(100 * figures[part] / max(figures[base], 1), 1)


def measure(root):
    """All figures of a repository: by module, in total, and as lists."""
    package = re.search(r'(?m)^name\s*=\s*"([\w-]+)"', (root / "Cargo.toml").read_text(encoding="utf-8"))
    graph = Graph(root / "src", package[1].replace("-", "_"))
    files, embedded = set(graph.files.values()), find_embedded(root, graph)
    repeated, aliased = (count_repeated(files, {"struct", "enum", "trait"} | more) for more in (set(), {"type"}))
    modules, lists = {}, {"vendored": [], "outside": [], "unresolved": graph.unresolved, "circles": {},
                      "undeclared": graph.undeclared}
    for module in sorted({file.module for file in files} | set(embedded.values())):
        held = {file for file in files if file.module == module}
        paths = [path for path, holder in embedded.items() if holder == module]
        modules[module] = count_embedded(root, paths, lists) | count_rust(held, repeated)
        lists["circles"][module] = find_largest_circle(graph.edges, held)
    total = {key: sum(figures[key] for figures in modules.values()) for key in modules["lib.rs"]}
    lists["circles"]["total"] = find_largest_circle(graph.edges, files)
    for module, figures in [*modules.items(), ("total", total)]:
        figures["circle"] = len(lists["circles"][module])
        add_ratios(figures)
    total |= {"repeated_names": len(repeated), "repeated_names_with_aliases": len(aliased), "repeated_types_with_aliases": sum(aliased.values())}
    total |= {"edges": sum(map(len, graph.edges.values())), "unresolved": len(graph.unresolved)} | count_outside(root, lists)
    return {"modules": modules, "total": total, "lists": lists}


COLUMNS = {"production_lines": "production", "lines": "lines", "comment_lines": "comments", "files": "files", "short_files": f"<{SHORT_FILE}",
           "long_files": f">{LONG_FILE}", "circle": "circle", "functions": "functions", "one_word_percent": "1 word %",
           "one_word_free_percent": "free %", "filler_percent": "filler %", "repeated_types": "repeated", "event_files": "Event",
           "ask_files": "Ask", "source_test_lines": "test lines", "source_tests": "tests"}


def print_report(report, since, shows_circles):
    figures = report["modules"] | {"total": report["total"]}
    rows = [["module", *COLUMNS.values()], *([module, *(format_number(figures[module][key]) for key in COLUMNS)] for module in figures)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print(row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:])), sep="  ")
    print()
    for key, value in report["total"].items():
        change = "" if since is None else f"  ({value - since['total'].get(key, 0):+,.8g})".replace(",", " ")
        print(f"{key.replace('_', ' '):<28}{format_number(value):>10}{change}")
    for name in ("vendored", "outside", "generated", "unresolved", "undeclared"):
        print(f"{name}: {', '.join(report['lists'][name]) or 'none'}")
    for module, names in report["lists"]["circles"].items():
        if shows_circles and len(names) > 1:
            print(f"\n{module}: {len(names)} files in a circle", *names, sep="\n  ")


def format_number(value):
    return f"{value:,.8g}".replace(",", " ")


SAMPLE = {
    "Cargo.toml": '[package]\nname = "sample"\n',
    "Cargo.lock": '[[package]]\nname = "sample"\n',
    "README.md": "Three plain words\n",
    "src/lib.rs": "mod ring;\npub mod text;\n#[cfg(test)]\nmod laws;\n",
    "src/laws.rs": "use crate::text::Twin;\n#[test]\nfn law() { Event::A; }\n",
    "src/ring/mod.rs": "mod one;\nmod two;\npub use one::One;\npub use self::two::{two, Two as Second};\npub fn start() {}\n",
    "src/ring/one.rs": "use super::{Second, start as begin};\nuse crate::text;\npub struct One;\npub struct Twin;\npub use crate::text::Twin as Unused;\n",
    "src/ring/two.rs": "use crate::ring::*;\npub struct Two(One); pub fn two() {}\nimpl Drop for Two { fn drop(&mut self) { crate::ring::Missing::make() } }\n",
    "src/text.rs": """//! A comment, /* not open.
/* A comment /* in a comment */ fn hidden() {} */
pub struct Twin<'a>(&'a str); // `"` opens nothing
const QUOTE: char = '"'; fn ask_after() {} const PLAIN: &str = "// text /* text \\" fn none() {";
const RAW: &str = r#"fn none() { " // "#; trait Keep<'a> { fn keep_text(&self); } trait Drop<'a> {} const TICK: char = '\\'';
impl<'a> Twin<'a> { fn read_it<F: Fn() -> u8>(&self) { Event::A } pub(in crate::ring::one) fn of() {} }
#[cfg(test)]
mod tests { fn none() { crate::ring::start() } #[test] fn one() {} }
#[cfg(not(test))] fn ask_plainly() { sample::ring::start(); Ask::B }
""",
    "src/stray.rs": "fn lost() {}\n",
    "src/text/page.js": "// A comment\nlet address = 'http://a' + \"//b\"; /* no */\n",
    "tests/all.rs": "#[tokio::test(flavor)]\nasync fn works() {}\n\n",
}
EXPECTED = {
    "rust_lines": 20, "embedded_lines": 1, "embedded_characters": 33, "comment_lines": 2, "files": 7, "functions": 7, "one_word": 3,
    "free_functions": 5, "filler": 1, "repeated_names": 1, "repeated_types": 2, "event_files": 1, "ask_files": 1, "source_test_lines": 8,
    "source_tests": 2, "tests": 1, "test_lines": 2, "circle": 2, "edges": 5, "unresolved": 1, "doc_words": 3, "packages": 1,
}


def test_self():
    """Measures a small tree of known figures; returns the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in SAMPLE.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        report = measure(root)
    wrong = [f"{key}: {report['total'][key]}, expected {value}" for key, value in EXPECTED.items() if report["total"][key] != value]
    if (undeclared := report["lists"]["undeclared"]) != ["stray.rs"]:
        wrong.append(f"undeclared: {undeclared}, expected stray.rs")
    print(*wrong or ["self-test: all figures as expected"], sep="\n")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--since", type=pathlib.Path, metavar="FILE.json")
    for name in ("--json", "--circles", "--check", "--self-test"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return test_self()
    since = None
    try:
        since = json.loads(options.since.read_text(encoding="utf-8")) if options.since else None
    except (OSError, ValueError) as error:
        parser.error(f"{options.since}: {error}")
    if not (options.root / "Cargo.toml").exists():
        parser.error(f"{options.root} has no Cargo.toml")
    report = measure(options.root.resolve())
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        print_report(report, since, options.circles)
    return check_circles(report) if options.check else 0


def check_circles(report):
    """Names each module with a larger circle of imports than it may have; 1 if there is one."""
    circles = {module: files for module, files in report["lists"]["circles"].items() if module != "total"}
    large = {module: files for module, files in circles.items() if len(files) > CIRCLE_MAX}
    for module, files in large.items():
        print(f"{module}: {len(files)} files import each other in a circle: {', '.join(files)}", file=sys.stderr)
    return int(bool(large))


if __name__ == "__main__":
    sys.exit(main())
