"""What ships with Dragoman: the table of languages, trained models, the papers' published figures."""
