#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The other forms of encode, compared with --json: C is compiled and its bytes are read back, hex and raw bytes are
compared, PyYAML reads YAML."""
import os
import pathlib
import pty
import random
import re
import shutil
import subprocess
import tempfile

from tap import MACHINES, PMUQ, Tap, forms_of, machine, pmuq

try:
    import yaml
except ImportError:
    yaml = None

CC = os.environ["PMUQ_CC"].split()
FIELDS_C = os.environ["PMUQ_FIELDS_C"]
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
NAMES = ["skylake-sp", "alderlake-hybrid-k6.12", "sapphirerapids-k6.12", "zen4-epyc-k6.12", "arm64-biglittle",
         "ppc64el-power9", "s390x-max", "pentium4"]
STRINGS = ["cycles", "cycles:u", "cycles:kppp", "{cycles,instructions}:k", "team{cycles,instructions}:S", "r1a",
           "page-faults,cs", "L1-dcache-load-misses", "mem:0x1000/8:rw", "mem:0xffffffff81000000:x", "mem:0x2000/4:w:u",
           "cpu/event=0x3c,umask=0x1/u", "cp*/event=0x3c/", "uncore_*/event=1/", "*/event=1/",
           "cpu/event=1,branch_type=any_call/", "cpu/event=1,branch_type=u/u", "cpu/config=0xfffffffffffffffe/",
           "cpu/config=0xffffffffffffffff,config1=0x8000000000000000,config2=1/", "cpu/event=1,name='a*'/",
           "cpu/event=1,name=*/", "cpu/event=1,name=a??/", "cpu/event=1,name='??='/", "c??/event=1/", "cp*/event=1,name=*/",
           "cpu/event=1,name=bytes/", "cpu/event=1,name=x-bytes,config3=1/", "cpu/event=1,name=x,config3=2/",
           "cpu/event=1,name=2-x-bytes/", "cpu/event=1,name=x.bytes/", "cpu/event=1,name=x_2/", "cpu/event=1,name='x!'/",
           "cpu/event=1,period=1000,call-graph=fp/", "cpu/config3=0x123456789abcdef0/u", "cpu/config4=1,config3=2/",
           "cpu/event=2,name=" + "long" * 100 + "/", "cpu/event=3,name=" + "long" * 100 + "/", "cycles", "cycles",
           "cpu/umsk=1/", "no-such", ""]
PERF_ONLY = ["sched:sched_switch", "mem:0x1000:rw:u", "cycles:pp", "{cycles,faults}:uS", "cpu/event=1,event=2/"]

tap = Tap()


def strings_of(name):
    """The listed strings and the machine's events, of a few instances."""
    devices = MACHINES / name / "sys/bus/event_source/devices"
    events = [f"{path.parent.parent.name}/{path.name}/" for path in sorted(devices.glob("*/events/*")) if "." not in path.name]
    return STRINGS + events[::max(1, len(events) // 40)]


def results(name, *words, form):
    return pmuq(*machine(name), "encode", "--no-open", f"--{form}", *words)


def encodings_of(document):
    return [encoding for line in document["inputs"] for encoding in line.get("encodings", [])]


# ---------------------------------------------------------------------------------------------- C

def system_header():
    rule = subprocess.run([*CC, "-M", "-x", "c", "-"], input=b"#include <linux/perf_event.h>\n", stdout=subprocess.PIPE, check=True)
    return next(pathlib.Path(word) for word in rule.stdout.decode().split() if word.endswith("/linux/perf_event.h"))


def write_headers(directory):
    """The system's header as an older one that ends with sig_data, and as one of a newer kernel."""
    text = system_header().read_text()
    text = re.sub(r"^#define PERF_ATTR_SIZE_VER[89].*\n|^\t__u64\s+config[34];.*\n", "", text, flags=re.M)
    newer = text.replace("\t__u64\tsig_data;\n", "\t__u64\tsig_data;\n\t__u64\tconfig3;\n\t__u64\tconfig4;\n")
    newer = newer.replace("__u32\t__reserved_3;", "__u32\taux_action;")
    newer = newer.replace("__reserved_1   : 26;", "defer_callchain : 1, defer_output : 1, __reserved_1 : 24;")
    newer += "#define PERF_ATTR_SIZE_VER8 136\n#define PERF_ATTR_SIZE_VER9 144\n"
    for version, content, code in (("older", text, 0x040100), ("newer", newer, 0x071300)):
        (directory / version / "linux").mkdir(parents=True)
        (directory / version / "linux/perf_event.h").write_text(content)
        (directory / version / "linux/version.h").write_text(
            f"#define LINUX_VERSION_CODE {code}\n#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))\n")


def compile_c(path, *words, compiler=CC, flags=STRICT):
    done = subprocess.run([*compiler, *flags, *words, str(path)], capture_output=True, check=False)
    return done.returncode, done.stderr.decode()


def read_back(directory, text, *words):
    """The bytes of each struct of the text in hex, printed by a program that contains the structs."""
    names = re.findall(r"^static const struct perf_event_attr (\w+) = \{", text, re.M)
    source, program = directory / "back.c", directory / "back"
    source.write_text(text + "#include <stdio.h>\nint main(void)\n{\n" + "".join(
        f"\tfor (unsigned i = 0; i < {name}.size; i++)\n\t\tprintf(\"%02x\", ((const unsigned char *)&{name})[i]);\n"
        "\tputs(\"\");\n" for name in names) + "\treturn 0;\n}\n")
    status, stderr = compile_c(source, *words, "-o", str(program))
    if status != 0:
        return names, [stderr]
    return names, subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.decode().split()


def c_of_machines(directory):
    newer = ["-isystem", str(directory / "newer")]
    count = 0
    for name in NAMES:
        for dialect in ("pmuq", "perf"):
            words = ["--dialect", dialect, "--", *strings_of(name), *PERF_ONLY]
            want = encodings_of(results(name, *words, form="json").json)
            text = results(name, *words, form="c").text
            names, got = read_back(directory, text, *newer)
            tap.same(got, [encoding["attr_hex"] for encoding in want], f"{name}: {dialect}: C compiles to the bytes of the JSON")
            tap.same(len(set(names)), len(want), f"{name}: {dialect}: each struct has a different name")
            count += len(want)
            path = directory / f"{name}.c"
            path.write_text(text)
            for other in ("gcc", "clang"):
                if shutil.which(other):
                    tap.same(compile_c(path, "-fsyntax-only", *newer, compiler=[other]), (0, ""),
                             f"{name}: {dialect}: {other} -std=c11 compiles without warnings")
            for other in ("g++", "clang++"):
                if shutil.which(other):
                    flags = ["-x", "c++", "-std=c++20", "-Wall", "-Wpedantic", "-Werror"]
                    tap.same(compile_c(path, "-fsyntax-only", *newer, compiler=[other], flags=flags), (0, ""),
                             f"{name}: {dialect}: {other} -std=c++20 compiles without warnings")
    refused = [line["input"] for line in results(NAMES[0], "--", *STRINGS, form="json").json["inputs"] if not line["ok"]]
    tap.same(refused, ["cpu/umsk=1/", "no-such", ""], "all strings but three are events")
    tap.ok(count > 300, "at least a few hundred encodings were compiled", count)


ODD_UNITS = ["*/ int", "/* //", "ends in ??/", "ends in \\", "a\"b'c", "\u202e\u2066", "\u00e9 \x7f", "???", "*?/"]


def c_of_an_odd_machine(directory):
    """Texts of a machine that are special in C, and PMUs whose names become one identifier."""
    devices = directory / "odd/sys/bus/event_source/devices"
    for number, name in enumerate(["int", "9p", "a-b", "a_b", "a.b", "__x", "*", "\u00e9"]):
        (devices / name / "format").mkdir(parents=True)
        (devices / name / "events").mkdir()
        (devices / name / "type").write_text(f"{number + 20}\n")
        (devices / name / "format/event").write_text("config:0-7\n")
        for index, unit in enumerate(ODD_UNITS):
            (devices / name / f"events/e{index}").write_text(f"event={index + 1}\n")
            (devices / name / f"events/e{index}.unit").write_text(unit + "\n")
    source = ["--sysroot", str(directory / "odd"), "encode", "--no-open"]
    strings = [f"e{index}" for index in range(len(ODD_UNITS))]
    want = encodings_of(pmuq(*source, "--json", "--", *strings).json)
    tap.ok(len(want) >= 7 * len(ODD_UNITS), "the events of an odd machine are encoded", len(want))
    text = pmuq(*source, "--c", "--", *strings).text
    names, got = read_back(directory, text)
    for shown in ("*\\/ int", "/\\* //", "ends in ?\\?/", "ends in \\x5c", "\\xc3\\xa9 \\x7f"):
        tap.ok(f" * unit      {shown}\n" in text, f"a comment contains it without its C meaning: {shown}", text)
    tap.same(got, [encoding["attr_hex"] for encoding in want], "the C of an odd machine compiles to the right bytes")
    tap.same(len(set(names)), len(want), "the structs of an odd machine have different names")
    tap.ok({"int_e0", "pmu_9p_e0", "a_b_e0", "a_b_e0_2", "a_b_e0_3"} <= set(names), "identifiers are made of PMU and event names", names)


def c_of_old_headers(directory):
    plain = [string for string in strings_of("skylake-sp") if "config3" not in string and "config4" not in string]
    text = results("skylake-sp", "--", *plain, form="c").text
    tap.ok("#if" not in text and "version.h" not in text, "fields of every header have no #if")
    want = [encoding["attr_hex"] for encoding in encodings_of(results("skylake-sp", "--", *plain, form="json").json)]
    tap.same(read_back(directory, text)[1], want, "the C compiles against the system's header")
    text = results("skylake-sp", "cpu/event=1,name=mine,config3=7/", form="c").text
    path = directory / "guarded.c"
    path.write_text(text)
    status, stderr = compile_c(path, "-fsyntax-only", "-isystem", str(directory / "older"))
    tap.ok(status != 0 and "#error" in stderr and "config3" in stderr and "cpu_mine_bytes" in stderr,
           "an older header gives an error with the missing field and the option for bytes", stderr)
    found = re.search(r"unsigned char cpu_mine_bytes\[136\] = \{([^}]*)\}", text)
    raw = bytes(int(byte, 16) for byte in re.findall(r"0x(\w\w)", found.group(1))) if found else b""
    tap.same(raw.hex(), encodings_of(results("skylake-sp", "cpu/event=1,name=mine,config3=7/", form="json").json)[0]["attr_hex"],
             "those bytes are the attr's")
    broken = directory / "no_guard.c"
    broken.write_text(text.replace("#error", "#define NOTHING"))
    tap.ok(compile_c(broken, "-fsyntax-only", "-isystem", str(directory / "older"))[0] == 0, "without the field the other fields are right")


def c_of_every_field(directory):
    path = directory / "fields.c"
    done = subprocess.run([FIELDS_C, str(path)], stdout=subprocess.PIPE, check=True)
    text, want = path.read_text(), done.stdout.decode().split()
    header = (pathlib.Path(__file__).parents[2] / "include/pmuq/attr.h").read_text()
    fields = re.findall(r"^\tu?int\d+_t (?!reserved)(\w+)", header.split("struct pmuq_attr {")[1].split("};")[0], re.M)
    names, got = read_back(directory, text, "-isystem", str(directory / "newer"))
    tap.same(names, [f"{version}_{field}" for field in fields for version in ("alone", "other")], "every field is tested")
    for index, name in enumerate(names):
        tap.same(got[index] if index < len(got) else got[-1:], want[index], f"{name}: the C has its value", *got[:1])
    empty = re.findall(r"^\t\.\w+ = \w+,\s+/\*\s*\*/", text, re.M)
    tap.same(empty, [], "every field has a comment")
    for member in ("bp_addr", "bp_len", "sample_freq", "wakeup_watermark"):
        tap.ok(f"\t.{member} = " in text, f"{member} is used if its meaning is set")
    guarded = set(re.findall(r"^#if .*\n\t\.(\w+) = ", text, re.M))
    tap.ok({"config3", "config4", "sig_data", "aux_action", "sigtrap"} <= guarded, "newer fields have an #if", guarded)


def c_comments():
    text = results("skylake-sp", "uncore_imc/cas_count_read/", "{cycles,instructions}", "cpu/event=1,period=1000/", "a:b", form="c").text
    for word in ("event     uncore_imc/cas_count_read/", "pmu       uncore_imc_0", "cpus      0,8", "unit      MiB", "scale     6.103515625e-5",
                 "source    sysfs", "led by cpu_cycles, one of 2", "leads a group of 2", "for tool  period = 1000", "PMU uncore_imc_0",
                 "PERF_ATTR_SIZE_VER0"):
        tap.ok(word in text, f"a comment contains: {word}", text)
    failed = results("skylake-sp", "cpu/umsk=1/", form="c")
    tap.same((failed.status, failed.out), (1, b""), "without encodings no C is printed")


# ------------------------------------------------------------------------------------------- bytes

def plain_bytes():
    for name in NAMES:
        words = ["--", *strings_of(name), *PERF_ONLY]
        whole = results(name, *words, form="json")
        want = [encoding["attr_hex"] for encoding in encodings_of(whole.json)]
        lines, raw = results(name, *words, form="hex"), results(name, *words, form="bytes")
        tap.same(lines.text, "".join(line + "\n" for line in want), f"{name}: --hex prints a line for each encoding")
        tap.same(raw.out, bytes.fromhex("".join(want)), f"{name}: --bytes prints the bytes of all attrs")
        tap.same((lines.status, raw.status), (whole.status, whole.status), f"{name}: the status is that of --json")
        wrong = [line["input"] for line in whole.json["inputs"] if not line["ok"]]
        tap.same((lines.stderr.count("error[PMUQ"), raw.stderr.count("error[PMUQ")), (len(wrong), len(wrong)),
                 f"{name}: invalid strings are reported on stderr")
    warned = results("skylake-sp", "cp*/event=1/", form="hex")
    tap.ok("warning[PMUQ-041]" in warned.stderr and warned.status == 0, "warnings are printed to stderr", warned.stderr)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"cycles\nnope\n")
        file.flush()
        tap.ok(f"{file.name}:2: error[" in results("skylake-sp", "-f", file.name, form="hex").stderr, "errors contain file and line")
    result = pmuq("encode", "--hex", "cpu-clock", "cycles", "r1a")
    opens = pmuq("encode", "--json", "cpu-clock", "cycles", "r1a")
    refused = [encoding for encoding in encodings_of(opens.json) if encoding["open"]["status"] == "refused"]
    tap.same((result.status, result.stderr.count("the kernel refuses it")), (opens.status, len(refused)), "a refusal is reported", result.stderr)


def raw_on_terminal():
    outer, inner = pty.openpty()
    done = subprocess.run([PMUQ, *machine("skylake-sp"), "encode", "--bytes", "cycles"], stdout=inner, stderr=subprocess.PIPE, check=False)
    os.close(inner)
    try:
        shown = os.read(outer, 4096)
    except OSError:
        shown = b""
    os.close(outer)
    tap.ok(done.returncode == 2 and b"terminal" in done.stderr and not shown, "--bytes does not write to a terminal: 2", done.stderr, shown)


# -------------------------------------------------------------------------------------------- YAML

AMBIGUOUS = ["yes", "No", "ON", "off", "y", "N", "true", "False", "null", "Null", "~", "1", "-1", "+1", "0x3", "0o17", "017", "1e3",
             "1.5", ".5", ".inf", "-.INF", ".nan", "12:30:45", "1_000", "0b1", "2001-01-01", "2001-12-14t21:59:43.10-05:00", "=", "<<",
             "-", "- a", "---", "...", "a: b", "a:", ": a", "a #b", "#a", "'", '"', "%x", "@x", "`x", "!x", "&x", "*x", "[a", "]", "{a",
             "}", ",", "|", ">", "?", "? a", " lead", "trail ", "a  b", "a\tb", "\x7f", "\x1b[0m", "\u0085", "\u2028", "\ufeff", "\ufffe",
             "\U0001f600", "\u00e9", "x" * 3000, "word " * 500, "Infinity", "e5", "null.", "no-such", "nO"]


def core_loader():
    """A reader of YAML 1.2: with its core schema instead of the types of 1.1."""
    class Core(yaml.SafeLoader):
        yaml_implicit_resolvers = {}
    for tag, pattern in (("null", r"(~|null|Null|NULL|)$"), ("bool", r"(true|True|TRUE|false|False|FALSE)$"),
                         ("int", r"([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$"),
                         ("float", r"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$")):
        Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), None)
    return Core


def same_as_json(name, *words, stdin=b"", what):
    both = [pmuq(*machine(name), "encode", f"--{form}", *words, stdin=stdin) for form in ("yaml", "json")]
    for version, loader in (("1.1", yaml.SafeLoader), ("1.2", core_loader())):
        tap.same(yaml.load(both[0].out, loader), both[1].json, f"{what}: YAML {version} reads the content of JSON")
    tap.same(both[0].status, both[1].status, f"{what}: the status is that of --json")


def yaml_documents():
    if not yaml:
        tap.skip("YAML has the content of JSON", "no python3-yaml")
        return
    few = [string for string in STRINGS if "*/event=1/" not in string]
    for name in NAMES:
        same_as_json(name, "--", *few, *strings_of(name)[len(STRINGS)::8], what=name)
    same_as_json("skylake-sp", "--", *AMBIGUOUS, *[f"cpu/event=1,name='{text}'/" for text in AMBIGUOUS], what="what could be taken wrong")
    same_as_json("skylake-sp", "-f", "/dev/null", what="nothing")
    dice = random.Random(7)
    lines = [bytes(dice.choice([dice.randrange(1, 256), dice.choice(b"\"'\\\t :#-{}[]\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80")])
                   for _ in range(dice.randrange(1, 30))).replace(b"\n", b"?") for _ in range(300)]
    same_as_json("skylake-sp", "-f", "-", stdin=b"\n".join(lines) + b"\n", what="any bytes")


def library_that_is_missing():
    with tempfile.TemporaryDirectory() as directory:
        (pathlib.Path(directory) / "libyaml-0.so.2").write_text("no library\n")
        result = pmuq(*machine("skylake-sp"), "encode", "--yaml", "cycles", env={"LD_LIBRARY_PATH": directory})
    tap.ok(result.status == 4 and "libyaml-0-2" in result.stderr and not result.out, "without libyaml: 4, and the error names its package", result.stderr)


with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory)
    write_headers(path)
    c_of_machines(path)
    c_of_an_odd_machine(path)
    c_of_old_headers(path)
    c_of_every_field(path)
c_comments()
tap.same(forms_of("encode"), ["json", "jsonl", "yaml", "c", "hex", "bytes"], "every form of encode is tested here or with the schemas")
plain_bytes()
raw_on_terminal()
yaml_documents()
library_that_is_missing()
tap.finish()
