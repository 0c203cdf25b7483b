"""The algorithms by name. To add one: a file of its own, and a line here; the contract tests find it by themselves.

Another package adds one by an entry point in the group `dragoman.algorithms`: `name = "module:Class"`.
"""

from __future__ import annotations

import inspect
from typing import Any

from dragoman.errors import UsageError
from dragoman.identifiers.classifier import INPUTS, Classifier
from dragoman.registry import Member, Registry, subclass_problem


def _urls(target: str, about: str) -> Member:
    return Member(f"dragoman.identifiers.url.algorithms.{target}", about, "urls")


def _text(target: str, about: str) -> Member:
    return Member(f"dragoman.identifiers.text.algorithms.{target}", about, "text")


def _problem(name: str, value: Any) -> str | None:
    if problem := subclass_problem(value, Classifier, ("algorithm", name)):
        return problem
    return None if value.reads in INPUTS else f"{value.__name__}.reads is {value.reads!r}, not {' or '.join(INPUTS)}"


ALGORITHMS: Registry[type[Classifier]] = Registry(
    "algorithm",
    "dragoman.algorithms",
    {
        "cctld": _urls("cctld:CountryCode", "the top-level domain alone"),
        "cctld-plus": _urls("cctld:CountryCodePlus", "the top-level domain alone; .com and .org are English"),
        "naive-bayes": _urls(
            "naive_bayes:NaiveBayes", "how much likelier each feature is in a language than outside it"
        ),
        "relative-entropy": _urls(
            "relative_entropy:RelativeEntropy", "which language's average distribution is nearest to the URL's"
        ),
        "max-entropy": _urls(
            "max_entropy:MaxEntropy", "maximum entropy by 40 rounds of iterative scaling, as the URL paper ran it"
        ),
        "logistic-regression": _urls(
            "logistic_regression:LogisticRegression",
            "the weights that explain the training answers and assume nothing else",
        ),
        "decision-tree": _urls("decision_tree:DecisionTree", "a printable tree of tests on custom-made features"),
        "nearest": _urls("nearest:NearestNeighbours", "the languages of the most similar training URLs"),
        "combined": _urls("combined:Combined", "the best pair of classifiers per language, joined by OR or AND"),
        "parts": Member(
            "dragoman.identifiers.url.parts.classifier:WeighedParts",
            "the recipe of the shipped model: words, codes, sites and domain summed apart and weighed by context",
            "urls",
        ),
        "rank-order": _text(
            "rank_order:RankOrder",
            "n-grams ranked by frequency, and the distance of two such lists (Cavnar and Trenkle)",
        ),
        "fisher-cosine": _text(
            "fisher_cosine:FisherCosine",
            "the n-grams with the largest Fisher discriminant, compared by cosine (Hayati)",
        ),
        "text": _text(
            "text:Text",
            "the recipe of the shipped text model: averaged vectors of n-grams, a class for each language and script",
        ),
        "hmm": _text("hmm.classifier:Hmm", "a hidden Markov model of the letters of each language"),
        "lexicon": Member(
            "dragoman.identifiers.track.lexicon:Lexicon",
            "how frequent words are, and their characters; judges single words",
            "text",
        ),
        "hybrid": _text("hybrid:Hybrid", "hidden Markov models, ranked n-grams and cosines together"),
    },
    _problem,
)


def parameters(algorithm: str) -> tuple[str, ...]:
    """The names of what an algorithm's constructor takes.

    >>> parameters("naive-bayes"), parameters("cctld")
    (('features', 'smoothing', 'seed'), ())
    """
    return tuple(inspect.signature(ALGORITHMS[algorithm]).parameters)


def make(algorithm: str, **params: Any) -> Classifier:
    """A new classifier of this name; parameters that are None keep their defaults."""
    known = parameters(algorithm)
    values = {name: value for name, value in params.items() if value is not None}
    if (features := values.get("features")) is not None:
        from dragoman.identifiers.url.features import FEATURE_SETS

        FEATURE_SETS.member(features)  # an unknown one is told before it is found to be no parameter
    for name in values:
        if name not in known:
            settings = f"takes {', '.join(known)}" if known else "has nothing to set"
            raise UsageError(f"'{algorithm}' has no parameter '{name}'; it {settings}")
    return ALGORITHMS[algorithm](**values)


def make_spec(spec: str, **params: Any) -> Classifier:
    """A new classifier from `algorithm` or `algorithm:features`; parameters it does not have are left out."""
    algorithm, _, features = spec.partition(":")
    known = parameters(algorithm)
    return make(
        algorithm, features=features or None, **{name: value for name, value in params.items() if name in known}
    )
