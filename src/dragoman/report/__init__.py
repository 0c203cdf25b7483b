"""Rows of numbers become tables, plots and one HTML page, with the papers' published figures beside ours.

tables      Table, as Markdown, CSV and HTML
plots       pictures as SVG or PNG bytes (needs the extra `plot`)
html        ReportPage: sections of text, tables and figures in one file
url_2008    the report of the URL paper's study
"""
