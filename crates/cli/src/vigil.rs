//! Watching over a run: limits, Ctrl-C, and progress on a terminal.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use destrier::{Effort, Progress, Watch};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::LimitArgs;
use crate::question;

/// A run's watch, and the line on the terminal that shows how it stands.
#[derive(Debug)]
pub struct Vigil {
    /// Who may stop the run.
    pub watch: Watch,
    bar: ProgressBar,
    begun: Instant,
}

/// Nothing is shown of a run that is shorter than this.
const QUIET: Duration = Duration::from_millis(400);

impl LimitArgs {
    /// Starts watching: from now on the time runs, and Ctrl-C stops the search.
    pub(crate) fn watch(&self) -> anyhow::Result<Vigil> {
        let begun = Instant::now();
        let time = self.time_limit.as_deref().map(question::read_time).transpose()?;
        let memory = self.memory.as_deref().map(question::read_bytes).transpose()?;
        let mut watch = Watch::unlimited()
            .with_deadline(time.and_then(|time| begun.checked_add(time)))
            .with_memory(memory)
            .with_threads(self.threads.unwrap_or(0))
            .with_seed(self.seed);
        if let Some(nodes) = self.node_limit {
            watch = watch.with_node_limit(nodes);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            let shown = bar.clone();
            watch = watch.telling(move |progress| {
                if begun.elapsed() >= QUIET {
                    show(&shown, progress, begun);
                }
            });
        }
        halt_on_interrupt(&watch);
        Ok(Vigil { watch, bar, begun })
    }
}

impl Vigil {
    /// Takes the progress line away, before the answer is printed.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Says on stderr what the run took.
    pub(crate) fn report(&self, method: &str, effort: &Effort) {
        let method = effort.method.unwrap_or(method);
        let mut line = format!("{method}: {} nodes", effort.nodes);
        for (name, number) in &effort.details {
            let _ = write!(line, ", {number} {name}");
        }
        eprintln!("{line}, {:.3?}", self.begun.elapsed());
    }
}

fn show(bar: &ProgressBar, progress: &Progress, begun: Instant) {
    let seconds = begun.elapsed().as_secs_f64();
    let mut text = format!("{} nodes", HumanCount(progress.nodes));
    if let Some(fraction) = progress.fraction.filter(|&fraction| fraction > 0.0) {
        let left = Duration::try_from_secs_f64(seconds / fraction - seconds).unwrap_or_default();
        text =
            format!("{:.1} %, {} left, {text}", fraction * 100.0, indicatif::HumanDuration(left));
    }
    if let Some(best) = progress.best {
        let _ = write!(text, ", best {best}");
    }
    if let Some(bound) = progress.bound {
        let _ = write!(text, ", bound {bound}");
    }
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg} (Ctrl-C stops)") {
        bar.set_style(style);
    }
    bar.set_message(text);
    bar.tick();
}

/// The first Ctrl-C (or SIGTERM) halts the watch of the latest run; the second ends the program.
pub fn halt_on_interrupt(watch: &Watch) {
    static WATCHES: OnceLock<std::sync::Mutex<Vec<Watch>>> = OnceLock::new();
    let install = || {
        let asked = std::sync::atomic::AtomicBool::new(false);
        // A program that cannot catch Ctrl-C is ended by it, which is what a user expects then.
        let _ = ctrlc::set_handler(move || {
            if asked.swap(true, std::sync::atomic::Ordering::SeqCst) {
                std::process::exit(130);
            }
            let watches = WATCHES.get().and_then(|watches| watches.lock().ok());
            watches.iter().flat_map(|watches| watches.iter()).for_each(Watch::halt);
        });
        std::sync::Mutex::new(Vec::new())
    };
    if let Ok(mut watches) = WATCHES.get_or_init(install).lock() {
        watches.push(watch.clone());
    }
}
