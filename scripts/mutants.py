#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The work of mutants.sh. mutants.py copy COPY: brings COPY to the state of the files that git lists.
mutants.py run COPY BUILD [MODULE|FILE|all [N [SEED]]]: mutates COPY, builds it in BUILD and runs tests.

A mutation is killed if a test of its module fails, crashes or takes much longer than without it. One that does not
compile, or to the same code, is replaced by another. tests/mutants.toml lists mutations that change no behaviour: they are not tried.
The exit status is 1 if a mutation survived."""
import difflib
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

import mutate

# The tests that judge a mutation of a module. A test that is not there (no libpfm4) is left out.
TESTS = {
    "core": """memory_strings memory_machines memory_check memory_parsers query_fails vec bits text sha256 instance flags library attr attr_parse errors words modifiers catalog sinks assign lazy host
        change_rules discover document machines cases-errors cases-encode cases-presets cases-probes memory resources decode diff
        complete recording regex vendor decode_vendor cli-list cli-show cli-usage cli-words limits api-cpu-list api-names api-own-attr api-set-attr""",
    "discover": "memory_machines live_hybrid host discover discover_events refresh root tar lazy catalog capture machines memory resources cases-probes cli-capture cli-list",
    "encode": """memory_strings query_fails intel_pt words modifiers assign errors attr cases-errors cases-encode cases-presets cases-probes resources memory decode
        complete lazy explained recorded dialects perfs-own presets examples cli-encode cli-explain encode api-own-attr
        limits pfm cli-pfm decode_vendor cli-sources api-names api-one-encoding api-parts api-privilege""",
    "decode": "memory_strings query_fails decode decode_vendor decode_law attr_parse cases-encode cases-presets cases-probes cases-errors cli-decode cli-pfm memory resources explained",
    "complete": "memory_strings query_fails complete cases-cut cli-complete",
    "open": "open open_probes open_reasons open_target open_host opened samples sample_fields measure check memory_check cli-opens cli-check api-own-attr api-samples kernel-count",
    "db": """memory_machines store store_schema store_memory store_foreign store_failures store_open store_hosts store_log store_check store_crash memory
        cli-store cli-hosts cli-memory queries postgres postgres-schema postgres-store postgres-store_check postgres-store_hosts postgres-server""",
    "vendor": "vendor vendor_files decode_vendor cli-vendor cli-search vendors postgres-vendor postgres-search",
    "pfm": "memory_strings pfm pfm_raw pfm_abuse pfm_inherited pfm_inherited_listed pfm_walk cli-pfm cli-search",
    "perfdata": "memory_machines recording cli-recordings",
    "metric": "formula formulas",
    "document": "memory_machines document document_law sinks cli-document",
    "diff": "memory_machines change_rules diff diff_law cli-diff",
    "cli": """cli-usage cli-words cli-layout cli-encode cli-decode cli-list cli-show cli-forms cli-explain cli-diff cli-hosts cli-store
        cli-terminal cli-complete cli-schemas cli-document cli-machines cli-opens cli-check cli-scan_check cli-search cli-sources
        cli-vendor cli-recordings cli-pfm cli-capture cli-manual-examples cli-watch cli-jsonl cli-limits cli-control-bytes""",
    "watch": "watch subscription cli-watch service-watch",
    "remote": "subscription service-via service-watch service-limits service-clients",
    "service": "service-methods service-changes service-limits service-via service-watch service-clients service-memory",
    "compat": "api-compat",
}
# A test that takes longer than this many times its usual time, and these seconds, hangs.
SLOWER, SLACK_S = 5, 10
# Limits of each test: bytes of memory (not with sanitizers, which reserve more) and of a file; test_recording makes a sparse one of a GiB.
MEMORY_MAX, FILE_MAX = 4 << 30, 2 << 30
# So many candidates are tried until one compiles.
TRIES_MAX = 10


def copy(target):
    """Writes only files that differ, so that only these are built again. Removes the mutation of an interrupted run."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True).stdout
    names = {name for name in map(os.fsdecode, listed.split(b"\0")) if name and os.path.isfile(name)}
    for path in [path for path in target.rglob("*") if path.is_file()]:
        if str(path.relative_to(target)) not in names and "__pycache__" not in path.parts:
            path.unlink()
    for name in names:
        source, there = pathlib.Path(name), target / name
        if not there.is_file() or there.read_bytes() != source.read_bytes():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, there)


class Test:
    """A test of meson, run without meson, which takes a second to start."""

    def __init__(self, build, entry, targets):
        self.build, self.name, self.entry = build, entry["name"], entry
        self.targets = [file for target in entry["depends"] for file in targets[target]]
        self.cost, self.kills, self.passed = 0.0, 0, None

    def made(self):
        """Builds what the test needs."""
        return subprocess.run(["ninja", "-C", self.build, *self.targets], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def limits(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
        if "sanitize" not in self.build:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))

    def run(self, limit_s):
        """The number of statements that held, or None if the test failed."""
        with tempfile.TemporaryDirectory(prefix="pmuq-mutants-", ignore_cleanup_errors=True) as directory:
            os.chmod(directory, 0o755)  # Some tests are another user.
            # As meson does: new memory has no zeros by chance.
            env = os.environ | self.entry["env"] | {"TMPDIR": directory, "MALLOC_PERTURB_": "85"}
            process = subprocess.Popen(self.entry["cmd"], cwd=self.build, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=self.limits)
            try:
                output = process.communicate(timeout=limit_s)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                return None
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        # A test that is skipped where it was not before has lost what it tests.
        held = len(re.findall(r"^ok \d+(?!.*# SKIP)", output, re.M))
        return None if process.returncode or re.search(r"^not ok (?!.*# (?:SKIP|TODO))", output, re.M) else held

    def measure(self):
        is_made = self.made()
        start = time.monotonic()
        self.passed = self.run(self.entry["timeout"] * SLOWER) if is_made else None
        self.cost = time.monotonic() - start
        return self.passed is not None

    def kills_mutant(self):
        if not self.made():
            return True
        held = self.run(self.cost * SLOWER + SLACK_S)
        return held is None or held < self.passed


def tests_of(build, names):
    """The tests that pass without a mutation."""
    info = pathlib.Path(build) / "meson-info"
    targets = {target["id"]: [os.path.relpath(file, os.path.realpath(build)) for file in target["filename"]]
               for target in json.loads((info / "intro-targets.json").read_text())}
    known = {entry["name"]: entry for entry in json.loads((info / "intro-tests.json").read_text())}
    for name in names:
        if name not in known:
            print(f"note: there is no test {name}", flush=True)
            continue
        test = Test(build, known[name], targets)
        if test.measure():
            yield test
        else:
            print(f"note: {name} fails without a mutation, and is left out", flush=True)


def mutated(text, m):
    return text[:m.start] + m.text + text[m.end:]


def change(text, m):
    """The lines that a mutation changes: what tests/mutants.toml names."""
    first = text.rfind("\n", 0, m.start) + 1
    last = text.find("\n", m.end)
    return text[first:last].strip(), (text[first:m.start] + m.text + text[m.end:last]).strip()


def known_equivalents():
    rows = tomllib.loads(pathlib.Path("tests/mutants.toml").read_text()).get("equivalent", [])
    return {(row["file"], row["old"], row.get("new")) for row in rows}


def is_beyond_array(text, m):
    """Reads beyond an array: only a sanitizer notices."""
    return m.operator == "off by one" and m.text == " <= " and text.startswith("COUNT(", m.end) and not os.environ.get("SANITIZE")


def candidates(paths, source):
    """All mutations as (path, mutation), without those that change no behaviour."""
    equivalent = known_equivalents()
    for path in paths:
        text = (source / path).read_text()
        for m in mutate.mutations(text):
            old, new = change(text, m)
            if not equivalent & {(path, old, new), (path, old, None)} and not is_beyond_array(text, m):
                yield path, m


def spread(found, n, rng):
    """n lists of candidates, one for each stretch of the source. In each list types of mutations alternate."""
    for i in range(n):
        part = found[len(found) * i // n:len(found) * (i + 1) // n]
        rng.shuffle(part)
        seen = {}
        for candidate in part:
            seen[candidate[1].operator] = seen.get(candidate[1].operator, 0) + 1
            seen[candidate] = seen[candidate[1].operator]
        yield sorted(part, key=seen.get)


def killer(tests):
    """The test that notices the mutation; the best one of those before is run first."""
    for test in sorted(tests, key=lambda test: test.cost / (1 + test.kills)):
        if test.kills_mutant():
            test.kills += 1
            return test.name
    return None


def compiles(build, tests, path):
    """Builds the objects of the file: a mutation that does not compile does not count."""
    objects = [line.split(":")[0] for line in subprocess.run(["ninja", "-C", build, "-t", "targets", "rule", "c_COMPILER"], check=True,
               capture_output=True, text=True).stdout.split("\n") if line.endswith(path.replace("/", "_") + ".o") or f"/{path.split('/', 1)[1].replace('/', '_')}.o" in line]
    return subprocess.run(["ninja", "-C", build, *objects], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def optimized(source, build, path):
    """The optimized code of a file: a mutation that does not change it has no effect, or is of another architecture."""
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    entry = next((entry for entry in commands if os.path.realpath(os.path.join(entry["directory"], entry["file"])) == os.path.realpath(source / path)), None)
    if not entry:
        return None # Another build has the file.
    words = shlex.split(entry["command"])
    with tempfile.TemporaryDirectory(prefix="pmuq-mutants-") as directory:
        object_file = os.path.join(directory, "object")
        for option, value in (("-o", object_file), ("-MF", "/dev/null")):
            if option in words:
                words[words.index(option) + 1] = value
        subprocess.run([*words, "-O2"], cwd=entry["directory"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return pathlib.Path(object_file).read_bytes() if os.path.exists(object_file) else None


def try_one(source, build, tests, path, m):
    """None if it does not compile, or to the same code, else (the test that killed it or None,)."""
    file = source / path
    text = file.read_text()
    before = optimized(source, build, path)
    try:
        file.write_text(mutated(text, m))
        if not compiles(build, tests, path) or optimized(source, build, path) == before:
            return None
        return (killer(tests),)
    finally:
        file.write_text(text)


def show(path, text, m):
    lines = difflib.unified_diff(text.split("\n"), mutated(text, m).split("\n"), n=1, lineterm="")
    print(*list(lines)[2:], sep="\n", flush=True)


def run_module(source, build, module, paths, n, rng):
    """Prints each mutation; returns how many were tried and how many survived."""
    print(f"== {module}: tests without a mutation", flush=True)
    tests = list(tests_of(build, os.environ.get("TESTS", TESTS[module]).split()))
    found = list(candidates(paths, source))
    print(f"== {module}: {min(n, len(found))} of {len(found)} mutations, {len(tests)} tests, {sum(test.cost for test in tests):.0f} s", flush=True)
    tried = survived = 0
    for part in spread(found, min(n, len(found)), rng):
        for path, m in part[:TRIES_MAX]:
            text = (source / path).read_text()
            start = time.monotonic()
            result = try_one(source, build, tests, path, m)
            if result is None:
                continue
            tried += 1
            survived += result[0] is None
            where = f"{path}:{text.count(chr(10), 0, m.start) + 1}: {m.operator}"
            print(f"{'killed by ' + result[0] if result[0] else 'SURVIVED'}: {where} ({time.monotonic() - start:.0f} s)", flush=True)
            if result[0] is None:
                show(path, text, m)
            break
    print(f"== {module}: {tried - survived} of {tried} killed ({100 * (tried - survived) / max(tried, 1):.0f} %)", flush=True)
    return tried, survived


def run(source, build, what="all", n="20", seed="1"):
    modules = list(TESTS) if what == "all" else [what.split("/")[0]]
    if modules[0] not in TESTS:
        sys.exit(f"mutants: there is no module {what!r}: {' '.join(TESTS)}")
    total = [0, 0]
    for module in modules:
        paths = [what] if what.endswith(".c") else sorted(str(path.relative_to(source)) for path in (source / module).rglob("*.c"))
        result = run_module(source, build, module, paths, int(n), random.Random(f"{seed} {module}"))
        total = [a + b for a, b in zip(total, result)]
    print(f"{total[0] - total[1]} of {total[0]} mutations killed ({100 * (total[0] - total[1]) / max(total[0], 1):.0f} %), seed {seed}")
    return 1 if total[1] else 0


def stop(*_):
    raise KeyboardInterrupt


def main():
    # A shell ignores interrupts of what it runs in the background.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    if sys.argv[1] == "copy":
        copy(pathlib.Path(sys.argv[2]))
        return 0
    try:
        return run(pathlib.Path(sys.argv[2]), sys.argv[3], *sys.argv[4:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
