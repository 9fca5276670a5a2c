# SPDX-License-Identifier: MIT
"""A real Chromium without a window, driven through its pipe: opens a page, evaluates JavaScript in it, and takes pictures."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

FLAGS = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--lang=en"]
# Chromium reads commands from descriptor 3 and replies on 4.
COMMANDS, REPLIES = 3, 4


def find():
    """The path of a Chromium, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.to = os.pipe()
        self.replies, replies = os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" {COMMANDS}<&{commands} {REPLIES}>&{replies}', "sh", find(), *FLAGS, f"--user-data-dir={self.home.name}"],
            pass_fds=(commands, replies), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": self.home.name, "XDG_CONFIG_HOME": self.home.name, "XDG_CACHE_HOME": self.home.name})
        os.close(commands)
        os.close(replies)
        self.number, self.rest, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.replies)
        self.home.cleanup()

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.replies, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params} | ({"sessionId": self.session} if self.session else {})
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def open(self, path, width=1280, height=900, dark=False, scripts=True):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events.clear()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait("Page.loadEventFired")

    def complaints(self):
        """What the page reported: refused parts, errors of the script; and what it loaded besides itself."""
        self.run("0")
        found = [event["params"]["entry"]["text"] for event in self.events if event.get("method") == "Log.entryAdded"]
        found += [event["params"]["exceptionDetails"]["text"] for event in self.events if event.get("method") == "Runtime.exceptionThrown"]
        requests = [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return found + requests[1:]

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, key, text=""):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text or (key if len(key) == 1 else ""))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
