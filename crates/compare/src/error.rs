//! Why a comparison cannot be run, read or written.

use std::io;
use std::path::PathBuf;

use destrier::SolveError;
use destrier::render::RenderError;
use destrier_rules::WordError;

use crate::comparison::{MOST_RANKS, MOST_THREADS};

/// What is wrong with a comparison, or with the machine that should run it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such method for questions of this kind.
    #[error(transparent)]
    Method(#[from] SolveError),
    /// The method has no such variant.
    #[error(
        "`{0}` is not a variant; there are bb-dfs:none, bb-dfs:task, bb-dfs:data for captures, \
         warnsdorff:backtrack, pohl:backtrack, roth:backtrack for tours, and naive and backtrack with :parts, :static, \
         :task for counts"
    )]
    Variant(String),
    /// There is no set of this name.
    #[error("--set: {0}")]
    Set(WordError),
    /// No run can have this number of threads.
    #[error("--threads: {0} is not from 1 to {MOST_THREADS}")]
    Threads(usize),
    /// No run can have this number of ranks.
    #[error("--ranks: {0} is not from 1 to {MOST_RANKS}")]
    Ranks(usize),
    /// Ranks do not answer questions of this kind.
    #[error(
        "--ranks is for count and capture, which destrier-mpi answers; {0} is left to one process"
    )]
    NotOnRanks(&'static str),
    /// There is no `destrier-mpi` to start.
    #[error(
        "--ranks needs destrier-mpi, which is neither beside `{}` nor on the PATH; \
         `cargo build --release -p destrier-mpi` makes it", .0.display()
    )]
    NoRankProgram(PathBuf),
    /// The words that start ranks are none.
    #[error("--launcher is empty; write what comes before `-n`, like `mpirun --bind-to none`")]
    NoLauncher,
    /// No run is to be measured, or too many.
    #[error("--repeat {repeat}: give 1 to {most} runs")]
    NoRuns {
        /// How many were asked for.
        repeat: usize,
        /// The most.
        most: usize,
    },
    /// No run has time to begin.
    #[error("a time limit of 0 lets nothing run; give 1ms or more")]
    NoTime,
    /// The program that runs the trials cannot be started.
    #[error("cannot start `{}`: {error}", .program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A trial could not be watched, or its notes could not be read.
    #[error("a run could not be measured: {0}")]
    Trial(#[from] io::Error),
    /// A CSV file cannot be written or read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A line above the rows of a CSV file is wrong.
    #[error("`# {name}: {value}` is not a number")]
    Heading {
        /// The name in that line.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// A CSV file has no rows.
    #[error("there are no rows; `destrier compare … -o FILE.csv` writes some")]
    NoRows,
    /// A JSON document cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// No method gave an answer.
    #[error("there is nothing to plot: no method gave an answer")]
    NoPlot,
    /// A file's name does not say in which form it is to be written.
    #[error("`{}`: unknown file extension; a comparison comes as {forms}", .path.display())]
    Extension {
        /// The file.
        path: PathBuf,
        /// The extensions that there are.
        forms: String,
    },
    /// The plot cannot be turned into pixels.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// This build has no `raster` feature.
    #[error("this program was built without pictures in pixels; use svg")]
    NoPixels,
}
