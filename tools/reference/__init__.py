"""Pages of docs/reference that are made from the code, so that they cannot say anything else than the code does."""
