"""The ten-fold errors of another M5' tree, `m5py`, on the recorded sets.

It needs older libraries than `reference.py`, so it has a place of its own:

    python3 -m venv target/another_m5
    target/another_m5/bin/pip install m5py==0.3.3 scikit-learn==1.2.2 \\
        numpy==1.26.4 scipy==1.11.4 pandas==2.1.4 packaging
    target/another_m5/bin/python bench/learn_reference/another_m5.py
"""

from pathlib import Path

import numpy as np
from m5py import M5Prime

RECORDED = Path(__file__).resolve().parents[2] / "crates/learn/tests/reference/recorded"

for name in ("diabetes", "breast_cancer"):
    table = np.loadtxt(RECORDED / f"{name}.csv", delimiter=",", skiprows=1)
    rows, targets = table[:, :-1], table[:, -1]
    folds = np.arange(len(targets)) % 10
    told = np.empty_like(targets)
    for fold in range(10):
        tree = M5Prime(use_smoothing=True, use_pruning=True, random_state=0)
        tree.fit(rows[folds != fold], targets[folds != fold])
        told[folds == fold] = np.ravel(tree.predict(rows[folds == fold]))
    print(f"{name}: {np.sqrt(np.mean((told - targets) ** 2)):.2f}")
