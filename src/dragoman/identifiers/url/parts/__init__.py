"""A URL's parts read apart and weighed by context: words, n-grams, codes, scripts, known sites, top-level domain."""
