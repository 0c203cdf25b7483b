"""Who links to whom: graphs of pages, and what links say about languages."""
