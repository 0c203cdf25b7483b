"""Predictions become rows of numbers: splits, strata, experiments, the papers' studies."""
