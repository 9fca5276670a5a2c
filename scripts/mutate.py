#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The single mutations of a C file that .clang-format has laid out. mutate.py FILE... lists them.

Comments, strings, characters, preprocessor lines, static_assert() and assert() are left alone."""
import bisect
import re
import sys
import typing


class Mutation(typing.NamedTuple):
    start: int      # bytes of the text that are replaced
    end: int
    text: str       # what replaces them
    operator: str   # the name of the type of mutation


OPERATORS = {
    "comparison": {" == ": [" != "], " != ": [" == "], " < ": [" >= "], " > ": [" <= "], " <= ": [" > "], " >= ": [" < "]},
    "off by one": {" < ": [" <= "], " > ": [" >= "], " <= ": [" < "], " >= ": [" > "]},
    "logic": {" && ": [" || "], " || ": [" && "]},
    "arithmetic": {" + ": [" - "], " - ": [" + "], " / ": [" * "], " % ": [" / "], " << ": [" >> "], " >> ": [" << "],
                   " | ": [" & "], " & ": [" | "], " ^ ": [" | "], " += ": [" -= "], " -= ": [" += "], " |= ": [" = ", " &= "], " &= ": [" = ", " |= "]},
    "constant": {"true": ["false"], "false": ["true"]},
}
MASKED = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*|\b(?:static_)?assert\((?:[^;"]|"(?:\\.|[^"\\])*")*\);""", re.S | re.M | re.X)
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
STATEMENT = re.compile(r"(?<=[;{})])\n\t+((?:[\w>.*-]+(?:\[[^\n;]*\])?(?: [-+|&^]?= |\+\+|--)|[a-z_]\w*\()[^;{}]*;|break;|continue;)(?=\n)")
CONDITION = re.compile(r"\b(?:if|while) \(")
# With these the order of two arguments has no effect.
SYMMETRIC = {"str_eq(", "str_eq_nocase(", "calloc(", "pq_arena_array(", "words_in(", "pq_hash_check(", "is_same_text(", "is_same_hash(", "is_same_file(",
             "__builtin_add_overflow(", "__builtin_mul_overflow("}
# With these the order of the first two has none, if the result is compared with 0 for equality.
COMPARES = {"strcmp(", "strncmp(", "memcmp("}
CALL = re.compile(r"\b(?!if\b|while\b|for\b|switch\b|sizeof\b|return\b)[a-z_]\w*\(")


def mask(text):
    """The text with blanks in place of what is not mutated: all offsets stay."""
    return MASKED.sub(lambda m: re.sub(r"[^\n]", " " if m.group()[0] in "/#" or "assert" in m.group()[:14] else "_", m.group()), text)


def closing(text, at):
    """The offset of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return -1


def arguments(code, start, end):
    """The arguments between two parentheses as (start, end)."""
    depth, first = 0, start
    for i in range(start, end):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if code[i] == "," and depth == 0:
            yield first, i
            first = i + 1
    yield first, end


def functions(code):
    """Bodies of functions as (start, end): "{" and "}" are alone at the start of a line."""
    for match in re.finditer(r"^\{\n.*?^\}$", code, re.M | re.S):
        yield match.span()


# The larger or the smaller of two: of equal ones either is right. "r < 0 ? r : 0" is the same for 1.
EXTREME = re.compile(r"(?<![\w.>])([\w.>-]+)( [<>]=? )([\w.>-]+) \? (?:\1 : \3|\3 : \1)(?![\w.(\[>-])")


def without_effect(code, m):
    """Whether a mutation of the smaller or the larger of two changes nothing."""
    line = code.rfind("\n", 0, m.start) + 1
    for found in EXTREME.finditer(code, line, code.find("\n", m.end)):
        if found.span(2) == (m.start, m.end) and m.operator == "off by one":
            return True
        if found.span(3) == (m.start, m.end) and found.group(2, 3) == (" < ", "0") and m.text == "1":
            return True
    return False


def stripped(text, start, end):
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


def words(code):
    for name, table in OPERATORS.items():
        for old, news in table.items():
            pattern = re.escape(old) if old[0] == " " else rf"\b{old}\b"
            for match in re.finditer(pattern, code):
                for new in news:
                    yield Mutation(match.start(), match.end(), new, name)


def numbers(code):
    for match in NUMBER.finditer(code):
        digits = match.group(1)
        is_octal = digits.isdigit() and len(digits) > 1 and digits[0] == "0"
        value = int(digits, 8 if is_octal else 0)
        if code.endswith("{ ", 0, match.start()) and code.startswith(" }", match.end()):
            continue # An empty struct.
        if value == 1 and code.endswith("? -1 : ", 0, match.start()):
            continue # Callers take any positive number of a comparison.
        if code.endswith("return ", 0, match.start()) and value == 0:
            # Callers take any positive number for a success.
            yield Mutation(*match.span(), "-1", "constant")
            continue
        yield Mutation(*match.span(), f"{value + 1}{match.group(2)}", "constant")
        if value > 1:
            yield Mutation(*match.span(), f"{value - 1}{match.group(2)}", "off by one")
        if value == 1:
            yield Mutation(*match.span(), f"0{match.group(2)}", "constant")


def conditions(code, text):
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if end > 0:
            yield Mutation(match.end(), end, f"!({text[match.end():end]})", "negated condition")
            for constant in ("true", "false") if match.group().startswith("if") else ():
                yield Mutation(match.end(), end, constant, "constant condition")


def swaps(code, text):
    for match in CALL.finditer(code):
        if match.group() in SYMMETRIC:
            continue
        end = closing(code, match.end() - 1)
        parts = [stripped(text, *part) for part in arguments(code, match.end(), end)] if end > 0 else []
        if match.group() in COMPARES and code[end + 1:end + 6] in (" == 0", " != 0"):
            parts = parts[1:]
        for (a, b), (c, d) in zip(parts, parts[1:]):
            if text[a:b] != text[c:d]:
                yield Mutation(a, d, text[c:d] + text[b:c] + text[a:b], "swapped arguments")


def statements(code):
    for match in STATEMENT.finditer(code):
        yield Mutation(match.start(1), match.end(1), ";", "removed statement")


def mutations(text):
    """All mutations of the bodies of functions, in order; constants also in tables."""
    code = mask(text)
    bodies = list(functions(code))
    starts = [start for start, _ in bodies]

    def in_function(offset):
        i = bisect.bisect(starts, offset) - 1
        return i >= 0 and offset < bodies[i][1]

    found = {*words(code), *conditions(code, text), *swaps(code, text), *statements(code)}
    found = {m for m in found if in_function(m.start) or m.operator == "constant"}
    found |= {m for m in numbers(code) if in_function(m.start)}
    return sorted(m for m in found if not without_effect(code, m))


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for m in mutations(text):
            print(f"{path}:{text.count(chr(10), 0, m.start) + 1}: {m.operator}: {text[m.start:m.end]!r} -> {m.text!r}")


if __name__ == "__main__":
    main()
