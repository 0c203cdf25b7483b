"""The study of language-specific crawling (Tamura, Somboonviwat and Kitsuregawa, 2007) on synthetic webs."""
