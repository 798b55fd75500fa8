"""How much of an input is held at once, and what an archive may hold before it is taken for an attack."""

from __future__ import annotations

MAX_DOCUMENT = 256 * 1024 * 1024
"""Bytes of one JSON document that is decoded whole. A million plain steps are about 200 MB."""
CHUNK = 128 * 1024
"""Bytes read at once of a file of lines: what is cut into lines is then still in the processor's cache."""
MAX_MEMBERS = 100_000
"""Files that are looked at in one archive."""
MAX_NAME = 4096
"""Bytes of one name in an archive, as most systems allow for a path."""
MAX_NAMES = 64 * 1024 * 1024
"""Bytes of all names in one archive."""
MAX_DEPTH = 64
"""Folders in folders."""
MAX_TOTAL = 1 << 40
"""Bytes that all members of one archive declare together: a terabyte, more than anyone reads on one machine in a day."""
MAX_RATIO = 5_000
"""Bytes that one packed byte may become, above RATIO_FROM. Logs that repeat a talk at every turn reach 1,000."""
RATIO_FROM = 16 * 1024 * 1024
MAX_WORK = 100
"""Times that packed bytes are unpacked again for members that are asked for in another order than they lie in."""
