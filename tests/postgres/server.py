# SPDX-License-Identifier: MIT
"""A PostgreSQL server for tests: a new one in a temporary directory, on a socket there, as an ordinary user. Databases are
lost when it stops."""
import contextlib
import glob
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

USER = "pmuq"
# The owner of the server if root runs the tests: PostgreSQL refuses to run as root.
OWNER = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def programs():
    """The directory of the newest installed server, or None. Debian has no links to its programs in the PATH."""
    versions = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    path = versions[-1] if versions else shutil.which("initdb")
    return pathlib.Path(path).resolve().parent if path else None


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/", **OWNER)


@contextlib.contextmanager
def running(*settings):
    """The directory of the socket of a running server; it trusts every local user. Settings are "name=value". The server also
    ends if this program is terminated."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(prefix="pmuq-pg-") as directory:
        if OWNER:
            os.chown(directory, OWNER["user"], OWNER["group"])
        os.chmod(directory, 0o755)
        data = f"{directory}/data"
        run(programs() / "initdb", "-D", data, "-U", USER, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")
        words = [f"-k{directory}", "-clisten_addresses=", "-cfsync=off", "-cmax_connections=120", "-cshared_buffers=64MB"]
        words += [f"-c{setting}" for setting in settings]
        control = [programs() / "pg_ctl", "-D", data, "-w", "-t", "120", "-l", f"{directory}/log"]
        run(*control, "-o", " ".join(words), "start")
        try:
            yield directory
        finally:
            if pathlib.Path(data, "postmaster.pid").exists():
                run(*control, "-m", "immediate", "stop")


def url(directory, database, user=USER):
    return f"postgresql://{user}@/{database}?host={directory}"


def sql(directory, text, database="postgres"):
    """Runs statements; returns the output, a line for each row."""
    return subprocess.run([programs() / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", text, url(directory, database)], check=True,
                          capture_output=True, text=True).stdout


def rows(directory, text, database):
    """Runs one statement on pmuq's tables; the rows as tuples, with numbers."""
    done = subprocess.run([programs() / "psql", "-XAtq", "-F", "\x1f", "-R", "\x1e", "-v", "ON_ERROR_STOP=1", "-c", "SET search_path = pmuq", "-c", text,
                           url(directory, database)], check=True, capture_output=True, text=True)
    lines = done.stdout.removesuffix("\n").split("\x1e") if done.stdout.strip("\n") else []
    return [tuple(int(value) if re.fullmatch("-?[0-9]+", value) else value for value in line.split("\x1f")) for line in lines]


# ---- databases in place of files

def name_of(path):
    """The database that a test has in place of the file."""
    return "db_" + hashlib.sha256(os.path.abspath(path).encode()).hexdigest()[:16]


def create_once(directory, path, template="template1"):
    name = name_of(path)
    marker = pathlib.Path(directory, name)
    if not marker.exists():
        sql(directory, f"CREATE DATABASE {name} TEMPLATE {template}")
        marker.touch()


def copy(directory, path, target):
    """Copies a database, in place of an earlier copy."""
    sql(directory, f"DROP DATABASE IF EXISTS {name_of(target)}")
    pathlib.Path(directory, name_of(target)).unlink(missing_ok=True)
    create_once(directory, target, name_of(path))
