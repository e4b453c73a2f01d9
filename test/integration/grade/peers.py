"""Statistics of other libraries on the cases of stdin, as JSON on stdout, for peers.test.ts."""

import json
import sys

import matplotlib
import numpy as np
import pandas as pd
from model_diagnostics.calibration import plot_reliability_diagram
from model_diagnostics.scoring import SquaredError, decompose
from purgedcv import PurgedKFold, WalkForwardSplit, apply_embargo, probability_of_backtest_overfitting, purge
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import average_precision_score, brier_score_loss

METRICS = {"mean": lambda values: float(np.mean(values))}


def seconds(values):
    return pd.to_timedelta(values, unit="s").to_numpy()


def scores(labels, probabilities):
    parts = decompose(labels, probabilities, scoring_function=SquaredError()).row(0, named=True)
    bins = np.minimum((probabilities * 10).astype(int), 9)
    off = [abs(np.sum(probabilities[bins == b] - labels[bins == b])) for b in range(10)]
    return {
        "brier": brier_score_loss(labels, probabilities),
        "score": parts["score"],
        "miscalibration": parts["miscalibration"],
        "discrimination": parts["discrimination"],
        "uncertainty": parts["uncertainty"],
        "pr_auc": average_precision_score(labels, probabilities) if labels.any() else None,
        "ece": float(np.sum(off)) / len(labels),
    }


def predictions(path):
    """A file that `mintfold grade` reads too: its figures as a whole and by day, and the line of the reliability diagram."""
    table = pd.read_csv(path)
    columns = lambda rows: (rows["label"].to_numpy(dtype=float), rows["probability"].to_numpy())
    days = pd.to_datetime(table["time"], unit="s").dt.strftime("%Y-%m-%d")
    line = plot_reliability_diagram(*columns(table)).get_lines()[-1]
    matplotlib.pyplot.close("all")
    return {
        "summary": scores(*columns(table)),
        "days": {day: scores(*columns(rows)) for day, rows in table.groupby(days)},
        "line": np.column_stack([line.get_xdata(), line.get_ydata()]).tolist(),
    }


def curve(case):
    fit = IsotonicRegression(out_of_bounds="clip").fit(case["at"], case["sums"], sample_weight=case["weights"])
    return fit.predict(case["points"]).tolist()


def overfit(case):
    matrix = np.array(case["blocks"], dtype=float).T
    options = {} if case["metric"] == "sharpe" else {"metric": METRICS[case["metric"]]}
    result = probability_of_backtest_overfitting(matrix, case["groups"], **options)
    return {
        "probability": result.pbo,
        "logits": result.logits.tolist(),
        "best": result.is_oos_performance.tolist(),
        "slope": None if np.isnan(result.slope) else result.slope,
    }


def folds(case):
    at, known = seconds(case["atS"]), seconds(case["knownAtS"])
    every = np.zeros((len(at), 1))
    times = {"prediction_times": at, "evaluation_times": known, "purge_horizon": pd.Timedelta(case["purgeS"], "s")}
    embargo = pd.Timedelta(case["embargoS"], "s")
    kfold = PurgedKFold(case["folds"], embargo=embargo, **times)
    forward = WalkForwardSplit(case["folds"], case["testRows"], **times)
    test = np.array(case["test"])
    rest = purge(np.setdiff1d(np.arange(len(at)), test), test, at, known, times["purge_horizon"])
    return {
        "kfold": [[train.tolist(), chosen.tolist()] for train, chosen in kfold.split(every)],
        "forward": [[train.tolist(), chosen.tolist()] for train, chosen in forward.split(every)],
        "some": apply_embargo(rest, test, at, known, embargo).tolist(),
    }


def wilson(case):
    interval = stats.binomtest(case["hits"], case["n"]).proportion_ci(method="wilson")
    return [interval.low, interval.high]


def p_value(case):
    return float(stats.hypergeom.sf(case["hits"] - 1, case["resolved"], case["withOutcome"], case["flagged"]))


def q_values(case):
    return stats.false_discovery_control(case).tolist()


def quantiles(case):
    return np.quantile(case["values"], case["shares"]).tolist()


CASES = {"predictions": predictions, "curve": curve, "overfit": overfit, "folds": folds, "wilson": wilson, "pValue": p_value, "qValues": q_values, "quantiles": quantiles}
matplotlib.use("Agg")
given = json.load(sys.stdin)
json.dump({kind: [CASES[kind](case) for case in cases] for kind, cases in given.items()}, sys.stdout)
