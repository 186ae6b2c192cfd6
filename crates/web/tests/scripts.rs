//! The modules of the page that need no browser, tested by Node (`tests/js`).
//!
//! Without `node` the test says that it was skipped; with `DESTRIER_BROWSER=required`, as in CI, it fails instead.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_modules_that_need_no_browser_pass_their_tests() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/js"));
    let mut files: Vec<PathBuf> =
        folder.read_dir().expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    files.sort();
    assert!(!files.is_empty(), "there are tests in {}", folder.display());
    let Ok(run) = Command::new("node").arg("--test").args(&files).output() else {
        let required = std::env::var("DESTRIER_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "there is no node, and DESTRIER_BROWSER=required");
        eprintln!("skipped: there is no node here (Debian: nodejs)");
        return;
    };
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
}
