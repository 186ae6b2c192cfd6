"""Headless Chromium for measurements, through chromedriver; and the machine in words."""
import datetime, json, os, re, subprocess, urllib.request


class Browser:
    """Headless Chromium, through chromedriver."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        port = next(line for line in self.driver.stdout if "successfully on port" in line).split()[-1].rstrip(".")
        self.base = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}, "timeouts": {"script": 600000}}}}
        self.base += "/" + self.post("", wanted)["sessionId"]

    def post(self, path, body):
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(), {"content-type": "application/json"})
        return json.load(urllib.request.urlopen(request, timeout=900))["value"]

    def js(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def end(self):
        urllib.request.urlopen(urllib.request.Request(self.base, method="DELETE"))
        self.driver.terminate()


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())[1]
    version = subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout.split()[1]
    return f"{datetime.date.today()}, {os.cpu_count()} cores of {model}, load average {os.getloadavg()[0]:.0f}, Chromium {version}"
