#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is generated and kept in the repo, so that it can be read or built there: docs/errors.md, the limits in docs/security.md, the
numbers of fields in include/pmuq/attr.h, and the Rust crates. The source makes each code of schemas/messages.toml, and a test expects it. Large limits are in core/limits.h only."""
import pathlib
import re
import subprocess
import sys
import tomllib

root = pathlib.Path(sys.argv[1])
toml = root / "schemas/messages.toml"


def texts(directory, *endings):
    """All files of the directory as one text."""
    return "".join(path.read_text(errors="replace") for path in sorted(directory.rglob("*")) if path.suffix in endings)


def macro(name):
    return "PMUQ_E_" + name.upper().replace("-", "_")


sys.path.insert(0, str(root / "scripts"))
import bindings  # noqa: E402
import bindings_rust  # noqa: E402
from fields import enum, header_with  # noqa: E402
from limits import page_with, tables, value  # noqa: E402

page = (root / "docs/security.md").read_text()
attr_h = (root / "include/pmuq/attr.h").read_text()
codes = {name: row["number"] for name, row in tomllib.loads(toml.read_text()).items() if not row.get("retired")}
modules = [path for path in root.iterdir() if path.is_dir() and (path / "meson.build").exists() and
           path.name not in ("tests", "include", "examples", "docs") and not path.name.startswith("build")]
source = set(re.findall(r"\bPMUQ_E_\w+", "".join(texts(path, ".c", ".h") for path in modules)))
tests = texts(root / "tests", ".c", ".h", ".case")
scripts = texts(root / "tests", ".py")
# A test in C names the code, a case prints it, and a script may have the number alone.
expected = set(re.findall(r"\bPMUQ_E_\w+", tests)) | {int(n) for n in re.findall(r"PMUQ-(\d+)", tests + scripts)} | \
    {int(n) for n in re.findall(r"\b\d{1,3}\b", scripts)}
made = subprocess.run([sys.executable, root / "scripts/messages.py", "document", toml], stdout=subprocess.PIPE, check=True).stdout
LIMIT = re.compile(r"^#define (\w*(?:_MAX_BYTES|_BYTES_MAX)) +((?:\(\(?(?:size|uint64)_t\))?[\du()<* ]+?)(?: +/\*.*)?$", re.M)
elsewhere = [f"{path.relative_to(root)}: {name}" for directory in modules for path in sorted(directory.rglob("*.[ch]"))
             for name, expression in LIMIT.findall(path.read_text())
             if path.name != "limits.h" and value(expression) >= 4 << 20]
rust = root / "bindings/rust"
crates = {rust / "pmuq-sys/src/lib.rs": [], rust / "pmuq/src/generated.rs":
          [path for path in sorted((rust / "pmuq/src").glob("*.rs")) if path.name != "generated.rs"]}
old_crates = [str(path.relative_to(root)) for path, hand in crates.items()
              if bindings_rust.write(bindings.Api(root / "include", hand))[path.name] != path.read_text()]
unmade = [name for name in codes if macro(name) not in source]
untested = [name for name, number in codes.items() if macro(name) not in expected and number not in expected]
checks = [("docs/errors.md has what schemas/messages.toml has", made == (root / "docs/errors.md").read_bytes(),
           "scripts/messages.py document schemas/messages.toml >docs/errors.md"),
          ("docs/security.md has the limits of core/limits.h", page_with(page, tables(root / "core/limits.h")) == page,
           "scripts/limits.py core/limits.h --update docs/security.md"),
          ("include/pmuq/attr.h has the fields of core/attr/attr_fields.h",
           header_with(attr_h, enum(root / "core/attr/attr_fields.h")) == attr_h,
           "scripts/fields.py core/attr/attr_fields.h --update include/pmuq/attr.h"),
          ("the Rust crates have what the headers have", not old_crates,
           f"{old_crates}: scripts/bindings.py include FILE, as bindings/rust/README.md describes"),
          ("limits from 4 MiB up are in core/limits.h only", not elsewhere, f"elsewhere: {elsewhere}"),
          ("the source makes each code", not unmade, f"not made: {unmade}"),
          ("a test expects each code", not untested, f"in no test: {untested}")]
print(f"1..{len(checks)}")
for number, (what, is_ok, remedy) in enumerate(checks, 1):
    print(f"{'' if is_ok else 'not '}ok {number} - {what}")
    if not is_ok:
        print(f"# {remedy}")
sys.exit(not all(is_ok for _, is_ok, _ in checks))
