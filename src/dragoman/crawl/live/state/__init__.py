"""What a crawl knows and keeps: its target, store, steering and catalogue."""
