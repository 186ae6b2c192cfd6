//! The crate `pathfinding` on a swap: `rust-peers bfs|astar|bidirectional swap 'START GOAL'`; prints a line of JSON.
//!
//! A position is a word of letters, one a square. A* uses the library with the plain bound that needs no work:
//! the number of knights that are not on squares of their colour.

use pathfinding::prelude::{astar, bfs, bfs_bidirectional};

type Position = Vec<u8>;

fn cells(fen: &str) -> (Position, usize) {
    let mut position = Vec::new();
    let mut width = 0;
    for rank in fen.split('/') {
        let before = position.len();
        for letter in rank.bytes() {
            match letter {
                b'1'..=b'9' => position.extend(std::iter::repeat_n(b'.', (letter - b'0').into())),
                _ => position.push(letter),
            }
        }
        width = position.len() - before;
    }
    (position, width)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (method, data) = (args[1].as_str(), args[3].as_str());
    let (start, goal) = data.split_once(' ').expect("a start and a goal");
    let ((start, width), (goal, _)) = (cells(start), cells(goal));
    let height = start.len() / width;
    let jumps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
    let near: Vec<Vec<usize>> = (0..start.len())
        .map(|at| {
            let (x, y) = ((at % width) as i32, (at / width) as i32);
            let to = jumps.iter().map(|(dx, dy)| (x + dx, y + dy));
            to.filter(|&(x, y)| x >= 0 && y >= 0 && x < width as i32 && y < height as i32)
                .map(|(x, y)| y as usize * width + x as usize)
                .collect()
        })
        .collect();
    let moves = |position: &Position| {
        let mut next = Vec::new();
        for (from, &knight) in position.iter().enumerate().filter(|(_, &c)| c != b'.') {
            for &to in near[from].iter().filter(|&&to| position[to] == b'.') {
                let mut then = position.clone();
                then[from] = b'.';
                then[to] = knight;
                next.push(then);
            }
        }
        next
    };
    let fewest = match method {
        "bfs" => bfs(&start, moves, |p| *p == goal).map(|path| path.len() - 1),
        "bidirectional" => {
            bfs_bidirectional(&start, &goal, moves, moves).map(|path| path.len() - 1)
        }
        _ => {
            let misplaced = |p: &Position| {
                p.iter().zip(&goal).filter(|(here, there)| **here != b'.' && here != there).count()
            };
            let steps = |p: &Position| moves(p).into_iter().map(|next| (next, 1));
            astar(&start, steps, misplaced, |p| *p == goal).map(|(_, cost)| cost)
        }
    };
    let answer = fewest.map_or("impossible".to_owned(), |moves| format!("{moves}, proved"));
    println!("{{\"answer\": \"{answer}\"}}");
}
