//! Ports that are not asked.

use super::*;

#[test]
fn ports_of_other_services_are_never_asked() {
    let mut door = door();
    for port in [22, 25, 6667] {
        let refused = "refused BadPort";
        assert_eq!(
            door.ask(&format!("http://a.example.com:{port}/x"), 0),
            refused
        );
    }
    assert_eq!(door.ask(A, 0), format!("robots {A_ROBOTS}"));
    let mail = "http://b.example.com:25/robots.txt";
    let now = door.robots(A, A_ROBOTS, &from(1, answered(302, mail)), 0);
    assert_eq!(door.ask(A, now), format!("refused robots {mail} BadPort"));
}

#[test]
fn a_host_is_asked_at_a_few_ports() {
    let mut door = door();
    let mut now = 0;
    let mut n_asked = 0;
    for port in 8000..8400 {
        let page = format!("http://a.example.com:{port}/x");
        match door.ask(&page, now).as_str() {
            "refused BadPort" => continue,
            _ => n_asked += 1,
        }
        let robots = format!("http://a.example.com:{port}/robots.txt");
        now = door.robots(&page, &robots, &from(1, Fetched::TimedOut), now);
        door.reopen(None);
        now += HOUR;
    }
    assert_eq!(n_asked, 8);
    assert_eq!(
        door.ask(A, now),
        format!("robots {A_ROBOTS}"),
        "its usual one"
    );
    let known = "http://a.example.com:8001/x";
    assert_ne!(door.ask(known, now + HOUR), "refused BadPort");
}
