"""Columns of URLs in and out of files: Parquet, CSV, JSONL and plain text, a piece at a time."""
