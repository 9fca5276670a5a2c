# SPDX-License-Identifier: MIT
"""bash, zsh and fish on a terminal, with the completions of this tree."""
import os
import pathlib
import pty
import select
import subprocess
import time

from tap import PMUQ

# If nothing comes within this time, the shell waits for something else.
WAIT_S = 30
FILES = pathlib.Path(__file__).resolve().parents[2] / "completions"
# What each shell writes ends with this: then the file is complete. A rename would take a process.
END = "\0END\0"
# Each shell writes the line that it has into a file when Ctrl-X p is pressed.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], ["bind 'set bell-style none'", "bind 'set enable-bracketed-paste off'",
             "bind 'set completion-query-items 0'", "bind 'set page-completions off'",
             f". {FILES}/pmuq.bash", """bind -x '"\\C-xp": printf "%s\\\\0END\\\\0" "$READLINE_LINE" >$LINE'"""]),
    "zsh": (["zsh", "-f", "-i"], ["unsetopt beep zle_bracketed_paste", "LISTMAX=0", f"fpath=({FILES} $fpath)", "autoload -Uz compinit",
            "compinit -u -D", 'show() { printf "%s\\0END\\0" "$BUFFER" >$LINE; }', "zle -N show",
            "bindkey -e", "bindkey '^Xp' show"]),
    "fish": (["fish", "--no-config", "-i"], ["function fish_greeting; end", "set -g fish_autosuggestion_enabled 0", f"source {FILES}/pmuq.fish",
             "function show; begin; commandline; printf '\\0END\\0'; end >$LINE; end", "bind \\cxp show"]),
}


def own_terminal():
    """Makes the terminal the controlling one: the first that a session leader opens."""
    os.close(os.open(os.ttyname(0), os.O_RDWR))


class Shell:
    """A shell on a terminal, in its own directory or in another one."""

    def __init__(self, name, work, cwd=None, language="C.UTF-8"):
        words, setup = SHELLS[name]
        self.work, self.line = work, work / "line"
        path = f"{pathlib.Path(PMUQ).parent}:{os.environ['PATH']}"
        self.environment = {"PATH": path, "HOME": str(work), "TERM": "xterm", "LINE": str(self.line), "LANG": language,
                            "PS1": "% ", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, cwd=cwd or work, env=self.environment,
                                        start_new_session=True, preexec_fn=own_terminal)
        os.close(slave)
        self.seen = b""
        self.type("".join(command + "\n" for command in setup))
        self.after("")

    def type(self, text):
        os.write(self.master, text.encode(errors="surrogateescape"))

    def read(self, seconds):
        """The output of the shell until now, or within that time."""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                self.seen += os.read(self.master, 65536)
            except OSError:
                return
            seconds = 0

    def written(self, path):
        """What the shell writes to this file; None if it writes nothing. The shell reads ahead, so only the file is waited for."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            text = os.fsdecode(path.read_bytes()) if path.exists() else ""
            self.read(0 if text.endswith(END) else 0.002)
            if text.endswith(END):
                return text.removesuffix(END)
        return None

    def after(self, keys, keeps=False):
        """The line after these keys; then the line is cleared, unless the caller goes on with it."""
        self.line.unlink(missing_ok=True)
        self.type(keys + "\x18p")
        got = self.written(self.line)
        if not keeps:
            self.type("\x05\x15")
        return "(no line)" if got is None else got.rstrip("\n")

    def close(self):
        os.close(self.master)
        self.process.terminate()
        self.process.wait(timeout=10)
