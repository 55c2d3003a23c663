//! `lab run`: whole experiments.

use crate::program::Place;
use std::process::Command;

const EXPERIMENT: &str = r#"
title = "Small"
pages = 200
seeds = [1]
assign = ["url"]
order = ["breadth", { name = "adaptive", train_pages = 100 }, "focus"]
nodes = 2
"#;

#[test]
fn an_experiment_is_the_same_on_one_and_on_all_cores() {
    let place = Place::new();
    place.write("small.toml", EXPERIMENT);
    let run = |cores: Option<&str>, out: &str| {
        let args = ["lab", "run", "small.toml", "--out", out];
        let plain = place.command(&args);
        let mut command = match cores {
            // How many cores there are is what the program asks.
            Some(cores) => {
                let mut command = Command::new("taskset");
                command.args(["-c", cores]).arg(plain.get_program());
                command.args(plain.get_args());
                command.current_dir(place.path(""));
                command
            }
            None => plain,
        };
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        std::fs::read_to_string(place.path(out).join("results.csv")).unwrap()
    };
    let all = run(None, "all");
    assert_eq!(all.lines().count(), 1 + 3, "{all}");
    assert_eq!(run(Some("0"), "one"), all);
    let nodes = std::fs::read_to_string(place.path("all").join("nodes.csv")).unwrap();
    assert_eq!(nodes.lines().count(), 1 + 3 * 2, "{nodes}");
    let pages = |line: &str| line.split(',').nth(5).unwrap().parse::<u64>().unwrap();
    assert_eq!(nodes.lines().skip(1).map(pages).sum::<u64>(), 3 * 200);
}
