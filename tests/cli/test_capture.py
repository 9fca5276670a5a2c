#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""capture: this machine and captured ones are the same after a capture, from directories and tars; a capture does not
identify its machine; tars that are not captures are refused at once."""
import gzip
import io
import json
import lzma
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
import zlib

from tap import MACHINES, ORDINARY, PMUQ, SCHEMAS, Tap, machine, machine_names, pmuq

try:
    import jsonschema
except ImportError:
    jsonschema = None

DIRECTORY = tempfile.TemporaryDirectory()
HERE = pathlib.Path(DIRECTORY.name)
ARCHIVES = pathlib.Path(__file__).resolve().parent.parent / "machines"
MANIFEST = "pmuq-capture"
STRINGS = b"cycles\ncycles:u\nmsr/tsc/\nsched:sched_switch\nmem:0x1000:rw\ncpu/umsk=1/\nno-such-event\ncpu-clock\n"
tap = Tap()


def files_of(folder):
    """Path and content of all files but the manifest, which contains the time and the source."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != MANIFEST}


def results(*machine_options):
    """What the command prints for a machine: the export, and the encodings of some strings."""
    encoded = pmuq(*machine_options, "encode", "--jsonl", "--no-open", "-f", "-", stdin=STRINGS).out
    return [pmuq(*machine_options, "export").out, pmuq(*machine_options, "list", "-J", "problems").out, encoded]


# ------------------------------------------------------------------------------------------ this machine

def this_machine():
    here = results()
    for name in ("here", "here.tar", "here.tar.gz", "here.tar.xz", "here.tar.zst"):
        result = pmuq("capture", "--hostname", str(HERE / name))
        tap.ok(result.status == 0 and re.match(rf"captured to {re.escape(str(HERE / name))}: \d+ PMUs?, \d+ events?, "
                                               r"\d+ tracepoints?; \d+ files? of \d+ bytes?\n", result.text),
               f"capture {name}", result.text, result.stderr)
        back = results("--sysroot", str(HERE / name))
        # The kernel itself lowers a limit.
        tap.ok(back in (here, results()), f"{name} is encoded and exported like this machine", back[0][:2000].decode())
        tap.ok(len(back[0]) > 500 and len(back[2].splitlines()) == len(STRINGS.splitlines()), f"{name}: the strings are encoded")
    tap.ok("sys/kernel/tracing" not in pmuq("list", "problems").text or os.getuid() != 0, "root can read tracefs")
    named = pmuq("capture", "--hostname=web01", str(HERE / "named.tar"))
    facts = pmuq("--sysroot", str(HERE / "named.tar"), "list", "-J", "facts").json["facts"]
    tap.ok({"fact": "hostname", "text": "web01"} in facts, "--hostname=NAME sets the hostname of the capture", facts, named.stderr)
    odd = str(HERE / "odd.tar")
    pmuq("capture", "--hostname=a@b", odd)
    scan = ["--db", str(HERE / "odd.db"), "--sysroot", odd, "scan"]
    result = pmuq(*scan)
    tap.ok(result.status == 1 and "'a@b'" in result.stderr and "--name" in result.stderr,
           "a hostname with an @ is not the name of a host", result.status, result.stderr)
    tap.ok("host c: snapshot 1 (new)" in pmuq(*scan, "--name", "c").text, "… and --name gives it another name")
    tap.ok(named.text.rstrip().endswith(f"pmuq --sysroot {HERE}/named.tar list"), "the output contains the command that uses the capture", named.text)


def an_ordinary_user():
    if os.getuid() != 0:
        return
    directory = HERE / "nobody"
    directory.mkdir()
    os.chown(directory, ORDINARY["user"], ORDINARY["group"])
    HERE.chmod(0o755)
    result = pmuq("capture", str(directory / "c.tar"), **ORDINARY)
    if not pathlib.Path("/sys/kernel/tracing/events").exists():
        tap.skip("for an ordinary user capture reports what it could not read, and why", "tracefs is not mounted")
    else:
        tap.ok(result.status == 0 and "not read   sys/kernel/tracing/events: permission denied\n" in result.text
               and "root can read" in result.text, "for an ordinary user capture reports what it could not read, and why", result.text)
    here = [pmuq("list", "-J", table, **ORDINARY).out for table in ("pmus", "problems")]
    back = [pmuq("--sysroot", str(directory / "c.tar"), "list", "-J", table).out for table in ("pmus", "problems")]
    tap.same(back, here, "the capture contains the problems of the machine")


def dry_run():
    before = sorted(HERE.iterdir())
    result = pmuq("capture", "--dry-run", str(HERE / "dry"))
    tap.ok(result.status == 0 and result.text.startswith("would capture: ") and MANIFEST in result.text
           and "sys/bus/event_source/devices/software/type" in result.text, "--dry-run lists the files", result.text[:500])
    tap.same(sorted(HERE.iterdir()), before, "--dry-run writes nothing")
    document = pmuq("capture", "--dry-run", "-J").json
    listed = re.findall(r"^ +(\d+)  (\S+)$", result.text, re.M)
    tap.same([file["path"] for file in document["files"]], [path for _, path in listed], "--dry-run -J lists the same files")
    tap.ok(document["written"] is None and document["bytes"] > 0, "--dry-run -J contains no path of a written file")
    tap.same(document["files"], sorted(document["files"], key=lambda file: file["path"].split("/")), "the files of the JSON are sorted")


def schema():
    if not jsonschema:
        tap.skip("the JSON matches the schema", "no python3-jsonschema")
        return
    validator = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "capture.schema.json").read_text()))
    for words in ([], machine("skylake-sp"), machine("s390x-max")):
        target = str(HERE / f"schema{len(words)}{words[-1:] and pathlib.Path(words[-1]).name}.tar")
        document = pmuq(*words, "capture", "-J", target).json
        tap.same([error.message for error in validator.iter_errors(document)], [],
                 f"the JSON matches the schema: {' '.join(pathlib.Path(word).name for word in words)}")
        tap.same(document["written"], target, "the JSON contains the path that was written")
    tap.ok(list(validator.iter_errors({"schema": "pmuq.capture/1"})), "the schema refuses another document")


# ------------------------------------------------------------------------------------------ redaction

def secrets():
    """The capture contains no identifying data: machine-id, hostname, serial numbers, network addresses."""
    paths = ["/etc/machine-id", "/var/lib/dbus/machine-id", *map(str, pathlib.Path("/sys/class/dmi/id").glob("*_serial")),
             "/sys/class/dmi/id/product_uuid", *map(str, pathlib.Path("/sys/class/net").glob("*/address"))]
    found = []
    for path in paths:
        try:
            text = pathlib.Path(path).read_text().strip()
        except OSError:
            continue
        if len(text) > 5 and set(text) - set("0:- "):
            found.append((path, text.encode()))
    return found


def redaction():
    folder = HERE / "redacted"
    pmuq("capture", str(folder))
    content = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for path, secret in secrets():
        tap.ok(not [name for name, text in content.items() if secret in text], f"the content of {path} is not in the capture")
    name = os.uname().nodename.encode()
    telling = [path for path, text in content.items()
               if path != "proc/cpuinfo" and re.search(rb"(?<![\w.])" + re.escape(name) + rb"(?![\w.])", text)]
    tap.same(telling, [], "the hostname is not in the capture")
    mac = re.compile(rb"(?i)(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![0-9a-f:-])")
    tap.same([path for path, text in content.items() if mac.search(text)], [], "the capture contains no network address")
    manifest = content[MANIFEST].decode()
    tap.ok("redacted proc/sys/kernel/hostname: removed\n" in manifest, "the manifest lists the files that were left out", manifest)
    facts = pmuq("--sysroot", str(folder), "list", "-J", "facts").json["facts"]
    here = [fact for fact in pmuq("list", "-J", "facts").json["facts"] if fact["fact"] != "hostname"]
    tap.same(facts, here, "the capture contains all facts but the hostname")


# ------------------------------------------------------------------------------------------ captured machines

def machines():
    for name in machine_names():
        tar = ["--sysroot", str(ARCHIVES / f"{name}.tar.xz")]
        want = results(*machine(name))
        tap.same(results(*tar), want, f"{name}.tar.xz gives the same output as its tree")
        again = HERE / f"{name}.tar.zst"
        pmuq(*machine(name), "capture", str(again))
        tap.same(results("--sysroot", str(again)), want, f"{name}: a capture of it gives the same output")
        again.unlink()


def again():
    for source, target in [(machine("zen3-epyc"), "first"), (["--sysroot", str(HERE / "first")], "second.tar.xz"),
                           (["--sysroot", str(HERE / "second.tar.xz")], "third")]:
        tap.same(pmuq(*source, "capture", str(HERE / target)).status, 0, f"zen3-epyc is captured to {target}")
    first, third = files_of(HERE / "first"), files_of(HERE / "third")
    tap.ok(len(first) > 50, "the capture contains files")
    tap.same(third, first, "a capture of a capture has the same files")


# ------------------------------------------------------------------------------------------ directories that are not captures

def refused(name, code, data, words=("list",)):
    """Opening the file fails with that code, within seconds."""
    path = HERE / name
    path.write_bytes(data)
    start = time.monotonic()
    result = pmuq("--sysroot", str(path), *words)
    took = time.monotonic() - start
    tap.ok(result.status == 4 and code in result.stderr and not result.out, f"{name}: {code}", result.status, result.stderr, result.out[:200])
    tap.ok(took < 20, f"{name}: it fails within seconds", f"{took} s")
    path.unlink()


def tar_of(*entries, around=bytes):
    """Entries are TarInfo with content."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for info, text in entries:
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    return around(raw.getvalue())


def bomb():
    """Files of zeros, each of them small enough."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    zeros, packed = bytes(64 << 10), []
    for number in range(4200):
        info = tarfile.TarInfo(f"sys/f{number}")
        info.size = len(zeros)
        packed += [packer.compress(info.tobuf(tarfile.USTAR_FORMAT)), packer.compress(zeros)]
    return b"".join(packed) + packer.flush()


def bad_tars():
    good = (ARCHIVES / "pentium4.tar.xz").read_bytes()
    plain = lzma.decompress(good)
    zst = HERE / "good.tar.zst"
    pmuq("--sysroot", str(ARCHIVES / "pentium4.tar.xz"), "capture", str(zst))
    for suffix, packed in (("xz", good), ("gz", gzip.compress(plain)), ("zst", zst.read_bytes())):
        for cut in (6, 20, 100, len(packed) // 3, len(packed) // 2, len(packed) - 700, len(packed) - 13):
            refused(f"cut-at-{cut}.tar.{suffix}", "PMUQ-225", packed[:cut])
        # The data of a zst has no checksum, so a changed byte in it may go unnoticed; its header may not.
        broken, at = bytearray(packed), 4 if suffix == "zst" else len(packed) // 2
        broken[at] ^= 0x55
        broken[at + 1] ^= 0x55
        refused(f"broken.tar.{suffix}", "PMUQ-225", bytes(broken))
    refused("packed-twice.tar.gz", "PMUQ-225", gzip.compress(gzip.compress(plain)))
    refused("nothing-for-long.tar.gz", "PMUQ-225", gzip.compress(b"")[:10] + b"\0\0\0\xff\xff" * 4000000)
    refused("packed-otherwise.tar.bz2", "error[PMUQ-", b"BZh9" + bytes(2000))
    refused("bomb.tar.gz", "PMUQ-226", bomb())
    refused("rubbish.tar.xz", "PMUQ-225", b"\xfd7zXZ\0" + os.urandom(100000))
    refused("image.tar", "error[PMUQ-", os.urandom(100000))
    refused("zip.tar", "error[PMUQ-", b"PK\3\4" + bytes(10000) + b"x")
    refused("empty.tar", "error[PMUQ-", b"")
    refused("nothing.tar", "error[PMUQ-", bytes(10240))


def sparse():
    tar = shutil.which("tar")
    if not tar:
        tap.skip("a huge sparse file is refused", "no tar")
        return
    with open(HERE / "giant", "wb") as file:
        file.truncate(1 << 40)
    done = subprocess.run([tar, "-S", "-cf", str(HERE / "sparse.tar"), "giant"], cwd=HERE, check=False, stderr=subprocess.DEVNULL)
    if done.returncode:
        tap.skip("a huge sparse file is refused", "this tar makes none")
        return
    refused("sparse-giant.tar", "PMUQ-226", (HERE / "sparse.tar").read_bytes())


def odd_names():
    device = "m/sys/bus/event_source/devices/"
    entries = [(tarfile.TarInfo(device + "cpu/type"), b"4\n"), (tarfile.TarInfo(device + "cpu/format/event"), b"config:0-7\n"),
               (tarfile.TarInfo(device + "cpu/events/\u00e4\u03c9"), b"event=1\n"),
               (tarfile.TarInfo(device + "cpu/events/" + "n" * 200), b"event=2\n")]
    (HERE / "names.tar").write_bytes(tar_of(*entries))
    for source in (HERE / "names.tar", HERE / "names-again.tar.gz"):
        for locale in ("C", "C.UTF-8"):
            result = pmuq("--sysroot", str(source), "list", "-J", "events", "--from", "sysfs", env={"LC_ALL": locale})
            tap.same([row["event"] for row in result.json["events"]], ["n" * 200, "\u00e4\u03c9"],
                     f"{source.name} in {locale}: long names and UTF-8 names are read", result.stderr)
        pmuq("--sysroot", str(HERE / "names.tar"), "capture", str(HERE / "names-again.tar.gz"))


# ------------------------------------------------------------------------------------------ mistakes

def mistakes():
    full = HERE / "full"
    full.mkdir()
    (full / "mine").write_text("x")
    (HERE / "there.tar").write_text("mine")
    before = sorted(HERE.iterdir())
    for words, status, message in [
            (["capture"], 2, "needs a new directory"), (["capture", "a", "b"], 2, "'b' is too many"),
            (["capture", "-"], 2, "not stdout"),
            (["--host", "x", "capture", str(HERE / "x")], 2, "--host"),
            (["capture", str(full)], 4, "PMUQ-228"), (["capture", str(HERE / "there.tar")], 4, "PMUQ-228"),
            (["capture", "/proc/web01"], 4, "PMUQ-229"), (["capture", "/proc/web01.tar.xz"], 4, "PMUQ-229"),
            (["capture", str(HERE / "web01.tar.bz2")], 2, "PMUQ-230"),
            (["--sysroot", str(HERE / "none.tar"), "capture", str(HERE / "x")], 4, "PMUQ-220"),
            (["--sysroot", str(full / "mine"), "list"], 4, "error[PMUQ-")]:
        result = pmuq(*words)
        shown = " ".join(word.removeprefix(str(HERE)) for word in words)
        tap.ok(result.status == status and message in result.stderr and not result.out, f"{shown}: {status}, {message}",
               result.status, result.stderr, result.text[:200])
    tap.same(sorted(HERE.iterdir()), before, "a failed capture leaves no file")
    tap.same((HERE / "there.tar").read_text(), "mine", "an existing file is not overwritten")
    (HERE / "later").mkdir()
    shutil.copytree(MACHINES / "pentium4" / "sys", HERE / "later" / "sys", symlinks=True)
    (HERE / "later" / MANIFEST).write_text("pmuq-capture 9\n")
    result = pmuq("--sysroot", str(HERE / "later"), "list")
    tap.ok(result.status == 4 and "PMUQ-227" in result.stderr and f"{MANIFEST}:1:" in result.stderr, "a manifest of a later version is refused",
           result.stderr)


def no_space():
    """On a full disk capture reports the error with the file name and leaves no file."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
    (HERE / "narrow").mkdir()
    for name in ("a.tar", "b.tar.xz", "c"):
        path = HERE / "narrow" / name
        result = pmuq(*machine("zen3-epyc"), "capture", str(path), preexec_fn=limit)
        tap.ok(result.status == 4 and "File too large" in result.stderr and f"in: {path}\n" in result.stderr,
               f"{name}: a full disk is reported", result.stderr)
    tap.same(list((HERE / "narrow").iterdir()), [], "a capture on a full disk leaves no file")


def whose_files():
    """The umask sets the mode of a capture."""
    for mask in (0o077, 0o022, 0o002):
        for name in ("mine", "mine.tar"):
            path = HERE / f"{name}.{mask}" if name == "mine" else HERE / f"{mask}.{name}"
            pmuq(*machine("zen3-epyc"), "capture", str(path), preexec_fn=lambda mask=mask: os.umask(mask))
            files = [path] if path.is_file() else [path, *path.rglob("*")]
            tap.same([file.name for file in files
                      if file.stat().st_mode & 0o777 != (0o777 if file.is_dir() else 0o666) & ~mask], [],
                     f"{name} with umask {mask:03o}")


def no_library():
    broken = HERE / "lib"
    broken.mkdir()
    (broken / "libarchive.so.13").write_bytes(b"")
    env = {"LD_LIBRARY_PATH": str(broken)}
    for words in (["capture", str(HERE / "unmade.tar")], ["--sysroot", str(ARCHIVES / "pentium4.tar.xz"), "list"]):
        result = pmuq(*words, env=env)
        tap.ok(result.status == 4 and "PMUQ-003" in result.stderr and "libarchive13" in result.stderr,
               f"{words[0]}: without libarchive a tar is refused, and the error names the package", result.stderr)
    tap.ok(not list(HERE.glob("unmade*")), "the refusal leaves no file")
    result = pmuq("capture", str(HERE / "made"), env=env)
    tap.same(result.status, 0, "capture writes a directory without libarchive", result.stderr)
    tap.ok("libarchive: not found" in pmuq("--version", "-v", env=env).text, "--version -v reports that libarchive is missing")


def versions():
    tap.ok(re.search(r"^libarchive: (libarchive )?\d", pmuq("--version", "-v").text, re.M), "--version -v names libarchive",
           pmuq("--version", "-v").text)


this_machine()
an_ordinary_user()
dry_run()
schema()
redaction()
machines()
again()
bad_tars()
sparse()
odd_names()
mistakes()
no_space()
whose_files()
no_library()
versions()
DIRECTORY.cleanup()
tap.finish()
