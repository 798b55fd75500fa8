"""How much of what the agent did a trace shows, and by what that is seen."""
