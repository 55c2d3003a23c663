//! Clocks that are wrong, and clocks that are set.

use super::*;

const DAY: u64 = 24 * HOUR;
/// Some day in 2026.
const NOW: u64 = 1_790_000_000_000;

#[test]
fn a_clock_that_was_a_month_ahead_once_leaves_no_host_resting() {
    let mut door = door();
    let ahead = NOW + 30 * DAY;
    door.open_host(A, 1, ahead);
    assert_eq!(door.ask(A, ahead + 1000), "fetch");
    door.page(A, &from(1, answered(200, "")), ahead + 2000);
    // Another that fails, and a third that is dead.
    door.open_host(B, 2, ahead);
    assert_eq!(door.ask(B, ahead + 1000), "fetch");
    door.page(B, &from(2, answered(503, "")), ahead + 2000);
    let mut time = ahead;
    for _ in 0..3 {
        let robots = "http://c.example.com/robots.txt";
        assert_eq!(door.ask(C, time), format!("robots {robots}"));
        time = door.robots(C, robots, &from(3, Fetched::TimedOut), time);
    }
    assert!(door.ask(C, time).starts_with("parked"));
    door.reopen(None);
    assert_eq!(door.ask(A, NOW), format!("not before {}", NOW + 1000));
    // Its machine's clock is read a second later.
    let free_at = NOW + 1400;
    assert_eq!(door.ask(A, NOW + 1000), format!("not before {free_at}"));
    assert_eq!(door.ask(A, free_at), format!("robots {A_ROBOTS}"));
    assert_eq!(door.ask(B, NOW), format!("not before {}", NOW + 2000));
    assert_eq!(door.ask(C, NOW), format!("parked until {}", NOW + HOUR));
}

#[test]
fn a_crash_that_is_yet_to_come_was_just_now() {
    let mut door = door();
    door.open_host(A, 1, NOW);
    door.save();
    door.reopen(Some(NOW + 30 * DAY));
    assert_eq!(
        door.ask(A, NOW + 5000),
        format!("not before {}", NOW + 6000)
    );
}

#[test]
fn what_a_host_asked_for_is_kept_when_the_clock_is_read_again() {
    let mut door = door();
    door.open_host(A, 1, NOW);
    assert_eq!(door.ask(A, NOW + 1000), "fetch");
    let busy = answered_with(503, "Retry-After: 864000", "");
    door.page(A, &from(1, busy), NOW + 1000);
    door.reopen(None);
    let until = NOW + 1000 + 10 * DAY;
    assert_eq!(door.ask(A, NOW + DAY), format!("parked until {until}"));
}

#[test]
fn a_jump_of_the_clock_voids_no_delay_and_lengthens_none() {
    for (from_time, to) in [(NOW, NOW + 30 * DAY), (NOW + 30 * DAY, NOW)] {
        for is_forgotten in [false, true] {
            let mut door = door();
            door.open_host(A, 1, from_time - 2000);
            assert_eq!(door.ask(A, from_time - 1000), "fetch");
            let busy = answered_with(429, "Retry-After: 300", "");
            door.page(A, &from(1, busy), from_time - 1000);
            door.open_host(B, 2, from_time - 400);
            if is_forgotten {
                door.reopen(None);
            }
            door.gate.jumped(Jump {
                from: Time(from_time),
                to: Time(to),
            });
            // Rules may be too old by then, which asks no sooner.
            let rest = |answer: String| answer.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
            let waits = [A, B].map(|page| rest(door.ask(page, to)) - to);
            match (is_forgotten, to > from_time) {
                // What has to be read again counts as noted just now.
                (true, false) => assert_eq!(waits, [300_000, 1000]),
                _ => assert_eq!(waits, [299_000, 600]),
            }
        }
    }
}
