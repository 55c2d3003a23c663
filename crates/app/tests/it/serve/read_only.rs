//! A crawl that may only be read: another user's, or on a disk mounted so.

use super::client::Server;
use crate::program::{Place, with_pages};

#[test]
fn a_crawl_that_may_only_be_read_is_searched_listed_and_served() {
    let place = Place::new();
    place.run(&with_pages("120")).expect_done();
    let search = ["search", "c", "home", "--json"];
    let before = place.run(&search).expect_done();
    let url = place.visits("c").pop().unwrap().url;
    place.forbid_writing("c");
    assert_eq!(place.run(&search).expect_done().stdout, before.stdout);
    for command in [
        &["places", "c"][..],
        &["index", "c"],
        &["status", "c"],
        &["status", "c", "--json"],
        &["report", "c"],
        &["export", "c", "--format", "cdxj"],
        &["why", "c", &url],
    ] {
        let run = place.run(command).expect_done();
        assert!(
            !run.stdout.is_empty() && !run.stderr.contains("warning: "),
            "{command:?}: {}",
            run.stderr
        );
    }
    let server = Server::start(&place, &[]);
    let served = server.get("/api/search?q=home").json(200);
    assert_eq!(served["n_pages"], before.json()["n_pages"]);
    drop(server);
    place.allow_writing("c");
}

#[test]
fn what_an_index_that_may_only_be_read_lacks_is_told() {
    let place = Place::new();
    place.run(&with_pages("60")).expect_done();
    place.forbid_writing("c");
    let search = ["search", "c", "home", "--json"];
    let run = place.run(&search);
    assert_eq!(
        run.complaint(),
        "exit 2\nerror: the index `c/index` cannot be used (there is none) and its folder may only \
         be read\nhint: `locavore index c`, run by whoever may write there, builds it\n"
    );
    place.allow_writing("c");
    let n_before = place.run(&["index", "c", "--json"]).expect_done().json();
    place
        .run(&["crawl", "--out", "c", "--pages", "90"])
        .expect_done();
    let n_since = place.visits("c").len() as u64 - n_before["visits"].as_u64().unwrap();
    place.forbid_writing("c");
    let run = place.run(&search).expect_done();
    let told =
        format!("warning: `c` may only be read: {n_since} visits since are not in its index\n");
    assert_eq!(run.stderr, told);
    let run = place.run(&["index", "c", "--rebuild"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    place.allow_writing("c");
}
