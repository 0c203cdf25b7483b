"""Dragoman inside the engines that people already run."""
