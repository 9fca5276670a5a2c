# SPDX-License-Identifier: MIT
"""The daemon pmuqd(8) through its socket: io.pmuq(7). It calls no function of libpmuq.

    with pmuq.Service() as service:
        for row in service.encode(["cycles:u", "page-faults"])["inputs"]:
            print(row["input"], row["ok"])
        for state in service.subscribe():
            print(state["generation"], state["changes"])"""
from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Sequence
from typing import Any

DEFAULT_PATH = "/run/pmuq/io.pmuq"


class ServiceError(Exception):
    """An error of the daemon: its name ("io.pmuq.NotFound") and its parameters."""

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        super().__init__(name, parameters)
        self.name = name
        self.parameters = parameters

    def __str__(self) -> str:
        about = self.parameters.get("message") or ", ".join(f"{key} {value}" for key, value in self.parameters.items())
        hint = self.parameters.get("hint")
        return f"{self.name}: {about}" + (f" ({hint})" if hint else "")


class Service:
    """A connection to the daemon. Each method returns the parameters of the reply, as in the interface file: a document of
    pmuq with `generation`. One thread at a time."""

    def __init__(self, path: str | os.PathLike[str] = DEFAULT_PATH, timeout_s: float | None = 30) -> None:
        self._path = os.fspath(path)
        self._timeout_s = timeout_s
        self._socket: socket.socket | None = None
        self._received = b""
        self._connect()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; the next call connects again."""
        if self._socket:
            self._socket.close()
        self._socket = None

    def _connect(self) -> socket.socket:
        self.close()
        self._received = b""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(self._timeout_s)
        self._socket.connect(self._path)
        return self._socket

    def _send(self, message: bytes) -> None:
        (self._socket or self._connect()).sendall(message)

    def _message(self) -> bytes:
        """The next message, without its NUL. Raises ConnectionError if the connection ends before it."""
        assert self._socket
        while b"\0" not in self._received:
            part = self._socket.recv(1 << 16)
            if not part:
                raise ConnectionResetError("the daemon ended the connection")
            self._received += part
        message, _, self._received = self._received.partition(b"\0")
        return message

    @staticmethod
    def _parameters(message: bytes) -> dict[str, Any]:
        reply = json.loads(message)
        if "error" in reply:
            raise ServiceError(reply["error"], reply.get("parameters", {}))
        parameters: dict[str, Any] = reply["parameters"]
        return parameters

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method by its name. A parameter that is None is left out. If the daemon has ended because it was idle, the
        call is repeated once."""
        members = {name: value for name, value in parameters.items() if value is not None}
        message = json.dumps({"method": f"io.pmuq.{method}", "parameters": members}).encode() + b"\0"
        try:
            self._send(message)
            return self._parameters(self._message())
        except ConnectionError:
            if self._received:
                raise
        self._connect()
        self._send(message)
        return self._parameters(self._message())

    def get_info(self) -> dict[str, Any]:
        """What the daemon is, what it may do, and the state of the machine."""
        return self.call("GetInfo")

    def list(self, type: str = "pmus", globs: Sequence[str] | None = None, **options: Any) -> dict[str, Any]:
        """PMUs, events, tracepoints, formats, facts or problems, as `pmuq list`."""
        return self.call("List", type=type, globs=globs, **options)

    def show(self, names: Sequence[str], **options: Any) -> dict[str, Any]:
        """PMUs or events in full, as `pmuq show`."""
        return self.call("Show", names=names, **options)

    def encode(self, events: Sequence[str], **options: Any) -> dict[str, Any]:
        """Event strings as attrs, as `pmuq encode --no-open`. An invalid string has an error of its own."""
        return self.call("Encode", events=events, **options)

    def explain(self, events: Sequence[str], **options: Any) -> dict[str, Any]:
        """Which term of an event string sets which bits, as `pmuq explain`."""
        return self.call("Explain", events=events, **options)

    def decode(self, attrs: Sequence[str], **options: Any) -> dict[str, Any]:
        """Attrs as event strings, as `pmuq decode`."""
        return self.call("Decode", attrs=attrs, **options)

    def search(self, words: Sequence[str], **options: Any) -> dict[str, Any]:
        """Events of all sources by words, as `pmuq search`."""
        return self.call("Search", words=words, **options)

    def check(self, events: Sequence[str], **options: Any) -> dict[str, Any]:
        """Whether events open with the rights of the daemon, as `pmuq check`."""
        return self.call("Check", events=events, **options)

    def diff(self, generation: int | None = None, host: str | None = None, **options: Any) -> dict[str, Any]:
        """What changed since a generation, or since a host of the database, as `pmuq diff`."""
        return self.call("Diff", generation=generation, host=host, **options)

    def export(self) -> dict[str, Any]:
        """The whole machine, as `pmuq export`."""
        return self.call("Export")

    def subscribe(self) -> Iterator[dict[str, Any]]:
        """The state of the machine, and then each change, on a connection of its own."""
        with Service(self._path, timeout_s=None) as other:
            other._send(b'{"method": "io.pmuq.Subscribe", "more": true}\0')
            while True:
                yield self._parameters(other._message())
