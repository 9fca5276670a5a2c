#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A machine is named the same way in --host, diff, export and forget: live, HOST, HOST@SNAPSHOT, FILE, FILE#NAME, -,
host:HOST and ./FILE; a word that is both a host and a file is refused."""
import pathlib
import tempfile

from tap import Tap, machine, pmuq

tap = Tap()
DIRECTORY = tempfile.TemporaryDirectory()
HERE = pathlib.Path(DIRECTORY.name)
SKX, ZEN = (pmuq(*machine(name), "list", "-J").out for name in ("skylake-sp", "zen3-epyc"))


def db(*words, **how):
    return pmuq("--db", "hosts.db", *words, cwd=HERE, **how)


def prepare():
    db(*machine("skylake-sp"), "scan", "--name", "web1")
    db(*machine("zen3-epyc"), "scan", "--name", "web2")
    document = db("export", "web1", "web2").out
    (HERE / "all.yaml").write_bytes(document)
    (HERE / "web1").write_bytes(db("export", "web2").out)
    (HERE / "tree").symlink_to(machine("skylake-sp")[1])
    return document


def as_host_option(document):
    for word, want in [("web2", ZEN), ("web2@2", ZEN), ("host:web1", SKX), ("host:web1@1", SKX), ("./web1", ZEN), ("tree", SKX),
                       ("all.yaml#web1", SKX), ("web1#web2", ZEN), ("./all.yaml#web2", ZEN), ("-#web2", ZEN), (str(HERE / "web1"), ZEN)]:
        result = db("--host", word, "list", "-J", stdin=document)
        tap.same(result.out, want, f"--host {word.replace(DIRECTORY.name, '')}", result.stderr)
    for word in ("web1", "web1@1"):
        tap.same(db("--host", word, "list").status, 2 if word != "web1@1" else 0, f"--host {word} if a file web1 exists")
    tap.same(db("--sysroot", "-#web1", "list", "-J", stdin=document).out, SKX, "--sysroot - reads stdin")


def everywhere():
    ambiguous = ["'web1' is a host and a file", "host:web1", "./web1"]
    for words in (["--host", "web1", "list"], ["--host", "web1", "encode", "cycles"], ["diff", "web1", "live"], ["diff", "live", "web1"],
                  ["export", "web1"], ["forget", "web1"]):
        result = db(*words)
        tap.ok(result.status == 2 and all(part in result.stderr for part in ambiguous), f"{' '.join(words)}: ambiguous, 2", result.stderr)
    for words in (["--host", "{}", "list"], ["diff", "{}", "live"], ["diff", "live", "{}"], ["export", "{}"], ["forget", "host:{}"]):
        for word, status in (("none", 4), ("web2@9", 4), ("web2@", 2)):
            result = db(*[part.format(word) for part in words])
            tap.same(result.status, status, f"{' '.join(words).format(word)}: {status}", result.stderr)
    for number in ("0", "99999999999999999999"):
        result = db("--host", f"web2@{number}", "list")
        tap.ok(result.status == 4 and f"'web2' has no snapshot {number}\n" in result.stderr, f"--host web2@{number}: the error has that number", result.stderr)
    for word in ("none.yaml", "./none", "none.tar.xz"):
        for words in (["--host", word, "list"], ["--sysroot", word, "list"], ["diff", word, "live"], ["export", word]):
            result = db(*words)
            tap.same((result.status, "cannot be read" in result.stderr), (4, True), f"{' '.join(words)}: no such file", result.stderr)


def hosts_like_files():
    """A word that names no file is a host if the database has it, whatever its ending is."""
    for name in ("x.data", "x.tar", "x.yaml"):
        db(*machine("skylake-sp"), "scan", "--name", name)
        tap.same(db("--host", name, "list", "-J").out, SKX, f"--host {name}")
        tap.same(db("diff", f"{name}@1900-01-01", "tree").status, 4, f"… without such a snapshot")
        tap.same(db("diff", name, "tree").status, 0, f"diff {name}")
        tap.ok(f"name: {name}" in db("export", name).text, f"export {name}")
        (HERE / name).touch()
        tap.ok(f"host:{name}" in db("--host", name, "list").stderr, f"--host {name} if there is such a file, too")
        (HERE / name).unlink()
        tap.same(db("forget", name).status, 0, f"forget {name}")


def diff_export_forget():
    tap.same(db("diff", "host:web1", "tree").status, 0, "diff of a host and a tree of the same machine")
    tap.same(db("diff", "./web1", "web2").status, 0, "diff of a file and a host")
    exported = db("export", "host:web1", "./web1")
    tap.ok(exported.status == 0 and exported.text.count("\n---\n") + exported.text.startswith("---") >= 1, "export of a host and a file",
           exported.text[:200], exported.stderr)
    tap.same(db("export", "--all-hosts=web2").out, db("export", "web2").out, "export --all-hosts=GLOB exports the hosts that match")
    tap.same(db("export", "--all-hosts=x*").status, 1, "export --all-hosts=GLOB that matches no host: 1")
    for words in (["export", "--all-hosts", "web1"], ["--host", "web2", "export", "tree"], ["forget", "tree"], ["forget", "live"]):
        tap.same(db(*words).status, 2, f"{' '.join(words)}: usage")
    tap.same(db("forget", "host:web1@1", "web2").status, 0, "forget host:HOST@SNAPSHOT")
    tap.same(db("hosts", "-J").json["hosts"], [], "forget removes both")


everything = prepare()
as_host_option(everything)
everywhere()
hosts_like_files()
diff_export_forget()
DIRECTORY.cleanup()
tap.finish()
