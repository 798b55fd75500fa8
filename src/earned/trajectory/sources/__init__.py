"""Where files lie and how their bytes are read: on disk or in archives, within limits, never unpacked to disk."""
