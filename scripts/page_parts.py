#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""page_parts.py STYLE SCRIPT: prints a C header with the style and the script of the pages, and the hash of each for the
Content-Security-Policy, so that a browser runs these two and nothing else."""
import base64
import hashlib
import pathlib
import re
import sys


def literal(text):
    """A C string, a line for each line."""
    lines = [line.replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n")[:-1]]
    return "".join(f'\n\t"{line}\\n"' for line in lines)


def shortened(text):
    """Without comments, blanks at the beginnings of lines, and empty lines."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return "".join(line.strip() + "\n" for line in text.split("\n") if line.strip())


print("/* SPDX-License-Identifier: MIT */\n/* Made by scripts/page_parts.py. */\n#pragma once\n")
for name, path in zip(("style", "script"), sys.argv[1:]):
    part = shortened(pathlib.Path(path).read_text())
    digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
    print(f"static const char page_{name}[] ={literal(part)};\n#define PAGE_{name.upper()}_HASH \"sha256-{digest}\"\n")
