# SPDX-License-Identifier: MIT
"""The command on a terminal: what a user sees of a line of progress, and Ctrl-C."""
import fcntl
import os
import pty
import struct
import tempfile
import termios

from tap import printed_on


class Screen:
    """The command with a terminal for stderr, and a terminal or a file for stdout."""

    def __init__(self, words, size=(24, 80), out_too=False, ctrl_c=None, **env):
        out = tempfile.TemporaryFile()
        pid, master = pty.fork()
        if pid == 0:
            fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
            if not out_too:
                os.dup2(out.fileno(), 1)
            clean = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
            os.execvpe(words[0], words, {**clean, "TERM": "xterm", **env})
        self.raw = b""
        for part in printed_on(master):
            self.raw += part
            if ctrl_c and ctrl_c in self.raw:
                ctrl_c = None
                os.write(master, b"\x03")
        self.status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(master)
        out.seek(0)
        self.out = out.read().decode()
        self.text = self.raw.decode(errors="replace")
        self.drawn = [line for line in self.text.replace("\r\n", "\n").split("\r")]

    def left(self):
        """What the terminal shows of a line that was written over."""
        line = [" "] * 1000
        at = 0
        for char in self.text.replace("^C", ""):
            if char == "\r":
                at = 0
            else:
                line[at] = char
                at += 1
        return "".join(line).strip()
