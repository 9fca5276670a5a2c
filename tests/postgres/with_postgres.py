#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a test (a Python script) with a PostgreSQL server, on which it makes its databases: with_postgres.py SCRIPT...
PMUQ_TEST_POSTGRES is the directory of the server's socket. If the test runs a command pmuq ($PMUQ), it gets one that puts
databases on the server. Without an installed server the test is skipped."""
import os
import pathlib
import subprocess
import sys

import server


def main(command):
    if not server.programs():
        print("1..0 # SKIP no PostgreSQL server is installed")
        return 0
    with server.running() as directory:
        more = {"PMUQ_TEST_POSTGRES": directory}
        if "PMUQ" in os.environ:
            more |= {"PMUQ_TEST_COMMAND": os.environ["PMUQ"], "PMUQ": str(pathlib.Path(__file__).with_name("pmuq.py").resolve())}
        return subprocess.run([sys.executable, *command], env={**os.environ, **more}).returncode


sys.exit(main(sys.argv[1:]))
