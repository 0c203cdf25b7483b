"""Shards without machines: what each decides, what it tells the others, and what comes of a kill."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from tests.live_web import SmallWeb, small_web

from dragoman.crawl.live.cluster.shards import LinkMessage, Shard
from dragoman.crawl.live.cluster.steering import ShardSteering
from dragoman.crawl.live.cluster.storage import ShardStorage
from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.crawl.live.state.links import LinkEnd
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan, Target

IDENTITY = {"languages": ["th"]}


def no_score(urls: object) -> list[tuple[float, str | None]]:
    return [(0.1 * (len(url) % 7), None) for url in urls]  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def web() -> SmallWeb:
    return small_web(300, share=0.1, seed=3)


def plan(strategy: str) -> CrawlPlan:
    return CrawlPlan(Target(("th",), strategy=strategy), no_score, allow_private=True)


def answered(web: SmallWeb, steering: Steering, key: int) -> None:
    """Let a page come."""
    place = {url: number for number, url in enumerate(web.urls)}[steering.store.url(key)]
    graph = web.graph
    ends = graph.targets[graph.indptr[place] : graph.indptr[place + 1]].tolist()
    language = graph.languages[graph.language[place]]
    answer = CrawlAnswer(key, key, 0.0, 200, language, relevant=language == "th", bytes=1)
    steering.page(answer, [LinkEnd(web.urls[end]) for end in ends])


def opened(folder: Path, web: SmallWeb, strategy: str, number: int, count: int) -> ShardSteering:
    folder = folder / str(number)
    folder.mkdir(exist_ok=True)
    steering = ShardSteering(ShardStore(folder, IDENTITY), plan(strategy), Shard(number, count))
    steering.start(web.seeds)
    return steering


@pytest.mark.parametrize("strategy", ["scout", "conservative-server", "bfs"])
def test_one_shard_decides_everything_as_a_crawl_without_shards(web: SmallWeb, tmp_path: Path, strategy: str) -> None:
    (tmp_path / "whole").mkdir()
    whole = Steering(Store(tmp_path / "whole", IDENTITY), plan(strategy))
    whole.start(web.seeds)
    shard = opened(tmp_path, web, strategy, 0, 1)
    while (key := whole.pop()) is not None:
        assert shard.pop() == key
        answered(web, whole, key)
        answered(web, shard, key)
    assert shard.pop() is None
    assert (shard.pages, shard.reasons) == (whole.pages, whole.reasons)
    assert not shard.store.last_to


class Shards:
    """Shards in one process, whose messages are doubled, delayed and overtaken, and whose processes are killed."""

    def __init__(self, folder: Path, web: SmallWeb, strategy: str, count: int, *, trouble: bool) -> None:
        self.folder, self.web, self.strategy, self.count, self.trouble = folder, web, strategy, count, trouble
        self.chance = random.Random(4)
        self.shards = [opened(folder, web, strategy, number, count) for number in range(count)]
        self.old: list[tuple[int, int, int, list[str]]] = []
        self.asked: Counter[str] = Counter()

    def deliver(self) -> None:
        messages = []
        for source, shard in enumerate(self.shards):
            for target in shard.store.unanswered:
                first, texts = shard.store.unread(target, shard.store.last_to[target], 40) or (0, [])
                cut = self.chance.randrange(len(texts) + 1) if self.trouble else 0
                messages += [(target, source, first, texts[:cut]), (target, source, first + cut, texts[cut:])]
        if self.trouble:
            self.old += self.chance.sample(messages, len(messages) // 4)
            messages = [one for one in messages if self.chance.random() < 0.7]
            messages += self.chance.sample(self.old, len(self.old) // 2)
            self.chance.shuffle(messages)
        for target, source, first, texts in messages:
            self.shards[target].receive(source, first, texts)
        for source in range(self.count):
            for target in list(self.shards[source].store.unanswered):
                if not self.trouble or self.chance.random() < 0.5:  # receipts are lost, too
                    self.shards[target].store.commit()
                    last = self.shards[target].store.last_from[source]
                    self.shards[source].store.receipt(target, last, last)

    def kill(self, number: int) -> None:
        self.shards[number].store.abandon()
        self.shards[number] = opened(self.folder, self.web, self.strategy, number, self.count)
        for key in list(self.shards[number].in_flight):
            answered(self.web, self.shards[number], key)

    def run(self) -> None:
        quiet = 0
        while quiet < 50:
            quiet += 1
            for number in range(self.count):
                for _ in range(3):
                    if (key := self.shards[number].pop()) is not None:
                        quiet = 0
                        self.asked[self.shards[number].store.url(key)] += 1
                        if self.trouble and self.chance.random() < 0.01:
                            self.kill(number)
                            break
                        answered(self.web, self.shards[number], key)
            self.deliver()
            if any(shard.store.unanswered for shard in self.shards):
                quiet = 0


def test_messages_that_are_doubled_delayed_or_lost_and_kills_change_nothing(web: SmallWeb, tmp_path: Path) -> None:
    (tmp_path / "calm").mkdir()
    (tmp_path / "rough").mkdir()
    calm = Shards(tmp_path / "calm", web, "bfs", 5, trouble=False)
    rough = Shards(tmp_path / "rough", web, "bfs", 5, trouble=True)
    calm.run()
    rough.run()
    assert set(calm.asked) == set(rough.asked) == set(web.urls)
    assert max(calm.asked.values()) == 1
    links: Counter[str] = sum((shard.reasons for shard in calm.shards), Counter())
    assert links == sum((shard.reasons for shard in rough.shards), Counter()), "every link counts once"
    for shard in rough.shards:
        assert all(shard.store.last_from[source] == there.store.last_to[shard.shard.number]
                   for source, there in enumerate(rough.shards))  # fmt: skip
        urls = [shard.store.url(url) for (url,) in shard.store.rows("SELECT url FROM pages")]
        assert all(shard.shard.owns(url) for url in urls)


def test_who_may_have_less_than_before_is_asked_and_told_the_rest_again(web: SmallWeb, tmp_path: Path) -> None:
    first, second = (opened(tmp_path, web, "bfs", number, 2) for number in (0, 1))
    links = [f"http://host{number}.example/" for number in range(60)]
    for url in [url for url in links if second.shard.owns(url)][:3]:
        first.store.post(1, LinkMessage([LinkEnd(url)]))
    assert first.store.unread(1, 3, 100) == (0, []), "nobody knows what it has"
    first.store.receipt(1, 0, 0)
    number, texts = first.store.unread(1, 2, 100) or (0, [])
    assert (number, len(texts)) == (1, 2), "the third is not safe yet"
    assert first.store.unread(1, 2, 100) is None, "they are on their way"
    assert not second.receive(0, 2, texts[1:]), "the first is missing"
    assert second.receive(0, 1, texts)
    assert not second.receive(0, 1, texts)
    first.store.receipt(1, 2, 0)
    assert first.store.unanswered == {1}
    first.store.receipt(1, 3, 3)
    assert not first.store.unanswered
    first.store.forget([0, 1])
    assert first.store.unanswered == {1}
    assert first.store.unread(1, 3, 100) == (0, []), "it is somewhere else now, and may have less"
    first.store.receipt(1, 2, 2)
    assert (first.store.unread(1, 3, 100) or (0, []))[0] == 3
    assert first.store.rows("SELECT number FROM outbox") == [(3,)], "what is safe there is deleted, but for the last"


def test_a_shard_that_starts_again_knows_what_it_was_told(web: SmallWeb, tmp_path: Path) -> None:
    crawl = Shards(tmp_path, web, "scout", 4, trouble=False)
    crawl.run()
    for number, before in enumerate(crawl.shards):
        reasons, values = before.reasons, before.frontier.values(100).tolist()
        before.store.commit()
        before.store.abandon()
        after = opened(tmp_path, web, "scout", number, 4)
        assert (after.reasons, after.frontier.values(100).tolist()) == (reasons, values)


def test_nothing_leaves_the_queue_below_the_level(web: SmallWeb, tmp_path: Path) -> None:
    shard = opened(tmp_path, web, "scout", 0, 1)
    best = shard.best
    assert best is not None
    shard.level = best + 1
    assert shard.pop() is None
    shard.level = best
    assert shard.pop() is not None


def test_redirects_to_another_shard_go_there_and_end_somewhere(web: SmallWeb, tmp_path: Path) -> None:
    first, second = (opened(tmp_path, web, "bfs", number, 2) for number in (0, 1))
    shards, urls = (first, second), [f"http://host{number}.example/" for number in range(60)]
    own = [[url for url in urls if shard.shard.owns(url)] for shard in shards]
    key = first.numbers([own[0][0]])[0]
    for hop in range(1, 20):
        source, target = shards[(hop + 1) % 2], shards[hop % 2]
        url = own[hop % 2][hop // 2]
        if not source.pass_on(url, key):
            break
        source.store.commit()
        source.store.receipt(hop % 2, target.store.last_from[(hop + 1) % 2], 0)
        number, messages = source.store.unread(hop % 2, source.store.last_to[hop % 2], 100) or (0, [])
        assert [LinkMessage.read(message).links[0].url for message in messages] == [url]
        assert target.receive((hop + 1) % 2, number, messages)
        key = target.store.known([url])[url]
        assert key in target.frontier
    assert hop == 6, "as many redirects as a crawl without shards follows"


def test_a_shard_comes_back_from_its_segments_and_what_an_old_owner_uploads_later_is_nobodys(
    web: SmallWeb, tmp_path: Path
) -> None:
    address, scratch = f"file://{tmp_path}/there", tmp_path / "scratch"
    (scratch / "shards" / "00000").mkdir(parents=True)

    def upload(storage: ShardStorage, steering: ShardSteering) -> None:
        path = storage.segment(steering.store)
        storage.upload([path.rename(scratch / "shards" / "00000" / path.name)], scratch)

    def restored(epoch: int) -> tuple[ShardStorage, ShardSteering]:
        folder = tmp_path / str(epoch)
        folder.mkdir()
        storage, store = ShardStorage(address, 0, epoch, lambda: True, lambda: True), ShardStore(folder, IDENTITY)
        storage.restore(store)
        store.close()
        steering = ShardSteering(store := ShardStore(folder, IDENTITY), plan("scout"), Shard(0, 2))
        storage.begin(store)
        steering.start(web.seeds)
        return storage, steering

    storage, first = restored(1)
    for _ in range(40):
        if (key := first.pop()) is None:
            break
        answered(web, first, key)
        upload(storage, first)
    _, second = restored(2)
    assert (second.pages, second.reasons) == (first.pages, first.reasons)
    for target in (0, 1):
        for store in (first.store, second.store):
            store.receipt(target, 0, 0)  # nobody knows what is there before that is told
        assert second.store.unread(target, 10**9, 10**9) == first.store.unread(target, 10**9, 10**9)
    newer, third = restored(3)
    third.store.set("mark", "of the third")
    upload(newer, third)
    first.store.set("mark", "of one that does not know")
    upload(storage, first)
    assert restored(4)[1].store.get("mark") == "of the third"
