//! Boards, squares and their texts, held to their definitions one by one.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use destrier_rules::{
    Board, BoardError, Coordinates, Leaper, MAX_SIDE, Move, Square, SquareError, SwapProblem,
    Symmetry, Wrap, parse_squares,
};

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

#[test]
fn squares_are_dark_where_file_and_rank_agree() {
    for (text, dark) in [("a1", true), ("b1", false), ("a2", false), ("b2", true), ("c1", true)] {
        assert_eq!(text.parse::<Square>().unwrap().is_dark(), dark, "{text}");
    }
    assert_eq!(format!("{:?}", Square::new(1, 2)), "b3");
}

#[test]
fn files_and_ranks_between_squares_are_added_up() {
    for (one, other, far) in [("a1", "a1", 0), ("a1", "d3", 5), ("d1", "a3", 5), ("b2", "b9", 7)] {
        let [one, other] = [one, other].map(|text| text.parse::<Square>().unwrap());
        assert_eq!((one.manhattan(other), other.manhattan(one)), (far, far), "{one} {other}");
    }
}

#[test]
fn squares_and_coordinates_have_both_parts_and_an_end() {
    let malformed = |text: &str| SquareError::Malformed(text.to_owned());
    for text in ["a", "1", "a1b", "", "-1"] {
        assert_eq!(text.parse::<Square>(), Err(malformed(text)), "{text}");
    }
    for text in [",3", "3,", "a,3", "3,b", "+3,3"] {
        assert_eq!(Square::read(text, Coordinates::Zero), Err(malformed(text)), "{text}");
    }
    let beyond = format!("{MAX_SIDE},0");
    assert_eq!(Square::read(&beyond, Coordinates::Zero), Err(SquareError::TooFar(beyond.clone())));
    let last = format!("{},0", MAX_SIDE - 1);
    assert_eq!(Square::read(&last, Coordinates::Zero), Ok(Square::new(MAX_SIDE - 1, 0)));
}

#[test]
fn lists_of_coordinates_come_in_pairs() {
    let read = |text: &str| parse_squares(text, Coordinates::Zero);
    assert_eq!(read("2,3"), Ok(vec![Square::new(2, 3)]));
    assert_eq!(read("2,3 4,5;6,7").unwrap().len(), 3);
    for odd in ["5", "1,2,3", "1 2 3 4 5"] {
        assert_eq!(read(odd), Err(SquareError::Unpaired(odd.to_owned())), "{odd}");
    }
}

#[test]
fn a_move_that_is_none_is_told_in_words() {
    let told = "a1b3".parse::<Move>().unwrap_err().to_string();
    assert_eq!(told, "`a1b3` is not a move; write two squares, like `a1-b3`");
}

#[test]
fn two_fens_that_are_no_question_are_told_in_words() {
    for (start, goal, told) in [
        ("3/2", "3", "start: row 2 of the FEN has 2 squares, but the first has 3"),
        ("3", "3/2", "goal: row 2 of the FEN has 2 squares, but the first has 3"),
        ("n2", "n1", "start and goal differ in size or holes; they must be the same board"),
    ] {
        assert_eq!(SwapProblem::from_fens(start, goal).unwrap_err().to_string(), told);
    }
}

#[cfg(feature = "serde")]
#[test]
fn the_json_of_a_tour_names_the_piece_unless_it_is_a_knight() {
    use destrier_rules::TourProblem;
    let knight = TourProblem::open(board(3, 4));
    assert!(!serde_json::to_string(&knight).unwrap().contains("leaper"));
    let camel = TourProblem { leaper: Leaper::new(1, 3).unwrap(), ..knight };
    let told = serde_json::to_string(&camel).unwrap();
    assert!(told.contains("leaper"), "{told}");
    assert_eq!(serde_json::from_str::<TourProblem>(&told).unwrap(), camel);
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
