"""Answers become rows of numbers: splits by site, strata, judgements of any model."""
