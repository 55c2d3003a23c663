//! Commands in pipelines: `locavore … | head -3`.

use crate::program::{Place, Run, small_crawl, wait_for_visits, with_pages};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a busy machine may take to notice that nobody reads.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for the end of what would go on for ever.
fn expect_end(mut child: Child, what: &str) -> i32 {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or(-1);
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("`{what}` goes on for nobody");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_crawl_whose_readers_have_left_ends_with_its_reason_on_record() {
    for stream in ["stdout", "stderr"] {
        let place = Place::new();
        let mut child = place.start(&small_crawl(&["--out", "c"]));
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut String::new()).unwrap();
        wait_for_visits(&place, "c", &mut child, 1);
        let stdout = child.stdout.take().unwrap();
        let kept = match stream {
            "stdout" => {
                drop(stdout);
                Kept::Stderr(stderr)
            }
            _ => {
                drop(stderr);
                Kept::Stdout(BufReader::new(stdout))
            }
        };
        let said = kept.read_to_end();
        assert_eq!(expect_end(child, "crawl"), 1, "{stream}");
        let status = place.run(&["status", "c", "--json"]).expect_done().json();
        assert_eq!(status["state"], "stopped", "{stream}");
        let reason = "nobody reads what it says any more";
        assert_eq!(status["stop_reason"], reason, "{stream}");
        let n_pages = status["pages"].as_u64().unwrap();
        assert!(n_pages > 0, "what was fetched is committed");
        match stream {
            "stdout" => assert!(
                said.contains("`locavore crawl --out c` resumes it"),
                "{said}"
            ),
            _ => assert!(
                said.contains("geo-coverage"),
                "who still reads is told: {said}"
            ),
        }
        let goal = (n_pages + 20).to_string();
        place.run(&with_pages(&goal)).expect_done();
    }
}

enum Kept {
    Stdout(BufReader<std::process::ChildStdout>),
    Stderr(BufReader<std::process::ChildStderr>),
}

impl Kept {
    fn read_to_end(self) -> String {
        match self {
            Kept::Stdout(stdout) => std::io::read_to_string(stdout).unwrap(),
            Kept::Stderr(stderr) => std::io::read_to_string(stderr).unwrap(),
        }
    }
}

#[test]
fn head_ends_a_crawl_that_has_no_end() {
    let place = Place::new();
    let crawl = small_crawl(&["--out", "c"]);
    let mut child = place.start(&crawl);
    // What `2>&1 | head -3` does.
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let lines: Vec<String> = stderr.lines().take(3).map(Result::unwrap).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    expect_end(child, "crawl 2>&1 | head -3");
}

#[test]
fn commands_that_nobody_reads_end() {
    let place = Place::new();
    let world = ["--world-seed", "31", "--world-sites", "10"];
    place.run(&with_pages("60")).expect_done();
    place.write(
        "long.toml",
        "title = \"Long\"\nseeds = [1]\npages = 900000000\nassign = [\"url\"]\n",
    );
    let web = [&["lab", "web", "--port", "0"], &world[..]].concat();
    for args in [
        &["demo", "--pages", "90000000", "--out", "d"][..],
        &["lab", "world", "--stats", "--pages", "900000000"],
        &["lab", "relevance", "--pages", "9000000", "--out", "r"],
        &["lab", "run", "long.toml"],
        &web,
        &["serve", "c", "--address", "127.0.0.1:0"],
        // These wait for input that never ends.
        &["geoparse"],
        &["geoparse", "--jsonl"],
        &["robots", "--jsonl"],
        &["robots", "/"],
    ] {
        let mut command = place.command(args);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        drop((child.stdout.take(), child.stderr.take()));
        let code = expect_end(child, &args.join(" "));
        let waits_for_input = matches!(args[0], "geoparse" | "robots");
        assert!(
            !waits_for_input || code == 141,
            "cut short: {args:?} {code}"
        );
        drop(stdin);
    }
}

#[test]
fn who_stops_watching_a_crawl_leaves_no_watcher_behind() {
    let place = Place::new();
    let mut crawl = place.start(&small_crawl(&["--out", "c"]));
    wait_for_visits(&place, "c", &mut crawl, 1);
    let mut watcher = place.start(&["status", "c", "--watch"]);
    let mut stdout = BufReader::new(watcher.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    expect_end(watcher, "status --watch");
    crawl.kill().unwrap();
    crawl.wait().unwrap();
}

#[test]
fn what_is_written_for_nobody_is_no_error() {
    let place = Place::new();
    place.run(&with_pages("200")).expect_done();
    let addresses = "100 Milam Street, Houston, TX 77002\n".repeat(20_000);
    place.write("long.txt", &addresses);
    for args in [
        "status c",
        "report c",
        "report c --csv",
        "export c --format cdxj",
        "search c home",
        "places c",
        "why c www.opendirectory-2kp08.com",
        "geoparse long.txt",
        "lab world",
        "completions bash",
        "--help",
    ] {
        let line = format!("'{}' {args} | head -1", env!("CARGO_BIN_EXE_locavore"));
        let mut shell = Command::new("sh");
        let run = shell.args(["-c", &line]).current_dir(place.path(""));
        let run = Run::from(run.stdin(Stdio::null()).output().unwrap());
        assert_eq!(run.stdout.lines().count(), 1, "{args}: {}", run.stdout);
        let complaint = run.stderr.contains("error") || run.stderr.contains("panic");
        assert!(!complaint, "{args}: {}", run.stderr);
    }
}

#[test]
fn a_command_that_is_read_to_its_end_keeps_its_exit_code() {
    let place = Place::new();
    let mut child = place
        .command(&["robots", "/private/x"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let rules = b"User-agent: *\nDisallow: /private/\n";
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(rules).unwrap();
    drop(stdin);
    // Leaves as soon as it has its line, as `grep -q` does.
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    assert_eq!(expect_end(child, "robots"), 1);
}
