"""The tests. This file makes `tests` a package of its own: dependencies have been seen to install one of that name."""
