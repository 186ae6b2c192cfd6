//! A report as one document: the machine, the questions, the tables, the figures, and what is seen in each.
//!
//! It is complete in itself: HTML has its pictures inside, LaTeX draws them with what the plain article class and its
//! own `color` and `graphicx` can do, Markdown carries them as data. A browser prints the HTML as PDF.

use std::fmt::Write as _;
use std::path::Path;

use destrier_ask::Language;

use crate::drawing::{self, escaped, tex_escaped};
use crate::error::Error;
use crate::figure::{self, Figure};
use crate::report::{Report, Row};
use crate::table::{self, Table};

/// A form of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Document {
    /// A page for a browser.
    Html,
    /// An article for LaTeX.
    Tex,
    /// A text.
    Markdown,
}

/// A part of a document. Between backticks stands what is typed.
enum Block {
    Heading(String),
    Text(String),
    Items(Vec<String>),
    Table { caption: String, heads: Vec<String>, rows: Vec<Vec<String>> },
    Figure(Figure),
}

impl Document {
    /// All forms.
    pub const ALL: [Document; 3] = [Document::Html, Document::Tex, Document::Markdown];

    /// Its name, which is the extension of a file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Document::Html => "html",
            Document::Tex => "tex",
            Document::Markdown => "md",
        }
    }

    /// A line about it.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Document::Html => "A page with its figures inside, which a browser prints as PDF",
            Document::Tex => "An article for LaTeX, figures drawn by itself",
            Document::Markdown => "A text with its figures as data",
        }
    }

    /// The form of a file, by its extension.
    #[must_use]
    pub fn by_extension(path: &Path) -> Option<Document> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let extension = if extension == "htm" { "html" } else { &extension };
        Document::ALL.into_iter().find(|form| form.name() == extension)
    }

    /// The report as a document.
    ///
    /// # Errors
    /// When there is nothing to show.
    pub fn of(self, report: &Report) -> Result<String, Error> {
        if report.rows.is_empty() {
            return Err(Error::NoRows);
        }
        let blocks = blocks(report);
        let title = capital(&report.title);
        Ok(match self {
            Document::Html => html(&title, &blocks),
            Document::Tex => tex(&title, &report.date, &blocks),
            Document::Markdown => markdown(&title, &blocks),
        })
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

fn blocks(report: &Report) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("Machine and method".to_owned())];
    let lines = table::foot(report, Language::English);
    blocks.push(Block::Items(lines.iter().map(|line| capital(line)).collect()));
    blocks.push(Block::Heading("Questions".to_owned()));
    let groups = report.by_question();
    blocks
        .push(Block::Items(groups.iter().map(|(question, rows)| asked(question, rows)).collect()));
    blocks.push(Block::Heading("Measurements".to_owned()));
    blocks.push(Block::Text(overview(report)));
    blocks.extend(tables(report, &groups));
    let odd: Vec<String> =
        report.rows.iter().filter(|row| !row.anomaly.is_empty()).map(odd).collect();
    if !odd.is_empty() {
        blocks.push(Block::Heading("Anomalies".to_owned()));
        blocks.push(Block::Items(odd));
    }
    let figures = figure::figures(report);
    if !figures.is_empty() {
        blocks.push(Block::Heading("Figures".to_owned()));
        blocks.extend(figures.into_iter().map(Block::Figure));
    }
    blocks
}

/// A question with its answer.
fn asked(question: &str, rows: &[&Row]) -> String {
    let answers = || rows.iter().filter(|row| row.median_s.is_some() && row.kind != "survey");
    let proved = answers().find(|row| row.answer.ends_with(", proved")).or(answers().next());
    let answer = proved.map_or_else(String::new, |row| format!("; answer: {}", row.answer));
    format!("`destrier {question}` ({}, {} squares){answer}", rows[0].label, rows[0].squares)
}

/// The slowest and the fastest of all, and whether all agree.
fn overview(report: &Report) -> String {
    let timed = || report.rows.iter().filter_map(|row| Some((row, row.median_s?)));
    let said = |found: Option<(&Row, f64)>| {
        found.map_or_else(String::new, |(row, time)| {
            format!("{} by {} ({}, {})", row.label, row.method, team(row), table::time(time))
        })
    };
    let slowest = said(timed().max_by(|a, b| a.1.total_cmp(&b.1)));
    let fastest = said(timed().min_by(|a, b| a.1.total_cmp(&b.1)));
    let agreed = if report.agreed {
        "All answers passed the checker and agree."
    } else {
        "The answers do not agree."
    };
    let whole = if report.complete { "" } else { " The measurement was stopped before its end." };
    if slowest.is_empty() {
        return format!("{agreed}{whole} No method gave an answer.");
    }
    format!("{agreed}{whole} The longest run was {slowest}, the shortest {fastest}.")
}

fn team(row: &Row) -> String {
    crate::Team { ranks: row.ranks, threads: row.threads }.to_string()
}

fn odd(row: &Row) -> String {
    format!("{}, {} on {}: {}", row.label, row.method, team(row), row.anomaly)
}

/// One table per question.
fn tables(report: &Report, groups: &[(&str, Vec<&Row>)]) -> Vec<Block> {
    let table = Table::of(report);
    let heads: Vec<String> =
        table.heads.iter().map(|&head| head.to_owned()).chain(["answer".to_owned()]).collect();
    let of = |(question, own): &(&str, Vec<&Row>)| {
        let own = |row: &Row| own.iter().any(|other| std::ptr::eq(*other, row));
        let rows = report.rows.iter().zip(&table.rows).filter(|(row, _)| own(row));
        let cells = rows.map(|(row, cells)| {
            let said = if row.anomaly.is_empty() { table::said(row) } else { row.answer.clone() };
            cells.iter().cloned().chain([said]).collect()
        });
        Block::Table {
            caption: format!("`{question}`"),
            heads: heads.clone(),
            rows: cells.collect(),
        }
    };
    groups.iter().map(of).collect()
}

/// A text with what is between backticks marked up.
fn marked(text: &str, escape: fn(&str) -> String, open: &str, close: &str) -> String {
    let spans = text.split('`').enumerate();
    let span = |(at, span): (usize, &str)| {
        let span = escape(span);
        if at % 2 == 1 { format!("{open}{span}{close}") } else { span }
    };
    spans.map(span).collect()
}

fn html(title: &str, blocks: &[Block]) -> String {
    const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
        color:#1b1f24;background:#fff}table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0 1.5rem}\
        caption{text-align:left;font-weight:600;padding:.3rem 0}th,td{padding:.2rem .6rem;text-align:right;\
        border-bottom:1px solid #d8dee4}th:first-child,td:first-child,th:last-child,td:last-child{text-align:left}\
        figure{margin:1rem 0 2rem;break-inside:avoid}figure svg{max-width:100%;height:auto}\
        .scroll{overflow-x:auto}@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}\
        th,td{border-color:#30363d}}@media print{body{margin:0;max-width:none}}@page{margin:2cm}";
    let say = |text: &str| marked(text, escaped, "<code>", "</code>");
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{0}</h1>\n",
        escaped(title)
    );
    for block in blocks {
        let _ = match block {
            Block::Heading(text) => writeln!(out, "<h2>{}</h2>", say(text)),
            Block::Text(text) => writeln!(out, "<p>{}</p>", say(text)),
            Block::Items(items) => {
                let items: Vec<String> =
                    items.iter().map(|i| format!("<li>{}</li>\n", say(i))).collect();
                writeln!(out, "<ul>\n{}</ul>", items.concat())
            }
            Block::Table { caption, heads, rows } => {
                let row = |cells: &[String], tag: &str| {
                    let cell = |text: &String| format!("<{tag}>{}</{tag}>", say(text));
                    format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>())
                };
                let body: String = rows.iter().map(|cells| row(cells, "td")).collect();
                let head = row(heads, "th scope=\"col\"").replace("</th scope=\"col\">", "</th>");
                let caption = say(caption);
                writeln!(
                    out,
                    "<div class=\"scroll\"><table>\n<caption>{caption}</caption>\n<thead>{head}</thead>\n\
                     <tbody>\n{body}</tbody>\n</table></div>"
                )
            }
            Block::Figure(figure) => {
                let (svg, said) = (figure.svg(), say(&figure.said));
                writeln!(out, "<figure>\n{svg}<figcaption>{said}</figcaption>\n</figure>")
            }
        };
    }
    out + "</body>\n</html>\n"
}

fn tex(title: &str, date: &str, blocks: &[Block]) -> String {
    let say = |text: &str| marked(text, tex_escaped, "\\texttt{", "}");
    let mut out = format!(
        "\\documentclass[11pt,a4paper]{{article}}\n\\usepackage[utf8]{{inputenc}}\n\\usepackage[T1]{{fontenc}}\n\
         \\usepackage{{color}}\n\\usepackage{{graphicx}}\n{}\\setlength{{\\oddsidemargin}}{{0mm}}\n\
         \\setlength{{\\textwidth}}{{160mm}}\n\\setlength{{\\topmargin}}{{-15mm}}\n\
         \\setlength{{\\textheight}}{{240mm}}\n\\setlength{{\\emergencystretch}}{{3em}}\n\\title{{{}}}\n\
         \\author{{}}\n\\date{{{}}}\n\\begin{{document}}\n\\maketitle\n",
        drawing::tex_colours(),
        say(title),
        tex_escaped(date)
    );
    let mut waiting = 0;
    for block in blocks {
        let _ = match block {
            Block::Heading(text) => writeln!(out, "\\section{{{}}}", say(text)),
            Block::Text(text) => writeln!(out, "{}\n", say(text)),
            Block::Items(items) => {
                let items: Vec<String> =
                    items.iter().map(|i| format!("\\item {}\n", say(i))).collect();
                writeln!(out, "\\begin{{itemize}}\n{}\\end{{itemize}}", items.concat())
            }
            Block::Table { caption, heads, rows } => {
                let line = |cells: &[String]| {
                    let cells: Vec<String> = cells.iter().map(|cell| say(cell)).collect();
                    format!("{}\\\\\n", cells.join(" & "))
                };
                let columns = format!("l{}l", "r".repeat(heads.len().saturating_sub(2)));
                let body: String = rows.iter().map(|cells| line(cells)).collect();
                // As wide as the page at most.
                writeln!(
                    out,
                    "\\begin{{table}}[htbp]\n\\caption{{{}}}\n\\centering\\footnotesize\n\
                     \\setlength{{\\tabcolsep}}{{3pt}}\n\\setbox0=\\hbox{{\\begin{{tabular}}{{{columns}}}\n\\hline\n\
                     {}\\hline\n{body}\\hline\n\\end{{tabular}}}}\n\
                     \\ifdim\\wd0>\\textwidth\\resizebox{{\\textwidth}}{{!}}{{\\box0}}\\else\\box0\\fi\n\\end{{table}}",
                    say(caption),
                    line(heads)
                )
            }
            Block::Figure(figure) => writeln!(
                out,
                "\\begin{{figure}}[htbp]\n\\centering\n{}\\caption{{{}}}\n\\end{{figure}}",
                drawing::tex(&figure.marks),
                say(&figure.said)
            ),
        };
        // LaTeX keeps no more than a few floats waiting.
        waiting += u32::from(matches!(block, Block::Figure(_) | Block::Table { .. }));
        if waiting == 4 {
            out.push_str("\\clearpage\n");
            waiting = 0;
        }
    }
    out + "\\end{document}\n"
}

fn markdown(title: &str, blocks: &[Block]) -> String {
    let mut out = format!("# {title}\n");
    for block in blocks {
        let _ = match block {
            Block::Heading(text) => writeln!(out, "\n## {text}\n"),
            Block::Text(text) => writeln!(out, "{text}\n"),
            Block::Items(items) => {
                let items: Vec<String> = items.iter().map(|item| format!("- {item}\n")).collect();
                writeln!(out, "{}", items.concat())
            }
            Block::Table { caption, heads, rows } => {
                let line = |cells: &[String]| {
                    let cells: Vec<String> =
                        cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
                    format!("| {} |\n", cells.join(" | "))
                };
                let rule = format!("|---|{}---|\n", "---:|".repeat(heads.len().saturating_sub(2)));
                let body: String = rows.iter().map(|cells| line(cells)).collect();
                writeln!(out, "{caption}\n\n{}{rule}{body}", line(heads))
            }
            Block::Figure(figure) => {
                let (title, said) = (&figure.title, &figure.said);
                let data = base64(figure.svg().as_bytes());
                writeln!(out, "![{title}](data:image/svg+xml;base64,{data})\n\n{said}\n")
            }
        };
    }
    out
}

/// Bytes as text, by RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::measured;

    fn report() -> Report {
        measured(
            "3x4 12 naive 1 0 400 0.01\n3x4 12 naive 2 0 400 0.02\n4x5 20 naive 1 0 90000 0.1\n4x5 20 naive 2 0 40000 \
             0.03\n5x5 25 naive 1 0 9000000 1\n5x5 25 naive 2 0 9000000 -",
        )
    }

    #[test]
    fn every_form_has_machine_questions_tables_anomalies_figures_and_what_is_seen() {
        for form in Document::ALL {
            let text = form.of(&report()).unwrap();
            for part in [
                "Counting tours",
                "4 cores",
                "Questions",
                "Measurements",
                "Anomalies",
                "super-linear: 0.44 times the nodes of one core",
                "gave up",
                "Figures",
                "The longest run was 5x5 by naive",
            ] {
                assert!(text.contains(part), "{form:?} lacks `{part}`:\n{text}");
            }
            assert!(text.contains("3×") || text.contains("3.33$\\times$"), "{form:?}");
        }
    }

    #[test]
    fn a_page_needs_no_other_file() {
        let page = Document::Html.of(&report()).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        let links = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!links.contains("http") && !links.contains("src=") && !links.contains("<link"));
        for tag in ["figure", "table", "ul", "svg", "code", "p"] {
            let opened = page.matches(&format!("<{tag}>")).count()
                + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
            assert!(opened > 0, "{tag}");
        }
    }

    #[test]
    fn latex_is_balanced_and_plain() {
        let text = Document::Tex.of(&report()).unwrap();
        let packages: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("\\usepackage"))
            .map(|rest| rest.rsplit(['{', '}']).nth(1).unwrap())
            .collect();
        assert_eq!(packages, ["inputenc", "fontenc", "color", "graphicx"]);
        let mut open = Vec::new();
        for part in text.split('\\').skip(1) {
            let name = |word: &str| {
                part.strip_prefix(word)
                    .and_then(|rest| rest.split_once('}'))
                    .map(|(name, _)| name.to_owned())
            };
            if let Some(name) = name("begin{") {
                open.push(name);
            } else if let Some(name) = name("end{") {
                assert_eq!(open.pop(), Some(name));
            }
        }
        assert!(open.is_empty(), "{open:?}");
        let bare = text.replace("\\{", "").replace("\\}", "");
        assert_eq!(bare.matches('{').count(), bare.matches('}').count());
        assert!(text.is_ascii(), "any engine reads it: {text}");
        assert!(text.contains("\\begin{picture}") && text.contains("\\qbezier["));
    }

    #[test]
    fn bytes_are_text_by_the_standard() {
        for (plain, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), text);
        }
    }

    #[test]
    fn the_extension_names_the_form() {
        let form = |name: &str| Document::by_extension(Path::new(name));
        assert_eq!(form("a.html"), Some(Document::Html));
        assert_eq!(form("a.HTM"), Some(Document::Html));
        assert_eq!(form("a.tex"), Some(Document::Tex));
        assert_eq!(form("a.md"), Some(Document::Markdown));
        assert_eq!(form("a.csv"), None);
        assert_eq!(form("a"), None);
    }
}
