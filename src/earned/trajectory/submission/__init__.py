"""What was graded, where the record holds no patch: rebuilt from what was shown and done, with how certain it is."""
