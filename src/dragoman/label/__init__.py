"""Read, judge, write: tables of URLs, pages or texts with their languages added."""
