from __future__ import annotations

import csv
import io
import math

import pytest

from dragoman.errors import UsageError
from dragoman.measures import Interval
from dragoman.report.tables import CellValue, Column, Table, Versus, share, slug

GROUPED = Table(
    "F <of> everything",
    (Column("Set", "group"), Column("Language", "group"), Column("Rule", "text"), Column("F", "pair")),
    [
        ["directory", "en", "a|b", Versus(0.784, Interval(0.8, 0.79, 0.81), "inconsistent")],
        ["directory", "en", "<b>", Versus(None, 0.5)],
        ["search", "en", "x", Versus(1.0, None)],
    ],
    note="A note & more.",
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.876, ".88"),
        (0.999, "1.0"),
        (1, "1.0"),
        (-0.051, "-.05"),
        (0.0, ".00"),
        (-0.001, ".00"),
        (12.3, "12.30"),
    ],
)
def test_numbers_look_as_in_the_papers(value: float, text: str) -> None:
    assert share(value) == text


def test_nothing_is_a_dash() -> None:
    assert share(None) == share(float("nan")) == "–"


def test_markdown_shows_a_group_once_and_explains_marks() -> None:
    lines = GROUPED.to_markdown().splitlines()
    assert lines[0] == "**F &lt;of> everything**"
    assert lines[2:4] == ["| Set | Language | Rule | F (theirs \\| ours) |", "| :--- | :--- | :--- | ---: |"]
    assert lines[4] == "| directory | en | a\\|b | .78† \\| .80 [.79, .81] |"
    assert lines[5] == "|  |  | &lt;b> | – \\| .50 |"
    assert lines[6] == "| search | en | x | 1.0 \\| – |"
    assert lines[-3:] == ["A note & more.", "", "† inconsistent"]


def test_text_is_aligned_and_free_of_markup() -> None:
    assert GROUPED.to_text().splitlines() == [
        "F <of> everything",
        "",
        "Set        Language  Rule      F (theirs | ours)",
        "---------  --------  ----  ---------------------",
        "directory  en        a|b   .78† | .80 [.79, .81]",
        "                     <b>                 – | .50",
        "search     en        x                   1.0 | –",
        "",
        "A note & more.",
        "",
        "† inconsistent",
    ]


def test_text_escapes_nothing_of_markdown_and_lets_nothing_steer_the_terminal() -> None:
    text = Table("a_b [c]", [Column("x|y", "text")], [["*\x1b[2J\n`"]], note="[1] `x`").to_text()
    assert text.splitlines() == ["a_b [c]", "", "x|y", "----------", "*\\x1b[2J `", "", "[1] `x`"]


def test_text_counts_wide_letters_and_marks_as_a_terminal_does() -> None:
    rows: list[list[CellValue]] = [["東京", 1], ["e\u0301te\u0301", 2], ["abcd", 3]]
    lines = Table("t", [Column("", "text"), Column("n", "count")], rows).to_text().splitlines()
    assert lines[2:] == ["      n", "----  -", "東京  1", "e\u0301te\u0301   2", "abcd  3"]


def test_text_breaks_long_notes_but_no_long_word() -> None:
    note = "word " * 30 + "x" * 120
    lines = Table("t", [Column("a")], [[1]], note).to_text().splitlines()[6:]
    assert [len(line) for line in lines] == [99, 49, 120]


def test_a_table_without_rows_is_its_heading() -> None:
    assert Table("t", [Column("a", "text")], []).to_text() == "t\n\na\n-"


def test_csv_gives_pairs_intervals_and_marks_their_own_columns() -> None:
    rows = list(csv.DictReader(io.StringIO(GROUPED.to_csv())))
    assert list(rows[0]) == [
        "Set", "Language", "Rule", "F (theirs)", "F (ours)", "F (low)", "F (high)", "F (mark)",
    ]  # fmt: skip
    assert list(rows[0].values()) == [
        "directory",
        "en",
        "a|b",
        "0.784",
        "0.8",
        "0.79",
        "0.81",
        "inconsistent",
    ]
    assert rows[1]["F (theirs)"] == rows[2]["F (ours)"] == ""
    assert rows[1]["Set"] == "directory"


def test_html_is_escaped_and_groups_span_their_rows() -> None:
    page = GROUPED.to_html()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert 'rowspan="2" class="group">directory<' in page
    assert page.count(">en</th>") == 2  # an outer group restarts the inner one
    assert '<sup class="sign" title="inconsistent">†</sup>' in page
    assert 'id="f-of-everything"' in page


def test_kinds_of_columns_decide_how_numbers_look() -> None:
    columns = (Column("n", "count"), Column("p", "percent"), Column("q", "percent", 3), Column("x", digits=3))
    table = Table("t", columns, [[1234567, 0.481, 0.481, 0.12345], [None, None, None, None]])
    assert "| 1,234,567 | 48 % | 48.1 % | .123 |" in table.to_markdown()
    assert "| – | – | – | – |" in table.to_markdown()
    assert table.to_csv().splitlines()[1:] == ["1234567,0.481,0.481,0.12345", ",,,"]


def test_a_column_of_text_shows_nothing_for_none() -> None:
    assert "|  |" in Table("t", [Column("a", "text")], [[None]]).to_markdown()


def test_each_mark_gets_its_own_sign() -> None:
    cells = [Versus(0.1, mark="lost"), Versus(0.2, mark="late"), Versus(None, mark="lost")]
    table = Table("t", [Column("a", "pair")], [[cell] for cell in cells])
    assert table.marks() == {"lost": "†", "late": "‡"}
    assert table.to_markdown().count("†") == 3
    assert table.to_csv() == "a (theirs),a (ours),a (mark)\n0.1,,lost\n0.2,,late\n,,lost\n"


def test_more_marks_than_signs_double_them() -> None:
    table = Table("t", [Column("a", "pair")], [[Versus(0.1, mark=str(i))] for i in range(6)])
    assert table.marks()["4"] == "††"


def test_an_interval_without_bounds_is_its_number() -> None:
    table = Table("t", [Column("a")], [[Interval(0.5, math.nan, math.nan)]])
    assert ".50 |" in table.to_markdown()
    assert table.to_csv() == "a\n0.5\n"


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(UsageError, match="row 2 has 1 cells, not 2"):
        Table("t", [Column("a"), Column("b")], [[1, 2], [1]])


def test_a_slug_is_safe_for_files_and_anchors() -> None:
    assert slug("Table 7: F / all (x)") == "table-7-f-all-x"
    assert slug("日本") == "untitled"


def test_a_single_point_is_not_printed_as_an_interval() -> None:
    point, narrow = Interval(0.5, 0.5, 0.5), Interval(0.7178, 0.7177, 0.7179)
    table = Table("Points", [Column("a"), Column("b"), Column("c")], [[point, narrow, Interval(0.5, 0.4, 0.6)]])
    assert "| .50 | .72 | .50 [.40, .60] |" in table.to_markdown()
    assert "0.7177" in table.to_csv()


def test_theirs_have_intervals_too_where_counts_are_printed() -> None:
    table = Table("Counts", [Column("share", "pair")], [[Versus(Interval(0.83, 0.78, 0.86), 0.9, "doubtful")]])
    assert "| .83† [.78, .86] \\| .90 |" in table.to_markdown()
    assert (
        table.to_csv().splitlines()[0].startswith("share (theirs),share (theirs low),share (theirs high),share (ours)")
    )
    assert '<span class="interval">[.78, .86]</span></span>' in table.to_html()


def test_sentences_in_several_columns_are_read_row_by_row_and_code_is_code() -> None:
    said, code = (
        "A sentence that is longer than a cell of a table.",
        "What `dragoman page --method x` says of all that.",
    )
    columns = (Column("Claim", "text"), Column("Here", "text"))
    page = Table("Claims", columns, [(said, code), ("short", "short")]).to_html()
    assert '<table class="prose">' in page
    assert f'<td class="text long" data-label="Claim">{said}</td>' in page
    assert "What <code>dragoman page --method x</code> says" in page
    assert "prose" not in Table("Claims", columns, [(said, "short")]).to_html()
