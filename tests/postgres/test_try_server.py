#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""try_server.py: the commands that it prints work, and nothing is left when it ends."""
import pathlib
import shlex
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import server  # noqa: E402
from tap import MACHINES, PMUQ, Tap  # noqa: E402

tap = Tap()
PROGRAM = [sys.executable, str(pathlib.Path(__file__).with_name("try_server.py")), PMUQ, str(MACHINES)]


def prints_commands():
    child = subprocess.Popen([*PROGRAM, "36"], stdout=subprocess.PIPE, text=True)
    lines = []
    while not lines or "Ctrl-C" not in lines[-1]:
        lines.append(child.stdout.readline())
    tap.ok(lines[0].startswith("36 hosts of 12 classes"), "the hosts are there", lines[0])
    url = next(line for line in lines if line.startswith("DB=")).strip()[len("DB='"):-1]
    for line in lines:
        if "--db" not in line or "report" in line:
            continue
        words = shlex.split(line.split("|")[0].replace("$DB", url))[1:]
        done = subprocess.run([PMUQ, *words], capture_output=True, check=False)
        # The event is not valid on all of them.
        tap.ok(done.returncode in ((0, 1) if "encode" in words else (0,)) and done.stdout, " ".join(words[2:]), done.returncode, done.stderr)
    child.send_signal(signal.SIGINT)
    child.communicate()
    tap.ok(child.returncode == 0 and not pathlib.Path(url.split("host=")[1]).exists(), "Ctrl-C ends the server, and removes its files", child.returncode)


def runs_with_few_hosts():
    """Fewer hosts than classes."""
    done = subprocess.run([*PROGRAM, "5", "sh", "-c", f"{PMUQ} --db $DB hosts -rn -o HOST | wc -l"], capture_output=True, text=True, check=False)
    tap.same((done.returncode, done.stdout.splitlines()[0].split(", ")[0], done.stdout.split()[-1]), (0, "5 hosts of 5 classes", "5"), "five hosts", done.stderr)
    done = subprocess.run([*PROGRAM, "0"], capture_output=True, text=True, check=False)
    tap.ok(done.returncode == 1 and "HOSTS" in done.stderr and "Traceback" not in done.stderr, "no hosts: the usage", done.stderr)


def runs_a_command():
    done = subprocess.run([*PROGRAM, "12", "sh", "-c", f"{PMUQ} --db $DB hosts -rn -o HOST | wc -l; exit 7"], capture_output=True, text=True, check=False)
    tap.same((done.returncode, done.stdout.split()[-1]), (7, "12"), "a command runs with $DB, and its status is returned", done.stderr)


if server.programs():
    prints_commands()
    runs_a_command()
    runs_with_few_hosts()
    tap.finish()
else:
    print("1..0 # SKIP no PostgreSQL server is installed")
