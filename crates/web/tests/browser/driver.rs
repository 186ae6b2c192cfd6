//! A browser for one test: starts server, driver and browser, and ends all three whatever happens.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use destrier_web::{Limits, Options, Server, Stop};
use serde_json::{Value, json};

use crate::firefox::Firefox;
use crate::site::Site;
use crate::wire::Session;

/// Only what never happens takes longer, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(300);

/// What the browser reports to the test: errors, broken promises, breaches of the content policy.
const LISTEN: &str = "window.faults = [];
    addEventListener('error', (event) => faults.push(`error: ${event.message}`));
    addEventListener('unhandledrejection', (event) => faults.push(`rejection: ${event.reason}`));
    addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));";

/// Says that a test is left out, and why; a failure where no test may be.
pub(crate) fn skipped(why: &str) {
    let required = std::env::var("DESTRIER_BROWSER").is_ok_and(|value| value == "required");
    assert!(!required, "{why}, and DESTRIER_BROWSER=required");
    eprintln!("skipped: {why}");
}

/// The program `destrier` of this build, which compares methods; it lies beside the folder of the tests.
fn program() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let name = format!("destrier{}", std::env::consts::EXE_SUFFIX);
    Some(test.parent()?.parent()?.join(name)).filter(|program| program.is_file())
}

/// A `chromedriver` that ends with the test.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    /// Starts it on a free port; nothing if this machine has none.
    ///
    /// It wants the same port for both kinds of addresses, and ends at once if another process takes one of the two first:
    /// then it is started again.
    fn start() -> Option<Driver> {
        for _ in 0..20 {
            let started = Command::new("chromedriver")
                .arg("--port=0")
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn();
            let Ok(mut process) = started else {
                skipped("there is no chromedriver here (Debian: chromium chromium-driver)");
                return None;
            };
            let output = process.stdout.take().expect("its output was asked for");
            let port = BufReader::new(output).lines().map_while(Result::ok).find_map(|line| {
                let (_, rest) = line.split_once("successfully on port ")?;
                rest.trim_end_matches('.').parse().ok()
            });
            let driver = Driver { process, port: port.unwrap_or_default() };
            if port.is_some() {
                return Some(driver);
            }
        }
        panic!("chromedriver does not start");
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the browser gets the page from.
enum Host {
    Server(String, Stop, JoinHandle<std::io::Result<()>>),
    Site(Site),
}

impl Host {
    fn start(options: Options) -> Host {
        if let Some(folder) = site() {
            return Host::Site(Site::serve(folder));
        }
        let host = Ipv4Addr::LOCALHOST.into();
        let options = Options { host, port: 0, ..options };
        let server = Server::bind(&options).expect("a port is free");
        let (url, stop) = (server.url(), server.stop());
        Host::Server(url, stop, thread::spawn(move || server.run()))
    }

    fn url(&self) -> String {
        match self {
            Host::Server(url, ..) => url.clone(),
            Host::Site(site) => site.url(),
        }
    }

    fn end(self) {
        if let Host::Server(_, stop, serving) = self {
            stop.stop();
            serving.join().expect("the server does not panic").expect("the server ends well");
        }
    }
}

/// A part of what the carrier says of a job, as an expression.
pub(crate) fn job_of(job: &str, part: &str) -> String {
    format!(
        "import('./js/carrier.js').then(({{ fetch }}) => fetch('api/jobs/{job}')).then((answer) => answer.json()).then((job) => job.{part})"
    )
}

/// The page, as a test sees it.
pub(crate) struct Page {
    pub(crate) session: Session,
    host: RefCell<Option<Host>>,
    url: String,
    coverage: Option<Coverage>,
}

/// Where it is kept what the browser ran of the page's scripts: `ci/page-coverage.py` names a folder and reads it.
struct Coverage {
    folder: PathBuf,
    name: String,
    kept: Cell<u32>,
}

impl Coverage {
    fn of(name: &str) -> Option<Coverage> {
        let folder = std::env::var_os("DESTRIER_PAGE_COVERAGE")?.into();
        Some(Coverage { folder, name: name.to_owned(), kept: Cell::new(0) })
    }
}

/// Some places on the way from one place to another, and that.
fn between(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    let part = |i: i32| {
        let share = f64::from(i) / 12.0;
        (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
    };
    (1..=12).map(part).collect()
}

/// The folder of the page without a server, if that is to be tested.
fn site() -> Option<PathBuf> {
    std::env::var_os("DESTRIER_SITE").map(PathBuf::from)
}

/// Runs a scenario that needs a server.
pub(crate) fn browse_served(name: &str, scenario: impl FnOnce(&Page)) {
    match site() {
        None => browse(name, scenario),
        Some(_) => eprintln!("skipped: {name} needs a server"),
    }
}

/// Runs a scenario that needs a server which does not mind how long a page takes to come back to its job.
pub(crate) fn browse_reloading(name: &str, scenario: impl FnOnce(&Page)) {
    let limits = Limits { grace: PATIENCE, ..Limits::default() };
    match site() {
        None => browse_on(Options { limits, ..Options::default() }, name, scenario),
        Some(_) => eprintln!("skipped: {name} needs a server"),
    }
}

/// Runs a scenario that is about the page without a server.
pub(crate) fn browse_site(name: &str, scenario: impl FnOnce(&Page)) {
    match site() {
        Some(_) => browse(name, scenario),
        None => eprintln!("skipped: {name} needs DESTRIER_SITE, which ci/site.sh sets"),
    }
}

/// Runs a scenario in a browser of its own; a server has the command that compares methods.
pub(crate) fn browse_comparing(name: &str, scenario: impl FnOnce(&Page)) {
    match program() {
        _ if site().is_some() => browse(name, scenario),
        Some(program) => browse_with(Some(program), name, scenario),
        None => skipped("there is no `destrier` that compares (cargo build -p destrier-cli)"),
    }
}

/// The same on a server that does not mind how long a page takes to come back to its job.
pub(crate) fn browse_comparing_reloading(name: &str, scenario: impl FnOnce(&Page)) {
    let limits = Limits { grace: PATIENCE, ..Limits::default() };
    match program() {
        _ if site().is_some() => eprintln!("skipped: {name} needs a server"),
        None => skipped("there is no `destrier` that compares (cargo build -p destrier-cli)"),
        command => browse_on(Options { command, limits, ..Options::default() }, name, scenario),
    }
}

/// Runs a scenario in which methods are compared in processes, which takes a server.
pub(crate) fn browse_processes(name: &str, scenario: impl FnOnce(&Page)) {
    match site() {
        None => browse_comparing(name, scenario),
        Some(_) => eprintln!("skipped: {name} needs a server"),
    }
}

/// Runs a scenario in a browser of its own.
pub(crate) fn browse(name: &str, scenario: impl FnOnce(&Page)) {
    browse_with(None, name, scenario);
}

fn browse_with(command: Option<PathBuf>, name: &str, scenario: impl FnOnce(&Page)) {
    browse_on(Options { command, ..Options::default() }, name, scenario);
}

fn browse_on(options: Options, name: &str, scenario: impl FnOnce(&Page)) {
    let Some(driver) = Driver::start() else { return };
    let host = Host::start(options);
    let url = host.url();
    // The browser visits our own page only, and a test machine may run everything as root: hence no sandbox.
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--lang=en",
        "--window-size=1280,1000",
    ];
    let session = Session::open(driver.port, &arguments);
    let coverage = Coverage::of(name);
    let page = Page { session, host: RefCell::new(Some(host)), url, coverage };
    page.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": LISTEN }));
    if page.coverage.is_some() {
        page.cdp("Profiler.enable", &json!({}));
        let detailed = json!({ "callCount": true, "detailed": true });
        page.cdp("Profiler.startPreciseCoverage", &detailed);
    }
    page.act(name, scenario);
    drop(driver);
}

/// Runs a scenario in Firefox, where there is one.
pub(crate) fn browse_firefox(name: &str, scenario: impl FnOnce(&Page)) {
    let command = program();
    if command.is_none() && site().is_none() {
        return skipped("there is no `destrier` that compares (cargo build -p destrier-cli)");
    }
    let Some(firefox) = Firefox::start() else { return };
    let limits = Limits { grace: PATIENCE, ..Limits::default() };
    let host = Host::start(Options { command, limits, ..Options::default() });
    let (url, session) = (host.url(), Session::Firefox(RefCell::new(firefox)));
    let page = Page { session, host: RefCell::new(Some(host)), url, coverage: None };
    page.act(name, scenario);
}

impl Page {
    /// Plays a scenario, and ends the browser and the server whatever happens.
    fn act(self, name: &str, scenario: impl FnOnce(&Page)) {
        let page = self;
        let ended = std::panic::catch_unwind(AssertUnwindSafe(|| scenario(&page)));
        let faults = ended.is_ok().then(|| page.js("window.faults"));
        page.keep_coverage();
        if ended.is_err() {
            page.picture(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png")));
        }
        page.session.close();
        page.unplug();
        match ended {
            Ok(()) => assert_eq!(faults, Some(json!([])), "the page raised no error"),
            Err(failure) => std::panic::resume_unwind(failure),
        }
    }

    /// Ends whatever served the page.
    pub(crate) fn unplug(&self) {
        if let Some(host) = self.host.take() {
            host.end();
        }
    }

    /// Keeps what was run since the last time, if that is measured; it is lost when another page comes.
    fn keep_coverage(&self) {
        let Some(Coverage { folder, name, kept }) = &self.coverage else { return };
        let take = json!({ "cmd": "Profiler.takePreciseCoverage", "params": {} });
        let taken = self.session.post("goog/cdp/execute", &take);
        let process = std::process::id();
        let file = folder.join(format!("{name}-{process}-{}.json", kept.replace(kept.get() + 1)));
        std::fs::write(file, taken.to_string()).expect("the coverage is kept");
    }

    /// Opens the page with a question in the address.
    pub(crate) fn open(&self, hash: &str) {
        self.keep_coverage();
        self.session.go("about:blank");
        self.session.go(&format!("{}{hash}", self.url));
        if let Session::Firefox(_) = self.session {
            self.session.execute(LISTEN, &[]);
        }
        self.wait("document.documentElement.classList.contains('ready')");
    }

    /// Visits the page, so that the next visit is not the first: only then does a page without a server keep the best of what is stopped.
    pub(crate) fn visit_before(&self) {
        if site().is_some() {
            self.open("");
            self.wait("navigator.serviceWorker.controller !== null");
        }
    }

    /// The value of an expression; a promise is waited for.
    pub(crate) fn js(&self, expression: &str) -> Value {
        self.session.execute(&format!("return {expression}"), &[])
    }

    /// The text of an expression.
    pub(crate) fn text(&self, expression: &str) -> String {
        self.js(expression).as_str().unwrap_or_default().to_owned()
    }

    /// What an element says.
    pub(crate) fn says(&self, css: &str) -> String {
        self.text(&format!("document.querySelector({})?.textContent ?? ''", json!(css)))
    }

    /// Waits until an expression holds.
    pub(crate) fn wait(&self, expression: &str) {
        let began = Instant::now();
        while self.js(&format!("Boolean({expression})")) != json!(true) {
            if began.elapsed() > PATIENCE {
                let state = self.says(".room:not([hidden]) .report");
                panic!("`{expression}` never came true; the report says `{state}`");
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until what is due to be painted has been painted.
    pub(crate) fn settle(&self) {
        self.js("void (window.settled = false, requestAnimationFrame(() => requestAnimationFrame(() => { window.settled = true; })))");
        self.wait("window.settled");
    }

    /// Clicks like a mouse.
    pub(crate) fn click(&self, css: &str) {
        self.session.click(&self.session.find(css));
    }

    /// Clicks a square of the board of a room.
    pub(crate) fn square(&self, room: &str, square: &str) {
        self.click(&format!("#room-{room} [data-square=\"{square}\"]"));
    }

    /// Clicks the label of a choice.
    pub(crate) fn choose(&self, room: &str, value: &str) {
        self.click(&format!("#room-{room} input[value=\"{value}\"] + label"));
    }

    /// Types where the focus is.
    pub(crate) fn keys(&self, keys: &str) {
        self.session.send_keys(&self.session.active(), keys);
    }

    /// Asks, waits for the report, and tells its tone and headline.
    pub(crate) fn ask(&self, room: &str) -> (String, String) {
        self.click(&format!("#room-{room} .primary"));
        self.answer(room)
    }

    /// Waits for the report, and tells its tone and headline.
    pub(crate) fn answer(&self, room: &str) -> (String, String) {
        let tone = format!("document.querySelector('#room-{room} .report').dataset.tone");
        self.wait(&format!("!['idle', 'busy'].includes({tone})"));
        (self.text(&tone), self.says(&format!("#room-{room} .headline")))
    }

    /// The number of a room's newest job.
    pub(crate) fn job(&self, room: &str) -> String {
        self.text(&format!("document.querySelector('#room-{room}').dataset.job"))
    }

    /// Waits until the carrier says this of a job.
    pub(crate) fn job_becomes(&self, job: &str, state: &str) {
        let ask = job_of(job, "state");
        let began = Instant::now();
        loop {
            let now = self.js(&ask);
            if now == json!(state) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "the job is {now}, not {state}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Drops a file on the page.
    pub(crate) fn drop_file(&self, name: &str, text: &str) {
        let script = "const parcel = new DataTransfer();
            parcel.items.add(new File([arguments[1]], arguments[0]));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: parcel, bubbles: true, cancelable: true }));";
        self.session.execute(script, &[json!(name), json!(text)]);
    }

    /// Pretends to be a phone.
    pub(crate) fn as_phone(&self) {
        self.as_wide(390, true);
        self.cdp("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    }

    /// Pretends to have a screen of this width.
    pub(crate) fn as_wide(&self, width: u32, mobile: bool) {
        self.as_large(width, 844, mobile);
    }

    /// Pretends to have a screen of this size.
    pub(crate) fn as_large(&self, width: u32, height: u32, mobile: bool) {
        let screen =
            json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": mobile });
        self.cdp("Emulation.setDeviceMetricsOverride", &screen);
    }

    /// Makes the window this wide, or as narrow as the browser lets it be.
    pub(crate) fn as_window(&self, width: u32) {
        self.session.post("window/rect", &json!({ "width": width, "height": 900 }));
    }

    /// Runs a script in every page that is opened from now on, before its own.
    pub(crate) fn before(&self, script: &str) {
        self.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
    }

    /// Loads the page again, as a person does.
    pub(crate) fn reload(&self) {
        self.keep_coverage();
        self.session.post("refresh", &json!({}));
        self.wait("document.documentElement.classList.contains('ready')");
    }

    /// Goes back, as a person does.
    pub(crate) fn back(&self) {
        self.keep_coverage();
        self.session.post("back", &json!({}));
    }

    /// The middle of a square on the screen.
    pub(crate) fn middle(&self, room: &str, square: &str) -> (f64, f64) {
        let at = self.js(&format!(
            "(() => {{ const box = document.querySelector('#room-{room} [data-square=\"{square}\"]').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        (at[0].as_f64().expect("a place"), at[1].as_f64().expect("a place"))
    }

    /// Drags with the mouse from one place to another; a click where they are the same.
    pub(crate) fn drag(&self, button: &str, from: (f64, f64), to: (f64, f64)) {
        let event = |kind: &str, (x, y): (f64, f64)| {
            let buttons = if button == "right" { 2 } else { 1 };
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
            self.cdp("Input.dispatchMouseEvent", &event);
        };
        event("mousePressed", from);
        for place in between(from, to) {
            event("mouseMoved", place);
        }
        event("mouseReleased", to);
    }

    /// Drags with a finger, which rests before it moves for as long as `rest` takes.
    pub(crate) fn touch(&self, from: (f64, f64), to: (f64, f64), rest: impl FnOnce()) {
        let event = |kind: &str, points: Value| {
            self.cdp("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
        };
        event("touchStart", json!([{ "x": from.0, "y": from.1 }]));
        rest();
        for (x, y) in between(from, to) {
            event("touchMove", json!([{ "x": x, "y": y }]));
            thread::sleep(Duration::from_millis(16));
        }
        // A finger that stands still when it is lifted does not fling the page.
        thread::sleep(Duration::from_millis(150));
        event("touchEnd", json!([]));
        thread::sleep(Duration::from_millis(50));
    }

    /// Keeps what is saved, as `[name, size, head]` in `window.saved`.
    pub(crate) fn keep_files(&self) {
        self.js("(() => { window.saved = []; const click = HTMLAnchorElement.prototype.click; HTMLAnchorElement.prototype.click = function () { if (!this.download) return click.call(this); const name = this.download; window.blobs.get(this.href).text().then((text) => saved.push([name, text.length, text])); }; window.blobs = new Map(); const make = URL.createObjectURL; URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; }; })()");
    }

    /// Pretends that the system prefers light or dark, and little motion.
    pub(crate) fn system_prefers(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.cdp("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// As a printer sees it, or as a screen shows it again.
    pub(crate) fn as_print(&self, print: bool) {
        let media = if print { "print" } else { "" };
        self.cdp("Emulation.setEmulatedMedia", &json!({ "media": media }));
    }

    /// A command of the browser's own protocol.
    fn cdp(&self, command: &str, parameters: &Value) {
        self.session.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }));
    }

    /// Keeps a picture of what is seen.
    pub(crate) fn picture(&self, path: &Path) {
        std::fs::write(path, self.session.picture()).expect("the picture is kept");
        eprintln!("{}", path.display());
    }
}
