use crate::{lines, numbers};
use learn::paired::t_test;
use learn::rank::spearman;

/// Equal to a few digits less than are stored, also where both are tiny.
fn assert_close(what: &str, told: f64, known: f64) {
    let gap = (told - known).abs() / known.abs().max(1e-300);
    assert!(gap < 1e-9, "{what}: {told}, SciPy says {known}");
}

#[test]
fn correlations_and_tests_are_those_of_scipy() {
    let mut n_pairs = 0;
    for line in lines(include_str!("recorded/statistics.txt")) {
        let [name, a, b, known] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (a, b) = (numbers(a), numbers(b));
        let [rho, rho_p, t, df, t_p] = numbers(known)[..] else {
            panic!("{known}")
        };
        let correlation = spearman(&a, &b).unwrap();
        assert_close(name, correlation.rho, rho);
        assert_close(name, correlation.p, rho_p);
        let test = t_test(&a, &b).unwrap();
        assert_close(name, test.t, t);
        assert_eq!(test.df as f64, df, "{name}");
        assert_close(name, test.p, t_p);
        n_pairs += 1;
    }
    assert_eq!(n_pairs, 9);
}
