//! The examples in the documents work as written.

use crate::program::Place;
use std::path::Path;

/// What a reader of a document does, in order.
enum Step {
    /// A line of a ```console block.
    Run(Vec<String>),
    /// A block with a file's name behind its language: ```text visit.txt
    Write { file: String, text: String },
}

fn steps(document: &str) -> Vec<Step> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(document);
    let text = std::fs::read_to_string(path).unwrap();
    let mut fence: Option<&str> = None;
    let mut steps = Vec::new();
    for line in text.lines() {
        let Some(info) = fence else {
            fence = line.strip_prefix("```");
            if let Some((_, file)) = fence.and_then(|info| info.split_once(' ')) {
                steps.push(Step::Write {
                    file: file.into(),
                    text: String::new(),
                });
            }
            continue;
        };
        if line == "```" {
            fence = None;
        } else if info == "console" {
            let command = line.strip_prefix("$ locavore ");
            steps.push(Step::Run(words(
                command.unwrap_or_else(|| panic!("no command: {line}")),
            )));
        } else if let (true, Some(Step::Write { text, .. })) =
            (info.contains(' '), steps.last_mut())
        {
            text.push_str(line);
            text.push('\n');
        }
    }
    steps
}

/// Splits at spaces outside double quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in command.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words
}

fn follow(document: &str) {
    let place = Place::new();
    let steps = steps(document);
    assert!(!steps.is_empty(), "nothing to try in {document}");
    for step in steps {
        match step {
            Step::Write { file, text } => place.write(&file, &text),
            Step::Run(command) => {
                let args: Vec<&str> = command.iter().map(String::as_str).collect();
                let run = place.run(&args);
                assert_eq!(run.code, 0, "{document}: {command:?}\n{}", run.stderr);
                assert!(
                    !run.stderr.contains("nothing found"),
                    "{document}: {command:?}"
                );
            }
        }
    }
}

#[test]
fn readme() {
    follow("README.md");
}

#[test]
fn guide() {
    follow("docs/guide/first-crawl.md");
    follow("docs/guide/geoparse.md");
    follow("docs/guide/made-up-web.md");
    follow("docs/guide/experiments.md");
    follow("docs/guide/best-first.md");
    follow("docs/guide/utility.md");
    follow("docs/guide/real-web.md");
    follow("docs/guide/search.md");
}
