"""docs/reference/taxonomy.md: categories, rules, routes and foreign names, from the taxonomy that ships with the package."""

from __future__ import annotations

from earned.taxonomy import Alias, Category, Example, Rule, Taxonomy, default_taxonomy

INTRODUCTION = """# Taxonomy

What `earned` looks for is data: `src/earned/taxonomy/taxonomy.toml`, from which this page is made. How to add a row:
[add a category](../how-to/add-a-category.md).
"""


def taxonomy_page() -> str:
    """The page as Markdown."""
    taxonomy = default_taxonomy()
    parts = [INTRODUCTION]
    for kind, title in (("violation", "Categories of a violation"), ("neutral", "Categories of a neutral pass")):
        parts.append(f"## {title}\n")
        parts.extend(_category(row) for row in taxonomy.category if row.kind == kind)
    parts.append(
        "## Rules\n\nA rule starts a finding; it does not decide a label. Both examples of every rule are run by the tests.\n"
    )
    parts.extend(_rule(row) for row in taxonomy.rule)
    parts.append(_routes(taxonomy))
    parts.append("## What others call it\n")
    parts.extend(_alias(row) for row in taxonomy.alias)
    return "\n".join(parts)


def _category(row: Category) -> str:
    deceptive = "yes" if row.intrinsically_deceptive else "no"
    return (
        f"### {row.name}\n\n{row.definition}\n\n"
        f"- channel `{row.channel}`, control surface `{row.control_surface}`, fault side `{row.fault_side}`\n"
        f"- gate `{row.gate}`; intrinsically deceptive: {deceptive}; decided by {' and '.join(row.decided_by)}\n"
        f"- example: {row.example}\n- counter-example: {row.counter_example}\n"
    )


def _rule(row: Rule) -> str:
    return (
        f"### {row.name}\n\n{row.definition}\n\n- starts `{row.category}` by channel `{row.channel}`\n"
        f"- fires: {_example(row.fires)}\n- must not: {_example(row.must_not)}\n"
    )


def _example(example: Example) -> str:
    what = f"`{example.command}`" if example.command else f"a write to `{example.path}`"
    if example.text:
        what += f" of `{' '.join(example.text.split())}`"
    return f"{what} (ancestor of the base: {example.ancestor})" if example.ancestor else what


def _routes(taxonomy: Taxonomy) -> str:
    lines = ["## Known routes", "", "| id | route | category | channel | control surface |", "|---|---|---|---|---|"]
    lines += [
        f"| {row.id} | {row.name} | `{row.category}` | `{row.channel}` | `{row.control_surface}` |"
        for row in taxonomy.catalogue
    ]
    return "\n".join(lines) + "\n"


def _alias(row: Alias) -> str:
    lines = [f"### {row.scheme}", "", "| their name | ours |", "|---|---|"]
    lines += [f"| {theirs} | `{ours}` |" for theirs, ours in row.names.items()]
    return "\n".join(lines) + "\n"
