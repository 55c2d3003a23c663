//! How long hosts are left alone while they live.

use super::*;

/// A landing that took so long.
fn slow(milliseconds: u64, fetched: Fetched) -> Landing {
    Landing {
        took: Duration::from_millis(milliseconds),
        ..from(1, fetched)
    }
}

#[test]
fn failing_hosts_are_asked_less_and_less() {
    let mut door = door();
    door.open_host(A, 1, 0);
    let mut waits = Vec::new();
    let mut now = 1000;
    for fetched in [Fetched::TimedOut, answered(429, ""), answered(429, "")] {
        assert_eq!(door.ask(A, now), "fetch");
        let free_at = door.page(A, &from(1, fetched), now);
        waits.push(free_at - now);
        now = free_at;
    }
    assert_eq!(waits, [4000, 16_000, 64_000]);
    assert_eq!(door.ask(A, now), "fetch");
    assert_eq!(door.page(A, &from(1, answered(200, "")), now) - now, 1000);
}

#[test]
fn slow_answers_lengthen_the_delay_at_once_and_quick_ones_shorten_it_slowly() {
    let mut door = door();
    door.open_host(A, 1, 0);
    let mut now = 1000;
    let mut waits = Vec::new();
    for took in [100, 2000, 100, 100, 100, 3000] {
        assert_eq!(door.ask(A, now), "fetch");
        let free_at = door.page(A, &slow(took, answered(200, "")), now + took);
        waits.push(free_at - now - took);
        now = free_at;
    }
    assert_eq!(waits, [1000, 10_000, 8810, 7770, 6860, 15_000]);
    for _ in 0..40 {
        assert_eq!(door.ask(A, now), "fetch");
        now = door.page(A, &slow(100, answered(200, "")), now);
    }
    assert_eq!(
        door.gate.host_view(&url(A)).unwrap().delay,
        door.settings.delay
    );
}

#[test]
fn slow_answers_alone_never_ask_for_more_than_the_longest_delay() {
    let mut door = door();
    door.open_host(A, 1, 0);
    assert_eq!(door.ask(A, 1000), "fetch");
    assert_eq!(door.page(A, &slow(9000, answered(200, "")), 10_000), 40_000);
    door.reopen(None);
    assert_eq!(door.ask(A, 39_999), "not before 40000");
    assert_eq!(door.ask(A, 40_000), "fetch");
    door.ask(B, 100_000);
    let rules = "User-agent: *\nCrawl-delay: 45\n";
    let b_robots = "http://b.example.com/robots.txt";
    let free_at = door.robots(B, b_robots, &slow(9000, answered(200, rules)), 109_000);
    assert_eq!(free_at, 154_000, "a longer crawl delay is kept");
}

#[test]
fn a_factor_of_zero_leaves_the_time_of_answers_out() {
    let mut door = door_with(Settings {
        delay_factor: 0.0,
        ..Settings::default()
    });
    door.open_host(A, 1, 0);
    assert_eq!(door.ask(A, 1000), "fetch");
    assert_eq!(door.page(A, &slow(9000, answered(200, "")), 10_000), 11_000);
}

#[test]
fn refusals_of_names_say_nothing_about_how_slow_a_host_is() {
    let mut door = door();
    door.open_host(A, 1, 0);
    assert_eq!(door.ask(A, 1000), "fetch");
    door.page(A, &slow(9000, Fetched::Unresolved), 10_000);
    let view = door.gate.host_view(&url(A)).unwrap();
    assert_eq!(
        (view.delay, view.answer_time),
        (door.settings.delay, Duration::ZERO)
    );
    assert_eq!(view.answered_at, Some(Time(0)), "when the rules came");
}

#[test]
fn a_machine_may_be_asked_on_several_connections() {
    let mut door = door_with(Settings {
        server_delay: Duration::from_millis(400),
        machine_connections: 2,
        ..Settings::default()
    });
    for (host, now) in [(A, 0), (B, 1000), (C, 2000)] {
        door.open_host(host, 1, now);
    }
    assert_eq!(door.ask(A, 5000), "fetch");
    assert_eq!(door.ask(B, 5000), "not before 5400", "one after another");
    assert_eq!(door.ask(B, 5400), "fetch");
    assert_eq!(door.ask(C, 5800), "not before 6000", "both are taken");
    door.page(A, &from(1, answered(200, "")), 5900);
    assert_eq!(door.ask(C, 6300), "fetch");
}

#[test]
fn retry_after_is_kept_to_and_remembered() {
    let mut door = door();
    door.open_host(A, 1, 0);
    for (status, now) in [(429, 10_000), (503, 1_000_000)] {
        assert_eq!(door.ask(A, now), "fetch");
        let busy = answered_with(status, "Retry-After: 300", "");
        assert_eq!(door.page(A, &from(1, busy), now), now + 300_000);
        door.reopen(None);
        let expected = format!("not before {}", now + 300_000);
        assert_eq!(door.ask(A, now + 299_999), expected);
    }
    // Elsewhere the header means something else.
    let now = 2_000_000;
    assert_eq!(door.ask(A, now), "fetch");
    let moved = answered_with(301, "Retry-After: 300", "http://a.example.com/");
    assert_eq!(door.page(A, &from(1, moved), now), now + 1000);
}

#[test]
fn retry_after_may_be_a_date() {
    let mut door = door();
    let now = 784_111_777_000;
    door.open_host(A, 1, now - 10_000);
    assert_eq!(door.ask(A, now), "fetch");
    let busy = answered_with(503, "Retry-After: Sun, 06 Nov 1994 08:59:37 GMT", "");
    assert_eq!(door.page(A, &from(1, busy), now), now + 600_000);
}

#[test]
fn a_short_retry_after_does_not_shorten_the_growing_wait() {
    let mut door = door();
    door.open_host(A, 1, 0);
    let mut now = 1000;
    let mut waits = Vec::new();
    for value in ["1", "soon", "0", "99999999999"] {
        assert_eq!(door.ask(A, now), "fetch");
        let busy = answered_with(429, &format!("Retry-After: {value}"), "");
        let free_at = door.page(A, &from(1, busy), now);
        waits.push((free_at - now) / 1000);
        now = free_at;
    }
    assert_eq!(waits, [4, 16, 64, 256]);
}

#[test]
fn who_asks_to_be_left_alone_for_days_is_parked() {
    let mut door = door();
    door.open_host(A, 1, 0);
    assert_eq!(door.ask(A, 1000), "fetch");
    let two_days = 48 * HOUR;
    let busy = answered_with(429, &format!("Retry-After: {}", two_days / 1000), "");
    door.page(A, &from(1, busy), 1000);
    assert_eq!(
        door.ask(A, 2000),
        format!("parked until {}", 1000 + two_days)
    );
    assert_eq!(
        door.ask(A, 1000 + two_days),
        format!("robots {A_ROBOTS}"),
        "its rules are old by then"
    );
}

#[test]
fn who_is_always_asked_too_much_is_given_up_after_days() {
    let mut door = door_with(Settings {
        delay: Duration::ZERO,
        ..Settings::default()
    });
    door.open_host(A, 1, 0);
    let mut now = 1000;
    let mut n_asked = 0;
    let refused = loop {
        let answer = door.ask(A, now);
        match answer.split(' ').next().unwrap() {
            "fetch" => {
                n_asked += 1;
                door.page(A, &from(1, answered(429, "")), now);
            }
            // That the rules are there does not help its pages.
            "robots" => _ = door.robots(A, A_ROBOTS, &from(1, answered(404, "")), now),
            "refused" => break answer,
            _ => now = answer.rsplit(' ').next().unwrap().parse().unwrap(),
        }
    };
    assert_eq!(refused, "refused Status");
    assert_eq!(n_asked, 12);
    assert!((4..10).contains(&(now / (24 * HOUR))), "after {now} ms");
}
