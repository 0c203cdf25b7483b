"""The study "Language identification in web documents using discrete HMMs" (Xafopoulos and others, 2004) on our data.

draws: training text and test sentences as in its section 4.1. plan: which classifiers are trained, on what. study: all
of them on every draw, kept as they finish. figures: answers become the numbers of its tables.
"""
