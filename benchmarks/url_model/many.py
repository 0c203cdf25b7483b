"""All languages of the model, one answer per URL: macro F over those with enough rows, and every language's figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from material import Answered, Ints, Material
from targets import MANY, MANY_ROWS, SUPPORTED_ROWS, Verdict

from dragoman import measures


def judge_many(material: Material, rounds: int) -> tuple[dict[str, Any], list[Verdict]]:
    """Figures by set and by language. All rows of the judge halves count, those of unknown languages as negatives."""
    found: dict[str, Any] = {"sets": {}}
    verdicts: list[Verdict] = []
    width = len(material.corpus.languages)
    in_any = sum(np.bincount(_known(one.test.truth), minlength=width) for one in material.sets.values())
    for name, one in material.sets.items():
        rows = np.bincount(_known(one.test.truth), minlength=width)
        chosen = np.flatnonzero(rows >= MANY_ROWS)
        figures = _macro(one, chosen, rounds)
        # The other way to count: the rows of all sets together decide, and a language counts where it has a judged row.
        figures["by_rows_of_all_sets"] = _macro(one, np.flatnonzero(np.asarray(in_any) >= MANY_ROWS), rounds)
        found["sets"][name] = figures
        if name in MANY:
            verdicts.append(Verdict(f"many languages, F on {name}", figures["f"], ">=", MANY[name]))
    found["languages"] = _languages(material)
    listed = [one for one in found["languages"].values() if one["known"] and one["n"] >= SUPPORTED_ROWS]
    found["supported"] = len(listed)
    return found, verdicts


def _known(truth: Ints) -> Ints:
    return truth[truth >= 0]


def _macro(one: Answered, chosen: Ints, rounds: int) -> dict[str, Any]:
    """Macro F of the chosen languages on the judge half; the rows of all others are negatives."""
    truth, said = _columns(one.test.truth[one.judge], one.best[one.judge], chosen)
    interval = measures.site_bootstrap(truth, one.test.sites[one.judge], said, rounds=rounds)
    judged = measures.judge_all(truth, said)
    present = [(place, each) for place, each in zip(chosen.tolist(), judged, strict=True) if each.positives]
    return {
        "n": int(one.judge.sum()),
        "count": len(present),
        "f": interval.value,
        "interval": [interval.low, interval.high],
        "accuracy": float(one.right[one.judge].mean()) if one.judge.any() else float("nan"),
        "languages": {one.languages[place]: {"n": each.positives, "f": each.f} for place, each in present},
    }


def _columns(truth: Ints, best: Ints, chosen: Ints) -> tuple[Ints, Any]:
    """Truth and answers over the chosen languages alone; the last entry of the table answers for -1."""
    table = np.full(max(int(truth.max(initial=0)), int(best.max(initial=0)), int(chosen.max(initial=0))) + 2, -1)
    table[chosen] = np.arange(len(chosen))
    return table[truth], measures.one_hot(table[best], len(chosen))


def _languages(material: Material) -> dict[str, dict[str, Any]]:
    """Every language with a judged row or in the model: figures over the judge halves of all sets together."""
    sets = list(material.sets.values())
    truth = np.concatenate([one.test.truth[one.judge] for one in sets])
    best = np.concatenate([one.best[one.judge] for one in sets])
    found: dict[str, dict[str, Any]] = {}
    for place, tag in enumerate(material.corpus.languages):
        each = measures.judge(truth == place, best == place)
        known = place < len(material.model.languages_)
        if not known and not each.positives:
            continue
        found[tag] = {
            "known": known,
            "n": each.positives,
            "f": each.f if each.positives else None,
            "precision": each.precision if each.positives else None,
            "recall": each.recall if each.positives else None,
            "ordinary_precision": each.ordinary_precision,
            "answers": int((best == place).sum()),
        }
    return dict(sorted(found.items(), key=lambda item: (-item[1]["n"], item[0])))
