//! The examples in the documents work as written.

use crate::program::Place;
use std::path::Path;

/// Commands of the ```console blocks of a document, in order.
fn commands(document: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(document);
    let text = std::fs::read_to_string(path).unwrap();
    let mut is_console = false;
    let mut commands = Vec::new();
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_console = language == "console";
        } else if is_console {
            let command = line.strip_prefix("$ locavore ");
            commands.push(words(
                command.unwrap_or_else(|| panic!("no command: {line}")),
            ));
        }
    }
    commands
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
    let commands = commands(document);
    assert!(!commands.is_empty(), "nothing to try in {document}");
    for command in commands {
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        let run = place.run(&args);
        assert_eq!(run.code, 0, "{document}: {command:?}\n{}", run.stderr);
        assert!(
            !run.stderr.contains("nothing found"),
            "{document}: {command:?}"
        );
    }
}

#[test]
fn readme() {
    follow("README.md");
}

#[test]
fn guide() {
    follow("docs/guide/first-crawl.md");
    follow("docs/guide/made-up-web.md");
}
