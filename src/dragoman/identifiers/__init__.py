"""What tells a language: URLs, texts and pages become scores, answers and spans."""
