//! What other programs make of our archives.

use crate::program::{Place, files};
use std::process::Command;

/// An independent reader checks every record's digests and lengths.
#[test]
fn warcio_accepts_the_warc_files() {
    let Some(warcio) = std::env::var_os("LOCAVORE_WARCIO") else {
        eprintln!("skipped: `./test` installs warcio and sets LOCAVORE_WARCIO");
        return;
    };
    let place = Place::new();
    place
        .run(&[
            "crawl",
            "us-top100",
            "--web",
            "lab",
            "--pages",
            "300",
            "--out",
            "c",
        ])
        .expect_done();
    let archives = files(&place.path("c").join("warc"));
    assert!(!archives.is_empty());
    for archive in archives {
        let check = Command::new(&warcio)
            .arg("check")
            .arg("-v")
            .arg(&archive)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&check.stdout).into_owned();
        assert!(
            check.status.success(),
            "{said}\n{}",
            String::from_utf8_lossy(&check.stderr)
        );
        assert!(
            said.contains("digest pass"),
            "warcio checked nothing: {said}"
        );
        let index = Command::new(&warcio)
            .args(["index", "-f", "warc-type"])
            .arg(&archive)
            .output();
        let index = String::from_utf8(index.unwrap().stdout).unwrap();
        let count = |kind: &str| index.lines().filter(|line| line.contains(kind)).count();
        assert!(count("response") >= 300, "{} responses", count("response"));
        assert_eq!(count("request"), count("response"));
        assert_eq!(count("metadata"), count("response"));
        assert_eq!(count("warcinfo"), 1);
    }
}
