"""Records digests of what Dragoman answers, through its command line alone, so that two versions can be compared.

    python benchmarks/answers/digests.py --bin .venv/bin/dragoman -o after.json [--keep DIR] [--studies [--data DIR]]
    python benchmarks/answers/digests.py --compare before.json after.json

Every entry is the SHA-256 of one answer to inputs that are made here: URLs, documents, tables, simulated crawls, crawls
of a small web on this machine, and with --studies the small runs of the papers' studies. --keep writes the answers
themselves, one file per entry, to look at what differs. Tables in Parquet count by their values, not their bytes.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as parquet

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
#: The same at every run, because it stands in URLs, which are judged; below those that systems give away by themselves.
PORT = 18613
#: Columns that vary from run to run: a crawl's archive has times and random names in it, and is packed.
VARYING = {"time", "warc", "warc_offset", "warc_length"}
#: Language, top-level domain, charset of old pages, text.
TEXTS = """
en co.uk iso-8859-1 The town council wants to close the old library. Many people wrote letters to the mayor.
de de iso-8859-1 Der Stadtrat möchte die alte Bücherei schließen. Viele Leute schrieben Briefe an die Zeitung.
fr fr iso-8859-15 La mairie veut fermer la vieille bibliothèque. Beaucoup de gens ont écrit une lettre.
es es windows-1252 El ayuntamiento quiere cerrar la antigua biblioteca. Mucha gente escribió al periódico.
it it windows-1252 Il comune vuole chiudere la vecchia biblioteca. Molte persone hanno già scritto una lettera.
no no iso-8859-1 Kommunen vil stenge det gamle biblioteket. Mange mennesker har skrevet brev på nytt.
pl pl iso-8859-2 Rada miasta chce zamknąć starą bibliotekę. Wielu ludzi napisało już listy.
ru ru koi8-r Городской совет хочет закрыть старую библиотеку. Многие люди написали письма.
el gr iso-8859-7 Ο δήμος θέλει να κλείσει την παλιά βιβλιοθήκη. Πολλοί άνθρωποι έγραψαν γράμματα.
ar com.eg windows-1256 يريد مجلس المدينة إغلاق المكتبة القديمة. كتب كثير من الناس رسائل.
hi in utf-8 नगर परिषद पुराने पुस्तकालय को बंद करना चाहती है। कई लोगों ने पत्र लिखे।
th co.th tis-620 สภาเมืองต้องการปิดห้องสมุดเก่า ผู้คนจำนวนมากเขียนจดหมายถึงนายกเทศมนตรี เด็กต้องการที่อ่านหนังสือ
ja jp euc-jp 市議会は古い図書館を閉鎖したいと考えています。多くの人が手紙を書きました。
zh cn gb18030 市议会想要关闭旧图书馆。许多人写了信。他们说孩子们需要一个读书的地方。
ko kr euc-kr 시의회는 오래된 도서관을 닫으려고 합니다. 많은 사람들이 편지를 썼습니다.
"""
LANGUAGES = {tag: tuple(more) for tag, *more in (row.split(" ", 3) for row in TEXTS.strip().split("\n"))}
#: What a URL of a language may look like: {slug} are words of its text, {escaped} and {legacy} the same in escapes.
LOOKS = """
http://www.example.{tld}/ https://news.example.{tld}/2024/05/{slug}.html https://example.com/{tag}/{escaped}
https://{tag}.example.org/wiki/{escaped}?page=2#top http://example.net/index.php?lang={tag}&id=17
https://{word}.example.com/ http://{word}.{tld}/{slug}/3 HTTPS://WWW.{word}-{tag}.INFO:8443/{slug}/ example.org/{slug}
https://example.com/{legacy} http://example.{tld}/{tag}-{tag}/shop_item.aspx?q={escaped} http://a.net/{word}
"""
ODD = """
/ http:// :// %%%zz http://[::1 http://[2001:db8::1]/fr/ http://example.de:99999999/ http://192.0.2.7/nachrichten/heute
http://user:word@example.fr/bonjour mailto:someone@example.es data:text/plain;base64,SGFsbG8= //example.hu/hirek
http://xn--mnchen-3ya.de/rathaus http://пример.рф/новости http://例え.jp/ニュース http://example.com/%C3%A9t%C3%A9/%FF
http://example.com/a%2Fb%2fde#deutsch http://example.com/"quoted",comma 🙂
"""
#: Commands with {choices|among|these}, which stand for one command each. SOME are URLs, ALL are documents. What is
#: refused, such as a URL for a model of texts, is recorded too.
COMMANDS = """
models
models {default|cctld|cctld-plus|fisher-cosine|hmm|rank-order|text|track} --detail --format json
url urls.txt --model {default|cctld|cctld-plus|fisher-cosine|hmm|rank-order|text|track}
url urls.txt --model {default|cctld|cctld-plus} {--top 3|--explain|--top 2 --explain|--threshold 0|--threshold 0.9}
url urls.txt --model {default|cctld|cctld-plus} {--languages five|--languages de,fr,English|--language fr|--by-site}
url urls.txt --language {de|en|th|is} {--precision 0.9|--precision 0.97|--recall 0.8}
url {SOME|SOME urls.csv urls.jsonl --replace|urls.csv|broken.jsonl --explain}
url urls.{txt|csv|tsv|jsonl|parquet} --replace > out.{jsonl|csv|tsv|parquet}
url urls.{txt|csv|jsonl|parquet} --replace {--by-site|--top 2 --explain} > out.parquet
url urls.{txt|csv|jsonl|parquet} --replace --format table --threads 2
url renamed.parquet --column address --threads 2 > out.parquet
page ALL --method {default|text|rank-order|fisher-cosine|hmm|fasttext|heliport|py3langid|pycld2|lingua} --top 3
page ALL --method {charset-rule|charset-rule-both} --content-type {text/html|"text/html; charset=koi8-r"}
page ALL {--languages five|--threshold 0.9|--format table|> out.csv|> out.tsv|> out.parquet}
page texts.parquet --method {text|rank-order|fisher-cosine|hmm|fasttext|py3langid} --threads 2 > out.parquet
page texts.{csv|tsv|jsonl|parquet} --column {text|html} --top 2 > out.jsonl
page texts.{csv|tsv|parquet} > out.parquet
{page|track} ALL --content-type {"text/html; charset=tis-620"|"text/plain; charset=latin1"}
track ALL --method {default|sentences|sentences:heliport|sentences:hmm|sentences:rank-order|hmm-network}
track mixed.{txt|html} --method {default|sentences|hmm-network} --format {xml|html|terminal}
track {mixed.txt|mixed.html|th-silent.html} --languages five > out.html
track texts.{jsonl|parquet} --column {text|html} > out.jsonl
links --synth --pages 5000 --seed 4 --format json > graph.parquet
"""
SIMULATIONS = """
{bfs|hard-focused|soft-focused|perfect|perfect-fewest|soft-focused --no-promotion}
scout --strategy bfs --graph graph.parquet
{aggressive-server|conservative-server|conservative-directory|scout} {|--tolerance 1 --tolerance 30}
conservative-server {--no-promotion|--defer|--share 0.3|--halve-every 500|--readmit 3}
scout {--complete|--quota th=500|--language th --language ja|--url-score none|--url-score model|--d-prime 0.7}
scout --url-score model --model cctld-plus --language de
"""


class Recorder:
    """Runs commands in a folder of its own and keeps the digest of each answer under a name."""

    def __init__(self, program: Path, folder: Path, keep: Path | None) -> None:
        self.program, self.folder, self.keep = program, folder, keep
        self.digests: dict[str, str] = {}
        self.lists: dict[str, Sequence[str]] = {}  # words of commands that stand for several
        # Widths, colours and the order of additions in threads would otherwise depend on who asks.
        fixed = {"COLUMNS": "120", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        kept = {name: os.environ[name] for name in ("HOME", "PATH", "TMPDIR") if name in os.environ}
        self.where: dict[str, Any] = {"cwd": folder, "env": kept | fixed, "stdin": subprocess.DEVNULL}

    def add(self, name: str, answer: str) -> None:
        """Keep an answer under a name."""
        answer = answer.replace(str(self.folder), "FOLDER")
        self.digests[name] = hashlib.sha256(answer.encode("utf-8", "surrogateescape")).hexdigest()
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            path = self.keep / (re.sub(r"[^\w.,=+-]+", "_", name) + ".txt")
            path.write_text(answer, encoding="utf-8", errors="surrogateescape", newline="")

    def run(self, command: str, *, must: bool = False) -> str:
        """What a command says: its exit code, its notes and its output. With `must` it has to succeed."""
        words = [one for word in shlex.split(command) for one in self.lists.get(word, [word])]
        done = subprocess.run([self.program, *words], capture_output=True, check=False, **self.where)
        said, noted = (part.decode("utf-8", "surrogateescape") for part in (done.stdout, done.stderr))
        if must and done.returncode:
            sys.exit(f"'{command}' failed:\n{noted}")
        return f"exit code {done.returncode}\n{noted}---\n{said}"

    def ask(self, command: str) -> tuple[str, str]:
        """A command, and what it says; where it ends with ` > FILE`, also the file that it writes."""
        asked, _, output = command.partition(" > ")
        if not output:
            return command, self.run(asked)
        (self.folder / output).unlink(missing_ok=True)
        return command, self.run(f"{asked} -o {output}") + content(self.folder / output)


def content(path: Path) -> str:
    """A file's text; of a Parquet file, or a folder of its parts, the columns and the rows as JSON lines."""
    if not path.exists():
        return "there is no such file"
    if path.is_file() and path.suffix != ".parquet":
        return path.read_bytes().decode("utf-8", "surrogateescape")
    parts = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    table = pa.concat_tables([parquet.ParquetFile(part).read() for part in parts])
    table = table.drop_columns([name for name in table.column_names if name in VARYING])
    rows = [json.dumps(row, ensure_ascii=False, default=str) for row in table.to_pylist()]
    return "\n".join([*(f"{field.name}: {field.type}" for field in table.schema), *rows, ""])


def made_urls() -> list[str]:
    """A few hundred URLs, the same ones every time."""
    urls = []
    for number, (tag, (tld, charset, text)) in enumerate(LANGUAGES.items()):
        words = re.sub(r"[^\w\s]", "", text.lower()).split()
        for place, look in enumerate(LOOKS.split()):
            some = words[(number + place) % min(3, len(words)) :][: 2 + place % 4]
            escaped, legacy = (quote("_".join(some).encode(one, "replace")) for one in ("utf-8", charset))
            said = {"slug": "-".join(some), "word": some[0], "escaped": escaped, "legacy": legacy}
            urls.append(look.format(tag=tag, tld=tld, **said))
    urls += ["http://example.com/" + "parola-" * 700, "http://" + "a" * 300 + ".fi/", "http://a.com/" + "/" * 200]
    return [*urls, *ODD.split(), "", " ", "no url at all", "http://example.com/tab\there"]


def write_tables(folder: Path) -> list[str]:
    """The URLs, which are written as files of every format that is read, as texts are."""
    urls = made_urls()
    (folder / "urls.txt").write_bytes("\n".join(urls).encode() + b"\nhttp://a.de/stra\xdfe-\xff\n\nhttp://a.fr/bonjour")
    rows = [{"id": number, "url": url, "language": "xx" if number % 2 else None} for number, url in enumerate(urls)]
    # Short texts too, because their probabilities are not all 1: a small change shows.
    short = [text[: 4 * 2**size] for _, _, text in LANGUAGES.values() for size in range(6)]
    texts = [{"text": text, "html": text and f"<title>T</title><p>{text}!"} for text in (*short, "", None, "12?")]
    for name, table in (("urls", rows), ("texts", texts)):
        parquet.write_table(pa.Table.from_pylist(table), folder / f"{name}.parquet", row_group_size=100)
        for ending, delimiter in (("csv", ","), ("tsv", "\t")):
            with (folder / f"{name}.{ending}").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
                writer.writerows([table[0].keys(), *(row.values() for row in table)])
        objects = [json.dumps(row, ensure_ascii=bool(place % 2)) for place, row in enumerate(table)]
        (folder / f"{name}.jsonl").write_text("\n".join(objects) + "\n", encoding="utf-8")
    (folder / "broken.jsonl").write_text('{"url": "http://a.it/notizie", "more": [1]}\n{x\n{"url": 5}\n{"y": 1}\n[]')
    parquet.write_table(pa.table({"id": range(len(urls)), "address": urls}), folder / "renamed.parquet")
    return urls


def write_documents(folder: Path) -> list[str]:
    """The names of documents: pages in UTF-8 and in an old charset for each language, and odd ones."""
    texts = {tag: text for tag, (_, _, text) in LANGUAGES.items()}
    made = {"empty.html": b"", "binary.bin": bytes(range(256)) * 8, "wide.txt": texts["ru"].encode("utf-16")}
    made["references.html"] = f"<p>{texts['th']}".encode("ascii", "xmlcharrefreplace")
    made["template.html"] = f"<meta charset=tis-620><p>{texts['en']}".encode()
    # Whole sentences, and pieces of them that change the language within a sentence, where methods disagree.
    pieces = " ".join(texts[tag][:size] for size in (12, 24, 40) for tag in ("en", "de", "fr", "ru", "es", "it", "no"))
    made["mixed.txt"] = f"{' '.join(texts.values())}\n\n{pieces} «{texts['fr'][:30]}» 123\n{texts['th']}\n".encode()
    blocks = "".join(f"<p>{text[:45]} <i>{texts['en'][:25]}</i></p>\n<li>{text[:30]}" for text in texts.values())
    made["mixed.html"] = f"<html><title>Mixed</title><script>x</script><body>{blocks}{pieces}</body></html>".encode()
    for tag, (_, charset, text) in LANGUAGES.items():
        made[f"{tag}-utf8.html"] = f"<!DOCTYPE html><html lang={tag}><title>{text[:20]}</title><p>{text}".encode()
        meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'
        for name, head in (("old.html", meta), ("silent.html", "<html>"), ("text.txt", "")):
            made[f"{tag}-{name}"] = f"{head}<p>{text}"[0 if head else 3 :].encode(charset, "xmlcharrefreplace")
    for name, data in made.items():
        (folder / name).write_bytes(data)
    return list(made)


def expanded(commands: str) -> Iterator[str]:
    """Every command, with one of its choices at a time."""
    for line in commands.strip().split("\n"):
        parts = [part.split("|") if place % 2 else [part] for place, part in enumerate(re.split(r"[{}]", line))]
        yield from ("".join(choice).strip() for choice in product(*parts))


def simulations(recorder: Recorder) -> Iterator[tuple[str, str]]:
    """`dragoman simulate`: every strategy and option on a made web, and two strategies on a stored one."""
    for place, more in enumerate(expanded(SIMULATIONS)):
        web = "" if "--graph" in more else "--synth --pages 20000"
        asked = f"simulate {web} --seed 4 --events --no-plots --strategy {more}"
        yield asked, recorder.run(f"{asked} -o simulation-{place}", must=True)
        for part in ("summary.json", "curves.parquet", "misses.parquet", "events.parquet"):
            yield f"{asked} > {part}", content(recorder.folder / f"simulation-{place}" / part)


class SmallWeb(BaseHTTPRequestHandler):
    """Sixty-four pages in three languages on eight hosts, with a few other answers among their links."""

    hosts = "www.siam.th news.siam.co.th thai.example.com www.zeitung.de blog.example.org www.daily.co.uk a.net b.info"

    @classmethod
    def url(cls, number: int) -> str:
        """The URL of a page: the first eight are home pages."""
        page, place = divmod(number % 64, 8)
        return f"http://{cls.hosts.split()[place]}:{PORT}/" + (f"{'abc'[page % 3]}/{page}.html" if page else "")

    def page(self, number: int) -> tuple[int, str, str, bytes]:
        """Status, a header and its value, and the body of a page."""
        page, place = divmod(number, 8)
        language = ("th", "en", "de")[1 if page == 5 else (0, 0, 0, 2, 2, 1, page % 3, 1)[place]]
        ends = [self.url(number + step) for step in (8, 16, 7 + place, 3 * page + 1, 11 * place + 5)]
        ends += ["#top", "./", "mailto:a@example.org", "/moved", "/private/x", "/picture.png"]
        links = "".join(f'<li><a href="{end}">{end[-6:]}</a>' for end in ends)
        other = f'<link rel=alternate hreflang=th href="{self.url(5 * number)}">' if page % 4 == 1 else ""
        charset = "tis-620" if language == "th" and place == 1 else "utf-8"
        body = f"<html><title>{page}</title>{other}<body><p>{LANGUAGES[language][2]}</p><ul>{links}</ul></html>"
        return 200, "Content-Type", f"text/html; charset={charset}", body.encode(charset)

    def do_GET(self) -> None:
        """Answer."""
        found = {
            "/robots.txt": (200, "Content-Type", "text/plain", b"User-agent: *\nDisallow: /private/\n"),
            "/picture.png": (200, "Content-Type", "image/png", b"\x89PNG\r\n" + bytes(64)),
            "/moved": (302, "Location", self.url(len(self.headers["Host"])), b""),
        }.get(self.path, (404, "Content-Type", "text/plain", b"There is no such page."))
        numbers = [one for one in range(64) if self.url(one) == f"http://{self.headers['Host']}{self.path}"]
        status, name, value, body = self.page(numbers[0]) if numbers else found
        self.send_response(status)
        self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing: who asked for what is in the catalogue."""


def crawls(recorder: Recorder) -> Iterator[tuple[str, str]]:
    """`dragoman crawl`: what it decides about each link, with one request at a time, so that the order is the same."""
    (recorder.folder / "seeds.txt").write_text("\n".join(SmallWeb.url(one) for one in (0, 5, 6)), encoding="utf-8")
    always = "--language th --seeds seeds.txt --delay 0 --concurrent 1 --allow-private --resolve *=127.0.0.1"
    with ThreadingHTTPServer(("127.0.0.1", PORT), SmallWeb) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for place, more in enumerate(("bfs", "conservative-server --tolerance 2", "scout", "scout --quota th=9")):
            recorder.run(f"crawl {always} --strategy {more} -o crawl-{place}", must=True)
            folder = recorder.folder / f"crawl-{place}"
            yield f"crawl {more} > decisions", content(folder / "decisions")
            yield f"crawl {more} > catalogue", content(folder / "catalogue")
            recorder.lists["ARCHIVE"] = [str(path) for path in sorted((folder / "warc").glob("*.warc.gz"))]
            yield f"page ARCHIVE of crawl {more}", recorder.run("page ARCHIVE", must=True)
        server.shutdown()


def studies(recorder: Recorder, data: Path) -> Iterator[tuple[str, str]]:
    """`dragoman papers`: tables, drawings and reports of small runs; times are in a file of their own, left out."""
    (recorder.folder / "urls").mkdir()
    # Only the sets that the studies are about: others beside them need not have the columns that studies ask for.
    for name in ("text", *(f"urls/{one}.parquet" for one in ("train", "dev_crawl", "dev_directory", "dev_news"))):
        (recorder.folder / name).symlink_to(data.resolve() / name)
    for study in ("crawling-2007", "hayati-2004 --data text", "hmm-2004 --data text", "url-2008 --data urls"):
        recorder.run(f"papers {study} --scale small -o {study.split()[0]}", must=True)
        folder = recorder.folder / study.split()[0]
        for path in sorted([folder / "report.md", *folder.glob("tables/*.csv"), *folder.glob("figures/*.svg")]):
            yield f"papers {path.relative_to(recorder.folder)}", content(path)


def compare(before: Path, after: Path) -> int:
    """Print what differs; 1 if anything does."""
    old, new = (json.loads(path.read_text("utf-8")) for path in (before, after))
    differing = [name for name in old | new if old.get(name) != new.get(name)]
    for name in differing:
        print("differs:" if name in old and name in new else f"only in {before if name in old else after}:", name)
    print(f"{len(differing)} of {len(old | new)} entries differ")
    return int(bool(differing))


def main() -> int:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, help="the command `dragoman` of the version to record")
    parser.add_argument("-o", "--output", type=Path, help="JSON file for the digests")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the answers themselves here")
    parser.add_argument("--studies", action="store_true", help="also run the papers' studies (minutes)")
    parser.add_argument("--data", type=Path, default=SHARED, help="folder with urls/ and text/ for the studies")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("A", "B"), help="print which entries differ")
    given = parser.parse_args()
    if given.compare:
        return compare(*given.compare)
    if not given.bin or not given.output:
        parser.error("give --bin and -o, or --compare")
    with tempfile.TemporaryDirectory() as name:
        # Not resolve() for the program: in a virtual environment it may be a link out of it.
        recorder = Recorder(given.bin.absolute(), Path(name).resolve(), given.keep)
        recorder.lists = {"SOME": write_tables(recorder.folder)[:40], "ALL": write_documents(recorder.folder)}
        parts = {
            "crawl": crawls(recorder),  # first, because its port may be taken
            "url, page, track": map(recorder.ask, expanded(COMMANDS)),
            "simulate": simulations(recorder),
            "papers": studies(recorder, given.data) if given.studies else iter(()),
        }
        for part, entries in parts.items():
            began, before = time.monotonic(), len(recorder.digests)
            for entry in entries:
                recorder.add(*entry)
            print(f"{part}: {len(recorder.digests) - before} entries, {time.monotonic() - began:.0f} s")
    given.output.write_text(json.dumps(recorder.digests, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
