//! What is true of knights on a board.
#![forbid(unsafe_code)]
