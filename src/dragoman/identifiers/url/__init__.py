"""A URL becomes tokens and features: address -> tokens -> words, trigrams, custom-made features."""
