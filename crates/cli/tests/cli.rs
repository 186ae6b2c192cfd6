//! The command as a user sees it: golden transcripts, the README's own commands, and what a transcript
//! cannot show (files, pipes, interrupts).

#[test]
fn transcripts_hold() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml")
        .case("../../README.md");
}
