#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the enum (codes.h), the texts (messages.c), the exit statuses of the command or docs/errors.md from
schemas/messages.toml."""
import json
import sys
import tomllib

MAX_BYTES = 1 << 16


def rows(path):
    with open(path, "rb") as file:
        table = tomllib.load(file)
    numbers = [row["number"] for row in table.values()]
    if numbers != sorted(set(numbers)):
        sys.exit(f"{path}: numbers must ascend, each once")
    return list(table.items())


def macro(name):
    return "PMUQ_E_" + name.upper().replace("-", "_")


def header(table):
    print("/* Generated from schemas/messages.toml. */")
    print("#ifndef PMUQ_CODES_H\n#define PMUQ_CODES_H\n")
    print("/** What went wrong; functions return minus one of these. `pmuq help PMUQ-NNN` explains each. */")
    print("enum pmuq_code {\n\tPMUQ_OK = 0,")
    for name, row in table:
        print(f"\t{macro(name)} = {row['number']}, /**< {row['meaning']} */")
    print("};\n\n#endif")


def source(table):
    print("/* Generated from schemas/messages.toml. */")
    print('#include "core/messages.h"\n\nconst char pq_message_texts[] =')
    offsets, end = [], 0
    for name, row in table:
        offsets.append([row["number"]])
        for text in (name, row["meaning"], row["example"], row["remedy"]):
            print(f'\t{json.dumps(text, ensure_ascii=False)} "\\0"')
            offsets[-1].append(end)
            end += len(text.encode()) + 1
    if end > MAX_BYTES:
        sys.exit(f"{end} bytes of texts: offsets of 16 bits reach {MAX_BYTES}")
    print("\t;\n\nconst struct pq_message pq_messages[] = {")
    for numbers in offsets:
        print(f"\t{{ {', '.join(map(str, numbers))} }},")
    print("};\nconst size_t pq_messages_count = sizeof(pq_messages) / sizeof(pq_messages[0]);")


def statuses(table):
    """STATUS_INVALID for what an event string or an attr can have wrong, else STATUS_FAILED."""
    for name, row in table:
        print(f"[{macro(name)}] = {row.get('exit', 1 if row['about'] in ('event', 'open', 'attr', 'metric') else 4)},")


def document(table):
    print("# Errors and warnings\n\nGenerated from `schemas/messages.toml`. `pmuq help PMUQ-NNN` prints the same.\n")
    for name, row in table:
        print(f"## PMUQ-{row['number']:03} {name}\n\n{row['meaning'][0].upper()}{row['meaning'][1:]}.\n")
        print(f"Example: {row['example']}\n\n{row['remedy']}\n")


if __name__ == "__main__":
    {"header": header, "source": source, "statuses": statuses, "document": document}[sys.argv[1]](rows(sys.argv[2]))
