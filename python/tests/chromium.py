"""A headless Chromium and its DevTools protocol over two pipes: enough to use a page."""

import base64
import json
import os
import shutil
import subprocess
import sys
import time

# The browser reads commands from descriptor 3 and writes to 4.
START = """
import fcntl, os, sys
aside = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for place, number in enumerate(aside, 3):
    os.dup2(number, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def program():
    """Path of a Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else PROGRAMS)), None)


class Page:
    """A page in a browser of its own."""

    def __init__(self, folder):
        commands, self._commands = os.pipe()
        self._replies, replies = os.pipe()
        arguments = [
            program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={folder}",
            "--window-size=1400,1000", "about:blank",
        ]  # fmt: skip
        self._browser = subprocess.Popen(
            [sys.executable, "-c", START, str(commands), str(replies), *arguments],
            pass_fds=(commands, replies),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(replies)
        self._unread, self._number, self.messages, self._events = b"", 0, [], []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        attached = self._send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._browser.kill()
        self._browser.wait()
        os.close(self._commands)
        os.close(self._replies)

    def send(self, method, **params):
        return self._send(method, session=self._session, **params)

    def _send(self, method, session=None, **params):
        self._number += 1
        command = {"id": self._number, "method": method, "params": params}
        if session is not None:
            command["sessionId"] = session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        while True:
            reply = self._read()
            if reply.get("id") == self._number:
                assert "error" not in reply, (method, reply["error"])
                return reply["result"]
            self._take(reply)

    def _read(self):
        while b"\0" not in self._unread:
            more = os.read(self._replies, 1 << 16)
            assert more, "the browser has gone"
            self._unread += more
        text, self._unread = self._unread.split(b"\0", 1)
        return json.loads(text)

    def _take(self, event):
        method, params = event.get("method"), event.get("params", {})
        self._events.append(method)
        if method == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.messages.append(str(params["exceptionDetails"]))
        elif method == "Network.requestWillBeSent":
            self.messages.append(f"request {params['request']['url']}")

    def open(self, path, scheme="light"):
        """Loads a file with a preferred colour scheme."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)
        self._events.clear()
        self.messages.clear()
        self.send("Page.navigate", url=f"file://{path}")
        while "Page.loadEventFired" not in self._events:
            self._take(self._read())
        # The page itself is no request to anywhere.
        self.messages = [m for m in self.messages if m != f"request file://{path}"]

    def wait_for(self, holds, seconds=10):
        """Lets events come in until `holds` does; they come with the replies of commands."""
        end = time.monotonic() + seconds
        while not holds() and time.monotonic() < end:
            self.run("0")
            time.sleep(0.02)
        assert holds(), self.messages

    def run(self, expression):
        """Value of a JavaScript expression."""
        # Through the protocol, which the page's policy does not bind.
        reply = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def press(self, key, code=None, text=None):
        """A key of the keyboard."""
        common = {"key": key, "code": code or key}
        if text:
            common["text"] = text
        if key == "Tab":
            common["windowsVirtualKeyCode"] = 9
        if key == "Enter":
            common["windowsVirtualKeyCode"] = 13
        self.send("Input.dispatchKeyEvent", type="keyDown", **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path, full=True):
        """A PNG of the page."""
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        with open(path, "wb") as file:
            file.write(base64.b64decode(data["data"]))

    def accessible(self):
        """Role and name of everything that a screen reader is told of."""
        nodes = self.send("Accessibility.getFullAXTree")["nodes"]
        value = lambda node, key: node.get(key, {}).get("value", "")  # noqa: E731
        return [(value(n, "role"), value(n, "name")) for n in nodes if not n.get("ignored")]
