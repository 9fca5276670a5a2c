#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mandoc reports nothing about any page of the manual, style included, but references to pages of other projects.
The pages of the library contain each function and each member that the headers declare: manual.py MAN_DIR PAGE..."""
import pathlib
import re
import shutil
import subprocess
import sys


def oddities(text):
    """Errors that mandoc does not report: a line of apropos(1) that was cut, no date."""
    described = re.search(r"^\.Nd (.*)$", text, re.M)[1]
    if described.count("(") != described.count(")") or not described[0].islower():
        yield f"the description is odd: {described}\n"
    if not re.search(r"^\.Sh HISTORY\n(.*\n)*?.*ince libpmuq [\d.]+\.$", text, re.M):
        yield "it does not contain its first release\n"
    if not re.search(r"thread", text, re.I):
        yield "it does not contain its rules for threads\n"
    if re.search(r"^\.(Pq|Po).* Ns$", text, re.M):
        yield "a blank is missing after a parenthesis\n"


def forgotten(texts):
    """Declarations of the headers that no page contains."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
    from headers import Headers

    declared, text = Headers(pathlib.Path(__file__).resolve().parent.parent / "include"), "\n".join(texts)
    names = [*declared.functions, *(value for one in declared.enums.values() for value in one.values)]
    yield from (name for name in names if not re.search(rf"\b{name}\b", text))
    for one in declared.structs.values():
        shown = re.search(rf"^struct {one.name} \{{(.*?)^\}};", text, re.S | re.M)
        yield from (f"{one.name}.{member.name}" for member in one.members
                    if not shown or not re.search(rf"\b{member.name}\b", shown[1]))


written = sorted(pathlib.Path(sys.argv[1]).glob("*.[1-9]"))
made = [pathlib.Path(page) for page in sys.argv[2:]]
failed = 0
print(f"1..{len(written) + len(made) + 1}")
missing = list(forgotten([page.read_text() for page in made]))
failed += bool(missing)
print(f"{'not ' * bool(missing)}ok 1 - the pages have all that the headers declare")
for name in missing:
    print(f"# {name}")
for number, page in enumerate([*written, *made], 2):
    if not shutil.which("mandoc"):
        print(f"ok {number} - {page.name} # SKIP there is no mandoc")
        continue
    done = subprocess.run(["mandoc", "-Tlint", str(page)], capture_output=True, text=True)
    complaints = "".join(line for line in done.stdout.splitlines(True) if "referenced manual not found" not in line)
    complaints += "".join(oddities(page.read_text())) if page in made else ""
    is_fine = not complaints
    failed += not is_fine
    print(f"{'ok' if is_fine else 'not ok'} {number} - {page.name} is clean mdoc")
    for line in complaints.splitlines()[:20]:
        print(f"# {line}")
sys.exit(1 if failed else 0)
