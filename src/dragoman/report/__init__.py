"""Rows of numbers become tables, plots and one HTML page, with the papers' published figures beside ours.

published   the figures of the papers, typed, and which of them cannot be right
tables      Table, as Markdown, CSV and HTML
plots       pictures as SVG or PNG bytes (needs the extra `plot`)
html        Page: sections of text, tables and figures in one file
"""
