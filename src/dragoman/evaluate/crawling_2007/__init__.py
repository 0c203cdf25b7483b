"""The study of language-specific crawling (Tamura, Somboonviwat and Kitsuregawa, 2007) on synthetic webs."""

from dragoman.evaluate.crawling_2007.study import Study, run_study

__all__ = ["Study", "run_study"]
