//! An answer that anyone can check again: written as JSON, read back, and checked by code that knows no solver.
//! Needs the feature `serde`.

#[cfg(feature = "serde")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use destrier::{AnyCertificate, Puzzle, Solve as _};

    let puzzle: Puzzle = "4p/5/2p2/5/N3p".parse()?;
    let answer = puzzle.problem.solve()?;
    let json = answer.certificate().ok_or("it was solved")?.to_json();
    println!("{json}");
    let read = AnyCertificate::from_json(&json)?;
    println!("{:?}", read.confirmed());
    let forged = json.replace("\"cost\":8", "\"cost\":7");
    println!("forged: {}", AnyCertificate::from_json(&forged).expect_err("it was forged"));
    Ok(())
}

#[cfg(not(feature = "serde"))]
fn main() {
    eprintln!("run it with --features serde");
}
