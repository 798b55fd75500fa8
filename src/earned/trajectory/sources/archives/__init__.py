"""Archives and compressed files are read where they lie: members are found by name and unpacked in memory, a part at a time."""
