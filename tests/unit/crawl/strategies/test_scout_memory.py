from __future__ import annotations

from dragoman.crawl.strategies.scout_memory import GroupTable


def test_groups_of_a_server_are_found_until_it_is_forgotten() -> None:
    groups = GroupTable()
    for directory, cell in ((3, 0), (9, 19), (3, 4), (3, 0)):
        groups.add(1, directory, cell)
    groups.add(2, 5, 1)
    assert sorted(groups.directories(1)) == [3, 9]
    assert (list(groups.cells(3)), list(groups.cells(9)), list(groups.cells(77))) == ([0, 4], [19], [])
    groups.forget(1)
    groups.forget(99)
    assert (list(groups.directories(1)), list(groups.cells(3)), list(groups.servers())) == ([], [], [2])
    groups.add(1, 9, 2)
    assert (list(groups.directories(1)), list(groups.cells(9))) == ([9], [2])
