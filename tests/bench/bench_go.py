#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds bench_go.go, and runs it: bench_go.py SOURCE_DIR BUILD_DIR GO TREE"""
import os
import pathlib
import subprocess
import sys

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
GO, TREE = sys.argv[3:5]
PROGRAM = BUILD / "tests/bench/bench_go"

environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOCACHE": str(BUILD / "go-cache"), "CC": "cc",
               "GOPATH": str(BUILD / "go-path"), "PKG_CONFIG_PATH": str(BUILD / "meson-uninstalled"), "LD_LIBRARY_PATH": str(BUILD)}
subprocess.run([GO, "build", "-o", PROGRAM, SOURCE / "tests/bench/bench_go.go"], cwd=SOURCE / "bindings/go", env=environment, check=True)
sys.exit(subprocess.run([PROGRAM, TREE], env=environment, check=False).returncode)
