//! Pictures and exports of checked answers.
//!
//! Everything here takes a [`Verified`](destrier_rules::Verified) answer, so an unchecked one cannot
//! reach a user by mistake; but for films of searches, which show what a search looked at. Text comes as a grid, a list or a table; pictures as SVG, and with the
//! feature `raster` as PNG and animated GIF, with a font of our own so that none need be installed.
//!
//! Uses: the rules alone, and the `graph` of a board for TSPLIB files.

mod capture;
mod columns;
mod drawing;
mod grid;
mod map;
mod pieces;
mod route;
mod scene;
mod strip;
mod svg;
mod table;
mod tsplib;

#[cfg(feature = "raster")]
mod film;
#[cfg(feature = "raster")]
mod overview;
#[cfg(feature = "raster")]
mod paint;
#[cfg(feature = "raster")]
mod raster;

pub use capture::{capture_csv, capture_grid, capture_list};
pub use columns::{four_columns, ids};
pub use drawing::{Anchor, Canvas, Mark, Place, Rgb, Style};
#[cfg(feature = "raster")]
pub use film::{Sight, film};
pub use grid::{Colour, grid, tour_grid};
pub use map::NumberMap;
#[cfg(feature = "raster")]
pub use overview::sampled_gif;
#[cfg(feature = "raster")]
pub use raster::{gif, png};
pub use route::svg;
pub use scene::Scene;
pub use strip::{swap_boards, swap_csv, swap_fens, swap_svg};
#[cfg(feature = "raster")]
pub use strip::{swap_gif, swap_png};

pub use table::tour_csv;
pub use tsplib::{hcp, tsplib_tour};

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// There are too many squares for this kind of picture.
    #[error(
        "a {format} of {size} would be too large; the limit is {most} squares; try `--format list`"
    )]
    TooLarge {
        /// The kind of picture.
        format: &'static str,
        /// The board's sides.
        size: String,
        /// The most squares it takes.
        most: u64,
    },
    /// The picture library refused: a fault of Destrier's.
    #[error("the picture could not be drawn: {0}")]
    Library(String),
}
