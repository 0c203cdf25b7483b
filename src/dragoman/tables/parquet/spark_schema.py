"""What Spark notes in the footers of its Parquet files, the columns of a table as it knows them, kept up to date.

Spark believes its note more than the file: a column that is only in the file is not there for it. So where columns are
added to a file that Spark wrote, its note must have them, and none that the file has no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

#: The name of the note.
NOTE = b"org.apache.spark.sql.parquet.row.metadata"
#: Arrow's names of the types of our columns, and Spark's.
_TYPES = {"string": "string", "float": "float", "bool": "boolean"}


def spark_schema(note: bytes, names: Iterable[str], added: Iterable[Any]) -> bytes | None:
    """The note for a file of the columns that are kept and Arrow's fields of those that are added.

    None where something does not fit: without a note, Spark looks for itself.

    >>> import pyarrow
    >>> note = b'{"type":"struct","fields":[{"name":"url","type":"string","nullable":true,"metadata":{}}]}'
    >>> fields = json.loads(spark_schema(note, ["url"], [pyarrow.field("probability", "float32")]))["fields"]
    >>> [(field["name"], field["type"]) for field in fields]
    [('url', 'string'), ('probability', 'float')]
    """
    try:
        schema = json.loads(note)
        fields_by_name = {field["name"]: field for field in schema["fields"]}
        schema["fields"] = [fields_by_name[name] for name in names] + [
            {"name": field.name, "type": _TYPES[str(field.type)], "nullable": True, "metadata": {}} for field in added
        ]
    except (ValueError, KeyError, TypeError):
        return None
    return json.dumps(schema, separators=(",", ":"), ensure_ascii=False).encode()


def with_spark_schema(schema: Any, added: Sequence[str]) -> Any:
    """An Arrow schema whose note, if it has one, tells the columns that it has, the last of which were added."""
    noted = dict(schema.metadata or {})
    if NOTE not in noted:
        return schema
    names = schema.names[: len(schema) - len(added)]
    note = spark_schema(noted.pop(NOTE), names, list(schema)[len(names) :])
    return schema.with_metadata(noted if note is None else noted | {NOTE: note})
