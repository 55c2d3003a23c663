//! Rules that have moved to other origins, and what those say to it.

use super::*;

const DESK: &str = "http://b.example.com/desk?drop=1";
const B_ROBOTS: &str = "http://b.example.com/robots.txt";

impl Door {
    /// The rules of a page's origin have moved.
    fn moved(&mut self, wanted: &str, to: &str, now: u64) -> u64 {
        let robots = url(wanted).join("/robots.txt").unwrap();
        assert_eq!(self.ask(wanted, now), format!("robots {robots}"));
        self.robots(wanted, robots.as_str(), &from(1, answered(302, to)), now)
    }
}

#[test]
fn rules_that_moved_to_what_another_host_forbids_are_not_asked_for() {
    let mut door = door();
    let now = door.moved(A, DESK, 0);
    let first = format!("robots {B_ROBOTS} for {DESK}");
    assert_eq!(door.ask(A, now), first, "its own rules decide");
    let rules = "User-agent: *\nDisallow: /desk\n";
    let free_at = door.robots(DESK, B_ROBOTS, &from(2, answered(200, rules)), now);
    assert_eq!(free_at, now + 1000);
    let refused = format!("refused robots {DESK} Forbidden {{ line: 2 }}");
    assert_eq!(door.ask(A, now), refused);
    let mut batch = door.dir.batch();
    let outcome = Outcome::Forbidden { line: 2 };
    door.gate
        .robots_refused(&mut batch, &url(A), &outcome, Time(now));
    door.dir.apply(batch).unwrap();
    assert_eq!(door.ask(A, now), "fetch", "such rules are none");
}

#[test]
fn rules_that_moved_to_what_another_host_allows_take_the_time_of_both() {
    let mut door = door();
    let now = door.moved(A, DESK, 0);
    door.ask(A, now);
    let free_at = door.robots(DESK, B_ROBOTS, &from(2, answered(404, "")), now);
    assert_eq!(door.ask(A, now), format!("not before {free_at}"));
    assert_eq!(door.ask(A, free_at), format!("robots {DESK}"));
    assert_eq!(
        door.ask(B, free_at),
        format!("not before {}", free_at + 1000)
    );
    let rules = "User-agent: *\nDisallow: /x\n";
    let now = door.robots(A, DESK, &from(2, answered(200, rules)), free_at);
    assert_eq!(door.ask(A, now), "refused Forbidden { line: 2 }");
    assert_eq!(door.ask(B, now), "fetch", "these rules are not its own");
}

#[test]
fn rules_that_moved_to_rules_are_asked_for_at_once() {
    let mut door = door();
    let now = door.moved(A, B_ROBOTS, 0);
    assert_eq!(door.ask(A, now), format!("robots {B_ROBOTS}"));
}

#[test]
fn rules_that_moved_within_their_origin_are_asked_for_at_once() {
    let mut door = door();
    let now = door.moved(A, "/site/robots", 0);
    let robots = "robots http://a.example.com/site/robots";
    assert_eq!(door.ask(A, now), robots);
}

#[test]
fn origins_whose_rules_moved_to_each_other_do_not_wait_for_each_other() {
    let mut door = door();
    let now = door.moved(A, DESK, 0);
    let wanted = format!("robots {B_ROBOTS} for {DESK}");
    assert_eq!(door.ask(A, now), wanted);
    let back = answered(302, "http://a.example.com/desk");
    let now = door.robots(DESK, B_ROBOTS, &from(2, back), now);
    let refused = format!("refused robots {DESK} Forbidden {{ line: 0 }}");
    assert_eq!(door.ask(A, now), refused);
    let refused = "refused robots http://a.example.com/desk Forbidden { line: 0 }";
    assert_eq!(door.ask(B, now), refused);
}

#[test]
fn a_detour_survives_a_restart() {
    let mut door = door();
    let now = door.moved(A, DESK, 0);
    door.reopen(None);
    let wanted = format!("robots {B_ROBOTS} for {DESK}");
    assert_eq!(door.ask(A, now), wanted);
}
