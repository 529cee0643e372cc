// Filled in by a later commit.
