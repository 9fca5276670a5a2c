#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever clients send, do not read or do not end: the daemon serves the others, and its memory is bounded."""
import contextlib
import json
import os
import pathlib
import resource
import signal
import socket
import stat
import subprocess
import tempfile
import threading

from daemon import PMUQD, WAIT_S, Connection, Daemon
from tap import MACHINES, ORDINARY, Tap, path_for_all, pmuq

tap = Tap()
TREE = ("--sysroot", MACHINES / "skylake-sp")
IS_SANITIZED = b"__asan_init" in pathlib.Path(PMUQD).read_bytes()
MEMORY_MAX_KIB = 16 * 1024
CLIENTS_MAX = 64
REQUEST_MAX = 1 << 20


def is_served(daemon):
    """Whether another client is served."""
    with daemon.connect() as connection:
        return connection.result("Encode", {"events": ["cycles"]})["inputs"][0]["ok"]


def last_error(connection):
    """The error at the end of a connection that the daemon closes, and its message."""
    last = None
    with contextlib.suppress(ConnectionResetError):
        while (message := connection.message()) is not None:
            last = json.loads(message)
    return last and (last.get("error"), last["parameters"]["message"])


def send_all(connection, data):
    """Sends as much as the daemon takes."""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.socket.sendall(data)


def wait_until_alone(daemon):
    """The daemon notices later that connections are closed."""
    clients = 2
    while clients > 1:
        with daemon.connect() as connection:
            # Until then it may refuse this one, too.
            clients = connection.call("GetInfo")["parameters"].get("clients", clients)


def bad_messages(daemon):
    def ended_by(data):
        with daemon.connect() as connection:
            send_all(connection, data)
            return last_error(connection)

    bad = "io.pmuq.BadMessage"
    tap.same(ended_by(b"nix\0"), (bad, "it is not JSON"), "a message that is not JSON ends the connection")
    tap.same(ended_by(b"\0"), (bad, "it is not JSON"), "an empty message is not JSON")
    tap.same(ended_by(b'{"parameters": {}}\0'), (bad, "it names no method"), "a message without a method")
    tap.same(ended_by(b'{"method": "Encode"}\0'), (bad, "it names no method"), "a method without an interface")
    tap.same(ended_by(b'{"method": "io.pmuq.GetInfo", "more": 1}\0'), (bad, "a member has a type that varlink does not have"),
             "a flag that is a number")
    tap.same(ended_by(b'{"method": "io.pmuq.GetInfo", "parameters": ' + b"[" * 5000 + b"\0"), (bad, "it is not JSON"), "deep nesting")
    tap.same(ended_by(b'{"method": "io.pmuq.Encode", "parameters": {"events": [' + b"1," * 300_000 + b"1]}}\0"),
             (bad, "it has too many values"), "too many values")
    large = ("io.pmuq.RequestTooLarge", "a request may have 1 MiB")
    tap.same(ended_by(b"x" * (REQUEST_MAX + 1) + b"\0"), large, "a request of more than 1 MiB")
    tap.same(ended_by(b"x" * (1 << 26)), large, "a request without an end")
    with daemon.connect() as connection:
        connection.send("Encode", {"events": ["c" * (REQUEST_MAX - 100)]})
        tap.ok(connection.message() is not None, "a request of almost 1 MiB has a reply")
    tap.ok(is_served(daemon), "others are served after bad messages")


def parts(daemon):
    with daemon.connect() as connection:
        data = json.dumps({"method": "io.pmuq.Encode", "parameters": {"events": ["cycles"]}}).encode() + b"\0"
        for byte in data:
            connection.socket.sendall(bytes([byte]))
        tap.ok(json.loads(connection.message())["parameters"]["inputs"][0]["ok"], "a request may come byte by byte")
        connection.socket.sendall(data * 500)
        replies = [json.loads(connection.message()) for _ in range(500)]
        tap.ok(all(reply["parameters"]["inputs"][0]["ok"] for reply in replies), "500 requests in one message have 500 replies")
        connection.socket.sendall(data * 3)
        connection.socket.shutdown(socket.SHUT_WR)
        tap.same([connection.message() is None for _ in range(4)], [False] * 3 + [True],
                 "requests before the end of the input have replies")
    with daemon.connect() as connection:
        connection.send("GetInfo", oneway=True)
        tap.ok("inputs" in connection.result("Encode", {"events": ["cycles"]}), "a call with `oneway` has no reply")
    for _ in range(300):
        with daemon.connect() as connection:
            connection.send("List", {"type": "events"})
    tap.ok(is_served(daemon), "clients that leave before their reply disturb no other")
    wait_until_alone(daemon)
    files = len(list(pathlib.Path(f"/proc/{daemon.child.pid}/fd").iterdir()))
    tap.ok(files < 32, "their connections are closed", files)


def many_clients(daemon):
    want = [f"cpu/event={n}/" for n in range(20)]
    wrong = []

    def work():
        with daemon.connect() as connection:
            for string in want:
                row = connection.result("Encode", {"events": [string]})["inputs"][0]
                if row["input"] != string or not row["ok"]:
                    wrong.append(row)

    threads = [threading.Thread(target=work) for _ in range(CLIENTS_MAX)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tap.same(wrong, [], f"{CLIENTS_MAX} clients at once get what they request")
    with contextlib.ExitStack() as stack:
        for _ in range(CLIENTS_MAX):
            stack.enter_context(daemon.connect()).result("GetInfo")
        connection = stack.enter_context(daemon.connect())
        tap.same(last_error(connection), ("io.pmuq.TooManyClients", "there are too many connections; use one for several calls"),
                 "a user may have 64 connections")


def large_requests(daemon):
    """More than may be received at once, and all are served."""
    lengths = []

    def work():
        with daemon.connect() as connection:
            connection.send("Encode", {"events": ["c" * 900_000]})
            lengths.append(len(connection.message()) > 900_000)

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tap.same(lengths, [True] * 12, "large requests wait for each other")


def long_calls(daemon):
    """A call whose strings take long has few of them: others wait for its end."""
    def outcome(connection, method, **parameters):
        reply = connection.call(method, parameters)
        return reply.get("error", "io.pmuq.").removeprefix("io.pmuq.")

    many = "TooManyStrings"
    encoded = pmuq(*TREE, "encode", "--json", "--no-open", "cycles").text
    with daemon.connect() as connection:
        for method in ("Encode", "EncodeCompact", "Explain"):
            for wrong, valid, want in ((1000, 10, ""), (1001, 10, many), (0, 2000, "")):
                tap.same(outcome(connection, method, events=["mem-loadx"] * wrong + ["cycles"] * valid), want,
                         f"{method}: {wrong} strings of {wrong + valid} are not valid")
        tap.same(outcome(connection, "Encode", events=["mem-loadx"] * 80_000), many, "a list of wrong strings of almost 1 MiB")
        for attr in ("type=4 config=0x3c", "nix", encoded):
            tap.same([outcome(connection, "Decode", attrs=[attr] * n) for n in (1000, 1001)], ["", many], f"Decode: 1,000 attrs: {attr:.20}")
        rows = json.loads(encoded)
        rows["inputs"] *= 1001
        tap.same(outcome(connection, "Decode", attrs=[json.dumps(rows)]), many, "… also in one document")
        for method, name, text in (("List", "globs", "cp*"), ("Show", "names", "cpu"), ("Search", "words", "mem")):
            tap.same([outcome(connection, method, **{name: [text] * n}) for n in (256, 257)], ["", many], f"{method}: 256 {name}")


def silent_clients(daemon):
    """Ten seconds of silence are too long."""
    with contextlib.ExitStack() as stack:
        deaf = [stack.enter_context(daemon.connect()) for _ in range(8)]
        for connection in deaf:
            connection.socket.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    connection.send("List", {"type": "events"})
            connection.socket.settimeout(WAIT_S)
        half = stack.enter_context(daemon.connect())
        half.socket.sendall(b"x" * 100_000)
        tap.ok(is_served(daemon), "others are served while clients read nothing")
        tap.same(last_error(half), ("io.pmuq.TooSlow", "the client does not end its request"),
                 "a large request that does not go on ends the connection")
        errors = {last_error(connection) for connection in deaf}
        tap.same(errors, {("io.pmuq.TooSlow", "the client does not read its replies")},
                 "a client that reads nothing is dropped, and can read the reason")


def descriptors():
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    with Daemon(*TREE, preexec_fn=limit) as daemon, contextlib.ExitStack() as stack:
        first = daemon.connect()
        first.result("GetInfo")
        waiting = [stack.enter_context(daemon.connect()) for _ in range(30)]
        for connection in waiting:
            connection.send("GetInfo")
        waiting.pop(0).message()
        before = daemon.cpu_s()
        tap.ok(first.result("GetInfo")["clients"] > 1, "without descriptors, clients that are connected are served")
        n = daemon.text().count("accept:")
        for connection in waiting:
            connection.message()
            connection.close()
        tap.ok(True, "clients that wait are served when descriptors are free")
        tap.ok(n <= 1 and daemon.text().count("accept:") <= 1 and daemon.cpu_s() - before < 5,
               "the daemon neither spins nor fills the log", daemon.text()[:500])


def memory():
    with Daemon(*TREE) as daemon:
        bad_messages(daemon)
        parts(daemon)
        many_clients(daemon)
        wait_until_alone(daemon)
        silent_clients(daemon)
        if IS_SANITIZED:
            tap.skip("memory", "a sanitizer needs more")
        else:
            tap.ok(daemon.memory() < MEMORY_MAX_KIB, "all of that takes less than 16 MiB", daemon.memory())
        large_requests(daemon)
        long_calls(daemon)
        with daemon.connect() as connection:
            events = ["cpu/event=0x3c/"] * 5000
            connection.result("Encode", {"events": events})
            reply = connection.call("Explain", {"events": events * 8})
            tap.same(reply.get("error"), "io.pmuq.ReplyTooLarge", "a reply has at most 16 MiB")
        tap.same(daemon.end(), 0, "SIGTERM ends the daemon")
        tap.ok(not daemon.path.exists(), "its socket is removed")


def lives():
    with Daemon(*TREE) as daemon:
        daemon.connect().close()
        tap.same(stat.S_IMODE(daemon.path.stat().st_mode), 0o666, "everybody may connect")
        daemon.child.send_signal(signal.SIGHUP)
        tap.ok(is_served(daemon), "SIGHUP reads everything again")
        other = subprocess.run([PMUQD, "--socket", daemon.path], capture_output=True, timeout=WAIT_S, check=False)
        tap.same((other.returncode, other.stderr), (4, f"pmuqd: error: {daemon.path}: another daemon listens there\n".encode()),
                 "two daemons do not share a socket")
        daemon.child.kill()
        daemon.child.wait()
        tap.ok(daemon.path.exists(), "a daemon that is killed leaves its socket")
        child = subprocess.Popen([PMUQD, "--socket", daemon.path, "--idle", "1", *map(str, TREE)])
        daemon.child = child
        tap.ok(is_served(daemon), "the next daemon uses it")
        with daemon.connect() as connection:
            tap.same(child.wait(timeout=WAIT_S), 0, "without a call the daemon ends, also if a client is connected")
            tap.ok(connection.message() is None, "the client notices it")
    with Daemon(*TREE) as first:
        first.connect().close()
        first.path.rename(first.path.with_name("moved"))
        with Daemon(*TREE, path=first.path) as second:
            second.connect().close()
            tap.same((first.end(), is_served(second)), (0, True), "a daemon that ends leaves the socket of its successor")
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "file"
        path.write_text("mine")
        other = subprocess.run([PMUQD, "--socket", path], capture_output=True, timeout=WAIT_S, check=False)
        tap.same((other.returncode, path.read_text()), (4, "mine"), "a file that is not a socket remains")


def activated():
    """As a service manager starts it: the socket is open, and the manager is notified."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        path, notify = f"{directory}/io.pmuq", f"{directory}/notify"
        with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            listener.bind(path)
            os.chmod(path, 0o666)
            listener.listen()
            manager.bind(notify)
            os.chmod(notify, 0o666)
            manager.settimeout(WAIT_S)
            # The request is there before the daemon.
            connection = Connection(path)
            connection.send("GetInfo")
            command = f'exec 3<&{listener.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 NOTIFY_SOCKET={notify} exec "$0" --idle 1'
            child = subprocess.Popen(["sh", "-c", command, path_for_all(PMUQD)], pass_fds=[listener.fileno()], **ORDINARY)
            tap.same(manager.recv(100), b"READY=1", "the manager is notified when the daemon serves")
            info = json.loads(connection.message())["parameters"]
            tap.same((info["rights"]["user"], info["rights"]["capabilities"]), (ORDINARY.get("user", os.geteuid()), []),
                     "it needs no privilege, and serves a request that came before it")
            tap.same((manager.recv(100), child.wait(timeout=WAIT_S)), (b"STOPPING=1", 0), "it ends when it is idle")
            tap.ok(os.path.exists(path), "the socket of the manager remains")
            connection.close()


def for_one_client():
    """As a client of varlink starts it for itself: the socket is the connection."""
    own, passed = socket.socketpair()
    with own, passed, tempfile.TemporaryDirectory() as directory:
        command = f'exec 3<&{passed.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=varlink exec "$0"'
        child = subprocess.Popen(["sh", "-c", command, PMUQD], pass_fds=[passed.fileno()], cwd=directory)
        passed.close()
        own.settimeout(WAIT_S)
        for _ in range(2):
            own.sendall(b'{"method": "io.pmuq.GetInfo"}\0')
            reply = b""
            while not reply.endswith(b"\0"):
                reply += own.recv(1 << 16) or b"\0"
            tap.same(json.loads(reply[:-1])["parameters"]["clients"], 1, "a connection that is passed is the only client")
        tap.ok(child.poll() is None, "the daemon stays while it is connected")
        own.close()
        tap.same(child.wait(timeout=WAIT_S), 0, "it ends with its client")


memory()
descriptors()
lives()
activated()
for_one_client()
tap.finish()
