#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The image, the filter and the manifest of docs/containers.md work: containers.py PAGE PACKAGES ROOT WORK, for scripts/containers.sh."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

import yaml

PAGE, PACKAGES, ROOT, WORK = (pathlib.Path(word) for word in sys.argv[1:])
IMAGE, BASE = "localhost/pmuq", "localhost/debian:12-slim"
STORE = ["--root", str(WORK / "store"), "--runroot", str(WORK / "run"), "--storage-driver", "vfs"]
PODMAN = ["podman", *STORE, "--cgroup-manager=cgroupfs", "--events-backend=file"]
# What a machine without a service manager can do; nothing of it concerns perf events.
RUN = [*PODMAN, "run", "--rm", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024", "--cgroups=disabled", "--network=none"]
blocks = dict(re.findall(r"^```(dockerfile|python|yaml)\n(.*?)^```$", PAGE.read_text(), re.S | re.M))
count = failed = 0


def ok(is_true, name, *details):
    global count, failed
    count += 1
    failed += not is_true
    print(f"{'ok' if is_true else 'not ok'} {count} - {name}", flush=True)
    for line in "\n".join(map(str, details)).splitlines() if not is_true else []:
        print(f"# {line}", flush=True)


def must(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, **options)


def pmuq(options, *words):
    return subprocess.run([*RUN, *options, IMAGE, *words], capture_output=True, text=True, timeout=120, check=False)


def build():
    with subprocess.Popen(["tar", "-C", ROOT, "-c", "."], stdout=subprocess.PIPE) as tar:
        must(*PODMAN, "import", "-", BASE, stdin=tar.stdout)
    for path in PACKAGES.glob("*.deb"):
        shutil.copy(path, WORK)
    (WORK / "Dockerfile").write_text(blocks["dockerfile"].replace("FROM ", "FROM localhost/"))
    done = subprocess.run(["buildah", *STORE, "bud", "--isolation", "chroot", "-t", IMAGE, WORK], capture_output=True, text=True, check=False)
    ok(done.returncode == 0, "the image is built", done.stdout, done.stderr)


def make_filter():
    (WORK / "seccomp.json").write_text(must(sys.executable, "-c", blocks["python"], text=True).stdout)
    return ["--security-opt", f"seccomp={WORK}/seccomp.json"]


def try_image(allowed):
    none, perfmon = ["--cap-drop=ALL"], ["--cap-drop=ALL", "--cap-add=PERFMON", "--user=0"]
    listed = pmuq(none, "list", "-J")
    ok(listed.returncode == 0 and "software" in listed.stdout, "it lists the PMUs of the host", listed)
    done = pmuq([*none, *allowed], "check", "page-faults:u")
    ok(done.returncode == 0, "with the filter of the page a user counts its own tasks", done.stdout, done.stderr)
    done = pmuq([*perfmon, *allowed], "check", "-C", "0", "cpu-clock")
    ok(done.returncode == 0, "with CAP_PERFMON root counts a CPU", done.stdout, done.stderr)
    done = pmuq([*none, "--user=0", *allowed], "check", "-C", "0", "cpu-clock")
    ok(done.returncode == 3 and "CAP_PERFMON" in done.stdout, "without it, the reason names it", done.stdout, done.stderr)
    done = pmuq(["--cap-drop=ALL", "--cap-add=SYS_ADMIN", "--user=0"], "check", "-C", "0", "cpu-clock")
    ok(done.returncode == 0, "the default filter accepts CAP_SYS_ADMIN", done.stdout, done.stderr)
    done = pmuq(none, "check", "page-faults:u")
    ok(done.returncode in (0, 3) and ("seccomp" in done.stdout) == (done.returncode == 3),
       "the default filter allows the call, or is the reason", done.stdout, done.stderr)


def try_daemon(allowed):
    """The container of the manifest: each line of it is an option of podman."""
    container = yaml.safe_load(blocks["yaml"])["spec"]["template"]["spec"]["containers"][0]
    volumes = {volume["name"]: volume["hostPath"]["path"] for volume in yaml.safe_load(blocks["yaml"])["spec"]["template"]["spec"]["volumes"]}
    security = container["securityContext"]
    (WORK / "socket").mkdir()
    # Not the socket of a daemon of this machine.
    volumes["socket"] = str(WORK / "socket")
    options = [f"--user={security['runAsUser']}", "--read-only" if security["readOnlyRootFilesystem"] else "",
               "" if security["allowPrivilegeEscalation"] else "--security-opt=no-new-privileges",
               *(f"--cap-drop={name}" for name in security["capabilities"]["drop"]), *(f"--cap-add={name}" for name in security["capabilities"]["add"]),
               *(f"--volume={volumes[m['name']]}:{m['mountPath']}{':ro' * m.get('readOnly', False)}" for m in container["volumeMounts"])]
    program, *words = container["command"]
    daemon = subprocess.Popen([*RUN, "--name=daemon", *filter(None, options), *allowed, f"--entrypoint={program}", IMAGE, *words],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        if (WORK / "socket/io.pmuq").exists():
            break
        time.sleep(0.1)
    client = [f"--volume={WORK}/socket:/run/pmuq", "--cap-drop=ALL"]
    done = pmuq(client, "--via", "/run/pmuq/io.pmuq", "encode", "--no-open", "--json", "sched:sched_switch")
    ok(done.returncode == 0 and json.loads(done.stdout)["inputs"][0]["ok"], "a client in another container encodes a tracepoint by the daemon",
       done.stdout, done.stderr)
    must(*PODMAN, "kill", "daemon")
    daemon.wait(timeout=60)


build()
filter_of_page = make_filter()
try_image(filter_of_page)
try_daemon(filter_of_page)
print(f"1..{count}")
sys.exit(failed > 0)
