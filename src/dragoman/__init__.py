"""Dragoman tells the language of a web page before it is fetched.

url ──► features ──► model ──► scores ──► language, probability, reasons
"""
