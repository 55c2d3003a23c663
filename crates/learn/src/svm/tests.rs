use super::*;
use proptest::prelude::*;

fn example(terms: &[(u32, f32)], is_positive: bool) -> Example<'_> {
    Example { terms, is_positive }
}

fn exact() -> Settings {
    Settings {
        tolerance: 1e-10,
        n_rounds: 100_000,
        ..Settings::default()
    }
}

/// ½‖w‖² + C Σ max(0, 1 − y·w·x)².
fn objective(weights: &[f64], bias: f64, examples: &[Example<'_>], cost: f64) -> f64 {
    let lack = |example: &Example<'_>| {
        let terms = example.terms.iter();
        let margin: f64 = terms
            .map(|&(term, value)| weights[term as usize] * f64::from(value))
            .sum();
        (1.0 - example.sign() * (margin + bias)).max(0.0).powi(2)
    };
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    (squares + bias * bias) / 2.0 + cost * examples.iter().map(lack).sum::<f64>()
}

/// Two points at ±1 on one axis: by symmetry no bias, and ½w² + 2C(1 − w)² is
/// least at w = 4C / (1 + 4C).
#[test]
fn two_points_have_the_known_plane() {
    let examples = [example(&[(0, 1.0)], true), example(&[(0, -1.0)], false)];
    for cost in [0.1, 1.0, 10.0] {
        let settings = Settings { cost, ..exact() };
        let svm = Svm::train(&examples, 1, settings).unwrap();
        let known = 4.0 * cost / (1.0 + 4.0 * cost);
        assert!((svm.weight(0) - known).abs() < 1e-6, "{svm:?}");
        assert!(svm.bias().abs() < 1e-6, "{svm:?}");
    }
}

#[test]
fn nothing_near_the_plane_is_better() {
    let rows = [
        vec![(0, 0.9), (2, 0.3)],
        vec![(0, 0.4), (1, 0.5)],
        vec![(1, 1.0), (2, 0.2)],
        vec![(0, 0.2), (2, 0.9)],
        vec![(1, 0.3), (2, 0.6)],
        vec![],
    ];
    let sides = [true, true, false, true, false, false];
    let examples: Vec<Example<'_>> = rows
        .iter()
        .zip(sides)
        .map(|(row, is_positive)| example(row, is_positive))
        .collect();
    let svm = Svm::train(&examples, 3, exact()).unwrap();
    let weights: Vec<f64> = (0..3).map(|term| f64::from(svm.weight(term))).collect();
    let bias = f64::from(svm.bias());
    let best = objective(&weights, bias, &examples, 1.0);
    for at in 0..4 {
        for change in [-1e-3, 1e-3] {
            let (mut weights, mut bias) = (weights.clone(), bias);
            match weights.get_mut(at) {
                Some(weight) => *weight += change,
                None => bias += change,
            }
            let other = objective(&weights, bias, &examples, 1.0);
            assert!(other > best, "weight {at}: {other} < {best}");
        }
    }
}

/// Made-up vectors of which every fifth is on the wrong side.
fn noisy(n: u32) -> Vec<(Vec<(u32, f32)>, bool)> {
    let row = |nth: u32| {
        let is_positive = nth.is_multiple_of(2);
        let topic = if is_positive { nth % 7 } else { 7 + nth % 5 };
        let common = 12 + nth.wrapping_mul(2_654_435_761) % 40;
        let terms = vec![(topic, 0.5), (common, 0.8), (60 + nth % 3, 0.2)];
        (terms, is_positive != nth.is_multiple_of(5))
    };
    (0..n).map(row).collect()
}

fn examples_of(rows: &[(Vec<(u32, f32)>, bool)]) -> Vec<Example<'_>> {
    let examples = rows.iter();
    examples
        .map(|(terms, is_positive)| example(terms, *is_positive))
        .collect()
}

#[test]
fn seeds_decide_the_way_not_the_plane() {
    let rows = noisy(300);
    let examples = examples_of(&rows);
    let train = |seed, tolerance| {
        let settings = Settings {
            seed,
            tolerance,
            ..exact()
        };
        Svm::train(&examples, 64, settings).unwrap()
    };
    assert_eq!(train(1, 1e-4), train(1, 1e-4));
    assert_ne!(train(1, 1e-1), train(2, 1e-1));
    let (one, other) = (train(1, 1e-10), train(2, 1e-10));
    for term in 0..64 {
        let gap = (one.weight(term) - other.weight(term)).abs();
        assert!(gap < 1e-5, "term {term}: {gap}");
    }
}

#[test]
fn later_examples_move_the_plane_their_way() {
    let rows = noisy(300);
    let mut svm = Svm::train(&examples_of(&rows), 80, Settings::default()).unwrap();
    // A word it has never seen becomes a sign of the topic.
    let news = [(70, 0.9), (71, 0.3)];
    let before = svm.margin(&news);
    let other = svm.margin(&[(3, 1.0)]);
    for _ in 0..20 {
        svm.learn(&example(&news, true));
    }
    assert!(before < 1.0 && svm.margin(&news) > 0.9, "{before}");
    // The bias moves too, but a word that was not there keeps its weight.
    assert!((svm.margin(&[(3, 1.0)]) - other).abs() < 0.7);

    let mut same = svm.clone();
    same.learn(&example(&[(0, f32::NAN)], true));
    same.learn(&example(&[(0, f32::INFINITY)], false));
    assert_eq!(same, svm);
}

/// An example that keeps its margin teaches nothing; one that lacks it is
/// moved as far as the dual's step says.
#[test]
fn a_step_is_the_step_of_the_dual() {
    let examples = [example(&[(0, 1.0)], true), example(&[(0, -1.0)], false)];
    let mut svm = Svm::train(&examples, 2, exact()).unwrap();
    let far = example(&[(0, 4.0)], true);
    let before = svm.clone();
    svm.learn(&far);
    assert_eq!(svm, before);
    // w·x + b is 0: lacks 1, and 1 + 1 + ½ bends it.
    svm.learn(&example(&[(1, 1.0)], false));
    assert!((svm.weight(1) + 0.4).abs() < 1e-6, "{svm:?}");
    assert!((svm.bias() + 0.4).abs() < 1e-6, "{svm:?}");
}

#[test]
fn odd_examples_are_refused_by_name() {
    let train = |examples: &[Example<'_>]| Svm::train(examples, 4, Settings::default());
    let why = |examples: &[Example<'_>]| train(examples).unwrap_err().to_string();
    assert_eq!(why(&[]), "no examples");
    let one = example(&[(0, 1.0)], true);
    assert_eq!(why(&[one, one]), "all 2 examples are positive");
    let twice = example(&[(1, 1.0), (1, 1.0)], false);
    let nan = example(&[(1, f32::NAN)], false);
    for bad in [twice, nan] {
        let message = "terms of example 1 are out of order or not finite";
        assert_eq!(why(&[one, bad]), message);
    }
    let too_many = Svm::train(&[one, nan], MAX_TERMS + 1, Settings::default());
    assert_eq!(
        too_many.unwrap_err().to_string(),
        "1048577 terms; 1048576 are possible"
    );
}

#[test]
fn vectors_of_nothing_leave_the_bias() {
    let nothing = [
        example(&[], true),
        example(&[], false),
        example(&[(9, 1.0)], false),
    ];
    let svm = Svm::train(&nothing, 4, exact()).unwrap();
    // ½b² + (1 − b)² + 2(1 + b)² is least at b = −2/7.
    assert!((svm.margin(&[]) + 2.0 / 7.0).abs() < 1e-6, "{svm:?}");
    assert_eq!(svm.margin(&[(1000, 3.0)]), svm.bias());
}

#[test]
fn bytes_bring_the_same_back() {
    let rows = noisy(100);
    let svm = Svm::train(&examples_of(&rows), 64, Settings::default()).unwrap();
    assert_eq!(Svm::from_bytes(&svm.to_bytes()), Ok(svm));
}

proptest! {
    #[test]
    fn any_numbers_give_a_finite_plane(
        rows in prop::collection::vec(
            (prop::collection::btree_map(0_u32..20, -1e6_f32..1e6, 0..6), any::<bool>()),
            0..20,
        ),
        cost in prop_oneof![Just(f32::NAN), -1.0_f32..1e4],
    ) {
        let rows: Vec<(Vec<(u32, f32)>, bool)> = rows
            .into_iter()
            .map(|(terms, is_positive)| (terms.into_iter().collect(), is_positive))
            .collect();
        let settings = Settings { cost, n_rounds: 50, ..Settings::default() };
        match Svm::train(&examples_of(&rows), 16, settings) {
            Ok(svm) => {
                prop_assert!(svm.bias().is_finite());
                prop_assert!((0..16).all(|term| svm.weight(term).is_finite()));
            }
            Err(TrainError::NoExamples) => prop_assert!(rows.is_empty()),
            Err(TrainError::OneClass { n_examples, .. }) => {
                prop_assert_eq!(n_examples, rows.len());
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn bytes_from_anywhere_do_no_harm(
        tail in prop::collection::vec(any::<u8>(), 0..200),
        n_terms in any::<u32>(),
    ) {
        let _ = Svm::from_bytes(&tail);
        let mut bytes = KIND.writer();
        bytes.f32(1.0);
        bytes.f32(0.0);
        bytes.u32(n_terms);
        let bytes = [bytes.into_bytes(), tail].concat();
        if let Ok(svm) = Svm::from_bytes(&bytes) {
            prop_assert!(svm.n_terms() <= MAX_TERMS);
        }
    }
}
