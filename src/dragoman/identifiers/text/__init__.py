"""Bytes become text, text becomes scores and spans."""
