//! The page "from the course text to the finished report" runs as it stands: two threads, four ranks.
//!
//! Skipped with a line where there is no `mpirun`, or where `destrier` was not built along with this program.
#![cfg(feature = "mpi")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands of a page: its fenced blocks of shell.
fn script(page: &str) -> String {
    let mut script = String::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            script.push_str(line);
            script.push('\n');
        }
    }
    script
}

#[test]
fn the_page_for_courses_runs_from_the_task_to_the_report() {
    let program = Path::new(env!("CARGO_BIN_EXE_destrier-mpi"));
    if Command::new("mpirun").arg("--version").output().is_err() {
        eprintln!("skipped: there is no mpirun");
        return;
    }
    if !program.with_file_name("destrier").is_file() {
        eprintln!("skipped: destrier is built with the whole workspace only");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = script(&fs::read_to_string(root.join("docs/course.md")).unwrap());
    assert!(script.lines().count() >= 15, "the page has commands: {script}");
    let folder = tempfile::tempdir().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let path =
        std::env::join_paths(std::iter::once(program.parent().unwrap().to_owned()).chain(folders));
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(folder.path())
        .env("PATH", path.unwrap())
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .output()
        .unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert!(!out.contains('\u{1b}'), "no colours in a file");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let csv = text("measured.csv");
    // Three methods, two numbers of threads: in one process, and on 1, 2 and 4 ranks.
    let rows: Vec<&str> = csv.lines().filter(|line| line.starts_with("capture,")).collect();
    assert_eq!(rows.len(), 3 * 2 * 4, "{csv}");
    // On a busy machine some of them may come to their time limit; those that answer agree.
    let settled = |row: &&str| row.contains(", proved") || row.contains("the time limit");
    assert!(rows.iter().all(settled), "{csv}");
    assert!(rows.iter().any(|row| row.contains(", proved")), "{csv}");
    assert!(
        csv.contains("# agreed: true") && csv.contains("ranks were started by `mpirun"),
        "{csv}"
    );
    for name in ["report.html", "report.tex", "report.md"] {
        let report = text(name);
        for part in ["bb-dfs:task", "ranks", "is fastest"] {
            assert!(report.contains(part), "{name} lacks {part}");
        }
    }
    assert!(text("counts.html").contains("by size"));
    assert!(text("counts.csv").contains("count 4x4 --open"), "the row without a tour");
    assert!(text("job.slurm").contains("#SBATCH --ntasks-per-node=4\n"));
    assert!(text("job.pbs").contains("#PBS -l walltime=00:30:00\n"));
}
