//! Every reader of foreign bytes, on thousands of inputs that are almost right.

use bench::fuzz::TARGETS;
use bench::mutate::{Dice, SEEDS, mutate};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Inputs for each target; a few seconds in all without optimisation.
const N_INPUTS: usize = 6_000;

#[test]
fn nothing_that_comes_in_breaks_a_reader() {
    let mut broken = Vec::new();
    for target in TARGETS {
        let seeds = SEEDS.iter().find(|seeds| seeds.target == target.name);
        let seeds = seeds.expect("every target has seeds");
        let mut dice = Dice::new(2_006);
        let inputs = seeds.inputs.iter().map(|input| input.as_bytes().to_vec());
        let mutated = (0..N_INPUTS).map(|_| mutate(seeds, &mut dice));
        for input in inputs.chain(mutated) {
            if catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_err() {
                broken.push((target.name, String::from_utf8_lossy(&input).into_owned()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_same_inputs_are_made_each_time() {
    let make = || {
        let mut dice = Dice::new(7);
        (0..50)
            .map(|_| mutate(&SEEDS[0], &mut dice))
            .collect::<Vec<_>>()
    };
    assert_eq!(make(), make());
    assert!(
        make()
            .iter()
            .any(|input| input != SEEDS[0].inputs[0].as_bytes())
    );
}
