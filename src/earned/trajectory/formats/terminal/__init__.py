"""Acts of an agent recovered from a terminal's text, for formats that record nothing better."""
