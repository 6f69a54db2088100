"""A headless Chromium that tests drive over a pair of pipes (the DevTools protocol, without other modules)."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
# The 3-D view is drawn by the processor. A container gives Chromium neither a sandbox nor much shared memory.
FLAGS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--no-first-run",
         "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-extensions",
         "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1180,900")


def find():
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. `complaints` are the errors and warnings that the page gave."""

    def __init__(self, program, patience=60):
        self.folder, self.patience = tempfile.TemporaryDirectory(prefix="tessera-browser-"), patience
        from_us, self.to = os.pipe()
        self.come, to_us = os.pipe()

        def as_3_and_4():
            os.dup2(from_us, 103)
            os.dup2(to_us, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen([program, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"],
                                        preexec_fn=as_3_and_4, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.number, self.text, self.session, self.complaints = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.come)
        for _ in range(20):  # its helpers may still be writing
            try:
                return self.folder.cleanup()
            except OSError:
                time.sleep(0.1)

    def message(self):
        end = time.monotonic() + self.patience
        while b"\0" not in self.text:
            if not select.select([self.come], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.come, 1 << 20)
            if not piece:
                raise ConnectionError("the browser has ended")
            self.text += piece
        one, self.text = self.text.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        what, given = event.get("method"), event.get("params", {})
        if what == "Runtime.exceptionThrown":
            details = given["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        if what == "Runtime.consoleAPICalled" and given["type"] in ("error", "assert"):
            self.complaints.append(" ".join(str(one.get("value", one.get("description"))) for one in given["args"]))
        if what == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.complaints.append(given["entry"]["text"])

    def value(self, expression):
        """What JavaScript says; promises are waited for."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def open(self, path):
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait("document.readyState === 'complete'")

    def wait(self, expression):
        end = time.monotonic() + self.patience
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(f"{expression} never holds; the page says {self.complaints}")
            time.sleep(0.1)

    def picture(self, selector=None):
        """PNG of the element, or of the window."""
        clip = {}
        if selector:
            self.value(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
            time.sleep(0.3)
            box = self.value(f"(({{x, y, width, height}}) => ({{x: x + scrollX, y: y + scrollY, width, height}}))"
                             f"(document.querySelector({selector!r}).getBoundingClientRect())")
            clip = {"clip": {**box, "scale": 1}, "captureBeyondViewport": box["height"] > 800}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **clip)["data"])

    def colors(self, selector):
        """How many colours the picture of an element has, of which each covers at least a thousandth."""
        data = base64.b64encode(self.picture(selector)).decode()
        return self.value(f"""(async () => {{
          const image = await createImageBitmap(await (await fetch("data:image/png;base64,{data}")).blob());
          const canvas = new OffscreenCanvas(image.width, image.height);
          const drawing = canvas.getContext("2d"), known = new Map();
          drawing.drawImage(image, 0, 0);
          const {{ data }} = drawing.getImageData(0, 0, image.width, image.height);
          for (let i = 0; i < data.length; i += 4) {{
            const color = [data[i] >> 4, data[i + 1] >> 4, data[i + 2] >> 4].join();
            known.set(color, (known.get(color) || 0) + 1);
          }}
          return [...known.values()].filter((n) => n * 1000 > image.width * image.height).length;
        }})()""")
