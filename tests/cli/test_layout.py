#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drawings of config words, compared with golden ones, and laws for every drawing.

`meson test cli-layout --test-args=--update` writes the drawings again; then read the diff."""
import os
import pathlib
import random
import re
import subprocess
import sys

from tap import MACHINES, Tap, machine_names

DRAW = os.environ["PMUQ_DRAW"]
GOLDEN = pathlib.Path(__file__).parent / "golden"
TO_ASCII = str.maketrans("│─┌┐└┘┴·", "|-+++++.")
tap = Tap()


def field(name, word, *ranges, value="-"):
    mask = 0
    for part in ranges:
        low, high = part if isinstance(part, tuple) else (part, part)
        mask |= (1 << high + 1) - (1 << low)
    return word, mask, value, name


def fields_of(name, pmu):
    """The formats of a captured PMU, read without pmuq."""
    found = []
    for path in sorted((MACHINES / name / "sys/bus/event_source/devices" / pmu / "format").glob("*")):
        match = re.fullmatch(r"config(\d?):([-\d,]+)", path.read_text().strip())
        if match:
            ranges = [tuple(map(int, part.split("-"))) if "-" in part else int(part) for part in match[2].split(",")]
            found.append(field(path.name, int(match[1] or 0), *ranges))
    return found


CASES = {
    "skylake-sp-cpu": (80, fields_of("skylake-sp", "cpu")),
    "skylake-sp-intel_pt": (80, fields_of("skylake-sp", "intel_pt")),
    "ivybridge-cpu": (80, fields_of("ivybridge-client", "cpu")),
    "hybrid-cpu_core": (80, fields_of("alderlake-hybrid-k6.12", "cpu_core")),
    "sapphirerapids-cha": (80, fields_of("sapphirerapids-k6.12", "uncore_cha_0")),
    "sandybridge-pcu": (80, fields_of("sandybridge-ep", "uncore_pcu")),
    "sandybridge-pcu-60": (60, fields_of("sandybridge-ep", "uncore_pcu")),
    "power9-cpu": (80, fields_of("ppc64el-power9", "cpu")),
    "pentium4-cpu": (80, fields_of("pentium4", "cpu")),
    "zen4-amd_df": (80, fields_of("zen4-epyc-k6.12", "amd_df")),
    "smmuv3": (80, fields_of("arm64-biglittle", "smmuv3_pmcg_70030")),
    "values": (80, [field("event", 0, (0, 7), value="0x3c"), field("umask", 0, (8, 15), (32, 35), value="0xa01"),
                    field("edge", 0, 18, value="1"), field("inv", 0, 23), field("wide", 1, (0, 3), value="0x123456789")]),
    "ones": (80, [field(f"bit_{bit}", 0, bit) for bit in range(32)]),
    "ends": (80, [field("first", 0, 63), field("last", 0, 0), field("x", 1, 5)]),
    "strange": (80, [field("né\x1b[31m", 0, (0, 15)), field("n" * 200, 0, 16), field("m" * 200, 1, (0, 63))]),
    "tiny": (24, [field("event", 0, (0, 7)), field("umask", 0, (8, 15)), field("a_longer_name", 0, 16)]),
}


def draw(fields, columns, style):
    text = "".join(f"{word} {mask:x} {value} {name}\n" for word, mask, value, name in fields)
    done = subprocess.run([DRAW, str(columns), style], input=text.encode(), capture_output=True, timeout=60, check=False)
    if done.returncode or done.stderr:
        return f"status {done.returncode}\n{done.stderr.decode()}"
    return done.stdout.decode()


def goldens(update):
    for name, (columns, fields) in CASES.items():
        for style in ("ascii", "utf8"):
            path, text = GOLDEN / f"{name}.{style}.txt", draw(fields, columns, style)
            if update:
                path.write_text(text)
            tap.ok(path.exists() and path.read_text() == text, f"{name} in {style} is the golden drawing", text)
    known = {f"{name}.{style}.txt" for name in CASES for style in ("ascii", "utf8")}
    tap.same({path.name for path in GOLDEN.iterdir()}, known, "every golden drawing belongs to a test")


def drawing_errors(fields, columns):
    """The errors of a drawing: its width, its characters, missing names and free bits."""
    ascii_text, utf8_text = draw(fields, columns, "ascii"), draw(fields, columns, "utf8")
    lines = utf8_text.splitlines()
    if any(len(line) > columns for line in lines if not line.startswith("word")):
        yield "a line is too wide"
    if any(line != line.rstrip() for line in lines):
        yield "a blank is at the end of a line"
    if not ascii_text.isascii():
        yield "ASCII is not ASCII"
    # Where a leader starts, ASCII has "-" inside the drawing and "+" at its border.
    if re.sub(r"[-+]", "-", utf8_text.translate(TO_ASCII).replace("┬", "+")) != re.sub(r"[-+]", "-", ascii_text):
        yield "the two styles differ"
    drawn = {word: text for word, text in re.findall(r"^word (\d).*\n((?:(?!word).*\n)*)", utf8_text, re.M)}
    for word, mask, _, name in fields:
        if mask and name not in drawn.get(str(word), ""):
            yield f"{name} is missing"
    for word, text in drawn.items():
        used = 0
        for other, mask, *_ in fields:
            used |= mask if other == int(word) else 0
        if used >> 32 and used & 0xffffffff and columns >= 67 and text.count("·") != 64 - bin(used).count("1"):
            yield f"word {word}: not every free bit has its dot"


def random_fields(dice):
    fields = []
    for number in range(dice.randint(1, 20)):
        ranges = []
        for _ in range(dice.choice([1, 1, 1, 2, 3])):
            low = dice.randint(0, 63)
            ranges.append((low, min(63, low + dice.choice([0, 0, 1, 3, 7, 15, 40]))))
        fields.append(field("f" * dice.randint(0, 9) + str(number), dice.randint(0, 4), *ranges,
                            value=dice.choice(["-", "-", "0x1f"])))
    return fields


def laws():
    for name in machine_names():
        pmus = sorted((MACHINES / name / "sys/bus/event_source/devices").iterdir())
        format_sets = {str(fields): fields for fields in (fields_of(name, pmu.name) for pmu in pmus) if fields}
        found = [error for fields in format_sets.values() for columns in (80, 60) for error in drawing_errors(fields, columns)]
        tap.same(found, [], f"{name}: {len(format_sets)} sets of formats are drawn without errors")
    dice = random.Random(20)
    for columns in (24, 40, 60, 80, 200):
        found = [(error, fields) for fields in (random_fields(dice) for _ in range(40)) for error in drawing_errors(fields, columns)]
        tap.same(found, [], f"40 random sets of formats are drawn without errors, {columns} columns wide")


goldens("--update" in sys.argv[1:])
laws()
tap.finish()
