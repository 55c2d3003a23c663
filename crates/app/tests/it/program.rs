//! Runs the program in a folder of its own and shows what a person would see.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use store::crawl_dir::VisitReader;
use store::visit::Visit;
use tempfile::TempDir;

/// Somebody who may write nothing.
const NOBODY: u32 = 65_534;

/// A folder to run in; removed with everything in it.
pub(crate) struct Place {
    folder: TempDir,
    /// Whose commands are run; none for whoever runs the tests.
    user: Mutex<Option<u32>>,
}

/// What one run left behind.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place {
            folder: TempDir::new().unwrap(),
            user: Mutex::new(None),
        }
    }

    /// From now on a folder may only be read by whoever runs commands: where
    /// that is the one user whom no permission keeps out, somebody else does.
    pub(crate) fn forbid_writing(&self, dir: &str) {
        self.change_mode("a-w", dir);
        let probe = self.path(dir).join("probe");
        if std::fs::write(&probe, "").is_ok() {
            std::fs::remove_file(&probe).unwrap();
            let open = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(self.folder.path(), open).unwrap();
            *self.user.lock().unwrap() = Some(NOBODY);
        }
    }

    pub(crate) fn allow_writing(&self, dir: &str) {
        self.change_mode("u+w", dir);
        *self.user.lock().unwrap() = None;
    }

    fn change_mode(&self, mode: &str, dir: &str) {
        let change = Command::new("chmod")
            .args(["-R", mode])
            .arg(self.path(dir))
            .status();
        assert!(change.unwrap().success());
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locavore"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .env_remove("LOCAVORE_LOG");
        if let Some(user) = *self.user.lock().unwrap() {
            command.uid(user);
        }
        command.stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        Run::from(self.command(args).output().unwrap())
    }

    pub(crate) fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs with something on standard input.
    pub(crate) fn feed(&self, args: &[&str], input: &[u8]) -> Run {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Run::from(child.wait_with_output().unwrap())
    }

    pub(crate) fn visits(&self, dir: &str) -> Vec<Visit> {
        VisitReader::open(&self.path(dir)).unwrap().collect()
    }

    /// Pages of a crawl: address and size.
    pub(crate) fn pages(&self, dir: &str) -> BTreeMap<String, u32> {
        let visits = self.visits(dir).into_iter().filter(Visit::is_page);
        visits.map(|visit| (visit.url, visit.bytes)).collect()
    }

    /// The first WARC file of a crawl.
    pub(crate) fn warc(&self, dir: &str) -> PathBuf {
        files(&self.path(dir).join("warc")).remove(0)
    }

    /// The bytes of the visit log, file after file.
    pub(crate) fn log_bytes(&self, dir: &str) -> Vec<u8> {
        files(&self.path(dir).join("visits"))
            .iter()
            .flat_map(|file| std::fs::read(file).unwrap())
            .collect()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Run {
    /// Exit code and messages, as one text to compare.
    pub(crate) fn complaint(&self) -> String {
        format!("exit {}\n{}", self.code, self.stderr)
    }

    pub(crate) fn expect_done(self) -> Run {
        assert_eq!(self.code, 0, "{}\n{}", self.stdout, self.stderr);
        self
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}\n{}", self.stdout, self.stderr))
    }
}

/// Arguments of a crawl of a small made-up web that is always the same.
pub(crate) fn small_crawl<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let web = [
        "--web",
        "lab",
        "--world-sites",
        "3000",
        "--world-seed",
        "11",
    ];
    [&["crawl", "us-top100"], &web[..], more].concat()
}

/// The same in the folder `c`, until it has so many pages.
pub(crate) fn with_pages(pages: &str) -> Vec<&str> {
    small_crawl(&["--out", "c", "--pages", pages])
}

/// Waits until a crawl has so many visits on record.
pub(crate) fn wait_for_visits(place: &Place, dir: &str, child: &mut Child, n_visits: usize) {
    let start = Instant::now();
    loop {
        let is_there = place.path(dir).join("visits").is_dir();
        if is_there && place.visits(dir).len() >= n_visits {
            return;
        }
        assert!(
            child.try_wait().unwrap().is_none(),
            "the crawl ended too soon"
        );
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "no visits in two minutes"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal such as `-9` to a process this test has started.
pub(crate) fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([name, &pid])
            .status()
            .unwrap()
            .success()
    );
}

/// The files of a folder, by name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
