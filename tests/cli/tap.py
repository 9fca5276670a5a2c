# SPDX-License-Identifier: MIT
"""What the tests of the command share: functions that run it, and TAP with one line for each statement."""
import atexit
import functools
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None

PMUQ = os.environ["PMUQ"]
MACHINES = pathlib.Path(os.environ["PMUQ_TEST_MACHINES"])
SCHEMAS = pathlib.Path(os.environ["PMUQ_SCHEMAS"])
# Variables that would change the output.
UNWANTED = ("NO_COLOR", "COLUMNS", "LINES", "SOURCE_DATE_EPOCH")
# The tests do not use the database of the user who runs them.
os.environ["XDG_STATE_HOME"] = "/nonexistent"
# scripts/thorough.sh sets it: then nothing is sampled or left out.
IS_THOROUGH = "PMUQ_ALL_CALLS" in os.environ
# To search for leaks at its end takes as long as all else that a short command with AddressSanitizer does.
if not IS_THOROUGH:
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


# Arguments of subprocess that run the command as an ordinary user if root runs the tests.
ORDINARY = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


@functools.cache
def path_for_all(program):
    """A path of the program that every user can run: a copy if the build directory is closed to others."""
    if all(os.stat(path).st_mode & stat.S_IXOTH for path in (program, *pathlib.Path(program).parents)):
        return program
    directory = tempfile.TemporaryDirectory()
    atexit.register(directory.cleanup)
    os.chmod(directory.name, 0o755)
    return shutil.copy(program, directory.name)


def machine_names():
    return sorted(path.name for path in MACHINES.iterdir() if (path / "sys").is_dir())


def machine(name):
    """The options that choose a captured machine."""
    return ["--sysroot", str(MACHINES / name)]


# Larger documents are not validated: that would take longer than to print them.
VALIDATED_BYTES = 100_000


def without_references(schema, definitions):
    """The same schema, by which jsonschema validates five times as fast: every $ref is replaced by its definition, and
    unevaluatedProperties, which it works out again at each level, by additionalProperties."""
    if isinstance(schema, list):
        return [without_references(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: without_references(value, definitions) for key, value in schema.items() if key != "$defs"}
    if "unevaluatedProperties" in own:
        own["additionalProperties"] = own.pop("unevaluatedProperties")
    if "$ref" not in own:
        return own
    return extended(without_references(definitions[own.pop("$ref").removeprefix("#/$defs/")], definitions), own)


def extended(base, more):
    """What is valid by both schemas. Each alternative of the first is extended by itself."""
    if "oneOf" in base:
        return {**base, "oneOf": [extended(alternative, more) for alternative in base["oneOf"]]}
    return {**base, **more, "properties": {**base.get("properties", {}), **more.get("properties", {})},
            "required": base.get("required", []) + more.get("required", [])}


@functools.cache
def validator(name, is_line=False):
    """The validator of schemas/NAME.schema.json, for documents or for lines of --jsonl; None without python3-jsonschema."""
    if not jsonschema:
        return None
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    root = schema["$defs"]["line"] if is_line else schema
    return jsonschema.Draft202012Validator(without_references(root, schema["$defs"]))


def validated(value, is_line=False):
    """Check the value against its schema and return it; test_document.py checks inventory documents."""
    name = value.get("schema", "").removeprefix("pmuq.").partition("/")[0] if isinstance(value, dict) else ""
    schema = validator(name, is_line) if name and name != "inventory" else None
    for error in schema.iter_errors(value) if schema else []:
        raise AssertionError(f"does not match {name}.schema.json: {error.message[:500]} at {list(error.absolute_path)}")
    return value


class Result:
    """What a command printed. Its documents are checked against their schemas, unless -o selected fields."""

    def __init__(self, done, words=()):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.is_whole = not {"-o", "--columns"} & set(words) and len(self.out or b"") < VALIDATED_BYTES

    @property
    def text(self):
        return self.out.decode()

    @property
    def stderr(self):
        return self.err.decode(errors="replace")

    @property
    def json(self):
        value = json.loads(self.out)
        return validated(value) if self.is_whole else value

    @property
    def lines(self):
        """The lines of --jsonl, without their schema."""
        values = [json.loads(line) for line in self.out.splitlines()]
        for value in values if self.is_whole else []:
            validated(value, is_line=True)
        for value in values:
            assert value.pop("schema").startswith("pmuq."), value
        return values

    @property
    def rows(self):
        """The rows of a JSON document with one list."""
        return next(value for value in self.json.values() if isinstance(value, list))


def pmuq(*words, stdin=b"", env=None, **how):
    clean = {key: value for key, value in os.environ.items() if key not in UNWANTED}
    how.setdefault("stdout", subprocess.PIPE)
    command = path_for_all(PMUQ) if "user" in how else PMUQ
    return Result(subprocess.run([command, *words], input=stdin, stderr=subprocess.PIPE, timeout=120,
                                 env=clean | (env or {}), check=False, **how), words)


@functools.cache
def forms_of(command):
    """The output forms in the help of a command, without their dashes."""
    part = pmuq("help", command).text.partition("\nForms of the output (one of them):\n")[2].partition("\n\n")[0]
    return [re.search(r"--([a-z0-9-]+)", line)[1] for line in part.splitlines() if line.lstrip().startswith("-")]


def printed_on(master):
    """What programs print on a terminal, part by part, until none of them has it open."""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            return
        if not part:
            return
        yield part


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def _line(self, outcome, name, directive=""):
        self.count += 1
        line = name.replace("\n", "\\n")
        print(f"{outcome} {self.count} - {line}{directive}", flush=True)

    def ok(self, condition, name, *details):
        """One statement; the details are printed if it does not hold."""
        self._line("ok" if condition else "not ok", name)
        if condition:
            return
        self.failed += 1
        for detail in details:
            text = detail if isinstance(detail, str) else repr(detail)
            for line in text[:2000].splitlines():
                print(f"# {line}")

    def same(self, got, want, name, *details):
        self.ok(got == want, name, f"got  {got!r}", f"want {want!r}", *details)

    def skip(self, name, why):
        self._line("ok", name, f" # SKIP {why}")

    def finish(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)
