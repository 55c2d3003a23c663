use crate::{lines, numbers};
use learn::svm::{Example, Settings, Svm};
use learn::tfidf::Idf;

struct Document {
    is_learned: bool,
    is_positive: bool,
    terms: Vec<(u32, u32)>,
}

fn documents() -> Vec<Document> {
    lines(include_str!("recorded/pages.txt"))
        .map(|line| {
            let mut words = line.split_whitespace();
            let (part, sign) = (words.next().unwrap(), words.next().unwrap());
            let mut last = 0;
            let term = |word: &str| {
                let (gap, count) = word.split_once('*').unwrap_or((word, "1"));
                last += gap.parse::<u32>().unwrap();
                (last, count.parse().unwrap())
            };
            Document {
                is_learned: part == "learn",
                is_positive: sign == "+",
                terms: words.map(term).collect(),
            }
        })
        .collect()
}

/// Terms of documents to learn from have the first numbers; there are none
/// beyond them.
fn idf_of(documents: &[Document]) -> (Idf, u32) {
    let learned = documents.iter().filter(|document| document.is_learned);
    let learned: Vec<&[(u32, u32)]> = learned.map(|document| &document.terms[..]).collect();
    let last = learned.iter().filter_map(|terms| terms.last());
    let n_terms = last.map(|(term, _)| term + 1).max().unwrap();
    (Idf::of(learned, n_terms), n_terms)
}

#[test]
fn weights_are_those_of_tfidf_vectorizer() {
    let documents = documents();
    let (idf, _) = idf_of(&documents);
    let mut vectors = documents.iter().map(|document| idf.weigh(&document.terms));
    for line in lines(include_str!("recorded/tfidf.txt")) {
        let (kind, known) = line.split_once(' ').unwrap();
        let known = numbers(known);
        if kind == "idf" {
            let gap = (f64::from(idf.of_term(known[0] as u32)) - known[1]).abs();
            assert!(gap < 1e-6, "{line}");
            continue;
        }
        let vector = vectors.next().unwrap();
        assert_eq!(vector.len() as f64, known[0], "{line}");
        let sum: f64 = vector.iter().map(|(_, weight)| f64::from(*weight)).sum();
        assert!((sum - known[1]).abs() < 1e-4, "{line}: {sum}");
        let most = vector.iter().map(|(_, weight)| *weight).fold(0.0, f32::max);
        assert!((f64::from(most) - known[2]).abs() < 1e-6, "{line}: {most}");
        let weight = vector.iter().find(|(term, _)| f64::from(*term) == known[3]);
        assert!((weight.unwrap().1 - most).abs() < 1e-6, "{line}");
    }
    assert_eq!(vectors.next(), None);
}

/// What `LinearSVC` found for one cost.
struct Known {
    cost: f32,
    objective: f64,
    intercept: f64,
    right: f64,
    margins: Vec<f64>,
}

fn known() -> Vec<Known> {
    let mut all: Vec<Known> = Vec::new();
    for line in lines(include_str!("recorded/linear_svc.txt")) {
        let (kind, rest) = line.split_once(' ').unwrap();
        match numbers(rest)[..] {
            [cost, objective, intercept, right] if kind == "svc" => all.push(Known {
                cost: cost as f32,
                objective,
                intercept,
                right,
                margins: Vec::new(),
            }),
            [margin] => all.last_mut().unwrap().margins.push(margin),
            _ => panic!("{line}"),
        }
    }
    all
}

/// ½‖w‖² + C Σ max(0, 1 − y·w·x)², the bias being one of the weights.
fn objective(svm: &Svm, examples: &[Example<'_>], cost: f32) -> f64 {
    let weights = (0..svm.n_terms()).map(|term| svm.weight(term));
    let squares: f64 = weights
        .chain([svm.bias()])
        .map(|weight| f64::from(weight).powi(2))
        .sum();
    let lack = |example: &Example<'_>| {
        let margin = f64::from(svm.margin(example.terms));
        let margin = if example.is_positive { margin } else { -margin };
        (1.0 - margin).max(0.0).powi(2)
    };
    squares / 2.0 + f64::from(cost) * examples.iter().map(lack).sum::<f64>()
}

#[test]
fn planes_are_those_of_linear_svc() {
    let documents = documents();
    let (idf, n_terms) = idf_of(&documents);
    let weigh = |document: &Document| idf.weigh(&document.terms);
    let vectors: Vec<Vec<(u32, f32)>> = documents.iter().map(weigh).collect();
    let learned = documents
        .iter()
        .zip(&vectors)
        .filter(|(document, _)| document.is_learned);
    let examples: Vec<Example<'_>> = learned
        .map(|(document, terms)| Example {
            terms,
            is_positive: document.is_positive,
        })
        .collect();
    for known in known() {
        let cost = known.cost;
        let settings = Settings {
            cost,
            ..Settings::default()
        };
        let svm = Svm::train(&examples, n_terms, settings).unwrap();
        let objective = objective(&svm, &examples, cost);
        let excess = objective / known.objective - 1.0;
        assert!(excess.abs() < 1e-6, "C = {cost}: {objective}");
        assert!(
            (f64::from(svm.bias()) - known.intercept).abs() < 1e-4,
            "C = {cost}"
        );

        let mut n_right = 0;
        let mut worst: f64 = 0.0;
        for ((document, vector), known) in documents.iter().zip(&vectors).zip(&known.margins) {
            let margin = f64::from(svm.margin(vector));
            worst = worst.max((margin - known).abs());
            let is_right = (margin > 0.0) == document.is_positive;
            n_right += usize::from(is_right && !document.is_learned);
        }
        assert_eq!(known.margins.len(), documents.len());
        assert!(worst < 1e-4, "C = {cost}: a margin is off by {worst}");
        let n_held_out = documents.len() - examples.len();
        let right = n_right as f64 / n_held_out as f64;
        println!(
            "C = {cost}: objective {objective:.6} ({excess:+.1e} of LinearSVC's), \
             margins within {worst:.1e}, {:.1} % of {n_held_out} held-out pages right",
            100.0 * right
        );
        assert!((right - known.right).abs() < 1e-3, "C = {cost}: {right}");
    }
}
