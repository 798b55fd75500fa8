"""Whether an attempt passed: what its own record says, and what reports and tables say, with the place of each."""
