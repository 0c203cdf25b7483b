"""Languages in Spark: `identify(df, "url")` adds columns, `label_index` labels a table."""

from __future__ import annotations

from dragoman.integrations.spark.frames import identify, label_index

__all__ = ["identify", "label_index"]
