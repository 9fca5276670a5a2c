#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the page of section 3 for a public header, in mdoc. The comments of the header are the manual.

manual.py HEADER DATE MAP EXAMPLES >PAGE

A header begins with a comment "@file", whose first sentence becomes the page's one-line description. Below it,
each group of declarations (those without a blank line or a comment between them) belongs to the comment above.
MAP has the release that each function came with. EXAMPLES is a directory with a program for each header, NAME.c, which begins
with a comment about its purpose, and its output, NAME.out.
"""
import itertools
import pathlib
import re
import sys
import textwrap

from headers import FUNCTION, clean, groups

PARAM = re.compile(r"@param (\w+)")
COMMENT = re.compile(r"/\*\*(.*?)\*/", re.S)
RULES = """A function that can fail returns 0 or a negative number, minus a value of
.Vt enum pmuq_code ;
outputs
.Pq Fa ret No and Fa ret_...
are untouched then, and
.Fa reterr ,
unless NULL, receives an error that
.Fn pmuq_error_free
frees.
A function that reads a source may also return
.Dv PMUQ_E_STALE_SOURCE No or Dv PMUQ_E_TOO_MANY_FILES ,
one of a module that the library was built without
.Dv PMUQ_E_NO_LIBRARY ,
and a call that is an error of the program
.Dv PMUQ_E_BAD_CALL .
A record lives as long as the object that it came from.
An index past the end is harmless, and gives NULL, 0 or false."""


def paragraphs(lines):
    """Yields runs of lines: ("text"|"code"|"param"|"return", lines)."""
    block, run = "text", []
    for line in [*lines, ""]:
        tag = re.match(r"@(param|return|note)\s+(.*)", line.strip())
        is_code = line.startswith("    ") and block in ("code", "text") and (block == "code" or not run)
        if not line.strip() or tag or (block == "code") != is_code:
            if run:
                yield block, run
            block, run = ("code" if is_code else "text"), []
        if tag:
            block, line = tag[1], tag[2]
        if line.strip():
            run.append(line if block == "code" else line.strip())


def escaped(text):
    text = text.replace("\\", "\\e").replace("…", "...").replace("–", "\\(en").replace("→", "\\(->")
    return re.sub(r"^([.'])", r"\\&\1", text)


LITERAL = {"\\": "\\e", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}


def print_literal(lines, offset=" -offset indent"):
    """Prints lines for copying: the formatter must not replace quotes and dashes."""
    print(f".Bd -literal{offset}")
    for line in lines:
        print(re.sub(r"^\.", r"\\&.", "".join(LITERAL.get(letter, letter) for letter in line)))
    print(".Ed")


def marked_up(sentence):
    """Lines of at most 80 bytes, with a macro for the name of each function: "(see free())." is "(see", ".Fn free ) ."."""
    words = []
    for part in re.split(r"(?:(?<= )|^)([(\[]?\w+\(\)[.,;:)\]]*)(?= |$)", sentence):
        if function := re.fullmatch(r"([(\[]?)(\w+)\(\)(.*)", part):
            yield from wrapped(words)
            yield " ".join([".Fn", *function[1], function[2], *function[3]])
            words = []
        else:
            words += part.split()
    yield from wrapped(words)


def wrapped(words):
    return map(escaped, textwrap.wrap(" ".join(words), 78, break_long_words=False, break_on_hyphens=False))


def sentences(lines):
    text = re.sub(r"`([^`]*)`|\*(\w+)\*", lambda quoted: quoted[1] or quoted[2], " ".join(lines))
    return re.split(r"(?<=[.?!]) (?=[^a-z])", text)


def print_prose(lines):
    """Begins a new line for each sentence, as mdoc requires."""
    print("\n".join(line for sentence in sentences(lines) for line in marked_up(sentence)))


def unbalanced_list(text):
    return re.match(r"\s*(- |\d+\. )", text)


def print_text(lines):
    items = [index for index, line in enumerate(lines) if unbalanced_list(line)]
    if not items:
        print_prose(lines)
        return
    if items[0]:
        print_prose(lines[:items[0]])
    print(".Bl -dash -compact")
    for begin, end in zip(items, [*items[1:], len(lines)]):
        first = re.sub(r"^\s*(- |\d+\. )", "", lines[begin])
        print(".It")
        print_prose([first, *lines[begin + 1:end]])
    print(".El")


def print_comment(lines):
    """Prints the prose, then the list of parameters, then the result."""
    runs, first = list(paragraphs(lines)), True
    for block, run in runs:
        if block in ("param", "return"):
            continue
        if not first and block != "code":
            print(".Pp")
        if block == "code":
            print_literal(line[4:] for line in run)
        else:
            print_text(run)
        first = False
    params = [run for block, run in runs if block == "param"]
    if params:
        print(("" if first else ".Pp\n") + ".Bl -tag -width Ds -compact")
        for run in params:
            name, _, rest = run[0].partition(" ")
            print(f".It Fa {name}")
            print_prose([rest.strip(), *run[1:]])
        print(".El")
    for block, run in runs:
        if block == "return":
            print(".Pp\nReturns")
            print_prose(run)


def arguments(text):
    if text.strip() == "void":
        return ["void"]
    depth, start, found = 0, 0, []
    for index, letter in enumerate(text + ","):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            found.append(" ".join(text[start:index].split()))
            start = index + 1
    return found


def tagged(lines):
    """Splits the lines before each tag."""
    runs = [[]]
    for line in lines:
        if re.match(r"\s*@(param|return)\b", line) or (not line.strip() and runs[-1] and "@" in runs[-1][0]):
            runs.append([])
        runs[-1].append(line)
    return runs


def comment_for(lines, first, declaration):
    """The part of a comment that is about this declaration. `first` is the first declaration below the comment."""
    match, owner = FUNCTION.match(declaration), FUNCTION.match(first)
    if not match:
        return lines
    if owner and first != declaration and match["name"].endswith("_free"):
        return ["Frees it, with all records that came from it. NULL is fine."]
    names = {re.search(r"(\w+)(\[\w*\])?\)?(\([^()]*\))?$", one)[1] for one in arguments(match["args"])}
    wanted = {param[1] for line in lines if (param := PARAM.match(line.strip()))}
    lists_codes = any(line.strip().startswith("@return 0") for line in lines) and match["type"].strip() != "int"
    if owner and first != declaration and (wanted - names or lists_codes):
        return [f"Goes with {owner['name']}()."]
    kept = []
    for run in tagged(lines):
        param = PARAM.match(run[0].strip()) if run else None
        if param and param[1] not in names:
            continue
        if run and run[0].strip().startswith("@return") and match["type"].split() == ["void"]:
            continue
        kept += run
    return kept


def print_prototype(match):
    print(f".Ft \"{' '.join(match['type'].split())}\"")
    print(f".Fo {match['name']}")
    for argument in arguments(match["args"]):
        print(f".Fa \"{argument}\"")
    print(".Fc")


def one_line(lines):
    text = " ".join(lines)
    name = re.split(r"(?<=[a-z)])[.;:] |: ", text, maxsplit=1)
    return name[0].rstrip(".")


def releases(path):
    """The functions of each release, the oldest first: {"0.1": {"pmuq_version", …}}."""
    nodes = re.findall(r"^PMUQ_(\S+) \{(.*?)^\}", pathlib.Path(path).read_text(), re.S | re.M)
    return {release: set(re.findall(r"^\s+(\w+);", symbols, re.M)) for release, symbols in nodes}


def print_history(names, map_path):
    """Prints one sentence if all functions came with one release."""
    came = {release: [name for name in names if name in symbols] for release, symbols in releases(map_path).items()}
    came = {release: those for release, those in came.items() if those}
    if missing := set(names) - {name for those in came.values() for name in those}:
        sys.exit(f"manual.py: {map_path} has no {', '.join(sorted(missing))}")
    print(".Sh HISTORY")
    for release, those in came.items():
        if len(came) > 1:
            print("\n".join(f".Fn {name} ," for name in those))
        print(f"{'Since' if len(came) == 1 else 'since'} libpmuq {release}.")


def print_functions(comment, group):
    """Joins the declarations of a group that have the same comment."""
    described = [(FUNCTION.match(one)["name"], comment_for(comment, group[0], one)) for one in group if FUNCTION.match(one)]
    for _, same in itertools.groupby(described, key=lambda one: one[1]):
        names, lines = zip(*same)
        print(".Pp")
        print("\n".join(f".Fn {name}{' ,' if name != names[-1] else ''}" for name in names))
        if lines[0]:
            print(".Bl -item -offset indent -compact\n.It")
            print_comment(lines[0])
            print(".El")


def print_groups(declared):
    """Prints functions with their comments, then structs, enums and macros as they are."""
    for comment, group in declared:
        others = [one for one in group if not FUNCTION.match(one) and not re.fullmatch(r"struct \w+;", one)]
        if len(others) < len(group):
            print_functions(comment, group)
        elif comment:
            print(".Pp")
            print_comment(comment)
        if others:
            print_literal(re.sub(r"/\*\*<?", "/*", line.expandtabs(8)) for one in others for line in one.split("\n"))


def print_example(path):
    """Prints the program without its licence line, and its output."""
    prose, code = re.fullmatch(r"/\* SPDX[^\n]*\n/\* (.*?) \*/\n(.*)", path.read_text(), re.S).groups()
    print(".Sh EXAMPLES")
    print_prose(prose.split())
    print_literal([re.sub(r"^\t+", lambda tabs: "    " * len(tabs[0]), line) for line in code.splitlines()], "")
    print(".Pp\nIt prints:")
    print_literal(path.with_suffix(".out").read_text().splitlines(), "")


def main(path, date, map_path, examples):
    header = pathlib.Path(path)
    text = header.read_text()
    intro = clean(COMMENT.search(text)[1])
    declared = list(groups(text))
    page = "libpmuq" if header.stem == "pmuq" else f"pmuq_{header.stem}"
    functions = [match for _, group in declared for one in group if (match := FUNCTION.match(one))]
    rest = list(paragraphs(intro))
    title, _, tail = escaped(sentences(rest[0][1])[0]).partition(": ")
    print(f'.\\" Made of include/pmuq/{header.name}\n.Dd {date}\n.Dt {page.upper()} 3\n.Os\n.Sh NAME')
    # Each function by name, so that man(1) finds its page.
    print("\n".join(f".Nm {name} ," for name in [page, *(match["name"] for match in functions if match["name"] != page)])[:-2])
    print(f".Nd {one_line([tail or title])}\n.Sh LIBRARY\nThe pmuq library (libpmuq, -lpmuq)\n.Sh SYNOPSIS\n.In pmuq/pmuq.h")
    for match in functions:
        print_prototype(match)
    print(".Sh DESCRIPTION")
    print_comment(intro)
    print_groups(declared)
    if header.stem == "pmuq":  # its page has what all others need
        print(".Ss Records and texts")
        types = header.with_name("types.h").read_text()
        print_comment(clean(COMMENT.search(types)[1]))
        print_groups(groups(types))
    if header.stem != "pmuq":
        print(f".Sh RETURN VALUES\n{RULES}")
    print_example(pathlib.Path(examples) / f"{header.stem}.c")
    print(".Sh SEE ALSO")
    pages = sorted(f"pmuq_{one.stem}" for one in header.parent.glob("*.h") if one.stem not in ("pmuq", "types"))
    pages = [name for name in ["libpmuq", *pages] if name != page]
    print("\n".join([".Xr pmuq 1 ,", ".Xr perf_event_open 2 ,", *(f".Xr {name} 3 ," for name in pages),
                     ".Xr pmuq-events 7"]))
    print_history([match["name"] for match in functions], map_path)


if __name__ == "__main__":
    main(*sys.argv[1:])
