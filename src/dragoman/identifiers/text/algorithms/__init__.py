"""One file or folder per algorithm that reads texts."""
