"""Rows of numbers become tables, plots and one HTML page, of any subject: theirs beside ours where there is a theirs.

tables      Table, as plain text, Markdown, CSV and HTML
plots       pictures as SVG or PNG bytes (needs the extra `plot`), drawn on the ground of `canvas`
html        ReportPage: sections of text, tables and figures in one file
evaluation  how good a model is
simulation, crawl, crawl_report, crawl_plots   what came of crawls
"""
