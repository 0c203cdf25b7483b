from __future__ import annotations

import numpy as np
import pytest

from dragoman.crawl.synth import Recipe, make, urls
from dragoman.crawl.url_scores import model_score, noisy_score
from dragoman.errors import UsageError


def test_the_noisy_score_finds_82_percent_with_18_percent_false_positives() -> None:
    web = make(Recipe(pages=60_000, seed=2))
    server, wanted = web.graph.server, web.latent == 0
    score = noisy_score(wanted, server, seed=2)
    assert (score[wanted] > 0).mean() == pytest.approx(0.82, abs=0.08)
    assert (score[~wanted] > 0).mean() == pytest.approx(0.18, abs=0.04)
    assert np.array_equal(score, noisy_score(wanted, server, seed=2))
    assert not np.array_equal(score, noisy_score(wanted, server, seed=9))
    noise = (score + 1.8**2 / 2) / 1.8 - 1.8 * wanted
    assert noise.std() == pytest.approx(1, abs=0.05)


def test_the_models_score_is_for_all_wanted_languages_together() -> None:
    web = make(Recipe(pages=2_000, seed=1))
    batch = urls(web, 0, 300)
    thai, both = model_score(batch, ["th"]), model_score(batch, ["th", "en"])
    assert np.all(both >= thai - 1e-5)
    with pytest.raises(UsageError, match="knows none of the wanted languages: tlh"):
        model_score(batch, ["tlh"])
