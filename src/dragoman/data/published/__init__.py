"""The papers' published figures, as printed, for tables that set theirs beside ours."""
