"""What Dragoman does today, in a minute: `make demo`. Pictures and a page come into the folder `demo`.

    python examples/demo.py [FOLDER]

1. the languages of a dozen illustrative URLs, with probabilities and reasons;
2. a page in several languages, coloured by language;
3. a crawl that is steered towards a language, in simulation;
4. the same for real: a small web that is played on this machine is crawled over HTTP;
5. a model for languages of one's own, trained on a small labelled file that is made here, and judged;
6. a Parquet file of 200,000 URLs, labelled from file to file.
"""

from __future__ import annotations

import csv
import io
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from crawl_a_small_web import HERE, SIZE, small_web
from rich.console import Console
from rich.table import Table as Shown

import dragoman
from dragoman.files import write_whole
from dragoman.languages import name as language_name
from dragoman.report import plots
from dragoman.report.evaluation import language_table
from dragoman.report.html import Part, Picture, Points, ReportPage, Section, Verbatim
from dragoman.report.tables import Column, Table

BULK = 200_000

URLS = (
    "https://www.beispiel-zeitung.de/politik/neue-regierung-in-berlin",
    "https://example.com/blog/tarte-aux-pommes-de-ma-grand-mere",
    "https://example.com/blog/apple-pie-recipe",
    "https://shop.example.net/es/zapatos-de-mujer",
    "https://example.org/it/chi-siamo",
    "https://xn--bcher-kva.example/neuerscheinungen",
    "https://example.com/caf%C3%A9/menu-du-jour",
    "https://www.casa-rural-montana.com/alojamiento",
    "https://example.ch/aktuelles",
    "https://example.com/index.html?lang=de",
    "https://example.com/p?id=8437",
    "mailto:someone@example.org",
)

#: Words from which labelled URLs are made: languages that nobody needs to download anything for.
WORDS = {
    "nl": "huis tuin keuken fiets winkel nieuws gemeente school boeken muziek reizen vakantie kinderen gezondheid "
    "werk markt brood kaas water brug schilderij verhaal gebouw straat vrienden bloemen zomer winter avond ochtend",
    "da": "hus have køkken cykel butik nyheder kommune skole bøger musik rejser ferie børn sundhed arbejde marked "
    "brød ost vand bro maleri historie bygning gade venner blomster sommer vinter aften morgen",
    "sv": "hus trädgård kök cykel butik nyheter kommun skola böcker musik resor semester barn hälsa arbete marknad "
    "bröd ost vatten bro målning berättelse byggnad gata vänner blommor sommar vinter kväll morgon",
    "pl": "dom ogród kuchnia rower sklep wiadomości gmina szkoła książki muzyka podróże wakacje dzieci zdrowie praca "
    "rynek chleb ser woda most obraz historia budynek ulica przyjaciele kwiaty lato zima wieczór poranek",
    "pt": "casa jardim cozinha bicicleta loja notícias câmara escola livros música viagens férias crianças saúde "
    "trabalho mercado pão queijo água ponte pintura história edifício rua amigos flores verão inverno noite manhã",
}
COUNTRY = {"nl": "nl", "da": "dk", "sv": "se", "pl": "pl", "pt": "pt"}
#: Words for the large file, of languages that the shipped models know.
COMMON = (
    "weather kitchen garden railway library holidays wetter küche garten eisenbahn bücherei urlaub météo cuisine "
    "jardin chemin bibliothèque vacances tiempo cocina jardín ferrocarril biblioteca vacaciones meteo cucina giardino"
)
LABELLED = "made-up labelled URLs"
#: A page of a valley where people speak several languages: a change between paragraphs, and some inside sentences.
VALLEY = """<!doctype html><title>The valley</title>
<h1>Willkommen im Tal</h1>
<p>Im Sommer fährt der kleine Bus jede Stunde bis zum See hinauf, im Winter nur am Wochenende.</p>
<p>En hiver, le refuge reste ouvert tant que la neige le permet ; apportez des chaussures chaudes et du temps.</p>
<p>The keeper greets everybody with <i>buongiorno a tutti, accomodatevi pure vicino al fuoco</i> and means it.</p>
<p>Por la noche se cuentan historias antiguas, y nadie quiere volver a casa antes de que salga la luna.</p>
"""
#: Pages of the simulated web, and the strategies that crawl it.
WEB, STRATEGIES = 40_000, ("bfs", "conservative-server", "scout")
#: About so many pages are played on this machine.
LIVE = 400


def heading(console: Console, number: int, text: str) -> None:
    """A title on the terminal."""
    console.print()
    console.rule(f"[bold]{number}. {text}", align="left")
    console.print()


def some_urls(console: Console, folder: Path) -> Section:
    """The first part: answers, probabilities, reasons."""
    heading(console, 1, "The language of a page, from its URL alone")
    found = dragoman.identify(URLS, top=5, explain=True)
    shown = Shown("language", "probability", "URL", box=None, pad_edge=False, header_style="bold")
    for url, one in zip(URLS, found, strict=True):
        colour = "dim" if one.language is None else "green" if (one.probability or 0) >= 0.8 else "yellow"
        answer = "-" if one.language is None else language_name(one.language)
        shown.add_row(f"[{colour}]{answer}", "" if one.probability is None else f"{one.probability:.3f}", url)
    console.print(shown)
    console.print("\nGreen: fairly sure. Yellow: little to go by. A dash: too little to answer by, or no web address.")

    reasons = []
    for url, one in ((URLS[row], found[row]) for row in (0, 3, 4)):
        own = [c for c in one.contributions if c.language == one.language][:6]
        reasons.append(f"{url}\n  {one.language}: " + ", ".join(f"{c.feature} {c.weight:+.2f}" for c in own))
    console.print("\n[bold]What decided[/bold] (the largest weights for and against the answer):")
    console.print("\n".join(reasons), highlight=False)

    judged = [(url, one) for url, one in zip(URLS, found, strict=True) if one.scores]
    addresses, scores = [url for url, _ in judged], [one.scores for _, one in judged]
    write_whole(folder / "urls.png", plots.probability_bars(addresses, scores, image="png"))
    rows: list[list[Any]] = [
        [url, "no answer" if one.language is None else language_name(one.language), one.probability]
        for url, one in zip(URLS, found, strict=True)
    ]
    table = Table("Answers", [Column("URL", "text"), Column("Language", "text"), Column("Probability", digits=3)], rows)
    picture = Picture(plots.probability_bars(addresses, scores), "The likeliest languages of each URL.")
    told: list[Part] = ["Nothing was fetched: the letters of the URL are all there is.", table, picture]
    return Section(
        "From the URL alone",
        [
            *told,
            "What decided, for three of them (the largest weights for and against the answer):",
            Verbatim("\n\n".join(reasons)),
        ],
    )


def tracked_page(console: Console, folder: Path) -> Section:
    """The second part: where the language of a page changes."""
    from dragoman.identifiers.text.document import read_page
    from dragoman.identifiers.track import placed, track
    from dragoman.identifiers.track.colours import to_page, to_terminal
    from dragoman.identifiers.track.writing import marked_up

    heading(console, 2, "Where the language of a page changes")
    page = read_page(VALLEY)
    spans = track(page.text)
    to_terminal(page.text, spans, console)
    write_whole(folder / "tracked.html", to_page(page.text, spans, "The valley"))
    write_whole(folder / "valley.html", marked_up(page, placed(spans, page)))
    columns = [Column("Characters", "text"), Column("Language", "text"), Column("Text", "text")]
    rows: list[list[Any]] = [
        [
            f"{one.start} to {one.end}",
            language_name(one.language) if one.language else "none",
            page.text[one.start : one.end],
        ]
        for one in spans
        if one.language
    ]
    told = "The same page with `lang` attributes is in valley.html, coloured in tracked.html."
    return Section("Where the language changes", [told, Table("Spans", columns, rows)])


def steered_crawl(console: Console, folder: Path) -> Section:
    """The third part: which strategy finds the pages of a language at what cost."""
    from dragoman.crawl.simulate import distances, simulate
    from dragoman.crawl.synth import Recipe, make
    from dragoman.crawl.url_scores import noisy_score
    from dragoman.report.simulation import Shown as Crawled
    from dragoman.report.simulation import figures, summary_table

    heading(console, 3, f"A crawl for Thai pages in a made web of {WEB:,} pages")
    web = make(Recipe(pages=WEB, seed=4))
    relevant = web.graph.is_in("th")
    score = noisy_score(web.latent == 0, web.graph.server, 1.8, seed=4)
    runs = [simulate(web.graph, relevant, name, score=score) for name in STRATEGIES]
    shown = Shown("strategy", "pages fetched", "for 90 % of the Thai pages", "harvest there", box=None, pad_edge=False,
                  header_style="bold")  # fmt: skip
    for run in runs:
        pages, harvest = run.pages_at(0.9), run.harvest_at(0.9)
        shown.add_row(run.strategy, f"{len(run.order):,}", "never" if pages is None else f"{pages:,}",
                      "" if harvest is None else f"{harvest:.0%}")  # fmt: skip
    console.print(shown)
    console.print("\nbfs knows nothing, conservative-server is the best of the 2007 paper, scout is ours.")
    distance = distances(web.graph)
    crawled = [Crawled.of(run, distance, relevant) for run in runs]
    write_whole(folder / "crawl.png", figures(crawled, image="png")["figure-5-coverage"])
    picture = Picture(figures(crawled)["figure-5-coverage"], "Thai pages found against pages fetched.")
    text = f"A web of {WEB:,} pages with the statistics of a real crawl, a tenth of them Thai; nothing was fetched."
    return Section("A steered crawl", [text, summary_table(crawled), picture])


def live_crawl(console: Console, folder: Path) -> Section:
    """The fourth part: `dragoman crawl` on a small web of this machine."""
    heading(console, 4, "A live crawl of a small web on this machine")
    shutil.rmtree(folder / "crawl", ignore_errors=True)
    urls = small_web(LIVE)
    about = f"{len(urls)} pages on {-(-len(urls) // SIZE)} hosts, every third of them Thai"
    console.print(f"{about}\n", highlight=False)
    write_whole(folder / "seeds.txt", urls[0])
    command = ["crawl", "--language", "th", "--tolerance", "3", "--seeds", "seeds.txt", "-o", "crawl"]
    console.print(f"$ dragoman {' '.join(command)}", highlight=False)
    run = [sys.executable, "-m", "dragoman", *command, *HERE]
    told = subprocess.run(run, cwd=folder, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout  # noqa: S603
    console.print(told.rstrip(), highlight=False)
    text = f"`dragoman crawl --language th` on a web of {about}. Its own report is crawl/report.html."
    return Section("A live crawl", [text, Verbatim(told.rstrip())])


def labelled_file(path: Path, languages: dict[str, str], sites: int = 60, pages: int = 12) -> int:
    """Make a CSV of URLs with their languages. Each site knows some words of its language, so that a site held out
    has words that the others lack, and every third page mixes in a word of any language.
    """
    rng, out = random.Random(4), io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(["url", "lang"])
    for language, text in languages.items():
        for site in range(sites):
            own = rng.sample(text.split(), 4)
            domain = rng.choice((COUNTRY[language], "com", "com", "org", "eu", "info"))
            host = "www." + rng.choice(own).encode("idna").decode() + f"{site}.{domain}"
            for _ in range(pages):
                slug = rng.sample(own, rng.randint(1, 2))
                if rng.random() < 0.3:
                    slug.append(rng.choice(languages[rng.choice(list(languages))].split()))
                rows.writerow([f"https://{host}/{'-'.join(slug)}", language])
    write_whole(path, out.getvalue())
    return len(languages) * sites * pages


def own_model(console: Console, folder: Path) -> Section:
    """The fifth part: train, judge, draw."""
    from dragoman.evaluate.holding_out import train_and_judge
    from dragoman.evaluate.splits import sites_of
    from dragoman.identifiers.algorithms import make
    from dragoman.tables.labelled.reading import read_labelled

    heading(console, 5, "A model for languages of your own")
    rows = labelled_file(folder / "labelled.csv", WORDS)
    console.print(f"{rows:,} {LABELLED} in {', '.join(map(language_name, WORDS))}; a third of the sites held out ...")
    began = time.perf_counter()
    labelled = read_labelled(folder / "labelled.csv")
    urls = dragoman.ByteColumn.of(labelled.urls)
    trained = train_and_judge(
        lambda: make("logistic-regression", features="trigrams"), urls, labelled.languages, sites_of(urls), share=0.34
    )
    dragoman.save_model(trained.model, folder / "mine.dragoman")
    seconds = time.perf_counter() - began
    result = trained.readings["best"]
    shown = Shown("language", "URLs", "precision", "recall", "F", box=None, pad_edge=False, header_style="bold")
    for language, one in zip(result.languages, result.judgements, strict=True):
        figures = [f"{value:.3f}" for value in (one.precision, one.recall, one.f)]
        shown.add_row(language_name(language), f"{one.positives}", *figures)
    console.print(shown)
    f = result.macro_f
    console.print(f"\nMaximum entropy on trigrams, trained and judged on unseen sites in {seconds:.1f} s.")
    console.print(f"Mean F {f.value:.3f}, 95 % interval {f.low:.3f} to {f.high:.3f}.")
    sample = "https://www.example.com/trädgård-och-kök"
    asked = dragoman.identify(sample, model=folder / "mine.dragoman")
    console.print(f"{sample} is {language_name(asked.language or '')}, {asked.probability:.3f}")

    shares = {
        language_name(row): dict(zip(result.languages, (100 * values).tolist(), strict=True))
        for row, values in zip(result.languages, result.confusion, strict=True)
    }
    matrix = {"one answer per URL, percent": shares}
    write_whole(folder / "confusion.png", plots.confusion_matrices(matrix, image="png"))
    picture = Picture(plots.confusion_matrices(matrix), "How often URLs of one language are taken for another.")
    text = (
        f"{rows:,} {LABELLED} were trained on with `logistic-regression` on `trigrams`. The figures are for sites that "
        "the model did not see."
    )
    return Section("A model of your own", [text, language_table(result), picture])


def bulk(console: Console, folder: Path) -> Section:
    """The sixth part: many URLs, from file to file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    heading(console, 6, f"{BULK:,} URLs, from file to file")
    rng = random.Random(8)
    domains = ("com", "org", "net", "de", "fr", "it", "es", "co.uk", "at", "info")
    draws = rng.choices(COMMON.split(), k=3 * BULK)
    urls = [
        f"https://www.{draws[i]}{i % 977}.{domains[i % 10]}/{draws[i + 1]}-{draws[i + 2]}/{i}"
        for i in range(0, 3 * BULK, 3)
    ]
    source, target = folder / "urls.parquet", folder / "languages.parquet"
    pq.write_table(pa.table({"id": range(BULK), "url": urls}), source)
    command = ["url", source.name, "-o", target.name]
    console.print(f"$ dragoman {' '.join(command)}", highlight=False)
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "dragoman", *command], cwd=folder, check=True)  # noqa: S603
    seconds = time.perf_counter() - began
    column, model = pa.array(urls), dragoman.load_model()
    began = time.perf_counter()
    dragoman.identify_column(column, model)
    inside = time.perf_counter() - began
    counts = pq.read_table(target, columns=["language"])["language"].value_counts().to_pylist()
    counts.sort(key=lambda row: -row["counts"])
    told = [
        f"{BULK:,} URLs in {seconds:.2f} s from Parquet to Parquet, start-up included: {BULK / seconds:,.0f} URLs/s",
        f"the same column in memory, on one core: {BULK / inside:,.0f} URLs/s",
        "found: " + ", ".join(f"{row['values'] or 'no answer'} {row['counts']:,}" for row in counts[:8]),
    ]
    console.print("\n".join(told), highlight=False)
    return Section("Many URLs", ["`dragoman url urls.parquet -o languages.parquet`", Points(told)])


PARTS = (some_urls, tracked_page, steered_crawl, live_crawl, own_model, bulk)


def main() -> None:
    """Run the parts and write the page."""
    # A temporary copy or another folder may be given; the Makefile gives none and gets `demo`.
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
    if folder.name.startswith("-"):
        sys.exit(__doc__)
    folder.mkdir(parents=True, exist_ok=True)
    console = Console(width=None if sys.stdout.isatty() else int(os.environ.get("COLUMNS", "110")))
    began = time.perf_counter()
    sections = [part(console, folder) for part in PARTS]
    seconds = time.perf_counter() - began
    page = ReportPage(
        "Dragoman in a minute",
        sections,
        "The language of a web page before it is fetched, after it is fetched, and a crawl steered by both.",
        f"Written by examples/demo.py, Dragoman {dragoman.__version__}, in {seconds:.0f} s.",
    )
    page.write(folder / "index.html")
    heading(console, 7, "To look at")
    for file, what in (
        ("index.html", "all of this on one page"),
        ("urls.png", "probabilities of the URLs"),
        ("tracked.html", "the page in five languages, coloured"),
        ("crawl.png", "Thai pages found against pages fetched"),
        ("crawl/report.html", "the live crawl's own report"),
        ("confusion.png", "confusion of the trained model"),
        ("languages.parquet", f"{BULK:,} URLs with their languages"),
        ("mine.dragoman", "the trained model: dragoman url --model ..."),
    ):
        console.print(f"{folder / file}  [dim]{what}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
