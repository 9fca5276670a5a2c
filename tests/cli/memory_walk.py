# SPDX-License-Identifier: MIT
"""One allocation of a command fails, each in turn: the command fails and reports that there is no memory, or its output is the
usual one. By default some of the allocations fail; PMUQ_ALL_CALLS=1 in the environment makes each of them fail, and PMUQ_STACKS=1
prints the stack of those after which the output is wrong."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from tap import IS_THOROUGH, PMUQ

LIBRARY = os.environ["PMUQ_MEMORY_WALK"]
# How many allocations of each command fail, spread over all of them; 0: all.
WALKED = 0 if IS_THOROUGH else 6
# Functions that are on every stack, or only forward.
FORWARDING = ("write_stack", "fails", "main", "run", "run_command", "__libc_start", "_start", "malloc", "calloc", "realloc", "??")


class Run:
    """A command in a copy of those of the files that it names, and the files that it left there."""

    def __init__(self, words, files, stdin=b"", **env):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as directory:
            for name, content in files.items():
                if any(name in word for word in words):
                    (pathlib.Path(directory) / name).write_bytes(content)
                    # pmuq waits a moment before it reads a database that was changed just now.
                    os.utime(pathlib.Path(directory) / name, (0, 0))
            done = subprocess.run([PMUQ, *words], capture_output=True, cwd=directory, timeout=60, check=False, input=stdin,
                                  env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "XDG_STATE_HOME": "/nonexistent", **env})
            self.status, self.out = done.returncode, done.stdout
            # Debian's libpq loads GnuTLS, which prints this itself when it is loaded.
            self.err = re.sub(rb"Error in GnuTLS initialization: .*\n", b"", done.stderr)
            self.files = {path.name: path.read_bytes() for path in pathlib.Path(directory).iterdir()
                          if path.is_file() and path.name not in files}

    def output(self):
        """All that must not change. What a database contains is tested elsewhere: its bytes depend on the moment."""
        return self.status, self.out, self.err, {name: content for name, content in self.files.items() if "db" not in name}


def is_right(words, run, usual):
    """The output is the usual one, or the command failed because there was no memory, and leaves no additional file."""
    # SQLite recovers its own files. libarchive ends the process itself, and so does the C library when it loads a library (127).
    is_ended = b"libarchive" in run.err or run.status == 127
    left = [file for file in set(run.files) - set(usual.files) if "db" not in file and not is_ended]
    if run.status < 0 or left:
        return False
    if run.output() == usual.output():
        return True
    # `complete` prints no errors.
    return run.status != 0 and (b"memory" in run.err + run.out or "complete" in words)


def stack_of(run, at):
    """The functions that led to an allocation, the innermost first."""
    lines = run(LD_PRELOAD=LIBRARY, MEMORY_FAIL_AT=str(at), MEMORY_TRACE="trace").files.get("trace", b"").decode().splitlines()
    offsets = [line.split("(+")[1].split(")")[0] for line in lines if line.startswith(PMUQ + "(+")]
    if not shutil.which("addr2line"):
        return " ".join(offsets)
    done = subprocess.run(["addr2line", "-s", "-f", "-e", PMUQ, *(hex(int(offset, 16) - 1) for offset in offsets)], capture_output=True, check=False)
    printed = done.stdout.decode().splitlines()
    return " < ".join(f"{function} {line.split(' ')[0]}" for function, line in zip(printed[::2], printed[1::2]) if function not in FORWARDING)


def walk(tap, name, words, files, stdin=b"", before=None, wrong_after=None):
    """Walks over the allocations of a command. If it changes more than files, before() makes the state that it finds, and
    wrong_after(status) returns what is wrong with the one that it left; then one run follows the other."""

    def run(**env):
        if before:
            before()
        return Run(words, files, stdin, **env)

    usual = run()
    n = int(run(LD_PRELOAD=LIBRARY, MEMORY_COUNT="count").files["count"])
    step = max(1, n // WALKED) if WALKED else 1

    def fail(at):
        failed = run(LD_PRELOAD=LIBRARY, MEMORY_FAIL_AT=str(at))
        wrong = wrong_after(failed.status) if wrong_after else ""
        if is_right(words, failed, usual) and not wrong:
            return None
        changed = [file for file in sorted({*failed.files, *usual.files}) if failed.files.get(file) != usual.files.get(file)]
        stack = stack_of(run, at) if os.environ.get("PMUQ_STACKS") else ""
        return f"allocation {at}: status {failed.status} {failed.err[-100:]} {changed} {wrong} {stack}"

    with concurrent.futures.ThreadPoolExecutor(1 if before else len(os.sched_getaffinity(0))) as pool:
        wrong = [each for each in pool.map(fail, range(step, n + 1, step)) if each]
    tap.ok(not wrong and usual.status in (0, 1, 3), f"{name}: after each failure the usual output, or a report that there is no memory", f"{len(wrong)} of {n // step} failures of {n}", *wrong)
