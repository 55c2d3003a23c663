//! Dead hosts wait; they are given up late and never for good.

use super::*;

/// Asks and fails whenever the host may be asked: what the gate said, and when.
fn fail_on(door: &mut Door, fetched: &Fetched, until: u64) -> Vec<String> {
    let mut said = Vec::new();
    let mut now = 0;
    while now < until {
        let answer = door.ask(A, now);
        match answer.split(' ').next().unwrap() {
            "fetch" => _ = door.page(A, &from(1, fetched.clone()), now),
            "robots" => _ = door.robots(A, A_ROBOTS, &from(1, fetched.clone()), now),
            "refused" => {
                said.push(format!("{now} {answer}"));
                now += 24 * HOUR;
                continue;
            }
            _ => {
                let time: u64 = answer.rsplit(' ').next().unwrap().parse().unwrap();
                said.push(format!("{now} {answer}"));
                now = time;
                continue;
            }
        }
        said.push(format!("{now} {answer}"));
    }
    said
}

#[test]
fn a_dead_host_is_parked_three_times_then_given_up_for_a_week() {
    let mut door = door();
    door.open_host(A, 1, 0);
    let said = fail_on(&mut door, &Fetched::TimedOut, 11 * 24 * HOUR);
    insta::assert_snapshot!(said.join("\n"), @"
    0 not before 1000
    1000 fetch
    1000 not before 5000
    5000 fetch
    5000 not before 21000
    21000 fetch
    21000 parked until 3621000
    3621000 fetch
    3621000 parked until 25221000
    25221000 fetch
    25221000 parked until 111621000
    111621000 robots http://a.example.com/robots.txt
    111621000 refused TimedOut
    198021000 refused TimedOut
    284421000 refused TimedOut
    370821000 refused TimedOut
    457221000 refused TimedOut
    543621000 refused TimedOut
    630021000 refused TimedOut
    716421000 robots http://a.example.com/robots.txt
    716421000 refused TimedOut
    802821000 refused TimedOut
    889221000 refused TimedOut
    ");
}

#[test]
fn a_host_whose_rules_cannot_be_had_is_parked_all_the_same() {
    let mut door = door();
    let said = fail_on(&mut door, &answered(503, ""), 3 * 24 * HOUR);
    insta::assert_snapshot!(said.join("\n"), @"
    0 robots http://a.example.com/robots.txt
    0 not before 4000
    4000 robots http://a.example.com/robots.txt
    4000 not before 20000
    20000 robots http://a.example.com/robots.txt
    20000 parked until 3620000
    3620000 robots http://a.example.com/robots.txt
    3620000 parked until 25220000
    25220000 robots http://a.example.com/robots.txt
    25220000 parked until 111620000
    111620000 robots http://a.example.com/robots.txt
    111620000 refused Forbidden { line: 0 }
    198020000 refused Forbidden { line: 0 }
    ");
}

#[test]
fn a_name_that_does_not_resolve_needs_two_tries() {
    let mut door = door();
    let said = fail_on(&mut door, &Fetched::Unresolved, 2 * HOUR);
    insta::assert_snapshot!(said.join("\n"), @"
    0 robots http://a.example.com/robots.txt
    0 not before 4000
    4000 robots http://a.example.com/robots.txt
    4000 parked until 3604000
    3604000 robots http://a.example.com/robots.txt
    3604000 parked until 25204000
    ");
}

#[test]
fn every_kind_of_failure_parks_and_goes_on_record_as_what_it_was() {
    let why = || "x".repeat(500);
    for (fetched, expected) in [
        (Fetched::Unresolved, "Unresolved".to_owned()),
        (Fetched::TimedOut, "TimedOut".into()),
        (
            Fetched::Unreachable(why()),
            format!("Unreachable({:?})", "x".repeat(200)),
        ),
        (Fetched::Garbled("odd".into()), "Garbled(\"odd\")".into()),
        (
            Fetched::Untrusted("old".into()),
            "Untrusted(\"old\")".into(),
        ),
    ] {
        let mut door = door();
        door.open_host(A, 1, 0);
        let said = fail_on(&mut door, &fetched, 3 * 24 * HOUR);
        let n_parked = said.iter().filter(|line| line.contains("parked")).count();
        assert_eq!(n_parked, 3, "{said:?}");
        assert!(
            said.last()
                .unwrap()
                .ends_with(&format!("refused {expected}")),
            "{said:?}"
        );
    }
}

#[test]
fn a_broken_origin_does_not_park_the_site_under_the_same_name() {
    let mut door = door();
    door.open_host(A, 1, 0);
    let broken = "https://a.example.com/x";
    let robots = "https://a.example.com/robots.txt";
    let mut now = 1000;
    let parked = loop {
        let answer = door.ask(broken, now);
        if answer == format!("robots {robots}") {
            let untrusted = Fetched::Untrusted("the certificate has expired".into());
            door.robots(broken, robots, &from(1, untrusted), now);
        } else if answer.starts_with("parked") {
            break answer;
        }
        // Both are asked in turn, and the good one as soon as ever.
        assert_eq!(door.ask(A, now + 1000), "fetch");
        now = door.page(A, &from(1, answered(200, "")), now + 1000);
    };
    assert!(now < 60_000, "parked after {now} ms");
    door.reopen(None);
    assert_eq!(door.ask(broken, now), parked);
    assert_eq!(door.gate.n_parked(), 1);
    assert_eq!(door.ask(A, now), "fetch");
    door.page(A, &from(1, answered(200, "")), now);
    assert!(door.ask(broken, now + 1000).starts_with("parked"), "still");
}

#[test]
fn a_host_that_asks_to_be_left_alone_is_left_alone_on_every_port() {
    let mut door = door();
    door.open_host(A, 1, 0);
    assert_eq!(door.ask(A, 1000), "fetch");
    let busy = answered_with(429, "Retry-After: 300", "");
    assert_eq!(door.page(A, &from(1, busy), 1000), 301_000);
    let other = "http://a.example.com:8080/";
    assert_eq!(door.ask(other, 2000), "not before 301000");
}

#[test]
fn broken_pages_do_not_park_a_host_that_answers() {
    let mut door = door();
    door.open_host(A, 1, 0);
    let mut now = 1000;
    for _ in 0..5 {
        assert_eq!(door.ask(A, now), "fetch");
        now = door.page(A, &from(1, answered(500, "")), now);
    }
    assert_eq!(now, 63_000, "it waits longer and longer");
    assert_eq!(door.ask(A, now), "fetch");
    assert_eq!(door.page(A, &from(1, answered(200, "")), now) - now, 1000);
}

#[test]
fn a_host_with_nothing_but_broken_pages_is_parked_and_never_given_up() {
    for status in [500, 503] {
        let mut door = door();
        door.open_host(A, 1, 0);
        let said = fail_on(&mut door, &answered(status, ""), 10 * 24 * HOUR);
        let n_of = |what: &str| said.iter().filter(|line| line.contains(what)).count();
        // Its rules were fresh when it was parked.
        assert!(n_of(" fetch") >= 10, "{said:?}");
        assert!(n_of("parked") >= 3, "{said:?}");
        assert_eq!(n_of("refused Status"), 0, "{said:?}");
    }
}

#[test]
fn one_good_answer_clears_all() {
    let mut door = door();
    door.open_host(A, 1, 0);
    fail_on(&mut door, &Fetched::TimedOut, 8 * HOUR);
    assert_eq!(door.gate.n_parked(), 1);
    let now = 40 * HOUR;
    assert_eq!(door.ask(A, now), format!("robots {A_ROBOTS}"));
    assert_eq!(door.gate.n_parked(), 0, "it is being tried");
    door.robots(A, A_ROBOTS, &from(1, answered(404, "")), now);
    let view = door.gate.host_view(&url(A)).unwrap();
    assert_eq!(
        (view.n_failures, view.last_failure, view.parked_until),
        (0, None, None)
    );
    // From the start again: two failures only lengthen the wait.
    let mut now = now + 1000;
    for _ in 0..2 {
        assert_eq!(door.ask(A, now), "fetch");
        now = door.page(A, &from(1, Fetched::TimedOut), now);
    }
    assert_eq!(door.ask(A, now), "fetch");
}

#[test]
fn other_hosts_do_not_wait_for_a_dead_one() {
    let mut door = door();
    door.open_host(A, 1, 0);
    door.open_host(B, 2, 0);
    fail_on(&mut door, &Fetched::TimedOut, 1800 * 1000);
    assert!(door.ask(A, HOUR / 2).starts_with("parked"));
    assert_eq!(door.ask(B, HOUR / 2), "fetch");
}

#[test]
fn parking_is_remembered() {
    let mut door = door();
    door.open_host(A, 1, 0);
    fail_on(&mut door, &Fetched::TimedOut, 1800 * 1000);
    let before = door.gate.host_view(&url(A));
    let answer = door.ask(A, HOUR / 2);
    door.reopen(None);
    assert_eq!(door.gate.n_parked(), 1);
    assert_eq!(door.gate.host_view(&url(A)), before);
    assert_eq!(door.ask(A, HOUR / 2), answer);
    let view = before.unwrap();
    assert_eq!(view.last_failure, Some(Outcome::TimedOut));
    assert!(!view.is_given_up);
    assert_eq!(
        door.gate.host_view(&url("http://nobody.example.com/")),
        None
    );
}

#[test]
fn rules_on_a_dead_host_make_who_sent_us_there_wait_as_well() {
    let mut door = door();
    let elsewhere = "http://b.example.com/rules";
    let own = "http://b.example.com/robots.txt";
    let mut now = 0;
    let mut n_asked = 0;
    loop {
        let answer = door.ask(A, now);
        if answer == format!("robots {A_ROBOTS}") {
            now = door.robots(A, A_ROBOTS, &from(1, answered(301, elsewhere)), now);
        } else if answer == format!("robots {own} for {elsewhere}") {
            now = door.robots(elsewhere, own, &from(2, Fetched::TimedOut), now);
            n_asked += 1;
        } else if answer.starts_with("not before") {
            now = answer.rsplit(' ').next().unwrap().parse().unwrap();
        } else {
            assert!(answer.starts_with("parked"), "{answer}");
            break;
        }
    }
    assert_eq!(n_asked, 3);
}
