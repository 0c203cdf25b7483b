"""One file per algorithm that reads URLs."""
