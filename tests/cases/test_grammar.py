#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/grammar.md has the grammar of event strings, and encode/parse/ accepts exactly these. The rules and tokens of the
page become one regular expression. The strings of the case files, also with a byte removed or inserted, must be accepted
by both or by neither; so must random strings of the rules. The page and pmuq-events(7) name
each modifier, each term and each branch filter that the encoder has, and no others.

test_grammar.py PARSE_LINES GRAMMAR MANUAL CASES..."""
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

# A program for another architecture runs in meson's exe wrapper.
PARSE_LINES = [*shlex.split(os.environ.get("MESON_EXE_WRAPPER", "")), sys.argv[1]]
GRAMMAR, MANUAL, *CASES = map(pathlib.Path, sys.argv[2:])
MADE, EDITED = 5000, 30000
CLOSING = {"[": "]", "{": "}", "(": ")"}
PUT_IN = "/:,{}='@? u1xr-."
# Samples of each token without fixed words, for random strings.
SAMPLES = {
    "NAME": ["cycles", "cpu", "x.y-z", "*c[0-9]?x", "'bpu'", "'a,b=c:d'", "_1"], "RAW": ["r1a", "rFFFFFFFFFFFFFFFF"],
    "NUMBER": ["0", "0x1F", "18446744073709551615", 25 * "0" + "1"], "MODIFIERS": ["u", "kppp", "SbRXDWeGHIP"], "KEY": ["umask", "rd:x", "'u,k'", "0x"],
    "VALUE": ["1", "0xff", "?", "a:b", "'x=1'"], "TEXT": ["'a/b c'"], "ADDRESS": ["0x10", "7", 25 * "0" + "8"], "ACCESS": ["rw", "x"],
    "DRIVER": ["@a.b", "@a=*b:c"], "PFM": ["pfm:A:b=1", "skx::X:u"]}


def blocks(text):
    """The indented blocks of the section on the grammar: rules, tokens."""
    section = text.split("## Grammar\n")[1].split("\n## ")[0]
    return re.findall(r"(?:^    .*\n)+", section, re.M)


def read_rules(block):
    """Name → its rule as a tree; a line without "=" continues the rule before it."""
    texts, name = {}, None
    for line in block.splitlines():
        head = re.match(r" {4}(\w+) += (.*)", line)
        name, body = head.groups() if head else (name, line)
        texts[name] = f"{texts.get(name, '')} {body}"
    return {name: alternatives(re.findall(r'"[^"]+"|\w+|[][{}()|]', text)) for name, text in texts.items()}


def alternatives(words, end=None):
    """The words up to a closing bracket: a list of sequences of ("word", text), or (bracket, alternatives)."""
    found = [[]]
    while words:
        word = words.pop(0)
        if word == end:
            break
        if word == "|":
            found.append([])
        elif word in CLOSING:
            found[-1].append((word, alternatives(words, CLOSING[word])))
        else:
            found[-1].append(("word", word))
    return found


def read_tokens(block):
    """Name → its regular expression, with look-around: a word is the longest possible, of the first type that matches."""
    own = dict(line.split(None, 1) for line in block.splitlines())
    whole, key = r"(?![\w*?[\].!-])", r"(?![\w*?[\].!:-])"
    others = "|".join(own[name] for name in ("RAW", "NUMBER", "MODIFIERS"))
    word = rf"(?!(?:{others}){whole})(?!(?:mem|pfm):){own['WORD']}{whole}"
    inner = {"WORD": word, "QUOTED": own["QUOTED"]}
    around = {"RAW": ("", whole), "NUMBER": ("", whole), "MODIFIERS": ("", whole), "VALUE": ("", rf"(?:(?<=')|{key})"),
              "KEY": (rf"(?!(?:{own['NUMBER']}){key})", rf"(?:(?<=')|{key})")}
    tokens = {}
    for name, pattern in own.items():
        before, after = around.get(name, ("", ""))
        tokens[name] = f"(?>{before}(?:{re.sub('WORD|QUOTED', lambda m: inner[m[0]], pattern)}){after})"
    return tokens


def compose(rules, tokens, rule):
    """One regular expression: no rule is recursive."""
    return "(?:" + "|".join("".join(compose_part(rules, tokens, *part) for part in sequence) for sequence in rule) + ")"


def compose_part(rules, tokens, what, part):
    if what in CLOSING:
        return compose(rules, tokens, part) + {"[": "?", "{": "*", "(": ""}[what]
    if part[0] == '"':
        return r"\s*" + re.escape(part[1:-1])
    if part == "breakpoint":  # greedy: a character that can belong to the token does
        return f"(?>{compose(rules, tokens, rules[part])})"
    return compose(rules, tokens, rules[part]) if part in rules else r"\s*" + tokens[part]


def make(rules, rule):
    """A random string of the rule."""
    made = ""
    for part in random.choice(rule):
        more = make_part(rules, *part)
        made += (" " if made and more and re.match(r"\w\w", made[-1] + more[0]) else "") + more
    return made


def make_part(rules, what, part):
    if what in CLOSING:
        times = {"(": 1, "[": random.randrange(2), "{": random.randrange(3)}[what]
        return "".join(make(rules, part) for _ in range(times))
    if part[0] == '"':
        return part[1:-1]
    return make(rules, rules[part]) if part in rules else random.choice(["", "", "", " "]) + random.choice(SAMPLES[part])


def words_of(rule):
    for what, part in (part for sequence in rule for part in sequence):
        yield from words_of(part) if what in CLOSING else [part]


def case_strings():
    for path in CASES:
        for line in path.read_text(errors="surrogateescape").splitlines():
            if line.startswith("event "):
                yield line[6:]


def edited(strings):
    """Each string with a byte removed or inserted at a random offset."""
    for _ in range(EDITED):
        string = random.choice(strings)
        at = random.randrange(len(string) + 1)
        yield string[:at] + (random.choice(PUT_IN) + string[at:] if random.randrange(3) else string[at + 1:])


def is_plain(string):
    """Whether the rules apply: numbers of more than 64 bits, blanks in breakpoints, and a term of a breakpoint that begins with a
    digit are in the page's prose only."""
    return not re.search(r"(?!0)\w{17}|mem:.*\s|mem:\w+/0x\b", string) and string.isascii()


def parsed(strings):
    lines = subprocess.run(PARSE_LINES, input="\n".join(strings) + "\n", capture_output=True, text=True, check=True).stdout
    return [line == "1" for line in lines.split()]


def words_of_the_encoder():
    """Type → words; a modifier is repeated as often as it is allowed."""
    found = {}
    for line in subprocess.run([*PARSE_LINES, "words"], capture_output=True, text=True, check=True).stdout.splitlines():
        what, word = line.split()
        found.setdefault(what, set()).add(word)
    return found


def words_of_the_page():
    text = GRAMMAR.read_text()
    modifiers = text.split("\n## Modifiers\n")[1].split("\n## ")[0]
    rows = text.split("| term | value | effect |\n")[1].split("\n\n")[0]
    terms = " ".join(row.split("|")[1].split("(")[0] for row in rows.splitlines()[1:])
    return {"modifier": set(re.findall(r"`(\w+)`", modifiers)), "term": set(re.findall(r"`([a-z][\w-]*)`", terms)) - {"rNNN"}}


def words_of_the_manual():
    text = MANUAL.read_text()
    terms, modifiers = text.split("\n.Sh TERMS\n")[1].split("\n.Sh MODIFIERS\n")
    terms, modifiers = terms.split("\n.Bl -tag")[1], modifiers.split("\n.Sh ")[0]
    filters = terms.split("\n.It Cm branch_type\n")[1].split("\n.It ")[0]

    def listed(macro, section):
        items = re.findall(rf"^\.{macro} ([^;\n]*)", section, re.M)
        return {word for item in items for word in item.split(" Ns ")[0].split() if word not in (",", ";")}
    return {"modifier": listed("It Cm", modifiers), "term": listed("It Cm", terms) - {"r", "@"}, "filter": listed("Cm", filters)}


def compare_words(number):
    """Prints a line for each page and type; returns whether one differs."""
    encoder, failed = words_of_the_encoder(), False
    for page, words in ((GRAMMAR, words_of_the_page()), (MANUAL, words_of_the_manual())):
        for what, named in words.items():
            lost, strange = sorted(encoder[what] - named), sorted(named - encoder[what])
            failed |= bool(lost or strange)
            print(f"{'not ' if lost or strange else ''}ok {number} - {page.name} names each {what}")
            print(*(f"# it does not name {word}\n" for word in lost), *(f"# {word} is none\n" for word in strange), sep="", end="")
            number += 1
    return failed


def main():
    random.seed(1)
    rules, tokens = blocks(GRAMMAR.read_text())
    rules, tokens = read_rules(rules), read_tokens(tokens)
    words = {word for rule in rules.values() for word in words_of(rule) if word[0] != '"'}
    lost = sorted(words - set(rules) - set(tokens))
    print(f"{'not ' if lost else ''}ok 1 - every rule and token has its line", *lost)
    pattern = re.compile(compose(rules, tokens, rules["list"]) + r"\s*", re.A)
    own = [string for string in case_strings() if "\n" not in string]
    made = [make(rules, rules["list"]) for _ in range(MADE)]
    failed = bool(lost)
    for number, (name, strings) in enumerate((("of the cases", own), ("of the cases, edited", list(edited(own))),
                                              ("made by the rules", made)), 2):
        strings = [string for string in dict.fromkeys(strings) if is_plain(string)]
        results = parsed(strings)
        wrong = [(string, taken) for string, taken in zip(strings, results) if taken != bool(pattern.fullmatch(string))]
        failed |= bool(wrong)
        print(f"{'not ' if wrong else ''}ok {number} - {len(strings)} strings {name}: {sum(results)} are taken")
        for string, taken in wrong[:20]:
            print(f"# {'only the parser' if taken else 'only the page'} takes {string!r}")
        if name == "made by the rules":
            failed |= not all(results)
            print(f"{'ok' if all(results) else 'not ok'} 5 - all that the rules make is taken",
                  *(string for string, taken in zip(strings, results) if not taken), sep="\n# ")
    failed |= compare_words(6)
    print("1..10")
    sys.exit(failed)


main()
