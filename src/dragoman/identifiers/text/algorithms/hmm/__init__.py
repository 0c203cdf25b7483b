"""Hidden Markov models of languages: section 3 of "Language identification in web documents using discrete HMMs".

symbols: letters become numbers. streams: numbers become observations (the symbol and its differences). model: one
discrete HMM per language, trained by Viterbi alignment. classifier: the algorithm `hmm`. network: all of them joined,
decoded over a document, so that every place of it gets a language.
"""
