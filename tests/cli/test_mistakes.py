"""What people get wrong, one line each: nothing on stdout, the remedy named, 2 where what was asked cannot be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.refusals import refused

from dragoman.cli.main import cli

pytest.importorskip("pyarrow")
pytest.importorskip("starlette")

FILES = {
    "urls.csv": "id,url\n1,http://www.beispiel.de/\n",
    "labelled.csv": "url,lang\nhttp://www.beispiel.de/haus,de\nhttp://example.com/house,en\n",
    "one.csv": "url,lang\nhttp://www.beispiel.de/haus,de\n",
    "odd.csv": "url,lang\nhttp://www.beispiel.de/haus,Deutsch?\n",
    "done.csv": "url,language\nhttp://www.beispiel.de/,de\n",
    "twice.csv": "url,url\nhttp://a.de/,http://a.fr/\n",
    "tabs.csv": "id\turl\n1\thttp://a.de/\n",
    "empty.csv": "",
    "seeds.txt": "http://a.example/\n",
    "wrong.txt": "http://a.example/\nnot a url\nftp://b.example/\nhttp://c.example/\tKlingonese\n",
    "none.txt": "# no seeds yet\n",
    "mail.txt": "http://a.example/\nmailto:a@b.example\n",
    "urls.xlsx": "PK\x03\x04 a spreadsheet",
    "list.json": '["http://a.example/"]',
    "saved.html": "<p>Das ist ein Haus mit einem Garten.</p>",
    "broken.dragoman": "this is no model",
    "broken.parquet": "this is no Parquet",
    "broken.arrow": "this is no graph",
    "full/note.txt": "something else",
}

#: The command, the exit code, and words of the line that say what to do.
MISTAKES = (
    ("ulr http://a.de/", 2, "Did you mean 'url'?"),
    ("help", 2, "dragoman --help"),
    ("version", 2, "dragoman --version"),
    ("url", 2, "give URLs, files, or - for stdin"),
    ("url full", 2, "give the files in it, such as full/*.csv"),
    ("url nope.csv", 2, "check its name"),
    ("url beispiel", 2, "write http://beispiel if it is a host"),
    ("url - -", 2, "give it once"),
    ("url urls.csv --column URL", 2, "Did you mean 'url'?"),
    ("url urls.csv --column address", 2, "its columns: id, url"),
    ("url seeds.txt --column url", 2, "say --input-format csv"),
    ("url done.csv", 2, "--replace"),
    ("url twice.csv", 2, "rename all but one"),
    ("url tabs.csv", 2, "--input-format tsv"),
    ("url empty.csv", 1, "a header line with a column 'url' is needed"),
    ("url broken.parquet", 1, "'broken.parquet' is"),
    ("url urls.csv -o out.pdf", 2, "end it in .parquet"),
    ("url urls.csv -o nowhere/out.csv", 2, "make it first"),
    ("url urls.csv -o full", 2, "give the name of a file"),
    ("url urls.csv --format xlsx", 2, "'parquet'"),
    ("url urls.csv --languages xx", 2, "Give a BCP 47 tag"),
    ("url urls.csv --languages Germann", 2, "Did you mean 'german'"),
    ("url urls.csv --languages de,sux", 2, "Did you mean"),
    ("url urls.csv --threshold 80", 2, "from 0 to 1"),
    ("url urls.csv --threshold high", 2, "not a valid float"),
    ("url urls.csv --precision 0.9", 2, "say which with 'language'"),
    ("url urls.csv --language de --precision 95", 2, "at most 1, such as 0.9"),
    ("url urls.csv --language de --precision 0.9 --recall 0.9", 2, "give one"),
    ("url urls.csv --top 0", 2, "x>=1"),
    ("url urls.csv --model defualt", 2, "Did you mean 'default'?"),
    ("url urls.csv --model broken.dragoman", 1, "broken.dragoman"),
    ("url urls.csv --model text", 2, "dragoman page"),
    ("url urls.csv --by-site --explain", 2, "leave out --top, --explain and --script"),
    ("url urls.csv --colunm url", 2, "Did you mean '--column'? Try 'dragoman url --help'"),
    ("url urls.csv one.csv -o out.csv", 2, "run them one by one"),
    ("url seeds.txt -o seeds.txt --format csv", 2, "'seeds.txt' is what is read, and would be lost"),
    ("url urls.csv --by-site -o urls.csv", 2, "give the output another name"),
    ("sites urls.csv --languages de -o urls.csv", 2, "give the output another name"),
    ("page saved.html -o saved.html --format jsonl", 2, "give the output another name"),
    ("track saved.html -o saved.html", 2, "give the output another name"),
    ("pairs nope.warc --languages en", 2, "give --languages en,de"),
    ("page", 2, "give files, or - for stdin"),
    ("page nope.html", 2, "check its name"),
    ("page full", 2, "give the files in it"),
    (
        "page http://www.beispiel.de/",
        2,
        "nothing is fetched here: give a saved page, or 'curl -s URL | dragoman page -'",
    ),
    ("track https://www.beispiel.de/", 2, "curl -s URL | dragoman track -"),
    ("page saved.html --method lingau", 2, "Did you mean 'lingua'?"),
    ("page saved.html urls.csv", 2, "run them one by one"),
    ("page urls.csv", 2, "its columns: id, url"),
    ("track nope.html", 2, "check its name"),
    ("track saved.html -o spans.pdf", 2, "end it in .jsonl, .xml or .html"),
    ("track saved.html saved.html --format xml", 2, "One document at a time"),
    ("train labelled.csv", 2, "-o"),
    ("train nope.csv -o m.dragoman", 2, "check its name"),
    ("train urls.csv -o m.dragoman", 2, "no column 'lang'"),
    ("train labelled.csv -o labelled.csv", 2, "give the model another name"),
    ("train labelled.csv one.csv -o m.dragoman", 2, "give 'labelled.csv' alone"),
    ("evaluate labelled.csv --model nope.dragoman", 2, "no such file; check its name"),
    ("train one.csv -o m.dragoman", 1, "two languages or more"),
    ("train odd.csv -o m.dragoman", 1, "languages such as 'de' are needed"),
    ("train labelled.csv --algorithm naive-bays -o m.dragoman", 2, "Did you mean 'naive-bayes'?"),
    ("train labelled.csv --features trigrms -o m.dragoman", 2, "Did you mean 'trigrams'?"),
    ("evaluate nope.csv", 2, "check its name"),
    ("evaluate urls.csv", 2, "no column 'lang'"),
    ("evaluate labelled.csv --model nope", 2, "Known: "),
    ("evaluate labelled.csv --where half=tune", 2, "the file has url, lang"),
    ("models nope", 2, "Known: "),
    ("links nope.arrow", 2, "No such file"),
    ("links broken.arrow", 1, "broken.arrow"),
    ("links urls.csv", 2, "known are .arrow, .parquet"),
    ("url urls.xlsx", 2, "convert it to Parquet, CSV"),
    ("url s3://bucket/urls.parquet", 2, "pipe it in"),
    ("papers crawling-2007", 2, "Give the output: dragoman papers crawling-2007 -o OUT"),
    ("papers hmm-2004 -o out", 2, "dragoman papers hmm-2004 --data DIR -o OUT"),
    ("url list.json", 2, "jq -c '.[]'"),
    ("crawl --language th --seeds mail.txt -o out", 2, "'mailto:a@b.example' is no URL of http"),
    ("simulate --synth --strategy scuot -o out", 2, "Did you mean 'scout'?"),
    ("simulate --strategy scout -o out", 2, "--synth"),
    ("simulate --synth --graph broken.arrow --strategy bfs -o out", 2, "--synth"),
    ("simulate --synth", 2, "-o"),
    ("simulate --synth --pages 2000 --strategy bfs -o saved.html", 2, "Directory 'saved.html' is a file"),
    ("evaluate labelled.csv -o saved.html", 2, "Directory 'saved.html' is a file"),
    ("papers crawling-2007 -o saved.html", 2, "Directory 'saved.html' is a file"),
    ("sites labelled.csv --least 1 -o saved.html", 2, "which is no folder: give another name"),
    ("crawl --language th --seeds seeds.txt -o saved.html", 2, "saved.html"),
    ("crawl --seeds seeds.txt -o out", 2, "--language"),
    ("crawl --language th -o out", 2, "give --seeds"),
    ("crawl http://a.example/ --language th -o out", 2, "echo URL | dragoman crawl --seeds -"),
    ("crawl --language th --seeds http://a.example/ -o out", 2, "seeds come from a file"),
    ("crawl --language th --seeds nope.txt -o out", 2, "nope.txt"),
    ("crawl --language th --seeds none.txt -o out", 2, "give one URL per line"),
    ("crawl --language th --seeds wrong.txt -o out", 2, "line 2: 'not a url' is no URL of http or https; line 3:"),
    ("crawl --language th --seeds seeds.txt -o full", 2, "give a new folder"),
    ("crawl --language th --seeds seeds.txt --time soon -o out", 2, "such as 12h"),
    ("crawl --language th --seeds seeds.txt --strategy scuot -o out", 2, "Did you mean 'scout'?"),
    ("serve --port 123456", 2, "0<=x<=65535"),
    ("serve --folder nope", 2, "nope"),
    ("serve --model nope", 2, "Known: "),
    ("papers url-2009", 2, "Did you mean 'url-2008'?"),
    ("quiz nope.csv", 2, "check its name"),
    ("simulate --graph full -o out", 2, "A folder, not a file: 'full'"),
    ("links full", 2, "A folder, not a file: 'full'"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mistakes")
    for name, content in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(content, encoding="utf-8")
    return made


@pytest.mark.parametrize(("command", "code", "remedy"), MISTAKES, ids=[mistake[0] for mistake in MISTAKES])
def test_a_typical_mistake_is_one_line_with_its_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, code: int, remedy: str
) -> None:
    monkeypatch.chdir(folder)
    before = {path: path.is_file() and path.read_bytes() for path in folder.iterdir()}
    line = refused(CliRunner().invoke(cli, command.split(), prog_name="dragoman"), code)
    assert remedy in line
    assert {path: path.is_file() and path.read_bytes() for path in folder.iterdir()} == before


def test_a_text_in_place_of_a_file_is_told_where_texts_go() -> None:
    line = refused(CliRunner().invoke(cli, ["track", "Das ist ein Haus."], prog_name="dragoman"), 2)
    assert "echo TEXT | dragoman track -" in line


def test_a_full_disk_names_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    monkeypatch.chdir(folder)
    line = refused(CliRunner().invoke(cli, ["url", "urls.csv", "-o", "/dev/full"], prog_name="dragoman"), 1)
    assert line == "dragoman: No space left on device: '/dev/full'\n"


@pytest.mark.parametrize(
    ("words", "proposed"),
    [
        ("url --languages de,gal", "plain,de,galician"),
        ("crawl --strategy sc", "plain,scout"),
        ("page --method rank", "plain,rank-order"),
        ("url --model def", "plain,default"),
        ("train --algorithm naive", "plain,naive-bayes"),
        ("tr", "plain,track"),
    ],
)
def test_a_shell_is_told_what_may_come_next(words: str, proposed: str) -> None:
    place = str(len(words.split()))
    asked = {"_DRAGOMAN_COMPLETE": "bash_complete", "COMP_WORDS": f"dragoman {words}", "COMP_CWORD": place}
    assert proposed in CliRunner().invoke(cli, [], prog_name="dragoman", env=asked).stdout.splitlines()


#: A shell's `<&-`, `>&-`, and a reader that goes after the first line.
_STREAMS = "import os, sys; os.{}; os.execv(sys.executable, [sys.executable, '-m', 'dragoman', *sys.argv[1:]])"


@pytest.mark.parametrize(
    ("closed", "words", "code", "line"),
    [
        ("close(1)", ["models", "cctld"], 1, "dragoman: Bad file descriptor\n"),
        ("close(1)", ["url", "http://a.de/", "--model", "cctld"], 1, "dragoman: Bad file descriptor\n"),
        ("close(0)", ["page", "-", "--method", "hmm"], 1, None),
        ("close(0)", ["url", "-", "--model", "cctld"], 0, ""),
        ("close(2)", ["url", "http://a.de/", "--model", "cctld"], 0, ""),
        ("close(2)", ["url", "nope.csv", "--model", "cctld"], 2, ""),
    ],
)
def test_a_closed_stream_is_no_traceback(closed: str, words: list[str], code: int, line: str | None) -> None:
    command = [sys.executable, "-c", _STREAMS.format(closed), *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if line is not None:
        assert (done.returncode, done.stderr) == (code, line)


def test_a_reader_that_has_enough_of_a_table_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("".join(f"http://a{n}.de/\n" for n in range(20_000)))
    words = ["url", str(tmp_path / "urls.txt"), "--model", "cctld", "--format", "table"]
    command = [sys.executable, "-m", "dragoman", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("language")
        process.stdout.close()
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait()) == ("", 0)
