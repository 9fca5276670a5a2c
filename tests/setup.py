#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/setup.sh waits while another apt holds a lock: setup.py SOURCE_DIR. A real apt-get, with directories of its own and
without sources, so that it needs neither a network nor root; this program holds the locks. What apt-get only prints if it got no
CPU for a second comes from a script in its stead."""
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "tests/cli"))
os.environ.setdefault("PMUQ", "")
os.environ.setdefault("PMUQ_TEST_MACHINES", "")
os.environ.setdefault("PMUQ_SCHEMAS", "")
from tap import Tap  # noqa: E402

WAITS = "another apt holds the lock: waiting up to"
# What apt-get prints if a lock is held: one of these, at least.
WORDS_OF_A_LOCK = "Could not get lock|Unable to acquire the dpkg frontend lock|Unable to lock the administration directory"
# Commands of apt-get, and the locks that they need; one of them is held.
LOCKS = [(["update"], "state/lists/lock"), (["install", "-y"], "dpkg/lock-frontend"), (["install", "-y"], "dpkg/lock")]
tap = Tap()


def configuration(top):
    """An apt that uses only files below that directory."""
    for name in ("state/lists/partial", "cache/archives/partial", "log", "etc", "dpkg"):
        (top / name).mkdir(parents=True)
    (top / "dpkg/status").touch()
    lines = {"Dir": "/", "Dir::State": f"{top}/state", "Dir::State::status": f"{top}/dpkg/status", "Dir::Cache": f"{top}/cache", "Dir::Log": f"{top}/log",
             "Dir::Etc": f"{top}/etc", "APT::Sandbox::User": ""}
    path = top / "apt.conf"
    path.write_text("".join(f'{key} "{value}";\n' for key, value in lines.items()))
    return path


def start(config, words, wait_s, path=os.environ["PATH"]):
    script = '. scripts/setup.sh; apt_wait_s=$1 apt_pause_s=1; shift; apt_get "$@"'
    return subprocess.Popen(["sh", "-c", script, "sh", str(wait_s), *words], cwd=SOURCE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "PATH": path, "APT_CONFIG": str(config), "LC_ALL": "de_DE.UTF-8"})


def try_lock(top, config, words, lock):
    name = f"apt-get {words[0]}, {lock}"
    with open(top / lock, "w", encoding="ascii") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        apt = start(config, words, 1)
        errors = apt.communicate(timeout=60)[1]
        tap.ok(apt.returncode != 0 and errors.startswith(WAITS) and re.search(WORDS_OF_A_LOCK, errors) and errors.count(WAITS) == 1,
               f"{name}: fails at the end of the time, with apt's own words", errors)
        apt = start(config, words, 60)
        errors = apt.stderr.readline()
        tap.ok(errors.startswith(WAITS) and apt.poll() is None, f"{name}: waits, and reports that", errors)
    errors = apt.communicate(timeout=60)[1]
    tap.same((apt.returncode, errors), (0, ""), f"{name}: goes on when the lock is free")


def try_words(top, words):
    """An apt-get that fails once with those words, and then does its work."""
    path = top / "apt-get"
    path.write_text(f"""#!/bin/sh
[ ! -e {top}/failed ] || exit 0
touch {top}/failed
echo '{words}'
exit 100
""")
    path.chmod(0o755)
    apt = start(top / "apt.conf", ["update"], 60, f"{top}:{os.environ['PATH']}")
    errors = apt.communicate(timeout=60)[1]
    tap.ok(apt.returncode == 0 and errors.startswith(WAITS), f"waits after: {words}", errors)
    (top / "failed").unlink()
    path.unlink()


def other_failures(config):
    apt = start(config, ["install", "-y", "no-such-package"], 60)
    errors = apt.communicate(timeout=60)[1]
    tap.ok(apt.returncode != 0 and "no-such-package" in errors and WAITS not in errors, "other failures are reported at once", errors)


if not shutil.which("apt-get"):
    tap.skip("locks of apt", "this is not Debian")
else:
    with tempfile.TemporaryDirectory() as directory:
        path = configuration(pathlib.Path(directory))
        for words, lock in LOCKS:
            try_lock(pathlib.Path(directory), path, words, lock)
        for words in WORDS_OF_A_LOCK.split("|"):
            try_words(pathlib.Path(directory), words)
        other_failures(path)
tap.finish()
