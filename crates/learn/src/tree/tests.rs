use super::*;
use proptest::prelude::*;

/// Points of a cube that look random and are always the same.
fn points<const N: usize>(n: usize) -> Vec<[f64; N]> {
    let mut state = 0x1234_5678_9abc_def1;
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for _ in 0..N {
        let mut column: Vec<f64> = (0..n).map(|nth| nth as f64 / n as f64).collect();
        crate::shuffle::shuffle(&mut column, &mut state);
        columns.push(column);
    }
    (0..n)
        .map(|at| std::array::from_fn(|column| columns[column][at]))
        .collect()
}

fn grow<const N: usize>(rows: &[[f64; N]], f: impl Fn(&[f64; N]) -> f64) -> ModelTree {
    let targets: Vec<f64> = rows.iter().map(f).collect();
    ModelTree::grow(rows, &targets, Settings::default()).unwrap()
}

fn grow_unsmoothed<const N: usize>(rows: &[[f64; N]], f: impl Fn(&[f64; N]) -> f64) -> ModelTree {
    let targets: Vec<f64> = rows.iter().map(f).collect();
    let settings = Settings {
        smoothing: 0.0,
        ..Settings::default()
    };
    ModelTree::grow(rows, &targets, settings).unwrap()
}

fn depth(tree: &ModelTree, at: usize) -> usize {
    match tree.nodes[at] {
        Node::Split { high, .. } => 1 + depth(tree, at + 1).max(depth(tree, high as usize)),
        Node::Leaf { .. } => 0,
    }
}

#[test]
fn a_linear_function_is_one_leaf() {
    let tree = grow(&points::<4>(500), |[x, y, _, z]| {
        3.0 + 2.0 * x - 7.0 * y + 0.5 * z
    });
    assert_eq!(tree.n_leaves(), 1, "{}", tree.show(&[]));
    let (base, factors) = tree.model(0);
    for (factor, known) in factors.iter().zip([2.0, -7.0, 0.0, 0.5]) {
        assert!((factor - known).abs() < 1e-6, "{factors:?}");
    }
    assert!((base - 3.0).abs() < 1e-6, "{base}");
    // It goes on beyond the examples.
    assert!((tree.predict(&[10.0, 0.0, 0.0, 0.0]) - 23.0).abs() < 1e-5);
}

#[test]
fn noise_does_not_make_leaves() {
    let points = points::<3>(600);
    let rows: Vec<[f64; 2]> = points.iter().map(|[x, y, _]| [*x, *y]).collect();
    let noisy = |[x, _, noise]: &[f64; 3]| 4.0 * x + 0.2 * (noise - 0.5);
    let targets: Vec<f64> = points.iter().map(noisy).collect();
    let tree = ModelTree::grow(&rows, &targets, Settings::default()).unwrap();
    assert!(tree.n_leaves() <= 2, "{}", tree.show(&[]));
    assert!((tree.predict(&[0.5, 0.5]) - 2.0).abs() < 0.02);
}

#[test]
fn a_constant_is_itself() {
    let tree = grow(&points::<2>(100), |_| 4.25);
    assert_eq!(tree.n_leaves(), 1);
    assert_eq!(tree.predict(&[0.3, 0.9]), 4.25);
}

#[test]
fn a_step_is_split_where_it_is() {
    let rows = points::<3>(400);
    let tree = grow_unsmoothed(&rows, |[_, x, _]| if *x < 0.3 { -2.0 } else { 5.0 });
    let known = "x1 <= 0.2987\n|  -2 (120 rows)\nx1 > 0.2987\n|  5 (280 rows)\n";
    assert_eq!(tree.show(&[]), known);
    assert!(matches!(
        tree.nodes[0],
        Node::Split { attribute: 1, threshold, .. } if (0.2975..0.3).contains(&threshold)
    ));
    assert_eq!(tree.predict(&[0.0, 0.29, 0.0]), -2.0);
    assert_eq!(tree.predict(&[0.0, 0.31, 0.0]), 5.0);
}

#[test]
fn pieces_have_their_own_slopes() {
    let f = |[x, y]: &[f64; 2]| match *x < 0.6 {
        true => 1.0 + 10.0 * x,
        false => 30.0 - 8.0 * x + 4.0 * y,
    };
    let tree = grow_unsmoothed(&points::<2>(1000), f);
    let shown = "\
wide <= 0.5995
|  1 + 10 wide (600 rows)
wide > 0.5995
|  30 - 8 wide + 4 x1 (400 rows)
";
    assert_eq!(tree.show(&["wide"]), shown);
}

#[test]
fn pieces_within_pieces_are_found() {
    let f = |[x, y, z]: &[f64; 3]| match (*x < 0.5, *y < 0.25) {
        (true, true) => 100.0 + 20.0 * z,
        (true, false) => 140.0 - 20.0 * z,
        (false, _) => 30.0 * z,
    };
    let rows = points::<3>(2000);
    let tree = grow_unsmoothed(&rows, f);
    assert_eq!(tree.n_leaves(), 3, "{}", tree.show(&[]));
    for row in &rows {
        assert!((tree.predict(row) - f(row)).abs() < 1e-5, "{row:?}");
    }
}

/// What is continuous is split where it deviates least, not at its bend: more
/// leaves than pieces, but close.
#[test]
fn a_bend_is_approximated() {
    let f = |[x]: &[f64; 1]| (x - 0.4).abs();
    let tree = grow(&points::<1>(1000), f);
    let gap = |nth: u32| {
        let x = f64::from(nth) / 200.0;
        (tree.predict(&[x]) - f(&[x])).abs()
    };
    let mean = (0..200).map(gap).sum::<f64>() / 200.0;
    assert!(mean < 0.01, "{mean}\n{}", tree.show(&[]));
}

/// p' = (n·p + k·q) / (n + k), all the way up.
#[test]
fn predictions_are_smoothed_on_their_way_up() {
    let rows: Vec<[f64; 1]> = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(|x| [x]).into();
    let targets = [0.0, 0.0, 4.0, 4.0, 50.0, 50.0, 90.0, 90.0];
    let settings = Settings {
        prune: false,
        ..Settings::default()
    };
    let tree = ModelTree::grow(&rows, &targets, settings).unwrap();
    let columns = [rows.iter().map(|[x]| *x).collect()];
    let line = |rows: &[u32], x: f64| {
        let linear = regression::fit(&columns, &targets, rows, &[0], 1e-8).linear;
        let slopes = linear.factors.iter().map(|(_, factor)| factor * x);
        linear.base + slopes.sum::<f64>()
    };
    let mix = |n: f64, p: f64, q: f64| (n * p + 15.0 * q) / (n + 15.0);
    for (x, leaf) in [(0.5, 0.0), (2.5, 4.0)] {
        let below = mix(2.0, leaf, line(&[0, 1, 2, 3], x));
        let known = mix(4.0, below, line(&[0, 1, 2, 3, 4, 5, 6, 7], x));
        let told = tree.predict(&[x]);
        assert!(
            (told - known).abs() < 1e-6,
            "{told} {known}\n{}",
            tree.show(&[])
        );
    }
}

#[test]
fn odd_rows_are_refused_by_number() {
    let grow = |rows: &[&[f64]], targets: &[f64]| {
        ModelTree::grow(rows, targets, Settings::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(grow(&[], &[]), "no rows");
    assert_eq!(grow(&[&[1.0]], &[]), "1 rows and 0 targets");
    assert_eq!(grow(&[&[1.0], &[]], &[1.0, 1.0]), "row 1 has 0 attributes");
    let many = [0.0; MAX_ATTRIBUTES + 1];
    assert_eq!(grow(&[&many], &[1.0]), "row 0 has 1025 attributes");
    for odd in [f64::NAN, f64::INFINITY, -1e200] {
        let message = "a number in row 1 is not finite";
        assert_eq!(grow(&[&[1.0], &[odd]], &[1.0, 1.0]), message);
        assert_eq!(grow(&[&[1.0], &[1.0]], &[1.0, odd]), message);
    }
}

#[test]
fn few_rows_and_few_attributes_are_enough() {
    let grow = |rows: &[&[f64]], targets: &[f64]| {
        ModelTree::grow(rows, targets, Settings::default()).unwrap()
    };
    assert_eq!(grow(&[&[7.0]], &[3.0]).predict(&[1.0]), 3.0);
    assert_eq!(grow(&[&[], &[]], &[3.0, 5.0]).predict(&[]), 4.0);
    assert_eq!(
        grow(&[&[1.0], &[2.0], &[3.0]], &[1.0, 2.0, 6.0]).predict(&[9.0]),
        3.0
    );
    // The same row with different targets.
    let same: [&[f64]; 6] = [&[2.0, 2.0]; 6];
    let tree = grow(&same, &[1.0, 2.0, 3.0, 3.0, 4.0, 5.0]);
    assert_eq!((tree.n_leaves(), tree.predict(&[2.0, 2.0])), (1, 3.0));
    // A row that is too short, and one that is too long.
    assert_eq!(tree.predict(&[]), 3.0);
    assert_eq!(tree.predict(&[1.0, 2.0, 3.0]), 3.0);
}

#[test]
fn trees_do_not_grow_without_end() {
    let n = 4000;
    let rows: Vec<[f64; 1]> = (0..n).map(|nth| [f64::from(nth)]).collect();
    let targets: Vec<f64> = (0..n).map(|nth| f64::from(nth).powi(9)).collect();
    let settings = Settings {
        min_deviation: 0.0,
        min_rows: 0,
        prune: false,
        ..Settings::default()
    };
    let tree = ModelTree::grow(&rows, &targets, settings).unwrap();
    assert!(depth(&tree, 0) <= MAX_DEPTH);
    assert_eq!(ModelTree::from_bytes(&tree.to_bytes()), Ok(tree));
}

#[test]
fn bytes_bring_the_same_back() {
    let tree = grow(&points::<2>(300), |[x, y]| if *x < 0.5 { *y } else { 9.0 });
    assert!(tree.n_leaves() > 1);
    assert_eq!(ModelTree::from_bytes(&tree.to_bytes()), Ok(tree));
    // Splits below splits without end.
    let mut writer = KIND.writer();
    writer.u32(1);
    for _ in 0..100_000 {
        writer.u32(0);
        writer.f64(0.5);
    }
    let error = ModelTree::from_bytes(&writer.into_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "model tree is damaged");
}

proptest! {
    #[test]
    fn any_finite_rows_give_finite_predictions(
        rows in prop::collection::vec(
            (prop_oneof![-3.0..3.0, Just(1.0), -1e99..1e99], -2_i8..3, -1e-90..1e-90),
            1..60,
        ),
        targets in prop::collection::vec(prop_oneof![-1e3..1e3, Just(0.0), -1e99..1e99], 60),
        prune in any::<bool>(),
    ) {
        let rows: Vec<[f64; 4]> =
            rows.into_iter().map(|(a, b, c)| [a, f64::from(b), c, a]).collect();
        let settings = Settings { prune, ..Settings::default() };
        let tree = ModelTree::grow(&rows, &targets[..rows.len()], settings).unwrap();
        for row in &rows {
            prop_assert!(tree.predict(row).is_finite());
        }
        prop_assert_eq!(ModelTree::from_bytes(&tree.to_bytes()), Ok(tree));
    }

    #[test]
    fn bytes_from_anywhere_do_no_harm(
        tail in prop::collection::vec(
            prop_oneof![Just(0), Just(255), any::<u8>()], 0..300,
        ),
        n_attributes in 0_u32..4,
    ) {
        let _ = ModelTree::from_bytes(&tail);
        let mut bytes = KIND.writer();
        bytes.u32(n_attributes);
        let bytes = [bytes.into_bytes(), tail].concat();
        if let Ok(tree) = ModelTree::from_bytes(&bytes) {
            let _ = tree.predict(&[1.0, 2.0, 3.0, 4.0]);
            let _ = tree.show(&[]);
        }
    }
}
