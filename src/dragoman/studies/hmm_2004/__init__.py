"""The study "Language identification in web documents using discrete HMMs" (Xafopoulos and others, 2004) on our data.

draws: training text and test sentences as in its section 4.1. plan: which classifiers are trained, on what. tracking:
the network on documents of several languages. study: all of it, piece by piece. figures: answers become the numbers
of its tables.
"""
