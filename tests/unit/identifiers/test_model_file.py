from __future__ import annotations

import hashlib
import json
import os
import struct
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray

from dragoman.errors import BadModel
from dragoman.identifiers import model_file as store
from dragoman.identifiers.algorithms import ALGORITHMS
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url.algorithms.naive_bayes import NaiveBayes

Header = dict[str, Any]


@pytest.fixture(scope="module")
def model() -> Classifier:
    return NaiveBayes().fit(["http://a.de/haus", "http://b.com/house", "http://c.fr/maison"], ["de", "en", "fr"])


@pytest.fixture(scope="module")
def content(model: Classifier) -> bytes:
    return store.to_bytes(model)


def signed(body: bytes) -> bytes:
    return body + hashlib.blake2b(body, digest_size=store.DIGEST).digest()


def with_header(content: bytes, change: Callable[[Header], Any]) -> bytes:
    """The file with another header, and a digest that fits: nothing but the header is wrong with it."""
    magic, version, length = struct.unpack_from("<8sII", content)
    header = json.loads(content[16 : 16 + length])
    arrays = content[-(-(16 + length) // 64) * 64 : -store.DIGEST]
    changed = change(header)
    text = changed if isinstance(changed, bytes) else json.dumps(header if changed is None else changed).encode()
    start = struct.pack("<8sII", magic, version, len(text)) + text
    return signed(start.ljust(-(-len(start) // 64) * 64, b"\0") + arrays)


def refusal(content: bytes) -> str:
    with pytest.raises(BadModel) as caught:
        store.from_bytes(content)
    text = str(caught.value)
    assert text
    assert "\n" not in text
    assert len(text) < 300
    return text


def test_the_file_is_as_documented(content: bytes) -> None:
    magic, version, length = struct.unpack_from("<8sII", content)
    assert (magic, version) == (b"DRAGOMAN", 1)
    header = json.loads(content[16 : 16 + length])
    assert sorted(header) == list(header)
    assert header["algorithm"] == "naive-bayes"
    assert header["languages"] == ["de", "en", "fr"]
    start = -(-(16 + length) // 64) * 64
    assert set(content[16 + length : start]) <= {0}
    for row in header["arrays"]:
        assert row["offset"] % 64 == 0
        array = np.frombuffer(content, row["dtype"], int(np.prod(row["shape"])), start + row["offset"])
        assert array.dtype.str == row["dtype"]
        assert array.dtype.str[0] in "<|"
    assert content[-32:] == hashlib.blake2b(content[:-32], digest_size=32).digest()


def test_a_rewritten_header_is_read_if_nothing_is_wrong(content: bytes) -> None:
    assert store.to_bytes(store.from_bytes(with_header(content, lambda header: None))) == content


def test_a_file_cut_off_anywhere_is_refused(content: bytes) -> None:
    for length in {*range(80), *range(0, len(content), 7), *range(len(content) - 70, len(content))}:
        refusal(content[:length])
    refusal(content + b"\0")
    refusal(content * 2)


def test_a_file_with_any_byte_altered_is_refused(content: bytes) -> None:
    for place in range(len(content)):
        for mask in (0x01, 0x80, 0xFF):
            altered = bytearray(content)
            altered[place] ^= mask
            refusal(bytes(altered))


@pytest.mark.parametrize(
    "foreign",
    [b"", b"\0", b"PAR1" * 100, b"{}", b"\x89PNG\r\n\x1a\n" + bytes(100), b"dragoman" + bytes(100), bytes(10**6)],
)
def test_a_foreign_file_is_refused(foreign: bytes) -> None:
    assert "not a Dragoman model" in refusal(foreign)


@pytest.mark.parametrize("version", [0, 2, 2**32 - 1])
def test_another_version_is_refused_by_its_number(content: bytes, version: int) -> None:
    other = signed(content[:8] + struct.pack("<I", version) + content[12:-32])
    assert f"version {version};" in refusal(other)


@pytest.mark.parametrize("length", [0, 1, 10**6, 2**31, 2**32 - 1])
def test_a_wrong_length_of_the_header_is_refused(content: bytes, length: int) -> None:
    assert "header" in refusal(signed(content[:12] + struct.pack("<I", length) + content[16:-32]))


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[]",
        b"null",
        b"1",
        b'"naive-bayes"',
        b"{}",
        b'{"algorithm": null}',
        b'{"algorithm": ["naive-bayes"]}',
        b'{"algorithm": {}}',
        b'{"algorithm": "naive-bayes"}',
        b"[" * 100_000,
        b'{"algorithm": "a\\nb\\nc"}',
    ],
)
def test_a_header_that_is_no_header_is_refused(content: bytes, header: bytes) -> None:
    refusal(with_header(content, lambda _: header))


def test_an_unknown_algorithm_is_named(content: bytes) -> None:
    assert "'oracle'" in refusal(with_header(content, lambda header: header | {"algorithm": "oracle"}))


@pytest.mark.parametrize(
    "change",
    [
        {"params": []},
        {"params": {"no_such": 1}},
        {"params": {"features": "no-such"}},
        {"params": {"features": []}},
        {"params": None},
        {"languages": None},
        {"languages": 3},
        {"languages": []},
        {"languages": ["de"]},
        {"languages": ["de", "en", "fr", "it"]},
        {"temperature": "warm"},
        {"temperature": None},
        {"temperature": {}},
        {"state": None},
        {"state": []},
        {"state": {}},
        {"state": {"features": "no-such", "scaling": "counts"}},
        {"state": {"features": "words", "scaling": "no-such"}},
        {"state": {"features": 1, "scaling": "counts"}},
        {"state": {"features": "custom", "scaling": "counts"}},
        {"arrays": None},
        {"arrays": []},
        {"arrays": [1]},
        {"arrays": {"name": "keys"}},
        {"arrays": [{}]},
    ],
    ids=str,
)
def test_a_header_with_a_wrong_value_is_refused(content: bytes, change: Header) -> None:
    refusal(with_header(content, lambda header: header | change))


@pytest.mark.parametrize("key", ["params", "languages", "temperature", "notes", "state", "arrays"])
def test_a_header_that_lacks_a_value_is_refused(content: bytes, key: str) -> None:
    assert key in refusal(with_header(content, lambda header: {name: header[name] for name in header if name != key}))


@pytest.mark.parametrize(
    "change",
    [
        {"offset": 10**9},
        {"offset": -64},
        {"offset": 4},
        {"offset": 2**63},
        {"offset": 2**200},
        {"offset": 1.5},
        {"offset": "0"},
        {"offset": None},
        {"shape": [10**9]},
        {"shape": [2**40, 2**40]},
        {"shape": [2**63]},
        {"shape": [2**200]},
        {"shape": [-1]},
        {"shape": [-1, -1]},
        {"shape": ["a"]},
        {"shape": None},
        {"shape": {}},
        {"dtype": "|O"},
        {"dtype": "<f2"},
        {"dtype": ">f4"},
        {"dtype": "nonsense"},
        {"dtype": None},
        {"name": "other"},
        {"name": None},
        {"name": []},
    ],
    ids=str,
)
def test_an_array_that_cannot_be_is_refused(content: bytes, change: Header) -> None:
    for number in range(3):

        def alter(header: Header, number: int = number) -> None:
            header["arrays"][number] |= change

        refusal(with_header(content, alter))


def test_an_array_beyond_the_end_is_named(content: bytes) -> None:
    def alter(header: Header) -> None:
        header["arrays"][0]["shape"] = [10**6]

    assert "reaches beyond the end" in refusal(with_header(content, alter))


class Taker(NaiveBayes):
    """Keeps the arrays it was given."""

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        self.given_ = dict(arrays)
        return super().restore(header, arrays)


@pytest.fixture
def given(model: Classifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, NDArray[Any]]:
    """The arrays that a model gets when its file is opened."""
    path = tmp_path / "a.model"
    store.save(model, path)
    monkeypatch.setitem(ALGORITHMS._loaded, "naive-bayes", Taker)
    opened = store.load(path)
    assert isinstance(opened, Taker)
    return opened.given_


def test_arrays_are_views_of_one_buffer_that_begin_on_a_cache_line(given: dict[str, NDArray[Any]]) -> None:
    assert set(given) == {"bias", "keys", "weights"}
    for array in given.values():
        assert not array.flags.owndata
        assert array.ctypes.data % 64 == 0
    places = [array.ctypes.data for array in given.values()]
    assert max(places) - min(places) < 1000


def test_arrays_cannot_be_written_to(given: dict[str, NDArray[Any]]) -> None:
    for array in given.values():
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_the_content_may_be_altered_after_it_was_read(content: bytes, model: Classifier) -> None:
    copied = bytearray(content)
    again = store.from_bytes(copied)
    copied[:] = bytes(len(copied))
    assert store.to_bytes(again) == store.to_bytes(model)


def test_a_file_may_be_cut_while_its_model_is_in_use(model: Classifier, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(content)
    again = store.load(path)
    path.write_bytes(b"")
    assert store.to_bytes(again) == content


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_model_comes_through_a_pipe_too(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    assert store.to_bytes(store.load(path)) == content
    writer.join()


def test_a_message_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(BadModel, match=r"x\.model' is not a Dragoman model"):
        store.load(path)
    with pytest.raises(BadModel, match="Cannot read the model"):
        store.load(tmp_path / "missing")
    with pytest.raises(BadModel, match="Cannot read the model"):
        store.load(tmp_path)


def test_saving_replaces_a_file_whole(model: Classifier, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(b"old")
    assert store.save(model, path) == content[-32:].hex()
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["a.model"]


def test_saving_that_fails_leaves_the_old_file_and_nothing_else(
    model: Classifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_replacing(self: Path, target: Path) -> Path:
        raise OSError("no room")

    path = tmp_path / "a.model"
    path.write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", no_replacing)
    with pytest.raises(OSError, match="no room"):
        store.save(model, path)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.model"]
