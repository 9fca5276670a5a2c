#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Rust crates: they are built without a network and a warning; their tests pass, and lose no memory; programs that break a
lifetime do not compile; structs have the layout of C; the example works. test_rust.py SOURCE_DIR TARGET_DIR LIBPMUQ CC RUSTC CARGO
The crates are built in TARGET_DIR."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "scripts")]
sys.dont_write_bytecode = True
from bindings import camel  # noqa: E402
from bindings_rust import rust_name  # noqa: E402
from bindings_rust_records import SHARED  # noqa: E402
from headers import Headers  # noqa: E402
from tap import Tap  # noqa: E402

SOURCE, TARGET, LIBRARY = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
CC = shlex.split(sys.argv[4])
RUSTC, CARGO = sys.argv[5:7]
CRATES = SOURCE / "bindings/rust"
#: A program that prints the layout of all structs.
LAYOUT = """use pmuq_sys::*;
use std::mem::{size_of, MaybeUninit};
use std::ptr::addr_of;

fn size_at<T>(_: *const T) -> usize {
    size_of::<T>()
}

fn main() {
%s}
"""
tap = Tap()
os.environ.update({
    "RUSTC": RUSTC, "PMUQ_LIB_DIR": str(LIBRARY.parent), "LD_LIBRARY_PATH": str(LIBRARY.parent), "CARGO_TARGET_DIR": str(TARGET),
    "CARGO_HOME": str(TARGET / "home"), "RUSTFLAGS": "-Dwarnings", "RUST_BACKTRACE": "0",
    "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0",
    "PMUQ_TEST_CASES": str(SOURCE / "tests/cases"), "PMUQ_TEST_RECORDINGS": str(SOURCE / "tests/recordings"),
    "PMUQ_TEST_TABLES": str(SOURCE / "tests/vendor/arch")})


def run(*words, **how):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **how)
    return done.returncode, done.stdout, done.stderr


def cargo(*words):
    return run(CARGO, words[0], "--offline", "--locked", "--manifest-path", CRATES / "Cargo.toml", *words[1:])


def build():
    """The programs of the crates, by their names."""
    status, out, err = cargo("build", "--lib", "--tests", "--examples", "--message-format=json-render-diagnostics")
    tap.ok(status == 0, "the crates are built offline, without a warning", err)
    messages = [json.loads(line) for line in out.splitlines()]
    return {one["target"]["name"]: one["executable"] for one in messages if one.get("executable")}


def crate_tests(programs):
    for name in ("cases", "objects", "memory"):
        status, out, err = run(programs[name])
        for test, outcome in re.findall(r"^test (\w+) \.\.\. (\w+)$", out, re.M):
            tap.ok(outcome == "ok", f"{name}: {test}", out, err)
        tap.ok(status == 0 and "test result: ok" in out, f"{name}: all tests pass", out, err)


def leaks(program):
    if not shutil.which("valgrind"):
        tap.skip("the tests lose no memory", "there is no valgrind")
        return
    # Not the vendor's tables, which contain links: valgrind does not have openat2(2).
    without = {name: value for name, value in os.environ.items() if name != "PMUQ_TEST_TABLES"}
    status, out, err = run("valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite,indirect",
                           "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=9", program, env=without)
    tap.ok(status == 0 and "test result: ok" in out, "valgrind finds no lost memory and no invalid access", out, err)


def compiled(path):
    work = TARGET / "fails"
    work.mkdir(exist_ok=True)
    return run(RUSTC, "--edition=2021", "--emit=metadata", "--out-dir", work, "-L", TARGET / "debug/deps", "--extern",
               f"pmuq={TARGET}/debug/libpmuq.rlib", path)


def lifetimes():
    paths = sorted((CRATES / "pmuq/tests/fails").glob("*.rs"))
    tap.ok(len(paths) > 10, "there are programs that must not compile")
    with ThreadPoolExecutor(2) as threads:
        for path, (status, _, err) in zip(paths, threads.map(compiled, paths)):
            # Two more notes about a thread are one mistake.
            wanted, got = re.findall(r"\bE0\d+", path.read_text()), re.findall(r"^error\[(E\d+)\]", err, re.M)
            tap.same((status, set(got)), (1, set(wanted)), f"{path.stem} does not compile: {', '.join(wanted)}", err)
    fixed = TARGET / "fails/fixed.rs"
    fixed.write_text((CRATES / "pmuq/tests/fails/source_before_encodings.rs").read_text().replace("    drop(machine);\n", ""))
    tap.same(compiled(fixed)[0], 0, "one of them compiles without its mistake")


def layout():
    """Compares the structs with those of the C compiler."""
    c_lines, lines = [], []
    for name, struct in Headers(SOURCE / "include").structs.items():
        c_lines.append(f'\tprintf("{name} %zu\\n", sizeof(struct {name}));')
        lines.append(f'    println!("{name} {{}}", size_of::<{name}>());\n    let of = MaybeUninit::<{name}>::uninit();\n    let of = of.as_ptr();')
        for member in (one.name for one in struct.members if not one.is_bits):
            c_lines.append(f'\tprintf("{name}.{member} %zu %zu\\n", offsetof(struct {name}, {member}), sizeof(((struct {name} *)0)->{member}));')
            at = f"unsafe {{ addr_of!((*of).{rust_name(member)}) }}"
            lines.append(f'    println!("{name}.{member} {{}} {{}}", {at} as usize - of as usize, size_at({at}));')
    c_source, rust_source = TARGET / "layout.c", TARGET / "layout.rs"
    c_source.write_text("#include <pmuq/pmuq.h>\n#include <stdio.h>\nint main(void)\n{\n" + "\n".join(c_lines) + "\n\treturn 0;\n}\n")
    rust_source.write_text(LAYOUT % "".join(line + "\n" for line in lines))
    of_c = run(*CC, "-std=c11", f"-I{SOURCE}/include", f"-I{LIBRARY.parent}/include", c_source, "-o", TARGET / "layout-c")
    of_rust = run(RUSTC, "--edition=2021", "-Awarnings", "-L", TARGET / "debug/deps", "-L", LIBRARY.parent, "--extern",
                  f"pmuq_sys={TARGET}/debug/libpmuq_sys.rlib", "-o", TARGET / "layout", rust_source)
    tap.same((of_c[0], of_rust[0]), (0, 0), "programs with all structs compile", of_c[2] + of_rust[2])
    wanted, got = run(TARGET / "layout-c")[1].splitlines(), run(TARGET / "layout")[1].splitlines()
    tap.ok(len(wanted) > 400, "there are structs and members")
    tap.same([line for line in wanted if line not in got], [], "they have the sizes and offsets of C")


def agent(program):
    status, out, err = run(program, "1", "page-faults", "page-fautls")
    tap.ok("not counted: page-fautls: " in err and "did you mean 'page-faults'?" in err, "the agent reports an unknown event, with a hint", err)
    if os.geteuid() == 0:
        tap.ok(status == 0 and re.match(r"page-faults \d+ $", out, re.M), "… and counts the other event", out + err)
    status, out, err = run(program, "1", "page-fautls")
    tap.ok(status == 1 and not out and err, "… and exits if there is nothing to count", out + err)


def pages():
    """The programs of pages, as they are; that of docs/languages.md is run, since it needs no PMU."""
    for name in ("docs/languages.md", "bindings/rust/README.md"):
        found = re.findall(r"^```rust\n(.*?)^```$", (SOURCE / name).read_text(), re.S | re.M)
        tap.same(len(found), 1, f"{name} has one program in Rust")
        source, program = TARGET / "page.rs", TARGET / pathlib.Path(name).stem
        source.write_text(found[0])
        status, _, err = run(RUSTC, "--edition=2021", "-Dwarnings", "-L", TARGET / "debug/deps", "-L", LIBRARY.parent, "--extern",
                             f"pmuq={TARGET}/debug/libpmuq.rlib", "-o", program, source)
        tap.same(status, 0, "… which compiles", err)
    program = TARGET / "languages"
    tap.same(run(program, "page-faults")[:2], (0, "page-faults: config 0x2\n"), "the first one encodes an event")
    status, out, err = run(program, "page-fautls")
    tap.ok(status == 1 and not out and "page-fautls" in err and "^^^" in err, "… and reports an unknown event with a caret", out + err)


def shared():
    [item] = [item for item in (CRATES / "README.md").read_text().split("\n- ") if "are `Sync`" in item]
    tap.same(re.findall(r"`(\w+)`", item[:item.index("and their records")]), sorted([*map(camel, SHARED), "Error"]), "the README lists what threads may share")


def checkers():
    """What a user of newer tools would see; Debian's rustc has neither."""
    for words, name in (["clippy", "--all-targets", "--", "-Dwarnings"], "clippy"), (["fmt", "--all", "--check"], "rustfmt"):
        if run(CARGO, words[0], "--version")[0] != 0:
            tap.skip(f"{name} has no remark", f"there is no {name}")
            continue
        status, out, err = cargo(*words) if words[0] != "fmt" else run(CARGO, *words, "--manifest-path", CRATES / "Cargo.toml")
        tap.ok(status == 0, f"{name} has no remark", out + err)


TARGET.mkdir(parents=True, exist_ok=True)
programs = build()
if programs:
    crate_tests(programs)
    leaks(programs["objects"])
    lifetimes()
    layout()
    agent(programs["agent"])
    pages()
    shared()
    checkers()
tap.finish()
