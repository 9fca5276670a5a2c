#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No name, comment, message or page contains a retired word: a word that pmuq replaced by the field's own, or that needs a
second reading. vocabulary.py SOURCE_DIR. docs/DEVELOPING.md has the glossary. Prints TAP.

A string literal with two words is taken for a text that people read. Names in backticks and code blocks are not prose."""
import io
import pathlib
import re
import sys
import tokenize

# In names and in prose.
RETIRED = set("""answer answered answers ask asked asking asks blame box boxes claim claims deferred direct_event doubt doubts
    experiment experiments fault faults fleet gate gates given givens kin kind kinds lack lacks look looks manners place places
    privileges reading readings room rooms said say says settle settled settles spot spots talk talks tell tells told
    verdict verdicts worlds""".split())
# Plain English in prose.
ONLY_IN_NAMES = set("look looks place reading".split())
ONLY_IN_PROSE = set("anew behind beside stranger strangers speak speaks spoken stand standing stands stood".split())
# Plain words that are hard to read in these phrases.
PHRASES = re.compile(r"in front of|(?:takes?|taken|took) (?:the|its|their|whose) place|in (?:the|its|their|whose) place"
                     r"|(?<!there )\b(?:is|are|was|were) no (?!longer|more)|partial machine|direct events?", re.I)
# The only exceptions. A pattern is removed from a text before the words are looked up.
EXCEPTIONS = {
    r"`[^`]*`": "a name, not prose",
    r"stand(?:s|ing)? for\b": "a plain word for a short form and its meaning",
    r"page-faults faults|page.faults?|(?:minor|major).faults?|deferred call.?chains?": "words of the kernel and of perf",
    r"(?:docs/)?\bfleet\.md": "a page: people search for that word",
    r"box(?:es)? characters?|box.drawing": "the Unicode block",
}
# Identifiers of the kernel and of C libraries.
NOT_OURS = re.compile(r"(PERF_COUNT_SW_PAGE_FAULTS\w*|\w*page_faults?\w*|\w*(MAJ|MIN)_FAULTS?|\w*(major|minor)_faults?)")
# Texts of other projects, recorded output and input of tests, and this list.
SKIPPED = re.compile(r"(build[^/]*|\..*|subprojects)/|tests/.*\.(json|yaml|txt)$|tests/(.*/)?[^./]*$|tests/vocabulary\.py"
                     r"|LICENSE|debian/(copyright|changelog)")
# The directories whose names are checked.
NAMED = ("core", "discover", "encode", "decode", "complete", "open", "db", "vendor", "pfm", "document", "perfdata", "diff", "cli",
         "service", "watch", "remote", "inbox", "compat", "include", "examples", "tests", "scripts", "bindings")

C_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def has_words(literal):
    return re.search(r"[A-Za-z,] [a-z]", literal)


def c_prose(text):
    return [token for token in C_TOKEN.findall(text) if token.startswith("/") or has_words(token)]


def python_tokens(text):
    return tokenize.generate_tokens(io.StringIO(text).readline)


def python_prose(text):
    return [token.string for token in python_tokens(text)
            if token.type == tokenize.COMMENT or token.type == tokenize.STRING and has_words(token.string)]


def markdown_prose(text):
    return ["\n".join(line for line in text.split("\n") if not line.startswith("    "))]


def manual_prose(text):
    return [re.sub(r"(?m)^\.Bd -(literal|unfilled).*?^\.Ed", "", text, flags=re.S)]


def shell_prose(text):
    comments = re.findall(r"(?m)(?:^|\s)(#\s.*)$", text)
    return comments + [literal for literal in re.findall(r"\"[^\"\n]*\"|'[^'\n]*'", text) if has_words(literal)]


PROSE = {".c": c_prose, ".h": c_prose, ".cpp": c_prose, ".hpp": c_prose, ".py": python_prose, ".md": markdown_prose,
         ".case": lambda text: re.findall(r"(?m)^#.*$", text), ".sql": lambda text: re.findall(r"--.*", text),
         ".json": lambda text: re.findall(r'"[^"]* [^"]*"', text), ".toml": lambda text: [text],
         **{f".{section}": manual_prose for section in range(1, 9)},
         **dict.fromkeys((".sh", ".bash", ".fish", ".build", ".in", ".txt", ".map", ".list", ".yaml", ".timer", ""), shell_prose)}


def source_files(root):
    """The text of each file with prose, by its path from the root."""
    paths = [path for path in sorted(root.rglob("*")) if path.suffix in PROSE and path.is_file()]
    names = {str(path.relative_to(root)): path for path in paths}
    return {name: path.read_text() for name, path in names.items() if not SKIPPED.match(name)}


def excerpt(text, match):
    return " ".join(text[max(0, match.start() - 40):match.end() + 40].split())


def retired_in_prose(prose):
    """Each use of a retired word, with the text around it."""
    text = " ".join(re.sub(r"\n\s*[*#]\s", "\n ", prose).split())
    for pattern in EXCEPTIONS:
        text = re.sub(pattern, lambda match: " " * len(match.group()), text, flags=re.I)
    for match in re.finditer(r"(?<![\w-])[a-z]+(?![\w-])", text, re.I):
        if match.group().lower() in (RETIRED | ONLY_IN_PROSE) - ONLY_IN_NAMES:
            yield excerpt(text, match)
    for match in PHRASES.finditer(text):
        yield excerpt(text, match)


def python_names(text):
    """The names that a Python file defines; attributes of others are not ours."""
    before = ["", ""]
    for token in python_tokens(text):
        if token.type == tokenize.NAME and (before[1] != "." or before[0] == "self"):
            yield token.string
        before = [before[1], token.string]


def names_of(path, text):
    """The file's name, its identifiers and, in the command, the options."""
    identifiers = python_names(text) if path.endswith(".py") else re.findall(r"[A-Za-z_]\w*", C_TOKEN.sub("", text))
    options = re.findall(r"--([a-z][a-z-]+)", text) if path.startswith("cli/") else []
    return [pathlib.Path(path).stem, *sorted(set(identifiers)), *options]


def retired_names(path, text):
    return [name for name in names_of(path, text) if not NOT_OURS.fullmatch(name) and RETIRED & set(re.split(r"[_.-]", name.lower()))]


def main():
    texts = source_files(pathlib.Path(sys.argv[1]))
    checks = {
        "no file, identifier or option has a retired word in its name":
            [f"{path}: {name}" for path, text in texts.items() if path.startswith(NAMED) and path.endswith((".c", ".h", ".py"))
             for name in retired_names(path, text)],
        "no comment, message or page contains a retired word":
            [f"{path}: {found}" for path, text in texts.items() for prose in PROSE[pathlib.Path(path).suffix](text)
             for found in retired_in_prose(prose)],
    }
    print(f"1..{len(checks)}")
    for number, (name, found) in enumerate(checks.items(), 1):
        print(f"{'not ' if found else ''}ok {number} - {name}", *(f"# {line}" for line in found), sep="\n")
    sys.exit(any(checks.values()))


main()
