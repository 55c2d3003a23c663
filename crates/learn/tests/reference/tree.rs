use crate::lines;
use learn::tree::{ModelTree, Settings};

/// Rows and targets, the last column.
fn table(text: &str) -> (Vec<Vec<f64>>, Vec<f64>) {
    let row = |line: &str| {
        let mut row: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let target = row.pop().unwrap();
        (row, target)
    };
    text.lines().skip(1).map(row).unzip()
}

/// Root mean squared error over ten folds.
fn error(rows: &[Vec<f64>], targets: &[f64], settings: Settings) -> f64 {
    let mut squares = 0.0;
    for fold in 0..10 {
        let is_held_out = |row_idx: &usize| row_idx % 10 == fold;
        let (held_out, learned): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(is_held_out);
        let learned_rows: Vec<&Vec<f64>> = learned.iter().map(|at| &rows[*at]).collect();
        let learned_targets: Vec<f64> = learned.iter().map(|at| targets[*at]).collect();
        let tree = ModelTree::grow(&learned_rows, &learned_targets, settings).unwrap();
        let misses = held_out
            .iter()
            .map(|at| tree.predict(&rows[*at]) - targets[*at]);
        squares += misses.map(|miss| miss * miss).sum::<f64>();
    }
    (squares / rows.len() as f64).sqrt()
}

fn known(set: &str, model: &str) -> f64 {
    let mut records = lines(include_str!("recorded/regression.txt"));
    let prefix = format!("{set} {model} ");
    let error = records.find_map(|line| line.strip_prefix(&prefix));
    error.unwrap().parse().unwrap()
}

/// Against a regression tree grown to the end, the same cut to the size that
/// did best in an inner cross-validation, and one linear model for all. Our
/// own figure is on record too, in `bench/learn_reference/results.md`.
fn compare(set: &str, text: &str, own: f64) {
    let (rows, targets) = table(text);
    let told = error(&rows, &targets, Settings::default());
    assert!((told - own).abs() < 0.01, "{set}: {told}");
    assert!(told < known(set, "cart"), "{set}: {told}");
    assert!(told < known(set, "tuned_cart"), "{set}: {told}");
}

#[test]
fn model_trees_err_less_than_regression_trees() {
    compare("diabetes", include_str!("recorded/diabetes.csv"), 54.86);
    compare(
        "breast_cancer",
        include_str!("recorded/breast_cancer.csv"),
        148.32,
    );
}
