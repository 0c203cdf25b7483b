"""Tables of labelled URLs: what training and evaluation start from."""
