"""HTML becomes visible text: what the standard says about each kind of markup, in both versions."""

from __future__ import annotations

import pytest

from dragoman.identifiers.text.markup.elements import ATTRIBUTES, NAMES
from dragoman.identifiers.text.markup.references import names, unreference
from dragoman.identifiers.text.markup.tokenise import tokenise
from dragoman.identifiers.text.markup.visible import Markup, read_markup

TEXTS = {
    "one  two\n three": "one two three",
    " <p> a </p> <p>b": "a\nb",
    "a<br>b<br/>c": "a\nb\nc",
    "in<b>li</b>ne": "inline",
    "a <i> b </i> c": "a b c",
    "<td>1<td>2": "1\n2",
    "<ul><li>a<li>b</ul>c": "a\nb\nc",
    "2 < 3 and 4 > 3": "2 < 3 and 4 > 3",
    "a<": "a<",
    "a</": "a</",
    "a</>b": "ab",
    "a</ b>c": "ac",
    "a<?php x ?>b": "ab",
    "a<!doctype html>b": "ab",
    "a<!-- <p> -- > -->b": "ab",
    "a<!-->b": "ab",
    "a<!--->b": "ab",
    "a<!-- x --!>b": "ab",
    "a<!-- never": "a",
    "a<b never='": "a",
    "a<b x='>'y>c": "ac",
    'a<b x=">" / >c': "ac",
    "a<b =x>c": "ac",
    "a<b x = y>c": "ac",
    "<script>if (a<b) '</p>'</script>x": "x",
    "<script><!-- <script></script> --></script>x": "x",
    "<script><!--> </script>x": "x",
    "<SCRIPT></ScRiPt\n>x": "x",
    "<script></scripts></script>x": "x",
    "<script>never": "",
    "<style>p > a</style>x": "x",
    "<title>t</title>x": "x",
    "<noscript>no <b>x</b></noscript>y": "y",
    "<textarea>\n a <b>&amp; </textarea>x": " a <b>& \nx",
    "<template>a<template>b</template>c</template>d": "d",
    "<template><script></template></script>a</template>d": "d",
    "<pre>\n a\n  b\r\nc\rd</pre>e  f": " a\n  b\nc\nd\ne f",
    "<plaintext>a<b>&amp;": "a<b>&amp;",
    "<xmp>a<b>&amp;</xmp>c": "a<b>&amp;\nc",
    "<![CDATA[a]]>b": "b",
    "<svg><![CDATA[a<b>]]></svg>c": "a<b>c",
    "<svg><style/><text>a</text></svg>b": "ab",
    "caf&eacute; &eacutex &notit; &notin; &nosuch; & &amp;amp;": "café éx ¬it; ∉ &nosuch; & &amp;",
    "&#233;&#xE9;&#Xe9&#150;&#0;&#xD800;&#x110000;&#; &#x; &#xg": "ééé–\ufffd\ufffd\ufffd&#; &#x; &#xg",
    "&#99999999999999999999;": "\ufffd",
    "a&nbsp;&nbsp;b": "a\xa0\xa0b",
    "a &#32;&Tab;\n b": "a b",
    "&nGt;&NotEqualTilde;": "≫⃒≂̸",
    "a\0b": "ab",
    "<ſcript>a": "<ſcript>a",
    "a\u2028b": "a\u2028b",
    "\ud800<p>\udfff": "\ud800\n\udfff",
    "": "",
    " \n ": "",
}


def plain(source: str, xml: bool = False, all_tags: bool = False) -> Markup:
    """The definition's answer, after a check that the compiled one is the same in every number."""
    expected, found = tokenise(source, xml, all_tags), read_markup(source, xml, all_tags)
    where = found.map
    segments = zip(
        *(column.tolist() for column in (where.text_starts, where.source_starts, where.source_lengths, where.kinds)),
        strict=True,
    )
    assert found.text == expected.text
    assert list(segments) == expected.segments
    assert [tuple(row) for row in found.tag_rows.tolist()] == expected.tags
    assert [tuple(row) for row in found.attribute_rows.tolist()] == expected.attributes
    return found


@pytest.mark.parametrize(("source", "text"), TEXTS.items(), ids=[repr(source)[:40] for source in TEXTS])
def test_the_text_is_what_a_reader_sees(source: str, text: str) -> None:
    assert plain(source).text == text


@pytest.mark.parametrize("source", TEXTS)
def test_every_character_leads_back_to_where_it_came_from(source: str) -> None:
    found = plain(source)
    for place, char in enumerate(found.text):
        start, end = found.map.source_span(place, place + 1)
        assert 0 <= start < end <= len(source)
        given = source[start:end]
        if end - start == 1:
            assert given == char or (given in " \t\n\f\r" and char in " \n")
        elif char not in " \n":
            assert char in unreference(given)


def test_in_xml_an_empty_element_is_empty_and_cdata_is_text() -> None:
    source = "<script src='x'/><p>a <![CDATA[<b>]]></p>"
    assert plain(source, xml=True).text == "a <b>"
    assert plain(source).text == ""


def test_all_names_of_references_are_known_to_both() -> None:
    source = " ".join("&" + name for name in names())
    assert (
        plain(source).text.split()
        == "".join(" " + (value if value.strip(" \t\n\f\r") else "") for value in names().values()).split()
    )


def test_tags_and_attributes_are_told() -> None:
    page = plain(
        "<html lang=de><a HREF='x?a=1&amp;b=2&copy=3' rel=\"nofollow\" href=y>t</A><i xml:lang='fr-CA'>u</i><b>v</b>"
    )
    told = [(tag.name, dict(tag.attributes), tag.ends, tag.text_offset) for tag in page.tags()]
    assert told == [
        ("html", {"lang": "de"}, False, 0),
        ("a", {"href": "x?a=1&b=2&copy=3", "rel": "nofollow"}, False, 0),
        ("a", {}, True, 1),
        ("i", {"xml:lang": "fr-CA"}, False, 1),
    ]
    every = [tag.name for tag in plain("<x-y a=b/><b></b>", all_tags=True).tags()]
    assert every == ["x-y", "b", "b"]
    assert len(list(page.tags(2))) == 2


def test_more_rows_than_there_was_room_for_are_all_there() -> None:
    many = "<a href=x href=y lang=z>&lt;</a>" * 2000 + "<span " + "href=x " * 5000 + ">" + "a&amp;" * 5000
    found = plain(many)
    assert len(found.text) == 2000 + 10_000
    assert len(found.tag_rows) == 4000


def test_the_tables_are_in_the_order_that_numbers_go_by() -> None:
    assert list(NAMES) == sorted(NAMES)
    assert list(ATTRIBUTES) == sorted(ATTRIBUTES)


def test_spans_outside_the_text_are_moved_inside() -> None:
    found = plain("<p>abc</p>")
    assert found.map.source_span(-5, 99) == (3, 6)
    assert found.map.source_span(1, 1) == (4, 4)
    assert found.map.source_span(3, 3) == (6, 6)
    assert plain("").map.source_span(0, 5) == (0, 0)
