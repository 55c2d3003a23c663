//! Our own way to the web is cut: nobody's URLs are to blame.

use crate::program::Place;
use std::net::TcpListener;

#[test]
fn a_proxy_that_is_down_costs_nothing() {
    let place = Place::new();
    // A port that nobody listens on: bound, and let go.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    place.write(
        "seeds.txt",
        "http://one.example.com/\nhttp://two.example.com/\n",
    );
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--proxy",
        &proxy,
        "--contact",
        "test@example.org",
        "--out",
        "c",
    ];
    for _ in 0..2 {
        let run = place.run(&args);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(
            run.stderr.contains("stopped: the proxy cannot be reached"),
            "{}",
            run.stderr
        );
        assert!(
            run.stderr
                .contains("hint: `locavore crawl --out c` resumes it"),
            "{}",
            run.stderr
        );
        assert_eq!(place.visits("c"), vec![], "no URL is used up");
    }
}
