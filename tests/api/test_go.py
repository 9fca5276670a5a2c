#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Go packages: their own tests, with cgo and without, and their examples: test_go.py SOURCE_DIR BUILD_DIR GO CC [race]. No network.
With "race" it runs the tests with several goroutines under Go's race detector instead."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import MACHINES, Tap  # noqa: E402

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
GO = sys.argv[3]
# The linker of Go 1.19 tries options with the first word of CC only, and would run ccache with them.
CC = [word for word in shlex.split(sys.argv[4]) if word != "ccache"]
MODULE = SOURCE / "bindings/go"
DEVICES = pathlib.Path("/sys/bus/event_source/devices")
ENVIRONMENT = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOCACHE": str(BUILD / "go-cache"),
               "GOPATH": str(BUILD / "go-path"), "CC": " ".join(CC), "CGO_ENABLED": "1",
               "PKG_CONFIG_PATH": str(BUILD / "meson-uninstalled"), "LD_LIBRARY_PATH": str(BUILD),
               "PMUQ_TEST_CASES": str(SOURCE / "tests/cases")}
PMUQD = os.environ.get("PMUQD")

tap = Tap()


def run(*words, **environment):
    return subprocess.run(words, capture_output=True, text=True, cwd=MODULE, env={**ENVIRONMENT, **environment}, timeout=280)


def source():
    """The files are formatted, and those that a script makes are current."""
    formatted = run(pathlib.Path(GO).with_name("gofmt") if pathlib.Path(GO).with_name("gofmt").exists() else "gofmt", "-l", ".")
    tap.same((formatted.returncode, formatted.stdout), (0, ""), "gofmt changes no file", formatted.stderr)
    first = [str(path) for path in sorted(MODULE.rglob("*.go")) if not path.read_text().startswith("// SPDX-License-Identifier: MIT\n")]
    tap.same(first, [], "every file begins with its licence")
    compiled = run(*CC, "-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Wno-sign-conversion", "-Werror", "-fsyntax-only", f"-I{SOURCE}/include",
                   f"-I{BUILD}/include", "batch.c")
    tap.same((compiled.returncode, compiled.stderr), (0, ""), "the file in C has no warning")
    if not PMUQD or not shutil.which("gofmt"):
        return tap.skip("the types of the daemon's client", "there is no daemon, or no gofmt")
    with tempfile.TemporaryDirectory() as work:
        interface = pathlib.Path(work, "interface")
        interface.write_text(subprocess.run([PMUQD, "--interface"], capture_output=True, text=True, check=True).stdout)
        made = subprocess.run([sys.executable, SOURCE / "scripts/bindings_go.py", interface], capture_output=True, text=True, check=False)
    tap.ok(made.stdout == (MODULE / "pmuqd/interface.go").read_text(), "the types of the daemon's client are those of the interface",
           "scripts/bindings_go.py INTERFACE >bindings/go/pmuqd/interface.go", made.stderr)


def tests(name, *words, **environment):
    """One statement for each test of Go."""
    # Without -count=1 go would print the results of another libpmuq.
    done = run(GO, "test", "-v", "-count=1", *words, **environment)
    results = re.findall(r"^--- (PASS|FAIL|SKIP): (\w+)", done.stdout, re.M)
    for result, test in results:
        if result == "SKIP":
            tap.skip(f"{name}: {test}", "go skips it")
        else:
            tap.ok(result == "PASS", f"{name}: {test}", done.stdout[done.stdout.find(f"--- FAIL: {test}"):])
    tap.ok(done.returncode == 0 and results, f"{name}: all tests pass", done.stdout[-2000:] + done.stderr)


def build(name, work, **environment):
    program = pathlib.Path(work, name)
    done = run(GO, "build", "-o", program, f"./examples/{name}", **environment)
    tap.same((done.returncode, done.stderr), (0, ""), f"{name} is built")
    return program


def agent(work):
    program = build("agent", work)
    done = run(program, "1", "page-faults", "page-fautls", "cycles")
    tap.ok("not counted: page-fautls: " in done.stderr and "did you mean 'page-faults'?" in done.stderr,
           "agent reports an unknown event, with a hint", done.stderr)
    if os.geteuid() == 0:
        lines = dict(line.split()[:2] for line in done.stdout.splitlines())
        tap.ok(done.returncode == 0 and float(lines.get("page-faults", -1)) >= 0, "… and counts page faults on all CPUs", done.stdout + done.stderr)
    if os.geteuid() == 0 and not (DEVICES / "cpu").exists():
        tap.ok("not counted: cycles: " in done.stderr, "… and reports an event that the kernel refuses", done.stderr)
    done = run(program, "1", "page-fautls")
    tap.ok(done.returncode == 1 and not done.stdout and done.stderr, "… exits if there is nothing to count", done.stdout + done.stderr)


def service_agent(work):
    """It prints the machine and its events, and then a change."""
    program = build("service_agent", work, CGO_ENABLED="0", PKG_CONFIG_PATH="/nowhere")
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    tap.ok("libpmuq" not in linked.stdout, "… without libpmuq", linked.stdout)
    tree, socket = pathlib.Path(work, "tree"), pathlib.Path(work, "socket")
    shutil.copytree(MACHINES / "skylake-sp", tree, symlinks=True)
    daemon = subprocess.Popen([PMUQD, "--socket", socket, "--sysroot", tree], stderr=subprocess.DEVNULL)
    try:
        while not socket.exists() and daemon.poll() is None:
            pass
        watcher = subprocess.Popen([program, socket, "1", "cycles:u", "uncore_imc_0/cas_count_read/", "cyclez"], stdout=subprocess.PIPE, text=True)
        before = [watcher.stdout.readline() for _ in range(7)]
        tap.ok(before[0].startswith("generation 1: ") and before[1] == "cycles:u on cpu: open on the CPUs 0-15: type=0 size=64 exclude_kernel=1 exclude_hv=1\n"
               and before[2].startswith("uncore_imc_0/cas_count_read/ on uncore_imc_0: open on the CPUs 0,8: ")
               and before[3].startswith("error[PMUQ-031]"), "… prints the machine and its events", "".join(before))
        shutil.rmtree(tree / "sys/bus/event_source/devices/uncore_imc_0")
        # A call finds the change: nothing announces one in a captured machine.
        run(program, socket, "0", "cycles:u")
        after = watcher.communicate(timeout=60)[0]
        tap.ok(watcher.returncode == 0 and re.search(r"^generation 2: .*\n(.*\n)*breaking: \[uncore_imc_0\]: ", after) and "error[PMUQ-" in after,
               "… and prints the change when it happens", after)
    finally:
        daemon.kill()
        daemon.wait()


def page(work):
    """The program of docs/languages.md."""
    programs = re.findall(r"^```go\n(.*?)^```$", (SOURCE / "docs/languages.md").read_text(), re.S | re.M)
    tap.same(len(programs), 1, "docs/languages.md has one program in Go")
    source, program = pathlib.Path(work, "program.go"), pathlib.Path(work, "program")
    source.write_text(programs[0])
    done = run(GO, "build", "-o", program, source)
    tap.same((done.returncode, done.stderr), (0, ""), "… which is built")
    done = run(program, "page-faults")
    tap.same((done.returncode, done.stdout, done.stderr), (0, "page-faults: config 0x2\n", ""), "… encodes an event")
    done = run(program, "page-fautls")
    tap.ok(done.returncode == 1 and "did you mean 'page-faults'?" in done.stderr, "… and reports an unknown event", done.stderr)


def main():
    if sys.argv[5:] == ["race"]:
        tests("race detector", "-race", "-run", "Goroutines|TestSubscribe|TestContext|TestClosed", ".", *(["./pmuqd"] if PMUQD else []))
        tap.finish()
    source()
    vetted = run(GO, "vet", "./...")
    tap.same((vetted.returncode, vetted.stderr), (0, ""), "go vet finds nothing")
    tests("with cgo", "./...")
    if PMUQD:
        tests("without cgo", "-run", "TestMethods", "./pmuqd", CGO_ENABLED="0", PKG_CONFIG_PATH="/nowhere")
    with tempfile.TemporaryDirectory() as work:
        page(work)
        agent(work)
        if PMUQD:
            service_agent(work)
    tap.finish()


main()
