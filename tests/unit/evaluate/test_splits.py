from __future__ import annotations

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.evaluate.splits import held_out, number_sites, sites_of


def test_sites_are_registered_domains_by_the_public_suffix_list() -> None:
    urls = ["http://ltaa.epfl.ch/a", "http://www.epfl.ch/", "http://a.co.uk/", "http://b.co.uk/", "http://x.a.co.uk/"]
    one, two, a, b, again = sites_of(ByteColumn.of(urls)).tolist()
    assert one == two
    assert a == again
    assert len({one, a, b}) == 3


def test_what_has_no_registered_domain_still_has_a_site() -> None:
    urls = ["http://192.168.0.1/a", "http://192.168.0.1/b", "", "", "mailto:x", "\x00"]
    sites = sites_of(ByteColumn.of(urls)).tolist()
    assert len(sites) == len(urls)
    assert sites[0] == sites[1]
    assert sites[2] != sites[3]


def test_equal_names_are_one_site_and_missing_names_sites_of_their_own() -> None:
    assert number_sites(["a", None, "a", "", "b"]).tolist() == [0, 1, 0, 2, 3]


def test_sites_are_held_out_whole() -> None:
    sites = np.random.default_rng(0).integers(0, 50, 1000)
    out = held_out(sites, 0.2, seed=3)
    assert not set(sites[out].tolist()) & set(sites[~out].tolist())
    assert len(set(sites[out].tolist())) == 10


def test_the_seed_decides_which_sites_are_held_out() -> None:
    sites = np.arange(100)
    assert np.array_equal(held_out(sites, 0.3, 1), held_out(sites, 0.3, 1))
    assert not np.array_equal(held_out(sites, 0.3, 1), held_out(sites, 0.3, 2))


def test_one_site_is_never_held_out_and_of_two_at_least_one_is() -> None:
    assert not held_out(np.array([7, 7, 7]), 0.5).any()
    assert held_out(np.array([7, 8]), 0.01).sum() == 1
    assert not len(held_out(np.empty(0, np.int64), 0.5))
