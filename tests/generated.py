#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/errors.md is generated and stored in the repository, so that it can be read there: it must be current."""
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
made = subprocess.run([sys.executable, root / "scripts/messages.py", "document", root / "schemas/messages.toml"],
                      stdout=subprocess.PIPE, check=True).stdout
is_same = made == (root / "docs/errors.md").read_bytes()
print(f"1..1\n{'' if is_same else 'not '}ok 1 - docs/errors.md is generated from schemas/messages.toml")
if not is_same:
    print("# scripts/messages.py document schemas/messages.toml >docs/errors.md")
sys.exit(not is_same)
