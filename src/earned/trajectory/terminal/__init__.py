"""What a terminal showed, and the acts of an agent that can be recovered from it."""
