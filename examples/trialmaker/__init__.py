"""Makes small benchmark trials whose every command is really run, with labels known by construction."""
