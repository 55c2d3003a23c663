//! The examples in the documents work as written.

use crate::program::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

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

/// Visible options by command: `crawl`, `lab web`.
type Options = BTreeMap<String, BTreeSet<String>>;

fn collect_options(place: &Place, command: &str, options: &mut Options) {
    let mut args: Vec<&str> = command.split_whitespace().collect();
    args.push("--help");
    let help = place.run(&args).expect_done().stdout;
    let mut is_of_commands = false;
    for line in help.lines() {
        let name = line.split_whitespace().next().unwrap_or_default();
        is_of_commands = match line {
            "Commands:" => true,
            _ => is_of_commands && line.starts_with("  "),
        };
        if is_of_commands && line.starts_with("  ") && !line.starts_with("   ") && name != "help" {
            collect_options(place, format!("{command} {name}").trim(), options);
        }
        let flags = line.trim_start().split([' ', ',']).take(3);
        let named = flags.filter(|word| word.starts_with("--")).map(bare);
        let known = options.entry(command.to_owned()).or_default();
        known.extend(named.take(usize::from(line.trim_start().starts_with('-'))));
    }
}

/// `--pages` of `--pages=9`, or of `--pages,`
fn bare(word: &str) -> String {
    let end = word.find(|c: char| c != '-' && !c.is_ascii_alphanumeric());
    word[..end.unwrap_or(word.len())].to_owned()
}

/// Everything that is written as code: lines of blocks, and spans in lines.
fn code(document: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(document).unwrap();
    let mut is_block = false;
    let mut code = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            code.push(line.to_owned());
        } else {
            code.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    code
}

/// What is wrong with a piece of code, as far as it is about this program.
fn unknown_options(code: &str, options: &Options) -> Vec<String> {
    let code = code.split(" | ").next().unwrap_or_default();
    let code = code.replace("cargo run --release -- ", "locavore ");
    let code = code.split(" # ").next().unwrap_or_default();
    let words = words(code.trim_start_matches("$ "));
    let mut rest: &[String] = &words;
    if let Some(at) = rest.iter().position(|word| word == "locavore") {
        rest = &rest[at + 1..];
    }
    let named = |n: usize| rest.get(..n).map(|words| words.join(" "));
    let command = [2, 1]
        .into_iter()
        .filter_map(named)
        .find(|name| options.contains_key(name));
    let is_option = |word: &&String| word.starts_with("--") && word.len() > 2;
    let given = rest.iter().filter(is_option).map(|word| bare(word));
    let is_known = |option: &String| match &command {
        Some(command) => options[command].contains(option),
        None => options.values().any(|known| known.contains(option)),
    };
    let is_ours = command.is_some() || rest.first().is_some_and(|word| word.starts_with("--"));
    given
        .filter(|option| is_ours && !is_known(option))
        .collect()
}

#[test]
fn every_option_in_the_documents_is_in_the_help_of_its_command() {
    let place = Place::new();
    let mut options = Options::new();
    collect_options(&place, "", &mut options);
    for command in ["crawl", "lab web", "train topic", "search"] {
        assert!(options[command].len() > 3, "{command}: {options:?}");
    }
    assert_eq!(
        unknown_options("crawl X --pages 9 --colour", &options),
        ["--colour"]
    );
    assert_eq!(
        unknown_options("$ locavore status c --pages", &options),
        ["--pages"]
    );
    assert!(unknown_options("curl --proxy x", &options).is_empty());

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guides = std::fs::read_dir(root.join("docs/guide")).unwrap();
    let mut documents: Vec<PathBuf> = guides.map(|entry| entry.unwrap().path()).collect();
    documents.extend(["README.md", "docs/numbers.md"].map(|name| root.join(name)));
    let mut unknown = Vec::new();
    let mut n_checked = 0;
    for document in documents {
        for code in code(&document) {
            n_checked += usize::from(code.contains("--"));
            for option in unknown_options(&code, &options) {
                unknown.push(format!("{}: `{option}` in `{code}`", document.display()));
            }
        }
    }
    assert!(n_checked > 100, "{n_checked} pieces of code");
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn no_row_of_a_table_stands_outside_of_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guides = std::fs::read_dir(root.join("docs/guide")).unwrap();
    let mut documents: Vec<PathBuf> = guides.map(|entry| entry.unwrap().path()).collect();
    documents.extend(["README.md", "docs/numbers.md"].map(|name| root.join(name)));
    for document in documents {
        let text = std::fs::read_to_string(&document).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        let is_row = |line: &str| line.starts_with('|');
        for (idx, line) in lines.iter().enumerate() {
            let begins = is_row(line) && (idx == 0 || !is_row(lines[idx - 1]));
            let rule = lines.get(idx + 1).copied().unwrap_or_default();
            let has_rule =
                rule.starts_with("| -") || rule.starts_with("|-") || rule.starts_with("|:");
            assert!(!begins || has_rule, "{}: {line}", document.display());
        }
    }
}
