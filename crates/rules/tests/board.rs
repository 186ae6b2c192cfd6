//! Boards, squares and their texts, held to their definitions one by one.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use destrier_rules::{Board, BoardError, Leaper, Square, Symmetry, Wrap};

fn board(files: u32, ranks: u32) -> Board {
    Board::new(files, ranks).unwrap()
}

#[test]
fn a_hole_may_lie_outside_on_either_side() {
    for outside in [Square::new(3, 0), Square::new(0, 4), Square::new(9, 9)] {
        let refused = board(3, 4).without([outside]);
        assert_eq!(refused, Err(BoardError::HoleOutside(outside, "3x4".to_owned())));
    }
    assert_eq!(board(3, 4).without([Square::new(2, 3)]).unwrap().len(), 11);
}

#[test]
fn jumps_come_in_the_order_of_the_leaper() {
    let (from, leaper) = (Square::new(4, 3), Leaper::KNIGHT);
    let by_hand: Vec<Square> = leaper
        .jumps()
        .into_iter()
        .map(|(across, up)| {
            let to = |at: u32, by: i64| u32::try_from(i64::from(at) + by).unwrap();
            Square::new(to(from.file, across), to(from.rank, up))
        })
        .collect();
    assert_eq!(board(9, 8).jumps_from(leaper, from), by_hand);
}

#[test]
fn joined_edges_turn_with_the_board() {
    for (wrap, swapped) in
        [(Wrap::Files, Wrap::Ranks), (Wrap::Ranks, Wrap::Files), (Wrap::Both, Wrap::Both)]
    {
        let joined = board(3, 5).wrapped(wrap);
        assert_eq!(joined.wrap(), wrap);
        for symmetry in Symmetry::ALL {
            let turned = joined.turned(symmetry);
            let sides = (turned.files(), turned.ranks());
            let want = if symmetry.swaps_sides() { (swapped, (5, 3)) } else { (wrap, (3, 5)) };
            assert_eq!((turned.wrap(), sides), want, "{symmetry:?}");
        }
    }
}

#[test]
fn sizes_are_digits_on_both_sides() {
    for text in ["x3", "3x", "ax3", "3xb", "+3x3", "3x-3", "33", ""] {
        assert_eq!(text.parse::<Board>(), Err(BoardError::Malformed(text.to_owned())), "{text}");
    }
    assert_eq!("0x3".parse::<Board>(), Err(BoardError::Side("0x3".to_owned())));
    let long = "99999999999x3";
    assert_eq!(long.parse::<Board>(), Err(BoardError::Side(long.to_owned())));
}

#[test]
fn boards_are_told_in_words() {
    let holed = |holes: &[(u32, u32)]| {
        board(3, 4).without(holes.iter().map(|&(file, rank)| Square::new(file, rank))).unwrap()
    };
    assert_eq!(holed(&[]).to_string(), "3x4");
    assert_eq!(holed(&[(0, 0)]).to_string(), "3x4 less 1 hole");
    assert_eq!(holed(&[(0, 0), (1, 1)]).to_string(), "3x4 less 2 holes");
    assert_eq!(holed(&[]).wrapped(Wrap::Ranks).to_string(), "3x4 cylinder");
    assert_eq!(holed(&[(0, 0)]).wrapped(Wrap::Both).to_string(), "3x4 torus less 1 hole");
}

#[cfg(feature = "serde")]
#[test]
fn the_json_of_a_board_has_what_it_has_and_no_more() {
    let told = |board: &Board| serde_json::to_string(board).unwrap();
    assert_eq!(told(&board(3, 4)), r#"{"size":"3x4"}"#);
    let joined = board(3, 4).wrapped(Wrap::Files);
    assert!(told(&joined).contains("wrap"), "{}", told(&joined));
    assert_eq!(serde_json::from_str::<Board>(&told(&joined)).unwrap(), joined);
}
