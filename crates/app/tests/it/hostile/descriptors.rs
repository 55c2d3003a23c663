//! Crawls that may open few files.

use super::crossroads::{Crossroads, Reply, links};
use super::names::{Said, name_server};
use crate::program::{Place, Run};
use std::net::SocketAddr;
use std::process::Command;
use store::visit::{Errand, Outcome, Visit};

/// Less than what a thousand look-ups would take.
const N_FILES: &str = "256";

/// A town with pages without end; its first one links to a thousand names
/// about which nobody says anything.
fn town() -> (Crossroads, SocketAddr) {
    let crossroads = Crossroads::open(|asked, port| match asked.path.as_str() {
        "/robots.txt" => Reply::Missing,
        "/" => {
            let pages = (0..40).map(|nth| format!("/{nth}"));
            let silent = (0..1000).map(|nth| silent(nth, port));
            Reply::Page(links(pages.chain(silent)))
        }
        path => Reply::Page(format!("page {path} of the town")),
    });
    let dns = name_server(|name| match name {
        "www.town.test" => Said::At(vec![[127, 0, 1, 1].into()]),
        _ => Said::Nothing,
    });
    (crossroads, dns)
}

fn silent(nth: usize, port: u16) -> String {
    format!("http://www.silent{nth}.test:{port}/")
}

/// Crawls until there are so many pages, with few descriptors.
fn crawl(place: &Place, dns: SocketAddr, pages: &str) -> Run {
    let dns = dns.to_string();
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--allow-private",
        "127.0.0.0/8",
        "--contact",
        "test@example.org",
        "--delay",
        "250ms",
        "--dns",
        &dns,
        "--pages",
        pages,
        "--out",
        "c",
    ];
    let program = place.command(&args);
    let limited = format!("ulimit -n {N_FILES}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(limited).arg(program.get_program());
    command.args(program.get_args());
    command.current_dir(place.path(""));
    Run::from(command.output().unwrap())
}

/// That pages came, and that nothing is on record that was our own fault.
fn assert_unharmed(place: &Place, n_pages: usize) {
    let visits = place.visits("c");
    let is_page = |visit: &&Visit| visit.errand == Errand::Page;
    let pages = visits.iter().filter(is_page);
    let fetched = pages.filter(|visit| visit.outcome == Outcome::Fetched);
    assert_eq!(fetched.count(), n_pages);
    for visit in visits.iter().filter(|visit| visit.url.contains("silent")) {
        let expected = Outcome::Unreachable("its name servers do not answer".into());
        assert_eq!(visit.outcome, expected, "{}", visit.url);
    }
}

#[test]
fn one_page_of_links_to_silent_names_does_not_end_a_crawl_nor_the_next() {
    let (crossroads, dns) = town();
    let place = Place::new();
    place.write(
        "seeds.txt",
        &format!("http://www.town.test:{}/\n", crossroads.port),
    );
    let run = crawl(&place, dns, "15").expect_done();
    assert!(run.stderr.contains("of 256 open files"), "{}", run.stderr);
    assert_unharmed(&place, 15);
    crawl(&place, dns, "25").expect_done();
    assert_unharmed(&place, 25);
}

#[test]
fn seeds_that_nobody_knows_do_not_end_a_crawl() {
    let (crossroads, dns) = town();
    let place = Place::new();
    let port = crossroads.port;
    let silent: String = (0..1500).map(|nth| silent(nth, port) + "\n").collect();
    place.write(
        "seeds.txt",
        &format!("http://www.town.test:{port}/\n{silent}"),
    );
    crawl(&place, dns, "15");
    assert_unharmed(&place, 15);
}
