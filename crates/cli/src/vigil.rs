//! Watching over a run: limits, Ctrl-C, and progress on a terminal.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::bail;
use destrier::{Effort, Progress, Watch};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::LimitArgs;
use crate::compare::{Took, cpu_time};
use crate::question;

/// A run's watch, and the line on the terminal that shows how it stands.
#[derive(Debug)]
pub struct Vigil {
    /// Who may stop the run.
    pub watch: Watch,
    bar: ProgressBar,
    begun: Instant,
    /// When all was ready, on the clock and in computing time: what is measured begins here.
    ready: (Instant, Option<Duration>),
    stats: Option<PathBuf>,
}

/// More threads than this take longer to start than they could help.
const MOST_THREADS: usize = 1024;

/// Nothing is shown of a run that is shorter than this.
const QUIET: Duration = Duration::from_millis(400);

impl LimitArgs {
    /// Starts watching: from now on the time runs, and Ctrl-C stops the search.
    pub(crate) fn watch(&self) -> anyhow::Result<Vigil> {
        let begun = Instant::now();
        let time = self.time_limit.as_deref().map(question::read_time).transpose()?;
        let memory = self.memory.as_deref().map(question::read_bytes).transpose()?;
        if let Some(threads) = self.threads.filter(|&threads| threads > MOST_THREADS) {
            bail!("--threads: {threads} are too many; {MOST_THREADS} is the most");
        }
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
        let ready = (Instant::now(), cpu_time());
        Ok(Vigil { watch, bar, begun, ready, stats: self.stats.clone() })
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
        if let Some(path) = &self.stats {
            let cpu = cpu_time().zip(self.ready.1).map(|(now, then)| now.saturating_sub(then));
            let took = Took::of(method, effort, self.ready.0.elapsed(), cpu);
            if let Err(error) = took.append_to(path) {
                eprintln!("destrier: cannot write `{}`: {error}", path.display());
            }
        }
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
