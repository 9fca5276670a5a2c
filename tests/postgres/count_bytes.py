#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count_bytes.py SOCKET COMMAND...: runs the command with a relay to the server's socket, in whose words HERE is the directory of
the relay. Prints how many bytes the client sent and received after the server was ready for statements for the first time."""
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading


def relay(listener, path, counts):
    client, _ = listener.accept()
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    selector = selectors.DefaultSelector()
    selector.register(client, selectors.EVENT_READ, (server, 0))
    selector.register(server, selectors.EVENT_READ, (client, 1))
    is_ready = False
    while True:
        for key, _ in selector.select():
            other, direction = key.data
            data = key.fileobj.recv(65536)
            if not data:
                return
            if is_ready and data[:1] != b"X":  # the client's farewell
                counts[direction] += len(data)
            other.sendall(data)
            is_ready |= direction == 1 and data[-6:-1] == b"Z\0\0\0\5"


def main(path, *command):
    with tempfile.TemporaryDirectory() as directory:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"{directory}/.s.PGSQL.5432")
        listener.listen()
        counts = [0, 0]
        thread = threading.Thread(target=relay, args=(listener, path, counts), daemon=True)
        thread.start()
        done = subprocess.run([word.replace("HERE", directory) for word in command], check=False, env=os.environ)
        thread.join(5)
        print(*counts)
        return done.returncode


sys.exit(main(*sys.argv[1:]))
