//! Behind a proxy may be anything, the real web as well.

use crate::program::Place;
use crate::site::{Site, html};

#[test]
fn a_proxy_is_no_way_around_contact_and_delay() {
    let place = Place::new();
    let proxy = Site::start(|_, _| html("<p>Anything at all"));
    place.write("seeds.txt", "http://town.example/\n");
    let crawl = |more: &[&str]| {
        let args = ["crawl", "Houston, TX", "--seeds", "seeds.txt"];
        let rest = ["--proxy", &proxy.origin, "--out", "c"];
        place.run(&[&args[..], &rest[..], more].concat())
    };
    let contact = ["--contact", "test@example.org"];
    for (more, needed) in [
        (&["--delay", "0ms"][..], "--contact you@example.org"),
        (&[], "--contact you@example.org"),
        (&[&contact[..], &["--delay", "249ms"]].concat(), "--delay"),
    ] {
        let run = crawl(more);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(needed), "{}", run.stderr);
        assert!(!place.path("c").exists(), "nothing was started");
    }
    assert_eq!(proxy.last_request("http://town.example/"), "");
    crawl(&[&contact[..], &["--pages", "1"]].concat()).expect_done();
    let asked = proxy.last_request("http://town.example/");
    assert!(asked.contains("(+test@example.org)"), "{asked}");
    // A crawl that goes on may go on behind another proxy: it is asked again.
    let plan = std::fs::read_to_string(place.path("c/crawl.json")).unwrap();
    let hurried = plan.replace("delay_ms = 1000", "delay_ms = 1");
    std::fs::write(place.path("c/crawl.json"), hurried).unwrap();
    let run = place.run(&["crawl", "--out", "c"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}
