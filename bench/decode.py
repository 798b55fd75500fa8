"""The floor in Python: reads the files below a folder and decodes them with msgspec into plain objects.

python bench/decode.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

for path in sorted(Path(sys.argv[1]).glob("*/agent/trajectory.json")):
    msgspec.json.decode(path.read_bytes())
