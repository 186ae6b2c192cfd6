//! The page in real browsers: headless Chromium, driven through `chromedriver`; and each room once in Firefox.
//!
//! Every test has its own server, its own driver and its own browser, so tests can run side by side and none sees
//! another's jobs. A test does what a person does (clicks, keys, files) and reads what a person reads; it also fails
//! when the page raised an error or broke its content policy on the way.
//!
//! With `DESTRIER_SITE=FOLDER` the same tests run on the page without a server that `ci/site.sh` wrote to the folder; the few
//! that need a server say that they were skipped.
//!
//! Without `chromium`, `chromedriver` and `firefox-esr` the tests say that they were skipped; with `DESTRIER_BROWSER=required`, as
//! in CI, they fail instead.

mod driver;
mod editing;
mod export;
mod firefox;
mod late;
mod people;
mod pictures;
mod play;
mod rooms;
mod search;
mod site;
mod wire;
