"""Features become scores: the algorithms of the URL paper, their combination, and the files they are kept in."""
