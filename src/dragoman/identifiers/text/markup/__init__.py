"""HTML becomes visible text, its map to the source, and what its tags say."""
