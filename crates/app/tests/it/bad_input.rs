//! Mistakes people make: one clear message each, and nothing lost.

use crate::program::{Place, Run, with_pages};
use insta::assert_snapshot;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

fn complain(args: &[&str]) -> String {
    Place::new().run(args).complaint()
}

#[test]
fn all_bad_lines_of_a_seed_file_are_named_at_once() {
    let place = Place::new();
    place.write(
        "seeds.txt",
        "# mine\nhttp://ok.example.com/\nhtp://cm-porto.pt\n\nhttps://\n",
    );
    let run = place.run(&[
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--web",
        "lab",
    ]);
    assert_snapshot!(run.complaint(), @r"
    exit 2
    error: bad lines in seed file `seeds.txt`
      3: `htp://cm-porto.pt`: unknown scheme `htp`
      5: `https://`: no host
    ");
    assert!(
        !place.path("crawl-houston-tx").exists(),
        "nothing was started"
    );
}

#[test]
fn a_path_that_is_no_text_cannot_be_kept() {
    let place = Place::new();
    let mut command = place.command(&["crawl", "Texas", "--web", "lab", "--out", "c", "--roots"]);
    let output = command.arg(OsStr::from_bytes(b"\xff.pem")).output();
    assert_snapshot!(Run::from(output.unwrap()).complaint(), @r"
    exit 2
    error: `--roots �.pem` is not UTF-8
    ");
    assert!(!place.path("c").exists(), "nothing was started");
}

#[test]
fn a_seed_file_that_is_not_there() {
    assert_snapshot!(complain(&["crawl", "Houston, TX", "--seeds", "no.txt", "--web", "lab"]), @r"
    exit 2
    error: cannot read seed file `no.txt`: No such file or directory
    ");
}

#[test]
fn unknown_place() {
    assert_snapshot!(complain(&["crawl", "Huoston", "--web", "lab"]), @r"
    exit 2
    error: no place named `Huoston` in the gazetteer
    hint: did you mean `Houston, Texas, United States`, `Huyton, England, United Kingdom`, `Heston, England, United Kingdom`, `Hudson, Ohio, United States` or `Helston, England, United Kingdom`?
    ");
}

#[test]
fn ambiguous_place() {
    assert_snapshot!(complain(&["crawl", "Glendale", "--web", "lab"]), @r"
    exit 2
    error: `Glendale` names 14 places
    hint: say which, by its state or country:
      Glendale, Arizona, United States (240,126)
      Glendale, California, United States (201,020)
      Glendale, New York, United States (34,389)
      Glendale, Wisconsin, United States (12,870)
      Glendale, Mashonaland Central, Zimbabwe (9,798)
      Glendale, Missouri, United States (5,927)
      Glendale, Wellington Region, New Zealand (4,590)
      Glendale, Alberta, Canada (2,715)
      and 6 smaller ones
    ");
}

#[test]
fn unknown_strategy_and_order() {
    assert_snapshot!(complain(&["crawl", "Houston, TX", "--web", "lab", "--assign", "ip6"]), @r"
    exit 2
    error: no assign strategy named `ip6`: `hash`, `url`, `anchor`, `content`, `classifier` or `ip`
    ");
    assert_snapshot!(complain(&["crawl", "Houston, TX", "--web", "lab", "--order", "best"]), @r"
    exit 2
    error: no order named `best`: `breadth`, `distance`, `adaptive`, `georank`, `focus`, `utility` or `inlinks`
    ");
    assert_snapshot!(complain(&["crawl", "Houston, TX", "--web", "dark"]), @r"
    exit 2
    error: no web named `dark`: `real`, `lab` or the name of a WARC file
    ");
}

#[test]
fn orders_say_what_they_cannot_do() {
    let place = Place::new();
    std::fs::write(place.path("seeds.txt"), "http://portal.example/\n").unwrap();
    let lab = ["crawl", "Oldenburg", "--web", "lab", "--pages", "30"];
    let run = |args: &[&str]| place.run(&[&lab[..], args].concat());
    let georank = run(&["--order", "georank", "--seeds", "seeds.txt", "--out", "a"]);
    assert_eq!(georank.code, 2);
    assert!(
        georank.stderr.contains("none of the 1 seed does"),
        "{}",
        georank.stderr
    );
    assert!(!place.path("a").exists());
    let learned = run(&["--order", "focus", "--out", "b"]);
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    let other = run(&[
        "--order",
        "adaptive",
        "--model",
        "b/order.model",
        "--out",
        "c",
    ]);
    assert_eq!(other.code, 2);
    assert!(
        other
            .stderr
            .contains("learned by `--order focus`, not `adaptive`"),
        "{}",
        other.stderr
    );
    let deaf = run(&["--order", "breadth", "--steps", "2", "--out", "d"]);
    assert!(
        deaf.stderr
            .contains("`--steps` belongs to `--order adaptive`"),
        "{}",
        deaf.stderr
    );
}

#[test]
fn a_crawl_without_hope_ends_and_says_so() {
    let place = Place::new();
    let args = [
        "crawl",
        "Lisbon, Portugal",
        "--web",
        "lab",
        "--patience",
        "60",
    ];
    let run = place.run(&[&args[..], &["--pages", "5000", "--out", "c"]].concat());
    assert!(run.stderr.contains("nothing relevant in"), "{}", run.stderr);
}

/// The first line of the complaint about one flag.
fn flag(args: &[&str]) -> String {
    let crawl = ["crawl", "Houston, TX", "--web", "lab", "--out", "c"];
    let place = Place::new();
    let run = place.run(&[&crawl[..], args].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(!place.path("c").exists(), "nothing was started");
    run.stderr.lines().next().unwrap_or_default().into()
}

#[test]
fn values_without_sense_are_refused_by_flag() {
    assert_snapshot!(flag(&["--pages", "0"]), @r"
    error: invalid value '0' for '--pages <N>': a crawl needs at least one page
    ");
    assert_snapshot!(flag(&["--pages", "-1"]), @r"
    error: invalid value '-1' for '--pages <N>': not a number of pages, such as `5000`
    ");
    assert_snapshot!(flag(&["--contact", "me"]), @r"
    error: invalid value 'me' for '--contact <TEXT>': write an e-mail address or a URL, such as `you@example.org`
    ");
    assert_snapshot!(flag(&["--delay", "2000000s"]), @r"
    error: invalid value '2000000s' for '--delay <TIME>': at most a day, `86400s`
    ");
    assert_snapshot!(flag(&["--proxy", "socks5://127.0.0.1:9"]), @r"
    error: invalid value 'socks5://127.0.0.1:9' for '--proxy <URL>': write an HTTP proxy, such as `http://127.0.0.1:8100`
    ");
    assert_snapshot!(flag(&["--no-robots"]), @r"
    error: unexpected argument '--no-robots' found
    ");
    assert_snapshot!(flag(&["-x"]), @r"
    error: unexpected argument '-x' found
    ");
}

#[test]
fn a_box_may_begin_with_a_minus() {
    let place = Place::new();
    let args = [
        "crawl",
        "-37.9,144.9,-37.8,145",
        "--pages",
        "5",
        "--web",
        "lab",
        "--out",
        "c",
    ];
    let run = place.run(&args);
    assert!(run.stderr.contains("stopped:"), "{}", run.stderr);
    let status = place.run(&["status", "c", "--json"]).expect_done();
    assert_eq!(status.json()["places"][0], "-37.9,144.9,-37.8,145");
    assert_snapshot!(complain(&["crawl", "-80,0,-79,1", "--web", "lab"]), @r"
    exit 2
    error: no place that the gazetteer knows lies in `-80,0,-79,1`
    ");
}

#[test]
fn a_full_device_is_one_clear_error() {
    let place = Place::new();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let run = place
        .command(&["completions", "bash"])
        .stdout(full)
        .output();
    let run = Run::from(run.unwrap());
    assert_snapshot!(run.complaint(), @r"
    exit 1
    error: cannot write to standard output: No space left on device
    ");
}

#[test]
fn a_split_that_cannot_be() {
    let split = |table: &str, flags: &[&str]| {
        let place = Place::new();
        place.write("nodes.tsv", table);
        let crawl = ["crawl", "Houston, TX; Dallas, TX", "--web", "lab"];
        place.run(&[&crawl, flags].concat()).complaint()
    };
    let table = |table: &str| split(table, &["--split", "nodes.tsv"]);
    assert_snapshot!(table("south\tHouston, TX\nnorth\tHouston, TX\n"), @r"
    exit 2
    error: `Houston, TX` is in two nodes of the table: `south` and `north`
    ");
    assert_snapshot!(table("south\tHouston, TX\nnorth\tBoise, ID\n"), @r"
    exit 2
    error: `Boise, ID` (node `north` of the table) is no target of this crawl
    ");
    assert_snapshot!(table("south\tHouston, TX\n"), @r"
    exit 2
    error: no node of the table has `Dallas, TX`
    ");
    assert_snapshot!(table("south\tHuoston, TX\n"), @r"
    exit 2
    error: node `south` of the table: no place named `Huoston, TX` in the gazetteer
    hint: did you mean `Houston, Texas, United States`, `Huyton, England, United Kingdom`, `Heston, England, United Kingdom`, `Hudson, Ohio, United States` or `Helston, England, United Kingdom`?
    ");
    assert_snapshot!(table("south Houston, TX\n"), @r"
    exit 2
    error: bad lines in the table of nodes `nodes.tsv`
      1: `south Houston, TX`: no tab and city after the node
    ");
    assert_snapshot!(split("", &["--split", "zones"]), @r"
    exit 2
    error: no split named `zones`: `time-zone`, `state`, `population` or a file's name
    ");
    assert_snapshot!(split("", &["--split", "state", "--nodes", "3"]), @r"
    exit 2
    error: a split by state fills 1 of 2 geographic nodes, and every node needs a target
    ");
    assert_snapshot!(split("", &["--split", "population"]), @r"
    exit 2
    error: a split by population needs the number of nodes
    ");
    assert_snapshot!(split("", &["--nodes", "2", "--general", "2"]), @r"
    exit 2
    error: 2 general of 2 nodes leave none for the targets
    ");
}

#[test]
fn more_nodes_than_targets() {
    assert_snapshot!(complain(&["crawl", "Houston, TX", "--web", "lab", "--nodes", "9"]), @r"
    exit 2
    error: 9 nodes are too many for the targets (1): one is general and each other needs a target
    ");
}

#[test]
fn the_real_web_wants_a_contact() {
    assert_snapshot!(complain(&["crawl", "Houston, TX"]), @r"
    exit 2
    error: on the real web the people you visit must be able to reach you: say `--contact you@example.org`, or try `--web lab`
    ");
}

#[test]
fn a_folder_that_is_not_a_crawl_is_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.path("photos")).unwrap();
    place.write("photos/cat.jpg", "meow");
    let run = place.run(&["crawl", "Houston, TX", "--web", "lab", "--out", "photos"]);
    assert_snapshot!(run.complaint(), @r"
    exit 2
    error: `photos` is not a crawl
    hint: choose a new or empty folder with `--out DIR`
    ");
    assert_eq!(
        std::fs::read_to_string(place.path("photos/cat.jpg")).unwrap(),
        "meow"
    );
    assert_eq!(std::fs::read_dir(place.path("photos")).unwrap().count(), 1);
    for command in [
        &["status", "photos"][..],
        &["report", "photos"],
        &["search", "photos", "cat"],
    ] {
        let run = place.run(command);
        assert!(
            run.complaint().starts_with("exit 2\nerror: "),
            "{}",
            run.stderr
        );
        assert_eq!(run.stderr.lines().count(), 1, "no hint: {}", run.stderr);
    }
}

#[test]
fn a_point_in_the_south_is_no_flag() {
    let place = Place::new();
    place.run(&with_pages("30")).expect_done();
    for flag in ["--near", "--home"] {
        place
            .run(&["search", "c", "pizza", flag, "-33.87,151.2"])
            .expect_done();
    }
}

#[test]
fn a_word_that_must_not_be_there_has_to_be_quoted() {
    for args in [
        &["search", "c", "pizza", "-frozen"][..],
        &["search", "c", "-houston"],
    ] {
        let word = args.last().unwrap();
        let run = Place::new().run(args);
        assert_eq!(run.code, 2);
        let message = format!("error: `{word}` would be a flag: quote it");
        assert!(run.stderr.starts_with(&message), "{}", run.stderr);
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn a_place_without_places_in_it_has_its_pages_all_the_same() {
    let place = Place::new();
    place.run(&with_pages("300")).expect_done();
    let count = |name: &str| {
        let within = ["search", "c", "--within", name, "--json", ""];
        let found = place.run(&within).expect_done().json();
        let json = place.run(&["places", "c", name, "--json"]).expect_done();
        assert_eq!(json.json()["pages"], found["n_pages"], "{name}");
        found["n_pages"].as_u64().unwrap()
    };
    for name in [
        "Houston, TX",
        "New York",
        "Los Angeles County, CA",
        "Texas",
        "USA",
    ] {
        let n_pages = count(name);
        let listed = place.run(&["places", "c", name]).expect_done();
        match n_pages {
            0 => assert!(listed.stderr.contains("no page is about"), "{name}"),
            _ => {
                let first = listed.stdout.lines().next().unwrap();
                assert!(first.ends_with(&format!("  {n_pages}")), "{name}: {first}");
            }
        }
    }
    assert!(count("New York") > 0 && count("Los Angeles County, CA") > 0);
    let county = place
        .run(&["places", "c", "Los Angeles County, CA"])
        .expect_done();
    assert!(
        county.stdout.contains("\n  Los Angeles  "),
        "{}",
        county.stdout
    );
}

#[test]
fn no_crawl_to_report_on_or_resume() {
    let nothing = "exit 2\nerror: there is no crawl in `nothing`\n";
    assert_eq!(complain(&["report", "nothing"]), nothing);
    assert_eq!(complain(&["status", "nothing"]), nothing);
    assert_eq!(complain(&["search", "nothing", "pizza"]), nothing);
    assert_snapshot!(complain(&["crawl", "--out", "nothing"]), @r"
    exit 2
    error: there is no crawl in `nothing`
    hint: `locavore crawl PLACE --out nothing` would start one
    ");
    assert_snapshot!(complain(&["crawl"]), @r#"
    exit 2
    error: which place? for example `locavore crawl "Houston, TX"`, or `--out DIR` to resume
    "#);
}

#[test]
fn a_folder_that_cannot_be_written() {
    let place = Place::new();
    place.write("file", "");
    let run = place.run(&["crawl", "Houston, TX", "--web", "lab", "--out", "file/c"]);
    assert_snapshot!(run.complaint(), @r"
    exit 2
    error: cannot read `file/c/crawl.json`: Not a directory
    ");
    let locked = place.path("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o500)).unwrap();
    if std::fs::write(locked.join("probe"), "").is_ok() {
        return; // root writes anywhere
    }
    let run = place.run(&["crawl", "Houston, TX", "--web", "lab", "--out", "locked/c"]);
    assert!(
        run.complaint().contains("cannot create `locked/c`"),
        "{}",
        run.complaint()
    );
}

#[test]
fn another_plan_for_the_same_folder() {
    let place = Place::new();
    let first = [
        "crawl",
        "Houston, TX",
        "--web",
        "lab",
        "--pages",
        "10",
        "--out",
        "c",
    ];
    place.run(&first).expect_done();
    let other = place.run(&[
        "crawl",
        "Dallas, TX",
        "--web",
        "lab",
        "--pages",
        "10",
        "--out",
        "c",
    ]);
    assert_snapshot!(other.complaint(), @r"
    exit 2
    error: this crawl was started with places `Houston, TX`, not `Dallas, TX`: choose another `--out`
    ");
    let other = place.run(&["crawl", "--world-seed", "1", "--out", "c"]);
    assert_snapshot!(other.complaint(), @r"
    exit 2
    error: this crawl was started with --world-seed `2006`, not `1`: choose another `--out`
    ");
    let other = place.run(&["crawl", "--assign", "hash", "--out", "c"]);
    assert_snapshot!(other.complaint(), @r"
    exit 2
    error: this crawl was started with --assign `url`, not `hash`: choose another `--out`
    ");
    assert_eq!(place.pages("c").len(), 10);
}

#[test]
fn the_same_plan_in_other_words_resumes() {
    let place = Place::new();
    place.write(
        "seeds.txt",
        "http://a.example.com/\nhttp://b.example.com/\n",
    );
    let crawl = |name: &str, pages: &str| {
        let args = ["--web", "lab", "--pages", pages, "--out", "c"];
        place.run(&[&["crawl", name], &args[..]].concat())
    };
    crawl("Houston, TX", "10").expect_done();
    crawl("houston texas", "20").expect_done();
    assert_eq!(place.pages("c").len(), 20);
    let status = place.run(&["status", "c"]).expect_done().stdout;
    let lines: Vec<&str> = status.lines().take(2).collect();
    assert_snapshot!(lines.join("\n"), @r"
    c: 1 node, assigned by `url`, ordered by `breadth`
    for Houston, Texas, United States
    ");
    let other = place.run(&["crawl", "--out", "c", "--seeds", "seeds.txt"]);
    assert_snapshot!(other.complaint(), @r"
    exit 2
    error: this crawl was started without `--seeds`: choose another `--out`
    ");
}

#[test]
fn other_seeds_for_the_same_crawl_are_counted() {
    let place = Place::new();
    let seeds = |names: &[&str]| {
        let urls = names
            .iter()
            .map(|name| format!("http://{name}.example.com/\n"));
        place.write("seeds.txt", &urls.collect::<String>());
        let args = ["--web", "lab", "--seeds", "seeds.txt", "--out", "c"];
        place.run(&[&["crawl", "Houston, TX"], &args[..]].concat())
    };
    seeds(&["a", "b", "c"]);
    assert_snapshot!(seeds(&["b", "c", "d", "e"]).complaint(), @r"
    exit 2
    error: this crawl was started with other seeds: 3 then, 4 in the file now, 2 new and 1 gone: choose another `--out`
    ");
}

#[test]
fn a_seed_whose_host_does_not_resolve() {
    let place = Place::new();
    place.write("seeds.txt", "http://no-such-host.invalid/\n");
    let run = place.run(&[
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--delay",
        "250ms",
        "--contact",
        "me@example.org",
        "--out",
        "c",
    ]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let seed = "warning: seed `http://no-such-host.invalid/` could not be fetched: its host has no address";
    assert!(run.stderr.contains(seed), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("stopped: only hosts and pages that failed are left"),
        "{}",
        run.stderr
    );
}

#[test]
fn loopback_is_refused_on_the_real_web() {
    let place = Place::new();
    place.write(
        "seeds.txt",
        "http://127.0.0.1:8999/\nhttp://localhost:8999/\nhttp://0x7f.1:8999/\n",
    );
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--delay",
        "250ms",
        "--contact",
        "me@example.org",
        "--out",
        "c",
    ];
    assert_snapshot!(place.run(&args).complaint(), @r"
    exit 2
    error: all 3 seeds lead to private addresses, such as `http://127.0.0.1:8999/`
    hint: if they are yours, `--allow-private 127.0.0.1` lets this crawl ask them
    ");
    assert!(!place.path("c").exists(), "nothing was started");
    // Beside others they are told, and the crawl goes on.
    let run = place.run(&[&args[..], &["--allow-private", "127.0.0.9"]].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    place.write(
        "seeds.txt",
        "http://127.0.0.1:8999/\nhttp://localhost:8999/\nhttp://127.0.0.9:8999/\n",
    );
    let run = place.run(&[&args[..], &["--allow-private", "127.0.0.9"]].concat());
    assert_eq!(run.code, 1, "{}", run.stderr);
    for told in [
        "2 seeds lead to private addresses, such as `http://127.0.0.1:8999/`, and are not asked",
        "`--allow-private 127.0.0.1` lets this crawl ask them",
        "private addresses are open to this crawl: 127.0.0.9/32",
    ] {
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
    assert_eq!(
        run.stderr.matches("its address is private").count(),
        2,
        "{}",
        run.stderr
    );
}

#[test]
fn a_crawl_of_a_newer_version_is_left_alone() {
    let place = Place::new();
    let args = ["crawl", "Houston, TX", "--web", "lab", "--pages", "10"];
    place
        .run(&[&args[..], &["--out", "c"]].concat())
        .expect_done();
    let card = std::fs::read_to_string(place.path("c/crawl.json")).unwrap();
    let mut newer: serde_json::Value = serde_json::from_str(&card).unwrap();
    newer["format"] = 1_000_000.into();
    newer["what comes then"] = "nobody knows".into();
    let newer = newer.to_string();
    place.write("c/crawl.json", &newer);
    let log = place.log_bytes("c");
    for args in [
        &["crawl", "--out", "c", "--pages", "20"][..],
        &["status", "c"],
        &["report", "c"],
        &["search", "c", "pizza"],
    ] {
        let complaint = place.run(args).complaint();
        let start =
            "exit 2\nerror: `c` was written by a newer version (1000000, this program knows ";
        assert!(complaint.starts_with(start), "{complaint}");
        assert!(
            complaint.ends_with("hint: update locavore to use this crawl\n"),
            "{complaint}"
        );
    }
    let card = std::fs::read_to_string(place.path("c/crawl.json")).unwrap();
    assert_eq!(card, newer);
    assert!(place.log_bytes("c") == log, "the log has changed");
}

#[test]
fn a_damaged_log_is_named_and_the_rest_is_kept() {
    let place = Place::new();
    let args = [
        "crawl",
        "us-top100",
        "--web",
        "lab",
        "--pages",
        "1500",
        "--out",
        "c",
    ];
    place.run(&args).expect_done();
    let n_visits = place.visits("c").len();
    let log = place.path("c").join("visits").join("visits-00001.log");
    let mut bytes = std::fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&log, bytes).unwrap();
    let status = place.run(&["status", "c"]);
    assert_eq!(status.code, 1, "{}", status.stderr);
    let report = place.run(&["report", "c", "--json"]);
    assert_eq!(report.code, 1, "{}", report.stderr);
    assert!(report.json()["pages"].is_u64());
    assert!(
        report
            .stderr
            .contains("warning: `c/visits/visits-00001.log`"),
        "{}",
        report.stderr
    );
    let kept = place.visits("c").len();
    assert!(
        kept < n_visits && kept > n_visits / 3,
        "{kept} of {n_visits} kept"
    );
}
