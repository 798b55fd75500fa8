"""From bytes to values and texts, however large, damaged or oddly shaped they are."""
