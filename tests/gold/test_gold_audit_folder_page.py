from __future__ import annotations

from pathlib import Path

import pytest
from accepted import assert_generated

from earned.store.describe import describe_tables
from earned.store.tables import SCHEMAS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "audit-folder.md"


def test_the_page_shows_the_columns_that_are_written() -> None:
    assert_generated(PAGE, "columns", describe_tables())


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_column_of_a_table_is_described(name: str) -> None:
    described = describe_tables()
    assert all(f"| `{column}` |" in described for column in SCHEMAS[name].names)
