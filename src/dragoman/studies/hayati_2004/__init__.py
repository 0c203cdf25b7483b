"""The study of "Language Identification on the World Wide Web" (Hayati 2004): n-grams, and top-level domains."""
