"""One package or file for each format that is read; the table of them is `earned.trajectory.format.FORMATS`."""
