//! The pieces, as the page draws them: a knight with its mane and its eye, and a pawn.
//!
//! The outlines are those of `crates/web/page/js/glyphs.js`, on a field of 64 by 64, with arcs as curves.

use super::drawing::{Anchor, Mark, Outline, Place, Rgb, Style};
use super::route::{CELL, INK, PAPER};

/// Drawing units for a unit of the field.
const SCALE: f64 = CELL / 64.0;

/// The knight: head, ear and chest; then its foot.
const KNIGHT: Outline = Outline {
    name: "knight",
    data: "M23 49C22.5 42 27.5 38 31.5 32.5C28 35.5 24 36 20.5 38.2C17.5 40 14.2 38.5 13 35.8C12 33.5 12.7 31 14.5 29.2\
C17 26.5 18.8 23 20.3 19.6C21.2 17.4 22.6 15.6 24.5 14.4C24.3 11.8 24.7 9.3 26 7C28.5 8.3 30.5 10 32 12.2C43.5 13.5 51 25 50.5 49Z\
M20.5 51.5H52.5C56.5 51.5 56.5 57.5 52.5 57.5H20.5C16.5 57.5 16.5 51.5 20.5 51.5Z",
};
/// The line of its mane.
const MANE: Outline = Outline { name: "mane", data: "M36 16.5C43 20 46.5 30 46 45" };
/// Its eye: centre and radius.
const EYE: (Place, f64) = ((25.8, 21.8), 1.8);
/// The piece to be taken.
const PAWN: Outline = Outline {
    name: "pawn",
    data: "M32 11C39.85 11 43.51 20.73 37.6 25.9C40.5 26.6 40.5 30 37.8 30.6C38.3 38 40.5 43.5 45 47.5H19\
C23.5 43.5 25.7 38 26.2 30.6C23.5 30 23.5 26.6 26.4 25.9C20.49 20.73 24.15 11 32 11Z\
M19 50.5H45C49 50.5 49 56.5 45 56.5H19C15 56.5 15 50.5 19 50.5Z",
};
/// Where a knight's letter stands, in its chest.
const LETTER: Place = (37.0, 47.0);

const WHITE: Rgb = Rgb(0xff_fdf7);
const WHITE_EDGE: Rgb = Rgb(0x3b_3125);
const BLACK: Rgb = Rgb(0x2a_231b);
/// A pawn's.
pub(super) const RED: Rgb = Rgb(0x9b_3d2a);
const BLACK_EDGE: Rgb = Rgb(0xf2_e9da);

/// The styles of pieces.
pub(super) const PIECES: &[Style] = &[
    Style::of("body").width(3.0).halo(),
    Style::of("body.white").fill(WHITE).stroke(WHITE_EDGE),
    Style::of("body.black").fill(BLACK).stroke(BLACK_EDGE),
    Style::of("mane").width(2.0).round(),
    Style::of("mane.white").stroke(Rgb(0x6d_5d48)),
    Style::of("mane.black").stroke(Rgb(0xb9_a98f)),
    Style::of("eye.white").fill(WHITE_EDGE),
    Style::of("eye.black").fill(BLACK_EDGE),
    Style::of("letter").size(13.0).anchor(Anchor::Middle).width(0.5),
    Style::of("letter.white").fill(INK).stroke(INK),
    Style::of("letter.black").fill(WHITE).stroke(WHITE),
    Style::of("pawn").fill(RED).stroke(PAPER).width(2.5).halo(),
    Style::of("gone").opacity(0.3),
];

/// The place on a square of a place in the field, given the middle of the square.
fn on((x, y): Place, (right, down): Place) -> Place {
    (x + (right - 32.0) * SCALE, y + (down - 32.0) * SCALE)
}

/// A knight on a square, by the square's middle, with its letter where knights are told apart.
pub(super) fn knight(
    is_white: bool,
    letter: Option<char>,
    middle: Place,
) -> impl Iterator<Item = Mark> {
    let [body, mane, eye, text] = if is_white {
        ["body white", "mane white", "eye white", "letter white"]
    } else {
        ["body black", "mane black", "eye black", "letter black"]
    };
    let outline = |class, outline| Mark::outline(class, outline, on(middle, (0.0, 0.0)), SCALE);
    let eye = Mark::circle(eye, on(middle, EYE.0), EYE.1 * SCALE);
    let letter = letter.map(|letter| Mark::text(text, on(middle, LETTER), letter));
    [outline(body, &KNIGHT), outline(mane, &MANE), eye].into_iter().chain(letter)
}

/// A pawn on a square, by the square's middle: one that waits to be taken, or a trace of one that is gone.
pub(super) fn pawn(is_gone: bool, middle: Place) -> Mark {
    let class = if is_gone { "pawn gone" } else { "pawn" };
    Mark::outline(class, &PAWN, on(middle, (0.0, 0.0)), SCALE)
}
