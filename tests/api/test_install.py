#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library as other projects use it: installed under a prefix and a DESTDIR, from the build tree by pkg-config, and static:
test_install.py SOURCE_DIR BUILD_DIR CC"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import Tap  # noqa: E402

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
CC = shlex.split(sys.argv[3])
EXAMPLES = sorted(path for path in (SOURCE / "examples").glob("*.c"))
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]

tap = Tap()


def run(*words, env=None, **how):
    return subprocess.run(words, capture_output=True, text=True, env=os.environ | (env or {}), timeout=240, **how)


def flags(env, *options):
    done = run("pkg-config", *options, "--cflags", "--libs", "pmuq", env=env)
    tap.same((done.returncode, done.stderr), (0, ""), "pkg-config finds pmuq")
    return shlex.split(done.stdout)


def compile_and_run(name, example, options, work, env):
    program = work / example.stem
    done = run(*CC, *STRICT, str(example), *options, "-o", str(program))
    tap.same((done.returncode, done.stderr), (0, ""), f"{name}: {example.name} compiles")
    if done.returncode == 0:
        done = run(str(program), *(["1"] if example.stem == "agent" else []), env=env)
        tap.ok(done.returncode in (0, 2) and "error while loading" not in done.stderr, f"{name}: {example.name} runs",
               done.stdout + done.stderr)


def daily_scan(root, prefix):
    """The units contain the installed path of the command and the interval, and systemd finds no error in them."""
    units = root / "lib/systemd/system"
    service, timer = (units / f"pmuq-scan.{suffix}" for suffix in ("service", "timer"))
    tap.ok(service.is_file() and timer.is_file(), "the units are installed")
    text = service.read_text()
    tap.ok(f"\nExecStart=/{prefix}/bin/pmuq scan\n" in text and "@pmuq@" not in text,
           "the service runs the command that was installed", text)
    missing = [line for line in ("UMask=0077", "StateDirectoryMode=0750") if f"\n{line}\n" not in text]
    missing += [name for name in ("TimeoutStartSec", "MemoryMax", "TasksMax", "LimitFSIZE") if f"\n{name}=" not in text]
    tap.same(missing, [], "the service has limits, and its database is for root only")
    tap.ok("\nOnCalendar=daily\n" in timer.read_text() and "\nPersistent=true\n" in timer.read_text(), "the timer is daily")
    push = [units / f"pmuq-push.{suffix}" for suffix in ("service", "timer")]
    tap.ok(f"\nExecStart=/{prefix}/bin/pmuq push --to service=pmuq --spool /var/lib/pmuq-push\n" in push[0].read_text() and "\nStateDirectoryMode=0700\n" in push[0].read_text(),
           "a service pushes to a server, and its spool is for root only")
    tap.ok("\nOnCalendar=hourly\n" in push[1].read_text() and "\nFixedRandomDelay=yes\n" in push[1].read_text(), "each host in its own minute of an hour")
    if not shutil.which("systemd-analyze"):
        return tap.skip("systemd-analyze reports nothing about the units", "no systemd-analyze")
    # The command is not in its final directory yet: python replaces it here.
    with tempfile.TemporaryDirectory() as directory:
        daemon = [service.with_name("pmuqd.service"), service.with_name("pmuqd.socket")]
        for unit in (service, timer, *push, *daemon):
            lines = [line for line in unit.read_text().splitlines() if not line.startswith("Documentation=")]
            (pathlib.Path(directory) / unit.name).write_text(re.sub(rf"/{prefix}/bin/pmuqd?\b", sys.executable, "\n".join(lines)))
        done = run("systemd-analyze", "verify", "--man=no", *(f"{directory}/{unit.name}" for unit in (service, timer, *push, *daemon)))
        exposed = run("systemd-analyze", "security", "--offline=yes", "--threshold=15", f"{directory}/pmuqd.service")
    tap.ok(exposed.returncode == 0, "the daemon has an exposure of 1.5 at most", exposed.stdout[-300:] + exposed.stderr)
    tap.same((done.returncode, done.stdout + done.stderr), (0, ""), "systemd-analyze reports nothing about the units")


def purge():
    """In a /var/lib of its own: a removal of the package keeps the database, a purge removes it."""
    name = "a purge of the package removes the database, a removal keeps it"
    if run("unshare", "-rm", "true").returncode:
        return tap.skip(name, "no namespaces")
    done = run("unshare", "-rm", "sh", "-ec", """
        mount -t tmpfs none /var/lib
        mkdir /var/lib/pmuq
        echo >/var/lib/pmuq/pmuq.db
        sh "$0" remove
        test -e /var/lib/pmuq/pmuq.db
        sh "$0" purge
        test ! -e /var/lib/pmuq""", str(SOURCE / "debian/pmuq.postrm"))
    tap.same((done.returncode, done.stdout + done.stderr), (0, ""), name)


def packages_are_tried(work):
    """debian/tests/smoke runs only where the packages are installed; its commands run here with the command of the build."""
    name = "the commands with which the packages are tested succeed"
    commands = (SOURCE / "debian/tests/smoke").read_text().partition("\npython3")[0]
    done = run("sh", "-c", commands, env={"PATH": f"{BUILD / 'cli'}:{BUILD / 'service'}:{os.environ['PATH']}", "TMPDIR": str(work)})
    tap.ok(done.returncode == 0 and commands.count("\npmuq ") > 5, name, done.stdout[-500:] + done.stderr)


def nothing_forgotten(root, prefix):
    """A meson.build lists files by name: all files of the checkout must be installed."""
    package = next(root.rglob("pmuq/py.typed")).parent
    pages = [("docs/man", f"*.{section}", prefix / f"share/man/man{section}") for section in "1578"]
    headers = prefix / "include/pmuq"
    for source, names, made in [("include/pmuq", "*.h*", headers), (BUILD / "include/pmuq", "*.h*", headers),
                                ("bindings/python/pmuq", "*.py", package), (BUILD / "bindings/python/pmuq", "*.py*", package), *pages]:
        missing = [path.name for path in (SOURCE / source).glob(names) if not (made / path.name).is_file()]
        tap.same(missing, [], f"all files of {source}/{names} are installed")
    module = prefix / "share/gocode/src/pmuq.dev/pmuq"
    sources = [path.relative_to(SOURCE / "bindings/go") for path in (SOURCE / "bindings/go").rglob("*") if path.suffix in (".go", ".c", ".h", ".mod")]
    if module.exists() or shutil.which("go"):
        tap.same([path for path in sources if not (module / path).is_file()], [], "all files of the Go packages are installed")
    else:
        tap.skip("all files of the Go packages are installed", "no go")
    done = run(sys.executable, "-c", "import pmuq; print(pmuq.Source.live().encode('page-faults')[0].name)",
               env={"LD_LIBRARY_PATH": "", "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"})
    tap.same((done.stdout, done.stderr), ("page-faults\n", ""),
             "the installed Python package finds the library of its own prefix, and encodes")


def installed(work):
    """All files are installed under DESTDIR and work there."""
    done = run("meson", "install", "-C", str(BUILD), "--no-rebuild", "--destdir", str(work / "root"))
    tap.same(done.returncode, 0, "meson install accepts a DESTDIR", done.stdout[-1000:], done.stderr)
    found = next((work / "root").rglob("pmuq.pc"), None)
    tap.ok(found, "pmuq.pc is installed")
    # meson chooses lib, lib64 or lib/TRIPLET for the libraries.
    prefix = work / "root" / re.search(r"^prefix=/(.*)$", found.read_text(), re.M)[1]
    library = found.parents[1]
    for path in ("bin/pmuq", "include/pmuq/pmuq.h", "include/pmuq/codes.h", "share/man/man1/pmuq.1",
                 "share/man/man1/pmuq-encode.1", "share/man/man7/pmuq-events.7",
                 "share/bash-completion/completions/pmuq", "share/zsh/site-functions/_pmuq",
                 "share/fish/vendor_completions.d/pmuq.fish"):
        tap.ok((prefix / path).is_file(), f"{path} is installed")
    for name in ("libpmuq.so", "libpmuq.so.0", "libpmuq.a"):
        tap.ok((library / name).exists(), f"{name} is installed")
    daily_scan(prefix, prefix.relative_to(work / "root"))
    purge()
    env = {"PKG_CONFIG_PATH": str(found.parent), "LD_LIBRARY_PATH": str(library)}
    options = flags(env, f"--define-variable=prefix={prefix}")
    nothing_forgotten(work / "root", prefix)
    for example in EXAMPLES:
        compile_and_run("installed", example, options, work, env)
    static = flags(env, "--static", f"--define-variable=prefix={prefix}")
    tap.ok("-ldl" in static, "pkg-config --static lists the other libraries that libpmuq.a needs", static)
    static = [str(library / "libpmuq.a") if option == "-lpmuq" else option for option in static]
    compile_and_run("static", SOURCE / "examples/list_pmus.c", static, work, {})
    by_cmake(work, prefix)
    by_bazel(work, prefix)
    done = run(str(prefix / "bin/pmuq"), "--version", env=env)
    tap.ok(done.returncode == 0 and done.stdout.startswith("pmuq "), "the installed command runs", done.stderr)


def snippet(language):
    """The example of docs/install.md in that language."""
    return re.search(rf"```{language}\n(.*?)```", (SOURCE / "docs/install.md").read_text(), re.S)[1]


def by_cmake(work, prefix):
    """The project of docs/install.md, with each of the targets, for a prefix that was moved."""
    for target in ("pmuq::pmuq", "pmuq::static"):
        project = work / target.replace("::", "-")
        project.mkdir()
        (project / "CMakeLists.txt").write_text(snippet("cmake").replace("pmuq::pmuq", target))
        shutil.copy(SOURCE / "examples/list_pmus.c", project / "agent.c")
        env = {"CC": CC[-1]}
        done = run("cmake", "-S", str(project), "-B", str(project / "build"), f"-DCMAKE_PREFIX_PATH={prefix}", env=env)
        tap.same(done.returncode, 0, f"CMake finds {target}", done.stdout[-500:] + done.stderr)
        done = run("cmake", "--build", str(project / "build"))
        tap.same(done.returncode, 0, "… and builds with it", done.stdout[-500:] + done.stderr)
        done = run(str(project / "build/agent"))
        tap.ok(done.returncode == 0 and "software" in done.stdout, "… a program that runs", done.stdout + done.stderr)
    (work / "newer").mkdir()
    (work / "newer/CMakeLists.txt").write_text(snippet("cmake").replace("pmuq 0.1", "pmuq 0.2"))
    done = run("cmake", "-S", str(work / "newer"), "-B", str(work / "newer/build"), f"-DCMAKE_PREFIX_PATH={prefix}")
    tap.ok(done.returncode != 0 and "0.1.0" in done.stderr, "CMake refuses a version that may differ", done.stderr)


def by_bazel(work, prefix):
    """The BUILD file is evaluated with rules of our own, which record what Bazel would compile."""
    rules = {}

    def glob(patterns):
        return sorted(str(path.relative_to(prefix)) for pattern in patterns for path in prefix.glob(pattern))

    def rule(name, **attributes):
        rules[name] = attributes

    exec(snippet("starlark"), {"glob": glob, "cc_import": rule, "cc_library": rule})
    library = rules["pmuq"]
    imported = [rules[name.lstrip(":")]["shared_library"] for name in library["deps"]]
    sandbox = work / "sandbox"
    for header in library["hdrs"]:
        (sandbox / header).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(prefix / header, sandbox / header)
    options = [f"-I{sandbox / directory}" for directory in library["includes"]] + [str(prefix / one) for one in imported]
    compile_and_run("Bazel", SOURCE / "examples/list_pmus.c", options, work, {"LD_LIBRARY_PATH": str((prefix / imported[0]).parent)})


def from_the_build_tree(work):
    env = {"PKG_CONFIG_PATH": str(BUILD / "meson-uninstalled"), "LD_LIBRARY_PATH": str(BUILD)}
    compile_and_run("build tree", SOURCE / "examples/list_pmus.c", flags(env), work, env)


for question in (installed, packages_are_tried, from_the_build_tree):
    with tempfile.TemporaryDirectory() as directory:
        question(pathlib.Path(directory))
tap.finish()
