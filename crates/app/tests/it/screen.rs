//! What commands write for people fits the screen of eighty columns.

use crate::program::{Place, Run};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// A command on a screen of so many columns.
fn on_screen(place: &Place, n_columns: usize, args: &[&str]) -> Run {
    let mut command = place.command(args);
    Run::from(
        command
            .env("COLUMNS", n_columns.to_string())
            .output()
            .unwrap(),
    )
}

/// Columns of a line without wide letters, which these have none of.
fn width(line: &str) -> usize {
    let is_accent = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    line.chars().filter(|c| !is_accent(c)).count()
}

/// Whether a line is so long for the sake of one word.
fn has_long_word(line: &str) -> bool {
    line.split_whitespace().any(|word| width(word) > 40)
}

fn expect_fit(run: &Run, n_columns: usize, args: &[&str]) {
    for text in [&run.stdout, &run.stderr] {
        for line in text.lines().filter(|line| !has_long_word(line)) {
            assert!(
                width(line) <= n_columns,
                "{args:?}: {} columns\n{line}\n\n{text}",
                width(line)
            );
        }
    }
}

#[test]
fn no_line_of_any_command_is_wider_than_the_screen() {
    let place = Place::new();
    let demo = ["demo", "--pages", "1500", "--timings"];
    let run = on_screen(&place, 80, &demo).expect_done();
    expect_fit(&run, 80, &demo);
    assert!(run.stdout.contains('█'), "room for bars\n{}", run.stdout);
    place.write(
        "visit.txt",
        "Visit our office at 1200 Main Street, Houston, TX 77002, or write to the place \
         in Washington, District of Columbia.\nParis Hilton moved here from Paris, Texas.\n",
    );
    place.write("robots.txt", "User-agent: *\nDisallow: /private/\n");
    let other = [
        "demo", "--pages", "300", "--assign", "hash", "--out", "other",
    ];
    place.run(&other).expect_done();
    let dir = "locavore-demo";
    let warc = format!("{dir}/warc/locavore-00001.warc.gz");
    let commands: [&[&str]; 21] = [
        &["status", dir],
        &["report", dir],
        &["report", dir, "other"],
        &["places", dir],
        &["places", dir, "--all"],
        &["places", dir, "California", "--depth", "1"],
        &["search", dir, "restaurants in Houston", "--explain"],
        &["search", dir, "nothing like that"],
        &["why", dir, "http://www.opendirectory-2kp08.com/Regional/"],
        &[
            "why",
            dir,
            "http://www.opendirectory-2kp08.com/Regional/North_America/United_States/",
        ],
        &["why", dir, "www.opendirectory-2kp08.com"],
        &["index", dir],
        &["geoparse", "visit.txt"],
        &["geoparse", "visit.txt", "--why"],
        &["geoparse", &warc],
        &["robots", "/private/x", "/y", "--file", "robots.txt"],
        &["lab", "world"],
        &["lab", "world", "--stats", "--pages", "300"],
        &["status", "nowhere"],
        &["crawl", "Springfield"],
        &["crawl", "--help"],
    ];
    for args in commands {
        for n_columns in [60, 80, 100] {
            expect_fit(&on_screen(&place, n_columns, args), n_columns, args);
        }
    }
}

#[test]
fn what_does_not_fit_stands_below_and_nothing_is_left_out() {
    let place = Place::new();
    place.run(&["demo", "--pages", "300"]).expect_done();
    for command in ["status", "report"] {
        let wide = place.run(&[command, "locavore-demo"]).expect_done().stdout;
        let narrow = on_screen(&place, 60, &[command, "locavore-demo"]).stdout;
        let sorted = |text: &str| {
            let table = text.split_once("\nnode").unwrap().1;
            // Headings may be broken behind a hyphen, and first columns stand twice.
            let table = table.replace(['─', '█', '-'], " ");
            let words: std::collections::BTreeSet<String> =
                table.split_whitespace().map(str::to_owned).collect();
            words
        };
        let (wide, narrow) = (sorted(&wide), sorted(&narrow));
        let lost: Vec<&String> = wide.difference(&narrow).collect();
        assert!(
            lost.iter().all(|word| "▏▎▍▌▋▊▉".contains(word.as_str())),
            "{lost:?}"
        );
    }
}

#[test]
fn a_pipe_that_leads_away_gets_whole_lines() {
    let place = Place::new();
    place.run(&["demo", "--pages", "300"]).expect_done();
    let status = place.run(&["status", "locavore-demo"]).expect_done().stdout;
    let header = "node               pages";
    let line = status.lines().find(|line| line.starts_with(header));
    let line = line.unwrap_or_else(|| panic!("{status}"));
    assert!(line.ends_with("received"), "one row for each node: {line}");
}

#[test]
fn the_top_of_the_tree_is_a_screenful_and_says_how_to_see_more() {
    let place = Place::new();
    place.run(&["demo", "--pages", "1500"]).expect_done();
    let top = place.run(&["places", "locavore-demo"]).expect_done();
    let n_lines = top.stdout.lines().count();
    assert!((20..=60).contains(&n_lines), "{}", top.stdout);
    let hint = "shows what lies in one of them, `--all` all of them";
    assert!(top.stderr.contains(hint), "{}", top.stderr);
    // What the hint says can be typed.
    let path = top.stderr.split('"').nth(1).unwrap();
    let inside = place.run(&["places", "locavore-demo", path]).expect_done();
    assert!(
        inside.stdout.starts_with(path.rsplit('/').next().unwrap()),
        "{}",
        inside.stdout
    );
    let all = place
        .run(&["places", "locavore-demo", "--all"])
        .expect_done();
    assert!(all.stdout.lines().count() > 10 * n_lines);
    let is_sum = |line: &str| line.trim_start().starts_with("and ");
    assert!(!all.stdout.lines().any(is_sum), "all of them");
    for line in top.stdout.lines().filter(|line| !is_sum(line)) {
        assert!(all.stdout.lines().any(|one| one == line), "{line}");
    }
}

#[test]
fn a_terminal_of_eighty_columns_is_filled_and_not_overrun() {
    let place = Place::new();
    place.run(&["demo", "--pages", "300"]).expect_done();
    let program = env!("CARGO_BIN_EXE_locavore");
    let line = format!("stty cols 80 rows 24; '{program}' status locavore-demo");
    let mut command = std::process::Command::new("script");
    let command = command.args(["-qec", &line, "/dev/null"]);
    let command = command.current_dir(place.path("")).env_remove("COLUMNS");
    let Ok(mut child) = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() else {
        // Not every machine has the tool.
        return;
    };
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<String> = stdout.lines().map(Result::unwrap).collect();
    child.wait().unwrap();
    // A crawl's state is coloured.
    let plain = lines.iter().map(|line| line.trim_end());
    let plain = plain.filter(|line| !line.contains('\x1b') && !has_long_word(line));
    let widths: Vec<usize> = plain.map(width).collect();
    assert!(widths.iter().all(|width| *width <= 80), "{lines:?}");
    assert!(widths.iter().any(|width| *width > 60), "{lines:?}");
}
