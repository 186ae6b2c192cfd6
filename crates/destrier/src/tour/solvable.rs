//! stub
pub(crate) type Place = (u32, u32);

/// Is there a tour between two squares (row, column) of a board with 3 or 5 rows? None: only a search can tell.
pub(crate) fn strip_pair(rows: u32, columns: u32, a: Place, b: Place) -> Option<bool> {
    let colour = |p: Place| (p.0 + p.1) % 2;
    let fits = if rows * columns % 2 == 0 { colour(a) != colour(b) } else { colour(a) == 0 && colour(b) == 0 && a != b };
    if !fits { return Some(false); }
    let mirror = |p: Place| (p.0, columns - 1 - p.1);
    let corner = |p: Place| (p.0 == 0 || p.0 == rows - 1) && p.1 == 0;
    // A square that both corners of its side need, unless the other end is one of these corners.
    let neck = |a: Place, b: Place| a == (rows / 2, 4 - rows / 2 - 1) && !corner(b);
    let necks = |a, b| neck(a, b) || neck(b, a) || neck(mirror(a), mirror(b)) || neck(mirror(b), mirror(a));
    match (rows, columns % 2) {
        (5, 1) if columns >= 7 => Some(true),
        (5, 0) if columns >= 8 => Some(!necks(a, b)),
        (3, 0) if columns >= 12 => Some(!necks(a, b)),
        (3, 1) if columns >= 11 => {
            let near = |p: Place| matches!(p, (0 | 2, 2) | (1, 3));
            let close = (near(a) && near(b)) || (near(mirror(a)) && near(mirror(b)));
            let thirteen = columns == 13 && ((a.0 != 1 && a.1 == 2 && b.0 != 1 && b.1 == 10) || (b.0 != 1 && b.1 == 2 && a.0 != 1 && a.1 == 10));
            Some(!close && !thirteen)
        }
        _ => None,
    }
}
