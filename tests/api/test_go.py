#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Go packages: their own tests, with cgo and without, and their examples: test_go.py SOURCE_DIR BUILD_DIR GO CC [race]. No network.
With "race" it runs `go vet`, and the tests of Go under its race detector, instead. With --update it writes the types of the
daemon's client."""
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

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "scripts"))
import headers  # noqa: E402

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
    if "--update" in sys.argv and made.returncode == 0:
        (MODULE / "pmuqd/interface.go").write_text(made.stdout)
    tap.ok(made.stdout == (MODULE / "pmuqd/interface.go").read_text(), "the types of the daemon's client are those of the interface",
           "meson test api-go --test-args=--update", made.stderr)


#: The headers that the package pmuq is about, and what it leaves out of them: names that another name has made unnecessary, and
#: what needs other objects (libpfm4, checks).
HEADERS = ("attr.h", "catalog.h", "complete.h", "cpus.h", "decode.h", "encode.h", "error.h", "fit.h", "metric.h", "names.h", "open.h", "opened.h", "recording.h", "samples.h", "service.h",
           "source.h", "watch.h")
LEFT_OUT = """pmuq_attr_field pmuq_attr_find_field pmuq_attr_get pmuq_attr_set pmuq_attr_copy pmuq_field PMUQ_FIELD_NUMBER
    PMUQ_FIELD_WORD pmuq_catalog_find_fact pmuq_catalog_find_pmu pmuq_pmu_parameter pmuq_pmu_file_at pmuq_pmu_file_text
    pmuq_pmu_file PMUQ_FILE_TEXT PMUQ_FILE_NUMBER PMUQ_FILE_CPUS pmuq_encodings_are_live pmuq_encodings_one pmuq_generic_name pmuq_cause_name
    pmuq_code_meaning pmuq_code_example pmuq_code_remedy pmuq_code_at pmuq_term_name pmuq_modifier_meaning
    pmuq_errno_name pmuq_page pmuq_opened_count
    pmuq_opened_target_count PMUQ_FROM_PFM pmuq_event.has_unit_file pmuq_event.has_scale_file pmuq_pmu.index pmuq_bits.width
    pmuq_bits.shift pmuq_bits.is_solid pmuq_encoding.libpfm4_name pmuq_encode_options.pfm pmuq_encode_options.accepts_other_cpus
    pmuq_encode_options.memory pmuq_encode_options.memory_bytes pmuq_decode_options.pfm pmuq_open_options.wants_page
    pmuq_open_options.wakeup_samples pmuq_samples_fd pmuq_recording_open_fd pmuq_recording_is PMUQ_RECORDING_MAGIC_BYTES pmuq_machine.n_pmus pmuq_machine.n_problems
    pmuq_machine.check pmuq_machine.n_tracepoints pmuq_count.page pmuq_left_field.format PMUQ_COUNTED PMUQ_MULTIPLEXED PMUQ_ALWAYS_ZERO PMUQ_NEVER_SCHEDULED
    PMUQ_TARGET_IDLE PMUQ_NOT_COUNTED pmuq_cpu_list_from_numbers pmuq_cpu_list_has pmuq_cpu_list.text""".split()


def declared(headers):
    """Functions, enumerators and members of the headers of this package; `size` is in every record."""
    for function in headers.functions.values():
        if function.header in HEADERS:
            yield function.name, function.name
    for enum in headers.enums.values():
        if enum.header in HEADERS and enum.name != "pmuq_attr_field":
            yield from ((name, name) for name in enum.values)
    for record in headers.structs.values():
        if record.header in HEADERS and record.name not in (*LEFT_OUT, "pmuq_attr"):
            yield from ((f"{record.name}.{member.name}", member.name) for member in record.members if member.name != "size")


def completeness():
    """A new function, enumerator or member is in the package, or in LEFT_OUT."""
    text = "".join(path.read_text() for pattern in ("*.go", "batch.c") for path in sorted(MODULE.glob(pattern)) if "_test" not in path.name)
    used = {word.lstrip("_") for word in re.findall(r"\w+", text)}
    names = dict(declared(headers.read(str(SOURCE / "include"))))
    tap.same([name for name, word in names.items() if word not in used and name not in LEFT_OUT], [], "the package has what the headers declare")
    tap.same([name for name in LEFT_OUT if "." in name and name not in names], [], "… and what it leaves out exists")


def tests(name, *words, **environment):
    """One statement for each test of Go."""
    # Without -count=1 go would print the results of another libpmuq. Vet reads the whole standard library, as long as all else takes.
    done = run(GO, "test", "-v", "-count=1", "-vet=off", *words, **environment)
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
        # The daemon does not read the machine again for each call.
        while watcher.poll() is None and run(program, socket, "0", "cycles:u").stdout.startswith("generation 1:"):
            pass
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
        vetted = run(GO, "vet", "./...")
        tap.same((vetted.returncode, vetted.stderr), (0, ""), "go vet finds nothing")
        tests("race detector", "-race", "./...")
        tap.finish()
    source()
    completeness()
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
