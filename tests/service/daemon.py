# SPDX-License-Identifier: MIT
"""A pmuqd for a test, and a client of varlink in a few lines."""
import contextlib
import fcntl
import json
import os
import pathlib
import queue
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from tap import MACHINES

PMUQD = os.environ["PMUQD"]
WAIT_S = 120
#: What one test has the kernel announce, the daemons of all tests hear.
ANNOUNCEMENTS = open(os.path.join(tempfile.gettempdir(), f"pmuq-announcements-{os.getuid()}.lock"), "a")  # pylint: disable=consider-using-with


def needs_silence():
    """Waits until no test causes announcements. Until this one ends, none will."""
    fcntl.flock(ANNOUNCEMENTS, fcntl.LOCK_SH)


@contextlib.contextmanager
def announcing():
    """Waits until no test needs silence. Such tests wait until this block ends."""
    fcntl.flock(ANNOUNCEMENTS, fcntl.LOCK_EX)
    yield
    needs_silence()


@contextlib.contextmanager
def tree_of(name):
    """A copy of a machine, which a test changes."""
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory) / "tree"
        shutil.copytree(MACHINES / name, tree, symlinks=True)
        yield tree, tree / "sys/bus/event_source/devices"


@contextlib.contextmanager
def service(*replies):
    """A service that sends these bytes, one for each connection, and then closes it."""
    with tempfile.TemporaryDirectory() as directory, socket.socket(socket.AF_UNIX) as listener:
        path = f"{directory}/socket"
        listener.bind(path)
        listener.listen()

        def serve():
            for reply in replies:
                connection, _ = listener.accept()
                with connection, contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    connection.recv(1000)
                    connection.sendall(reply)

        threading.Thread(target=serve, daemon=True).start()
        yield path


class Connection:
    """Calls, and the bytes of their replies: to the path of a socket, or on one that is connected."""

    def __init__(self, to):
        self.socket = to if isinstance(to, socket.socket) else socket.socket(socket.AF_UNIX)
        if self.socket is not to:
            self.socket.connect(str(to))
        self.socket.settimeout(WAIT_S)
        self.received = b""

    def send(self, method, parameters=None, **flags):
        name = method if "." in method else f"io.pmuq.{method}"
        self.socket.sendall(json.dumps({"method": name, "parameters": parameters or {}, **flags}).encode() + b"\0")

    def message(self):
        """The next message without its NUL; None at the end."""
        while b"\0" not in self.received:
            part = self.socket.recv(1 << 16)
            if not part:
                return None
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return message

    def call(self, method, parameters=None, **flags):
        self.send(method, parameters, **flags)
        return json.loads(self.message())

    def result(self, method, parameters=None):
        """The parameters of the reply to a call that succeeds."""
        reply = self.call(method, parameters)
        assert "error" not in reply, reply
        return reply["parameters"]

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Fake:
    """A service that forwards all calls to a daemon, but has states of its own for subscribers. Those are bytes."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name) / "io.pmuq"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        self.subscribers = queue.Queue()
        self.called = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=[Connection(connection)], daemon=True).start()

    def _serve(self, client):
        with contextlib.suppress(OSError), self.daemon.connect() as server:
            while (message := client.message()) is not None:
                method = json.loads(message)["method"].removeprefix("io.pmuq.")
                self.called.append(method)
                if method == "Subscribe":
                    self.subscribers.put(client)
                    continue
                server.socket.sendall(message + b"\0")
                client.socket.sendall(server.message() + b"\0")

    def subscriber(self):
        """The next one, which has no state yet."""
        return self.subscribers.get(timeout=WAIT_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.directory.cleanup()


def state_of(causes=(), generation=1):
    """A state as a daemon sends it."""
    state = {"generation": generation, "causes": list(causes), "changes": []}
    return json.dumps({"parameters": state, "continues": True}).encode() + b"\0"


class Daemon:
    """pmuqd at a socket of its own, or at that of a daemon that has ended, for as long as the block."""

    def __init__(self, *words, env=None, path=None, **how):
        self.directory = tempfile.TemporaryDirectory()
        self.path = path or pathlib.Path(self.directory.name) / "io.pmuq"
        self.log = open(pathlib.Path(self.directory.name) / "log", "w+b")
        self.child = subprocess.Popen([PMUQD, "--socket", str(self.path), *map(str, words)], stdout=self.log, stderr=self.log,
                                      env=os.environ | (env or {}), **how)

    def connect(self):
        """Waits until the daemon listens."""
        end = time.monotonic() + WAIT_S
        while True:
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                return Connection(self.path)
            assert self.child.poll() is None and time.monotonic() < end, self.text()
            time.sleep(0.01)

    def text(self):
        self.log.flush()
        return (pathlib.Path(self.directory.name) / "log").read_text(errors="replace")

    def memory(self, key="VmHWM"):
        """In KiB: the most so far, or VmRSS."""
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith(key)).split()[1])

    def cpu_s(self):
        fields = pathlib.Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number=signal.SIGTERM):
        """Its exit status."""
        self.child.send_signal(number)
        return self.child.wait(timeout=WAIT_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        self.log.close()
        self.directory.cleanup()
