#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of docs/cookbook.md, before and after, in each language, print the same on the same machine, and the blocks of
bindings/go/README.md compile:
test_cookbook.py SOURCE_DIR GENERATED LIBPMUQ CC_ID SANITIZE RUSTC CARGO GO; the last three may be empty"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

SOURCE, GENERATED, LIBRARY = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
sys.path.insert(0, str(SOURCE / "tests/cli"))
from tap import MACHINES, Tap  # noqa: E402

SANITIZE = sys.argv[5]
RUSTC, CARGO, GO = sys.argv[6:9]
CC, CXX = ("clang", "clang++") if sys.argv[4] == "clang" else ("gcc", "g++")
OPTIONS = ["-Wall", "-Wextra", "-Werror", *([f"-fsanitize={SANITIZE}"] if SANITIZE != "none" else []),
           f"-I{SOURCE / 'include'}", f"-I{GENERATED}"]
PAGE = (SOURCE / "docs/cookbook.md").read_text()
#: Examples for another machine than skylake-sp; "": the running one.
MACHINE_OF = {8: "", 9: "alderlake-hybrid-k6.12", 10: ""}
C_MAIN = """
int main(int argc, char **argv)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_error *error = NULL;
	char sysfs[4096];

	snprintf(sysfs, sizeof(sysfs), "%s/sys", argv[1]);
	if ((*argv[1] ? pmuq_source_open_tree(argv[1], &machine, &error) : pmuq_source_open_live(&machine, &error)) < 0)
		fail(error);
	(void)argc;
	switch (atoi(argv[2])) {
CASES	}
	pmuq_source_free(machine);
	return 0;
}
"""
CPP_MAIN = """
int main(int, char **argv)
{
	auto machine = *argv[1] ? pmuq::Source::tree(argv[1]) : pmuq::Source::live();

	switch (std::atoi(argv[2])) {
CASES	}
	return 0;
}
"""
CPP_HEADERS = "".join(f"#include <{name}>\n" for name in ("pmuq/pmuq.hpp", "unistd.h", "cstdlib", "iomanip", "iostream", "string", "vector"))
RUST_MAIN = """
fn run(machine: &Source, n: u32) -> Result<()> {
    match n {
CASES        _ => Ok(()),
    }
}

fn main() -> Result<()> {
    let words: Vec<_> = std::env::args().collect();
    let machine = if words[1].is_empty() { Source::live()? } else { Source::tree(&words[1])? };

    run(&machine, words[2].parse().unwrap())
}
"""
GO_MAIN = """
func main() {
	machine, err := pmuq.OpenLive()
	if os.Args[1] != "" {
		machine, err = pmuq.OpenTree(os.Args[1])
	}
	if err == nil {
		n, _ := strconv.Atoi(os.Args[2])
		err = examples[n](machine)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
"""
#: What the blocks of bindings/go/README.md have from elsewhere in their program. Their package unix is not Go's own.
README_GO = """package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"examples/unix"
	"pmuq.dev/pmuq"
	"pmuq.dev/pmuq/pmuqd"
)

var (
	_ = errors.As
	_ = fmt.Println
	_ syscall.Errno
	_ time.Time
	_ unsafe.Pointer
	_ unix.PerfEventAttr
	_ *pmuqd.Client
)

func main() {}
"""
README_GO_UNIX = """package unix

const PERF_FLAG_FD_CLOEXEC = 8

type PerfEventAttr struct{ Type, Size uint32 }

func PerfEventOpen(attr *PerfEventAttr, pid, cpu, groupFD, flags int) (int, error) { return -1, nil }
"""
README_GO_PARAMETERS = ("ctx context.Context, pid int, strings []string, machine *pmuq.Source, catalog *pmuq.Catalog, e pmuq.Encoding,"
                        " cpuid string, table *pmuq.Vendor, counts []pmuq.MetricCount")
tap = Tap()


def examples(language):
    """{number: code}"""
    found = {}
    for section in re.split(r"^## (?=\d)", PAGE, flags=re.M)[1:]:
        code = re.search(rf"^```{language}\n(.*?)^```$", section, re.S | re.M)
        if code:
            found[int(section.split(".")[0])] = code[1]
    return found


def program_in_c(language):
    prelude = re.search(r"^```c prelude\n(.*?)^```$", PAGE, re.S | re.M)[1]
    codes = examples(language)
    functions = "".join(f"\nstatic void example_{n}(const char *sysfs, struct pmuq_source *machine)\n{{\n\t(void)sysfs;\n\t(void)machine;\n"
                        f"\t{{\n{code}\t}}\n}}\n" for n, code in codes.items())
    cases = "".join(f"\tcase {n}:\n\t\texample_{n}(sysfs, machine);\n\t\tbreak;\n" for n in codes)
    return "#define _GNU_SOURCE\n" + prelude + functions + C_MAIN.replace("CASES", cases)


def program_in_cpp():
    codes = examples("cpp")
    functions = "".join(f"\nstatic void example_{n}(pmuq::Source &machine)\n{{\n\tstatic_cast<void>(machine);\n{code}}}\n" for n, code in codes.items())
    cases = "".join(f"\tcase {n}:\n\t\texample_{n}(*machine);\n\t\tbreak;\n" for n in codes)
    return CPP_HEADERS + functions + CPP_MAIN.replace("CASES", cases)


def program_in_python():
    functions = "".join(f"\n\ndef example_{n}(machine):\n{textwrap.indent(code, '    ')}" for n, code in examples("python").items())
    return ("import sys\nimport time\nimport pmuq\n" + functions +
            "\n\nwith pmuq.Source.tree(sys.argv[1]) if sys.argv[1] else pmuq.Source.live() as machine:\n"
            "    globals()[f'example_{sys.argv[2]}'](machine)\n")


def program_in_rust():
    codes = examples("rust")
    functions = "".join(f"\nfn example_{n}(machine: &Source) -> Result<()> {{\n{code}    Ok(())\n}}\n" for n, code in codes.items())
    cases = "".join(f"        {n} => example_{n}(machine),\n" for n in codes)
    return ("use pmuq::{AttrField, CpuList, EventParts, Result, Source, Watch, WatchOptions};\nuse std::{thread, time::Duration};\n" + functions +
            RUST_MAIN.replace("CASES", cases))


def program_in_go():
    codes = examples("go")
    functions = "".join(f"\nfunc example{n}(machine *pmuq.Source) error {{\n{code}\treturn err\n}}\n" for n, code in codes.items())
    table = "".join(f"\t{n}: example{n},\n" for n in codes)
    imports = "".join(f'\t"{name}"\n' for name in ("bytes", "context", "fmt", "os", "strconv", "time", "pmuq.dev/pmuq"))
    return (f"package main\n\nimport (\n{imports})\n{functions}\nvar examples = map[int]func(*pmuq.Source) error{{\n{table}}}\n" + GO_MAIN)


def by_cargo(work):
    """A program with the crate by its directory, as docs/languages.md describes."""
    project = work / "rust"
    (project / "src").mkdir(parents=True)
    (project / "Cargo.toml").write_text(f'[package]\nname = "cookbook"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n'
                                        f'pmuq = {{ path = "{SOURCE / "bindings/rust/pmuq"}" }}\n')
    (project / "src/main.rs").write_text(program_in_rust())
    done = subprocess.run([CARGO, "build", "--quiet", "--offline"], cwd=project, capture_output=True, text=True, env={
        **os.environ, "RUSTC": RUSTC, "RUSTFLAGS": "-Dwarnings", "PMUQ_LIB_DIR": str(LIBRARY.parent), "CARGO_HOME": str(work / "cargo"), "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_INCREMENTAL": "0"})
    tap.same((done.returncode, done.stderr), (0, ""), "the examples compile: rust")
    return [str(project / "target/debug/cookbook")]


def readme_in_go():
    """A function for each block. A variable that a block only declares is used after it."""
    text = README_GO
    for n, block in enumerate(re.findall(r"^```go\n(.*?)^```$", (SOURCE / "bindings/go/README.md").read_text(), re.S | re.M)):
        names = {name for line in re.findall(r"^(\w+(?:, \w+)*) :=", block, re.M) for name in line.split(", ")} - {"_"}
        used = "".join(f"_ = {name}\n" for name in sorted(names))
        text += f"\nfunc block{n}({README_GO_PARAMETERS}) error {{\n{{\n{block}{used}}}\nreturn nil\n}}\n"
    return text


def by_go(work):
    project = work / "go"
    (project / "readme").mkdir(parents=True)
    (project / "unix").mkdir()
    (project / "readme/main.go").write_text(readme_in_go())
    (project / "unix/unix.go").write_text(README_GO_UNIX)
    (project / "go.mod").write_text("module examples\n\ngo 1.19\n\nrequire pmuq.dev/pmuq v0.0.0\n\n"
                                    f"replace pmuq.dev/pmuq => {SOURCE / 'bindings/go'}\n")
    (project / "main.go").write_text(program_in_go())
    environment = {
        **os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOCACHE": str(LIBRARY.parent / "go-cache"),
        "GOPATH": str(LIBRARY.parent / "go-path"), "CC": CC, "PKG_CONFIG_PATH": str(LIBRARY.parent / "meson-uninstalled")}
    for what, words in {"examples": ["-o", "examples"], "blocks of bindings/go/README.md": ["-o", "readme/readme", "./readme"]}.items():
        done = subprocess.run([GO, "build", *words], cwd=project, capture_output=True, text=True, env=environment)
        tap.same((done.returncode, done.stderr), (0, ""), f"the {what} compile: go")
    return [str(project / "examples")]


def compiled(name, text, compiler, suffix, work):
    source, program = work / f"{name}.{suffix}", work / name
    source.write_text(text)
    standard = ["-std=c++17"] if suffix == "cpp" else []
    done = subprocess.run([compiler, *standard, *OPTIONS, source, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", "-o", program], capture_output=True, text=True)
    tap.same((done.returncode, done.stderr), (0, ""), f"the examples compile: {name}")
    return [program]


def machines(work):
    """Copies of the machines, to which a tracepoint is added."""
    trees = {"": ""}
    for name in ("skylake-sp", "alderlake-hybrid-k6.12"):
        trees[name] = shutil.copytree(MACHINES / name, work / name, symlinks=True)
        tracepoint = work / name / "sys/kernel/tracing/events/sched/sched_switch"
        tracepoint.mkdir(parents=True)
        (tracepoint / "id").write_text("316\n")
    return trees


def printed(command, tree, n):
    done = subprocess.run([*command, tree, str(n)], capture_output=True, text=True, timeout=60, env={
        **os.environ, "PMUQ_LIBRARY": str(LIBRARY), "PYTHONPATH": str(GENERATED.parent / "bindings/python"), "PYTHONDONTWRITEBYTECODE": "1",
        "LD_LIBRARY_PATH": str(LIBRARY.parent)})
    return done.returncode, done.stdout, done.stderr


def main(work):
    commands = {"c before": compiled("before", program_in_c("c before"), CC, "c", work),
                "c": compiled("after", program_in_c("c"), CC, "c", work)}
    if shutil.which(CXX):
        commands["cpp"] = compiled("cpp", program_in_cpp(), CXX, "cpp", work)
    if SANITIZE == "none":
        (work / "examples.py").write_text(program_in_python())
        commands["python"] = [sys.executable, str(work / "examples.py")]
        if RUSTC and CARGO:
            commands["rust"] = by_cargo(work)
        if GO:
            commands["go"] = by_go(work)
    trees = machines(work)
    for n in range(1, 11):
        tree = trees[MACHINE_OF.get(n, "skylake-sp")]
        wanted = printed(commands["c before"], tree, n)
        tap.ok(wanted[0] == 0 and wanted[1] and not wanted[2], f"example {n} prints something before", wanted)
        for language in commands.keys() - {"c before"}:
            tap.ok(n in examples(language), f"example {n} is there in {language}")
            tap.same(printed(commands[language], tree, n), wanted, f"… and prints the same: {language}")


with tempfile.TemporaryDirectory() as directory:
    main(pathlib.Path(directory))
tap.finish()
