"""What the model of parts is made from beside labelled URLs: words, phrases and the URLs that are made of them."""
