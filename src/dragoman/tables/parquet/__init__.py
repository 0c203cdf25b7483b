"""Parquet files: read in pieces, and changed without taking them apart."""
