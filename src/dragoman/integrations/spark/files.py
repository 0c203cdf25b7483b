"""Parquet files to Parquet files on Spark: `label_files` has it hand out the files, and the rows never enter the JVM.

Each task is one file. The executor's Python process reads the URLs, judges them and writes the file with two columns
more, as `dragoman url FILE -o FILE` does: the columns that are there already are copied as they are compressed. So what
remains of Spark's cost is the handing out. Both folders must be ones that Python opens on every executor: a disk that
all of them see, or what fsspec reaches. For others there is dragoman.integrations.spark.label_index.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from dragoman.errors import BadTable
from dragoman.identifiers.models import DEFAULT
from dragoman.identifiers.url.identify import Choice, Model
from dragoman.integrations.spark.frames import Labelling, broadcast, content_of, model_in
from dragoman.integrations.spark.runs import Say, agree, check, parts_of, work_off
from dragoman.label.file import label_file
from dragoman.tables.parquet.folders import Folder, is_part


def label_files(
    spark: Any,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    column: str = "url",
    columns: str | Sequence[str] | None = None,
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    at_once: int = 64,
    say: Say = lambda line: None,
) -> int:
    """Label every Parquet file below `source` into a file of the same name below `target`; the number of files done.

    A source that is a Parquet file itself is the only one that is labelled.

    A folder is a path that all executors see or one of fsspec's (`s3://...`). What comes out has the columns that went
    in, or those named in `columns`, then `language` and `probability`; columns that had these names are replaced. A
    file that is there already is passed over: after a failure the same call goes on where it stopped, and nothing is
    ever there half-written. The call must have the same settings as the one that began the target. A file that cannot
    be used does not stop the others; it is a BadTable at the end.

    The file is the unit: with fewer files than cores, some cores have nothing to do, unless `spark.task.cpus` gives a
    task several, which work on its file together. At most `at_once` files are handed out at a time: give as many as the
    cluster has cores, if it has more.
    """
    source, target = os.fspath(source), os.fspath(target)
    check(source, target, at_once)
    labelling = Labelling.checked(model, column, columns, languages, threshold)
    source, names = _files_of(source)
    into = Folder(target)
    # the way keeps it apart from what label_index writes: folders, whose rows would be there a second time
    agree(into, labelling.settings("files"), empty=not into.parts())
    into.sweep()
    context = spark.sparkContext
    threads = int(context.getConf().get("spark.task.cpus", "1"))
    label = _labeller(broadcast(context, content_of(labelling.model)), source, target, labelling, threads)

    def work(name: str) -> None:
        (wrong,) = context.parallelize([name], 1).mapPartitions(label).collect()
        if wrong:
            raise BadTable(wrong)

    return work_off(names, set(into.parts()), work, at_once, say)


def _files_of(source: str) -> tuple[str, list[str]]:
    """A folder and the Parquet files below it; of a source that is a file itself, its folder and its name."""
    folder, slash, name = source.rpartition("/")
    above = Folder((folder + slash).rstrip("/") or slash or ".")
    if is_part(name) and above.is_file(name):
        return above.name, [name]
    return source, parts_of(Folder(source))


def _labeller(
    held: Any, source: str, target: str, labelling: Labelling, threads: int
) -> Callable[[Iterable[str]], Iterator[str]]:
    """What runs in the executors' Python processes: names of files in, what was wrong with each out."""
    _, column, columns, languages, threshold = labelling  # the model itself is not sent: its bytes are held already

    def label(names: Iterable[str]) -> Iterator[str]:
        opened = model_in(held.value)
        for name in names:
            path = name
            try:
                with Folder(source).here(name) as path:
                    label_file(
                        path, Folder(target).room_for(name), column, model=opened, languages=languages,
                        threshold=threshold, columns=columns, replace=True, threads=threads,
                    )  # fmt: skip
            except Exception as error:  # Spark would try four times what is told here once
                yield str(error).replace(path, name) or type(error).__name__
            else:
                yield ""

    return label
