//! A browser for one test: starts server, driver and browser, and ends all three whatever happens.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use destrier_web::{Options, Server};
use fantoccini::elements::Element;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// How long a person would wait at most; a busy machine needs some of it.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the browser reports to the test: errors, broken promises, breaches of the content policy.
const LISTEN: &str = "window.faults = [];
    addEventListener('error', (event) => faults.push(`error: ${event.message}`));
    addEventListener('unhandledrejection', (event) => faults.push(`rejection: ${event.reason}`));
    addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));";

/// A `chromedriver` that ends with the test.
struct Driver {
    process: Child,
    url: String,
}

impl Driver {
    /// Starts it on a free port; nothing if this machine has none.
    fn start() -> Option<Driver> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut process) = started else {
            let required = std::env::var("DESTRIER_BROWSER").is_ok_and(|value| value == "required");
            assert!(!required, "there is no chromedriver, and DESTRIER_BROWSER=required");
            eprintln!("skipped: there is no chromedriver here (Debian: chromium chromium-driver)");
            return None;
        };
        let output = process.stdout.take().expect("its output was asked for");
        let port = BufReader::new(output)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, rest) = line.split_once("successfully on port ")?;
                rest.trim_end_matches('.').parse::<u16>().ok()
            })
            .expect("chromedriver says its port");
        Some(Driver { process, url: format!("http://127.0.0.1:{port}") })
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A command of the browser's own protocol.
#[derive(Debug)]
struct Cdp(&'static str, Value);

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "cmd": self.0, "params": self.1 }).to_string()))
    }
}

/// The page, as a test sees it.
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) client: Client,
    pub(crate) url: String,
}

/// Runs a scenario in a browser of its own.
pub(crate) fn browse<F, S>(name: &str, scenario: F)
where
    F: FnOnce(Page) -> S,
    S: Future<Output = ()> + Send + 'static,
{
    let Some(driver) = Driver::start() else { return };
    let options = Options { host: Ipv4Addr::LOCALHOST.into(), port: 0, ..Options::default() };
    let server = Server::bind(&options).expect("a port is free");
    let (url, stop) = (server.url(), server.stop());
    let serving = std::thread::spawn(move || server.run());
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let ended = runtime.block_on(async {
        let client = connect(&driver.url).await;
        let page = Page { client: client.clone(), url };
        page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": LISTEN })).await;
        let ended = tokio::spawn(scenario(page.clone())).await;
        let faults = client.execute("return window.faults ?? []", Vec::new()).await;
        if ended.is_err() {
            page.picture(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"))).await;
        }
        client.close().await.expect("the browser closes");
        ended.map(|()| faults.expect("the page still answers"))
    });
    stop.stop();
    drop(driver);
    serving.join().expect("the server does not panic").expect("the server ends well");
    match ended {
        Ok(faults) => assert_eq!(faults, json!([]), "the page raised no error"),
        Err(failure) => std::panic::resume_unwind(failure.into_panic()),
    }
}

async fn connect(driver: &str) -> Client {
    let mut wanted = Capabilities::new();
    // The browser visits our own page only, and a test machine may run everything as root: hence no sandbox.
    let arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--lang=en", "--window-size=1280,1000"];
    wanted.insert("goog:chromeOptions".into(), json!({ "args": arguments }));
    ClientBuilder::new(HttpConnector::new())
        .capabilities(wanted)
        .connect(driver)
        .await
        .expect("a browser starts")
}

impl Page {
    /// Opens the page with a question in the address.
    pub(crate) async fn open(&self, hash: &str) {
        self.client.goto("about:blank").await.expect("a blank page");
        self.client.goto(&format!("{}{hash}", self.url)).await.expect("the page opens");
        self.wait("document.documentElement.classList.contains('ready')").await;
    }

    /// The value of an expression.
    pub(crate) async fn js(&self, expression: &str) -> Value {
        self.client
            .execute(&format!("return {expression}"), Vec::new())
            .await
            .unwrap_or_else(|error| panic!("`{expression}`: {error}"))
    }

    /// The text of an expression.
    pub(crate) async fn text(&self, expression: &str) -> String {
        self.js(expression).await.as_str().unwrap_or_default().to_owned()
    }

    /// What an element says.
    pub(crate) async fn says(&self, css: &str) -> String {
        self.text(&format!("document.querySelector({})?.textContent ?? ''", json!(css))).await
    }

    /// Waits until an expression holds.
    pub(crate) async fn wait(&self, expression: &str) {
        let began = Instant::now();
        while self.js(&format!("Boolean({expression})")).await != json!(true) {
            let state = self.says(".room:not([hidden]) .report").await;
            assert!(began.elapsed() < PATIENCE, "`{expression}` never came true; the report says `{state}`");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// An element that is there.
    pub(crate) async fn find(&self, css: &str) -> Element {
        self.client.find(Locator::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// Clicks like a mouse.
    pub(crate) async fn click(&self, css: &str) {
        let element = self.find(css).await;
        element.click().await.unwrap_or_else(|error| panic!("click {css}: {error}"));
    }

    /// Clicks a square of the board of a room.
    pub(crate) async fn square(&self, room: &str, square: &str) {
        self.click(&format!("#room-{room} [data-square=\"{square}\"]")).await;
    }

    /// Clicks the label of a choice.
    pub(crate) async fn choose(&self, room: &str, value: &str) {
        self.click(&format!("#room-{room} input[value=\"{value}\"] + label")).await;
    }

    /// Types where the focus is.
    pub(crate) async fn keys(&self, keys: &str) {
        let active = self.client.active_element().await.expect("something has the focus");
        active.send_keys(keys).await.unwrap_or_else(|error| panic!("keys {keys:?}: {error}"));
    }

    /// Asks, waits for the report, and tells its tone and headline.
    pub(crate) async fn ask(&self, room: &str) -> (String, String) {
        self.click(&format!("#room-{room} .primary")).await;
        self.answer(room).await
    }

    /// Waits for the report, and tells its tone and headline.
    pub(crate) async fn answer(&self, room: &str) -> (String, String) {
        let report = format!("document.querySelector('#room-{room} .report')");
        self.wait(&format!("!['idle', 'busy'].includes({report}.dataset.tone)")).await;
        (self.text(&format!("{report}.dataset.tone")).await, self.says(&format!("#room-{room} .headline")).await)
    }

    /// The number of the newest job, from the addresses that the page has asked.
    pub(crate) async fn job(&self) -> String {
        let latest = "performance.getEntriesByType('resource').map((entry) => /api\\/jobs\\/([0-9a-f]{32})/.exec(entry.name)?.[1]).filter(Boolean).at(-1) ?? ''";
        self.text(latest).await
    }

    /// Waits until the server says this of a job.
    pub(crate) async fn job_becomes(&self, job: &str, state: &str) {
        let ask = format!("fetch('api/jobs/{job}').then((answer) => answer.json()).then((job) => job.state)");
        let began = Instant::now();
        loop {
            let now = self.js(&ask).await;
            if now == json!(state) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "the job is {now}, not {state}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Drops a file on the page.
    pub(crate) async fn drop_file(&self, name: &str, text: &str) {
        let script = "const parcel = new DataTransfer();
            parcel.items.add(new File([arguments[1]], arguments[0]));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: parcel, bubbles: true, cancelable: true }));";
        self.client.execute(script, vec![json!(name), json!(text)]).await.expect("a file is dropped");
    }

    /// Pretends to be a phone.
    pub(crate) async fn as_phone(&self) {
        let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true });
        self.cdp("Emulation.setDeviceMetricsOverride", phone).await;
    }

    /// Pretends that the system prefers light or dark.
    pub(crate) async fn system_prefers(&self, scheme: &str) {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.cdp("Emulation.setEmulatedMedia", media).await;
    }

    async fn cdp(&self, command: &'static str, parameters: Value) {
        self.client.issue_cmd(Cdp(command, parameters)).await.expect("the browser obeys");
    }

    /// Keeps a picture of what is seen.
    pub(crate) async fn picture(&self, path: &PathBuf) {
        if let Ok(picture) = self.client.screenshot().await {
            std::fs::write(path, picture).expect("the picture is kept");
            eprintln!("{}", path.display());
        }
    }
}
