"""What scikit-learn and SciPy say, for the tests of crate `learn` to agree with.

    python3 -m venv target/learn_reference
    target/learn_reference/bin/pip install -r bench/learn_reference/requirements.txt
    target/learn_reference/bin/python bench/learn_reference/reference.py

writes `crates/learn/tests/reference/recorded/`, which is committed: tests need
neither Python nor the internet. With

    … reference.py --restaurants PAGES.jsonl.zst --university PAGES.warc.gz

the text set is drawn anew as well: pages of restaurants, one JSON object with
`url` and `html` a line, against pages of a university. Without, the recorded
one is used as it is.
"""

import argparse
import gzip
import io
import json
import random
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlparse

import numpy as np
import zstandard
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor

OUT = Path(__file__).resolve().parents[2] / "crates/learn/tests/reference/recorded"

# Sites of restaurants whose pages are learned from; those of the other sites
# are held out. Hosts of the university are divided by their names.
LEARNED = {"www.frommers.com", "www.opentable.com", "www.pickarestaurant.com"}
N_LEARNED, N_HELD_OUT = 90, 45


# --- The text set -----------------------------------------------------------


class Text(HTMLParser):
    """The text of a page, without scripts and styles."""

    def __init__(self):
        super().__init__()
        self.words, self.silent = [], 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in ("script", "style")

    def handle_endtag(self, tag):
        self.silent -= tag in ("script", "style") and self.silent > 0

    def handle_data(self, data):
        if not self.silent:
            self.words += re.findall(r"\w\w+", data.lower())


def words_of(html):
    text = Text()
    text.feed(html)
    return text.words


def restaurants(path):
    with open(path, "rb") as file:
        reader = zstandard.ZstdDecompressor().stream_reader(file)
        for line in io.TextIOWrapper(reader, "utf-8"):
            page = json.loads(line)
            yield urlparse(page["url"]).netloc, page["html"]


def university(path):
    with gzip.open(path) as file:
        while line := file.readline():
            if not line.startswith(b"WARC/"):
                continue
            head = {}
            while field := file.readline().strip():
                name, value = field.split(b":", 1)
                head[name.lower()] = value.strip().decode()
            block = file.read(int(head[b"content-length"]))
            if head[b"warc-type"] == "response":
                _, _, body = block.partition(b"\r\n\r\n")
                host = urlparse(head[b"warc-target-uri"]).netloc
                yield host, body.decode("utf-8", "replace")


def draw(pages, is_learned):
    """So many pages to learn from and to hold out, with at least 40 words."""
    dice = random.Random(8)
    pages = sorted((host, words) for host, html in pages if len(words := words_of(html)) >= 40)
    dice.shuffle(pages)
    learned = [words for host, words in pages if is_learned(host)]
    held_out = [words for host, words in pages if not is_learned(host)]
    return learned[:N_LEARNED], held_out[:N_HELD_OUT]


def write_pages(args):
    """Numbers of terms and counts; terms of pages to learn from come first, the
    most common first of all, which makes gaps short."""
    yes = draw(restaurants(args.restaurants), lambda host: host in LEARNED)
    no = draw(university(args.university), lambda host: sum(host.encode()) % 3 > 0)
    documents = [
        (part, sign, words)
        for part, at in (("learn", 0), ("held", 1))
        for sign, sides in (("+", yes), ("-", no))
        for words in sides[at]
    ]
    number = {}
    for wanted in ("learn", "held"):
        pages = [set(words) for part, _, words in documents if part == wanted]
        n_pages = Counter(word for words in pages for word in words)
        for word in sorted(n_pages.keys() - number.keys(), key=lambda word: (-n_pages[word], word)):
            number[word] = len(number)
    with open(OUT / "pages.txt", "w") as file:
        print("# Pages of restaurants (+) and of a university (-): numbers of terms, each as", file=file)
        print("# the gap to the one before, with *count where it is not one.", file=file)
        for part, sign, words in documents:
            terms = [number[word] for word in words]
            line, last = [part, sign], 0
            for term in sorted(set(terms)):
                count = terms.count(term)
                line.append(f"{term - last}" + (f"*{count}" if count > 1 else ""))
                last = term
            print(*line, file=file)


def read_pages():
    for line in (OUT / "pages.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        part, sign, *terms = line.split()
        words, last = [], 0
        for term in terms:
            gap, _, count = term.partition("*")
            last += int(gap)
            words += [last] * int(count or 1)
        yield part, sign == "+", words


# --- What is said of it -----------------------------------------------------


def write_text_models():
    documents = list(read_pages())
    learned = [words for part, _, words in documents if part == "learn"]
    vectorizer = TfidfVectorizer(analyzer=lambda words: words, sublinear_tf=True)
    vectorizer.fit(learned)
    vectors = vectorizer.transform([words for _, _, words in documents])
    terms = vectorizer.get_feature_names_out()
    with open(OUT / "tfidf.txt", "w") as file:
        print("# TfidfVectorizer(sublinear_tf=True): term, idf", file=file)
        for at in range(0, len(terms), 200):
            print("idf", terms[at], repr(float(vectorizer.idf_[at])), file=file)
        print("# For each document: terms known, sum of weights, largest weight and its term", file=file)
        for row in vectors:
            best = row.data.argmax()
            term = terms[row.indices[best]]
            print("document", row.nnz, f"{row.sum():.9g} {row.data[best]:.9g}", term, file=file)

    is_learned = np.array([part == "learn" for part, _, _ in documents])
    sides = np.array([1 if is_positive else -1 for _, is_positive, _ in documents])
    with open(OUT / "linear_svc.txt", "w") as file:
        print("# LinearSVC on learned documents: cost, objective, intercept, share of", file=file)
        print("# held-out documents on the right side; then the margin of each document", file=file)
        for cost in (0.1, 1.0, 10.0):
            svc = LinearSVC(C=cost, dual=True, tol=1e-9, max_iter=1_000_000, random_state=0)
            svc.fit(vectors[is_learned], sides[is_learned])
            margins = svc.decision_function(vectors)
            lack = np.maximum(0, 1 - sides * margins)[is_learned]
            squares = (svc.coef_**2).sum() + svc.intercept_[0] ** 2
            objective = squares / 2 + cost * (lack**2).sum()
            right = np.mean((margins > 0) == (sides > 0), where=~is_learned)
            print("svc", cost, f"{objective:.9g} {svc.intercept_[0]:.9g} {right:.6g}", file=file)
            for margin in margins:
                print("margin", f"{margin:.7g}", file=file)
            print(f"LinearSVC, C = {cost}: {right:.1%} of held-out pages on the right side")


# --- Regression -------------------------------------------------------------


def sets():
    diabetes = load_diabetes(scaled=False)
    yield "diabetes", diabetes.feature_names, diabetes.data, "progression", diabetes.target
    cancer = load_breast_cancer()
    names = list(cancer.feature_names)
    area = cancer.data[:, names.index("worst area")]
    yield "breast_cancer", names[:10], cancer.data[:, :10], "worst area", area


def write_regressions():
    tuned = GridSearchCV(
        DecisionTreeRegressor(random_state=0),
        {"min_samples_leaf": [1, 2, 5, 10, 20, 50], "max_depth": [2, 4, 8, None]},
        scoring="neg_mean_squared_error",
        cv=5,
    )
    models = {
        "cart": DecisionTreeRegressor(random_state=0),
        "tuned_cart": tuned,
        "linear": LinearRegression(),
    }
    with open(OUT / "regression.txt", "w") as file:
        print("# Root mean squared error, ten-fold: row i is held out in fold i mod 10", file=file)
        for name, attributes, rows, target, targets in sets():
            order = np.random.default_rng(8).permutation(len(targets))
            rows, targets = rows[order], targets[order]
            table = np.column_stack([rows, targets])
            header = ",".join([*attributes, target])
            np.savetxt(OUT / f"{name}.csv", table, fmt="%.6g", delimiter=",", header=header, comments="")
            table = np.loadtxt(OUT / f"{name}.csv", delimiter=",", skiprows=1)
            rows, targets = table[:, :-1], table[:, -1]
            folds = np.arange(len(targets)) % 10
            for model_name, model in models.items():
                told = np.empty_like(targets)
                for fold in range(10):
                    model.fit(rows[folds != fold], targets[folds != fold])
                    told[folds == fold] = model.predict(rows[folds == fold])
                error = np.sqrt(np.mean((told - targets) ** 2))
                print(name, model_name, f"{error:.4f}", file=file)
                print(f"{name}, {model_name}: {error:.2f}")


# --- Statistics -------------------------------------------------------------


def write_statistics():
    dice = np.random.default_rng(8)
    diabetes = load_diabetes(scaled=False)
    column = dict(zip(diabetes.feature_names, diabetes.data.T))
    counts = np.floor(dice.pareto(1.1, 300))
    pairs = {
        "few": ([3.0, 1.5, 4.0, 2.0], [2.0, 1.0, 5.0, 4.5]),
        "ties": ([1, 2, 2, 3, 3, 3, 7], [5, 5, 4, 4, 4, 1, 2]),
        "in-links": (counts, np.floor(counts * dice.uniform(0.2, 2.0, 300))),
        "unrelated": (np.floor(dice.pareto(1.1, 300)), np.floor(dice.pareto(1.1, 300))),
        "body mass and progression": (column["bmi"], diabetes.target),
        "sex and progression": (column["sex"], diabetes.target),
        "s1 and s2": (column["s1"], column["s2"]),
        "37 topics": (dice.normal(0.70, 0.05, 37), dice.normal(0.66, 0.06, 37)),
        "37 topics alike": ((base := dice.normal(2.8, 0.5, 37)), base + dice.normal(0.02, 0.1, 37)),
    }
    with open(OUT / "statistics.txt", "w") as file:
        print("# name; a; b; spearmanr(a, b): rho, p; ttest_rel(a, b): t, df, p", file=file)
        for name, (a, b) in pairs.items():
            a, b = np.round(np.asarray(a, float), 6), np.round(np.asarray(b, float), 6)
            rank, test = stats.spearmanr(a, b), stats.ttest_rel(a, b)
            numbers = lambda values: " ".join(repr(float(value)) for value in values)
            told = numbers([rank.statistic, rank.pvalue, test.statistic, test.df, test.pvalue])
            print(f"{name}; {numbers(a)}; {numbers(b)}; {told}", file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--restaurants", type=Path)
    parser.add_argument("--university", type=Path)
    args = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    if args.restaurants and args.university:
        write_pages(args)
    write_text_models()
    write_regressions()
    write_statistics()


if __name__ == "__main__":
    main()
